/* SPDX-License-Identifier: MIT */
/*
 * Which A64 instructions may be probed, and how; contract in <arch/probes.h>.
 *
 * A table in the order of the Arm ARM's encoding groups (C4.1); the first row
 * that matches decides.  An instruction is stepped in a copy elsewhere, with
 * the interrupted state as it was, so only what names its own place, what
 * needs the monitor of an exclusive access to survive an exception, and what
 * an exception itself would change, is not.  Pure.
 */
#include <arch/probes.h>
#include <lib/compiler.h>

#define EXCLUSIVE_MAX 16	/* instructions looked back for the load */

struct row {
	u32 mask, value;
	enum arch_probe_kind kind;
};

#define REJECT	 ARCH_PROBE_REJECT
#define SIMULATE ARCH_PROBE_SIMULATE
#define STEP	 ARCH_PROBE_STEP

/* Branches, exceptions, system: bits 28 to 26 are 101. */
static const struct row branches[] = {
	{ 0xff000000, 0x54000000, SIMULATE },	/* B.cond, BC.cond */
	{ 0xff000000, 0xd4000000, REJECT },	/* SVC, HVC, SMC, BRK, HLT.. */
	/* Hints: what waits, or synchronises with what is not there. */
	{ 0xffffffff, 0xd503201f, SIMULATE },	/* NOP */
	{ 0xffffffff, 0xd503203f, SIMULATE },	/* YIELD */
	{ 0xffffff3f, 0xd503241f, SIMULATE },	/* BTI */
	{ 0xffffffff, 0xd503205f, REJECT },	/* WFE */
	{ 0xffffffff, 0xd503207f, REJECT },	/* WFI */
	{ 0xffffffff, 0xd503209f, REJECT },	/* SEV */
	{ 0xffffffff, 0xd50320bf, REJECT },	/* SEVL */
	{ 0xffffffff, 0xd50320ff, STEP },	/* XPACLRI */
	{ 0xffffff1f, 0xd503211f, STEP },	/* PACIA1716 and its like */
	{ 0xffffff1f, 0xd503231f, STEP },	/* PACIASP and its like */
	{ 0xfffff01f, 0xd503201f, REJECT },	/* other hints */
	{ 0xfffff000, 0xd5031000, REJECT },	/* WFET, WFIT */
	{ 0xfffff01f, 0xd503301f, STEP },	/* barriers, CLREX */
	{ 0xfffff0ff, 0xd50040bf, REJECT },	/* MSR SPSel: another stack */
	{ 0xfff8f01f, 0xd500401f, STEP },	/* MSR immediate */
	/* What the exception of the probe itself writes. */
	{ 0xffdfffc0, 0xd5184000, REJECT },	/* SPSR_EL1, ELR_EL1 */
	{ 0xffffffe0, 0xd5184100, REJECT },	/* MSR SP_EL0: who is current */
	{ 0xffdfffe0, 0xd5184200, REJECT },	/* SPSel */
	{ 0xffdfffe0, 0xd5185200, REJECT },	/* ESR_EL1 */
	{ 0xffdfffe0, 0xd5186000, REJECT },	/* FAR_EL1 */
	{ 0xffd80000, 0xd5080000, STEP },	/* SYS, SYSL */
	{ 0xffd00000, 0xd5100000, STEP },	/* MSR, MRS */
	{ 0xfffffc1f, 0xd61f0000, SIMULATE },	/* BR */
	{ 0xfffffc1f, 0xd63f0000, SIMULATE },	/* BLR */
	{ 0xfffffc1f, 0xd65f0000, SIMULATE },	/* RET */
	{ 0x7c000000, 0x14000000, SIMULATE },	/* B, BL */
	{ 0x7e000000, 0x34000000, SIMULATE },	/* CBZ, CBNZ */
	{ 0x7e000000, 0x36000000, SIMULATE },	/* TBZ, TBNZ */
	{ 0x00000000, 0x00000000, REJECT },	/* ERET, BRAA, unallocated */
};

static const struct row loads[] = {
	{ 0xff000000, 0xdc000000, REJECT },	/* literal, unallocated */
	{ 0x3b000000, 0x18000000, SIMULATE },	/* LDR, LDRSW, PRFM literal */
	{ 0x3fa00000, 0x08000000, REJECT },	/* LDXR, STXR */
	{ 0xbfa00000, 0x88200000, REJECT },	/* LDXP, STXP */
	{ 0x00000000, 0x00000000, STEP },
};

/* What is not allocated is undefined in a copy as it is in its place. */
static const struct row others[] = {
	{ 0x1f000000, 0x10000000, SIMULATE },	/* ADR, ADRP */
	{ 0x00000000, 0x00000000, STEP },	/* data processing, SVE */
};

/* Every table ends in a row that takes all. */
static enum arch_probe_kind look_up(const struct row *row, u32 insn)
{
	while ((insn & row->mask) != row->value)
		row++;
	return row->kind;
}

enum arch_probe_kind arch_probe_classify(u32 insn)
{
	if ((insn & 0x1c000000) == 0x14000000)
		return look_up(branches, insn);
	if ((insn & 0x0a000000) == 0x08000000)
		return look_up(loads, insn);
	return look_up(others, insn);
}

static bool is_exclusive(u32 insn)
{
	return (insn & 0x3fa00000) == 0x08000000 ||
	       (insn & 0xbfa00000) == 0x88200000;
}

bool arch_probe_in_exclusive(const u32 *code, size_t n)
{
	size_t back;

	for (back = 1; back <= EXCLUSIVE_MAX && back <= n; back++) {
		u32 insn = code[n - back];

		if (is_exclusive(insn))
			return insn & 1u << 22;	/* L: a load */
	}
	return false;
}
