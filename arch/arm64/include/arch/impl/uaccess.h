/* SPDX-License-Identifier: MIT */
/*
 * User access of arm64; contract in <arch/uaccess.h>.
 *
 * Loads and stores are the unprivileged forms (LDTR, STTR): they have the
 * rights of EL0 with or without PAN, so no window is opened.  Exclusive
 * accesses have no such form; for them cpu/uaccess.S clears PAN around the
 * few instructions.  Each instruction that may fault has an entry
 * {instruction, fix-up} in __ex_table, both relative to their own place.
 */
#ifndef SONDE_ARM64_UACCESS_H
#define SONDE_ARM64_UACCESS_H

#include <lib/compiler.h>
#include <lib/err.h>
#include <lib/types.h>

struct arm64_extable {
	s32 insn;
	s32 fixup;
};

#define ARM64_EXTABLE(from, to)             \
	".pushsection __ex_table, \"aw\"\n" \
	".balign 4\n"                       \
	".long " from " - ., " to " - .\n"  \
	".popsection\n"

size_t arch_copy_from_user(void *to, const void __user *from, size_t n);
size_t arch_copy_to_user(void __user *to, const void *from, size_t n);
size_t arch_clear_user(void __user *to, size_t n);
size_t arch_copy_user_nofault(void *to, const void __user *from, size_t n);
size_t arch_copy_kernel_nofault(void *to, const void *from, size_t n);
long arch_strncpy_from_user(char *to, const char __user *from, size_t n);
int arch_user_cmpxchg32(u32 __user *uaddr, u32 old, u32 val, u32 *seen);
int arch_user_atomic_op32(u32 __user *uaddr, int op, u32 arg, u32 *old);

#define ARM64_USER_LOAD(err, val, addr, insn, w)                         \
	__asm__ __volatile__("1:	" insn " %" w "1, [%2]\n"        \
			     "2:\n"                                      \
			     ".pushsection .text.fixup, \"ax\"\n"        \
			     "3:	mov %w0, %3\n"                   \
			     "	mov %1, #0\n"                            \
			     "	b 2b\n"                                  \
			     ".popsection\n" ARM64_EXTABLE("1b", "3b")   \
			     : "+r"(err), "=&r"(val)                     \
			     : "r"(addr), "i"(-EFAULT)                   \
			     : "memory")

#define ARM64_USER_STORE(err, val, addr, insn, w)                        \
	__asm__ __volatile__("1:	" insn " %" w "1, [%2]\n"        \
			     "2:\n"                                      \
			     ".pushsection .text.fixup, \"ax\"\n"        \
			     "3:	mov %w0, %3\n"                   \
			     "	b 2b\n"                                  \
			     ".popsection\n" ARM64_EXTABLE("1b", "3b")   \
			     : "+r"(err)                                 \
			     : "rZ"(val), "r"(addr), "i"(-EFAULT)        \
			     : "memory")

/* dst is set to zero when the load faults. */
#define arch_get_user(dst, ptr)                                          \
	__extension__({                                                  \
		const __typeof__(*(ptr)) __user *gu_ptr_ = (ptr);        \
		unsigned long gu_val_;                                   \
		int gu_err_ = 0;                                         \
                                                                         \
		_Static_assert(sizeof(*gu_ptr_) <= 8, "user load width"); \
		if (sizeof(*gu_ptr_) == 1)                               \
			ARM64_USER_LOAD(gu_err_, gu_val_, gu_ptr_,       \
					"ldtrb", "w");                   \
		else if (sizeof(*gu_ptr_) == 2)                          \
			ARM64_USER_LOAD(gu_err_, gu_val_, gu_ptr_,       \
					"ldtrh", "w");                   \
		else if (sizeof(*gu_ptr_) == 4)                          \
			ARM64_USER_LOAD(gu_err_, gu_val_, gu_ptr_,       \
					"ldtr", "w");                    \
		else                                                     \
			ARM64_USER_LOAD(gu_err_, gu_val_, gu_ptr_,       \
					"ldtr", "x");                    \
		(dst) = (__force __typeof__(*(ptr)))gu_val_;             \
		gu_err_;                                                 \
	})

#define arch_put_user(val, ptr)                                          \
	__extension__({                                                  \
		__typeof__(*(ptr)) __user *pu_ptr_ = (ptr);              \
		__typeof__(*(ptr)) pu_typed_ = (val);                    \
		unsigned long pu_val_ = (__force unsigned long)pu_typed_; \
		int pu_err_ = 0;                                         \
                                                                         \
		_Static_assert(sizeof(*pu_ptr_) <= 8, "user store width"); \
		if (sizeof(*pu_ptr_) == 1)                               \
			ARM64_USER_STORE(pu_err_, pu_val_, pu_ptr_,      \
					 "sttrb", "w");                  \
		else if (sizeof(*pu_ptr_) == 2)                          \
			ARM64_USER_STORE(pu_err_, pu_val_, pu_ptr_,      \
					 "sttrh", "w");                  \
		else if (sizeof(*pu_ptr_) == 4)                          \
			ARM64_USER_STORE(pu_err_, pu_val_, pu_ptr_,      \
					 "sttr", "w");                   \
		else                                                     \
			ARM64_USER_STORE(pu_err_, pu_val_, pu_ptr_,      \
					 "sttr", "x");                   \
		pu_err_;                                                 \
	})

#endif /* SONDE_ARM64_UACCESS_H */
