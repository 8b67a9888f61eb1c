/* SPDX-License-Identifier: MIT */
/*
 * Unit tests: the same source runs on the host and inside the kernel.
 *
 *	KTEST(list_add_keeps_order)
 *	{
 *		KT_EXPECT_EQ(1 + 1, 2);
 *	}
 *
 * Cases gather in a linker set. ktest_run() runs those whose name contains
 * filter (NULL: all), prints KTAP lines and closes with "N passed, N failed".
 * EXPECT notes a failure and goes on, REQUIRE leaves the case. Text goes out
 * through kt_print(), which the runner supplies (stdout, or the console).
 */
#ifndef SONDE_LIB_KTEST_H
#define SONDE_LIB_KTEST_H

#include <lib/linkset.h>
#include <lib/printf.h>
#include <lib/string.h>
#include <lib/types.h>

struct kt_state {
	unsigned int failures; /* of the running case */
};

struct ktest {
	const char *name;
	void (*fn)(struct kt_state *kt);
};

/* One finished line; supplied by the runner. */
void kt_print(const char *line);

#define KTEST(id)                                                              \
	static void ktest_##id(struct kt_state *kt);                           \
	static const struct ktest ktest_case_##id = { #id, ktest_##id };       \
	LINKSET_ADD(ktests, ktest_case_##id);                                  \
	static void ktest_##id(struct kt_state *kt)

static inline void __printf(4, 5) kt_fail(struct kt_state *kt, const char *file,
					  int line, const char *fmt, ...)
{
	char text[256];
	va_list args;
	int len;

	kt->failures++;
	len = scnprintf(text, sizeof(text), "  # %s:%d: ", file, line);
	va_start(args, fmt);
	vscnprintf(text + len, sizeof(text) - len, fmt, args);
	va_end(args);
	kt_print(text);
}

#define KT_EXPECT(cond)                                                        \
	do {                                                                   \
		if (!(cond))                                                   \
			kt_fail(kt, __FILE__, __LINE__, "%s", #cond);          \
	} while (0)

#define KT_REQUIRE(cond)                                                       \
	do {                                                                   \
		if (!(cond)) {                                                 \
			kt_fail(kt, __FILE__, __LINE__, "%s", #cond);          \
			return;                                                \
		}                                                              \
	} while (0)

#define __KT_COMPARE(a, op, b)                                                 \
	do {                                                                   \
		__typeof__((a) + 0) __kt_a = (a);                              \
		__typeof__((b) + 0) __kt_b = (b);                              \
		if (!(__kt_a op __kt_b))                                       \
			kt_fail(kt, __FILE__, __LINE__,                        \
				"%s " #op " %s: %lld (%#llx), %lld (%#llx)",   \
				#a, #b, (long long)__kt_a,                     \
				(unsigned long long)__kt_a, (long long)__kt_b, \
				(unsigned long long)__kt_b);                   \
	} while (0)

#define KT_EXPECT_EQ(a, b) __KT_COMPARE(a, ==, b)
#define KT_EXPECT_NE(a, b) __KT_COMPARE(a, !=, b)
#define KT_EXPECT_LT(a, b) __KT_COMPARE(a, <, b)
#define KT_EXPECT_LE(a, b) __KT_COMPARE(a, <=, b)
#define KT_EXPECT_GE(a, b) __KT_COMPARE(a, >=, b)
#define KT_EXPECT_PTR_EQ(a, b)                                                 \
	do {                                                                   \
		const void *__kt_a = (a);                                      \
		const void *__kt_b = (b);                                      \
		if (__kt_a != __kt_b)                                          \
			kt_fail(kt, __FILE__, __LINE__, "%s == %s: %p, %p",    \
				#a, #b, __kt_a, __kt_b);                       \
	} while (0)

#define KT_EXPECT_STREQ(a, b)                                                  \
	do {                                                                   \
		const char *__kt_a = (a);                                      \
		const char *__kt_b = (b);                                      \
		if (strcmp(__kt_a, __kt_b) != 0)                               \
			kt_fail(kt, __FILE__, __LINE__,                        \
				"%s is \"%s\", not \"%s\"", #a, __kt_a,        \
				__kt_b);                                       \
	} while (0)

#define KT_EXPECT_MEMEQ(a, b, n)                                               \
	do {                                                                   \
		if (memcmp(a, b, n) != 0)                                      \
			kt_fail(kt, __FILE__, __LINE__, "%s and %s differ",    \
				#a, #b);                                       \
	} while (0)

/* Fails with a text of the caller's own. */
#define KT_FAIL(...) kt_fail(kt, __FILE__, __LINE__, __VA_ARGS__)

/* A small generator for seeded trials; the state must not be zero. */
static inline u64 kt_random(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Returns how many cases failed; running none is a failure too. */
unsigned int ktest_run(const char *filter);

#endif /* SONDE_LIB_KTEST_H */
