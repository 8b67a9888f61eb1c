// SPDX-License-Identifier: MIT
/*
 * Formatted text: every conversion, flags, bounds, and the symbol hook.
 */
#include <lib/ktest.h>

#define EXPECT_FORMAT(want, ...)                                               \
	do {                                                                   \
		char out[128];                                                 \
		scnprintf(out, sizeof(out), __VA_ARGS__);                      \
		KT_EXPECT_STREQ(out, want);                                    \
	} while (0)

KTEST(integers)
{
	EXPECT_FORMAT("-5 5 +5  5", "%d %u %+d % d", -5, 5, 5, 5);
	EXPECT_FORMAT("ff FF 0xff 0", "%x %X %#x %#x", 255, 255, 255, 0);
	EXPECT_FORMAT("17 017", "%o %#o", 15, 15);
	EXPECT_FORMAT("    7|7    |00007", "%5d|%-5d|%05d", 7, 7, 7);
	EXPECT_FORMAT("-0007|  007", "%05d|%5.3d", -7, 7);
	EXPECT_FORMAT("-9223372036854775808", "%lld", S64_MIN);
	EXPECT_FORMAT("18446744073709551615", "%llu", U64_MAX);
	EXPECT_FORMAT("ffffffffffffffff", "%lx", ~0UL);
	EXPECT_FORMAT("-1 255 65535", "%hhd %hhu %hu", -1, -1, -1);
	EXPECT_FORMAT("4294967295", "%u", -1);
	EXPECT_FORMAT("12 34", "%zu %zd", (size_t)12, (ssize_t)34);
	EXPECT_FORMAT("||0", "%.0d|%.0x|%d", 0, 0, 0);
	EXPECT_FORMAT("   5|5  ", "%*d|%*d", 4, 5, -3, 5);
	EXPECT_FORMAT("-2147483648", "%d", INT_MIN);
}

KTEST(text)
{
	EXPECT_FORMAT("abc|  abc|abc  ", "%s|%5s|%-5s", "abc", "abc", "abc");
	EXPECT_FORMAT("ab|(null)", "%.2s|%s", "abc", (char *)NULL);
	EXPECT_FORMAT("ab|", "%.*s|%.*s", 2, "abc", 0, "x");
	EXPECT_FORMAT("x|  y|%", "%c|%3c|%%", 'x', 'y');
	EXPECT_FORMAT("100%", "100%%");
	EXPECT_FORMAT("end", "end%");
}

KTEST(pointers)
{
	u8 bytes[3] = { 0xde, 0xad, 0x01 };

	EXPECT_FORMAT("0000000000001234", "%p", (void *)0x1234);
	EXPECT_FORMAT("0x1234", "%pS", (void *)0x1234);
	EXPECT_FORMAT("de ad 01", "%.3ph", bytes);
}

static int symbol(char *buf, size_t size, uintptr_t addr)
{
	return scnprintf(buf, size, "fn+%#lx", (long)addr);
}

KTEST(symbols_by_hook)
{
	printf_symbol_hook = symbol;
	EXPECT_FORMAT("[fn+0x10]", "[%pS]", (void *)0x10);
	EXPECT_FORMAT("[fn+0xf]", "[%pB]", (void *)0x10);
	printf_symbol_hook = NULL;
}

KTEST(bounds)
{
	char b[4] = "xyz";

	KT_EXPECT_EQ(snprintf(b, 0, "abc"), 3);
	KT_EXPECT_STREQ(b, "xyz");
	KT_EXPECT_EQ(snprintf(b, sizeof(b), "%s", "abcdef"), 6);
	KT_EXPECT_STREQ(b, "abc");
	KT_EXPECT_EQ(scnprintf(b, sizeof(b), "%d", 12345), 3);
	KT_EXPECT_EQ(scnprintf(b, 1, "abc"), 0);
	KT_EXPECT_STREQ(b, "");
	KT_EXPECT_EQ(scnprintf(b, 0, "abc"), 0);
}
