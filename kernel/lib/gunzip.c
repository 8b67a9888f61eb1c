// SPDX-License-Identifier: MIT
/*
 * Decompression of gzip members, to a callback.
 *
 * Entry points: <lib/gunzip.h>. Canonical Huffman codes are decoded length by
 * length: the codes of one length are consecutive numbers, so a code of n bits
 * is recognised by its distance from the first of that length. That needs no
 * large tables and is fast enough for a boot. Every length, distance and code
 * is checked; the window wraps and is flushed when full. Pure.
 */
#include <lib/bytes.h>
#include <lib/crc32.h>
#include <lib/err.h>
#include <lib/gunzip.h>
#include <lib/minmax.h>
#include <lib/string.h>

#define FLAG_HCRC    2
#define FLAG_EXTRA   4
#define FLAG_NAME    8
#define FLAG_COMMENT 16

#define END_OF_BLOCK 256

static const u16 length_base[29] = { 3,	  4,   5,   6,	 7,  8,	 9,  10,
				     11,  13,  15,  17,	 19, 23, 27, 31,
				     35,  43,  51,  59,	 67, 83, 99, 115,
				     131, 163, 195, 227, 258 };
static const u8 length_extra[29] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
				     1, 1, 2, 2, 2, 2, 3, 3, 3, 3,
				     4, 4, 4, 4, 5, 5, 5, 5, 0 };
static const u16 dist_base[30] = { 1,	 2,    3,    4,	    5,	   7,
				   9,	 13,   17,   25,    33,	   49,
				   65,	 97,   129,  193,   257,   385,
				   513,	 769,  1025, 1537,  2049,  3073,
				   4097, 6145, 8193, 12289, 16385, 24577 };
static const u8 dist_extra[30] = { 0, 0, 0,  0,	 1,  1,	 2,  2,	 3,  3,
				   4, 4, 5,  5,	 6,  6,	 7,  7,	 8,  8,
				   9, 9, 10, 10, 11, 11, 12, 12, 13, 13 };

/* Tops up the bit buffer to at least n bits (n <= 32) if the input has them. */
static void refill(struct gunzip *gz, unsigned int n)
{
	while (gz->nbits < n && gz->in_pos < gz->in_len) {
		gz->bits |= (u64)gz->in[gz->in_pos++] << gz->nbits;
		gz->nbits += 8;
	}
}

static int take_bits(struct gunzip *gz, unsigned int n, u32 *out)
{
	refill(gz, n);
	if (gz->nbits < n)
		return -ENODATA;
	*out = (u32)(gz->bits & ((1ULL << n) - 1));
	gz->bits >>= n;
	gz->nbits -= n;
	return 0;
}

static int flush(struct gunzip *gz)
{
	u32 len = gz->window_pos;

	gz->window_pos = 0;
	if (!len)
		return 0;
	gz->crc = crc32(gz->crc, gz->window, len);
	return gz->out(gz->ctx, gz->window, len);
}

static int put_byte(struct gunzip *gz, u8 byte)
{
	gz->window[gz->window_pos++] = byte;
	gz->total++;
	return gz->window_pos == GUNZIP_WINDOW ? flush(gz) : 0;
}

/*
 * Builds a code from its lengths. Over-subscribed codes are refused, and so
 * are incomplete ones, save the code of a single one-bit symbol (or of none)
 * that the format allows for distances.
 */
static int build(struct huffman *h, const u8 *lengths, unsigned int n)
{
	u16 next[HUFF_BITS_MAX + 2];
	unsigned int used;
	int left = 1;

	memset(h->count, 0, sizeof(h->count));
	for (unsigned int i = 0; i < n; i++)
		h->count[lengths[i]]++;
	for (unsigned int len = 1; len <= HUFF_BITS_MAX; len++) {
		left = left * 2 - h->count[len];
		if (left < 0)
			return -EINVAL;
	}
	used = n - h->count[0];
	if (left > 0 && used && (used > 1 || !h->count[1]))
		return -EINVAL;
	next[1] = 0;
	for (unsigned int len = 1; len <= HUFF_BITS_MAX; len++)
		next[len + 1] = next[len] + h->count[len];
	for (unsigned int i = 0; i < n; i++)
		if (lengths[i])
			h->symbols[next[lengths[i]]++] = (u16)i;
	h->count[0] = 0;
	return 0;
}

