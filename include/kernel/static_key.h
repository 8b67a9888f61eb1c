/* SPDX-License-Identifier: MIT */
/*
 * Static branches: a hook that nobody uses costs one nop.
 *
 * static_key_inc/dec change the count; 0 -> 1 patches every branch of the
 * key, 1 -> 0 patches back.  Task context (text mutex).  Before
 * static_keys_init() the keys keep their built-in value.
 */
#ifndef SONDE_KERNEL_STATIC_KEY_H
#define SONDE_KERNEL_STATIC_KEY_H

#include <lib/types.h>

struct static_key {
	s32 count;		/* [text mutex], read anywhere */
};

/* One entry per branch site, in __static_keys (relative: 4-byte offsets). */
struct static_key_site {
	s32 code;		/* the patched instruction, PC-relative */
	s32 target;		/* where the taken branch goes */
	s64 key;		/* the key, PC-relative */
};

#define DEFINE_STATIC_KEY(name)	 struct static_key name = { 0 }
#define DECLARE_STATIC_KEY(name) extern struct static_key name

#include <arch/text.h>

/* True when the key is on; falls through on a nop otherwise. */
#define static_branch(key) arch_static_branch(&(key))

void static_key_inc(struct static_key *key);
void static_key_dec(struct static_key *key);
static inline bool static_key_is_on(const struct static_key *key)
{
	return __atomic_load_n(&key->count, __ATOMIC_RELAXED) > 0;
}
void static_keys_init(void);
/* Is the instruction at addr the branch of some key? */
bool static_key_at(u64 addr);

struct mutex;
extern struct mutex text_mutex;	/* whoever changes kernel text holds it */

#endif /* SONDE_KERNEL_STATIC_KEY_H */
