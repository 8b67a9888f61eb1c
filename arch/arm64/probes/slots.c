/* SPDX-License-Identifier: MIT */
/*
 * Slots for probed instructions of the kernel, and writing its text; contract
 * in <arch/probes.h>.
 *
 * A slot holds the instruction and a branch back, so that the machine state
 * of the probed code needs no change to get through it: no step, no second
 * exception, and the interrupts as they were.  Slots live in pages that are
 * mapped executable and read-only near the image, where a branch reaches, and
 * are written through the linear map.  The text mutex guards them.  Profilers
 * are told of each page that comes, and of one that goes because nothing is in
 * it while there is another; so does the reference.
 */
#include <arch/cache.h>
#include <arch/impl/cpu.h>
#include <arch/impl/layout.h>
#include <arch/mmu.h>
#include <arch/probes.h>
#include <arch/regs.h>
#include <arch/text.h>
#include <kernel/ipi.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/perf_event.h>
#include <kernel/static_key.h>
#include <lib/bitmap.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <linux/perf_event.h>

#include "probes.h"

#define SLOT_BYTES 8
#define PER_PAGE   (PAGE_SIZE / SLOT_BYTES)
#define PAGES	   (ARCH_KSLOT_BYTES / PAGE_SIZE)

/* [text_mutex] */
static struct page *slot_pages[PAGES];
static unsigned long slot_used[PAGES][BITMAP_LONGS(PER_PAGE)];

/* The branch back knows. */
__noinstr u64 arch_kprobe_slot_origin(u64 pc)
{
	u64 branch = (pc & ~(u64)(SLOT_BYTES - 1)) + 4;
	u32 insn = *(const u32 *)(uintptr_t)branch;

	return branch + (u64)((s64)((u64)insn << 38) >> 36) - 4;
}

static u64 address_of(u32 n)
{
	return ARCH_KSLOT_BASE + n * PAGE_SIZE;
}

static void tell(u32 n, bool gone)
{
	struct perf_ksym_info sym = {
		.addr = address_of(n),
		.len = PAGE_SIZE,
		.type = PERF_RECORD_KSYMBOL_TYPE_OOL,
		.gone = gone,
		.name = "kprobe_insn_page",
	};

	perf_ksymbol(&sym);
}

/* [text_mutex] */
static int map_slots(u32 n)
{
	struct page *page = page_alloc(0, GFP_KERNEL | GFP_ZERO);
	int err;

	if (!page)
		return -ENOMEM;
	err = arch_kernel_map(address_of(n), page_to_phys(page), PAGE_SIZE,
			      PTE_READ | PTE_EXEC);
	if (err) {
		page_put(page);
		return err;
	}
	slot_pages[n] = page;
	tell(n, false);
	return 0;
}

/* [text_mutex] Nothing is in it: it goes, unless it is the last. */
static void release_slots(u32 n)
{
	u32 i, mapped = 0;

	for (i = 0; i < PAGES; i++)
		mapped += slot_pages[i] != NULL;
	if (mapped == 1)
		return;
	arch_kernel_unmap(address_of(n), PAGE_SIZE);
	page_put(slot_pages[n]);
	slot_pages[n] = NULL;
	tell(n, true);
}

static u64 take_slot(u32 n, u32 bit, u32 insn, u64 pc)
{
	u64 at = address_of(n) + bit * SLOT_BYTES;
	u32 *code = (u32 *)page_address(slot_pages[n]) + bit * 2;

	bitmap_set(slot_used[n], bit);
	code[0] = insn;
	code[1] = arch_insn_branch(at + 4, pc + 4);
	arch_icache_sync(code, SLOT_BYTES);
	return at;
}

u64 arch_kprobe_slot_get(u32 insn, u64 pc)
{
	u32 n, bit, unmapped = PAGES;
	u64 slot = 0;

	mutex_lock(&text_mutex);
	for (n = 0; n < PAGES && !slot; n++) {
		if (!slot_pages[n]) {
			unmapped = min(unmapped, n);
			continue;
		}
		bit = (u32)bitmap_find_first_zero(slot_used[n], PER_PAGE);
		if (bit < PER_PAGE)
			slot = take_slot(n, bit, insn, pc);
	}
	if (!slot && unmapped < PAGES && !map_slots(unmapped))
		slot = take_slot(unmapped, 0, insn, pc);
	mutex_unlock(&text_mutex);
	return slot;
}

void arch_kprobe_slot_put(u64 slot)
{
	u32 n = (u32)((slot - ARCH_KSLOT_BASE) / PAGE_SIZE);
	u32 bit = (u32)(slot % PAGE_SIZE / SLOT_BYTES);

	mutex_lock(&text_mutex);
	bitmap_clear(slot_used[n], bit);
	if (bitmap_empty(slot_used[n], PER_PAGE))
		release_slots(n);
	mutex_unlock(&text_mutex);
}

/* Arm ARM B2.2.5: B, BL, BRK, HVC, ISB, NOP, SMC and SVC, for one another. */
static bool may_change_live(u32 insn)
{
	if ((insn & 0x7c000000) == 0x14000000)
		return true;
	if ((insn & 0xffe0001c) == 0xd4000000 && (insn & 3))
		return true;
	return (insn & 0xffe0001f) == 0xd4200000 || insn == arch_insn_nop() ||
	       (insn & 0xfffff0ff) == 0xd50330df;
}

static bool all_may_change_live(const struct arch_text_word *words, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (!may_change_live(*(u32 *)(uintptr_t)words[i].addr) ||
		    !may_change_live(words[i].insn))
			return false;
	return true;
}

static int patch_live(const struct arch_text_word *words, u32 n)
{
	u32 i;
	int err = 0;

	for (i = 0; !err && i < n; i++)
		err = arch_text_patch((void *)(uintptr_t)words[i].addr,
				      words[i].insn);
	return err;
}

int arch_kprobe_write(const struct arch_text_word *words, u32 n)
{
	int err;

	if (!all_may_change_live(words, n))
		return arch_text_write_stopped(words, n);
	err = patch_live(words, n);
	if (err)
		return err;
	ipi_sync_text();
	/* Twice, for QEMU's sake: see static_key_inc(). */
	return patch_live(words, n);
}

u64 arch_probe_return_address(const struct pt_regs *regs)
{
	return regs->regs[30];
}

void arch_probe_set_return_address(struct pt_regs *regs, u64 to)
{
	regs->regs[30] = to;
}

void arm64_probe_set_v(u32 n, const u64 value[2])
{
	struct arch_fpsimd fp;

	arm64_fpsimd_save(&fp);
	fp.v[2 * n] = value[0];
	fp.v[2 * n + 1] = value[1];
	arm64_fpsimd_load(&fp);
}
