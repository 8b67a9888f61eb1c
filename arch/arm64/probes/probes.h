/* SPDX-License-Identifier: MIT */
/*
 * What the files of arch/arm64/probes share.
 */
#ifndef SONDE_ARM64_PROBES_INTERNAL_H
#define SONDE_ARM64_PROBES_INTERNAL_H

#include <lib/types.h>

/* current's live register V<n>, low word first.  Interrupts as they are. */
void arm64_probe_set_v(u32 n, const u64 value[2]);

#endif /* SONDE_ARM64_PROBES_INTERNAL_H */
