// SPDX-License-Identifier: MIT
/*
 * The uprobe engine: probed places of files, and the breakpoints that stand
 * for them in every space that maps the file.
 *
 * uprobe->lock orders consumers and breakpoints of one place: whoever
 * registers or unregisters, and whoever maps the file.  uprobe_fork keeps
 * spaces from being copied while breakpoints come or go; a copy takes them
 * along.  A hit finds its place by file and offset without a lock.
 *
 * The counter of a place is raised once in every space that has its
 * breakpoint; where the counter's page is not mapped yet, the space is on the
 * place's list and gets its due when it is.
 */
#include <kernel/fs.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/pagecache.h>
#include <kernel/panic.h>
#include <kernel/probe_hooks.h>
#include <kernel/static_key.h>
#include <kernel/task.h>
#include <kernel/uprobe.h>
#include <lib/err.h>
#include <lib/hash.h>

#include "uprobe_internal.h"

#define BUCKET_BITS 8

/*
 * Mappings that get breakpoints, those that may have some (the program may
 * write them by now), and those that hold counters.
 */
#define CODE_MASK (VM_MAYEXEC | VM_SHARED | VM_WRITE)
#define CODE_HAS  (VM_MAYEXEC | VM_SHARED)
#define CODE_WANT VM_MAYEXEC
#define DATA_MASK (VM_SHARED | VM_WRITE)
#define DATA_WANT VM_WRITE

/* A space whose counter was not mapped when its breakpoint came. */
struct owed {
	struct list_head link;	/* [uprobe.lock] */
	struct mm *mm;		/* for comparing only */
};

DEFINE_STATIC_KEY(uprobe_key);

static struct rwsem uprobe_fork =
	RWSEM_INIT(uprobe_fork, LOCK_RANK_UPROBE_FORK);
static struct mutex table_mutex =
	MUTEX_INIT(table_mutex, LOCK_RANK_UPROBE_TABLE);
static struct hlist_head table[1 << BUCKET_BITS];	/* [table_mutex] */
static LIST_HEAD(all_uprobes);				/* [table_mutex] */

/* --- the table --------------------------------------------------------- */

static struct hlist_head *bucket(const struct inode *inode, u64 offset)
{
	return &table[hash_u64_bits((uintptr_t)inode ^ offset << 8,
				    BUCKET_BITS)];
}

struct uprobe *uprobe_find(struct inode *inode, u64 offset)
{
	struct uprobe *u, *found = NULL;

	reclaim_read_lock();
	hlist_for_each_entry_pub(u, bucket(inode, offset), node) {
		if (u->inode == inode && u->offset == offset &&
		    ref_get_unless_zero(&u->refs)) {
			found = u;
			break;
		}
	}
	reclaim_read_unlock();
	return found;
}

void uprobe_get(struct uprobe *u)
{
	ref_get(&u->refs);
}

static void free_uprobe(struct reclaim_node *node)
{
	struct uprobe *u = container_of(node, struct uprobe, reclaim);

	inode_put(u->inode);
	kfree(u);
}

void uprobe_put(struct uprobe *u)
{
	if (!ref_put(&u->refs))
		return;
	ASSERT(list_empty(&u->owed));
	reclaim_after(&u->reclaim, free_uprobe);
}

static struct uprobe *make(struct inode *inode, u64 offset, u64 ref_ctr)
{
	struct uprobe *u = kzalloc(sizeof(*u), GFP_KERNEL);

	if (!u)
		return ERR_PTR(-ENOMEM);
	/* Past the end nothing can be mapped, so nothing is executed. */
	if (page_cache_read_buf(&inode->cache, &u->insn, sizeof(u->insn),
				offset) < 0) {
		kfree(u);
		return ERR_PTR(-EIO);
	}
	ref_init(&u->refs);
	u->inode = inode_get(inode);
	u->offset = offset;
	u->ref_ctr = ref_ctr;
	u->kind = arch_probe_classify(u->insn);
	mutex_init(&u->lock, LOCK_RANK_UPROBE);
	list_init(&u->consumers);
	list_init(&u->owed);
	list_init(&u->all);
	return u;
}

