/* SPDX-License-Identifier: MIT */
/*
 * Instructions of x86_64 that text patching writes, and the static branch;
 * contract in <arch/text.h>.
 *
 * A site is one aligned word, so that a single store exchanges it: a NOP of
 * four bytes, or a short jump and a NOP of two.  The short jump goes to a jump
 * to the label that stands next to the site, skipped when the site is a NOP.
 */
#ifndef SONDE_X86_TEXT_H
#define SONDE_X86_TEXT_H

#include <lib/compiler.h>
#include <lib/types.h>

#define ARCH_INSN_SIZE 4

struct static_key;

/* 0f 1f 40 00 */
static inline u32 arch_insn_nop(void)
{
	return 0x00401f0fu;
}

/* eb rel8, then 66 90; callers pass targets within 127 bytes. */
static inline u32 arch_insn_branch(u64 from, u64 to)
{
	return 0x90660000u | (u32)((to - from - 2) & 0xff) << 8 | 0xebu;
}

static __always_inline bool arch_static_branch(struct static_key *key)
{
	__asm__ goto("	.balign	4\n"
		     "1:	.byte	0x0f, 0x1f, 0x40, 0x00\n"
		     "	jmp	3f\n"
		     "2:	jmp	%l[taken]\n"
		     "3:\n"
		     "	.pushsection __static_keys, \"aw\"\n"
		     "	.balign	8\n"
		     "	.long	1b - ., 2b - .\n"
		     "	.quad	%c0 - .\n"
		     "	.popsection\n"
		     :
		     : "i"(key)
		     :
		     : taken);
	return false;
taken:
	return true;
}

#endif /* SONDE_X86_TEXT_H */
