/* SPDX-License-Identifier: MIT */
/*
 * saved_cmdlines, saved_tgids: names and processes of the threads that are in
 * trace buffers, kept beyond their end.
 *
 * One slot for each number modulo the table; the newest wins.  Written by
 * whoever emits, with everything masked; a slot's sequence count lets readers
 * notice a change under their eyes.  A table of another size replaces the old
 * one, which is freed after a grace period.
 */
#include "tracefs.h"

#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/reclaim.h>
#include <kernel/task.h>
#include <lib/atomic.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/string.h>

#define SLOTS_AT_BOOT 1024u
#define SLOTS_MAX     (1u << 16)

struct slot {
	u32 seq;		/* [a] odd while it is written */
	s32 pid, tgid;		/* tgid 0: it was not asked for */
	char comm[TASK_COMM_LEN];
};

struct table {
	u32 nr;			/* [I] */
	struct slot slots[];
};
static struct table *table;	/* [a] replaced under trace_mutex */

static struct slot *slot_of(struct table *t, s32 pid)
{
	return &t->slots[(u32)pid % t->nr];
}

void trace_note_comm(const struct trace_instance *in)
{
	s32 pid = task_tid(current), tgid = 0;
	struct slot *s = slot_of(reclaim_deref(table), pid);
	u32 seq = load_relaxed(&s->seq);

	if (!pid || !trace_option_on(trace_top, TRACE_OPT_RECORD_CMD))
		return;
	if (trace_option_on(in, TRACE_OPT_RECORD_TGID))
		tgid = task_tgid(current);
	if (s->pid == pid && (!tgid || s->tgid == tgid) &&
	    !memcmp(s->comm, current->comm, TASK_COMM_LEN))
		return;
	/* Another CPU is at it: one of the two names is lost, as it would be
	 * a moment later.
	 */
	if (seq & 1 || !try_cmpxchg_acquire(&s->seq, &seq, seq + 1))
		return;
	s->tgid = tgid || s->pid != pid ? tgid : s->tgid;
	s->pid = pid;
	memcpy(s->comm, current->comm, TASK_COMM_LEN);
	store_release(&s->seq, seq + 2);
}

static bool read_slot(const struct slot *s, struct slot *out)
{
	u32 seq = load_acquire(&s->seq);

	*out = *s;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return !(seq & 1) && load_relaxed(&s->seq) == seq;
}

static bool find(s32 pid, struct slot *out)
{
	bool found;

	reclaim_read_lock();
	found = read_slot(slot_of(reclaim_deref(table), pid), out);
	reclaim_read_unlock();
	return found && out->pid == pid;
}

void trace_find_comm(s32 pid, char comm[16])
{
	struct slot slot;

	if (!pid)
		memcpy(comm, "<idle>", sizeof("<idle>"));
	else if (find(pid, &slot))
		memcpy(comm, slot.comm, TASK_COMM_LEN);
	else
		memcpy(comm, "<...>", sizeof("<...>"));
}

s32 trace_find_tgid(s32 pid)
{
	struct slot slot;

	return pid && find(pid, &slot) && slot.tgid ? slot.tgid : -1;
}

/* --- the files ----------------------------------------------------------- */

static int show(struct seq *s, bool tgids)
{
	struct slot slot;
	u32 i;

	mutex_lock(&trace_mutex);
	for (i = 0; i < table->nr; i++) {
		if (!read_slot(&table->slots[i], &slot) || !slot.pid)
			continue;
		if (!tgids)
			seq_printf(s, "%d %.16s\n", slot.pid, slot.comm);
		else if (slot.tgid)
			seq_printf(s, "%d %d\n", slot.pid, slot.tgid);
	}
	mutex_unlock(&trace_mutex);
	return 0;
}

static int cmdlines_show(struct seq *s, void *private)
{
	return show(s, false);
}

static int tgids_show(struct seq *s, void *private)
{
	return show(s, true);
}

static int size_show(struct seq *s, void *private)
{
	mutex_lock(&trace_mutex);
	seq_printf(s, "%u\n", table->nr);
	mutex_unlock(&trace_mutex);
	return 0;
}

/* [trace_mutex] An empty table in place of the old one. */
static int resize(u32 nr)
{
	struct table *old = table, *t;

	t = kzalloc(sizeof(*t) + nr * sizeof(t->slots[0]), GFP_KERNEL);
	if (!t)
		return -ENOMEM;
	t->nr = nr;
	reclaim_assign(table, t);
	if (old) {
		reclaim_sync();
		kfree(old);
	}
	return 0;
}

static ssize_t size_store(const char *text, size_t len, void *private)
{
	u64 nr;
	int err = parse_u64(text, 10, &nr);

	if (err)
		return err;
	if (!nr || nr > SLOTS_MAX)
		return -EINVAL;
	mutex_lock(&trace_mutex);
	err = resize((u32)nr);
	mutex_unlock(&trace_mutex);
	return err ? err : (ssize_t)len;
}

/* [trace_mutex] */
void trace_cmdlines_boot(void)
{
	static const struct pseudo_file files[] = {
		{ .name = "saved_cmdlines", .mode = 0440,
		  .show = cmdlines_show },
		{ .name = "saved_tgids", .mode = 0440, .show = tgids_show },
		{ .name = "saved_cmdlines_size", .mode = 0640,
		  .show = size_show, .store = size_store,
		  .store_empty = true },
	};

	CHECK(!resize(SLOTS_AT_BOOT));
	CHECK(!pseudo_create_all(tracefs_root, files, ARRAY_SIZE(files), NULL));
}
