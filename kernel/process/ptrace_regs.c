/* SPDX-License-Identifier: MIT */
/*
 * What a tracer reads and writes of a stopped thread: memory words, register
 * sets, signal information, the system call it is in.
 *
 * The thread is in a ptrace stop of current, and stays there: the caller
 * checked, and only current could let it go.
 */
#include <arch/ptrace.h>
#include <arch/regs.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/ptrace.h>
#include <kernel/uaccess.h>
#include <kernel/uio.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/ptrace.h>

#include "../signal/internal.h"
#include "ptrace.h"

static size_t access_word(struct task *t, u64 addr, u64 *word, bool write)
{
	struct mm *mm = task_mm_get(t);
	size_t n = 0;

	if (mm) {
		n = mm_access(mm, addr, word, sizeof(*word), write);
		mm_put(mm);
	}
	return n;
}

int ptrace_peek(struct task *t, u64 addr, u64 data)
{
	u64 __user *to = (u64 __user *)user_ptr(data);
	u64 word;

	if (access_word(t, addr, &word, false) != sizeof(word))
		return -EIO;
	return put_user(word, to);
}

int ptrace_poke(struct task *t, u64 addr, u64 data)
{
	return access_word(t, addr, &data, true) == sizeof(data) ? 0 : -EIO;
}

/* data: a user iovec, whose length is updated. */
int ptrace_regset(struct task *t, u32 note, u64 data, bool write)
{
	struct iovec __user *uiov = (struct iovec __user *)user_ptr(data);
	struct iovec iov;
	void *buf;
	long size;
	int err;

	if (copy_from_user(&iov, uiov, sizeof(iov)))
		return -EFAULT;
	buf = kzalloc(ARCH_REGSET_MAX, GFP_KERNEL);
	if (!buf)
		return -ENOMEM;
	size = arch_regset_get(t, note, buf);
	err = size < 0 ? (int)size : 0;
	if (!err && iov.len % 4)
		err = -EINVAL;
	if (err)
		goto free_buf;
	iov.len = min_t(u64, iov.len, (u64)size);
	if (!write)
		err = copy_to_user(iov.base, buf, iov.len);
	else if (copy_from_user(buf, iov.base, iov.len))
		err = -EFAULT;
	else
		err = arch_regset_set(t, note, buf, iov.len);
	if (!err)
		err = copy_to_user(uiov, &iov, sizeof(iov));
free_buf:
	kfree(buf);
	return err;
}

int ptrace_get_info(struct task *t, u64 data)
{
	struct siginfo info;
	bool have;

	spin_lock_irq(&t->proc->siglock);
	have = t->ptrace_info;
	if (have)
		info = *t->ptrace_info;
	spin_unlock_irq(&t->proc->siglock);
	if (!have)
		return -EINVAL;
	return copy_to_user(user_ptr(data), &info, sizeof(info));
}

int ptrace_set_info(struct task *t, u64 data)
{
	struct siginfo info;
	int err = -EINVAL;

	if (copy_from_user(&info, user_ptr(data), sizeof(info)))
		return -EFAULT;
	spin_lock_irq(&t->proc->siglock);
	if (t->ptrace_info) {
		*t->ptrace_info = info;
		err = 0;
	}
	spin_unlock_irq(&t->proc->siglock);
	return err;
}

int ptrace_sigmask(struct task *t, u64 size, u64 data, bool write)
{
	struct sigset set = t->blocked;

	if (size != sizeof(set))
		return -EINVAL;
	if (!write)
		return copy_to_user(user_ptr(data), &set, sizeof(set));
	if (copy_from_user(&set, user_ptr(data), sizeof(set)))
		return -EFAULT;
	spin_lock_irq(&t->proc->siglock);
	t->blocked.bits = set.bits & ~SIGS_KERNEL_ONLY;
	signal_recalc(t);
	spin_unlock_irq(&t->proc->siglock);
	return 0;
}

/* addr: bytes of the buffer; returns the bytes there would be. */
long ptrace_syscall_info(struct task *t, u64 addr, u64 data)
{
	struct pt_regs *regs = task_pt_regs(t);
	struct ptrace_syscall_info info;
	size_t size = OFFSET_OF(struct ptrace_syscall_info, entry);

	memset(&info, 0, sizeof(info));
	info.arch = arch_audit_arch();
	info.instruction_pointer = regs_ip(regs);
	info.stack_pointer = regs_sp(regs);
	if (t->ptrace_stop == PTRACE_STOP_SYSCALL &&
	    t->ptrace_message == PTRACE_EVENTMSG_SYSCALL_ENTRY) {
		info.op = PTRACE_SYSCALL_INFO_ENTRY;
		info.entry.nr = (u64)regs_syscall_nr(regs);
		for (u32 i = 0; i < 6; i++)
			info.entry.args[i] = regs_syscall_arg(regs, i);
		size = OFFSET_END(struct ptrace_syscall_info, entry);
	} else if (t->ptrace_stop == PTRACE_STOP_SYSCALL) {
		info.op = PTRACE_SYSCALL_INFO_EXIT;
		info.exit.rval = (s64)regs_return_value(regs);
		info.exit.is_error =
			IS_ERR_VALUE((unsigned long)info.exit.rval);
		size = OFFSET_END(struct ptrace_syscall_info, exit.is_error);
	}
	if (copy_to_user(user_ptr(data), &info, min_t(u64, size, addr)))
		return -EFAULT;
	return (long)size;
}
