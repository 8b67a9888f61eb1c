/* SPDX-License-Identifier: MIT */
/*
 * Memory and string functions of the kernel (kernel/lib/string.c). memcpy,
 * memmove and memset may come from the architecture instead: see
 * <arch/string.h>. Semantics are those of C, save for the named
 * kernel forms:
 *   strlcpy_k   copies with a bound, always terminates, returns the length
 *               copied or -E2BIG when the source was cut;
 *   memzero     memset to zero; memzero_explicit is never optimised away;
 *   strtok_k    cuts the next field out of *s at any of the delimiters.
 */
#ifndef SONDE_LIB_STRING_H
#define SONDE_LIB_STRING_H

#include <lib/types.h>

void *memcpy(void *dst, const void *src, size_t n);
void *memmove(void *dst, const void *src, size_t n);
void *memset(void *dst, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *s, int c, size_t n);
void *memmem(const void *hay, size_t hay_len, const void *needle,
	     size_t needle_len);

/* First byte that differs from c, or NULL when all n are c. */
void *memchr_inv(const void *s, int c, size_t n);

size_t strlen(const char *s);
size_t strnlen(const char *s, size_t max);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);
char *strchrnul(const char *s, int c);
char *strrchr(const char *s, int c);
char *strstr(const char *hay, const char *needle);
size_t strspn(const char *s, const char *accept);
size_t strcspn(const char *s, const char *reject);
char *strpbrk(const char *s, const char *accept);

ssize_t strlcpy_k(char *dst, const char *src, size_t size);
char *strtok_k(char **s, const char *delims);
char *strim_k(char *s);

/* Shell pattern of '*', '?' and [set] over the whole string. */
bool glob_match(const char *pattern, const char *s);

static inline void memzero(void *dst, size_t n)
{
	memset(dst, 0, n);
}

static inline void memzero_explicit(void *dst, size_t n)
{
	memset(dst, 0, n);
	__asm__ __volatile__("" : : "r"(dst) : "memory");
}

static inline bool str_has_prefix(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static inline bool streq(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

#endif /* SONDE_LIB_STRING_H */
