/* SPDX-License-Identifier: MIT */
/*
 * The system-call numbering of this architecture.  <arch/impl/syscall_nr.h>
 * is a list of SYSCALL_NR(number, name) lines, included where a table is
 * built; ARCH_NR_SYSCALLS bounds it (in <arch/impl/syscall.h>).
 *
 * Entry assembly calls syscall_dispatch(regs) (kernel/syscall/dispatch.c) with
 * ordinary interrupts on and, whenever a frame returns to user mode with
 * work pending in thread_info.flags, exit_to_user_work(regs).
 */
#ifndef SONDE_ARCH_SYSCALL_H
#define SONDE_ARCH_SYSCALL_H

#include <arch/impl/syscall.h>

#endif /* SONDE_ARCH_SYSCALL_H */
