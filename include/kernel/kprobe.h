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

struct call_frames;
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
	struct kprobe *chain;		/* the caller's: see kprobes_register */
};

struct kretprobe {
	struct kprobe entry;		/* addr by the caller, the rest not */
	/*
	 * A call begins; false: it is not followed.  *cookie is 0, and comes
	 * back with the return.  Optional.
	 */
	bool (*entered)(struct kretprobe *rp, struct pt_regs *regs,
			u64 *cookie);	/* [I] */
	/*
	 * The function at func returns to ret; regs as at the return, the
	 * program counter being ret.
	 */
	void (*returned)(struct kretprobe *rp, struct pt_regs *regs, u64 func,
			 u64 ret, u64 cookie);	/* [I] */
	bool in_frames;			/* [I] see call_frames_use */
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
/*
 * The same for all that hang on p by `chain`, or for none: the other CPUs are
 * stopped once for many of them.  p may be NULL.
 */
int kprobes_register(struct kprobe *p);
/* Afterwards no handler runs, nor will.  Waits.  Task context. */
void kprobe_unregister(struct kprobe *p);
/* The same for a chain, which waits once. */
void kprobes_unregister(struct kprobe *p);
int kretprobe_register(struct kretprobe *rp);
/* Entries of return probes, chained. */
int kretprobes_register(struct kprobe *entries);
void kretprobe_unregister(struct kretprobe *rp);
void kretprobes_unregister(struct kprobe *entries);
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

/*
 * Probes that are in_frames share a stack of CALL_FRAMES calls in each task
 * instead of having instances each: none is missed because others sleep in the
 * same function.  Call before the first one is registered, as often as wanted:
 * every task gets one, now or when it is made.  0 or -ENOMEM.  Task context.
 */
#define CALL_FRAMES 50
int call_frames_use(void);
/*
 * From entered or returned: how many calls of current are followed so, this
 * one included, and the cookie of the nth one from here (0: this one).
 */
u32 call_frames_depth(void);
u64 call_frames_cookie(u32 nth);

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
