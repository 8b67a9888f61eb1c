// SPDX-License-Identifier: MIT
/*
 * Event filters: what is accepted, what is refused and where, what matches.
 */
#include "../../kernel/trace/filter.h"

#include <kernel/page.h>
#include <kernel/trace_event.h>
#include <lib/err.h>
#include <lib/ktest.h>
#include <lib/printf.h>
#include <lib/string.h>

#include "host.h"

/* --- what the parser and the evaluation ask for --------------------------- */

void *kmalloc(size_t size, u32 gfp)
{
	return host_alloc(size);
}

void *kzalloc(size_t size, u32 gfp)
{
	void *p = host_alloc(size);

	if (p)
		memset(p, 0, size);
	return p;
}

void kfree(const void *p)
{
	host_free((void *)(uintptr_t)p);
}

static const char *comm = "cat";

const char *trace_filter_comm(void)
{
	static char name[16];

	memset(name, 0, sizeof(name));
	memcpy(name, comm, strlen(comm));
	return name;
}

u32 trace_filter_cpu(void)
{
	return 3;
}

bool trace_filter_fetch(const char *str, bool user, char *buf, u32 size)
{
	if (!str)
		return false;
	strlcpy_k(buf, str, size);
	return true;
}

/* --- an event ------------------------------------------------------------- */

struct record {
	struct trace_common common;
	s32 num;
	u32 tail;
	u64 big;
	char name[16];
	const char *ptr;
	u8 small;
	char text[8];
};

#define FIELD(type_, name_, array_, sign) \
	{ type_, #name_, array_, OFFSET_OF(struct record, name_), \
	  sizeof(((struct record *)0)->name_), sign }
static const struct trace_field fields[] = {
	FIELD("int", num, "", true),
	FIELD("__data_loc char[]", tail, "", false),
	FIELD("u64", big, "", false),
	FIELD("char", name, "[16]", false),
	FIELD("const char *", ptr, "", false),
	FIELD("u8", small, "", false),
};
static const struct trace_event event = {
	.system = "unit", .name = "unit", .fields = fields,
	.nr_fields = ARRAY_SIZE(fields),
};

static struct record rec = {
	.common = { .type = 7, .pid = 42 }, .num = -5,
	.tail = OFFSET_OF(struct record, text) | 5 << 16,
	.big = 0xffffffffffffffff, .name = "sixteen letters!", .ptr = "pointed",
	.small = 200, .text = "tail",
};

/* -1: refused, else what it says of rec. */
static int says(const char *text)
{
	struct trace_filter *f;
	int yes;

	if (trace_filter_compile(&event, text, &f, NULL))
		return -1;
	yes = trace_filter_match(f, &rec);
	trace_filter_free(f);
	return yes;
}

KTEST(filter_numbers)
{
	static const char *const yes[] = {
		"num == -5", "num < 0", "num <= -5", "num >= -5", "num != 5",
		"num == 0xfffffffffffffffb || num == -5", "big > 1",
		"big == 18446744073709551615", "big == 0xffffffffffffffff",
		"small == 200", "small > 0x7f", "small & 8", "num & 1",
		"common_pid == 42", "common_type==7", "cpu == 3", "CPU < 4",
		"cpu & 1", "small == 456",
	};
	static const char *const no[] = {
		"num > 0", "num == 5", "big < 1", "small & 7", "cpu != 3",
		"small != 0310", "common_flags",
	};
	u32 i;

	/* One number of ours does not fit a signed field. */
	KT_EXPECT_EQ(says(yes[5]), -1);
	for (i = 0; i < ARRAY_SIZE(yes); i++)
		if (i != 5)
			KT_EXPECT_EQ(says(yes[i]), 1);
	for (i = 0; i < ARRAY_SIZE(no); i++)
		KT_EXPECT(says(no[i]) != 1);
}

static bool holds_in_c(u32 op, s64 a, s64 b, bool is_signed)
{
	bool less = is_signed ? a < b : (u64)a < (u64)b;

	switch (op) {
	case 0:
		return a == b;
	case 1:
		return a != b;
	case 2:
		return less;
	case 3:
		return less || a == b;
	case 4:
		return !less && a != b;
	default:
		return !less;
	}
}

/* Where a range would wrap. */
KTEST(filter_ranges)
{
	static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=" };
	static const s64 values[] = { 0, 1, 5, S32_MAX, S32_MIN, -1, -2 };
	static const s64 wide[] = { 0, 1, 2, S64_MAX, S64_MIN, -1, -2 };
	const struct record old = rec;
	char text[64];
	u32 i, j, op;

	for (i = 0; i < ARRAY_SIZE(values); i++)
		for (j = 0; j < ARRAY_SIZE(values); j++)
			for (op = 0; op < ARRAY_SIZE(ops); op++) {
				rec.num = (s32)values[i];
				rec.big = (u64)wide[i];
				snprintf(text, sizeof(text), "num %s %lld",
					 ops[op], values[j]);
				KT_EXPECT_EQ(says(text),
					     holds_in_c(op, values[i],
							values[j], true));
				snprintf(text, sizeof(text), "big %s %llu",
					 ops[op], (u64)wide[j]);
				KT_EXPECT_EQ(says(text),
					     holds_in_c(op, wide[i], wide[j],
							false));
			}
	rec = old;
}

