/* SPDX-License-Identifier: MIT */
/*
 * Probes on A64: what may be probed, and the effect of what is simulated.
 */
#include <arch/probes.h>
#include <arch/regs.h>
#include <lib/err.h>
#include <lib/ktest.h>

#include "../../arch/arm64/probes/probes.h"

#define PC 0xffff800008100000ull

static u64 v_value[2];
static u32 v_number;

void arm64_probe_set_v(u32 n, const u64 value[2])
{
	v_number = n;
	memcpy(v_value, value, sizeof(v_value));
}

/* Every byte of memory tells its address. */
static int read_pattern(void *to, u64 addr, size_t size)
{
	u8 *p = to;

	while (size--)
		*p++ = (u8)(addr++ * 37);
	return 0;
}

static int read_nothing(void *to, u64 addr, size_t size)
{
	return -EFAULT;
}

static u64 pattern(u64 addr, u32 size)
{
	u64 value = 0;

	read_pattern(&value, addr, size);
	return value;
}

#define REJECT	 ARCH_PROBE_REJECT
#define SIMULATE ARCH_PROBE_SIMULATE
#define STEP	 ARCH_PROBE_STEP

/* As the assembler encodes them. */
static const struct {
	u32 insn;
	enum arch_probe_kind kind;
	const char *text;
} kinds[] = {
	{ 0x54000040, SIMULATE, "b.eq 8" },
	{ 0x97fffc00, SIMULATE, "bl -004" },
	{ 0x15ffffff, SIMULATE, "b 8000004" },
	{ 0x34000083, SIMULATE, "cbz w3, 1c" },
	{ 0xb5ffff83, SIMULATE, "cbnz x3, 0" },
	{ 0xb6400105, SIMULATE, "tbz x5, #40, 34" },
	{ 0x371fff05, SIMULATE, "tbnz w5, #3, -ff8" },
	{ 0xd61f00e0, SIMULATE, "br x7" },
	{ 0xd63f0100, SIMULATE, "blr x8" },
	{ 0xd65f03c0, SIMULATE, "ret" },
	{ 0xd65f0120, SIMULATE, "ret x9" },
	{ 0x30000020, SIMULATE, "adr x0, 31" },
	{ 0x90000001, SIMULATE, "adrp x1, 0" },
	{ 0x18000202, SIMULATE, "ldr w2, 74" },
	{ 0x58fffe03, SIMULATE, "ldr x3, -ff8" },
	{ 0x98000044, SIMULATE, "ldrsw x4, 44" },
	{ 0xd8000040, SIMULATE, "prfm pldl1keep, 48" },
	{ 0x1c000081, SIMULATE, "ldr s1, 54" },
	{ 0x5c000082, SIMULATE, "ldr d2, 58" },
	{ 0x9c000103, SIMULATE, "ldr q3, 6c" },
	{ 0xd503201f, SIMULATE, "nop" },
	{ 0xd503203f, SIMULATE, "yield" },
	{ 0xd503245f, SIMULATE, "bti c" },
	{ 0xd503241f, SIMULATE, "bti" },
	{ 0xd503205f, REJECT, "wfe" },
	{ 0xd503207f, REJECT, "wfi" },
	{ 0xd503209f, REJECT, "sev" },
	{ 0xd50320bf, REJECT, "sevl" },
	{ 0xd50320df, REJECT, "hint #0x6" },
	{ 0xd503229f, REJECT, "csdb" },
	{ 0xd503221f, REJECT, "esb" },
	{ 0xd503223f, REJECT, "psb csync" },
	{ 0xd50320ff, STEP, "xpaclri" },
	{ 0xd503233f, STEP, "paciasp" },
	{ 0xd50323bf, STEP, "autiasp" },
	{ 0xd503211f, STEP, "pacia1716" },
	{ 0xd65f0bff, REJECT, "retaa" },
	{ 0xd71f0822, REJECT, "braa x1, x2" },
	{ 0xd69f03e0, REJECT, "eret" },
	{ 0xd6bf03e0, REJECT, "drps" },
	{ 0xd4000001, REJECT, "svc #0x0" },
	{ 0xd4000002, REJECT, "hvc #0x0" },
	{ 0xd4000003, REJECT, "smc #0x0" },
	{ 0xd4200020, REJECT, "brk #0x1" },
	{ 0xd4400000, REJECT, "hlt #0x0" },
	{ 0x00000000, STEP, "udf #0" },
	{ 0xd5033b9f, STEP, "dsb ish" },
	{ 0xd5033fdf, STEP, "isb" },
	{ 0xd5033f5f, STEP, "clrex" },
	{ 0xd50342df, STEP, "msr daifset, #0x2" },
	{ 0xd50041bf, REJECT, "msr spsel, #0x1" },
	{ 0xd500419f, STEP, "msr pan, #0x1" },
	{ 0xd53b4220, STEP, "mrs x0, daif" },
	{ 0xd5384100, STEP, "mrs x0, sp_el0" },
	{ 0xd5184100, REJECT, "msr sp_el0, x0" },
	{ 0xd5384020, REJECT, "mrs x0, elr_el1" },
	{ 0xd5184001, REJECT, "msr spsr_el1, x1" },
	{ 0xd5385200, REJECT, "mrs x0, esr_el1" },
	{ 0xd5386000, REJECT, "mrs x0, far_el1" },
	{ 0xd53bd040, STEP, "mrs x0, tpidr_el0" },
	{ 0xd518d080, STEP, "msr tpidr_el1, x0" },
	{ 0xd53b4200, STEP, "mrs x0, nzcv" },
	{ 0xd50b7420, STEP, "dc zva, x0" },
	{ 0xd50b7520, STEP, "ic ivau, x0" },
	{ 0xd508871f, STEP, "tlbi vmalle1" },
	{ 0x885f7c20, REJECT, "ldxr w0, [x1]" },
	{ 0x88007c41, REJECT, "stxr w0, w1, [x2]" },
	{ 0xc85ffc20, REJECT, "ldaxr x0, [x1]" },
	{ 0xc800fc41, REJECT, "stlxr w0, x1, [x2]" },
	{ 0xc87f0440, REJECT, "ldxp x0, x1, [x2]" },
	{ 0xc8200861, REJECT, "stxp w0, x1, x2, [x3]" },
	{ 0x085f7c20, REJECT, "ldxrb w0, [x1]" },
	{ 0xc8dffc20, STEP, "ldar x0, [x1]" },
	{ 0xc89ffc20, STEP, "stlr x0, [x1]" },
	{ 0xc8a07c41, STEP, "cas x0, x1, [x2]" },
	{ 0x48207c82, STEP, "casp x0, x1, x2, x3, [x4]" },
	{ 0xf8200041, STEP, "ldadd x0, x1, [x2]" },
	{ 0xf9400420, STEP, "ldr x0, [x1, #8]" },
	{ 0xa9be7bfd, STEP, "stp x29, x30, [sp, #-32]!" },
	{ 0xa8c107e0, STEP, "ldp x0, x1, [sp], #16" },
	{ 0xf8400820, STEP, "ldtr x0, [x1]" },
	{ 0x8b020020, STEP, "add x0, x1, x2" },
	{ 0xd10043ff, STEP, "sub sp, sp, #0x10" },
	{ 0xd2800020, STEP, "mov x0, #0x1" },
	{ 0x1e622820, STEP, "fadd d0, d1, d2" },
	{ 0x9e660020, STEP, "fmov x0, d1" },
	{ 0x2518e3e0, STEP, "ptrue p0.b" },
	{ 0xd9200820, STEP, "stg x0, [x1]" },
	{ 0x3d8003e0, STEP, "str q0, [sp]" },
};

