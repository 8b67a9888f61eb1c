/* SPDX-License-Identifier: MIT */
/*
 * Definitions of probes: what is accepted, as what, and what is said of the
 * rest.  The positions and words are those of the reference's error_log.
 */
#include "../../kernel/probes/parse.h"

#include <kernel/page.h>
#include <lib/err.h>
#include <lib/ktest.h>

#include <stdlib.h>

#include "probe_fakes.h"

/* --- what the parser takes from the kernel ----------------------------- */

static long blocks;	/* allocated */

void *kzalloc(size_t size, u32 gfp)
{
	blocks++;
	return calloc(1, size);
}

char *kstrdup(const char *s, u32 gfp)
{
	char *copy = kzalloc(strlen(s) + 1, gfp);

	memcpy(copy, s, strlen(s) + 1);
	return copy;
}

void kfree(const void *p)
{
	if (p)
		blocks--;
	free((void *)p);
}

static char line[4096];
static struct probe_words words;

static int parse(const char *text, bool is_user, struct probe_def *def,
		 struct probe_error *err)
{
	strlcpy_k(line, text, sizeof(line));
	memset(def, 0, sizeof(*def));
	memset(err, 0, sizeof(*err));
	def->is_user = is_user;
	if (probe_split(line, &words))
		return -E2BIG;
	return probe_parse(&words, def, err, &symbols);
}

/* --- what is accepted --------------------------------------------------- */

KTEST(places)
{
	struct probe_error err;
	struct probe_def d;

	KT_EXPECT_EQ(parse("p vfs_read", false, &d, &err), 0);
	KT_EXPECT_STREQ(d.group, "kprobes");
	KT_EXPECT_STREQ(d.event, "p_vfs_read_0");
	KT_EXPECT_STREQ(d.place, "vfs_read");
	KT_EXPECT(d.is_entry && !d.is_return && !d.args);
	KT_EXPECT_EQ(parse("r7:g-1/e vfs_read", false, &d, &err), 0);
	KT_EXPECT_STREQ(d.group, "g-1");
	KT_EXPECT_STREQ(d.event, "e");
	KT_EXPECT(d.is_return && d.max_active == 7);
	KT_EXPECT_EQ(parse("p:g/ vfs_read+0x10", false, &d, &err), 0);
	KT_EXPECT_STREQ(d.event, "p_vfs_read_16");
	KT_EXPECT(d.offset == 16 && !d.is_entry);
	KT_EXPECT_EQ(parse("p:x vfs_read%return", false, &d, &err), 0);
	KT_EXPECT(d.is_return);
	KT_EXPECT_EQ(parse("p 0xffff800008001000", false, &d, &err), 0);
	KT_EXPECT(!d.place[0] && d.offset == 0xffff800008001000);
	KT_EXPECT_STREQ(d.event, "p_0xffff800008001000");
	KT_EXPECT(d.is_entry);
	KT_EXPECT_EQ(parse("r _text+0x1000 $retval", false, &d, &err), 0);
	KT_EXPECT(d.is_entry && d.args);
	probe_args_free(d.args);
	KT_EXPECT_EQ(parse("p /lib/libc.so.6:0x1000(0x20)", true, &d, &err), 0);
	KT_EXPECT_STREQ(d.place, "/lib/libc.so.6");
	KT_EXPECT(d.offset == 0x1000 && d.ref_ctr == 0x20);
	KT_EXPECT_STREQ(d.event, "p_libc_0x1000");
	KT_EXPECT_EQ(parse("r3:x /bin/busybox:16", true, &d, &err), 0);
	KT_EXPECT_STREQ(d.event, "p_busybox_0x10");
	KT_EXPECT_EQ(parse("p:x /a:b:0x8%return", true, &d, &err), 0);
	KT_EXPECT(d.is_return && streq(d.place, "/a:b") && d.offset == 8);
}

static struct probe_arg fetch(struct kt_state *kt, const char *text,
			      bool is_return)
{
	struct probe_arg arg = { 0 };
	struct probe_error err;
	struct probe_def d;
	char whole[256];

	scnprintf(whole, sizeof(whole), "%c:x vfs_read %s",
		  is_return ? 'r' : 'p', text);
	if (parse(whole, false, &d, &err)) {
		KT_FAIL("%s: %s", text, err.text ? err.text : "refused");
		return arg;
	}
	arg = d.args->arg[0];
	probe_args_free(d.args);
	return arg;
}