/* The place, new or not, referenced.  ERR_PTR. */
static struct uprobe *place(struct inode *inode, u64 offset, u64 ref_ctr)
{
	struct uprobe *u, *fresh = make(inode, offset, ref_ctr);

	if (IS_ERR(fresh))
		return fresh;
	mutex_lock(&table_mutex);
	u = uprobe_find(inode, offset);
	if (!u) {
		u = fresh;
		hlist_add_head_pub(&u->node, bucket(inode, offset));
		list_add_tail(&u->all, &all_uprobes);
		fresh = NULL;
	}
	mutex_unlock(&table_mutex);
	if (fresh)
		uprobe_put(fresh);
	return u;
}

/* [u->lock] Nobody finds it any more. */
static void unlist(struct uprobe *u)
{
	mutex_lock(&table_mutex);
	if (!list_empty(&u->all)) {
		hlist_del_pub(&u->node);
		list_del_init(&u->all);
	}
	mutex_unlock(&table_mutex);
}

/* --- consumers --------------------------------------------------------- */

bool uprobe_wanted(struct uprobe *u, const struct mm *mm)
{
	struct uprobe_consumer *c;
	bool wanted = false;

	reclaim_read_lock();
	list_for_each_entry_pub(c, &u->consumers, link) {
		wanted = !c->wants || c->wants(c, mm);
		if (wanted)
			break;
	}
	reclaim_read_unlock();
	return wanted;
}

bool uprobe_wants_returns(struct uprobe *u)
{
	struct uprobe_consumer *c;
	bool wants = false;

	reclaim_read_lock();
	list_for_each_entry_pub(c, &u->consumers, link)
		wants |= c->returned != NULL;
	reclaim_read_unlock();
	return wants;
}

void uprobe_tell_hit(struct uprobe *u, struct pt_regs *regs, u64 addr)
{
	struct uprobe_consumer *c;

	reclaim_read_lock();
	list_for_each_entry_pub(c, &u->consumers, link) {
		__atomic_fetch_add(&c->hits, 1, __ATOMIC_RELAXED);
		if (c->hit)
			c->hit(c, regs, addr);
	}
	reclaim_read_unlock();
}

void uprobe_tell_return(struct uprobe *u, struct pt_regs *regs, u64 func,
			u64 ret)
{
	struct uprobe_consumer *c;

	reclaim_read_lock();
	list_for_each_entry_pub(c, &u->consumers, link)
		if (c->returned)
			c->returned(c, regs, func, ret);
	reclaim_read_unlock();
}

/* --- breakpoints in spaces --------------------------------------------- */

/* [u->lock] Raise or lower the counter of a space; false: it has none now. */
static bool count_space(struct uprobe *u, struct mm *mm, s16 add)
{
	struct mm_site *sites;
	bool done = false;
	u32 i, nr;

	if (mm_sites(&u->inode->cache, u->ref_ctr, DATA_MASK, DATA_WANT, &sites,
		     &nr))
		return false;
	for (i = 0; i < nr && !done; i++)
		if (sites[i].mm == mm)
			done = !mm_patch_counter(sites[i], &u->inode->cache,
						 u->ref_ctr, add);
	mm_sites_put(sites, nr);
	return done;
}

/* [u->lock] */
static struct owed *find_owed(struct uprobe *u, const struct mm *mm)
{
	struct owed *o;

	list_for_each_entry(o, &u->owed, link)
		if (o->mm == mm)
			return o;
	return NULL;
}

/* [u->lock] */
static void forget_owed(struct owed *o)
{
	list_del(&o->link);
	mm_drop(o->mm);
	kfree(o);
}

/* [u->lock] */
static void raise_counter(struct uprobe *u, struct mm *mm)
{
	struct owed *o;

	if (!u->ref_ctr || count_space(u, mm, 1) || find_owed(u, mm))
		return;
	o = kmalloc(sizeof(*o), GFP_KERNEL);
	if (!o)
		return;
	mm_grab(mm);
	o->mm = mm;
	list_add(&o->link, &u->owed);
}

/* [u->lock] */
static void lower_counter(struct uprobe *u, struct mm *mm)
{
	struct owed *o = u->ref_ctr ? find_owed(u, mm) : NULL;

	if (o)
		forget_owed(o);
	else if (u->ref_ctr)
		count_space(u, mm, -1);
}

