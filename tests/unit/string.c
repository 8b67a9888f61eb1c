// SPDX-License-Identifier: MIT
/*
 * Memory and string functions, character by character against a plain model.
 */
#include <arch/string.h>
#include <lib/err.h>
#include <lib/ktest.h>

#include "host.h"

KTEST(memmove_every_overlap)
{
	u8 a[64], want[64];

	for (int from = 0; from < 20; from++) {
		for (int to = 0; to < 20; to++) {
			for (int n = 0; n < 40; n++) {
				for (int i = 0; i < 64; i++)
					a[i] = want[i] = (u8)(i * 7);
				for (int i = 0; i < n; i++)
					want[to + i] = (u8)((from + i) * 7);
				memmove(a + to, a + from, n);
				KT_REQUIRE(memcmp(a, want, 64) == 0);
			}
		}
	}
}

KTEST(memcpy_and_memset_exact_bounds)
{
	for (int n = 0; n < 70; n++) {
		u8 *src = host_alloc(n + 1);
		u8 *dst = host_alloc(n + 1);

		memset(src, 0x5a, n);
		src[n] = 1;
		dst[n] = 2;
		memcpy(dst, src, n);
		KT_EXPECT(!memchr_inv(dst, 0x5a, n));
		KT_EXPECT_EQ(dst[n], 2);
		host_free(src);
		host_free(dst);
	}
}

KTEST(pages_clear_and_copy)
{
	u8 *a = host_alloc(4096);
	u8 *b = host_alloc(4096);

	for (int i = 0; i < 4096; i++)
		a[i] = (u8)(i ^ i >> 8);
	arch_copy_page(b, a);
	KT_EXPECT_EQ(memcmp(a, b, 4096), 0);
	arch_clear_page(b);
	KT_EXPECT(!memchr_inv(b, 0, 4096));
	host_free(a);
	host_free(b);
}

KTEST(compare_and_search)
{
	KT_EXPECT_LT(strcmp("abc", "abd"), 0);
	KT_EXPECT_LT(strcmp("ab", "abc"), 0);
	KT_EXPECT_LT(0, strcmp("\xff", "a"));
	KT_EXPECT_EQ(strncmp("abcx", "abcy", 3), 0);
	KT_EXPECT_EQ(strcasecmp("HeLLo", "hEllO"), 0);
	KT_EXPECT_NE(strcasecmp("a", "b"), 0);
	KT_EXPECT_STREQ(strchr("a=b=c", '='), "=b=c");
	KT_EXPECT_STREQ(strrchr("a=b=c", '='), "=c");
	KT_EXPECT_STREQ(strchr("abc", 0), "");
	KT_EXPECT_PTR_EQ(strchr("abc", 'x'), NULL);
	KT_EXPECT_STREQ(strstr("haystack", "st"), "stack");
	KT_EXPECT_STREQ(strstr("x", ""), "x");
	KT_EXPECT_PTR_EQ(strstr("hays", "sz"), NULL);
	KT_EXPECT_EQ(strspn("aabx", "ab"), 3);
	KT_EXPECT_EQ(strcspn("aabx", "x"), 3);
	KT_EXPECT_STREQ(memmem("abcdef", 7, "de", 2), "def");
	KT_EXPECT_PTR_EQ(memmem("abc", 3, "abcd", 4), NULL);
	KT_EXPECT_EQ(strnlen("abc", 2), 2);
}

KTEST(strlcpy_cuts_and_says_so)
{
	char b[4];

	KT_EXPECT_EQ(strlcpy_k(b, "abc", 4), 3);
	KT_EXPECT_STREQ(b, "abc");
	KT_EXPECT_EQ(strlcpy_k(b, "abcd", 4), -E2BIG);
	KT_EXPECT_STREQ(b, "abc");
	KT_EXPECT_EQ(strlcpy_k(b, "x", 0), -E2BIG);
	KT_EXPECT_EQ(strlcpy_k(b, "", 4), 0);
}

KTEST(fields_and_trimming)
{
	char text[] = "a,b,,c";
	char spaces[] = " \t x y \n";
	char *s = text;

	KT_EXPECT_STREQ(strtok_k(&s, ","), "a");
	KT_EXPECT_STREQ(strtok_k(&s, ","), "b");
	KT_EXPECT_STREQ(strtok_k(&s, ","), "");
	KT_EXPECT_STREQ(strtok_k(&s, ","), "c");
	KT_EXPECT_PTR_EQ(strtok_k(&s, ","), NULL);
	KT_EXPECT_STREQ(strim_k(spaces), "x y");
}

KTEST(globs)
{
	static const struct {
		const char *pattern, *s;
		bool match;
	} cases[] = {
		{ "*", "", true },
		{ "a*", "abc", true },
		{ "*c", "abc", true },
		{ "a*c", "abd", false },
		{ "?b?", "abc", true },
		{ "?", "", false },
		{ "[a-c]x", "bx", true },
		{ "[!a-c]x", "bx", false },
		{ "[]]", "]", true },
		{ "[", "[", true },
		{ "\\*", "*", true },
		{ "\\*", "a", false },
		{ "sys_*_enter*", "sys_a_enter_b", true },
		{ "a**b", "ab", true },
		{ "abc", "ab", false },
		{ "ab", "abc", false },
		{ "\\?", "x", false },
		{ "*aab", "aaaaaaab", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (glob_match(cases[i].pattern, cases[i].s) != cases[i].match)
			KT_FAIL("%s on %s", cases[i].pattern, cases[i].s);
}
