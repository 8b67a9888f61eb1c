/* SPDX-License-Identifier: MIT */
/*
 * Arrays of bits in unsigned long words, bit n in word n / BITS_PER_LONG.
 *
 * bitmap_set/clear/test work on one bit, without atomicity; the _atomic forms
 * are for maps changed by several CPUs. Sizes are in bits; bits of the last
 * word above the size are kept zero by every function that writes whole words.
 * Lists are text such as "0-3,5"; masks are groups of eight hexadecimal digits
 * parted by commas, the way /proc and sysfs write CPU sets.
 */
#ifndef SONDE_LIB_BITMAP_H
#define SONDE_LIB_BITMAP_H

#include <lib/bits.h>
#include <lib/types.h>

#define BITMAP_LONGS(nbits) (((nbits) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define DECLARE_BITMAP(name, nbits)                                            \
	unsigned long name[BITMAP_LONGS(nbits)]

#define __bit_word(nr) ((size_t)(nr) / BITS_PER_LONG)
#define __bit_mask(nr) (1UL << ((nr) % BITS_PER_LONG))

static inline void bitmap_set(unsigned long *map, size_t nr)
{
	map[__bit_word(nr)] |= __bit_mask(nr);
}

static inline void bitmap_clear(unsigned long *map, size_t nr)
{
	map[__bit_word(nr)] &= ~__bit_mask(nr);
}

static inline bool bitmap_test(const unsigned long *map, size_t nr)
{
	return (READ_ONCE(map[__bit_word(nr)]) & __bit_mask(nr)) != 0;
}

static inline void bitmap_assign(unsigned long *map, size_t nr, bool value)
{
	if (value)
		bitmap_set(map, nr);
	else
		bitmap_clear(map, nr);
}

static inline bool bitmap_test_and_set(unsigned long *map, size_t nr)
{
	bool old = bitmap_test(map, nr);

	bitmap_set(map, nr);
	return old;
}

static inline bool bitmap_test_and_clear(unsigned long *map, size_t nr)
{
	bool old = bitmap_test(map, nr);

	bitmap_clear(map, nr);
	return old;
}

/* Atomic against other CPUs; the value-returning forms are acq_rel. */
static inline void bitmap_set_atomic(unsigned long *map, size_t nr)
{
	__atomic_fetch_or(&map[__bit_word(nr)], __bit_mask(nr),
			  __ATOMIC_RELAXED);
}

static inline void bitmap_clear_atomic(unsigned long *map, size_t nr)
{
	__atomic_fetch_and(&map[__bit_word(nr)], ~__bit_mask(nr),
			   __ATOMIC_RELEASE);
}

static inline bool bitmap_test_and_set_atomic(unsigned long *map, size_t nr)
{
	return (__atomic_fetch_or(&map[__bit_word(nr)], __bit_mask(nr),
				  __ATOMIC_ACQ_REL) &
		__bit_mask(nr)) != 0;
}

static inline bool bitmap_test_and_clear_atomic(unsigned long *map, size_t nr)
{
	return (__atomic_fetch_and(&map[__bit_word(nr)], ~__bit_mask(nr),
				   __ATOMIC_ACQ_REL) &
		__bit_mask(nr)) != 0;
}

/* The first bit at or after from that is set (or clear); nbits when none. */
size_t bitmap_find_next(const unsigned long *map, size_t nbits, size_t from);
size_t bitmap_find_next_zero(const unsigned long *map, size_t nbits,
			     size_t from);

static inline size_t bitmap_find_first(const unsigned long *map, size_t nbits)
{
	return bitmap_find_next(map, nbits, 0);
}

static inline size_t bitmap_find_first_zero(const unsigned long *map,
					    size_t nbits)
{
	return bitmap_find_next_zero(map, nbits, 0);
}

/* The last set bit, or nbits when none. */
size_t bitmap_find_last(const unsigned long *map, size_t nbits);

/* Start of count clear bits in a row, aligned; nbits when there is no room. */
size_t bitmap_find_zero_area(const unsigned long *map, size_t nbits,
			     size_t from, size_t count, size_t align);

void bitmap_zero(unsigned long *map, size_t nbits);
void bitmap_fill(unsigned long *map, size_t nbits);
void bitmap_copy(unsigned long *dst, const unsigned long *src, size_t nbits);
void bitmap_set_range(unsigned long *map, size_t start, size_t count);
void bitmap_clear_range(unsigned long *map, size_t start, size_t count);

/* dst may be one of the sources; the result says whether any bit is set. */
bool bitmap_and(unsigned long *dst, const unsigned long *a,
		const unsigned long *b, size_t nbits);
bool bitmap_andnot(unsigned long *dst, const unsigned long *a,
		   const unsigned long *b, size_t nbits);
bool bitmap_or(unsigned long *dst, const unsigned long *a,
	       const unsigned long *b, size_t nbits);

bool bitmap_empty(const unsigned long *map, size_t nbits);
bool bitmap_full(const unsigned long *map, size_t nbits);
bool bitmap_equal(const unsigned long *a, const unsigned long *b, size_t nbits);
bool bitmap_subset(const unsigned long *sub, const unsigned long *super,
		   size_t nbits);
bool bitmap_intersects(const unsigned long *a, const unsigned long *b,
		       size_t nbits);
size_t bitmap_weight(const unsigned long *map, size_t nbits);

/*
 * Text. Parsers take a string (one trailing newline allowed) and return 0,
 * -EINVAL for bad syntax or -ERANGE for a bit beyond nbits; the map is zeroed
 * first. Printers return the length written, cut at size - 1.
 */
int bitmap_parse_list(const char *s, unsigned long *map, size_t nbits);
int bitmap_parse_mask(const char *s, unsigned long *map, size_t nbits);
int bitmap_print_list(char *buf, size_t size, const unsigned long *map,
		      size_t nbits);
int bitmap_print_mask(char *buf, size_t size, const unsigned long *map,
		      size_t nbits);

#define for_each_set_bit(bit, map, nbits)                                      \
	for ((bit) = bitmap_find_next(map, nbits, 0); (bit) < (nbits);         \
	     (bit) = bitmap_find_next(map, nbits, (bit) + 1))

#endif /* SONDE_LIB_BITMAP_H */
