/* SPDX-License-Identifier: MIT */
/*
 * What the files of the kprobe engine share.
 */
#ifndef SONDE_PROBES_KPROBE_INTERNAL_H
#define SONDE_PROBES_KPROBE_INTERNAL_H

#include <kernel/kprobe.h>
#include <lib/types.h>

struct kprobe;
struct kretprobe_pool;
struct seq;

/* A call that a return probe follows; kretprobe.c. */
struct kretprobe_instance {
	struct kretprobe_instance *next;	/* [own task] */
	struct kretprobe_pool *pool;		/* [own task] */
	u64 func, ret;				/* [own task] */
	u64 fp;					/* [own task] the caller's */
	u64 cookie;				/* [own task] the probe's */
	u32 used;				/* [a] not in frames */
};

/* Calls that a task is in, the newest last; frames.c. */
struct call_frames {
	u32 depth;				/* [own task] */
	struct kretprobe_instance call[CALL_FRAMES];
};

extern const char _text[];

/* The bytes of the image at addr. */
static __always_inline const char *kprobe_text(u64 addr)
{
	return _text + (addr - (uintptr_t)_text);
}

/* Is addr in text that is not excluded (kprobe_where.c)?  Task context. */
bool kprobe_allowed(u64 addr);

/*
 * Excluded functions, name with room for KSYM_NAME_MAX; *at is 0 at first.
 * False: no more.  Any context.
 */
bool kprobe_excluded(u32 *at, u64 *start, u64 *end, char *name);

/* Is it the entry of a return probe? */
bool kretprobe_is_entry(const struct kprobe *p);

/* A line of debugfs/kprobes/list. */
typedef void kprobe_show(struct seq *s, u64 addr, bool is_return,
			 bool disabled);
kprobe_show kprobe_list_line;
/* All registered probes.  Task context. */
void kprobe_for_each(struct seq *s, kprobe_show *show);

/*
 * Are breakpoints in the text, as they should be?  Else probes can be
 * registered, and are hit once they are.  Task context.
 */
bool kprobes_armed(void);
int kprobes_arm(bool on);

/*
 * Bracket of whatever a probe calls: everything masked.  False: this CPU is
 * in there already, or in the overflow interrupt, and the hit is missed.
 */
bool kprobe_enter(void);
void kprobe_leave(void);

#endif /* SONDE_PROBES_KPROBE_INTERNAL_H */
