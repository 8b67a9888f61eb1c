// SPDX-License-Identifier: MIT
/*
 * The kprobe engine: breakpoints in kernel text and who is told of them.
 *
 * One struct kprobe_point stands for a patched instruction, with the probes
 * that share it.  Points are found by the exception without a lock; kprobe_
 * mutex orders those who register.  The exception handler and all it calls
 * before the CPU is marked busy, or when it is found busy, must not be
 * probed: __noinstr.  Within a handler a nested hit finds the CPU busy, is
 * counted and stepped, so that handlers may call anything that the overflow
 * interrupt may.  scripts/check-noinstr looks at each kernel that is linked
 * whether such a function calls one that may be probed.  A panic tells no
 * probe any more: it may run on a stack of a page.
 *
 * Unregistering takes the breakpoint away first, then waits for a grace
 * period: no CPU is in the exception any more, nor in the slot, where a CPU
 * is never preempted (arch entry code sees to that).
 */
#include <arch/irqflags.h>
#include <arch/probes.h>
#include <arch/regs.h>
#include <arch/text.h>
#include <arch/uaccess.h>
#include <kernel/kprobe.h>
#include <kernel/ksym.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/percpu.h>
#include <kernel/reclaim.h>
#include <kernel/static_key.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/hash.h>
#include <lib/hlist.h>

#include "kprobe_internal.h"

#define BUCKET_BITS 10

struct kprobe_point {
	struct hlist_node node;		/* [K], walked lock-free */
	u64 addr;			/* [I] */
	u64 slot;			/* [I] 0: simulated */
	u32 insn;			/* [I] what the breakpoint replaced */
	struct list_head probes;	/* [K], walked lock-free */
};

static struct mutex kprobe_mutex = MUTEX_INIT(kprobe_mutex, LOCK_RANK_KPROBE);
static struct hlist_head points[1 << BUCKET_BITS]; /* [kprobe_mutex] */

static bool disarmed;				/* [kprobe_mutex] */

static DEFINE_PER_CPU(bool, probe_busy);	/* [C] */

/* --- hits -------------------------------------------------------------- */

static __noinstr struct kprobe_point *find_point(u64 addr)
{
	struct hlist_head *head = &points[hash_u64_bits(addr, BUCKET_BITS)];
	struct kprobe_point *point;

	hlist_for_each_entry_pub(point, head, node)
		if (point->addr == addr)
			return point;
	return NULL;
}

/* A literal of the kernel's text or read-only data: it is there. */
static __noinstr int read_kernel(void *to, u64 addr, size_t size)
{
	u8 *out = to;
	const u8 *in = (const u8 *)kprobe_text(addr);

	while (size--)
		*out++ = READ_ONCE(*in++);
	return 0;
}

__noinstr bool kprobe_enter(void)
{
	bool *busy = this_cpu_ptr(probe_busy);
	struct thread_info *ti = current_info();

	if (*busy || in_nmi() || READ_ONCE(panic_in_progress))
		return false;
	*busy = true;
	WRITE_ONCE(ti->preempt_count, ti->preempt_count + NMI_OFFSET);
	barrier();
	return true;
}

__noinstr void kprobe_leave(void)
{
	struct thread_info *ti = current_info();

	barrier();
	WRITE_ONCE(ti->preempt_count, ti->preempt_count - NMI_OFFSET);
	this_cpu(probe_busy) = false;
}

static void tell_all(struct kprobe_point *point, struct pt_regs *regs)
{
	struct kprobe *p;

	list_for_each_entry_pub(p, &point->probes, link) {
		__atomic_fetch_add(&p->hits, 1, __ATOMIC_RELAXED);
		p->hit(p, regs);
	}
}

static __noinstr void count_missed(struct kprobe_point *point)
{
	struct kprobe *p;

	list_for_each_entry_pub(p, &point->probes, link)
		__atomic_fetch_add(&p->missed, 1, __ATOMIC_RELAXED);
}

