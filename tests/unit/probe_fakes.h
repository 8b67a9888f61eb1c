/* SPDX-License-Identifier: MIT */
/*
 * What the parser of probe definitions takes from the kernel, for the unit
 * test and the fuzz target.  Included once; kzalloc and kfree are theirs.
 */
#ifndef SONDE_TESTS_PROBE_FAKES_H
#define SONDE_TESTS_PROBE_FAKES_H

#include "../../kernel/probes/parse.h"

#include <kernel/page.h>
#include <lib/err.h>
#include <lib/string.h>

const struct fetch_type_info fetch_types[FETCH_TYPES] = {
	[FETCH_U8] = { "u8", "u8", "%u", 1, false },
	[FETCH_U16] = { "u16", "u16", "%u", 2, false },
	[FETCH_U32] = { "u32", "u32", "%u", 4, false },
	[FETCH_U64] = { "u64", "u64", "%Lu", 8, false },
	[FETCH_S8] = { "s8", "s8", "%d", 1, true },
	[FETCH_S16] = { "s16", "s16", "%d", 2, true },
	[FETCH_S32] = { "s32", "s32", "%d", 4, true },
	[FETCH_S64] = { "s64", "s64", "%Ld", 8, true },
	[FETCH_X8] = { "x8", "u8", "0x%x", 1, false },
	[FETCH_X16] = { "x16", "u16", "0x%x", 2, false },
	[FETCH_X32] = { "x32", "u32", "0x%x", 4, false },
	[FETCH_X64] = { "x64", "u64", "0x%Lx", 8, false },
	[FETCH_SYMBOL] = { "symbol", "u64", "%pS", 8, false },
	[FETCH_STRING] = { "string", "", "", 4, true },
	[FETCH_USTRING] = { "ustring", "", "", 4, true },
};

void probe_args_free(struct probe_args *args)
{
	u32 i;

	if (!args)
		return;
	for (i = 0; i < args->nr; i++) {
		kfree(args->arg[i].comm);
		kfree(args->arg[i].text);
	}
	kfree(args);
}

static u64 find(const char *symbol)
{
	return streq(symbol, "vfs_read") ? 0xffff800008001000 :
	       streq(symbol, "_text") ? 0xffff800008000000 :
	       streq(symbol, "jiffies") ? 0xffff800009000000 : 0;
}

static bool on_entry(u64 addr)
{
	return addr == 0xffff800008001000;
}

static int file(const char *path)
{
	if (!*path || str_has_prefix(path, "/no/"))
		return -ENOENT;
	return path[strlen(path) - 1] == '/' ? -EINVAL : 0;
}

static const struct probe_symbols symbols = { find, on_entry, file };

#endif /* SONDE_TESTS_PROBE_FAKES_H */
