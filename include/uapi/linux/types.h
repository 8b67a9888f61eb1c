/* SPDX-License-Identifier: MIT */
/*
 * Fixed-width types of the ABI headers; nothing of the kernel's own.
 */
#ifndef UAPI_LINUX_TYPES_H
#define UAPI_LINUX_TYPES_H

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
__extension__ typedef unsigned long long __u64;
typedef signed char __s8;
typedef short __s16;
typedef int __s32;
__extension__ typedef long long __s64;

/* Always eight-byte aligned, whatever the architecture thinks of __u64. */
#define __aligned_u64 __u64 __attribute__((aligned(8)))

#endif /* UAPI_LINUX_TYPES_H */
