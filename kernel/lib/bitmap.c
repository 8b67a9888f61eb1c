// SPDX-License-Identifier: MIT
/*
 * Bit arrays: searching, set algebra, and the two text forms.
 *
 * Entry points: <lib/bitmap.h>. Pure; the caller owns the map and its lock.
 * Bits of the last word above the size may be garbage on input (they are
 * masked off when read) and are zero in everything written here.
 */
#include <lib/bitmap.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/parse.h>
#include <lib/printf.h>
#include <lib/string.h>

/* Bits of word number w that belong to a map of nbits. */
static unsigned long word_mask(size_t nbits, size_t w)
{
	size_t left = nbits - w * BITS_PER_LONG;

	return left >= (size_t)BITS_PER_LONG ? ~0UL : (1UL << left) - 1;
}

static size_t find_from(const unsigned long *map, size_t nbits, size_t from,
			unsigned long invert)
{
	size_t w = from / BITS_PER_LONG;
	unsigned long word;

	if (from >= nbits)
		return nbits;
	word = (READ_ONCE(map[w]) ^ invert) & (~0UL << (from % BITS_PER_LONG));
	while (!word) {
		w++;
		if (w * BITS_PER_LONG >= nbits)
			return nbits;
		word = READ_ONCE(map[w]) ^ invert;
	}
	return min(w * BITS_PER_LONG + __builtin_ctzl(word), nbits);
}

size_t bitmap_find_next(const unsigned long *map, size_t nbits, size_t from)
{
	return find_from(map, nbits, from, 0);
}

size_t bitmap_find_next_zero(const unsigned long *map, size_t nbits,
			     size_t from)
{
	return find_from(map, nbits, from, ~0UL);
}

size_t bitmap_find_last(const unsigned long *map, size_t nbits)
{
	for (size_t w = BITMAP_LONGS(nbits); w-- > 0;) {
		unsigned long word = map[w] & word_mask(nbits, w);

		if (word)
			return w * BITS_PER_LONG + bit_highest(word);
	}
	return nbits;
}

size_t bitmap_find_zero_area(const unsigned long *map, size_t nbits,
			     size_t from, size_t count, size_t align)
{
	for (;;) {
		size_t start = find_from(map, nbits, from, ~0UL);
		size_t end;

		start = ALIGN_UP(start, align);
		if (count > nbits || start > nbits - count)
			return nbits;
		end = find_from(map, start + count, start, 0);
		if (end == start + count)
			return start;
		from = end + 1;
	}
}

void bitmap_zero(unsigned long *map, size_t nbits)
{
	memset(map, 0, BITMAP_LONGS(nbits) * sizeof(long));
}

void bitmap_fill(unsigned long *map, size_t nbits)
{
	for (size_t w = 0; w < BITMAP_LONGS(nbits); w++)
		map[w] = word_mask(nbits, w);
}

void bitmap_copy(unsigned long *dst, const unsigned long *src, size_t nbits)
{
	for (size_t w = 0; w < BITMAP_LONGS(nbits); w++)
		dst[w] = src[w] & word_mask(nbits, w);
}

/* Sets or clears count bits, word by word. */
static void change_range(unsigned long *map, size_t start, size_t count,
			 bool value)
{
	while (count) {
		size_t shift = start % BITS_PER_LONG;
		size_t step = min_t(size_t, BITS_PER_LONG - shift, count);
		unsigned long mask = ~0UL >> (BITS_PER_LONG - step);

		if (value)
			map[start / BITS_PER_LONG] |= mask << shift;
		else
			map[start / BITS_PER_LONG] &= ~(mask << shift);
		start += step;
		count -= step;
	}
}

void bitmap_set_range(unsigned long *map, size_t start, size_t count)
{
	change_range(map, start, count, true);
}

void bitmap_clear_range(unsigned long *map, size_t start, size_t count)
{
	change_range(map, start, count, false);
}

bool bitmap_and(unsigned long *dst, const unsigned long *a,
		const unsigned long *b, size_t nbits)
{
	unsigned long any = 0;

	for (size_t w = 0; w < BITMAP_LONGS(nbits); w++)
		any |= dst[w] = a[w] & b[w] & word_mask(nbits, w);
	return any != 0;
}

bool bitmap_andnot(unsigned long *dst, const unsigned long *a,
		   const unsigned long *b, size_t nbits)
{
	unsigned long any = 0;

	for (size_t w = 0; w < BITMAP_LONGS(nbits); w++)
		any |= dst[w] = a[w] & ~b[w] & word_mask(nbits, w);
	return any != 0;
}

