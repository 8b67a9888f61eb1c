/* SPDX-License-Identifier: MIT */
/*
 * The Arm PrimeCell real-time clock (PL031, DDI 0224): read once at boot to
 * set the wall clock.  Without one the clock starts at the epoch.
 */
#include <arch/boot.h>
#include <arch/io.h>
#include <kernel/init.h>
#include <kernel/page.h>
#include <kernel/time.h>
#include <lib/err.h>
#include <lib/fdt.h>

#define RTC_DR 0x000	/* seconds since the epoch */

static int rtc_init(void)
{
	const struct fdt *fdt = arch_fdt();
	void __iomem *regs;
	u64 base, size;
	int node;

	if (!fdt)
		return 0;
	node = fdt_find_compatible(fdt, -1, "arm,pl031");
	if (node < 0 || fdt_reg(fdt, node, 0, &base, &size))
		return 0;
	regs = ioremap(base, size);
	if (!regs)
		return -ENOMEM;
	return time_set_real_ns(mmio_read32(regs + RTC_DR) * NSEC_PER_SEC);
}
INITCALL(INIT_DEVICE, rtc_init);
