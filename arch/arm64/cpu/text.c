/* SPDX-License-Identifier: MIT */
/*
 * Writing kernel text through a second, writable mapping of its pages.
 *
 * The window is two fixed slots, present only during a write.  The caller
 * holds the text mutex, so there is one writer.  arch_text_patch() leaves the
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
#include <lib/string.h>

static void write_text(void *addr, const void *src, size_t size)
{
	u64 pa = arch_virt_to_phys(addr);
	u64 offset = pa & ~PAGE_MASK;
	bool two = offset + size > PAGE_SIZE;
	void *window = (void *)(uintptr_t)(FIXED_VA(FIXED_PATCH) + offset);

	arm64_fixed_map(FIXED_PATCH, pa & PAGE_MASK, PTE_READ | PTE_WRITE);
	if (two)
		arm64_fixed_map(FIXED_PATCH + 1, (pa & PAGE_MASK) + PAGE_SIZE,
				PTE_READ | PTE_WRITE);
	if (size == sizeof(u32))
		WRITE_ONCE(*(u32 *)window, *(const u32 *)src);
	else
		memcpy(window, src, size);
	arch_icache_sync(addr, size);
	arm64_fixed_map(FIXED_PATCH, 0, 0);
	if (two)
		arm64_fixed_map(FIXED_PATCH + 1, 0, 0);
}
NOPROBE(write_text);

static bool is_text(const void *addr, size_t size)
{
	const char *p = addr;

	return p >= _text && p < _srodata && size <= (size_t)(_srodata - p);
}

int arch_text_patch(void *addr, u32 insn)
{
	if (!is_text(addr, sizeof(insn)) || (uintptr_t)addr % sizeof(insn))
		return -EINVAL;
	write_text(addr, &insn, sizeof(insn));
	return 0;
}
NOPROBE(arch_text_patch);

struct stopped_write {
	void *addr;
	const void *src;
	size_t size;
};

static void write_stopped(void *arg)
{
	struct stopped_write *w = arg;

	write_text(w->addr, w->src, w->size);
}
NOPROBE(write_stopped);

int arch_text_write_stopped(void *addr, const void *src, size_t size)
{
	struct stopped_write w = { addr, src, size };

	if (!size || size > PAGE_SIZE || !is_text(addr, size))
		return -EINVAL;
	ipi_stop_machine(write_stopped, &w);
	return 0;
}
NOPROBE(arch_text_write_stopped);
