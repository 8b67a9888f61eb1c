/* SPDX-License-Identifier: MIT */
/*
 * What the files of the kprobe engine share.
 */
#ifndef SONDE_PROBES_KPROBE_INTERNAL_H
#define SONDE_PROBES_KPROBE_INTERNAL_H

#include <lib/types.h>

extern const char _text[];

/* The bytes of the image at addr. */
static __always_inline const char *kprobe_text(u64 addr)
{
	return _text + (addr - (uintptr_t)_text);
}

/* Is addr in text that is not excluded (kprobe_where.c)?  Task context. */
bool kprobe_allowed(u64 addr);

/*
 * Bracket of whatever a probe calls: everything masked.  False: this CPU is
 * in there already, or in the overflow interrupt, and the hit is missed.
 */
bool kprobe_enter(void);
void kprobe_leave(void);

#endif /* SONDE_PROBES_KPROBE_INTERNAL_H */
