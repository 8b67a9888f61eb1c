/* SPDX-License-Identifier: MIT */
/*
 * Who may see kernel addresses: kernel.kptr_restrict, at one door.
 */
#ifndef SONDE_KERNEL_KPTR_H
#define SONDE_KERNEL_KPTR_H

#include <lib/types.h>

struct cred;

extern s32 sysctl_kptr_restrict;	/* [a] 0, 1 or 2 */
extern s32 sysctl_dmesg_restrict;	/* [a] 0 or 1; syslog(2), /dev/kmsg */
extern s32 sysctl_perf_event_paranoid;	/* [a] -1 to 3; kernel/perf uses it */

/*
 * May who opened a file with these credentials read kernel addresses from
 * it?  0: everybody when perf_event_paranoid is at most 1, else CAP_SYSLOG;
 * 1: CAP_SYSLOG; 2: nobody (observed on the reference).  Any context.
 */
bool kptr_may_show(const struct cred *cred);

#endif /* SONDE_KERNEL_KPTR_H */
