/* SPDX-License-Identifier: MIT */
/*
 * Decompression of gzip members (RFC 1951 and 1952; kernel/lib/gunzip.c).
 *
 * The input lies in memory as a whole; the output goes to a callback in pieces
 * of at most 32 KiB, so its size is bounded by nobody but the callback. The
 * CRC and the length of the trailer are checked. The state is large and is the
 * caller's to place (not on a kernel stack); it needs no initialisation.
 */
#ifndef SONDE_LIB_GUNZIP_H
#define SONDE_LIB_GUNZIP_H

#include <lib/types.h>

#define GUNZIP_WINDOW 32768
#define GUNZIP_LITLEN 288
#define GUNZIP_DISTS  32
#define HUFF_BITS_MAX 15

/* A canonical code: how many of each length, and the symbols in order. */
struct huffman {
	u16 count[HUFF_BITS_MAX + 1];
	u16 symbols[GUNZIP_LITLEN];
};

/* A non-zero result of the callback stops and is returned by gunzip(). */
typedef int gunzip_out_fn(void *ctx, const u8 *data, size_t len);

struct gunzip {
	const u8 *in;
	size_t in_len;
	size_t in_pos;
	u64 bits; /* input not yet used, lowest first */
	unsigned int nbits;
	gunzip_out_fn *out;
	void *ctx;
	u32 crc;
	u64 total;	/* bytes put out or waiting in the window */
	u32 window_pos; /* next free byte; flushed at the end of it */
	struct huffman litlen;
	struct huffman dist;
	u8 window[GUNZIP_WINDOW];
};

static inline bool is_gzip(const u8 *data, size_t len)
{
	return len >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

/*
 * One member from in; *used is set to the bytes it took. 0, -EINVAL for bad
 * data, -EBADMSG for a bad checksum (*used is set), -ENODATA when the input
 * ends too early, or what the callback returned. Everything that could be
 * unpacked was handed out, whatever is returned.
 */
int gunzip(struct gunzip *gz, const u8 *in, size_t len, size_t *used,
	   gunzip_out_fn *out, void *ctx);

#endif /* SONDE_LIB_GUNZIP_H */
