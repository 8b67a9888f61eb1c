/* SPDX-License-Identifier: MIT */
/*
 * Evaluating a filter on a record.
 *
 * Entry point: trace_filter_match: any context, no lock, no allocation, a
 * loop that ends after at most as many steps as there are terms (exits lead
 * forward only).  Pure code; filter_env.c knows the kernel.
 */
#include "filter.h"

#include <kernel/trace_event.h>
#include <lib/string.h>

/* The value of a number, widened by its sign. */
static u64 load(const void *p, u32 size, bool is_signed)
{
	u64 v = 0;
	u32 unused = 64 - 8 * size;

	memcpy(&v, p, size);
	if (is_signed)
		return (u64)((s64)(v << unused) >> unused);
	return v;
}

static bool compare(enum filter_op op, u64 a, u64 b, bool is_signed)
{
	bool less = is_signed ? (s64)a < (s64)b : a < b;

	switch (op) {
	case OP_EQ:
		return a == b;
	case OP_NE:
		return a != b;
	case OP_LT:
		return less;
	case OP_LE:
		return less || a == b;
	case OP_GT:
		return !less && a != b;
	case OP_GE:
		return !less;
	case OP_BAND:
		return (a & b) != 0;
	default:
		return false;
	}
}

static bool match_number(const struct filter_term *t, const char *record)
{
	u64 a, b = t->value;

	if (t->source == FROM_CPU)
		return compare(t->op, trace_filter_cpu(), b, true);
	/* Arrays of numbers have no value. */
	if (t->size != 1 && t->size != 2 && t->size != 4 && t->size != 8)
		return false;
	a = load(record + t->offset, t->size, t->is_signed);
	b = load(&b, t->size, t->is_signed);
	return compare(t->op, a, b, t->is_signed);
}

/*
 * [abc], [a-z], [!a-z]: does c belong?  *p is behind the bracket, and moves
 * behind the closing one; a set without one is an ordinary character.
 */
static bool in_set(const char **p, char c, bool *is_set)
{
	const char *s = *p;
	bool invert = *s == '!', found = false, first = true;

	s += invert;
	for (; *s && (first || *s != ']'); first = false) {
		u8 low = (u8)*s++, high = low;

		if (s[0] == '-' && s[1] && s[1] != ']') {
			high = (u8)s[1];
			s += 2;
		}
		if (low <= (u8)c && (u8)c <= high)
			found = true;
	}
	*is_set = *s == ']';
	if (!*is_set)
		return c == '[';
	*p = s + 1;
	return found != invert;
}

/* One element of the pattern against one character; *p moves behind it. */
static bool glob_one(const char **p, char c)
{
	const char *s = *p;
	bool is_set, yes;

	switch (*s++) {
	case '?':
		yes = c != '\0';
		break;
	case '[':
		yes = in_set(&s, c, &is_set) && c;
		break;
	case '\\':
		yes = *s == c;
		s += *s != '\0';
		break;
	default:
		yes = s[-1] == c;
		break;
	}
	*p = s;
	return yes;
}

/* len: no more of str than that is text. */
static bool glob(const char *pat, const char *str, u32 len)
{
	const char *star = NULL;
	u32 i = 0, back = 0;

	len = (u32)strnlen(str, len);
	for (;;) {
		if (*pat == '*') {
			star = ++pat;
			back = i;
			continue;
		}
		if (i == len && !*pat)
			return true;
		if (i < len && *pat && glob_one(&pat, str[i])) {
			i++;
			continue;
		}
		/* The last star takes one more character. */
		if (!star || back == len)
			return false;
		pat = star;
		i = ++back;
	}
}

static bool match_text(const struct filter_term *t, const char *str, u32 len)
{
	if (t->glob)
		return glob(t->text, str, len);
	return !strncmp(str, t->text, len);
}

static bool match_string(const struct filter_term *t, const char *record)
{
	char copy[FILTER_STRING_MAX];
	const char *str;
	u32 where;

	switch (t->source) {
	case FROM_ARRAY:
		return match_text(t, record + t->offset, t->length);
	case FROM_TAIL:
		memcpy(&where, record + t->offset, sizeof(where));
		return match_text(t, record + (where & 0xffff), where >> 16);
	case FROM_COMM:
		return match_text(t, trace_filter_comm(), 16);
	default:
		memcpy(&str, record + t->offset, sizeof(str));
		if (!trace_filter_fetch(str, t->source == FROM_USER, copy,
					sizeof(copy)))
			return t->negate;	/* no text, no match */
		return match_text(t, copy, sizeof(copy));
	}
}

static bool holds(const struct filter_term *t, const char *record)
{
	if (t->source == FROM_NUMBER || t->source == FROM_CPU)
		return match_number(t, record);
	return match_string(t, record) != t->negate;
}

bool trace_filter_match(const struct trace_filter *f, const void *record)
{
	u32 at = 0;

	while (at < f->nr)
		at = f->terms[at].exits[holds(&f->terms[at], record)];
	return at == FILTER_YES;
}
