/* SPDX-License-Identifier: MIT */
/*
 * What Linux's events call a system call and its arguments, where that differs
 * from the call table here.
 */
#ifndef SONDE_TRACE_SYSCALL_ABI_H
#define SONDE_TRACE_SYSCALL_ABI_H

#include <lib/types.h>

struct trace_abi_call {
	const char *name;		/* of ours */
	const char *shown;		/* of Linux's event */
	u32 nr_args;
	const char *const *args;	/* type, name, ..; NULL: ours */
};

/* By name, so that they can be searched. */
extern const struct trace_abi_call trace_abi_calls[];
extern const u32 trace_abi_nr;

#endif /* SONDE_TRACE_SYSCALL_ABI_H */
