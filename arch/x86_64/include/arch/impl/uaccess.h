/* SPDX-License-Identifier: MIT */
/*
 * User access of x86_64; contract in <arch/uaccess.h>.
 *
 * With SMAP a user access stands between STAC and CLAC; a CPU without it has
 * neither instruction, so x86_smap says.  Each instruction that may fault has
 * an entry {instruction, fix-up} in __ex_table, relative to its own place.
 */
#ifndef SONDE_X86_UACCESS_H
#define SONDE_X86_UACCESS_H

#include <lib/compiler.h>
#include <lib/err.h>
#include <lib/types.h>

extern bool x86_smap;	/* [I] after boot */

size_t arch_copy_from_user(void *to, const void __user *from, size_t n);
size_t arch_copy_to_user(void __user *to, const void *from, size_t n);
size_t arch_clear_user(void __user *to, size_t n);
size_t arch_copy_user_nofault(void *to, const void __user *from, size_t n);
size_t arch_copy_kernel_nofault(void *to, const void *from, size_t n);
long arch_strncpy_from_user(char *to, const char __user *from, size_t n);
int arch_user_cmpxchg32(u32 __user *uaddr, u32 old, u32 val, u32 *seen);
int arch_user_atomic_op32(u32 __user *uaddr, int op, u32 arg, u32 *old);

static __always_inline void x86_user_open(void)
{
	if (x86_smap)
		__asm__ __volatile__("stac" ::: "memory", "cc");
}

static __always_inline void x86_user_close(void)
{
	if (x86_smap)
		__asm__ __volatile__("clac" ::: "memory", "cc");
}

#define X86_EXTABLE(from, to)               \
	".pushsection __ex_table, \"aw\"\n" \
	".balign 4\n"                       \
	".long " from " - ., " to " - .\n"  \
	".popsection\n"

#define X86_USER_LOAD(err, val, addr, insn, reg)                         \
	__asm__ __volatile__("1:	" insn " (%2), %" reg "1\n"      \
			     "2:\n"                                      \
			     ".pushsection .text.fixup, \"ax\"\n"        \
			     "3:	movl %3, %0\n"                   \
			     "	xorl %k1, %k1\n"                         \
			     "	jmp 2b\n"                                \
			     ".popsection\n" X86_EXTABLE("1b", "3b")     \
			     : "+r"(err), "=&q"(val)                     \
			     : "r"(addr), "i"(-EFAULT)                   \
			     : "memory", "cc")

#define X86_USER_STORE(err, val, addr, insn, reg)                        \
	__asm__ __volatile__("1:	" insn " %" reg "1, (%2)\n"      \
			     "2:\n"                                      \
			     ".pushsection .text.fixup, \"ax\"\n"        \
			     "3:	movl %3, %0\n"                   \
			     "	jmp 2b\n"                                \
			     ".popsection\n" X86_EXTABLE("1b", "3b")     \
			     : "+r"(err)                                 \
			     : "q"(val), "r"(addr), "i"(-EFAULT)         \
			     : "memory")

/* dst is set to zero when the load faults. */
#define arch_get_user(dst, ptr)                                          \
	__extension__({                                                  \
		const __typeof__(*(ptr)) __user *gu_ptr_ = (ptr);        \
		unsigned long gu_val_;                                   \
		int gu_err_ = 0;                                         \
                                                                         \
		_Static_assert(sizeof(*gu_ptr_) <= 8, "user load width"); \
		x86_user_open();                                         \
		if (sizeof(*gu_ptr_) == 1)                               \
			X86_USER_LOAD(gu_err_, gu_val_, gu_ptr_,         \
				      "movzbl", "k");                    \
		else if (sizeof(*gu_ptr_) == 2)                          \
			X86_USER_LOAD(gu_err_, gu_val_, gu_ptr_,         \
				      "movzwl", "k");                    \
		else if (sizeof(*gu_ptr_) == 4)                          \
			X86_USER_LOAD(gu_err_, gu_val_, gu_ptr_,         \
				      "movl", "k");                      \
		else                                                     \
			X86_USER_LOAD(gu_err_, gu_val_, gu_ptr_,         \
				      "movq", "q");                      \
		x86_user_close();                                        \
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
		x86_user_open();                                         \
		if (sizeof(*pu_ptr_) == 1)                               \
			X86_USER_STORE(pu_err_, pu_val_, pu_ptr_,        \
				       "movb", "b");                     \
		else if (sizeof(*pu_ptr_) == 2)                          \
			X86_USER_STORE(pu_err_, pu_val_, pu_ptr_,        \
				       "movw", "w");                     \
		else if (sizeof(*pu_ptr_) == 4)                          \
			X86_USER_STORE(pu_err_, pu_val_, pu_ptr_,        \
				       "movl", "k");                     \
		else                                                     \
			X86_USER_STORE(pu_err_, pu_val_, pu_ptr_,        \
				       "movq", "q");                     \
		x86_user_close();                                        \
		pu_err_;                                                 \
	})

#endif /* SONDE_X86_UACCESS_H */
