/* SPDX-License-Identifier: MIT */
/*
 * What the CPU can do, and what of it user programs are told.
 *
 * One table says for each hardware capability which identification field it
 * comes from; AT_HWCAP, AT_HWCAP2 and the Features line are made from it, and
 * a second table gives the value of each identification register that an MRS
 * of user mode reads, so that all of them agree.  SVE, SME, MTE, pointer
 * authentication and BTI are in none: the context switch and the signal frame
 * do not carry them.
 *
 * Filled by the boot CPU in arch_setup(); immutable afterwards.
 */
#include <arch/elf.h>
#include <arch/impl/cpu.h>
#include <arch/impl/hwcap.h>
#include <arch/impl/sysreg.h>
#include <arch/random.h>
#include <lib/bits.h>

#include "percpu.h"

u64 arm64_features __ro_after_init;
DEFINE_PER_CPU(u64, cpu_midr);
DEFINE_PER_CPU(u64, cpu_revidr);

static u64 id_value[ID_COUNT] __ro_after_init;
static u64 hwcap[2] __ro_after_init;

/* Field of a register, as the register says or sign extended. */
static s64 field(u64 reg, u32 shift, bool is_signed)
{
	return is_signed ? sign_extend(reg >> shift, 4) : reg >> shift & 0xf;
}

const struct arm64_hwcap arm64_hwcaps[] = {
	{ ID_PFR0, 16, 0, true, 0, 0, "fp" },
	{ ID_PFR0, 20, 0, true, 0, 1, "asimd" },
	{ ID_NONE, 0, 0, false, 0, 2, "evtstrm" },
	{ ID_ISAR0, 4, 1, false, 0, 3, "aes" },
	{ ID_ISAR0, 4, 2, false, 0, 4, "pmull" },
	{ ID_ISAR0, 8, 1, false, 0, 5, "sha1" },
	{ ID_ISAR0, 12, 1, false, 0, 6, "sha2" },
	{ ID_ISAR0, 16, 1, false, 0, 7, "crc32" },
	{ ID_ISAR0, 20, 2, false, 0, 8, "atomics" },
	{ ID_PFR0, 16, 1, true, 0, 9, "fphp" },
	{ ID_PFR0, 20, 1, true, 0, 10, "asimdhp" },
	{ ID_NONE, 0, 0, false, 0, 11, "cpuid" },
	{ ID_ISAR0, 28, 1, false, 0, 12, "asimdrdm" },
	{ ID_ISAR1, 12, 1, false, 0, 13, "jscvt" },
	{ ID_ISAR1, 16, 1, false, 0, 14, "fcma" },
	{ ID_ISAR1, 20, 1, false, 0, 15, "lrcpc" },
	{ ID_ISAR1, 0, 1, false, 0, 16, "dcpop" },
	{ ID_ISAR0, 32, 1, false, 0, 17, "sha3" },
	{ ID_ISAR0, 36, 1, false, 0, 18, "sm3" },
	{ ID_ISAR0, 40, 1, false, 0, 19, "sm4" },
	{ ID_ISAR0, 44, 1, false, 0, 20, "asimddp" },
	{ ID_ISAR0, 12, 2, false, 0, 21, "sha512" },
	{ ID_ISAR0, 48, 1, false, 0, 23, "asimdfhm" },
	{ ID_PFR0, 48, 1, false, 0, 24, "dit" },
	{ ID_MMFR2, 32, 1, false, 0, 25, "uscat" },
	{ ID_ISAR1, 20, 2, false, 0, 26, "ilrcpc" },
	{ ID_ISAR0, 52, 1, false, 0, 27, "flagm" },
	{ ID_PFR1, 4, 2, false, 0, 28, "ssbs" },
	{ ID_ISAR1, 36, 1, false, 0, 29, "sb" },
	{ ID_ISAR1, 0, 2, false, 1, 0, "dcpodp" },
	{ ID_ISAR0, 52, 2, false, 1, 7, "flagm2" },
	{ ID_ISAR1, 32, 1, false, 1, 8, "frint" },
	{ ID_ISAR1, 52, 1, false, 1, 13, "i8mm" },
	{ ID_ISAR1, 44, 1, false, 1, 14, "bf16" },
	{ ID_ISAR1, 48, 1, false, 1, 15, "dgh" },
	{ ID_ISAR0, 60, 1, false, 1, 16, "rng" },
	{ ID_MMFR0, 60, 1, false, 1, 19, "ecv" },
	{ ID_MMFR1, 44, 1, false, 1, 20, "afp" },
	{ ID_ISAR2, 4, 1, false, 1, 21, "rpres" },
	{ ID_ISAR2, 0, 2, false, 1, 31, "wfxt" },
	{ ID_ISAR1, 44, 2, false, 1, 32, "ebf16" },
};
const u32 arm64_nr_hwcaps = ARRAY_SIZE(arm64_hwcaps);

/*
 * Which fields user mode sees as they are, and what the others read as: the
 * value that claims least.
 */
