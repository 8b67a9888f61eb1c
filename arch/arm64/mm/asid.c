/* SPDX-License-Identifier: MIT */
/*
 * Address-space identifiers and the switch of TTBR0.
 *
 * An identifier is {generation, ASID}.  One from the running generation is
 * valid; when the ASIDs run out the generation moves on, every space that is
 * live on some CPU keeps its ASID under the new generation, and every CPU
 * invalidates its own TLB before it runs another space.  The fast path is one
 * exchange on a word of this CPU: a roll-over empties that word, so a switch
 * that raced with it falls into the slow path and waits for the lock.
 *
 * ASID 0 goes with the empty table and belongs to no space.  With A1 clear
 * the ASID is part of TTBR0, so tables and ASID change in one write.
 *
 * asid_lock guards the map and the reserved words; live words are written by
 * their CPU and by the holder of the lock.
 */
#include <arch/barrier.h>
#include <arch/impl/asid.h>
#include <arch/impl/cpu.h>
#include <arch/mmu.h>
#include <arch/tlb.h>
#include <kernel/cpu.h>
#include <kernel/lock.h>
#include <kernel/mm.h>
#include <lib/atomic.h>
#include <lib/bitmap.h>
#include <lib/string.h>

#define ASID_MASK ((1ull << ARM64_ASID_MAX_BITS) - 1)
#define GENERATION (1ull << ARM64_ASID_MAX_BITS)

static struct spinlock asid_lock = SPINLOCK_INIT(LOCK_RANK_ASID);
static u64 generation = GENERATION;		/* [asid_lock, a] */
static unsigned long used[(1 << ARM64_ASID_MAX_BITS) / 64]; /* [asid_lock] */
static u32 nr_asids;				/* [I] */
static u32 hint = 1;				/* [asid_lock] */
static u64 reserved[CONFIG_NR_CPUS];		/* [asid_lock] */
static struct cpumask must_flush;		/* [asid_lock] */
static DEFINE_PER_CPU(u64, asid_live);		/* [a] 0: rolled over */

static void asid_size(void)
{
	u64 bits = read_sysreg(id_aa64mmfr0_el1) >> 4 & 0xf;

	nr_asids = bits == 2 ? 1u << 16 : 1u << 8;
}

/* Start a new generation.  asid_lock held. */
static void roll_over(void)
{
	u32 cpu;

	store_relaxed(&generation, generation + GENERATION);
	memset(used, 0, sizeof(used));
	bitmap_set(used, 0);
	for_each_possible_cpu(cpu) {
		u64 live = xchg_acq_rel(per_cpu_ptr(asid_live, cpu), 0);

		/* Emptied before and not run since: what it had stays. */
		if (!live)
			live = reserved[cpu];
		reserved[cpu] = live;
		bitmap_set(used, live & ASID_MASK);
	}
	must_flush = cpu_possible_mask;
}

/* A space that was live at a roll-over goes on with its ASID. */
static bool keep_reserved(u64 old, u64 new)
{
	bool found = false;
	u32 cpu;

	for_each_possible_cpu(cpu) {
		if (reserved[cpu] == old) {
			reserved[cpu] = new;
			found = true;
		}
	}
	return found;
}

/* An identifier of the running generation.  asid_lock held. */
static u64 new_asid(struct arch_mm *arch)
{
	u64 old = READ_ONCE(arch->asid);
	u32 asid;

	if (old) {
		u64 new = generation | (old & ASID_MASK);

		if (keep_reserved(old, new))
			return new;
		/* Nobody got that number since: no TLB holds it for another. */
		if (!bitmap_test(used, old & ASID_MASK)) {
			bitmap_set(used, old & ASID_MASK);
			return new;
		}
	}
	asid = (u32)bitmap_find_next_zero(used, nr_asids, hint);
	if (asid >= nr_asids) {
		roll_over();
		asid = (u32)bitmap_find_next_zero(used, nr_asids, 1);
	}
	bitmap_set(used, asid);
	hint = asid;
	return generation | asid;
}

static void switch_slow(struct arch_mm *arch)
{
	unsigned long flags = spin_lock_irqsave(&asid_lock);
	u32 cpu = cpu_id();
	u64 asid;

	if (!nr_asids)
		asid_size();
	asid = READ_ONCE(arch->asid);
	if ((asid ^ generation) >> ARM64_ASID_MAX_BITS) {
		asid = new_asid(arch);
		WRITE_ONCE(arch->asid, asid);
	}
	if (bitmap_test(must_flush.bits, cpu)) {
		bitmap_clear(must_flush.bits, cpu);
		__asm__ __volatile__("tlbi vmalle1\n\tdsb nsh" ::: "memory");
	}
	store_relaxed(this_cpu_ptr(asid_live), asid);
	spin_unlock_irqrestore(&asid_lock, flags);
}

void arch_mm_switch(struct mm *prev, struct mm *next)
{
	u64 *live = this_cpu_ptr(asid_live);
	u64 asid, old;

	if (!next) {
		write_sysreg(arch_virt_to_phys(arm64_empty_table), ttbr0_el1);
		arch_isb();
		return;
	}
	asid = READ_ONCE(next->arch.asid);
	old = load_relaxed(live);
	if (!old || (asid ^ load_relaxed(&generation)) >> ARM64_ASID_MAX_BITS ||
	    !try_cmpxchg_relaxed(live, &old, asid)) {
		switch_slow(&next->arch);
		asid = next->arch.asid;
	}
	write_sysreg(arch_virt_to_phys(next->pgd) | asid << 48, ttbr0_el1);
	arch_isb();
}

int arch_mm_init(struct mm *mm)
{
	mm->arch.asid = 0;
	return 0;
}

/*
 * The number is given out again only after a roll-over, and with it every
 * CPU's TLB is emptied, so nothing is left to do.
 */
void arch_mm_destroy(struct mm *mm)
{
}
