// SPDX-License-Identifier: MIT
/*
 * Comparing, searching and cutting of memory and strings.
 *
 * Entry points: <lib/string.h>; memcpy, memmove and memset are in memory.c or
 * the architecture's. No locks, no allocation, any context. The compiler must
 * not turn a body here into a call of the function itself, hence the flag on
 * this object in the Makefile.
 */
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

int memcmp(const void *a, const void *b, size_t n)
{
	const u8 *x = a;
	const u8 *y = b;

	/* What is equal is mostly aligned, and told by words. */
	if (!(((uintptr_t)x | (uintptr_t)y) & 3))
		for (; n >= 4 && *(const u32 *)x == *(const u32 *)y; n -= 4) {
			x += 4;
			y += 4;
		}
	for (; n; n--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}

void *memchr(const void *s, int c, size_t n)
{
	const u8 *p = s;

	for (; n; n--, p++)
		if (*p == (u8)c)
			return (void *)p;
	return NULL;
}

void *memchr_inv(const void *s, int c, size_t n)
{
	const u8 *p = s;

	for (; n; n--, p++)
		if (*p != (u8)c)
			return (void *)p;
	return NULL;
}

void *memmem(const void *hay, size_t hay_len, const void *needle,
	     size_t needle_len)
{
	const u8 *p = hay;

	for (; hay_len >= needle_len; hay_len--, p++)
		if (memcmp(p, needle, needle_len) == 0)
			return (void *)p;
	return NULL;
}

size_t strlen(const char *s)
{
	const char *p = s;

	while (*p)
		p++;
	return p - s;
}

size_t strnlen(const char *s, size_t max)
{
	size_t n = 0;

	while (n < max && s[n])
		n++;
	return n;
}

int strcmp(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (u8)*a - (u8)*b;
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++)
		if (*a != *b || !*a)
			return (u8)*a - (u8)*b;
	return 0;
}

int strcasecmp(const char *a, const char *b)
{
	return strncasecmp(a, b, SIZE_MAX);
}

int strncasecmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++) {
		int x = tolower((u8)*a);
		int y = tolower((u8)*b);

		if (x != y || !x)
			return x - y;
	}
	return 0;
}

char *strchrnul(const char *s, int c)
{
	while (*s && *s != (char)c)
		s++;
	return (char *)s;
}

char *strchr(const char *s, int c)
{
	char *p = strchrnul(s, c);

	return *p == (char)c ? p : NULL;
}

char *strrchr(const char *s, int c)
{
	const char *found = NULL;

	do {
		if (*s == (char)c)
			found = s;
	} while (*s++);
	return (char *)found;
}

char *strstr(const char *hay, const char *needle)
{
	size_t len = strlen(needle);

	for (;; hay++) {
		if (strncmp(hay, needle, len) == 0)
			return (char *)hay;
		if (!*hay)
			return NULL;
	}
}

size_t strspn(const char *s, const char *accept)
{
	size_t n = 0;

	while (s[n] && strchr(accept, s[n]))
		n++;
	return n;
}

size_t strcspn(const char *s, const char *reject)
{
	size_t n = 0;

	while (s[n] && !strchr(reject, s[n]))
		n++;
	return n;
}

char *strpbrk(const char *s, const char *accept)
{
	s += strcspn(s, accept);
	return *s ? (char *)s : NULL;
}

ssize_t strlcpy_k(char *dst, const char *src, size_t size)
{
	size_t len;

	if (!size)
		return -E2BIG;
	len = strnlen(src, size);
	if (len == size) {
		memcpy(dst, src, size - 1);
		dst[size - 1] = '\0';
		return -E2BIG;
	}
	memcpy(dst, src, len + 1);
	return len;
}

char *strtok_k(char **s, const char *delims)
{
	char *field = *s;
	char *end;

	if (!field)
		return NULL;
	end = strpbrk(field, delims);
	if (end)
		*end++ = '\0';
	*s = end;
	return field;
}

char *strim_k(char *s)
{
	size_t len;

	while (isspace((u8)*s))
		s++;
	len = strlen(s);
	while (len && isspace((u8)s[len - 1]))
		s[--len] = '\0';
	return s;
}

/* Matches c against the set behind '['; *end is left behind the ']'. */
static bool glob_set(const char *set, char c, const char **end)
{
	bool invert = *set == '!' || *set == '^';
	bool found = false;
	const char *p = set + invert;

	do {
		u8 low = *p;
		u8 high = low;

		if (!low)
			break;
		if (p[1] == '-' && p[2] && p[2] != ']') {
			high = p[2];
			p += 2;
		}
		if ((u8)c >= low && (u8)c <= high)
			found = true;
		p++;
	} while (*p != ']');
	/* An unclosed set matches nothing but a literal bracket. */
	if (*p != ']') {
		*end = set;
		return c == '[';
	}
	*end = p + 1;
	return found != invert;
}

/*
 * Only the last '*' seen can need another try, so that one pair of saved
 * positions is enough and the time is bounded by the product of the lengths.
 */
bool glob_match(const char *pattern, const char *s)
{
	const char *star_pattern = NULL;
	const char *star_s = NULL;

	while (*s) {
		const char *next = pattern + 1;
		bool ok;

		if (*pattern == '*') {
			star_pattern = next;
			star_s = s;
			pattern = next;
			continue;
		}
		if (*pattern == '[') {
			ok = glob_set(next, *s, &next);
		} else {
			bool literal = *pattern == '\\' && pattern[1];
			char c = pattern[literal];

			next += literal;
			ok = c && (c == *s || (c == '?' && !literal));
		}
		if (ok) {
			pattern = next;
			s++;
			continue;
		}
		if (!star_pattern)
			return false;
		pattern = star_pattern;
		s = ++star_s;
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
