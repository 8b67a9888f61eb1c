/* SPDX-License-Identifier: MIT */
/*
 * One term of a filter: FIELD op VALUE.
 *
 * Entry point: filter_term_parse.  Pure code.  The order of the checks, and
 * the place that each names, are what the reference answers.
 */
#include "filter.h"

#include <kernel/trace_event.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/string.h>

#define NUMBER_MAX 24		/* characters, with the end */

/* A longer operator before the one that it begins with. */
static const char *const op_names[OP_COUNT] = {
	[OP_GLOB] = "~", [OP_NE] = "!=", [OP_EQ] = "==", [OP_LE] = "<=",
	[OP_LT] = "<",	 [OP_GE] = ">=", [OP_GT] = ">",	 [OP_BAND] = "&",
};

static int fail(struct trace_filter_error *err, const char *text, u32 pos)
{
	err->text = text;
	err->pos = pos;
	return -EINVAL;
}

static const struct trace_field common_fields[] = {
	{ "unsigned short", "common_type", "", 0, 2, false },
	{ "unsigned char", "common_flags", "", 2, 1, false },
	{ "unsigned char", "common_preempt_count", "", 3, 1, false },
	{ "int", "common_pid", "", 4, 4, true },
};

static const struct trace_field *find_in(const struct trace_field *f, u32 nr,
					 const char *name, u32 len)
{
	for (; nr; nr--, f++)
		if (!strncmp(f->name, name, len) && !f->name[len])
			return f;
	return NULL;
}

static bool is_name(const char *name, u32 len, const char *what)
{
	return strlen(what) == len && !strncmp(name, what, len);
}

static bool has(const char *type, const char *what)
{
	return strstr(type, what) != NULL;
}

static enum filter_source source_of(const struct trace_field *f)
{
	if (has(f->type, "__data_loc") && has(f->type, "char"))
		return FROM_TAIL;
	if (f->array[0] && has(f->type, "char"))
		return FROM_ARRAY;
	if (!strcmp(f->type, "char *") || !strcmp(f->type, "const char *"))
		return FROM_POINTER;
	return FROM_NUMBER;
}

static bool is_string(const struct filter_term *t)
{
	return t->source != FROM_NUMBER && t->source != FROM_CPU;
}

/* The event's fields win over the general ones. */
static bool find_field(const struct trace_event *ev, const char *name,
		       u32 len, struct filter_term *t)
{
	const struct trace_field *f = find_in(ev->fields, ev->nr_fields, name,
					      len);

	t->is_signed = true;
	if (!f && (is_name(name, len, "comm") || is_name(name, len, "COMM"))) {
		t->source = FROM_COMM;
		return true;
	}
	if (!f && (is_name(name, len, "cpu") || is_name(name, len, "CPU"))) {
		t->source = FROM_CPU;
		t->size = 4;
		return true;
	}
	if (!f)
		f = find_in(common_fields, ARRAY_SIZE(common_fields), name,
			    len);
	if (!f)
		return false;
	t->source = source_of(f);
	t->offset = f->offset;
	t->length = f->size;
	t->size = (u8)f->size;
	t->is_signed = f->is_signed;
	return true;
}

/* ~ takes a leading ! and a pattern; one that starts with a digit is none. */
static void set_pattern(struct filter_term *t)
{
	if (t->op != OP_GLOB)
		return;
	if (t->text[0] == '!') {
		t->negate = true;
		t->text++;
	}
	t->glob = !isdigit(t->text[0]);
}

static int parse_string(const char *str, u32 i, u32 at, struct filter_term *t,
			char **strings, struct trace_filter_error *err)
{
	char quote = str[i];
	u32 start = i + 1, len;

	if (t->op != OP_GLOB && t->op != OP_EQ && t->op != OP_NE)
		return fail(err, "Illegal operation for field type", at + i);
	if (!is_string(t))
		return fail(err, "Expecting numeric field", at + i);
	for (i++; str[i] && str[i] != quote; i++)
		;
	if (!str[i])
		return fail(err, "Missing matching quote", at + i);
	len = i - start;
	if (len >= FILTER_STRING_MAX)
		return fail(err, "Operand too long", at + i);
	t->negate = t->op == OP_NE;
	t->text = *strings;
	memcpy(*strings, str + start, len);
	(*strings)[len] = '\0';
	*strings += len + 1;
	set_pattern(t);
	return (int)(i + 1);
}

static int parse_number(const char *str, u32 i, u32 at, struct filter_term *t,
			struct trace_filter_error *err)
{
	char text[NUMBER_MAX];
	u32 start = i, len;
	u64 value;
	int bad;

	if (is_string(t))
		return fail(err, "Expecting string field", at + i);
	if (t->op == OP_GLOB)
		return fail(err, "Illegal operation for field type", at + i);
	if (str[i] == '-')
		i++;
	while (isalnum(str[i]))
		i++;
	len = i - start;
	if (len >= sizeof(text))
		return fail(err, "Operand too long", at + i);
	memcpy(text, str + start, len);
	text[len] = '\0';
	if (t->is_signed)
		bad = parse_s64(text, 0, (s64 *)&value);
	else
		bad = parse_u64(text, 0, &value);
	if (bad)
		return fail(err, "Illegal integer value", at + start);
	if (t->size == 1 || t->size == 2 || t->size == 4 || t->size == 8)
		filter_term_range(t, value);
	else
		t->source = FROM_NUMBERS;
	return (int)i;
}

static u32 skip_space(const char *str, u32 i)
{
	while (isspace(str[i]))
		i++;
	return i;
}

/* As observed: the letters of Latin-1 are letters of names too. */
static bool is_letter(char c)
{
	u8 byte = (u8)c;

	return isalnum(byte) || c == '_' ||
	       (byte >= 0xc0 && byte != 0xd7 && byte != 0xf7);
}

int filter_term_parse(const struct trace_event *ev, const char *str, u32 at,
		      struct filter_term *t, char **strings,
		      struct trace_filter_error *err)
{
	static const char ustring[] = ".ustring";
	u32 i, start = skip_space(str, 0);

	for (i = start; is_letter(str[i]); i++)
		;
	/* No name at all: the reference has no words for it. */
	if (i == start)
		return -EPERM;
	if (!find_field(ev, str + start, i - start, t))
		return fail(err, "Field not found", at + i);
	if (!strncmp(str + i, ustring, sizeof(ustring) - 1)) {
		i += sizeof(ustring) - 1;
		if (t->source == FROM_POINTER)
			t->source = FROM_USER;
	}
	i = skip_space(str, i);
	for (t->op = 0; t->op < OP_COUNT; t->op++)
		if (!strncmp(str + i, op_names[t->op],
			     strlen(op_names[t->op])))
			break;
	if (t->op == OP_COUNT)
		return fail(err, "Invalid operator", at + i);
	i = skip_space(str, i + (u32)strlen(op_names[t->op]));
	if (str[i] == '\'' || str[i] == '"')
		return parse_string(str, i, at, t, strings, err);
	if (isdigit(str[i]) || str[i] == '-')
		return parse_number(str, i, at, t, err);
	return fail(err, "Invalid value (did you forget quotes)?", at + i);
}
