/* SPDX-License-Identifier: MIT */
/*
 * The text of a record: its event's print format, interpreted.
 *
 * An event's print format is a C format and its arguments, for clients to
 * interpret; here the same text is interpreted, so that there is one
 * description of each event.  Values are numbers or strings; a string lies in
 * the record, in the format, or in the scratch of the line.  Task context,
 * trace_mutex held against events that go.
 */
#include "tracefs.h"

#include <kernel/ksym.h>
#include <kernel/page.h>
#include <lib/ctype.h>
#include <lib/minmax.h>
#include <lib/string.h>

#define SCRATCH 256
#define DEPTH	24		/* of an expression; none of ours comes near */

struct value {
	const char *str;	/* NULL: a number */
	u32 len;
	u64 n;
};

struct printer {
	const struct trace_event *ev;
	const char *rec;
	u32 size;
	const char *p;		/* in the format's arguments */
	char scratch[SCRATCH];
	u32 used;
	u32 depth;
};

static struct value expression(struct printer *pr, u32 level);

static struct value number(u64 n)
{
	return (struct value){ NULL, 0, n };
}

static struct value string(const char *s, u32 len)
{
	return (struct value){ s, len, 0 };
}

static void space(struct printer *pr)
{
	while (isspace(*pr->p))
		pr->p++;
}

static bool accept(struct printer *pr, const char *word)
{
	size_t len = strlen(word);

	space(pr);
	if (strncmp(pr->p, word, len))
		return false;
	pr->p += len;
	return true;
}

static u32 name_len(const char *p)
{
	u32 n = 0;

	while (isalnum(p[n]) || p[n] == '_')
		n++;
	return n;
}

/* --- operands ------------------------------------------------------------ */

static u64 load(const char *at, u32 size, bool is_signed)
{
	u32 unused = 64 - 8 * size;
	u64 v = 0;

	memcpy(&v, at, size);
	return is_signed ? (u64)((s64)(v << unused) >> unused) : v;
}

static struct value tail_string(struct printer *pr, u32 where)
{
	u32 at = where & 0xffff, len = where >> 16;

	if (at >= pr->size)
		return string("", 0);
	return string(pr->rec + at, (u32)strnlen(pr->rec + at,
						 min(len, pr->size - at)));
}

/* A record's pointer to a string that clients know, too. */
static struct value kernel_string(u64 addr)
{
	const char *s = trace_known_string(addr);

	return string(s ? s : "", s ? (u32)strlen(s) : 0);
}

static const struct trace_field *field_of(struct printer *pr, u32 len)
{
	u32 i;

	for (i = 0; i < pr->ev->nr_fields; i++)
		if (!strncmp(pr->ev->fields[i].name, pr->p, len) &&
		    !pr->ev->fields[i].name[len])
			return &pr->ev->fields[i];
	return NULL;
}

/* Behind "REC->". */
static struct value field_value(struct printer *pr)
{
	u32 len = name_len(pr->p), each, room;
	const struct trace_field *f = field_of(pr, len);
	struct value index;

	pr->p += len;
	if (!f || f->offset + f->size > pr->size)
		return number(0);
	if (!strcmp(f->type, "const char *"))
		return kernel_string(load(pr->rec + f->offset, 8, false));
	if (!f->array[0])
		return f->size <= 8 ? number(load(pr->rec + f->offset, f->size,
						  f->is_signed)) :
				      number(0);
	if (strstr(f->type, "char")) {
		room = f->size ? f->size : pr->size - f->offset;
		return string(pr->rec + f->offset,
			      (u32)strnlen(pr->rec + f->offset, room));
	}
	/* An element of an array of numbers: all of ours are longs. */
	each = sizeof(long);
	if (!accept(pr, "["))
		return number(0);
	index = expression(pr, 0);
	accept(pr, "]");
	if ((index.n + 1) * each > f->size)
		return number(0);
	return number(load(pr->rec + f->offset + index.n * each, each,
			   f->is_signed));
}

static struct value literal(struct printer *pr)
{
	const char *start = ++pr->p;
	struct value v;

	while (*pr->p && *pr->p != '"')
		pr->p++;
	v = string(start, (u32)(pr->p - start));
	pr->p += *pr->p == '"';
	return v;
}

static u32 digit(char c)
{
	return isdigit(c) ? (u32)c - '0' : (u32)(c | 0x20) - 'a' + 10;
}

static struct value constant(struct printer *pr)
{
	u64 v = 0;
	u32 base = 10;

	if (pr->p[0] == '0' && (pr->p[1] | 0x20) == 'x') {
		base = 16;
		pr->p += 2;
	}
	for (; isxdigit(*pr->p) && (base == 16 || isdigit(*pr->p)); pr->p++)
		v = v * base + digit(*pr->p);
	while (isalpha(*pr->p))
		pr->p++;		/* UL and the like */
	return number(v);
}

static void scratch_put(struct printer *pr, const char *s, u32 len)
{
	len = min(len, SCRATCH - pr->used);
	memcpy(pr->scratch + pr->used, s, len);
	pr->used += len;
}

