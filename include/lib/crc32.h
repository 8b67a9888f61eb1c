/* SPDX-License-Identifier: MIT */
/*
 * The CRC of gzip and Ethernet (reflected polynomial 0xedb88320). Start with
 * crc = 0 and feed the result back for further pieces.
 */
#ifndef SONDE_LIB_CRC32_H
#define SONDE_LIB_CRC32_H

#include <lib/types.h>

u32 crc32(u32 crc, const void *data, size_t len);

#endif /* SONDE_LIB_CRC32_H */
