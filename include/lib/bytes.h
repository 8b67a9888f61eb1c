/* SPDX-License-Identifier: MIT */
/*
 * Integers of a given byte order at any address. For formats that come from
 * outside: device tree (big endian), gzip and ELF (little endian).
 */
#ifndef SONDE_LIB_BYTES_H
#define SONDE_LIB_BYTES_H

#include <lib/types.h>

static inline u16 read_le16(const void *p)
{
	const u8 *b = p;

	return (u16)(b[0] | b[1] << 8);
}

static inline u32 read_le32(const void *p)
{
	const u8 *b = p;

	return b[0] | (u32)b[1] << 8 | (u32)b[2] << 16 | (u32)b[3] << 24;
}

static inline u64 read_le64(const void *p)
{
	const u8 *b = p;

	return read_le32(b) | (u64)read_le32(b + 4) << 32;
}

static inline void write_le32(void *p, u32 v)
{
	u8 *b = p;

	b[0] = (u8)v;
	b[1] = (u8)(v >> 8);
	b[2] = (u8)(v >> 16);
	b[3] = (u8)(v >> 24);
}

static inline u32 read_be32(const void *p)
{
	const u8 *b = p;

	return b[3] | (u32)b[2] << 8 | (u32)b[1] << 16 | (u32)b[0] << 24;
}

static inline u64 read_be64(const void *p)
{
	const u8 *b = p;

	return (u64)read_be32(b) << 32 | read_be32(b + 4);
}

#endif /* SONDE_LIB_BYTES_H */
