// SPDX-License-Identifier: MIT
/*
 * The host's side of the unit tests: main, output, exact allocations.
 * Arguments: [filter]. Exit status 0 only when every case passed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "host.h"

unsigned int ktest_run(const char *filter);
void kt_print(const char *line);

int host_alloc_budget = -1;
int host_alloc_live;

void kt_print(const char *line)
{
	puts(line);
	fflush(stdout);
}

void *host_alloc(size_t size)
{
	if (host_alloc_budget == 0)
		return NULL;
	if (host_alloc_budget > 0)
		host_alloc_budget--;
	host_alloc_live++;
	return malloc(size);
}

void host_free(void *p)
{
	if (p)
		host_alloc_live--;
	free(p);
}

int main(int argc, char **argv)
{
	return ktest_run(argc > 1 ? argv[1] : NULL) != 0;
}
