// SPDX-License-Identifier: MIT
/*
 * The runner of unit tests: walks the linker set, prints KTAP and totals.
 *
 * Entry point: ktest_run(). The same object serves the host binaries of
 * tests/unit and a kernel that carries tests; kt_print() is theirs. Cases run
 * one after the other in the caller's context.
 */
#include <lib/ktest.h>

LINKSET(const struct ktest, ktests);

static bool is_wanted(const struct ktest *test, const char *filter)
{
	return !filter || strstr(test->name, filter);
}

unsigned int ktest_run(const char *filter)
{
	const struct ktest *const *pos;
	unsigned int total = 0;
	unsigned int failed = 0;
	char line[160];

	linkset_for_each(pos, ktests) total += is_wanted(*pos, filter);
	kt_print("KTAP version 1");
	scnprintf(line, sizeof(line), "1..%u", total);
	kt_print(line);
	total = 0;
	linkset_for_each(pos, ktests)
	{
		struct kt_state kt = { 0 };

		if (!is_wanted(*pos, filter))
			continue;
		(*pos)->fn(&kt);
		total++;
		failed += kt.failures != 0;
		scnprintf(line, sizeof(line), "%s %u %s",
			  kt.failures ? "not ok" : "ok", total, (*pos)->name);
		kt_print(line);
	}
	failed += total == 0;
	scnprintf(line, sizeof(line), "%u passed, %u failed",
		  total ? total - failed : 0, failed);
	kt_print(line);
	return failed;
}
