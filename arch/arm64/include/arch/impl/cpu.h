/* SPDX-License-Identifier: MIT */
/*
 * What the files of arch/arm64 share and nobody else sees: boot data, CPU
 * features, entry points that assembly calls, and the interrupt controller's
 * driver interface.
 */
#ifndef SONDE_ARM64_CPU_H
#define SONDE_ARM64_CPU_H

#include <arch/mmu.h>
#include <arch/thread.h>
#include <lib/fdt.h>
#include <lib/types.h>

struct pt_regs;
struct task;

/* Boot. */
extern u64 arm64_fdt_pa;		/* [I] as the loader gave it */
extern u64 arm64_boot_el;		/* [I] CurrentEL at entry */
extern u64 arm64_ttbr1;			/* [I] final kernel tables, physical */
extern struct fdt arm64_fdt;		/* [I] valid after arch_boot_info */
extern char arm64_boot_stack[];
extern char vectors[], secondary_entry[];
extern char _text[], _stext[], _etext[], _srodata[], _erodata[], _end[];
extern char _sro_after_init[], _ero_after_init[];
extern char entry_text_start[], entry_text_end[];
extern u64 boot_idmap[], boot_pgd[], arm64_fixed_table[], arm64_empty_table[];

void arm64_map_fdt_early(void);
void arm64_map_kernel(void);
void arm64_fixed_map(unsigned int slot, u64 pa, u32 prot);
void arm64_console_init(void);
void arm64_task_start(void);

/* Features: one bit each, the same on every CPU; set by the boot CPU. */
enum arm64_feature {
	ARM64_HAS_PAN,
	ARM64_HAS_LSE,
	ARM64_HAS_RNG,
	ARM64_HAS_DCZVA,
	ARM64_HAS_GIC_CPUIF,
	ARM64_HAS_IDST,
};
extern u64 arm64_features;		/* [I] after arm64_features_init */

static inline bool arm64_has(enum arm64_feature feature)
{
	return arm64_features & (1ull << feature);
}

void arm64_features_init(void);
void arm64_features_cpu(void);		/* every CPU, once on itself */
bool arm64_id_register(u32 sys, u64 *value);

/* Once per CPU number, before it takes interrupts.  Task context. */
int arm64_irq_stack_alloc(u32 cpu);

/* From assembly. */
void arm64_el0_sync(struct pt_regs *regs, u64 esr);
void arm64_el1_sync(struct pt_regs *regs, u64 esr);
bool arm64_irq(struct pt_regs *regs);
void arm64_preempt(void);
void arm64_user_work(struct pt_regs *regs);
void arm64_serror(struct pt_regs *regs, u64 esr);
void arm64_bad_exception(struct pt_regs *regs, u64 reason);
void arm64_stack_overflow(struct pt_regs *regs);
void arm64_secondary_start(void);
void idmap_replace_ttbr1(u64 table);
void arm64_fpsimd_save(struct arch_fpsimd *fp);
void arm64_fpsimd_load(const struct arch_fpsimd *fp);

/* Is there a fix-up for this instruction? */
bool arm64_in_extable(u64 pc);
void arm64_extable_sort(void);

/* Undefined or trapped in user mode: true when emulated. */
bool arm64_emulate(struct pt_regs *regs, u64 esr);

/*
 * Debug exceptions (cpu/debug.c), everything masked.  False: not ours.  A
 * fault in the middle of a kernel step ends it: step_fault.
 */
bool arm64_debug_break(struct pt_regs *regs);
bool arm64_debug_watch(struct pt_regs *regs, u64 addr, bool write);
bool arm64_debug_step(struct pt_regs *regs);
void arm64_debug_step_fault(struct pt_regs *regs);

/* PSCI (cpu/psci.c). */
long arm64_psci(u64 fn, u64 a1, u64 a2, u64 a3);
#define PSCI_CPU_OFF	   0x84000002u
#define PSCI_CPU_ON	   0xc4000003u
#define PSCI_AFFINITY_INFO 0xc4000004u
#define PSCI_SYSTEM_OFF	   0x84000008u
#define PSCI_SYSTEM_RESET  0x84000009u

void arm64_dcache_clean_poc(const void *va, size_t size);

#endif /* SONDE_ARM64_CPU_H */