/* Why no breakpoint can be there; 0: it can. */
static int refusal(const struct uprobe *u)
{
	/* The program's own: a hit would not tell whose it is. */
	if (u->insn == ARCH_UPROBE_BREAK)
		return -ENOTSUPP;
	return u->kind == ARCH_PROBE_REJECT ? -EINVAL : 0;
}

/* [u->lock] */
static void install(struct uprobe *u, struct mm_site site)
{
	int err;

	if (refusal(u))
		return;
	err = mm_patch_word(site, &u->inode->cache, u->offset, u->insn,
			    ARCH_UPROBE_BREAK);
	if (!err)
		raise_counter(u, site.mm);
}

/* [u->lock] */
static void take_out(struct uprobe *u, struct mm_site site)
{
	if (!mm_patch_word(site, &u->inode->cache, u->offset,
			   ARCH_UPROBE_BREAK, u->insn))
		lower_counter(u, site.mm);
}

/*
 * [u->lock] Breakpoints into all spaces that want them, or out of those that
 * do not.  0, -ENOMEM, or why it cannot be there.
 */
static int change_everywhere(struct uprobe *u, bool on)
{
	struct mm_site *sites;
	u32 i, nr;
	int err;

	err = mm_sites(&u->inode->cache, u->offset, on ? CODE_MASK : CODE_HAS,
		       CODE_WANT, &sites, &nr);
	if (err)
		return err;
	for (i = 0; i < nr; i++) {
		if (uprobe_wanted(u, sites[i].mm) != on)
			continue;
		if (!on)
			take_out(u, sites[i]);
		else if (refusal(u))
			err = refusal(u);
		else
			install(u, sites[i]);
	}
	mm_sites_put(sites, nr);
	return err;
}

/* [u->lock] The last consumer is gone, or the first did not get in. */
static void clear(struct uprobe *u)
{
	struct owed *o, *next;

	change_everywhere(u, false);
	list_for_each_entry_safe(o, next, &u->owed, link)
		forget_owed(o);
	unlist(u);
}

/* [u->lock] */
static void withdraw(struct uprobe *u, struct uprobe_consumer *c)
{
	list_del_pub(&c->link);
	if (list_empty(&u->consumers))
		clear(u);
	else
		change_everywhere(u, false);
}

int uprobe_register(struct inode *inode, u64 offset, u64 ref_ctr,
		    struct uprobe_consumer *c)
{
	struct uprobe *u;
	int err = 0;

	if (inode->sb->type->is_pageless)
		return -EIO;
	/* Signed: what lies before a file is refused by nobody. */
	if ((s64)offset > (s64)READ_ONCE(inode->size) ||
	    offset % ARCH_PROBE_INSN_SIZE || ref_ctr % sizeof(u16))
		return -EINVAL;
	static_key_inc(&uprobe_key);
again:
	u = place(inode, offset, ref_ctr);
	if (IS_ERR(u)) {
		err = (int)PTR_ERR(u);
		goto drop_key;
	}
	rwsem_write_lock(&uprobe_fork);
	mutex_lock(&u->lock);
	if (list_empty(&u->all)) {
		/* Somebody took it out meanwhile. */
		mutex_unlock(&u->lock);
		rwsem_write_unlock(&uprobe_fork);
		uprobe_put(u);
		goto again;
	}
	if (u->ref_ctr != ref_ctr) {
		err = -EINVAL;
	} else {
		c->hits = 0;
		c->uprobe = u;
		list_add_tail_pub(&c->link, &u->consumers);
		err = change_everywhere(u, true);
		if (err)
			withdraw(u, c);
	}
	mutex_unlock(&u->lock);
	rwsem_write_unlock(&uprobe_fork);
	if (!err)
		return 0;
	reclaim_sync();
	uprobe_put(u);
drop_key:
	static_key_dec(&uprobe_key);
	return err;
}

int uprobe_apply(struct uprobe_consumer *c, bool on)
{
	struct uprobe *u = c->uprobe;
	int err;

	rwsem_write_lock(&uprobe_fork);
	mutex_lock(&u->lock);
	err = change_everywhere(u, on);
	mutex_unlock(&u->lock);
	rwsem_write_unlock(&uprobe_fork);
	return err;
}

