// SPDX-License-Identifier: MIT
/*
 * The least a static program needs: it starts, writes, and ends.  It also
 * finds two knobs as they are at boot, being early among the tests.
 * tags: boot short
 */
#include <unistd.h>

#include "ktap.h"

static int number_in(const char *path)
{
	FILE *f = fopen(path, "r");
	int n = -100;

	if (!f || fscanf(f, "%d", &n) != 1)
		n = -100;
	if (f)
		fclose(f);
	return n;
}

int main(int argc, char **argv)
{
	EQ(argc, 1);
	OK(argv[argc] == NULL);
	OK(getpid() > 1);
	FAILS(close(-1), EBADF);
	/* Before anybody else has changed them. */
	EQ(number_in("/proc/sys/kernel/perf_event_paranoid"), 3);
	EQ(number_in("/proc/sys/kernel/perf_cpu_time_max_percent"), 25);
	return ktap_done();
}
