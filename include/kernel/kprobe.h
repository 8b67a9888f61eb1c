/* SPDX-License-Identifier: MIT */
/*
 * Probes in kernel text: call a handler when an instruction is about to
 * execute, or when a function returns.
 *
 * Handlers run with everything masked, as the overflow interrupt does: no
 * lock, no allocation, no wake-up.  A probe that is hit while this CPU is in
 * a handler is counted as missed and the instruction executed.  Several
 * probes may share an address.
 *
 * Who guards what: [I] immutable while registered, [a] atomic, [K] the
 * engine's mutex, [C] own CPU with everything masked.
 */
#ifndef SONDE_KERNEL_KPROBE_H
#define SONDE_KERNEL_KPROBE_H

#include <lib/list.h>
#include <lib/types.h>

struct kprobe_point;
struct kretprobe_pool;
struct pt_regs;
struct task;

struct kprobe {
	u64 addr;			/* [I] */
	void (*hit)(struct kprobe *p, struct pt_regs *regs);	/* [I] */
	u64 hits, missed;		/* [a] */
	struct list_head link;		/* [K], walked lock-free */
	struct kprobe_point *point;	/* [K] NULL: not registered */
};

struct kretprobe {
	struct kprobe entry;		/* addr by the caller, the rest not */
	/*
	 * The function at func returns to ret; regs as at the return, the
	 * program counter being ret.
	 */
	void (*returned)(struct kretprobe *rp, struct pt_regs *regs, u64 func,
			 u64 ret);	/* [I] */
	u32 max_active;			/* [I] 0: chosen by the engine */
	u64 missed;			/* [a] calls without an instance */
	struct kretprobe_pool *pool;	/* [K] */
};

#ifdef CONFIG_KPROBES

/*
 * Task context, may sleep.  -ENOENT: not in the kernel's image; -EINVAL: a
 * place where none may be, or inside an instruction; -ENOMEM.
 */
int kprobe_register(struct kprobe *p);
/* Afterwards no handler runs, nor will.  Waits.  Task context. */
void kprobe_unregister(struct kprobe *p);
int kretprobe_register(struct kretprobe *rp);
void kretprobe_unregister(struct kretprobe *rp);
/* How many calls it can follow at a time. */
u32 kretprobe_max_active(const struct kretprobe *rp);

/* 0 or what kprobe_register would say of addr. */
int kprobe_check(u64 addr);
/*
 * Address of a symbol plus offset.  0; -ENOENT: there is none;
 * -EADDRNOTAVAIL: there are several; -EINVAL: offset beyond its end.
 */
int kprobe_resolve(const char *symbol, u64 offset, u64 *addr);
/* Is addr the first instruction of a function? */
bool kprobe_on_entry(u64 addr);


/* From the breakpoint exception, masked.  False: no probe is there. */
bool kprobe_hit(struct pt_regs *regs);
/* A fault: if it was the copy of a probed instruction, it was at the probe. */
void kprobe_faulted(struct pt_regs *regs);
/* From the trampoline, masked: where to go on. */
u64 kretprobe_returned(struct pt_regs *regs);

#else

static inline bool kprobe_hit(struct pt_regs *regs)
{
	return false;
}
static inline void kprobe_faulted(struct pt_regs *regs)
{
}

#endif

#endif /* SONDE_KERNEL_KPROBE_H */
