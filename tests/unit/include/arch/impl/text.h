/* SPDX-License-Identifier: MIT */
/* The host as an architecture, for tests of code above the arch contract. */
#ifndef SONDE_UNIT_ARCH_TEXT_H
#define SONDE_UNIT_ARCH_TEXT_H

#include <lib/types.h>

struct static_key;

/* Nothing is patched: hooks test their counters. */
static inline bool arch_static_branch(struct static_key *key)
{
	return true;
}

#endif
