/* SPDX-License-Identifier: MIT */
/* A machine for the host test of kernel/mm: nothing is patched. */
#include <lib/types.h>
struct static_key;
static inline bool arch_static_branch(struct static_key *key)
{
	return false;
}
