// SPDX-License-Identifier: MIT
/*
 * Trace events at instructions of files and at returns of their functions.
 *
 * Enabling the event places the probe.  Hits arrive in the context of the
 * task that executes the file, with preemption off.
 */
#include <kernel/file.h>
#include <kernel/fs.h>
#include <kernel/page.h>
#include <kernel/probe_event.h>
#include <kernel/reclaim.h>
#include <kernel/task.h>
#include <kernel/uprobe.h>
#include <lib/err.h>
#include <lib/printf.h>
#include <lib/string.h>
#include <linux/fcntl.h>
#include <linux/stat.h>

#include "event.h"

struct uprobe_event {
	struct probe_event p;
	struct uprobe_consumer consumer;
	struct path path;		/* [I] referenced */
	char *name;			/* [I] the path as it was given */
	u64 offset, ref_ctr;		/* [I] */
	/* Of the head: whom perf's counters are about. */
	struct list_head targets;	/* [trace_mutex], walked lock-free */
	u32 nr_wide;			/* [trace_mutex], read anywhere */
	u64 hits;			/* [trace_mutex] before it was off */
};

static struct uprobe_event *of(const struct probe_event *p)
{
	return container_of(p, struct uprobe_event, p);
}

static void hit(struct uprobe_consumer *c, struct pt_regs *regs, u64 addr)
{
	struct uprobe_event *u =
		container_of(c, struct uprobe_event, consumer);
	u64 at[2] = { addr, 0 };

	probe_event_emit(&u->p, regs, at);
}

static void returned(struct uprobe_consumer *c, struct pt_regs *regs, u64 func,
		     u64 ret)
{
	struct uprobe_event *u =
		container_of(c, struct uprobe_event, consumer);
	u64 at[2] = { func, ret };

	probe_event_emit(&u->p, regs, at);
}

/* perf's counters say where; a trace buffer wants it everywhere. */
static bool wants(struct uprobe_consumer *c, const struct mm *mm)
{
	const struct uprobe_event *u =
		container_of(c, struct uprobe_event, consumer), *h;
	struct trace_target *t;
	bool found;

	reclaim_read_lock();
	h = of(u->p.head);
	found = READ_ONCE(h->nr_wide);
	if (!found)
		list_for_each_entry_pub(t, &h->targets, link)
			if (READ_ONCE(t->task->mm) == mm) {
				found = true;
				break;
			}
	reclaim_read_unlock();
	return found;
}

static int target(struct trace_event *ev, struct trace_target *t, bool on,
		  bool place)
{
	struct probe_event *p = ev->private, *site;
	struct uprobe_event *u = of(p);
	bool everywhere = u->nr_wide;
	int err = 0;

	if (!t->task)
		WRITE_ONCE(u->nr_wide, u->nr_wide + (on ? 1 : -1u));
	else if (on)
		list_add_tail_pub(&t->link, &u->targets);
	else
		list_del_pub(&t->link);
	/* Only what was not everywhere before, or is not after. */
	if (!place || (on ? everywhere : u->nr_wide != 0))
		return 0;
	list_for_each_entry(site, &p->sites, site)
		if (site->placed && !err)
			err = uprobe_apply(&of(site)->consumer, on);
	if (err && on)
		target(ev, t, false, true);
	return err;
}

static int place(struct probe_event *p)
{
	struct uprobe_event *u = of(p);

	if (p->is_return)
		u->consumer.returned = returned;
	else
		u->consumer.hit = hit;
	u->consumer.wants = p->head->ev.perf_users ? wants : NULL;
	return uprobe_register(u->path.dentry->inode, u->offset, u->ref_ctr,
			       &u->consumer);
}

static void unplace(struct probe_event *p)
{
	struct uprobe_event *u = of(p);

	uprobe_unregister(&u->consumer);
	u->hits += u->consumer.hits;
	u->consumer.hits = 0;
}

static void destroy(struct probe_event *p)
{
	struct uprobe_event *u = of(p);

	probe_event_fini(p);
	path_put(&u->path);
	kfree(u->name);
	kfree(u);
}

static void show_place(const struct probe_event *p, char *buf, size_t size)
{
	const struct uprobe_event *u = of(p);
	int len = scnprintf(buf, size, "%s:0x%016llx", u->name, u->offset);

	if (u->ref_ctr)
		scnprintf(buf + len, size - (size_t)len, "(0x%llx)",
			  u->ref_ctr);
}

static void counts(const struct probe_event *p, u64 *hits, u64 *missed)
{
	const struct uprobe_event *u = of(p);

	*hits = u->hits + READ_ONCE(u->consumer.hits);
	*missed = 0;
}

static const struct trace_event_ops ops = {
	.enable = probe_event_enable,
	.disable = probe_event_disable,
	.target = target,
	.exclusive = true,
};

static const struct probe_event_kind kind = {
	.is_user = true,
	.ops = &ops,
	.destroy = destroy,
	.place = place,
	.unplace = unplace,
	.show_place = show_place,
	.counts = counts,
};

static int find_file(struct path *to, const char *path)
{
	int err = path_lookup(AT_FDCWD, path, LOOKUP_FOLLOW, to);

	if (err)
		return err;
	if (S_ISREG(to->dentry->inode->mode))
		return 0;
	path_put(to);
	return -EINVAL;
}

int uprobe_event_file(const char *path)
{
	struct path found;
	int err = find_file(&found, path);

	if (!err)
		path_put(&found);
	return err;
}

struct probe_event *uprobe_event_new(const char *system, const char *name,
				     const char *path, u64 offset, u64 ref_ctr,
				     bool is_return, struct probe_args *args)
{
	struct uprobe_event *u = kzalloc(sizeof(*u), GFP_KERNEL);
	int err = -ENOMEM;

	if (!u)
		goto free_args;
	u->offset = offset;
	u->ref_ctr = ref_ctr;
	list_init(&u->targets);
	u->name = kstrdup(path, GFP_KERNEL);
	if (!u->name)
		goto free;
	err = find_file(&u->path, path);
	if (err)
		goto free;
	err = probe_event_init(&u->p, &kind, system, name, is_return, args);
	if (!err)
		return &u->p;
	args = NULL;	/* gone with it */
	path_put(&u->path);
free:
	kfree(u->name);
	kfree(u);
free_args:
	probe_args_free(args);
	return ERR_PTR(err);
}

struct trace_event *uprobe_event_local(const char *path, u64 offset,
				       u64 ref_ctr, bool is_return)
{
	struct probe_event *p;

	p = uprobe_event_new("uprobes", "DUMMY_EVENT", path, offset, ref_ctr,
			     is_return, NULL);
	if (IS_ERR(p))
		return ERR_CAST(p);
	p->is_local = true;
	p->ev.nr_fields = 0;	/* as observed: filters know the common ones */
	return &p->ev;
}
