/* SPDX-License-Identifier: MIT */
/*
 * The generic timer: the virtual counter as clock, the virtual timer's
 * compare register as the one-shot event of each CPU.
 *
 * The interrupt is level triggered: the handler silences the timer before
 * timer_interrupt() runs, which arms it again when something is due.  EL0
 * reads the virtual counter and gets the event stream that AT_HWCAP's
 * "evtstrm" promises, about every 100 us.
 */
#include <arch/barrier.h>
#include <arch/boot.h>
#include <arch/impl/cpu.h>
#include <arch/impl/sysreg.h>
#include <arch/irq.h>
#include <arch/time.h>
#include <kernel/irq.h>
#include <kernel/time.h>
#include <lib/err.h>
#include <lib/minmax.h>

#define CTL_ENABLE  1u
#define CTL_IMASK   2u
#define FDT_VIRTUAL 2		/* third interrupt: the virtual timer's */

#define CNTKCTL_EL0VCTEN (1u << 1)
#define CNTKCTL_EVNTEN	 (1u << 2)
#define CNTKCTL_EVNTI(n) ((u32)(n) << 4)
#define EVENT_HZ	 10000

static u64 freq __ro_after_init;
static u32 timer_irq __ro_after_init;
static bool timer_edge __ro_after_init;

u64 arch_clock_freq(void)
{
	return freq;
}

static void on_timer(u32 irq, struct pt_regs *regs, void *arg)
{
	write_sysreg(CTL_IMASK | CTL_ENABLE, cntv_ctl_el0);
	timer_interrupt();
}

int arch_time_init(void)
{
	const struct fdt *fdt = arch_fdt();
	int node = fdt_find_compatible(fdt, -1, "arm,armv8-timer");
	struct fdt_irq desc;
	u32 hz;
	int err;

	if (node < 0)
		return -ENODEV;
	freq = read_sysreg(cntfrq_el0);
	if (!fdt_prop_u32(fdt, node, "clock-frequency", &hz))
		freq = hz;
	if (!freq)
		return -ENODEV;
	err = fdt_interrupt(fdt, node, FDT_VIRTUAL, &desc);
	if (err)
		return err;
	err = arch_irq_from_fdt(&desc, &timer_irq, &timer_edge);
	if (err)
		return err;
	return irq_request(timer_irq, on_timer, NULL, "arch_timer");
}

void arch_time_init_cpu(void)
{
	/* The bit of the counter that toggles twice per event. */
	u32 bit = (u32)ilog2(freq / EVENT_HZ / 2 ? freq / EVENT_HZ / 2 : 1);

	write_sysreg(CTL_IMASK, cntv_ctl_el0);
	write_sysreg(CNTKCTL_EL0VCTEN | CNTKCTL_EVNTEN |
			     CNTKCTL_EVNTI(min(bit, 15u)),
		     cntkctl_el1);
	arch_isb();
	arch_irq_unmask(timer_irq, timer_edge);
}

void arch_timer_arm(u64 deadline)
{
	if (deadline == ~0ull) {
		write_sysreg(CTL_IMASK, cntv_ctl_el0);
	} else {
		write_sysreg(deadline, cntv_cval_el0);
		write_sysreg(CTL_ENABLE, cntv_ctl_el0);
	}
	arch_isb();
}
