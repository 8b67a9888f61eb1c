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

/* Of probes any number may be askew. */
static noinline u64 load_askew(const void *p, u32 size)
{
	u64 v = 0;

	memcpy(&v, p, size);
	return v;
}

/* A number of the record, widened by its sign. */
static __always_inline u64 load(const struct filter_term *t, const char *record)
{
	const void *p = record + t->offset;
	u64 v;

	if (unlikely((uintptr_t)p & (t->size - 1u)))
		v = load_askew(p, t->size);
	else if (t->size == 8)
		v = *(const u64 *)p;
	else if (t->size == 4)
		v = *(const u32 *)p;
	else if (t->size == 2)
		v = *(const u16 *)p;
	else
		v = *(const u8 *)p;
	return (u64)((s64)(v << t->unused) >> t->unused);
}

static __always_inline bool in_range(const struct filter_term *t, u64 v)
{
	return (v - t->low <= t->span) != t->negate;
}

void filter_term_range(struct filter_term *t, u64 value)
{
	u64 least = t->is_signed ? 1ull << 63 : 0;
	u64 most = least - 1;
	u8 unused = (u8)(64 - 8 * t->size);

	/* As the field is: what is too large for it loses its upper bits. */
	value <<= unused;
	value = t->is_signed ? (u64)((s64)value >> unused) : value >> unused;
	if (t->is_signed)
		t->unused = unused;
	if (t->op == OP_BAND)
		t->source = t->source == FROM_CPU ? FROM_CPU_BITS : FROM_BITS;
	t->low = value;
	t->span = 0;
	t->negate = t->op == OP_NE || t->op == OP_LT || t->op == OP_GT;
	if (t->op == OP_LT || t->op == OP_GE) {
		t->span = most - value;
	} else if (t->op == OP_GT || t->op == OP_LE) {
		t->low = least;
		t->span = value - least;
	}
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

static noinline bool holds(const struct filter_term *t, const char *record)
{
	switch (t->source) {
	case FROM_BITS:
		return (load(t, record) & t->low) != 0;
	case FROM_CPU:
		return in_range(t, trace_filter_cpu());
	case FROM_CPU_BITS:
		return (trace_filter_cpu() & t->low) != 0;
	case FROM_NUMBERS:
		return false;
	default:
		return match_string(t, record) != t->negate;
	}
}

bool trace_filter_match(const struct trace_filter *f, const void *record)
{
	const struct filter_term *t;
	bool yes;
	u32 at = 0;

	while (at < f->nr) {
		t = &f->terms[at];
		if (likely(t->source == FROM_NUMBER))
			yes = in_range(t, load(t, record));
		else
			yes = holds(t, record);
		at = yes ? t->exits[1] : t->exits[0];
	}
	return at == FILTER_YES;
}