bool bitmap_or(unsigned long *dst, const unsigned long *a,
	       const unsigned long *b, size_t nbits)
{
	unsigned long any = 0;

	for (size_t w = 0; w < BITMAP_LONGS(nbits); w++)
		any |= dst[w] = (a[w] | b[w]) & word_mask(nbits, w);
	return any != 0;
}

bool bitmap_empty(const unsigned long *map, size_t nbits)
{
	return bitmap_find_next(map, nbits, 0) >= nbits;
}

bool bitmap_full(const unsigned long *map, size_t nbits)
{
	return bitmap_find_next_zero(map, nbits, 0) >= nbits;
}

bool bitmap_equal(const unsigned long *a, const unsigned long *b, size_t nbits)
{
	for (size_t w = 0; w < BITMAP_LONGS(nbits); w++)
		if ((a[w] ^ b[w]) & word_mask(nbits, w))
			return false;
	return true;
}

bool bitmap_subset(const unsigned long *sub, const unsigned long *super,
		   size_t nbits)
{
	for (size_t w = 0; w < BITMAP_LONGS(nbits); w++)
		if (sub[w] & ~super[w] & word_mask(nbits, w))
			return false;
	return true;
}

bool bitmap_intersects(const unsigned long *a, const unsigned long *b,
		       size_t nbits)
{
	for (size_t w = 0; w < BITMAP_LONGS(nbits); w++)
		if (a[w] & b[w] & word_mask(nbits, w))
			return true;
	return false;
}

size_t bitmap_weight(const unsigned long *map, size_t nbits)
{
	size_t n = 0;

	for (size_t w = 0; w < BITMAP_LONGS(nbits); w++)
		n += bit_weight(map[w] & word_mask(nbits, w));
	return n;
}

static bool at_end(const char *s)
{
	return !*s || (*s == '\n' && !s[1]);
}

/* One element "a" or "a-b" of a list. */
static int parse_range(const char **s, unsigned long *map, size_t nbits)
{
	u64 first, last;
	int err;

	err = parse_prefix_u64(s, 10, &first);
	if (err)
		return err;
	last = first;
	if (**s == '-') {
		++*s;
		err = parse_prefix_u64(s, 10, &last);
		if (err)
			return err;
	}
	if (last < first)
		return -EINVAL;
	if (last >= nbits)
		return -ERANGE;
	bitmap_set_range(map, first, last - first + 1);
	return 0;
}

int bitmap_parse_list(const char *s, unsigned long *map, size_t nbits)
{
	bitmap_zero(map, nbits);
	while (!at_end(s)) {
		int err = parse_range(&s, map, nbits);

		if (err)
			return err;
		if (*s == ',' && !at_end(s + 1))
			s++;
		else if (!at_end(s))
			return -EINVAL;
	}
	return 0;
}

int bitmap_parse_mask(const char *s, unsigned long *map, size_t nbits)
{
	const char *end = s;
	size_t bit = 0;

	bitmap_zero(map, nbits);
	while (!at_end(end))
		end++;
	if (end == s)
		return -EINVAL;
	/* From the least significant digit, at the right. */
	while (end > s) {
		int digit = hex_value((u8) * --end);

		if (*end == ',' && end > s && bit)
			continue;
		if (digit < 0)
			return -EINVAL;
		for (int i = 0; i < 4; i++, bit++) {
			if (!(digit >> i & 1))
				continue;
			if (bit >= nbits)
				return -ERANGE;
			bitmap_set(map, bit);
		}
	}
	return 0;
}

int bitmap_print_list(char *buf, size_t size, const unsigned long *map,
		      size_t nbits)
{
	size_t first = bitmap_find_next(map, nbits, 0);
	int len = 0;

	if (size)
		buf[0] = '\0';
	while (first < nbits) {
		size_t end = bitmap_find_next_zero(map, nbits, first);

		len += scnprintf(buf + len, size - len, "%s%zu", len ? "," : "",
				 first);
		if (end - first > 1)
			len += scnprintf(buf + len, size - len, "-%zu",
					 end - 1);
		first = bitmap_find_next(map, nbits, end);
	}
	return len;
}

int bitmap_print_mask(char *buf, size_t size, const unsigned long *map,
		      size_t nbits)
{
	size_t chunks = DIV_ROUND_UP(nbits, 32);
	int len = 0;

	for (size_t i = chunks; i-- > 0;) {
		size_t bit = i * 32;
		unsigned long word = map[bit / BITS_PER_LONG] &
				     word_mask(nbits, bit / BITS_PER_LONG);
		u32 v = (u32)(word >> (bit % BITS_PER_LONG));
		size_t bits = min_t(size_t, nbits - bit, 32);

		len += scnprintf(buf + len, size - len, "%0*x%s",
				 (int)DIV_ROUND_UP(bits, 4), v, i ? "," : "");
	}
	return len;
}