static void scratch_hex(struct printer *pr, u64 v)
{
	char digits[18];
	u32 n = sizeof(digits);

	do {
		digits[--n] = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v);
	scratch_put(pr, "0x", 2);
	scratch_put(pr, digits + n, sizeof(digits) - n);
}

/* { value, "name" }, ...): flags joined by delim, or the one that is equal. */
static struct value names_of(struct printer *pr, u64 v, const char *delim,
			     u32 delim_len)
{
	u32 start = pr->used;
	bool first = true;

	while (accept(pr, ",") && accept(pr, "{")) {
		u64 bit = expression(pr, 0).n;
		struct value name;

		accept(pr, ",");
		name = expression(pr, 0);
		accept(pr, "}");
		if (delim ? !bit || (v & bit) != bit : v != bit || !first)
			continue;
		if (!first)
			scratch_put(pr, delim, delim_len);
		scratch_put(pr, name.str, name.len);
		first = false;
		v = delim ? v & ~bit : v;
	}
	accept(pr, ")");
	if (first || (delim && v)) {
		if (!first)
			scratch_put(pr, delim, delim_len);
		scratch_hex(pr, v);
	}
	return string(pr->scratch + start, pr->used - start);
}

/* "name)": the field that says where in the tail. */
static u32 tail_of(struct printer *pr)
{
	u32 len = name_len(pr->p), where = 0;
	const struct trace_field *f = field_of(pr, len);

	if (f)
		memcpy(&where, pr->rec + f->offset, sizeof(where));
	pr->p += len;
	accept(pr, ")");
	return where;
}

static struct value tail_bits(struct printer *pr, u32 where)
{
	u32 at = where & 0xffff, len = where >> 16, start = pr->used;

	if (at + len <= pr->size)
		pr->used += trace_bits_text(pr->scratch + start,
					    SCRATCH - start, pr->rec + at,
					    len);
	return string(pr->scratch + start, pr->used - start);
}

static struct value call(struct printer *pr)
{
	struct value v, delim;

	if (accept(pr, "__print_flags(")) {
		v = expression(pr, 0);
		accept(pr, ",");
		delim = expression(pr, 0);
		return names_of(pr, v.n, delim.str, delim.len);
	}
	if (accept(pr, "__print_symbolic(")) {
		v = expression(pr, 0);
		return names_of(pr, v.n, NULL, 0);
	}
	if (accept(pr, "__get_bitmask("))
		return tail_bits(pr, tail_of(pr));
	if (accept(pr, "__get_str("))
		return tail_string(pr, tail_of(pr));
	/* A name that means nothing here. */
	pr->p += max(name_len(pr->p), 1u);
	return number(0);
}

/* "(unsigned long)" and the like: skipped, values are as wide as they get. */
static bool is_cast(const char *p)
{
	static const char *const types[] = { "unsigned", "long", "int", "void",
					     "u64", "u32", "s64", "char",
					     "gfp_t" };
	u32 i, len;

	while (isspace(*p))
		p++;
	len = name_len(p);
	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (strlen(types[i]) == len && !strncmp(p, types[i], len))
			return true;
	return false;
}

static struct value operand(struct printer *pr)
{
	struct value v;

	space(pr);
	if (accept(pr, "REC->"))
		return field_value(pr);
	if (*pr->p == '"')
		return literal(pr);
	if (isdigit(*pr->p))
		return constant(pr);
	/* Linux's arithmetic from a frame's number to its descriptor. */
	if (accept(pr, "(((struct page *)")) {
		pr->p = strstr(pr->p, "REC->pfn") ?: "";
		v = operand(pr);
		accept(pr, "))");
		return number((u64)(uintptr_t)pfn_to_page(v.n));
	}
	if (accept(pr, "(")) {
		if (is_cast(pr->p)) {
			while (*pr->p && *pr->p != ')')
				pr->p++;
			accept(pr, ")");
			return operand(pr);
		}
		v = expression(pr, 0);
		accept(pr, ")");
		return v;
	}
	if (accept(pr, "-"))
		return number(-operand(pr).n);
	if (accept(pr, "~"))
		return number(~operand(pr).n);
	if (accept(pr, "!"))
		return number(!operand(pr).n);
	return call(pr);
}

/* --- operators ----------------------------------------------------------- */

/* Longer ones before those that they begin with. */
static const struct binary {
	const char *text;
	u32 level;
} binaries[] = {
	{ "||", 2 }, { "&&", 3 }, { "==", 7 }, { "!=", 7 }, { "<<", 9 },
	{ ">>", 9 }, { "<=", 8 }, { ">=", 8 }, { "<", 8 },  { ">", 8 },
	{ "|", 4 },  { "&", 6 },  { "+", 10 }, { "-", 10 }, { "*", 11 },
	{ "/", 11 }, { "%", 11 },
};

