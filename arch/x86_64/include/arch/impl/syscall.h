/* SPDX-License-Identifier: MIT */
/*
 * Bound of the system-call table of x86_64; contract in <arch/syscall.h>.
 */
#ifndef SONDE_X86_SYSCALL_H
#define SONDE_X86_SYSCALL_H

#define ARCH_NR_SYSCALLS 451

#endif /* SONDE_X86_SYSCALL_H */
