// SPDX-License-Identifier: MIT
/*
 * Any bytes as a device tree, read the way the boot reads one.
 */
#include <lib/fdt.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	struct fdt fdt;
	int depth = 0;
	u64 addr, size;

	if (fdt_open(&fdt, data, len))
		return 0;
	for (u32 i = 0; fdt_reserved(&fdt, i, &addr, &size) == 0; i++)
		;
	for (int node = FDT_ROOT; node >= 0;
	     node = fdt_next(&fdt, node, &depth)) {
		struct fdt_irq irq;

		for (int i = 0; i < 3; i++) {
			(void)fdt_reg(&fdt, node, i, &addr, &size);
			(void)fdt_interrupt(&fdt, node, i, &irq);
		}
		(void)fdt_is_compatible(&fdt, node, "arm,gic-v3");
		(void)fdt_cpu_reg(&fdt, node, &addr);
		(void)fdt_prop_string(&fdt, node, "bootargs");
		fuzz_touch(fdt_name(&fdt, node), 1);
	}
	(void)fdt_find_path(&fdt, "/cpus/cpu@0");
	return 0;
}