static u64 apply(const char *op, u64 a, u64 b)
{
	switch (op[0]) {
	case '|':
		return op[1] ? a || b : a | b;
	case '&':
		return op[1] ? a && b : a & b;
	case '=':
		return a == b;
	case '!':
		return a != b;
	case '<':
		return op[1] == '<' ? a << (b & 63) :
		       op[1]	    ? (s64)a <= (s64)b :
				      (s64)a < (s64)b;
	case '>':
		return op[1] == '>' ? a >> (b & 63) :
		       op[1]	    ? (s64)a >= (s64)b :
				      (s64)a > (s64)b;
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	case '/':
		return b ? a / b : 0;
	default:
		return b ? a % b : 0;
	}
}

static const struct binary *operator_at(struct printer *pr, u32 level)
{
	u32 i;

	space(pr);
	for (i = 0; i < ARRAY_SIZE(binaries); i++)
		if (!strncmp(pr->p, binaries[i].text, strlen(binaries[i].text)))
			return binaries[i].level >= level ? &binaries[i] : NULL;
	return NULL;
}

static struct value expression(struct printer *pr, u32 level)
{
	const struct binary *op;
	struct value v, yes, no;

	if (pr->depth >= DEPTH)
		return number(0);
	pr->depth++;
	v = operand(pr);
	while ((op = operator_at(pr, max(level, 2u)))) {
		pr->p += strlen(op->text);
		v = number(apply(op->text, v.n,
				 expression(pr, op->level + 1).n));
	}
	if (level < 2 && accept(pr, "?")) {
		yes = expression(pr, 0);
		accept(pr, ":");
		no = expression(pr, 0);
		v = v.str || v.n ? yes : no;
	}
	pr->depth--;
	return v;
}

/* --- the format ---------------------------------------------------------- */

struct spec {
	bool zero, left, alt;
	u32 width;
	u32 bytes;		/* of a number */
	char kind;
};

/* Behind the %; returns what follows. */
static const char *parse_spec(const char *f, struct spec *sp)
{
	memset(sp, 0, sizeof(*sp));
	sp->bytes = 4;
	for (;; f++) {
		if (*f == '0')
			sp->zero = true;
		else if (*f == '-')
			sp->left = true;
		else if (*f == '#')
			sp->alt = true;
		else
			break;
	}
	for (; isdigit(*f) || *f == '.'; f++)
		if (*f != '.')
			sp->width = sp->width * 10 + (u32)(*f - '0');
	for (; *f == 'l' || *f == 'L' || *f == 'h' || *f == 'z'; f++)
		sp->bytes = *f == 'h' ? sp->bytes / 2 : 8;
	sp->kind = *f;
	return *f ? f + 1 : f;
}

void trace_print_symbol(struct seq *s, u64 addr, bool with_offset)
{
	char name[KSYM_NAME_MAX];
	u64 offset, size;

	if (!ksym_lookup(addr, name, &offset, &size))
		seq_printf(s, "0x%llx", (unsigned long long)addr);
	else if (!with_offset)
		seq_puts(s, name);
	else
		seq_printf(s, "%s+0x%llx/0x%llx", name,
			   (unsigned long long)offset,
			   (unsigned long long)size);
}

static void print_address(struct seq *s, const char *kind, u64 addr)
{
	if (kind[0] != 's' && kind[0] != 'S')
		seq_printf(s, "%016llx", (unsigned long long)addr);
	else
		trace_print_symbol(s, addr, kind[0] == 'S');
}

static void print_value(struct seq *s, const struct spec *sp, struct value v)
{
	u64 n = load((const char *)&v.n, sp->bytes, sp->kind == 'd');
	int width = (int)sp->width;

	switch (sp->kind) {
	case 's':
		if (v.str)
			seq_write(s, v.str, v.len);
		break;
	case 'c':
		seq_putc(s, (char)v.n);
		break;
	case 'd':
	case 'i':
		seq_printf(s, sp->zero ? "%0*lld" : "%*lld", width,
			   (long long)n);
		break;
	case 'x':
		if (sp->alt)
			seq_puts(s, "0x");
		seq_printf(s, sp->zero ? "%0*llx" : "%*llx", width,
			   (unsigned long long)n);
		break;
	default:
		seq_printf(s, sp->zero ? "%0*llu" : "%*llu", width,
			   (unsigned long long)n);
		break;
	}
}

static void print_format(struct seq *s, struct printer *pr, const char *fmt)
{
	const char *f = fmt + 1;
	struct spec sp;

	/* The arguments begin where the format's string ends. */
	for (pr->p = f; *pr->p && *pr->p != '"'; pr->p++)
		;
	pr->p += *pr->p == '"';
	while (*f && *f != '"') {
		if (*f != '%' || f[1] == '%') {
			seq_putc(s, *f);
			f += 1 + (*f == '%');
			continue;
		}
		f = parse_spec(f + 1, &sp);
		accept(pr, ",");
		if (sp.kind == 'p') {
			print_address(s, f, expression(pr, 0).n);
			f += *f == 's' || *f == 'S';
			continue;
		}
		print_value(s, &sp, expression(pr, 0));
	}
}

void trace_print_format(struct seq *s, const struct trace_event *ev,
			const char *record, u32 size)
{
	struct printer pr = { .ev = ev, .rec = record, .size = size };

	print_format(s, &pr, ev->text_fmt ? ev->text_fmt : ev->print_fmt);
}
