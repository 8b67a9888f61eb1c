/* SPDX-License-Identifier: MIT */
/*
 * The text of /proc/cpuinfo for one CPU, line by line as Linux prints it, and
 * the machine's name.  Task context; reads boot-time data only.
 */
#include <arch/elf.h>
#include <arch/impl/cpu.h>
#include <arch/impl/hwcap.h>
#include <arch/smp.h>
#include <arch/time.h>
#include <lib/printf.h>

#include "percpu.h"

size_t arch_cpuinfo(u32 cpu, char *buf, size_t size)
{
	u64 caps[2] = { arch_elf_hwcap(), arch_elf_hwcap2() };
	u32 midr = (u32)per_cpu(cpu_midr, cpu);
	u64 freq = arch_clock_freq();
	size_t n;
	u32 i;

	n = (size_t)scnprintf(buf, size,
			      "processor\t: %u\nBogoMIPS\t: %llu.%02llu\n"
			      "Features\t:",
			      cpu, freq / 500000, freq / 5000 % 100);
	for (i = 0; i < arm64_nr_hwcaps; i++)
		if (caps[arm64_hwcaps[i].word] & 1ull << arm64_hwcaps[i].bit)
			n += (size_t)scnprintf(buf + n, size - n, " %s",
					       arm64_hwcaps[i].name);
	n += (size_t)scnprintf(buf + n, size - n,
			       "\nCPU implementer\t: 0x%02x\n"
			       "CPU architecture: 8\n"
			       "CPU variant\t: 0x%x\n"
			       "CPU part\t: 0x%03x\n"
			       "CPU revision\t: %u\n\n",
			       midr >> 24, midr >> 20 & 0xf,
			       midr >> 4 & 0xfff, midr & 0xf);
	return n;
}

bool arch_cpu_id_register(u32 cpu, u32 n, const char **name, u64 *value)
{
	switch (n) {
	case 0:
		*name = "midr_el1";
		*value = per_cpu(cpu_midr, cpu);
		return true;
	case 1:
		*name = "revidr_el1";
		*value = per_cpu(cpu_revidr, cpu);
		return true;
	default:
		return false;
	}
}

/* CLIDR_EL1 has three bits a level: 0 none, 1 I, 2 D, 3 both, 4 unified. */
bool arch_cpu_cache(u32 n, u32 *level, const char **holds)
{
	u64 clidr = read_sysreg(clidr_el1);
	u32 kind;

	for (*level = 1; *level <= 7; ++*level) {
		kind = clidr >> (3 * (*level - 1)) & 7;
		if (!kind)
			break;
		*holds = kind == 4 ? "Unified" : kind == 1 ? "Instruction" :
							     "Data";
		if (!n--)
			return true;
		if (kind != 3)
			continue;
		*holds = "Instruction";
		if (!n--)
			return true;
	}
	return false;
}

const char *arch_machine_name(void)
{
	return "aarch64";
}
