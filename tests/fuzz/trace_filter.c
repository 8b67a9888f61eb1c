// SPDX-License-Identifier: MIT
/*
 * Any text as an event filter; what compiles is evaluated, and the position of
 * an error lies in the text.
 */
#include "../../kernel/trace/filter.h"

#include <kernel/page.h>
#include <kernel/trace_event.h>
#include <lib/string.h>

#include "fuzz.h"

void *kmalloc(size_t size, u32 gfp)
{
	return fuzz_alloc(size);
}

void *kzalloc(size_t size, u32 gfp)
{
	void *p = fuzz_alloc(size);

	return p ? memset(p, 0, size) : NULL;
}

void kfree(const void *p)
{
	fuzz_free((void *)(uintptr_t)p);
}

const char *trace_filter_comm(void)
{
	return "a name of 15 ch";
}

u32 trace_filter_cpu(void)
{
	return 1;
}

bool trace_filter_fetch(const char *str, bool user, char *buf, u32 size)
{
	buf[0] = '\0';
	return user;
}

static const struct trace_field fields[] = {
	{ "int", "n", "", 8, 4, true },
	{ "u64", "u", "", 16, 8, false },
	{ "char", "s", "[8]", 24, 8, false },
	{ "__data_loc char[]", "t", "", 32, 4, false },
	{ "char *", "p", "", 40, 8, false },
	{ "unsigned long", "a", "[2]", 48, 16, false },
};
static const struct trace_event event = {
	.fields = fields, .nr_fields = ARRAY_SIZE(fields),
};

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	struct trace_filter_error err;
	struct trace_filter *f;
	u8 *record = fuzz_alloc(72);
	char *text = fuzz_alloc(len + 1);
	u32 tail = 64 | 8 << 16;

	memset(record, 'x', 72);
	memcpy(record + 32, &tail, sizeof(tail));
	memcpy(text, data, len);
	text[len] = '\0';
	if (!trace_filter_compile(&event, text, &f, &err)) {
		(void)OPAQUE(trace_filter_match(f, record));
		trace_filter_free(f);
	} else {
		fuzz_require(err.pos <= strlen(text) + 1);
	}
	fuzz_free(text);
	fuzz_free(record);
	return 0;
}
