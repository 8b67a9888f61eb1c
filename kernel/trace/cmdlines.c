/* SPDX-License-Identifier: MIT */
/*
 * saved_cmdlines: names of the threads that are in the trace buffer, kept
 * beyond their end.
 *
 * One slot for each number modulo the table; the newest wins.  Written by
 * whoever emits, with everything masked; a slot's sequence count lets readers
 * notice a change under their eyes.
 */
#include "tracefs.h"

#include <kernel/task.h>
#include <lib/atomic.h>
#include <lib/string.h>

#define SLOTS 1024u

static struct slot {
	u32 seq;		/* [a] odd while it is written */
	s32 pid;
	char comm[TASK_COMM_LEN];
} slots[SLOTS];

void trace_note_comm(void)
{
	s32 pid = task_tid(current);
	struct slot *s = &slots[(u32)pid % SLOTS];
	u32 seq = load_relaxed(&s->seq);

	if (!pid || (s->pid == pid && !memcmp(s->comm, current->comm,
					      TASK_COMM_LEN)))
		return;
	/* Another CPU is at it: one of the two names is lost, as it would be
	 * a moment later.
	 */
	if (seq & 1 || !try_cmpxchg_acquire(&s->seq, &seq, seq + 1))
		return;
	s->pid = pid;
	memcpy(s->comm, current->comm, TASK_COMM_LEN);
	store_release(&s->seq, seq + 2);
}

static bool read_slot(const struct slot *s, s32 *pid, char comm[16])
{
	u32 seq = load_acquire(&s->seq);

	*pid = READ_ONCE(s->pid);
	memcpy(comm, s->comm, TASK_COMM_LEN);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return !(seq & 1) && load_relaxed(&s->seq) == seq;
}

void trace_find_comm(s32 pid, char comm[16])
{
	s32 found;

	if (!pid) {
		memcpy(comm, "<idle>", sizeof("<idle>"));
		return;
	}
	if (!read_slot(&slots[(u32)pid % SLOTS], &found, comm) || found != pid)
		memcpy(comm, "<...>", sizeof("<...>"));
}

int trace_cmdlines_show(struct seq *s, void *private)
{
	char comm[TASK_COMM_LEN];
	s32 pid;
	u32 i;

	for (i = 0; i < SLOTS; i++)
		if (read_slot(&slots[i], &pid, comm) && pid)
			seq_printf(s, "%d %.16s\n", pid, comm);
	return 0;
}