KTEST(arguments)
{
	struct probe_arg a = fetch(kt, "$arg2", false);

	KT_EXPECT(a.source == FETCH_REG && a.value == 1);
	KT_EXPECT_STREQ(a.name, "arg1");
	KT_EXPECT_EQ(a.type, FETCH_X64);
	a = fetch(kt, "r=$retval:s32", true);
	KT_EXPECT(a.source == FETCH_REG && !a.value && a.type == FETCH_S32);
	KT_EXPECT_STREQ(a.name, "r");
	a = fetch(kt, "%x29", false);
	KT_EXPECT(a.source == FETCH_REG && a.value == 29);
	a = fetch(kt, "%lr", false);
	KT_EXPECT_EQ(a.value, 30);
	KT_EXPECT_EQ(fetch(kt, "%sp", false).source, FETCH_SP);
	KT_EXPECT_EQ(fetch(kt, "$stack", false).source, FETCH_SP);
	a = fetch(kt, "$stack12", false);
	KT_EXPECT(a.source == FETCH_STACK && a.value == 12);
	a = fetch(kt, "$comm", false);
	KT_EXPECT(a.source == FETCH_COMM && a.type == FETCH_STRING);
	a = fetch(kt, "\\-5:s8", false);
	KT_EXPECT(a.source == FETCH_IMMEDIATE && (s64)a.value == -5);
	a = fetch(kt, "@jiffies+8:u32", false);
	KT_EXPECT(a.value == 0xffff800009000008 && a.nr_derefs == 1);
	a = fetch(kt, "+8(-0x10(+u4(%x1))):string", false);
	KT_EXPECT(a.nr_derefs == 3 && a.deref[0] == 4 && a.deref[1] == -16 &&
		  a.deref[2] == 8 && a.user_derefs == 1);
	KT_EXPECT_EQ(a.type, FETCH_STRING);
	a = fetch(kt, "+0(%x0):u16[5]", false);
	KT_EXPECT(a.count == 5 && a.type == FETCH_U16);
	a = fetch(kt, "%x0:b3@5/32", false);
	KT_EXPECT(a.bits == 3 && a.shift == 5 && a.type == FETCH_U32);
}

/* --- what is not, and what is said -------------------------------------- */

static const struct {
	const char *text;
	bool is_user;
	int errno_;
	u32 word, offset;
	const char *said;
} bad[] = {
	{ "q:x vfs_read", false, -EINVAL, 0, 0, NULL },
	{ "p:x", false, -EINVAL, 0, 0, NULL },
	{ "p:x no_such_fn", false, -ENOENT, 1, 0,
	  "Invalid probed address or symbol" },
	{ "p:1x vfs_read", false, -EINVAL, 0, 2,
	  "Event name must follow the same rules as C identifiers" },
	{ "p:/x vfs_read", false, -EINVAL, 0, 2, "Group name is not specified" },
	{ "p:x vfs_read+abc", false, -EINVAL, 1, 0,
	  "Invalid probed address or symbol" },
	{ "p:x vfs_read %zz", false, -EINVAL, 2, 0, "Invalid register name" },
	{ "p:x vfs_read a=%x0:foo", false, -EINVAL, 2, 6,
	  "Unknown type is specified" },
	{ "p:x vfs_read a=%x0:u8[99]", false, -EINVAL, 2, 9,
	  "Array number is too big" },
	{ "p:x vfs_read a=%x0:u8[2]", false, -EINVAL, 2, 6,
	  "String accepts only memory argument" },
	{ "p:x vfs_read a=%x0 a=%x1", false, -EINVAL, 3, 0,
	  "This argument name is already used" },
	{ "p:x vfs_read +0(%x0", false, -EINVAL, 2, 6,
	  "Dereference brace is not closed" },
	{ "p:x vfs_read +z(%x0)", false, -EINVAL, 2, 0,
	  "Invalid dereference offset" },
	{ "p:x vfs_read a=+u4(+-z(%x0))", false, -EINVAL, 2, 5,
	  "Invalid dereference offset" },
	{ "p:x vfs_read +u4(+-8(x0))", false, -EINVAL, 2, 6,
	  "Invalid fetch argument" },
	/* The type comes before what it is the type of, a name last. */
	{ "p:1x vfs_read %zz:foo", false, -EINVAL, 0, 2,
	  "Event name must follow the same rules as C identifiers" },
	{ "p:1x no_such_fn", false, -ENOENT, 1, 0,
	  "Invalid probed address or symbol" },
	{ "p:x vfs_read %zz:foo", false, -EINVAL, 2, 4,
	  "Unknown type is specified" },
	{ "p:x vfs_read \\\"text", false, -EINVAL, 2, 6,
	  "String is not closed with '\"'" },
	{ "p:x vfs_read $comm:u8", false, -EINVAL, 0, 0, NULL },
	/* Symbols are looked up when all else is right. */
	{ "p:x vfs_read @nowhere %zz", false, -EINVAL, 3, 0,
	  "Invalid register name" },
	{ "p:x vfs_read @nowhere %x0", false, -ENOENT, 1, 0,
	  "Invalid probed address or symbol" },
	{ "p:x vfs_read @_text+z", false, -EINVAL, 1, 0,
	  "Failed to register probe event" },
	{ "p:x mod:fn %zz", false, -EINVAL, 2, 0, "Invalid register name" },
	{ "p:x mod:fn", false, -ENOENT, 1, 0,
	  "Invalid probed address or symbol" },
	{ "p:x /bin/sh:0", false, -EINVAL, 0, 0, NULL },
	{ "p:1x /no/file:0(z", true, -ENOENT, 1, 0,
	  "Failed to find the given file" },
	{ "p:x /bin/:0", true, -EINVAL, 1, 0, "Not a regular file" },
	{ "p:x vfs_read $retval", false, -EINVAL, 2, 0,
	  "$retval is not available on probe" },
	{ "r:x vfs_read+4", false, -EINVAL, 1, 0,
	  "Retprobe address must be an function entry" },
	{ "r:x vfs_read $foo", false, -EINVAL, 2, 0,
	  "Invalid $-variable specified" },
	{ "p vfs_read+4 $arg1", false, -EINVAL, 2, 0,
	  "Invalid $-variable specified" },
	{ "p:x vfs_read a=%x0:b4@30/32", false, -EINVAL, 2, 6,
	  "Invalid bitfield" },
	{ "p:x vfs_read a=\\zz", false, -EINVAL, 2, 3,
	  "Invalid immediate value" },
	{ "p:x vfs_read a=%x0:string", false, -EINVAL, 2, 6,
	  "String accepts only memory argument" },
	{ "p9:x vfs_read", false, -EINVAL, 0, 1, "Maxactive is not for kprobe" },
	{ "r99999:x vfs_read", false, -EINVAL, 0, 1, "Maxactive is too big" },
	{ "p:x vfs_read common_pid=%x0", false, -EINVAL, 2, 0,
	  "This argument name is already used" },
	{ "p:x /bin/busybox", true, -EINVAL, 0, 0, NULL },
	{ "p:x /bin/busybox:zz", true, -EINVAL, 0, 0, NULL },
	{ "p:x /bin/busybox:0x1000(zz)", true, -EINVAL, 1, 20,
	  "Invalid reference counter offset" },
	{ "p:x /bin/busybox:0x1000(0x10", true, -EINVAL, 1, 24,
	  "Reference counter brace is not closed" },
	{ "p:x /bin/busybox:0x1000 @jiffies", true, -EINVAL, 2, 0,
	  "Symbol is not available with uprobe" },
	{ "p:x /bin/busybox:0x1000 $arg1", true, -EINVAL, 2, 0,
	  "Invalid $-variable specified" },
};

