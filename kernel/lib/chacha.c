// SPDX-License-Identifier: MIT
/*
 * The ChaCha20 block function. Entry point: chacha20_block(). Pure; runs in
 * time independent of its input.
 */
#include <lib/bytes.h>
#include <lib/chacha.h>
#include <lib/string.h>

static u32 rotate_left(u32 x, int n)
{
	return x << n | x >> (32 - n);
}

static void quarter_round(u32 *s, int a, int b, int c, int d)
{
	s[a] += s[b];
	s[d] = rotate_left(s[d] ^ s[a], 16);
	s[c] += s[d];
	s[b] = rotate_left(s[b] ^ s[c], 12);
	s[a] += s[b];
	s[d] = rotate_left(s[d] ^ s[a], 8);
	s[c] += s[d];
	s[b] = rotate_left(s[b] ^ s[c], 7);
}

void chacha20_block(const u32 key[CHACHA_KEY_WORDS], u32 counter,
		    const u32 nonce[3], u8 out[CHACHA_BLOCK_BYTES])
{
	u32 start[16] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 };
	u32 s[16];

	memcpy(start + 4, key, CHACHA_KEY_WORDS * sizeof(u32));
	start[12] = counter;
	memcpy(start + 13, nonce, 3 * sizeof(u32));
	memcpy(s, start, sizeof(s));
	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < 4; i++)
			quarter_round(s, i, 4 + i, 8 + i, 12 + i);
		for (int i = 0; i < 4; i++)
			quarter_round(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4,
				      12 + (i + 3) % 4);
	}
	for (int i = 0; i < 16; i++)
		write_le32(out + 4 * i, s[i] + start[i]);
	memzero_explicit(s, sizeof(s));
	memzero_explicit(start, sizeof(start));
}
