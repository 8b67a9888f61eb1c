/* SPDX-License-Identifier: MIT */
/*
 * Interrupt handlers by controller number, irq_work, and statistics.
 *
 * Arch entry calls irq_enter(); irq_handle(n, regs) for each pending one;
 * irq_exit().  The interrupted frame is kept per CPU: irq_regs().
 */
#ifndef SONDE_KERNEL_IRQ_H
#define SONDE_KERNEL_IRQ_H

#include <lib/types.h>

struct pt_regs;

/* [hard interrupt, ordinary interrupts masked] */
typedef void irq_handler_fn(u32 irq, struct pt_regs *regs, void *arg);

/*
 * Install a handler (one per number).  A per-CPU interrupt still has to be
 * unmasked on each CPU with arch_irq_unmask.  -EBUSY, -EINVAL.  Boot or task
 * context.
 */
int irq_request(u32 irq, irq_handler_fn *fn, void *arg, const char *name);
void irq_free(u32 irq);

/* Called by arch code. */
void irq_enter(struct pt_regs *regs);
void irq_handle(u32 irq, struct pt_regs *regs);
void irq_exit(void);
/*
 * In place of irq_enter and irq_exit where the overflow interrupt came through
 * the mask of ordinary ones.  Everything masked.
 */
void nmi_enter(struct pt_regs *regs);
void nmi_exit(void);

/* The frame that this CPU's running interrupt interrupted, else NULL. */
struct pt_regs *irq_regs(void);

/* Interrupts taken by cpu (for /proc/stat). */
u64 irq_count_total(u32 cpu);
/* Of one number, and whose it is (for /proc/interrupts); false: nobody's. */
u64 irq_count(u32 irq, u32 cpu);
bool irq_describe(u32 irq, const char **name);

/*
 * irq_work: run fn soon, in hard-interrupt context of this CPU, with ordinary
 * interrupts masked.  Queueing is lock-free and allowed in any context, the
 * overflow interrupt included; a work that is already pending stays so.
 */
struct irq_work {
	struct irq_work *next;		/* [per-CPU lock-free list] */
	void (*fn)(struct irq_work *work);
	u32 pending;			/* [a] */
};

static inline void irq_work_init(struct irq_work *work,
				 void (*fn)(struct irq_work *work))
{
	work->next = NULL;
	work->fn = fn;
	work->pending = 0;
}

bool irq_work_queue(struct irq_work *work);
/* Wait until work has run or was idle.  Task context. */
void irq_work_sync(struct irq_work *work);
/*
 * Run what is on this CPU's list: the way out of an interrupt.  True: more came
 * meanwhile, and the work interrupt was sent for it.
 */
bool irq_work_run(void);

#endif /* SONDE_KERNEL_IRQ_H */
