/* SPDX-License-Identifier: MIT */
/*
 * The per-CPU copies: one block for each possible CPU, page aligned, filled
 * from the template in the image.  Boot CPU only, before the page allocator;
 * from then on the template is never used again.
 */
#include <arch/mmu.h>
#include <kernel/cpu.h>
#include <kernel/page.h>
#include <kernel/percpu.h>
#include <lib/string.h>

extern char __percpu_start[], __percpu_end[];

unsigned long per_cpu_offset[NR_CPUS];

void percpu_init(void)
{
	size_t size = (size_t)(__percpu_end - __percpu_start);
	size_t pages = PAGE_ALIGN(size) >> PAGE_SHIFT;
	char *copy;
	u32 cpu;

	if (!size)
		return;
	for_each_possible_cpu(cpu) {
		copy = arch_phys_to_virt(early_page_alloc(pages));
		memcpy(copy, __percpu_start, size);
		per_cpu_offset[cpu] = (unsigned long)copy -
				      (unsigned long)__percpu_start;
	}
	arch_percpu_set_offset(per_cpu_offset[0]);
}
