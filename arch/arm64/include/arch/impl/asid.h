/* SPDX-License-Identifier: MIT */
/*
 * The hardware's view of an address space identifier; see mm/asid.c.
 */
#ifndef SONDE_ARM64_ASID_H
#define SONDE_ARM64_ASID_H

#include <arch/mmu.h>
#include <lib/compiler.h>
#include <lib/types.h>

#define ARM64_ASID_MAX_BITS 16

/* The low bits of the identifier, whatever its generation. */
static inline u64 arm64_asid(const struct arch_mm *arch)
{
	return READ_ONCE(arch->asid) & ((1u << ARM64_ASID_MAX_BITS) - 1);
}

#endif /* SONDE_ARM64_ASID_H */
