/* SPDX-License-Identifier: MIT */
/*
 * Breakpoints, watchpoints and the single step that gets past them; contract
 * in <arch/debug.h>, entry points for the trap handler in <arch/impl/cpu.h>.
 *
 * A hit is taken before the instruction executes.  The slots that could hit
 * again are switched off, the machine executes one instruction with the step
 * bit set, and the step exception switches them on again.  In user mode the
 * step belongs to the task and follows it across switches.  In the kernel it
 * belongs to the CPU, with interrupts masked so that nothing comes between.
 *
 * All state is per CPU, touched only there with everything masked.  Debug
 * exceptions are masked from every exception entry until the handler unmasks
 * them, so that none arrives in here.
 */
#include <arch/debug.h>
#include <arch/impl/cpu.h>
#include <arch/impl/debug_regs.h>
#include <arch/irqflags.h>
#include <arch/mmu.h>
#include <arch/regs.h>
#include <arch/uaccess.h>
#include <kernel/cpu.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <linux/hw_breakpoint.h>

/* From here on an address is the kernel's, whatever ARCH_USER_END is. */
#define KERNEL_FROM (1ull << 48)

enum kind { BREAK, WATCH, KINDS };

struct debug_cpu {
	struct arch_breakpoint *slot[KINDS][DBG_SLOTS_MAX];
	u32 nr_user, nr_kernel;
	bool user_off;		/* a user step is under way here */
	bool kernel_step;	/* a kernel step is */
	u64 masked;		/* PSTATE.I and F before that */
};

static DEFINE_PER_CPU(struct debug_cpu, debug_cpu);

DEFINE_STATIC_KEY(arch_debug_key);
void (*arch_debug_hit)(struct arch_breakpoint *bp, struct pt_regs *regs);

static enum kind kind_of(const struct arch_breakpoint *bp)
{
	return bp->exec ? BREAK : WATCH;
}

u32 arch_debug_slots(bool exec)
{
	u64 dfr = read_sysreg(id_aa64dfr0_el1);

	return ((u32)(dfr >> (exec ? 12 : 20)) & 0xf) + 1;
}

int arch_debug_parse(struct arch_breakpoint *bp, u64 addr, u64 len, u32 type,
		     bool for_task)
{
	u64 within;
	u32 bytes;

	if (type != HW_BREAKPOINT_X && (type & ~HW_BREAKPOINT_RW || !type))
		return -EINVAL;
	if (len < 1 || len > 8)
		return -EINVAL;
	bp->exec = type == HW_BREAKPOINT_X;
	/* An instruction is four bytes, whatever the client believes. */
	if (bp->exec)
		len = 4;
	bp->kernel = addr >= KERNEL_FROM && addr + len - 1 >= KERNEL_FROM;
	bytes = (1u << len) - 1;
	within = bp->exec ? addr & 3 : addr & 7;
	if (!bp->exec && within + len > 8)
		return -EINVAL;
	bytes = bytes << within & 0xff;
	bp->addr = addr - within;
	/* The last bytes below 2^64 wrap to user code, and are the kernel's. */
	bp->guarded = bp->kernel || bp->addr >= KERNEL_FROM;
	bp->control = DBG_E | (bp->kernel ? DBG_EL1 : DBG_EL0) |
		      bytes << DBG_BAS_SHIFT;
	if (!bp->exec)
		bp->control |= type << DBG_LSC_SHIFT;
	bp->slot = -1;
	return bp->kernel && for_task ? -EINVAL : 0;
}

/* --- this CPU's registers ---------------------------------------------- */

static bool is_off(const struct debug_cpu *d, const struct arch_breakpoint *bp)
{
	return d->kernel_step || (d->user_off && !bp->kernel);
}

static void write_control(const struct debug_cpu *d,
			  const struct arch_breakpoint *bp)
{
	u32 control = bp->control;

	if (is_off(d, bp))
		control &= ~DBG_E;
	if (bp->exec)
		dbg_write_bcr((u32)bp->slot, control);
	else
		dbg_write_wcr((u32)bp->slot, control);
}

/*
 * While a user step is under way the kernel's own debug exceptions are off:
 * the step bit would stop it at its first instruction.
 */
