// SPDX-License-Identifier: MIT
/*
 * Portable memcpy, memmove, memset, and whole-page clearing and copying.
 *
 * Entry points: <lib/string.h>, and arch_clear_page/arch_copy_page of
 * <arch/string.h>. An architecture that defines ARCH_HAS_MEMCPY, _MEMMOVE,
 * _MEMSET, _CLEAR_PAGE or _COPY_PAGE supplies that one itself, and the C form
 * is not compiled. No locks, any context. The compiler must not turn a body
 * here into a call of the function itself, hence the flag on this object.
 */
#include <arch/string.h>
#include <lib/string.h>

#define PAGE_WORDS (4096 / sizeof(u64))

/* A word that may lie at any address and alias anything. */
struct loose_word {
	u64 v;
} __packed __attribute__((__may_alias__));

#if !defined(ARCH_HAS_MEMCPY) || !defined(ARCH_HAS_MEMMOVE)
static void copy_up(u8 *d, const u8 *s, size_t n)
{
	for (; n >= 8; n -= 8, d += 8, s += 8)
		((struct loose_word *)d)->v = ((const struct loose_word *)s)->v;
	while (n--)
		*d++ = *s++;
}
#endif

#ifndef ARCH_HAS_MEMCPY
void *memcpy(void *dst, const void *src, size_t n)
{
	copy_up(dst, src, n);
	return dst;
}
#endif

#ifndef ARCH_HAS_MEMMOVE
static void copy_down(u8 *d, const u8 *s, size_t n)
{
	d += n;
	s += n;
	for (; n >= 8; n -= 8) {
		d -= 8;
		s -= 8;
		((struct loose_word *)d)->v = ((const struct loose_word *)s)->v;
	}
	while (n--)
		*--d = *--s;
}

void *memmove(void *dst, const void *src, size_t n)
{
	/* Upwards is safe unless dst lies inside the source. */
	if ((uintptr_t)dst - (uintptr_t)src >= n)
		copy_up(dst, src, n);
	else
		copy_down(dst, src, n);
	return dst;
}
#endif

#ifndef ARCH_HAS_MEMSET
void *memset(void *dst, int c, size_t n)
{
	u64 word = (u8)c * 0x0101010101010101ULL;
	u8 *d = dst;

	for (; n >= 8; n -= 8, d += 8)
		((struct loose_word *)d)->v = word;
	while (n--)
		*d++ = (u8)c;
	return dst;
}
#endif

#ifndef ARCH_HAS_CLEAR_PAGE
void arch_clear_page(void *page)
{
	u64 *p = page;

	for (size_t i = 0; i < PAGE_WORDS; i += 4) {
		p[i] = 0;
		p[i + 1] = 0;
		p[i + 2] = 0;
		p[i + 3] = 0;
	}
}
#endif

#ifndef ARCH_HAS_COPY_PAGE
void arch_copy_page(void *to, const void *from)
{
	const u64 *s = from;
	u64 *d = to;

	for (size_t i = 0; i < PAGE_WORDS; i += 4) {
		d[i] = s[i];
		d[i + 1] = s[i + 1];
		d[i + 2] = s[i + 2];
		d[i + 3] = s[i + 3];
	}
}
#endif
