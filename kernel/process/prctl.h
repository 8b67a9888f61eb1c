/* SPDX-License-Identifier: MIT */
/* Options of prctl(2) that live with what they change. */
#ifndef SONDE_KERNEL_PROCESS_PRCTL_H
#define SONDE_KERNEL_PROCESS_PRCTL_H

#include <lib/types.h>

/* capability.c */
long prctl_capbset_drop(u64 cap);
long prctl_set_securebits(u64 bits);
long prctl_set_keepcaps(u64 keep);
long prctl_cap_ambient(u64 op, u64 cap, u64 arg4, u64 arg5);

#endif /* SONDE_KERNEL_PROCESS_PRCTL_H */
