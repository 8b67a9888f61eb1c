/* SPDX-License-Identifier: MIT */
/*
 * The ChaCha20 block function (RFC 8439, section 2.3): the kernel's random
 * numbers are its key stream.
 */
#ifndef SONDE_LIB_CHACHA_H
#define SONDE_LIB_CHACHA_H

#include <lib/types.h>

#define CHACHA_KEY_WORDS   8
#define CHACHA_BLOCK_BYTES 64

/* Block number counter of the stream of key and nonce. */
void chacha20_block(const u32 key[CHACHA_KEY_WORDS], u32 counter,
		    const u32 nonce[3], u8 out[CHACHA_BLOCK_BYTES]);

#endif /* SONDE_LIB_CHACHA_H */