KTEST(every_group_is_classified)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (arch_probe_classify(kinds[i].insn) != kinds[i].kind)
			KT_FAIL("%s (%08x): kind %u", kinds[i].text,
				kinds[i].insn,
				arch_probe_classify(kinds[i].insn));
}

KTEST(breakpoints_are_not_probed)
{
	KT_EXPECT(arch_probe_classify(ARCH_KPROBE_BREAK) == REJECT);
	KT_EXPECT(arch_probe_classify(ARCH_UPROBE_BREAK) == REJECT);
	KT_EXPECT(arch_probe_classify(ARCH_UPROBE_STEPPED) == REJECT);
}

KTEST(between_exclusives)
{
	/* ldxr, add, stxr, cbnz, ret */
	static const u32 code[] = { 0x885f7c20, 0x11000400, 0x88027c20,
				    0x35ffffa2, 0xd65f03c0 };
	static u32 far[40];
	u32 i;

	KT_EXPECT(!arch_probe_in_exclusive(code, 0));
	KT_EXPECT(arch_probe_in_exclusive(code, 1));
	KT_EXPECT(arch_probe_in_exclusive(code, 2));
	KT_EXPECT(!arch_probe_in_exclusive(code, 3));
	KT_EXPECT(!arch_probe_in_exclusive(code, 4));
	for (i = 0; i < ARRAY_SIZE(far); i++)
		far[i] = 0xd503201f;
	far[0] = 0x885f7c20;
	KT_EXPECT(arch_probe_in_exclusive(far, 16));
	KT_EXPECT(!arch_probe_in_exclusive(far, 17));
}