KTEST(filter_strings)
{
	static const char *const yes[] = {
		"name == 'sixteen letters!'", "name ~ 'sixteen*'",
		"name ~ '*letters!'", "name ~ '*t*n*l*'", "name != 'x'",
		"tail == \"tail\"", "tail ~ 't?i[k-m]'", "tail ~ 't[!x]il'",
		"ptr == 'pointed'", "ptr.ustring ~ 'p*d'", "comm == 'cat'",
		"COMM ~ 'c*'", "comm ~ '!dog'", "name ~ '*'", "comm ~ 'c\\at'",
		"comm ~ 'c[]a]t'", "name ~ '*!'",
	};
	static const char *const no[] = {
		"name == 'sixteen'", "name ~ 'letters'", "tail == 'tai'",
		"tail ~ 'tail?'", "tail ~ 'tai'", "comm ~ '[ca'", "comm ~ 'c[a'",
		"comm ~ '1*'", "comm != 'cat'", "ptr == 'point'", "comm ~ ''",
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(yes); i++)
		KT_EXPECT_EQ(says(yes[i]), 1);
	for (i = 0; i < ARRAY_SIZE(no); i++)
		KT_EXPECT_EQ(says(no[i]), 0);
	rec.ptr = NULL;
	KT_EXPECT_EQ(says("ptr == 'x'"), 0);
	KT_EXPECT_EQ(says("ptr != 'x'"), 0);
	rec.ptr = "pointed";
}

/* Every expression over three terms of this shape, against C. */
KTEST(filter_logic)
{
	static const char *const shapes[] = {
		"a && b || c", "a || b && c", "(a || b) && c", "!(a && b) || c",
		"!a && !b || !c", "!(a || (b && !c))", "!(!(a) || !b) && c",
		"a && (b || c)", "((a) && (b)) || ((c))", "a || b || c",
		"a && b && c", "!(a || b) || (b && c)", "!!a && b || !(!c && a)",
	};
	u32 i, v;

	for (i = 0; i < ARRAY_SIZE(shapes); i++) {
		for (v = 0; v < 8; v++) {
			bool a = v & 1, b = v & 2, c = v & 4;
			const bool want[] = {
				(a && b) || c, a || (b && c), (a || b) && c,
				!(a && b) || c, (!a && !b) || !c,
				!(a || (b && !c)), !(!a || !b) && c,
				a && (b || c), (a && b) || c, a || b || c,
				a && b && c, !(a || b) || (b && c),
				(a && b) || !(!c && a),
			};
			char text[256];
			u32 n = 0;
			const char *s;

			for (s = shapes[i]; *s; s++) {
				const char *term = NULL;

				if (*s >= 'a' && *s <= 'c')
					term = v >> (*s - 'a') & 1 ?
						       "num == -5" : "num == 9";
				if (term) {
					memcpy(text + n, term, strlen(term));
					n += (u32)strlen(term);
				} else {
					text[n++] = *s;
				}
			}
			text[n] = '\0';
			KT_EXPECT_EQ(says(text), want[i]);
		}
	}
}

KTEST(filter_errors)
{
	static const struct {
		const char *text;
		int err;
		u32 pos;
		const char *says;
	} cases[] = {
		{ "num = 0", -EINVAL, 5, "Invalid operator" },
		{ "nope == 1", -EINVAL, 5, "Field not found" },
		{ "name == 1", -EINVAL, 9, "Expecting string field" },
		{ "num == 'a'", -EINVAL, 8, "Expecting numeric field" },
		{ "name < 'a'", -EINVAL, 8, "Illegal operation for field type" },
		{ "num ~ 1", -EINVAL, 7, "Illegal operation for field type" },
		{ "num == 'a", -ESRCH, 7, "Missing matching quote" },
		{ "(num == 1", -ENOENT, 0, "Too many '('" },
		{ "num == 1 && ((num == 1)", -ENOENT, 12, "Too many '('" },
		{ "num == 1)", -EPERM, 8, "Too few '('" },
		{ "num == 1 &&", -EINVAL, 11, "Meaningless filter expression" },
		{ "num == 1 & num == 2", -EPERM, 9,
		  "Too many terms in predicate expression" },
		{ "num == 99999999999999999999999999", -EINVAL, 34,
		  "Operand too long" },
		{ "num == 12x", -EINVAL, 8, "Illegal integer value" },
		{ "big == -1", -EINVAL, 8, "Illegal integer value" },
		{ "num == x", -EINVAL, 8,
		  "Invalid value (did you forget quotes)?" },
		{ "!", -EINVAL, 1, "No filter found" },
		{ "", -EINVAL, 0, NULL },
		{ "()", -EINVAL, 0, NULL },
		{ "\xff\xd6 == 1", -EINVAL, 3, "Field not found" },
		{ "\xd7 == 1", -EPERM, 0, NULL },
		{ "== 1", -EPERM, 0, NULL },
		{ "num == 1 &&& num == 2", -EPERM, 0, NULL },
	};
	struct trace_filter_error e;
	struct trace_filter *f;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int err = trace_filter_compile(&event, cases[i].text, &f, &e);

		KT_EXPECT_EQ(err, cases[i].err);
		KT_EXPECT_EQ(e.pos, cases[i].pos);
		KT_EXPECT(cases[i].says ? e.text && !strcmp(e.text,
							    cases[i].says) :
					  !e.text);
	}
	KT_EXPECT_EQ(host_alloc_live, 0);
}

/* No stack is used up, and no memory is lost where there is none left. */
KTEST(filter_deep_and_poor)
{
	static char text[4096];
	struct trace_filter *f;
	u32 n = 2000, i;

	memset(text, '(', n);
	memcpy(text + n, "num<0", 5);
	memset(text + n + 5, ')', n);
	text[2 * n + 5] = '\0';
	KT_EXPECT_EQ(says(text), 1);
	for (i = 0; i < 3; i++) {
		host_alloc_budget = (int)i;
		KT_EXPECT_EQ(trace_filter_compile(&event, "num < 0", &f, NULL),
			  -ENOMEM);
	}
	host_alloc_budget = -1;
	KT_EXPECT_EQ(host_alloc_live, 0);
}
