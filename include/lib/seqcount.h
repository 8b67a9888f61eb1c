/* SPDX-License-Identifier: MIT */
/*
 * Sequence counts: one writer at a time, readers that retry.
 *
 * Writers exclude each other by a lock of their own (and keep their CPU's
 * readers out: the reader may be the overflow handler, so mask accordingly).
 * Readers read the guarded words with READ_ONCE and use nothing of them before
 * seq_retry() said false. seq_latch readers never wait: the writer keeps two
 * copies and readers take the one that the low bit names.
 */
#ifndef SONDE_LIB_SEQCOUNT_H
#define SONDE_LIB_SEQCOUNT_H

#include <lib/types.h>

struct seqcount {
	u32 seq; /* odd while a write is under way */
};

#define SEQCOUNT_INIT                                                          \
	{                                                                      \
		0                                                              \
	}

/* May return an odd value at once: the retry then fails, the caller spins. */
static inline u32 seq_begin(const struct seqcount *s)
{
	return __atomic_load_n(&s->seq, __ATOMIC_ACQUIRE);
}

static inline bool seq_retry(const struct seqcount *s, u32 start)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return unlikely((start & 1) ||
			__atomic_load_n(&s->seq, __ATOMIC_RELAXED) != start);
}

static inline void seq_write_begin(struct seqcount *s)
{
	WRITE_ONCE(s->seq, s->seq + 1);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

static inline void seq_write_end(struct seqcount *s)
{
	__atomic_store_n(&s->seq, s->seq + 1, __ATOMIC_RELEASE);
}

/* Latch: between the two flips the writer updates copy 0, then copy 1. */
static inline void seq_latch_flip(struct seqcount *s)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
	WRITE_ONCE(s->seq, s->seq + 1);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

static inline u32 seq_latch_begin(const struct seqcount *s)
{
	return __atomic_load_n(&s->seq, __ATOMIC_ACQUIRE);
}

static inline bool seq_latch_retry(const struct seqcount *s, u32 start)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return unlikely(__atomic_load_n(&s->seq, __ATOMIC_RELAXED) != start);
}

#endif /* SONDE_LIB_SEQCOUNT_H */
