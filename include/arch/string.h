/* SPDX-License-Identifier: MIT */
/*
 * Memory primitives.  An architecture that defines ARCH_HAS_MEMCPY (and
 * friends) in <arch/impl/string.h> supplies memcpy, memmove and memset in
 * assembly; kernel/lib holds portable ones.  arch_clear_page and
 * arch_copy_page work on whole, aligned 4 KiB pages of the linear map.
 * Any context.
 */
#ifndef SONDE_ARCH_STRING_H
#define SONDE_ARCH_STRING_H

#include <arch/impl/string.h>

void arch_clear_page(void *page);
void arch_copy_page(void *to, const void *from);

#endif /* SONDE_ARCH_STRING_H */
