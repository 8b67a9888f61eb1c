/* SPDX-License-Identifier: MIT */
/*
 * Defining a system call:
 *
 *	SYSCALL3(read, int, fd, void __user *, buf, size_t, count)
 *	{
 *		...
 *	}
 *
 * makes `long sys_read(struct pt_regs *)`, which takes the arguments from the
 * frame, and syscall_meta_read, a record of name, argument names and types (the
 * system-call tracepoints are made from it).  The number comes from the
 * architecture's <arch/impl/syscall_nr.h>; a number without a call answers
 * -ENOSYS and is logged once.
 *
 * Bodies run in task context with interrupts on and return a value or a
 * negative errno.
 */
#ifndef SONDE_KERNEL_SYSCALL_H
#define SONDE_KERNEL_SYSCALL_H

#include <arch/regs.h>
#include <lib/compiler.h>
#include <lib/err.h>
#include <lib/types.h>

typedef long syscall_fn(struct pt_regs *regs);

struct syscall_meta {
	const char *name;
	u32 nr_args;
	const char *const *types;
	const char *const *names;
};

/* [entry assembly] ordinary interrupts on. */
void syscall_dispatch(struct pt_regs *regs);
/* [entry assembly] flags has TIF_WORK_MASK bits; interrupts masked at call
 * and at return. */
void exit_to_user_work(struct pt_regs *regs);
/* The name of a system call, NULL when the number has none. */
const char *syscall_name(long nr);

/* Cast without a warning whatever the argument type is. */
#define SYSCALL_ARG_(regs, n, type) \
	((type)(unsigned long)regs_syscall_arg(regs, n))

#define SYSCALL_META_(name, n, types_, names_)                        \
	extern const struct syscall_meta syscall_meta_##name;         \
	const struct syscall_meta syscall_meta_##name = {             \
		#name, n, types_, names_                              \
	};

#define SYSCALL0(name)                                            \
	long sys_##name(struct pt_regs *regs);                    \
	static long do_##name(struct pt_regs *regs);              \
	SYSCALL_META_(name, 0, NULL, NULL)                        \
	long sys_##name(struct pt_regs *regs)                     \
	{                                                         \
		return do_##name(regs);                           \
	}                                                         \
	static long do_##name(struct pt_regs *regs __unused)

#define SYSCALL_DEF_(name, n, types_, names_, call, proto)                    \
	long sys_##name(struct pt_regs *regs);                                \
	static long do_##name proto;                                          \
	static const char *const syscall_types_##name[] = {                   \
		SYSCALL_UNP_ types_                                           \
	};                                                                    \
	static const char *const syscall_names_##name[] = {                   \
		SYSCALL_UNP_ names_                                           \
	};                                                                    \
	SYSCALL_META_(name, n, syscall_types_##name, syscall_names_##name)    \
	long sys_##name(struct pt_regs *regs)                                 \
	{                                                                     \
		return do_##name call;                                        \
	}                                                                     \
	static long do_##name proto
#define SYSCALL_UNP_(...) __VA_ARGS__

#define SYSCALL1(name, t0, a0)                                        \
	SYSCALL_DEF_(name, 1, (#t0), (#a0), (SYSCALL_ARG_(regs, 0, t0)), \
		     (t0 a0))
#define SYSCALL2(name, t0, a0, t1, a1)                                   \
	SYSCALL_DEF_(name, 2, (#t0, #t1), (#a0, #a1),                    \
		     (SYSCALL_ARG_(regs, 0, t0), SYSCALL_ARG_(regs, 1, t1)), \
		     (t0 a0, t1 a1))
#define SYSCALL3(name, t0, a0, t1, a1, t2, a2)                           \
	SYSCALL_DEF_(name, 3, (#t0, #t1, #t2), (#a0, #a1, #a2),          \
		     (SYSCALL_ARG_(regs, 0, t0), SYSCALL_ARG_(regs, 1, t1), \
		      SYSCALL_ARG_(regs, 2, t2)),                        \
		     (t0 a0, t1 a1, t2 a2))
#define SYSCALL4(name, t0, a0, t1, a1, t2, a2, t3, a3)                    \
	SYSCALL_DEF_(name, 4, (#t0, #t1, #t2, #t3), (#a0, #a1, #a2, #a3), \
		     (SYSCALL_ARG_(regs, 0, t0), SYSCALL_ARG_(regs, 1, t1), \
		      SYSCALL_ARG_(regs, 2, t2), SYSCALL_ARG_(regs, 3, t3)), \
		     (t0 a0, t1 a1, t2 a2, t3 a3))
#define SYSCALL5(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4)            \
	SYSCALL_DEF_(name, 5, (#t0, #t1, #t2, #t3, #t4),                  \
		     (#a0, #a1, #a2, #a3, #a4),                           \
		     (SYSCALL_ARG_(regs, 0, t0), SYSCALL_ARG_(regs, 1, t1), \
		      SYSCALL_ARG_(regs, 2, t2), SYSCALL_ARG_(regs, 3, t3), \
		      SYSCALL_ARG_(regs, 4, t4)),                         \
		     (t0 a0, t1 a1, t2 a2, t3 a3, t4 a4))
#define SYSCALL6(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5)    \
	SYSCALL_DEF_(name, 6, (#t0, #t1, #t2, #t3, #t4, #t5),             \
		     (#a0, #a1, #a2, #a3, #a4, #a5),                      \
		     (SYSCALL_ARG_(regs, 0, t0), SYSCALL_ARG_(regs, 1, t1), \
		      SYSCALL_ARG_(regs, 2, t2), SYSCALL_ARG_(regs, 3, t3), \
		      SYSCALL_ARG_(regs, 4, t4), SYSCALL_ARG_(regs, 5, t5)), \
		     (t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5))

#endif /* SONDE_KERNEL_SYSCALL_H */
