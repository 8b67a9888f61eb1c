/* SPDX-License-Identifier: MIT */
/*
 * Constant text: strings of the kernel that records point at (printk_formats
 * tells clients of them); and sets of CPUs as text.
 */
#include "tracefs.h"

#include <arch/irq.h>
#include <lib/minmax.h>
#include <lib/printf.h>
#include <lib/string.h>

const char *trace_known_string(u64 addr)
{
	u32 kind;

	for (kind = 0; kind < ARCH_IPI_COUNT; kind++)
		if ((uintptr_t)arch_ipi_reason(kind) == addr)
			return arch_ipi_reason(kind);
	return NULL;
}

int trace_strings_show(struct seq *s, void *private)
{
	u32 kind;

	for (kind = 0; kind < ARCH_IPI_COUNT; kind++)
		seq_printf(s, "0x%llx : \"%s\"\n",
			   (unsigned long long)(uintptr_t)arch_ipi_reason(kind),
			   arch_ipi_reason(kind));
	return 0;
}

/* Groups of 32, the last CPUs first, as %*pb of Linux. */
u32 trace_bits_text(char *out, u32 size, const void *bits, u32 len)
{
	u32 used = 0, word, at;

	for (at = len / sizeof(word); at-- > 0;) {
		memcpy(&word, (const char *)bits + at * sizeof(word),
		       sizeof(word));
		used += scnprintf(out + used, size - used, "%s%08x",
				  used ? "," : "", word);
	}
	return used;
}
