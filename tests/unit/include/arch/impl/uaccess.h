/* SPDX-License-Identifier: MIT */
/* The host as an architecture, for tests of code above the arch contract. */
#ifndef SONDE_UNIT_ARCH_UACCESS_H
#define SONDE_UNIT_ARCH_UACCESS_H

#include <lib/types.h>

/* Bytes not copied: the test says how much of user memory there is. */
size_t arch_copy_user_nofault(void *to, const void __user *from, size_t n);
size_t arch_copy_from_user(void *to, const void __user *from, size_t n);
size_t arch_copy_to_user(void __user *to, const void *from, size_t n);
size_t arch_clear_user(void __user *to, size_t n);
long arch_strncpy_from_user(char *to, const char __user *from, size_t n);

#endif
