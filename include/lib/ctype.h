/* SPDX-License-Identifier: MIT */
/*
 * Character classes of plain ASCII; bytes above 127 belong to no class.
 */
#ifndef SONDE_LIB_CTYPE_H
#define SONDE_LIB_CTYPE_H

#include <lib/types.h>

static inline bool isdigit(int c)
{
	return c >= '0' && c <= '9';
}

static inline bool isupper(int c)
{
	return c >= 'A' && c <= 'Z';
}

static inline bool islower(int c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool isalpha(int c)
{
	return isupper(c) || islower(c);
}

static inline bool isalnum(int c)
{
	return isalpha(c) || isdigit(c);
}

static inline bool isxdigit(int c)
{
	return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static inline bool isspace(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool isprint(int c)
{
	return c >= ' ' && c <= '~';
}

static inline bool iscntrl(int c)
{
	return (c >= 0 && c < ' ') || c == 127;
}

static inline int tolower(int c)
{
	return isupper(c) ? c + ('a' - 'A') : c;
}

static inline int toupper(int c)
{
	return islower(c) ? c - ('a' - 'A') : c;
}

/* Value of a hexadecimal digit, or -1. */
static inline int hex_value(int c)
{
	if (isdigit(c))
		return c - '0';
	c = tolower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif /* SONDE_LIB_CTYPE_H */
