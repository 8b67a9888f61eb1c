/* SPDX-License-Identifier: MIT */
/*
 * Instructions of arm64 that text patching writes, and the static branch;
 * contract in <arch/text.h>.  A site is a NOP that becomes a B to the label;
 * both may be exchanged while other CPUs execute them (Arm ARM B2.2.5).
 */
#ifndef SONDE_ARM64_TEXT_H
#define SONDE_ARM64_TEXT_H

#include <lib/compiler.h>
#include <lib/types.h>

#define ARCH_INSN_SIZE 4

struct static_key;

static inline u32 arch_insn_nop(void)
{
	return 0xd503201fu;
}

/* B; from and to are within 128 MiB, as all of the image is. */
static inline u32 arch_insn_branch(u64 from, u64 to)
{
	return 0x14000000u | (u32)((to - from) >> 2 & 0x3ffffff);
}

/* The layout of the entry is struct static_key_site. */
static __always_inline bool arch_static_branch(struct static_key *key)
{
	__asm__ goto("1:	nop\n"
		     "	.pushsection __static_keys, \"aw\"\n"
		     "	.balign	8\n"
		     "	.long	1b - ., %l[taken] - .\n"
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

#endif /* SONDE_ARM64_TEXT_H */
