/* SPDX-License-Identifier: MIT */
/*
 * The effect of A64 instructions that depend on where they stand: branches,
 * addresses, literal loads; contract in <arch/probes.h>.
 *
 * Changes only the frame, and for a literal of the SIMD registers the live
 * ones.  Any context; not to be probed, since a probe uses it.
 */
#include <arch/probes.h>
#include <arch/regs.h>
#include <lib/bits.h>
#include <lib/compiler.h>

#include "probes.h"

/* Bits high to low of insn as a signed number. */
static __always_inline s64 field(u32 insn, u32 high, u32 low)
{
	return (s64)((u64)insn << (63 - high)) >> (63 - high + low);
}

static __always_inline u64 get_reg(const struct pt_regs *regs, u32 n)
{
	return n == 31 ? 0 : regs->regs[n];
}

static __always_inline void set_reg(struct pt_regs *regs, u32 n, u64 value)
{
	if (n != 31)
		regs->regs[n] = value;
}

/* The condition field against N, Z, C, V in bits 31 to 28. */
static __always_inline bool holds(u32 cond, u64 pstate)
{
	bool n = pstate >> 31 & 1, z = pstate >> 30 & 1;
	bool c = pstate >> 29 & 1, v = pstate >> 28 & 1;
	bool met;

	switch (cond >> 1) {
	case 0:
		met = z;
		break;
	case 1:
		met = c;
		break;
	case 2:
		met = n;
		break;
	case 3:
		met = v;
		break;
	case 4:
		met = c && !z;
		break;
	case 5:
		met = n == v;
		break;
	case 6:
		met = n == v && !z;
		break;
	default:
		return true;
	}
	return met != (cond & 1);
}

static __always_inline void branch_if(struct pt_regs *regs, u64 pc, bool taken,
				      s64 words)
{
	regs->pc = pc + (taken ? (u64)words * 4 : 4);
}

static __always_inline void branch_register(u32 insn, u64 pc,
					    struct pt_regs *regs)
{
	u64 to = get_reg(regs, insn >> 5 & 31);

	if (insn >> 21 & 1)
		regs->regs[30] = pc + 4;
	regs->pc = to;
}

static __always_inline void address(u32 insn, u64 pc, struct pt_regs *regs)
{
	u64 imm = (u64)field(insn, 23, 5) << 2 | (insn >> 29 & 3);
	u64 to = pc + imm;

	if (insn >> 31)
		to = (pc & ~0xfffull) + (imm << 12);
	set_reg(regs, insn & 31, to);
}

static __always_inline int literal(u32 insn, u64 pc, struct pt_regs *regs,
				   int (*read)(void *to, u64 addr, size_t size))
{
	u64 from = pc + (u64)field(insn, 23, 5) * 4;
	u32 kind = insn >> 30, n = insn & 31;
	u64 value[2] = { 0, 0 };
	int err;

	if (insn >> 26 & 1) {
		err = read(value, from, 4u << kind);
		if (!err)
			arm64_probe_set_v(n, value);
		return err;
	}
	if (kind == 3)	/* PRFM is a hint */
		return 0;
	err = read(value, from, kind == 1 ? 8 : 4);
	if (err)
		return err;
	if (kind == 2)
		value[0] = (u64)(s64)(s32)value[0];
	set_reg(regs, n, value[0]);
	return 0;
}

__noinstr int arch_probe_simulate(u32 insn, u64 pc, struct pt_regs *regs,
				  int (*read)(void *to, u64 addr, size_t size))
{
	int err;

	if ((insn & 0x7c000000) == 0x14000000) {
		if (insn >> 31)
			regs->regs[30] = pc + 4;
		branch_if(regs, pc, true, field(insn, 25, 0));
	} else if ((insn & 0xff000000) == 0x54000000) {
		branch_if(regs, pc, holds(insn & 15, regs->pstate),
			  field(insn, 23, 5));
	} else if ((insn & 0x7e000000) == 0x34000000) {
		u64 value = get_reg(regs, insn & 31);

		if (!(insn >> 31))
			value = (u32)value;
		branch_if(regs, pc, (value != 0) == (insn >> 24 & 1),
			  field(insn, 23, 5));
	} else if ((insn & 0x7e000000) == 0x36000000) {
		u32 bit = (insn >> 26 & 32) | (insn >> 19 & 31);

		branch_if(regs, pc,
			  (get_reg(regs, insn & 31) >> bit & 1) ==
				  (insn >> 24 & 1),
			  field(insn, 18, 5));
	} else if ((insn & 0xff000000) == 0xd6000000) {
		branch_register(insn, pc, regs);
	} else if ((insn & 0x1f000000) == 0x10000000) {
		address(insn, pc, regs);
		regs->pc = pc + 4;
	} else if ((insn & 0x3b000000) == 0x18000000) {
		err = literal(insn, pc, regs, read);
		if (err)
			return err;
		regs->pc = pc + 4;
	} else {	/* hints that do nothing here */
		regs->pc = pc + 4;
	}
	/* The landing pad was the breakpoint, which is always one. */
	regs->pstate &= ~(u64)PSR_BTYPE;
	return 0;
}
