/* SPDX-License-Identifier: MIT */
/*
 * The console before drivers: a PL011 that the device tree names, written by
 * polling through a fixed mapping.
 *
 * Any context, no lock: the log serialises its writers, and a panic may cut
 * in.  Until arm64_console_init() has found a UART, output is dropped.
 */
#include <arch/boot.h>
#include <arch/impl/cpu.h>
#include <arch/io.h>
#include <lib/string.h>

#define UART_DR	      0x00
#define UART_FR	      0x18
#define UART_FR_TXFF  (1u << 5)

static void __iomem *uart;

/* stdout-path is a path or an alias, either followed by ":options". */
static int stdout_node(const struct fdt *fdt)
{
	char path[64];
	const char *text, *target;
	size_t len;
	int chosen = fdt_find_path(fdt, "/chosen");

	if (chosen < 0)
		return chosen;
	text = fdt_prop_string(fdt, chosen, "stdout-path");
	if (!text)
		return -1;
	len = (size_t)(strchrnul(text, ':') - text);
	if (len >= sizeof(path))
		return -1;
	memcpy(path, text, len);
	path[len] = 0;
	if (path[0] == '/')
		return fdt_find_path(fdt, path);
	chosen = fdt_find_path(fdt, "/aliases");
	target = chosen < 0 ? NULL : fdt_prop_string(fdt, chosen, path);
	return target ? fdt_find_path(fdt, target) : -1;
}

void arm64_console_init(void)
{
	int node = stdout_node(&arm64_fdt);
	u64 base, size;

	if (node < 0 || !fdt_is_compatible(&arm64_fdt, node, "arm,pl011"))
		node = fdt_find_compatible(&arm64_fdt, -1, "arm,pl011");
	if (node < 0 || fdt_reg(&arm64_fdt, node, 0, &base, &size))
		return;
	arm64_fixed_map(FIXED_CONSOLE, base & ~0xfffull,
			PTE_READ | PTE_WRITE | PTE_DEVICE);
	uart = (void __iomem *)(uintptr_t)(FIXED_VA(FIXED_CONSOLE) +
					   (base & 0xfff));
}

static void put_char(char c)
{
	while (mmio_read32(uart + UART_FR) & UART_FR_TXFF)
		;
	mmio_write32(uart + UART_DR, (u8)c);
}

void arch_early_console_write(const char *text, size_t size)
{
	if (!uart)
		return;
	for (; size; size--, text++) {
		if (*text == '\n')
			put_char('\r');
		put_char(*text);
	}
}