/* The next symbol, or a negative error. */
static int decode(struct gunzip *gz, const struct huffman *h)
{
	u32 code = 0;
	u32 first = 0;
	u32 index = 0;

	refill(gz, HUFF_BITS_MAX);
	for (unsigned int len = 1; len <= HUFF_BITS_MAX; len++) {
		u32 count = h->count[len];

		if (len > gz->nbits)
			return -ENODATA;
		code |= (u32)(gz->bits >> (len - 1)) & 1;
		if (code - first < count) {
			gz->bits >>= len;
			gz->nbits -= len;
			return h->symbols[index + (code - first)];
		}
		index += count;
		first = (first + count) << 1;
		code <<= 1;
	}
	return -EINVAL;
}

static int copy_match(struct gunzip *gz, u32 length, u32 distance)
{
	if (distance > gz->total || distance > GUNZIP_WINDOW)
		return -EINVAL;
	while (length--) {
		u32 from = (gz->window_pos - distance) & (GUNZIP_WINDOW - 1);
		int err = put_byte(gz, gz->window[from]);

		if (err)
			return err;
	}
	return 0;
}

/* A length symbol was read: its extra bits, then the distance. */
static int inflate_match(struct gunzip *gz, u32 symbol)
{
	u32 extra, length, distance;
	int err, code;

	if (symbol >= ARRAY_SIZE(length_base))
		return -EINVAL;
	err = take_bits(gz, length_extra[symbol], &extra);
	if (err)
		return err;
	length = length_base[symbol] + extra;
	code = decode(gz, &gz->dist);
	if (code < 0)
		return code;
	if (code >= (int)ARRAY_SIZE(dist_base))
		return -EINVAL;
	err = take_bits(gz, dist_extra[code], &extra);
	if (err)
		return err;
	distance = dist_base[code] + extra;
	return copy_match(gz, length, distance);
}

static int inflate_codes(struct gunzip *gz)
{
	for (;;) {
		int symbol = decode(gz, &gz->litlen);
		int err;

		if (symbol < 0)
			return symbol;
		if (symbol == END_OF_BLOCK)
			return 0;
		if (symbol < END_OF_BLOCK)
			err = put_byte(gz, (u8)symbol);
		else
			err = inflate_match(gz, symbol - END_OF_BLOCK - 1);
		if (err)
			return err;
	}
}

static int inflate_stored(struct gunzip *gz)
{
	u32 pad, len, check;
	int err;

	err = take_bits(gz, gz->nbits & 7, &pad);
	if (!err)
		err = take_bits(gz, 16, &len);
	if (!err)
		err = take_bits(gz, 16, &check);
	if (err)
		return err;
	if (len != (check ^ 0xffff))
		return -EINVAL;
	while (len--) {
		u32 byte;

		err = take_bits(gz, 8, &byte);
		if (!err)
			err = put_byte(gz, (u8)byte);
		if (err)
			return err;
	}
	return 0;
}

static int inflate_fixed(struct gunzip *gz)
{
	u8 lengths[GUNZIP_LITLEN];

	memset(lengths, 8, 144);
	memset(lengths + 144, 9, 112);
	memset(lengths + 256, 7, 24);
	memset(lengths + 280, 8, 8);
	(void)build(&gz->litlen, lengths, GUNZIP_LITLEN);
	/* Two of the 32 codes name no distance; inflate_match refuses them. */
	memset(lengths, 5, GUNZIP_DISTS);
	(void)build(&gz->dist, lengths, GUNZIP_DISTS);
	return inflate_codes(gz);
}

/* The code lengths of a dynamic block, themselves coded. */
static int read_lengths(struct gunzip *gz, u8 *lengths, unsigned int n)
{
	unsigned int i = 0;

	while (i < n) {
		int symbol = decode(gz, &gz->litlen);
		u32 repeat;
		u8 value = 0;
		int err;

		if (symbol < 0)
			return symbol;
		if (symbol < 16) {
			lengths[i++] = (u8)symbol;
			continue;
		}
		if (symbol == 16) {
			if (!i)
				return -EINVAL;
			value = lengths[i - 1];
			err = take_bits(gz, 2, &repeat);
			repeat += 3;
		} else if (symbol == 17) {
			err = take_bits(gz, 3, &repeat);
			repeat += 3;
		} else {
			err = take_bits(gz, 7, &repeat);
			repeat += 11;
		}
		if (err)
			return err;
		if (repeat > n - i)
			return -EINVAL;
		memset(lengths + i, value, repeat);
		i += repeat;
	}
	return 0;
}