static __noinstr void execute(struct kprobe_point *point, struct pt_regs *regs)
{
	if (point->slot)
		regs_set_ip(regs, point->slot);
	else
		arch_probe_simulate(point->insn, point->addr, regs,
				    read_kernel);
}

__noinstr bool kprobe_hit(struct pt_regs *regs)
{
	u64 addr = regs_ip(regs);
	struct kprobe_point *point = find_point(addr);
	u32 now;

	if (!point) {
		/* Taken away just now: the instruction is back. */
		read_kernel(&now, addr, sizeof(now));
		return now != ARCH_KPROBE_BREAK;
	}
	if (kprobe_enter()) {
		tell_all(point, regs);
		kprobe_leave();
	} else {
		count_missed(point);
	}
	execute(point, regs);
	return true;
}

__noinstr void kprobe_faulted(struct pt_regs *regs)
{
	if (arch_kprobe_in_slot(regs_ip(regs)))
		regs_set_ip(regs, arch_kprobe_slot_origin(regs_ip(regs)));
}

/* --- registration ------------------------------------------------------ */

/* [kprobe_mutex] What would be at addr without a probe. */
static u32 original(u64 addr)
{
	struct kprobe_point *point = find_point(addr);
	u32 insn;

	if (point)
		return point->insn;
	read_kernel(&insn, addr, sizeof(insn));
	return insn;
}

/* [kprobe_mutex] Is an exclusive sequence of the function open at addr? */
static bool in_exclusive(u64 addr)
{
	char name[KSYM_NAME_MAX];
	u32 code[32], i, n;
	u64 offset, size;

	if (!ksym_lookup(addr, name, &offset, &size))
		return true;
	n = (u32)(offset / ARCH_PROBE_INSN_SIZE);
	if (n > ARRAY_SIZE(code))
		n = ARRAY_SIZE(code);
	for (i = 0; i < n; i++)
		code[i] = original(addr - (u64)(n - i) * ARCH_PROBE_INSN_SIZE);
	return arch_probe_in_exclusive(code, n);
}

/* [kprobe_mutex] */
static int check(u64 addr)
{
	char name[KSYM_NAME_MAX];
	u64 offset, size;

	if (!ksym_lookup(addr, name, &offset, &size))
		return -ENOENT;
	if (!kprobe_allowed(addr))
		return -EINVAL;
	if (addr % ARCH_PROBE_INSN_SIZE)
		return -EINVAL;
	if (arch_probe_classify(original(addr)) == ARCH_PROBE_REJECT ||
	    in_exclusive(addr))
		return -EINVAL;
	return 0;
}

int kprobe_check(u64 addr)
{
	int err;

	mutex_lock(&kprobe_mutex);
	err = check(addr);
	mutex_unlock(&kprobe_mutex);
	return err;
}

/* Instructions that are written by one stop of the other CPUs. */
static struct arch_text_word words[512];	/* [kprobe_mutex] */
static u32 nr_words;				/* [kprobe_mutex] */

/* [kprobe_mutex] All of them are of points, so they are in the text. */
static void write_text(void)
{
	u32 i, now;

	if (!nr_words)
		return;
	mutex_lock(&text_mutex);
	CHECK(!arch_kprobe_write(words, nr_words));
	mutex_unlock(&text_mutex);
	for (i = 0; i < nr_words; i++) {
		read_kernel(&now, words[i].addr, sizeof(now));
		CHECK(now == words[i].insn);
	}
	nr_words = 0;
}

/* [kprobe_mutex] To be written, at the latest by the next write_text. */
static void add_word(u64 addr, u32 insn)
{
	words[nr_words++] = (struct arch_text_word){ addr, insn };
	if (nr_words == ARRAY_SIZE(words))
		write_text();
}

/* [kprobe_mutex] */
static struct kprobe_point *make_point(u64 addr)
{
	struct kprobe_point *point = kzalloc(sizeof(*point), GFP_KERNEL);

