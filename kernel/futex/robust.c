/* SPDX-License-Identifier: MIT */
/*
 * Robust lists: what a thread that dies still holds is marked as such.
 *
 * The list lies in user memory and is not trusted: at most ROBUST_LIST_LIMIT
 * entries, every access may fail, and a failure ends the walk.  Runs in the
 * dying thread (or at exec) while its address space is still there.
 */
#include <kernel/cred.h>
#include <kernel/pid.h>
#include <kernel/syscall.h>
#include <lib/err.h>

#include "internal.h"

/* The word at uaddr was held by t, or was about to be (pending). */
static int robust_word(u32 __user *uaddr, struct task *t, bool pi, bool pending)
{
	u32 val, seen, tid = (u32)task_tid(t);
	int ret;

	if (user_addr(uaddr) % sizeof(u32))
		return -EINVAL;
	for (;;) {
		if (get_user(val, uaddr))
			return -EFAULT;
		/* Unlocked in user space, but died before its wake. */
		if (pending && !pi && !val) {
			futex_wake_flags(uaddr, FUTEX_SHARED, 1,
					 FUTEX_BITSET_MATCH_ANY);
			return 0;
		}
		if ((val & FUTEX_TID_MASK) != tid)
			return 0;
		if (pi && READ_ONCE(t->pi_waiters) &&
		    futex_exit_pi_word(uaddr, t))
			return 0;
		if (!access_ok(uaddr, sizeof(u32)))
			return -EFAULT;
		ret = arch_user_cmpxchg32(uaddr, val,
					  (val & FUTEX_WAITERS) |
						  FUTEX_OWNER_DIED,
					  &seen);
		if (ret)
			return ret;
		if (seen == val)
			break;
	}
	if (!pi && (val & FUTEX_WAITERS))
		futex_wake_flags(uaddr, FUTEX_SHARED, 1,
				 FUTEX_BITSET_MATCH_ANY);
	return 0;
}

static void robust_walk(struct task *t)
{
	struct robust_list_head head;
	u64 start = user_addr(t->robust_list);
	u64 entry, next = 0, pending;
	u32 left = ROBUST_LIST_LIMIT;
	bool pi, next_pi;
	int ret;

	if (copy_from_user(&head, t->robust_list, sizeof(head)))
		return;
	pending = head.list_op_pending & ~1ull;
	entry = head.next & ~1ull;
	pi = head.next & 1;
	while (entry != start && left--) {
		/* Read on first: the entry may be gone once it is woken. */
		ret = get_user(next, (u64 __user *)user_ptr(entry));
		next_pi = next & 1;
		if (entry != pending &&
		    robust_word(user_ptr(entry + (u64)head.futex_offset), t,
				pi, false))
			return;
		if (ret)
			return;
		entry = next & ~1ull;
		pi = next_pi;
	}
	if (pending)
		robust_word(user_ptr(pending + (u64)head.futex_offset), t,
			    head.list_op_pending & 1, true);
}

void futex_exit_robust(struct task *t)
{
	if (t->robust_list) {
		robust_walk(t);
		t->robust_list = NULL;
	}
	if (READ_ONCE(t->pi_waiters))
		futex_exit_pi(t);
}

SYSCALL2(set_robust_list, struct robust_list_head __user *, head, size_t, len)
{
	if (len != sizeof(struct robust_list_head))
		return -EINVAL;
	current->robust_list = head;
	current->robust_len = len;
	return 0;
}

SYSCALL3(get_robust_list, s32, pid, u64 __user *, head, u64 __user *, len)
{
	struct task *t = pid ? task_find_get(pid) : task_get(current);
	u64 addr;
	int ret;

	if (!t)
		return -ESRCH;
	ret = ptrace_may_access(t, false, true);
	addr = user_addr(t->robust_list);
	task_put(t);
	if (ret)
		return -EPERM;
	if (put_user((u64)sizeof(struct robust_list_head), len))
		return -EFAULT;
	return put_user(addr, head);
}
