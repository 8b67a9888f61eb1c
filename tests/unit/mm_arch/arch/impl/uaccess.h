/* SPDX-License-Identifier: MIT */
/* A machine for the host test of kernel/mm: user copies that always fail. */
#include <lib/types.h>
size_t arch_copy_from_user(void *to, const void *from, size_t n);
size_t arch_copy_to_user(void *to, const void *from, size_t n);
size_t arch_clear_user(void *to, size_t n);
size_t arch_copy_user_nofault(void *to, const void *from, size_t n);
long arch_strncpy_from_user(char *to, const char *from, size_t n);
#define arch_get_user(dst, ptr) ((dst) = 0, (void)(ptr), -14)
#define arch_put_user(val, ptr) ((void)(val), (void)(ptr), -14)
