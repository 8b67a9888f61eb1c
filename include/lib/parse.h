/* SPDX-License-Identifier: MIT */
/*
 * Numbers from text, strictly: the whole string must be the number (one
 * trailing newline is allowed, as echo writes it), without leading space.
 *
 * Base 0 takes the base from a prefix (0x, 0, none). 0 on success, -EINVAL for
 * bad syntax, -ERANGE when it does not fit; *out is untouched on failure.
 * The _prefix form stops at the first character that is no digit.
 */
#ifndef SONDE_LIB_PARSE_H
#define SONDE_LIB_PARSE_H

#include <lib/types.h>

int __must_check parse_u64(const char *s, unsigned int base, u64 *out);
int __must_check parse_s64(const char *s, unsigned int base, s64 *out);
int __must_check parse_u32(const char *s, unsigned int base, u32 *out);
int __must_check parse_int(const char *s, unsigned int base, int *out);
int __must_check parse_long(const char *s, unsigned int base, long *out);
int __must_check parse_ulong(const char *s, unsigned int base,
			     unsigned long *out);

/* y/n, 1/0, on/off. */
int __must_check parse_bool(const char *s, bool *out);

/* Digits at *s, which is advanced behind them. */
int __must_check parse_prefix_u64(const char **s, unsigned int base, u64 *out);

/* A byte count with an optional K, M, G or T behind it. */
int __must_check parse_size(const char *s, u64 *out);

#endif /* SONDE_LIB_PARSE_H */
