/* SPDX-License-Identifier: MIT */
/*
 * What uname(2), /proc/version and /proc/sys/kernel call this kernel.
 *
 * The release begins with the version of Linux whose system-call ABI this is,
 * since programs parse it; the version text is that of the build.
 */
#ifndef SONDE_KERNEL_UTSNAME_H
#define SONDE_KERNEL_UTSNAME_H

#define UTS_SYSNAME "Linux"
#define UTS_RELEASE "6.1.0-sonde"
#define UTS_VERSION "#1 SMP PREEMPT"
#define UTS_BUILDER "sonde@sonde"

#endif /* SONDE_KERNEL_UTSNAME_H */
