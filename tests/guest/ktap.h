/* SPDX-License-Identifier: MIT */
/*
 * Results of a guest test: one KTAP line per check that matters.
 *
 * A test is one static program, one subject.  It prints `ok N - what` or
 * `not ok N - what` through the macros here and ends by `return ktap_done()`.
 * Every test also runs on the reference kernel, and passes there.
 */
#ifndef TESTS_GUEST_KTAP_H
#define TESTS_GUEST_KTAP_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ktap_count, ktap_failed;

__attribute__((format(printf, 2, 3), unused))
static bool ktap_ok(bool good, const char *what, ...)
{
	va_list args;

	if (!good)
		ktap_failed++;
	printf("%s %d - ", good ? "ok" : "not ok", ++ktap_count);
	va_start(args, what);
	vprintf(what, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	return good;
}

/* What was not possible here, and why; neither passed nor failed. */
__attribute__((unused)) static void ktap_skip(const char *what, const char *why)
{
	printf("ok %d - %s # SKIP %s\n", ++ktap_count, what, why);
	fflush(stdout);
}

__attribute__((unused)) static int ktap_done(void)
{
	printf("1..%d\n", ktap_count);
	fflush(stdout);
	return ktap_failed != 0;
}

/* The condition is the name, unless a better one is given. */
#define OK(cond) \
	ktap_ok((cond), "%s (line %d)", #cond, __LINE__)
#define OK_MSG(cond, ...) ktap_ok((cond), __VA_ARGS__)

/* Two integers are equal; both are shown if not. */
#define EQ(a, b)                                                          \
	({                                                                \
		long long a_ = (long long)(a), b_ = (long long)(b);       \
		a_ == b_ ? ktap_ok(true, "%s == %s", #a, #b) :            \
			   ktap_ok(false, "%s == %s: %lld, %lld (line %d)", \
				   #a, #b, a_, b_, __LINE__);             \
	})

/* A call returns -1 with this errno. */
#define FAILS(call, err)                                                  \
	({                                                                \
		errno = 0;                                                \
		long long r_ = (long long)(call);                         \
		int e_ = errno;                                           \
		ktap_ok(r_ == -1 && e_ == (err),                          \
			"%s fails by %s: %lld, errno %d (line %d)", #call, \
			#err, r_, e_, __LINE__);                          \
	})

/* A call does not fail; its value is the expression's. */
#define WORKS(call)                                                       \
	({                                                                \
		errno = 0;                                                \
		long long r_ = (long long)(call);                         \
		int e_ = errno;                                           \
		ktap_ok(r_ != -1, "%s works: %lld, errno %d (line %d)",   \
			#call, r_, r_ == -1 ? e_ : 0, __LINE__);          \
		r_;                                                       \
	})

#endif /* TESTS_GUEST_KTAP_H */