static struct pt_regs run(u32 insn, u64 nzcv)
{
	struct pt_regs regs;
	u32 i;

	memset(&regs, 0, sizeof(regs));
	for (i = 0; i < 31; i++)
		regs.regs[i] = 0x1000 * (i + 1);
	regs.sp = 0x5000;
	regs.pc = PC;
	regs.pstate = nzcv << 28 | PSR_MODE_EL1h | 1u << 10;
	arch_probe_simulate(insn, PC, &regs, read_pattern);
	return regs;
}

/* What each condition means, by the manual's words rather than by bits. */
static bool met(u32 cond, bool n, bool z, bool c, bool v)
{
	switch (cond) {
	case 0: return z;
	case 1: return !z;
	case 2: return c;
	case 3: return !c;
	case 4: return n;
	case 5: return !n;
	case 6: return v;
	case 7: return !v;
	case 8: return c && !z;
	case 9: return !c || z;
	case 10: return n == v;
	case 11: return n != v;
	case 12: return !z && n == v;
	case 13: return z || n != v;
	default: return true;
	}
}

KTEST(conditional_branches)
{
	u32 cond, f;

	for (cond = 0; cond < 16; cond++) {
		for (f = 0; f < 16; f++) {
			/* B.cond .+8 */
			struct pt_regs r = run(0x54000040 | cond, f);
			bool taken = met(cond, f >> 3 & 1, f >> 2 & 1,
					 f >> 1 & 1, f & 1);

			KT_EXPECT_EQ(r.pc, PC + (taken ? 8 : 4));
			KT_EXPECT_EQ(r.pstate,
				     ((u64)f << 28 | PSR_MODE_EL1h));
		}
	}
	/* The farthest both ways. */
	KT_EXPECT_EQ(run(0x547fffee, 0).pc, PC + 0xffffc);
	KT_EXPECT_EQ(run(0x5480000e, 0).pc, PC - 0x100000);
}

KTEST(branches)
{
	struct pt_regs r = run(0x97fffc00, 0);		/* bl .-4096 */

	KT_EXPECT_EQ(r.pc, PC - 4096);
	KT_EXPECT_EQ(r.regs[30], PC + 4);
	r = run(0x15ffffff, 0);				/* b .+134217724 */
	KT_EXPECT_EQ(r.pc, PC + 134217724);
	KT_EXPECT_EQ(r.regs[30], 0x1000 * 31);
	r = run(0xd61f00e0, 0);				/* br x7 */
	KT_EXPECT_EQ(r.pc, 0x8000);
	r = run(0xd63f0100, 0);				/* blr x8 */
	KT_EXPECT_EQ(r.pc, 0x9000);
	KT_EXPECT_EQ(r.regs[30], PC + 4);
	r = run(0xd63f03c0, 0);				/* blr x30 */
	KT_EXPECT_EQ(r.pc, 0x1000 * 31);
	KT_EXPECT_EQ(r.regs[30], PC + 4);
	KT_EXPECT_EQ(run(0xd65f03c0, 0).pc, 0x1000 * 31);	/* ret */
	KT_EXPECT_EQ(run(0xd65f0120, 0).pc, 0xa000);	/* ret x9 */
}

static struct pt_regs with(u32 insn, u32 n, u64 value)
{
	struct pt_regs regs;

	memset(&regs, 0, sizeof(regs));
	regs.regs[n] = value;
	arch_probe_simulate(insn, PC, &regs, read_pattern);
	return regs;
}

