/* SPDX-License-Identifier: MIT */
/*
 * Which memory primitives arm64 has in assembly (arch/arm64/mm/string.S);
 * contract in <arch/string.h>.
 */
#ifndef SONDE_ARM64_STRING_H
#define SONDE_ARM64_STRING_H

#define ARCH_HAS_MEMCPY
#define ARCH_HAS_MEMMOVE
#define ARCH_HAS_MEMSET
#define ARCH_HAS_CLEAR_PAGE
#define ARCH_HAS_COPY_PAGE

#endif /* SONDE_ARM64_STRING_H */
