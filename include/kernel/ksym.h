/* SPDX-License-Identifier: MIT */
/*
 * The kernel's own symbols, from the table that scripts/kallsyms links in.
 * All of it is constant after the link: any context, no lock.
 */
#ifndef SONDE_KERNEL_KSYM_H
#define SONDE_KERNEL_KSYM_H

#include <lib/types.h>

#define KSYM_NAME_MAX 128

/* Name and distance from the symbol that covers addr; false: not in text. */
bool ksym_lookup(u64 addr, char name[KSYM_NAME_MAX], u64 *offset, u64 *size);
/* Address of an exact name; how many there are goes to *count. 0: none. */
u64 ksym_address(const char *name, u32 *count);
/* Iterate: n-th symbol in address order; false past the end. */
bool ksym_get(u32 n, u64 *addr, char *type, char name[KSYM_NAME_MAX]);
u32 ksym_count(void);
/* "name+0x12/0x40" */
size_t ksym_format(char *buf, size_t size, u64 addr);
/* Teach printf "%pS" and "%pB".  Boot CPU, before the first message. */
void ksym_init(void);
/* Is addr inside kernel text (init text included)? */
bool ksym_is_text(u64 addr);

#endif /* SONDE_KERNEL_KSYM_H */
