// SPDX-License-Identifier: MIT
/*
 * Unit tests inside the kernel (CONFIG_KTEST): `ktest` or `ktest=FILTER` on the
 * command line runs them at the end of boot, in the boot thread. The lines go
 * to the log; the last one is "N passed, N failed". Supplies what the runner
 * and tests/unit/host.h ask of their surroundings.
 */
#include <kernel/init.h>
#include <kernel/page.h>

#include <kernel/printk.h>
#include <lib/ktest.h>
#include <lib/string.h>

#include "../../tests/unit/host.h"

static bool wanted;
static char filter[32];

int host_alloc_budget = -1;
int host_alloc_live;

void *host_alloc(size_t size)
{
	void *p;

	if (host_alloc_budget == 0)
		return NULL;
	if (host_alloc_budget > 0)
		host_alloc_budget--;
	p = kmalloc(size, GFP_KERNEL);
	if (p)
		host_alloc_live++;
	return p;
}

void host_free(void *p)
{
	if (p)
		host_alloc_live--;
	kfree(p);
}

void kt_print(const char *line)
{
	printk(LOG_NOTICE, "%s", line);
}

static void set_ktest(const char *value)
{
	wanted = true;
	strlcpy_k(filter, value, sizeof(filter));
}
BOOT_PARAM(ktest_all, "ktest", set_ktest);
BOOT_PARAM(ktest, "ktest=", set_ktest);

static int ktest_boot(void)
{
	if (wanted)
		(void)ktest_run(filter[0] ? filter : NULL);
	return 0;
}
INITCALL(INIT_LATE, ktest_boot);