static void write_mdscr(const struct debug_cpu *d)
{
	u64 v = read_sysreg(mdscr_el1) &
		~(u64)(MDSCR_SS | MDSCR_KDE | MDSCR_MDE);

	if (d->nr_user || d->nr_kernel)
		v |= MDSCR_MDE;
	if (d->kernel_step || (d->nr_kernel && !d->user_off))
		v |= MDSCR_KDE;
	if (d->kernel_step || d->user_off)
		v |= MDSCR_SS;
	write_sysreg(v, mdscr_el1);
	dbg_isb();
}

static void write_all(struct debug_cpu *d)
{
	u32 k, i;

	for (k = 0; k < KINDS; k++)
		for (i = 0; i < DBG_SLOTS_MAX; i++)
			if (d->slot[k][i])
				write_control(d, d->slot[k][i]);
	write_mdscr(d);
}

void arch_debug_init_cpu(void)
{
	struct debug_cpu *d = this_cpu_ptr(debug_cpu);
	u32 i;

	/* The lock is there for whoever saves the registers at power off. */
	write_sysreg(0, osdlr_el1);
	write_sysreg(0, oslar_el1);
	dbg_isb();
	for (i = 0; i < arch_debug_slots(true); i++) {
		dbg_write_bcr(i, 0);
		dbg_write_bvr(i, 0);
	}
	for (i = 0; i < arch_debug_slots(false); i++) {
		dbg_write_wcr(i, 0);
		dbg_write_wvr(i, 0);
	}
	d->user_off = d->kernel_step = false;
	write_mdscr(d);
}

int arch_debug_install(struct arch_breakpoint *bp)
{
	struct debug_cpu *d = this_cpu_ptr(debug_cpu);
	u32 i, n = arch_debug_slots(bp->exec);
	enum kind kind = kind_of(bp);

	for (i = 0; i < n && d->slot[kind][i]; i++)
		;
	if (i == n)
		return -ENOSPC;
	d->slot[kind][i] = bp;
	bp->slot = (s32)i;
	if (bp->kernel)
		d->nr_kernel++;
	else
		d->nr_user++;
	if (bp->exec)
		dbg_write_bvr(i, bp->addr);
	else
		dbg_write_wvr(i, bp->addr);
	write_control(d, bp);
	write_mdscr(d);
	return 0;
}

void arch_debug_remove(struct arch_breakpoint *bp)
{
	struct debug_cpu *d = this_cpu_ptr(debug_cpu);

	if (bp->slot < 0)
		return;
	if (bp->exec)
		dbg_write_bcr((u32)bp->slot, 0);
	else
		dbg_write_wcr((u32)bp->slot, 0);
	d->slot[kind_of(bp)][bp->slot] = NULL;
	bp->slot = -1;
	if (bp->kernel)
		d->nr_kernel--;
	else
		d->nr_user--;
	write_mdscr(d);
}

/* --- the step past a hit ----------------------------------------------- */

static void step_user(struct debug_cpu *d, struct pt_regs *regs)
{
	current->arch.debug_step = 1;
	regs->pstate |= PSR_SS;
	d->user_off = true;
	write_all(d);
}

/* DAIF accesses would see, or undo, the masking of the step. */
static bool emulate_daif(struct pt_regs *regs)
{
	u64 all = 0xfull << 6, bits, *reg, none = 0;
	u32 insn;

	if (arch_copy_kernel_nofault(&insn, _text + (regs->pc -
						     (uintptr_t)_text),
				     sizeof(insn)))
		return false;
	bits = (u64)(insn >> 8 & 0xf) << 6;
	reg = (insn & 31) == 31 ? &none : &regs->regs[insn & 31];
	if ((insn & 0xfffff0ff) == 0xd50340df)
		regs->pstate |= bits;
	else if ((insn & 0xfffff0ff) == 0xd50340ff)
		regs->pstate &= ~bits;
	else if ((insn & 0xffffffe0) == 0xd53b4220)
		*reg = regs->pstate & all;
	else if ((insn & 0xffffffe0) == 0xd51b4220)
		regs->pstate = (regs->pstate & ~all) | (*reg & all);
	else
		return false;
	regs->pc += 4;
	return true;
}

