/* SPDX-License-Identifier: MIT */
/*
 * The end of the machine: PSCI, and semihosting for a status that PSCI cannot
 * carry.  HLT traps as undefined where nobody listens; its exception-table
 * entry skips it, and PSCI follows.  Any context; nothing here returns.
 */
#include <arch/barrier.h>
#include <arch/impl/cpu.h>
#include <arch/irqflags.h>
#include <arch/power.h>
#include <arch/uaccess.h>

#define SYS_EXIT_EXTENDED	 0x20
#define STOPPED_APPLICATION_EXIT 0x20026

static void semihosting_exit(int status)
{
	u64 block[2] = { STOPPED_APPLICATION_EXIT, (u64)status };
	register u64 x0 __asm__("x0") = SYS_EXIT_EXTENDED;
	register u64 x1 __asm__("x1") = (uintptr_t)block;

	__asm__ __volatile__("1:	hlt #0xf000\n"
			     "2:\n" ARM64_EXTABLE("1b", "2b")
			     : "+r"(x0)
			     : "r"(x1)
			     : "memory");
}

void arch_power_off(int status)
{
	arch_irq_save_all();
	if (status)
		semihosting_exit(status);
	arm64_psci(PSCI_SYSTEM_OFF, 0, 0, 0);
	arch_cpu_halt();
}

void arch_reboot(void)
{
	arch_irq_save_all();
	arm64_psci(PSCI_SYSTEM_RESET, 0, 0, 0);
	arch_cpu_halt();
}
