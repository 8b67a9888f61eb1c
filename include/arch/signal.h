/* SPDX-License-Identifier: MIT */
/* Signal frames.  Layout: Linux's struct rt_sigframe of the architecture. */
#ifndef SONDE_ARCH_SIGNAL_H
#define SONDE_ARCH_SIGNAL_H

#include <lib/types.h>

struct pt_regs;
struct ksignal;
struct sigset;

/*
 * Write the frame for ksig on the user's (alternate) stack, saving blocked as
 * the mask to restore, and aim regs at the handler.  0, or -EFAULT: the caller
 * forces SIGSEGV.  Task context, exit-to-user path, no locks.
 */
int arch_signal_setup(struct ksignal *ksig, const struct sigset *blocked,
		      struct pt_regs *regs);

/*
 * rt_sigreturn(2): restore registers, FP, mask and alternate stack from the
 * frame.  Returns the value for the restored return register; a bad frame
 * forces SIGSEGV.
 */
long arch_sigreturn(struct pt_regs *regs);

#endif /* SONDE_ARCH_SIGNAL_H */
