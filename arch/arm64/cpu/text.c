/* SPDX-License-Identifier: MIT */
/*
 * Writing kernel text through a second, writable mapping of its pages.
 *
 * The window is a fixed slot, present only during a write.  The caller holds
 * the text mutex, so there is one writer.  arch_text_patch() leaves the
 * other CPUs running, which is right only for the instruction pairs that its
 * contract names; arch_text_write_stopped() parks them.
 */
#include <arch/cache.h>
#include <arch/impl/cpu.h>
#include <arch/text.h>
#include <kernel/ipi.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <lib/err.h>
#include <lib/noprobe.h>

static void write_text(u64 addr, u32 insn)
{
	u64 pa = arch_virt_to_phys((void *)(uintptr_t)addr);
	u64 window = FIXED_VA(FIXED_PATCH) + (pa & ~PAGE_MASK);

	arm64_fixed_map(FIXED_PATCH, pa & PAGE_MASK, PTE_READ | PTE_WRITE);
	WRITE_ONCE(*(u32 *)(uintptr_t)window, insn);
	arch_icache_sync((void *)(uintptr_t)addr, sizeof(insn));
	arm64_fixed_map(FIXED_PATCH, 0, 0);
}
NOPROBE(write_text);

static bool is_text(u64 addr)
{
	return addr >= (uintptr_t)_text && addr < (uintptr_t)_srodata &&
	       addr % ARCH_INSN_SIZE == 0;
}

int arch_text_patch(void *addr, u32 insn)
{
	if (!is_text((uintptr_t)addr))
		return -EINVAL;
	write_text((uintptr_t)addr, insn);
	return 0;
}
NOPROBE(arch_text_patch);

struct stopped_write {
	const struct arch_text_word *words;
	u32 n;
};

static void write_stopped(void *arg)
{
	const struct stopped_write *w = arg;
	u32 i;

	for (i = 0; i < w->n; i++)
		write_text(w->words[i].addr, w->words[i].insn);
}
NOPROBE(write_stopped);

int arch_text_write_stopped(const struct arch_text_word *words, u32 n)
{
	struct stopped_write w = { words, n };
	u32 i;

	for (i = 0; i < n; i++)
		if (!is_text(words[i].addr))
			return -EINVAL;
	ipi_stop_machine(write_stopped, &w);
	return 0;
}
NOPROBE(arch_text_write_stopped);
