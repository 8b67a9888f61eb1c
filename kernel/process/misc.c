/* SPDX-License-Identifier: MIT */
/*
 * Small calls about the process: personality, I/O priority, kcmp, vhangup;
 * and calls whose feature is absent but whose answer is not plain ENOSYS.
 */
#include <kernel/file.h>
#include <kernel/fs.h>
#include <kernel/mm.h>
#include <kernel/pid.h>
#include <kernel/syscall.h>
#include <kernel/tty.h>
#include <kernel/uaccess.h>
#include <lib/err.h>

#include "internal.h"

#define IOPRIO_WHO_PROCESS 1
#define IOPRIO_WHO_PGRP	   2
#define IOPRIO_WHO_USER	   3
#define IOPRIO_CLASS_SHIFT 13
#define IOPRIO_CLASS_NONE  0
#define IOPRIO_CLASS_RT	   1
#define IOPRIO_CLASS_BE	   2
#define IOPRIO_CLASS_IDLE  3
#define IOPRIO_LEVELS	   8
#define IOPRIO_BE_NORM	   ((IOPRIO_CLASS_BE << IOPRIO_CLASS_SHIFT) | 4)

enum kcmp_type {
	KCMP_FILE,
	KCMP_VM,
	KCMP_FILES,
	KCMP_FS,
	KCMP_SIGHAND,
	KCMP_IO,
	KCMP_SYSVSEM,
};

SYSCALL1(personality, u32, persona)
{
	u32 old = current->personality;

	if (persona != ~0u)
		current->personality = persona;
	return old;
}

static int check_ioprio(int prio)
{
	u32 class = (u32)prio >> IOPRIO_CLASS_SHIFT;
	u32 level = (u32)prio & ((1u << IOPRIO_CLASS_SHIFT) - 1);

	switch (class) {
	case IOPRIO_CLASS_RT:
		if (!capable(CAP_SYS_NICE) && !capable(CAP_SYS_ADMIN))
			return -EPERM;
		return level < IOPRIO_LEVELS ? 0 : -EINVAL;
	case IOPRIO_CLASS_BE:
		return level < IOPRIO_LEVELS ? 0 : -EINVAL;
	case IOPRIO_CLASS_IDLE:
		return 0;
	case IOPRIO_CLASS_NONE:
		return level ? -EINVAL : 0;
	}
	return -EINVAL;
}

/* Only single threads: there is no I/O scheduler that would look. */
static struct task *ioprio_target(int which, s32 who, int *err)
{
	struct task *t;

	*err = -EINVAL;
	if (which < IOPRIO_WHO_PROCESS || which > IOPRIO_WHO_USER)
		return NULL;
	*err = -ESRCH;
	if (which != IOPRIO_WHO_PROCESS)
		return who ? NULL : task_get(current);
	t = who ? task_find_get(who) : task_get(current);
	return t;
}

static bool same_user(struct task *t)
{
	const struct cred *c = task_cred_get(t);
	bool same = c->uid == current->cred->euid ||
		    c->uid == current->cred->uid;

	cred_put(c);
	return same || capable(CAP_SYS_NICE);
}

SYSCALL3(ioprio_set, int, which, s32, who, int, prio)
{
	int err = check_ioprio(prio);
	struct task *t;

	if (err)
		return err;
	t = ioprio_target(which, who, &err);
	if (!t)
		return err;
	err = same_user(t) ? 0 : -EPERM;
	if (!err)
		WRITE_ONCE(t->ioprio, (u16)prio);
	task_put(t);
	return err;
}

SYSCALL2(ioprio_get, int, which, s32, who)
{
	struct task *t;
	int ret;

	t = ioprio_target(which, who, &ret);
	if (!t)
		return ret;
	ret = READ_ONCE(t->ioprio);
	if (!(ret >> IOPRIO_CLASS_SHIFT))
		ret = IOPRIO_BE_NORM;
	task_put(t);
	return ret;
}

/* 0 equal, 1 less, 2 greater; the order means nothing. */
static long compare(const void *a, const void *b)
{
	return a == b ? 0 : (uintptr_t)a < (uintptr_t)b ? 1 : 2;
}

static long compare_files(struct task *a, struct task *b, u64 fd1, u64 fd2)
{
	struct file *f1 = task_file_get(a, (u32)fd1);
	struct file *f2 = task_file_get(b, (u32)fd2);
	long ret = f1 && f2 ? compare(f1, f2) : -EBADF;

	if (f1)
		file_put(f1);
	if (f2)
		file_put(f2);
	return ret;
}

static long compare_tasks(struct task *a, struct task *b, int type, u64 idx1,
			  u64 idx2)
{
	switch (type) {
	case KCMP_FILE:
		return compare_files(a, b, idx1, idx2);
	case KCMP_VM:
		return compare(READ_ONCE(a->mm), READ_ONCE(b->mm));
	case KCMP_FILES:
		return compare(READ_ONCE(a->files), READ_ONCE(b->files));
	case KCMP_FS:
		return compare(READ_ONCE(a->fs), READ_ONCE(b->fs));
	case KCMP_SIGHAND:
		return compare(a->proc->sighand, b->proc->sighand);
	case KCMP_IO:
		return 0;
	case KCMP_SYSVSEM:
		return 0;
	}
	return -EINVAL;
}

SYSCALL5(kcmp, s32, pid1, s32, pid2, int, type, u64, idx1, u64, idx2)
{
	struct task *a = task_find_get(pid1), *b = task_find_get(pid2);
	long ret = -ESRCH;

	if (!a || !b)
		goto put;
	ret = -EPERM;
	if (ptrace_may_access(a, false, true) ||
	    ptrace_may_access(b, false, true))
		goto put;
	ret = compare_tasks(a, b, type, idx1, idx2);
put:
	if (a)
		task_put(a);
	if (b)
		task_put(b);
	return ret;
}

SYSCALL0(vhangup)
{
	if (!capable(CAP_SYS_TTY_CONFIG))
		return -EPERM;
	tty_hangup_current();
	return 0;
}

/* There is no filter machine: what could be asked for is unknown. */
SYSCALL3(seccomp, u32, op, u32, flags, void __user *, args)
{
	return -EINVAL;
}
