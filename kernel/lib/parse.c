// SPDX-License-Identifier: MIT
/*
 * Strict conversion of text to numbers; see <lib/parse.h> for the grammar.
 * Pure, no state. Nothing is written through the out pointer on failure.
 */
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/math64.h>
#include <lib/parse.h>
#include <lib/string.h>

int parse_prefix_u64(const char **s, unsigned int base, u64 *out)
{
	const char *p = *s;
	const char *start;
	bool overflow = false;
	u64 v = 0;

	if ((base == 0 || base == 16) && p[0] == '0' &&
	    tolower((u8)p[1]) == 'x' && hex_value((u8)p[2]) >= 0) {
		base = 16;
		p += 2;
	} else if (base == 0) {
		base = p[0] == '0' ? 8 : 10;
	}
	for (start = p;; p++) {
		int digit = hex_value((u8)*p);

		if (digit < 0 || (unsigned int)digit >= base)
			break;
		overflow |= mul_overflows(v, (u64)base, &v);
		overflow |= add_overflows(v, (u64)digit, &v);
	}
	if (p == start)
		return -EINVAL;
	if (overflow)
		return -ERANGE;
	*s = p;
	*out = v;
	return 0;
}

static bool at_end(const char *s)
{
	return !*s || (*s == '\n' && !s[1]);
}

int parse_u64(const char *s, unsigned int base, u64 *out)
{
	u64 v;
	int err;

	if (*s == '+')
		s++;
	err = parse_prefix_u64(&s, base, &v);
	if (err)
		return err;
	if (!at_end(s))
		return -EINVAL;
	*out = v;
	return 0;
}

int parse_s64(const char *s, unsigned int base, s64 *out)
{
	bool negative = *s == '-';
	u64 v;
	int err;

	err = parse_u64(s + negative, base, &v);
	if (err)
		return err;
	if (negative && s[1] == '+')
		return -EINVAL;
	if (v > (u64)S64_MAX + negative)
		return -ERANGE;
	*out = (s64)(negative ? -v : v);
	return 0;
}

int parse_u32(const char *s, unsigned int base, u32 *out)
{
	u64 v;
	int err = parse_u64(s, base, &v);

	if (err)
		return err;
	if (v > U32_MAX)
		return -ERANGE;
	*out = (u32)v;
	return 0;
}

int parse_int(const char *s, unsigned int base, int *out)
{
	s64 v;
	int err = parse_s64(s, base, &v);

	if (err)
		return err;
	if (v < INT_MIN || v > INT_MAX)
		return -ERANGE;
	*out = (int)v;
	return 0;
}

int parse_long(const char *s, unsigned int base, long *out)
{
	s64 v;
	int err = parse_s64(s, base, &v);

	if (err)
		return err;
	*out = (long)v;
	return 0;
}

int parse_ulong(const char *s, unsigned int base, unsigned long *out)
{
	u64 v;
	int err = parse_u64(s, base, &v);

	if (err)
		return err;
	*out = (unsigned long)v;
	return 0;
}

int parse_bool(const char *s, bool *out)
{
	static const struct {
		const char *word;
		bool value;
	} words[] = {
		{ "1", true },	 { "y", true },	   { "yes", true },
		{ "on", true },	 { "0", false },   { "n", false },
		{ "no", false }, { "off", false },
	};
	size_t len = strcspn(s, "\n");

	if (!at_end(s + len))
		return -EINVAL;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].word) == len &&
		    strncasecmp(s, words[i].word, len) == 0) {
			*out = words[i].value;
			return 0;
		}
	}
	return -EINVAL;
}

int parse_size(const char *s, u64 *out)
{
	static const char units[] = "kmgt";
	const char *unit;
	u64 v;
	int err = parse_prefix_u64(&s, 0, &v);

	if (err)
		return err;
	unit = *s ? strchr(units, tolower((u8)*s)) : NULL;
	if (unit) {
		int shift = 10 * (int)(unit - units + 1);

		if (v > U64_MAX >> shift)
			return -ERANGE;
		v <<= shift;
		s++;
	}
	if (!at_end(s))
		return -EINVAL;
	*out = v;
	return 0;
}