KTEST(compare_and_test_branches)
{
	u32 bit;

	/* cbz w3, .+16: the upper half does not matter */
	KT_EXPECT_EQ(with(0x34000083, 3, 1ull << 32).pc, PC + 16);
	KT_EXPECT_EQ(with(0x34000083, 3, 1).pc, PC + 4);
	/* cbnz x3, .-16 */
	KT_EXPECT_EQ(with(0xb5ffff83, 3, 1ull << 32).pc, PC - 16);
	KT_EXPECT_EQ(with(0xb5ffff83, 3, 0).pc, PC + 4);
	/* cbz xzr, .+16 */
	KT_EXPECT_EQ(with(0xb400009f, 0, 1).pc, PC + 16);
	for (bit = 0; bit < 64; bit++) {
		/* tbz x5, #bit, .+32; tbnz the same */
		u32 insn = 0x36000105 | (bit & 31) << 19 | (bit >> 5) << 31;

		KT_EXPECT_EQ(with(insn, 5, 1ull << bit).pc, PC + 4);
		KT_EXPECT_EQ(with(insn, 5, ~(1ull << bit)).pc, PC + 32);
		insn |= 1u << 24;
		KT_EXPECT_EQ(with(insn, 5, 1ull << bit).pc, PC + 32);
		KT_EXPECT_EQ(with(insn, 5, ~(1ull << bit)).pc, PC + 4);
	}
	KT_EXPECT_EQ(with(0x371fff05, 5, 8).pc, PC - 32);
}

KTEST(addresses)
{
	KT_EXPECT_EQ(run(0x30000020, 0).regs[0], PC + 5);  /* adr x0, .+5 */
	KT_EXPECT_EQ(run(0x10800000, 0).regs[0], PC - 0x100000);
	KT_EXPECT_EQ(run(0xd0000001, 0).regs[1], PC + 0x2000);
	KT_EXPECT_EQ(run(0xf0ffffe1, 0).regs[1], PC - 0x1000);
	KT_EXPECT_EQ(run(0x3000003f, 0).pc, PC + 4);	/* adr xzr */
	KT_EXPECT_EQ(run(0x3000003f, 0).sp, 0x5000);
}

KTEST(literals)
{
	struct pt_regs r = run(0x18000202, 0);		/* ldr w2, .+64 */

	KT_EXPECT_EQ(r.regs[2], pattern(PC + 64, 4));
	KT_EXPECT_EQ(r.pc, PC + 4);
	r = run(0x58fffe03, 0);				/* ldr x3, .-64 */
	KT_EXPECT_EQ(r.regs[3], pattern(PC - 64, 8));
	r = run(0x98000044, 0);				/* ldrsw x4, .+8 */
	KT_EXPECT_EQ(r.regs[4], (u64)(s64)(s32)pattern(PC + 8, 4));
	r = run(0xd8000040, 0);				/* prfm */
	KT_EXPECT_EQ(r.pc, PC + 4);
	run(0x1c000081, 0);				/* ldr s1, .+16 */
	KT_EXPECT(v_number == 1 && v_value[0] == pattern(PC + 16, 4));
	KT_EXPECT_EQ(v_value[1], 0);
	run(0x5c000082, 0);				/* ldr d2 */
	KT_EXPECT(v_number == 2 && v_value[0] == pattern(PC + 16, 8));
	KT_EXPECT_EQ(v_value[1], 0);
	run(0x9c000103, 0);				/* ldr q3, .+32 */
	KT_EXPECT(v_number == 3 && v_value[0] == pattern(PC + 32, 8));
	KT_EXPECT_EQ(v_value[1], pattern(PC + 40, 8));
}

KTEST(unreadable_literal)
{
	struct pt_regs r, before;

	memset(&r, 0, sizeof(r));
	r.pc = PC;
	before = r;
	KT_EXPECT_EQ(arch_probe_simulate(0x58fffe03, PC, &r, read_nothing),
		     -EFAULT);
	KT_EXPECT_MEMEQ(&r, &before, sizeof(r));
	KT_EXPECT_EQ(arch_probe_simulate(0x9c000103, PC, &r, read_nothing),
		     -EFAULT);
	KT_EXPECT_MEMEQ(&r, &before, sizeof(r));
}

/* Any word may be asked about, and what is to be simulated can be. */
KTEST(random_words)
{
	u64 seed = 0x5eed;
	u32 i;

	for (i = 0; i < 300000; i++) {
		u32 insn = (u32)kt_random(&seed);

		if (arch_probe_classify(insn) == SIMULATE)
			run(insn, i & 15);
	}
}