KTEST(errors)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct probe_error err;
		struct probe_def d;
		int ret = parse(bad[i].text, bad[i].is_user, &d, &err);

		if (ret != bad[i].errno_)
			KT_FAIL("%s: %d", bad[i].text, ret);
		if (!err.text != !bad[i].said ||
		    (err.text && strcmp(err.text, bad[i].said)))
			KT_FAIL("%s: says %s", bad[i].text,
				err.text ? err.text : "nothing");
		if (err.word != bad[i].word || err.offset != bad[i].offset)
			KT_FAIL("%s: at %u+%u", bad[i].text, err.word,
				err.offset);
		KT_EXPECT(!d.args);
	}
	KT_EXPECT_EQ(blocks, 0);
}

/* Mutations of good lines: an answer each, and nothing is left behind. */
KTEST(mutations)
{
	static const char *const seeds[] = {
		"p:g/e vfs_read+8 a=+8(-4(%x1)):u32 b=$stack3 c=@jiffies:x8[4]",
		"r12:e vfs_read $retval:string \\\"text\" \\0x12:b3@4/16 $comm",
		"p:e /lib/libc.so.6:0x1234%return(0x10) %x0 +u0(%sp):ustring[3]",
	};
	static const char set[] = "pr:/+-@$%\\\"()[]=,.0x19azu \t";
	u64 state = 0x50f1e;
	u32 i, n, k;

	for (i = 0; i < 30000; i++) {
		struct probe_error err;
		struct probe_def d;
		char text[256];
		size_t len;

		strlcpy_k(text, seeds[i % 3], sizeof(text));
		len = strlen(text);
		n = (u32)(kt_random(&state) % 4) + 1;
		for (k = 0; k < n; k++)
			text[kt_random(&state) % len] =
				set[kt_random(&state) % (sizeof(set) - 1)];
		if (!parse(text, i % 3 == 2, &d, &err))
			probe_args_free(d.args);
		KT_EXPECT(err.word < PROBE_WORDS_MAX && err.offset < 256);
		if (blocks) {
			KT_FAIL("left behind by: %s", text);
			blocks = 0;
		}
	}
}

KTEST(names_of_deletions)
{
	char group[PROBE_NAME_MAX], event[PROBE_NAME_MAX];

	KT_EXPECT_EQ(probe_parse_name("g/e", group, event), 0);
	KT_EXPECT(streq(group, "g") && streq(event, "e"));
	KT_EXPECT_EQ(probe_parse_name("g/", group, event), 0);
	KT_EXPECT(streq(group, "g") && !*event);
	KT_EXPECT_EQ(probe_parse_name("e", group, event), 0);
	KT_EXPECT(!*group && streq(event, "e"));
	KT_EXPECT_EQ(probe_parse_name("", group, event), -EINVAL);
}
