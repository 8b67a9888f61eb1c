// SPDX-License-Identifier: MIT
/*
 * Trace events at kernel instructions and function returns.
 *
 * Enabling the event places the probe, so an event that nobody wants costs
 * nothing.  Hits arrive with everything masked.
 */
#include <arch/regs.h>
#include <kernel/kprobe.h>
#include <kernel/page.h>
#include <kernel/probe_event.h>
#include <lib/err.h>
#include <lib/printf.h>
#include <lib/string.h>

#include "event.h"

struct kprobe_event {
	struct probe_event p;
	struct kretprobe probe;		/* its entry alone, if no return */
	char *symbol;			/* [I] NULL: an address was given */
	u64 offset;			/* [I] of the symbol, or the address */
	u64 hits, missed;		/* [trace_mutex] before it was off */
	u64 returns;			/* [a] */
};

static struct kprobe_event *of(const struct probe_event *p)
{
	return container_of(p, struct kprobe_event, p);
}

static void hit(struct kprobe *probe, struct pt_regs *regs)
{
	struct kprobe_event *k =
		container_of(probe, struct kprobe_event, probe.entry);
	u64 addr[2] = { probe->addr, 0 };

	probe_event_emit(&k->p, regs, addr);
}

static void returned(struct kretprobe *probe, struct pt_regs *regs, u64 func,
		     u64 ret, u64 cookie)
{
	struct kprobe_event *k =
		container_of(probe, struct kprobe_event, probe);
	u64 addr[2] = { func, ret };

	__atomic_fetch_add(&k->returns, 1, __ATOMIC_RELAXED);
	probe_event_emit(&k->p, regs, addr);
}

static int place(struct probe_event *p)
{
	struct kprobe_event *k = of(p);

	if (p->is_return)
		return kretprobe_register(&k->probe);
	k->probe.entry.hit = hit;
	return kprobe_register(&k->probe.entry);
}

static u64 missed_now(const struct kprobe_event *k)
{
	return READ_ONCE(k->probe.entry.missed) + READ_ONCE(k->probe.missed);
}

static void unplace(struct probe_event *p)
{
	struct kprobe_event *k = of(p);

	if (p->is_return)
		kretprobe_unregister(&k->probe);
	else
		kprobe_unregister(&k->probe.entry);
	k->hits += k->probe.entry.hits;
	k->missed += missed_now(k);
	k->probe.entry.hits = k->probe.entry.missed = k->probe.missed = 0;
}

static void destroy(struct probe_event *p)
{
	struct kprobe_event *k = of(p);

	probe_event_fini(p);
	kfree(k->symbol);
	kfree(k);
}

static void show_place(const struct probe_event *p, char *buf, size_t size)
{
	const struct kprobe_event *k = of(p);

	if (!k->symbol)
		scnprintf(buf, size, "0x%016llx", k->offset);
	else if (k->offset)
		scnprintf(buf, size, "%s+%llu", k->symbol, k->offset);
	else
		strlcpy_k(buf, k->symbol, size);
}

static void counts(const struct probe_event *p, u64 *hits, u64 *missed)
{
	const struct kprobe_event *k = of(p);

	/* As observed, a call under a return probe counts at its end. */
	if (p->is_return)
		*hits = READ_ONCE(k->returns);
	else
		*hits = k->hits + READ_ONCE(k->probe.entry.hits);
	*missed = k->missed + missed_now(k);
}

static u64 address(const struct probe_event *p)
{
	return of(p)->probe.entry.addr;
}

static u32 max_active(const struct probe_event *p)
{
	return kretprobe_max_active(&of(p)->probe);
}

static const struct trace_event_ops ops = {
	.enable = probe_event_enable,
	.disable = probe_event_disable,
};

static const struct probe_event_kind kind = {
	.ops = &ops,
	.destroy = destroy,
	.place = place,
	.unplace = unplace,
	.show_place = show_place,
	.max_active = max_active,
	.address = address,
	.counts = counts,
};

struct probe_event *kprobe_event_new(const char *system, const char *name,
				     const char *symbol, u64 offset,
				     bool is_return, u32 max_active,
				     struct probe_args *args)
{
	struct kprobe_event *k = kzalloc(sizeof(*k), GFP_KERNEL);
	int err = -ENOMEM;

	if (!k)
		goto free_args;
	k->probe.entry.addr = k->offset = offset;
	if (symbol) {
		err = kprobe_resolve(symbol, offset, &k->probe.entry.addr);
		if (err)
			goto free;
		err = -ENOMEM;
		k->symbol = kstrdup(symbol, GFP_KERNEL);
		if (!k->symbol)
			goto free;
	}
	k->probe.max_active = max_active;
	k->probe.returned = returned;
	err = probe_event_init(&k->p, &kind, system, name, is_return, args);
	if (!err)
		return &k->p;
	args = NULL;	/* gone with it */
free:
	kfree(k->symbol);
	kfree(k);
free_args:
	probe_args_free(args);
	return ERR_PTR(err);
}

struct trace_event *kprobe_event_local(const char *symbol, u64 offset,
				       bool is_return)
{
	struct probe_event *p;

	p = kprobe_event_new("kprobes", symbol ? symbol : "DUMMY_EVENT", symbol,
			     offset, is_return, 0, NULL);
	if (IS_ERR(p))
		return ERR_CAST(p);
	p->is_local = true;
	p->ev.nr_fields = 0;	/* as observed: filters know the common ones */
	return &p->ev;
}