void uprobe_leave(struct uprobe *u, u64 addr)
{
	struct mm_site site = { current->mm, addr };

	mutex_lock(&u->lock);
	/* Once it is unlisted, what is there now is another's. */
	if (!list_empty(&u->all) && !uprobe_wanted(u, site.mm))
		take_out(u, site);
	mutex_unlock(&u->lock);
}

void uprobe_unregister(struct uprobe_consumer *c)
{
	struct uprobe *u = c->uprobe;

	rwsem_write_lock(&uprobe_fork);
	mutex_lock(&u->lock);
	withdraw(u, c);
	mutex_unlock(&u->lock);
	rwsem_write_unlock(&uprobe_fork);
	static_key_dec(&uprobe_key);
	reclaim_sync();
	uprobe_put(u);
}

/* --- spaces that change ------------------------------------------------ */

void uprobe_fork_begin(void)
{
	rwsem_read_lock(&uprobe_fork);
}

void uprobe_fork_end(void)
{
	rwsem_read_unlock(&uprobe_fork);
}

/* [mmap_lock] The mapping's first byte in its file, or ~0. */
static u64 first_byte(const struct vma *vma)
{
	return vma->pgoff << PAGE_SHIFT;
}

static bool covers(const struct vma *vma, u64 offset)
{
	return offset >= first_byte(vma) &&
	       offset - first_byte(vma) < vma->end - vma->start;
}

/* What is to be done in one new mapping. */
struct todo {
	struct uprobe *uprobe;
	u64 addr;		/* of the instruction, 0: not in there */
	bool counter;		/* the counter is in there */
};

/* [mmap_lock, table_mutex] */
static bool make_todo(struct todo *t, struct uprobe *u, const struct vma *vma)
{
	t->addr = 0;
	t->counter = false;
	if (&u->inode->cache != vma->cache)
		return false;
	if ((vma->flags & CODE_MASK) == CODE_WANT && covers(vma, u->offset))
		t->addr = vma->start + (u->offset - first_byte(vma));
	if (u->ref_ctr && (vma->flags & DATA_MASK) == DATA_WANT &&
	    covers(vma, u->ref_ctr))
		t->counter = true;
	if (!t->addr && !t->counter)
		return false;
	t->uprobe = u;
	return ref_get_unless_zero(&u->refs);
}

/*
 * The skip-th and later probes of the file that is mapped at addr: up to nr
 * of them.
 */
static u32 look_for_work(struct mm *mm, u64 addr, u32 skip, struct todo *todo,
			 u32 nr)
{
	struct uprobe *u;
	struct vma *vma;
	u32 found = 0;

	rwsem_read_lock(&mm->mmap_lock);
	vma = vma_lookup(mm, addr);
	if (vma && vma->cache) {
		mutex_lock(&table_mutex);
		list_for_each_entry(u, &all_uprobes, all) {
			if (found == nr)
				break;
			if (!make_todo(&todo[found], u, vma))
				continue;
			if (skip) {
				skip--;
				/* Listed: this is not the last one. */
				CHECK(!ref_put(&u->refs));
				continue;
			}
			found++;
		}
		mutex_unlock(&table_mutex);
	}
	rwsem_read_unlock(&mm->mmap_lock);
	return found;
}

static void do_work(struct mm *mm, struct todo *t)
{
	struct mm_site site = { mm, t->addr };
	struct uprobe *u = t->uprobe;
	struct owed *o;

	mutex_lock(&u->lock);
	if (t->addr && uprobe_wanted(u, mm))
		install(u, site);
	o = t->counter ? find_owed(u, mm) : NULL;
	if (o && count_space(u, mm, 1))
		forget_owed(o);
	mutex_unlock(&u->lock);
	uprobe_put(u);
}

void uprobe_mapped_body(struct mm *mm, u64 addr, u64 len)
{
	struct todo todo[16];
	u32 i, nr, done = 0;

	do {
		nr = look_for_work(mm, addr, done, todo, ARRAY_SIZE(todo));
		for (i = 0; i < nr; i++)
			do_work(mm, &todo[i]);
		done += nr;
	} while (nr == ARRAY_SIZE(todo));
}
