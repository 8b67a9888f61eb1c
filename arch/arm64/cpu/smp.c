/* SPDX-License-Identifier: MIT */
/*
 * CPUs: found in the device tree, started and stopped by PSCI.
 *
 * A starting CPU gets the address of its struct arm64_secondary, which head.S
 * reads once the MMU is on: its idle task (whose stack it takes) and the
 * offset of its per-CPU variables.  The table is written by the starter under
 * the hotplug mutex and read by the started CPU.
 */
#include <arch/barrier.h>
#include <arch/boot.h>
#include <arch/impl/cpu.h>
#include <arch/impl/sysreg.h>
#include <arch/smp.h>
#include <kernel/cpu.h>
#include <kernel/page.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <lib/err.h>
#include <lib/string.h>

#include "percpu.h"

#define MPIDR_AFFINITY 0xff00ffffffull
#define AFFINITY_OFF   1
/* A virtual CPU may have to wait for its turn on a busy host. */
#define OFF_WAIT_NS    (10 * NSEC_PER_SEC)

struct arm64_secondary {
	struct task *idle;
	unsigned long percpu_offset;
};

static u64 hwid[CONFIG_NR_CPUS] __ro_after_init;
static struct arm64_secondary secondary[CONFIG_NR_CPUS];

u32 arch_smp_probe(void)
{
	const struct fdt *fdt = arch_fdt();
	int cpus = fdt_find_path(fdt, "/cpus");
	u32 count = 1;
	u64 id;
	int node;

	hwid[0] = read_sysreg(mpidr_el1) & MPIDR_AFFINITY;
	if (cpus < 0)
		return 1;
	fdt_for_each_child(node, fdt, cpus) {
		const char *type = fdt_prop_string(fdt, node, "device_type");

		if (!type || !streq(type, "cpu") || fdt_cpu_reg(fdt, node, &id))
			continue;
		id &= MPIDR_AFFINITY;
		if (id != hwid[0] && count < CONFIG_NR_CPUS)
			hwid[count++] = id;
	}
	return count;
}

u64 arch_cpu_hwid(u32 cpu)
{
	return hwid[cpu];
}

int arm64_irq_stack_alloc(u32 cpu)
{
	char *stack;

	if (per_cpu(irq_stack_top, cpu))
		return 0;
	stack = kstack_alloc();
	if (!stack)
		return -ENOMEM;
	per_cpu(irq_stack_top, cpu) = (uintptr_t)stack + ARCH_STACK_SIZE - 16;
	return 0;
}

int arch_smp_start(u32 cpu, struct task *idle)
{
	int err = arm64_irq_stack_alloc(cpu);

	if (err)
		return err;
	secondary[cpu].idle = idle;
	secondary[cpu].percpu_offset = per_cpu_offset[cpu];
	arch_smp_mb();
	switch (arm64_psci(PSCI_CPU_ON, hwid[cpu],
			   arch_virt_to_phys(secondary_entry),
			   (uintptr_t)&secondary[cpu])) {
	case 0:
		return 0;
	case -4:	/* already on */
	case -5:	/* on its way */
		return -EBUSY;
	default:
		return -EIO;
	}
}

void arm64_secondary_start(void)
{
	arm64_features_cpu();
	cpu_start_secondary();
}

void arch_smp_die(void)
{
	arm64_psci(PSCI_CPU_OFF, 0, 0, 0);
	arch_cpu_halt();
}

int arch_smp_wait_off(u32 cpu)
{
	u64 end = time_mono_ns() + OFF_WAIT_NS;

	while (arm64_psci(PSCI_AFFINITY_INFO, hwid[cpu], 0, 0) !=
	       AFFINITY_OFF) {
		if (time_mono_ns() > end)
			return -ETIMEDOUT;
		arch_cpu_relax();
	}
	return 0;
}
