/* SPDX-License-Identifier: MIT */
/*
 * The register frame saved at entry from user mode or from an exception in
 * the kernel.  <arch/impl/regs.h> defines struct pt_regs (the layout that
 * entry assembly writes, a frame record included so that unwinding crosses
 * it) and the inlines below.
 *
 *   u64  regs_ip(r) / regs_sp(r) / regs_fp(r)
 *   void regs_set_ip(r, v) / regs_set_sp(r, v)
 *   bool regs_user_mode(r)             did the frame interrupt user mode?
 *   bool regs_irqs_disabled(r)         were ordinary interrupts masked there?
 *   u64  regs_return_value(r) / void regs_set_return(r, long)
 *   long regs_syscall_nr(r)            -1 when the frame is no system call
 *   u64  regs_syscall_arg(r, n)        n in 0..5, the original arguments
 *   void regs_forget_syscall(r)        the frame is a system call no more
 *   void regs_restart_syscall(r)       back to the call instruction with the
 *                                      original first argument restored
 *   void regs_restart_with(r, nr)      the same, but entering call number nr
 *                                      (restart_syscall)
 *   struct pt_regs *task_pt_regs(t)    user frame at the top of t's stack
 *   void arch_regs_here(r)             the registers as they are now, for
 *                                      reports: no frame to go back to
 */
#ifndef SONDE_ARCH_REGS_H
#define SONDE_ARCH_REGS_H

#include <lib/types.h>

struct pt_regs;
struct task;

#include <arch/impl/regs.h>

#endif /* SONDE_ARCH_REGS_H */