static int inflate_dynamic(struct gunzip *gz)
{
	static const u8 order[19] = { 16, 17, 18, 0, 8,	 7, 9,	6, 10, 5,
				      11, 4,  12, 3, 13, 2, 14, 1, 15 };
	u8 lengths[GUNZIP_LITLEN + GUNZIP_DISTS] = { 0 };
	u32 nlit, ndist, ncode, len;
	int err;

	err = take_bits(gz, 5, &nlit);
	if (!err)
		err = take_bits(gz, 5, &ndist);
	if (!err)
		err = take_bits(gz, 4, &ncode);
	if (err)
		return err;
	nlit += 257;
	ndist += 1;
	ncode += 4;
	if (nlit > 286 || ndist > 30)
		return -EINVAL;
	for (u32 i = 0; i < ncode; i++) {
		err = take_bits(gz, 3, &len);
		if (err)
			return err;
		lengths[order[i]] = (u8)len;
	}
	err = build(&gz->litlen, lengths, ARRAY_SIZE(order));
	if (err)
		return err;
	memset(lengths, 0, sizeof(lengths));
	err = read_lengths(gz, lengths, nlit + ndist);
	if (err)
		return err;
	if (!lengths[END_OF_BLOCK])
		return -EINVAL;
	err = build(&gz->litlen, lengths, nlit);
	if (!err)
		err = build(&gz->dist, lengths + nlit, ndist);
	return err ? err : inflate_codes(gz);
}

static int inflate(struct gunzip *gz)
{
	u32 last, type;
	int err;

	do {
		err = take_bits(gz, 1, &last);
		if (!err)
			err = take_bits(gz, 2, &type);
		if (err)
			return err;
		if (type == 0)
			err = inflate_stored(gz);
		else if (type == 1)
			err = inflate_fixed(gz);
		else if (type == 2)
			err = inflate_dynamic(gz);
		else
			err = -EINVAL;
		if (err)
			return err;
	} while (!last);
	return flush(gz);
}

/* Steps over a zero-terminated field of the header. */
static int skip_text(struct gunzip *gz)
{
	const u8 *from = gz->in + gz->in_pos;
	const u8 *end = memchr(from, 0, gz->in_len - gz->in_pos);

	if (!end)
		return -ENODATA;
	gz->in_pos += end - from + 1;
	return 0;
}

static int read_header(struct gunzip *gz)
{
	u8 flags;
	int err = 0;

	if (gz->in_len < 10)
		return -ENODATA;
	if (!is_gzip(gz->in, gz->in_len) || gz->in[2] != 8)
		return -EINVAL;
	flags = gz->in[3];
	if (flags & 0xe0)
		return -EINVAL;
	gz->in_pos = 10;
	if (flags & FLAG_EXTRA) {
		size_t len;

		if (gz->in_len - gz->in_pos < 2)
			return -ENODATA;
		len = read_le16(gz->in + gz->in_pos) + 2;
		if (gz->in_len - gz->in_pos < len)
			return -ENODATA;
		gz->in_pos += len;
	}
	if (flags & FLAG_NAME)
		err = skip_text(gz);
	if (!err && (flags & FLAG_COMMENT))
		err = skip_text(gz);
	if (err)
		return err;
	if (flags & FLAG_HCRC) {
		if (gz->in_len - gz->in_pos < 2)
			return -ENODATA;
		gz->in_pos += 2;
	}
	return 0;
}

int gunzip(struct gunzip *gz, const u8 *in, size_t len, size_t *used,
	   gunzip_out_fn *out, void *ctx)
{
	int err;

	gz->in = in;
	gz->in_len = len;
	gz->in_pos = 0;
	gz->bits = 0;
	gz->nbits = 0;
	gz->out = out;
	gz->ctx = ctx;
	gz->crc = 0;
	gz->total = 0;
	gz->window_pos = 0;
	*used = 0;
	err = read_header(gz);
	if (!err) {
		err = inflate(gz);
		/* What was made of bad data is put out as well. */
		if (err && gz->window_pos) {
			int more = flush(gz);

			err = more < 0 ? more : err;
		}
	}
	if (err)
		return err;
	/* Whole bytes that were read ahead belong to the trailer. */
	gz->in_pos -= gz->nbits / 8;
	if (gz->in_len - gz->in_pos < 8)
		return -ENODATA;
	*used = gz->in_pos + 8;
	if (read_le32(gz->in + gz->in_pos) != gz->crc ||
	    read_le32(gz->in + gz->in_pos + 4) != (u32)gz->total)
		return -EBADMSG;
	return 0;
}
