/* SPDX-License-Identifier: MIT */
/*
 * Basic types of the kernel. u64 is unsigned long long on every architecture,
 * like __u64 of the ABI, so %llu and %llx print both; size_t and uintptr_t are
 * unsigned long (%lu, %lx). Includes only compiler.h and what the compiler
 * itself brings.
 */
#ifndef SONDE_LIB_TYPES_H
#define SONDE_LIB_TYPES_H

#include <lib/compiler.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;

typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef long ssize_t;

/* A 128-bit product; only <lib/math64.h> has business with it. */
__extension__ typedef unsigned __int128 u128;

#define U8_MAX	  ((u8)~0U)
#define U16_MAX	  ((u16)~0U)
#define U32_MAX	  ((u32)~0U)
#define U64_MAX	  (~0ULL)
#define S8_MAX	  ((s8)0x7f)
#define S16_MAX	  ((s16)0x7fff)
#define S32_MAX	  ((s32)0x7fffffff)
#define S32_MIN	  (-S32_MAX - 1)
#define S64_MAX	  ((s64)(U64_MAX >> 1))
#define S64_MIN	  (-S64_MAX - 1)
#define INT_MAX	  ((int)(~0U >> 1))
#define INT_MIN	  (-INT_MAX - 1)
#define UINT_MAX  (~0U)
#define LONG_MAX  ((long)(~0UL >> 1))
#define LONG_MIN  (-LONG_MAX - 1)
#define ULONG_MAX (~0UL)
#define SIZE_MAX  (~(size_t)0)

BUILD_ASSERT(sizeof(u64) == 8 && sizeof(u32) == 4 && sizeof(u16) == 2);
BUILD_ASSERT(sizeof(long) == sizeof(void *));

#endif /* SONDE_LIB_TYPES_H */