static void step_kernel(struct debug_cpu *d, struct pt_regs *regs)
{
	if (d->kernel_step || emulate_daif(regs))
		return;
	d->kernel_step = true;
	d->masked = regs->pstate & (PSR_I | PSR_F);
	regs->pstate |= PSR_SS | PSR_I | PSR_F;
	write_all(d);
}

/* The instruction is done, or has faulted and must be tried again. */
static void end_kernel_step(struct debug_cpu *d, struct pt_regs *regs)
{
	regs->pstate &= ~(u64)(PSR_SS | PSR_I | PSR_F);
	regs->pstate |= d->masked;
	d->kernel_step = false;
	write_all(d);
}

static void step_past(struct debug_cpu *d, struct pt_regs *regs)
{
	if (regs_user_mode(regs))
		step_user(d, regs);
	else
		step_kernel(d, regs);
}

/* True: it was ours.  False: a debugger's, or nobody's. */
bool arm64_debug_step(struct pt_regs *regs)
{
	struct debug_cpu *d = this_cpu_ptr(debug_cpu);

	if (!regs_user_mode(regs)) {
		end_kernel_step(d, regs);
		return true;
	}
	regs->pstate &= ~(u64)PSR_SS;
	d->user_off = false;
	write_all(d);
	if (!current->arch.debug_step)
		return false;
	current->arch.debug_step = 0;
	return true;
}

void arm64_debug_step_fault(struct pt_regs *regs)
{
	struct debug_cpu *d = this_cpu_ptr(debug_cpu);

	if (d->kernel_step)
		end_kernel_step(d, regs);
}

void arch_debug_switch_body(struct task *prev, struct task *next)
{
	struct debug_cpu *d = this_cpu_ptr(debug_cpu);

	if (d->user_off == (next->arch.debug_step != 0))
		return;
	d->user_off = next->arch.debug_step != 0;
	write_all(d);
}

/* --- hits -------------------------------------------------------------- */

/* False: no breakpoint of ours is there. */
bool arm64_debug_break(struct pt_regs *regs)
{
	struct debug_cpu *d = this_cpu_ptr(debug_cpu);
	bool found = false;
	u32 i;

	for (i = 0; i < DBG_SLOTS_MAX; i++) {
		struct arch_breakpoint *bp = d->slot[BREAK][i];

		if (!bp || bp->addr != (regs->pc & ~3ull) ||
		    !(DBG_BAS(bp->control) >> (regs->pc & 3) & 1))
			continue;
		found = true;
		arch_debug_hit(bp, regs);
	}
	if (found)
		step_past(d, regs);
	return found;
}

static u64 distance(const struct arch_breakpoint *bp, u64 addr)
{
	u32 bytes = DBG_BAS(bp->control);
	u64 low, high;

	if (!bytes)
		return ~0ull;
	low = bp->addr + (u32)__builtin_ctz(bytes);
	high = bp->addr + 31 - (u32)__builtin_clz(bytes);
	if (addr < low)
		return low - addr;
	return addr > high ? addr - high : 0;
}

/* A user watchpoint that the kernel's own copy met is not counted. */
static void report_watch(struct arch_breakpoint *bp, struct pt_regs *regs)
{
	if (regs_user_mode(regs) || bp->kernel)
		arch_debug_hit(bp, regs);
}

/*
 * The address may lie before what is watched, when a wide access met it: then
 * the nearest one is meant.
 */
bool arm64_debug_watch(struct pt_regs *regs, u64 addr, bool write)
{
	struct debug_cpu *d = this_cpu_ptr(debug_cpu);
	struct arch_breakpoint *near = NULL;
	u32 i, access = write ? HW_BREAKPOINT_W : HW_BREAKPOINT_R;
	u64 best = ~0ull;

	for (i = 0; i < DBG_SLOTS_MAX; i++) {
		struct arch_breakpoint *bp = d->slot[WATCH][i];
		u64 dist;

		if (!bp || !(DBG_LSC(bp->control) & access))
			continue;
		dist = distance(bp, addr);
		if (!dist)
			report_watch(bp, regs);
		if (dist < best) {
			best = dist;
			near = bp;
		}
	}
	if (!near)
		return false;
	if (best)
		report_watch(near, regs);
	step_past(d, regs);
	return true;
}