	if (!point)
		return NULL;
	point->addr = addr;
	point->insn = original(addr);
	list_init(&point->probes);
	if (arch_probe_classify(point->insn) == ARCH_PROBE_STEP) {
		point->slot = arch_kprobe_slot_get(point->insn, addr);
		if (!point->slot) {
			kfree(point);
			return NULL;
		}
	}
	return point;
}

static void free_point(struct kprobe_point *point)
{
	if (point->slot)
		arch_kprobe_slot_put(point->slot);
	kfree(point);
}

/* [kprobe_mutex] p is found from now on, and hit once the text is written. */
static int attach(struct kprobe *p)
{
	int err = check(p->addr);

	if (err)
		return err;
	p->hits = p->missed = 0;
	p->point = find_point(p->addr);
	if (p->point) {
		list_add_tail_pub(&p->link, &p->point->probes);
		return 0;
	}
	p->point = make_point(p->addr);
	if (!p->point)
		return -ENOMEM;
	list_add_tail_pub(&p->link, &p->point->probes);
	hlist_add_head_pub(&p->point->node,
			   &points[hash_u64_bits(p->addr, BUCKET_BITS)]);
	if (!disarmed)
		add_word(p->addr, ARCH_KPROBE_BREAK);
	return 0;
}

/* [kprobe_mutex] p keeps its point if that goes, once the text is written. */
static void detach(struct kprobe *p)
{
	list_del_pub(&p->link);
	if (!list_empty(&p->point->probes))
		p->point = NULL;
	else if (!disarmed)
		add_word(p->addr, p->point->insn);
}

/* Those before end. */
static void unregister(struct kprobe *first, const struct kprobe *end)
{
	struct kprobe *p;

	mutex_lock(&kprobe_mutex);
	for (p = first; p != end; p = p->chain)
		detach(p);
	write_text();
	for (p = first; p != end; p = p->chain)
		if (p->point)
			hlist_del_pub(&p->point->node);
	mutex_unlock(&kprobe_mutex);
	reclaim_sync();
	for (p = first; p != end; p = p->chain) {
		if (p->point)
			free_point(p->point);
		p->point = NULL;
	}
}

void kprobes_unregister(struct kprobe *p)
{
	unregister(p, NULL);
}

void kprobe_unregister(struct kprobe *p)
{
	unregister(p, p->chain);
}

static int register_until(struct kprobe *first, const struct kprobe *end)
{
	struct kprobe *p;
	int err = 0;

	mutex_lock(&kprobe_mutex);
	for (p = first; p != end; p = p->chain) {
		err = attach(p);
		if (err)
			break;
	}
	write_text();
	mutex_unlock(&kprobe_mutex);
	if (err && p != first)
		unregister(first, p);
	return err;
}

int kprobes_register(struct kprobe *p)
{
	return register_until(p, NULL);
}

int kprobe_register(struct kprobe *p)
{
	return register_until(p, p->chain);
}

/* --- all of them ------------------------------------------------------- */

void kprobe_for_each(struct seq *s, kprobe_show *show)
{
	struct kprobe_point *point;
	struct kprobe *p;
	u32 i;

	mutex_lock(&kprobe_mutex);
	for (i = 0; i < ARRAY_SIZE(points); i++)
		hlist_for_each_entry(point, &points[i], node)
			list_for_each_entry(p, &point->probes, link)
				show(s, p->addr, kretprobe_is_entry(p), false);
	mutex_unlock(&kprobe_mutex);
}

bool kprobes_armed(void)
{
	return !READ_ONCE(disarmed);
}

int kprobes_arm(bool on)
{
	struct kprobe_point *point;
	u32 i;

	mutex_lock(&kprobe_mutex);
	for (i = 0; on == disarmed && i < ARRAY_SIZE(points); i++)
		hlist_for_each_entry(point, &points[i], node)
			add_word(point->addr,
				 on ? ARCH_KPROBE_BREAK : point->insn);
	write_text();
	WRITE_ONCE(disarmed, !on);
	mutex_unlock(&kprobe_mutex);
	return 0;
}
