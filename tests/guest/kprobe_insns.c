/* SPDX-License-Identifier: MIT */
/*
 * Kprobes at every instruction of the functions behind some system calls: one
 * after the other and all at once, the answers stay as they were, and each
 * instruction counts either no call, every call or a whole multiple of them.
 *
 * timeout: 300
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "probe_pmu.h"

#define CALLS	8
#define WORDS	96	/* of a function that are probed, at most */

struct subject {
	const char *name;
	long nr, arg[2];
};

static const struct subject subjects[] = {
	{ "sys_getppid", SYS_getppid, { 0, 0 } },
	{ "sys_getpgid", SYS_getpgid, { 0, 0 } },
	{ "sys_getsid", SYS_getsid, { 0, 0 } },
	{ "sys_getpgid", SYS_getpgid, { -1, 0 } },
	{ "sys_sched_get_priority_max", SYS_sched_get_priority_max,
	  { SCHED_FIFO, 0 } },
	{ "sys_sched_get_priority_max", SYS_sched_get_priority_max,
	  { 99, 0 } },
	{ "sys_sched_getscheduler", SYS_sched_getscheduler, { 0, 0 } },
	{ "sys_getpriority", SYS_getpriority, { PRIO_PROCESS, 0 } },
	{ "sys_umask", SYS_umask, { 022, 0 } },
};

static char symbol[128];

/* The name that this kernel has for it, and its bytes; 0: it has none. */
static uint64_t find(const char *name)
{
	uint64_t at = 0, next = ~0ull, addr;
	char line[512], sym[256], wrapped[128];
	int pass;

	snprintf(wrapped, sizeof(wrapped), "__arm64_%s", name);
	for (pass = 0; pass < 2; pass++) {
		FILE *f = fopen("/proc/kallsyms", "r");

		while (f && fgets(line, sizeof(line), f)) {
			if (sscanf(line, "%lx %*c %255s", &addr, sym) != 2)
				continue;
			if (!pass && (!strcmp(sym, name) ||
				      !strcmp(sym, wrapped))) {
				at = addr;
				strcpy(symbol, sym);
			}
			if (pass && addr > at && addr < next)
				next = addr;
		}
		if (f)
			fclose(f);
	}
	return at ? next - at : 0;
}

/* What the calls answered, all of them; -2: not always the same. */
static long act(const struct subject *s)
{
	long first = 0, r;

	for (int i = 0; i < CALLS; i++) {
		r = syscall(s->nr, s->arg[0], s->arg[1]);
		if (r < 0)
			r = -errno - 1000;
		if (i && r != first)
			return -2;
		first = r;
	}
	return first;
}

static void one_function(const struct subject *s)
{
	uint64_t words = find(s->name) / 4, i;
	long long alone[WORDS], hits;
	int fd[WORDS], odd = 0, other = 0, taken = 0, hit = 0, unlike = 0;
	long want = act(s);

	if (!words) {
		ktap_ok(false, "there is a function %s", s->name);
		return;
	}
	if (words > WORDS)
		words = WORDS;
	for (i = 0; i < words; i++) {
		fd[i] = open_at(symbol, i * 4, 0, NULL, 0, -1);
		if (fd[i] < 0) {
			/* The reference's own tracer has the first ones. */
			odd += errno != EINVAL;
			continue;
		}
		taken++;
		other += act(s) != want;
		alone[i] = count(fd[i]);
		odd += alone[i] % CALLS != 0;
		hit += alone[i] > 0;
		close(fd[i]);
	}
	OK_MSG(!odd && !other && taken > 3 && hit > 2,
	       "%s(%ld): %d places of %d, hits at %d, %d odd, %d answers differ",
	       s->name, s->arg[0], taken, (int)words, hit, odd, other);

	for (i = 0; i < words; i++)
		fd[i] = open_at(symbol, i * 4, 0, NULL, 0, -1);
	other = act(s) != want;
	for (i = 0; i < words; i++) {
		if (fd[i] < 0)
			continue;
		hits = count(fd[i]);
		if (hits != alone[i] && !unlike++)
			printf("# %s+%d: %lld alone, %lld with the others\n",
			       symbol, (int)i * 4, alone[i], hits);
	}
	for (i = 0; i < words; i++)
		close(fd[i]);
	OK_MSG(!unlike && !other && act(s) == want,
	       "%s(%ld): all at once is as one by one", s->name, s->arg[0]);
}

int main(void)
{
	char text[32];

	if (!read_text("/sys/bus/event_source/devices/kprobe/type", text,
		       sizeof(text))) {
		ktap_ok(false, "there is a kprobe PMU");
		return ktap_done();
	}
	type = (uint32_t)atoi(text);
	umask(022);
	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		one_function(&subjects[i]);
	return ktap_done();
}
