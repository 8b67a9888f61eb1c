/* SPDX-License-Identifier: MIT */
/*
 * Access to user memory with fault fix-up.  <arch/impl/uaccess.h> supplies,
 * range already checked by <kernel/uaccess.h>, PAN opened and closed inside:
 *
 *   size_t arch_copy_from_user(void *to, const void __user *from, size_t n)
 *   size_t arch_copy_to_user(void __user *to, const void *from, size_t n)
 *   size_t arch_clear_user(void __user *to, size_t n)
 *          each returns the bytes NOT done; may sleep in the fault
 *   size_t arch_copy_user_nofault(void *to, const void __user *from, size_t n)
 *          bytes not done; a fault is never served; any context
 *   long   arch_strncpy_from_user(char *to, const char __user *from, size_t n)
 *          length without the NUL, n when none was found, -EFAULT
 *   int    arch_user_cmpxchg32(u32 __user *, u32 old, u32 new, u32 *seen)
 *   int    arch_user_atomic_op32(u32 __user *, int op, u32 arg, u32 *old)
 *          op: FUTEX_OP_SET/ADD/OR/ANDN/XOR; 0 or -EFAULT
 *   arch_get_user(dst, ptr) / arch_put_user(val, ptr): 1,2,4,8 bytes; 0/-EFAULT
 *
 * and, for kernel addresses that may be bad (any context, never served):
 *   size_t arch_copy_kernel_nofault(void *to, const void *from, size_t n)
 */
#ifndef SONDE_ARCH_UACCESS_H
#define SONDE_ARCH_UACCESS_H

#include <lib/types.h>

#include <arch/impl/uaccess.h>

/*
 * Called by the kernel-mode fault path: redirect regs to the fix-up of the
 * faulting instruction.  False: not a user-access instruction, a real bug.
 */
struct pt_regs;
bool arch_fixup_exception(struct pt_regs *regs);

#endif /* SONDE_ARCH_UACCESS_H */