static const struct {
	u32 sys;
	enum arm64_id id;
	u64 visible;
	u64 rest;
} id_table[] = {
	{ SYS_ID(4, 0), ID_PFR0, GENMASK(51, 48) | GENMASK(23, 16), 0x11 },
	{ SYS_ID(4, 1), ID_PFR1, GENMASK(7, 4), 0 },
	{ SYS_ID(5, 0), ID_NONE, 0, 6 },
	{ SYS_ID(6, 0), ID_ISAR0,
	  GENMASK(63, 60) | GENMASK(55, 28) | GENMASK(23, 4), 0 },
	{ SYS_ID(6, 1), ID_ISAR1,
	  GENMASK(55, 44) | GENMASK(39, 32) | GENMASK(23, 12) |
		  GENMASK(3, 0),
	  0 },
	{ SYS_ID(6, 2), ID_ISAR2, GENMASK(7, 0), 0 },
	{ SYS_ID(7, 0), ID_MMFR0, GENMASK(63, 60), 0x111ff000000 },
	{ SYS_ID(7, 1), ID_MMFR1, GENMASK(47, 44), 0 },
	{ SYS_ID(7, 2), ID_MMFR2, GENMASK(35, 32), 0 },
};

/* What an MRS of user mode reads.  False: not a register we answer for. */
bool arm64_id_register(u32 sys, u64 *value)
{
	u32 crm = sys >> 3 & 0xf;
	u32 i;

	if ((sys & ~0x7fu) != SYS_ID(0, 0) || crm == 1 || crm > 7)
		return false;
	*value = 0;
	if (sys == SYS_ID(0, 0))
		*value = read_sysreg(midr_el1);
	else if (sys == SYS_ID(0, 5))
		*value = 1u << 31;
	else if (crm == 0)
		return sys == SYS_ID(0, 6);
	for (i = 0; i < ARRAY_SIZE(id_table); i++)
		if (id_table[i].sys == sys)
			*value = (id_value[id_table[i].id] &
				  id_table[i].visible) |
				 id_table[i].rest;
	return true;
}

static void find_hwcaps(void)
{
	u32 i;

	for (i = 0; i < arm64_nr_hwcaps; i++) {
		const struct arm64_hwcap *cap = &arm64_hwcaps[i];

		if (cap->id == ID_NONE ||
		    field(id_value[cap->id], cap->shift, cap->is_signed) >=
			    cap->min)
			hwcap[cap->word] |= 1ull << cap->bit;
	}
}

static void feature(enum arm64_feature bit, bool present)
{
	if (present)
		arm64_features |= 1ull << bit;
}

void arm64_features_init(void)
{
	id_value[ID_PFR0] = read_sysreg(id_aa64pfr0_el1);
	id_value[ID_PFR1] = read_sysreg(id_aa64pfr1_el1);
	id_value[ID_ISAR0] = read_sysreg(id_aa64isar0_el1);
	id_value[ID_ISAR1] = read_sysreg(id_aa64isar1_el1);
	id_value[ID_ISAR2] = read_sysreg(SYS_ID_AA64ISAR2_EL1);
	id_value[ID_MMFR0] = read_sysreg(id_aa64mmfr0_el1);
	id_value[ID_MMFR1] = read_sysreg(id_aa64mmfr1_el1);
	id_value[ID_MMFR2] = read_sysreg(SYS_ID_AA64MMFR2_EL1);
	find_hwcaps();

	feature(ARM64_HAS_PAN, field(id_value[ID_MMFR1], 20, false) >= 1);
	feature(ARM64_HAS_LSE, field(id_value[ID_ISAR0], 20, false) >= 2);
	feature(ARM64_HAS_RNG, field(id_value[ID_ISAR0], 60, false) >= 1);
	feature(ARM64_HAS_GIC_CPUIF, field(id_value[ID_PFR0], 24, false));
	feature(ARM64_HAS_IDST, field(id_value[ID_MMFR2], 36, false));
	feature(ARM64_HAS_DCZVA, !(read_sysreg(dczid_el0) & 0x10));
}

void arm64_features_cpu(void)
{
	/* Debug exceptions come only where breakpoints are. */
	__asm__ __volatile__("msr daifclr, #8" ::: "memory");
	this_cpu(cpu_midr) = read_sysreg(midr_el1);
	this_cpu(cpu_revidr) = read_sysreg(revidr_el1);
}

u64 arch_elf_hwcap(void)
{
	return hwcap[0];
}

u64 arch_elf_hwcap2(void)
{
	return hwcap[1];
}

/* RNDR sets Z when it has nothing to give. */
bool arch_random_u64(u64 *out)
{
	u64 value;
	bool ok;

	if (!arm64_has(ARM64_HAS_RNG))
		return false;
	__asm__ __volatile__("mrs %0, " __stringify(SYS_RNDR) "\n\tcset %w1, ne"
			     : "=r"(value), "=r"(ok)
			     :
			     : "cc");
	*out = value;
	return ok;
}
