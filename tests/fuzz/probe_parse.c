// SPDX-License-Identifier: MIT
/*
 * Any text as the definition of a probe, the first byte saying which file it
 * is written to.  What is accepted is consistent, and what is wrong lies in
 * the text; nothing is left behind either way.
 */
#include "../unit/probe_fakes.h"
#include "fuzz.h"

static long blocks;	/* allocated */

void *kzalloc(size_t size, u32 gfp)
{
	void *p = fuzz_alloc(size);

	blocks += p != NULL;
	return p ? memset(p, 0, size) : NULL;
}

char *kstrdup(const char *s, u32 gfp)
{
	size_t size = strlen(s) + 1;
	char *copy = kzalloc(size, gfp);

	return copy ? memcpy(copy, s, size) : NULL;
}

void kfree(const void *p)
{
	blocks -= p != NULL;
	fuzz_free((void *)(uintptr_t)p);
}

static void check_arg(const struct probe_def *def, const struct probe_arg *arg)
{
	fuzz_require(probe_good_name(arg->name));
	fuzz_require(arg->comm && arg->type < FETCH_TYPES);
	fuzz_require(arg->nr_derefs <= PROBE_DEREFS_MAX);
	fuzz_require(arg->count <= PROBE_ARRAY_MAX);
	fuzz_require((arg->source == FETCH_TEXT) == (arg->text != NULL));
	if (arg->bits)
		fuzz_require(arg->bits + arg->shift <=
			     8 * fetch_types[arg->type].size);
	fuzz_touch(arg->comm, strlen(arg->comm));
}

static void check(const struct probe_def *def)
{
	u32 i;

	fuzz_require(def->group[0] && probe_good_name(def->event));
	fuzz_require(def->max_active <= PROBE_MAX_ACTIVE);
	for (i = 0; def->args && i < def->args->nr; i++)
		check_arg(def, &def->args->arg[i]);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	static struct probe_words words;
	static struct probe_def def;
	struct probe_error err = { 0 };
	char *line;

	if (!len || len > 4096)
		return 0;
	line = fuzz_alloc(len);
	memcpy(line, data + 1, len - 1);
	line[len - 1] = '\0';
	memset(&def, 0, sizeof(def));
	def.is_user = data[0] & 1;
	if (line[0] == '-') {
		char group[PROBE_NAME_MAX], event[PROBE_NAME_MAX];

		(void)OPAQUE(probe_parse_name(line + 1, group, event));
	} else if (!probe_split(line, &words)) {
		if (!probe_parse(&words, &def, &err, &symbols)) {
			check(&def);
			probe_args_free(def.args);
		} else {
			fuzz_require(!def.args);
			if (err.text && err.word < words.nr)
				fuzz_require((size_t)(words.word[err.word] -
						      line) + err.offset < len);
		}
	}
	fuzz_require(!blocks);
	fuzz_free(line);
	return 0;
}
