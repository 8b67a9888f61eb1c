// SPDX-License-Identifier: MIT
/*
 * Where the overflow interrupt may come: inside the scheduler, which runs with
 * interrupts masked, or not before they are let in again.
 *
 * A kernel that masks by priority (its log says pseudo-NMI) samples such
 * code; any other must not.  The reference is built without it, so there and
 * on a GICv2 the test shows that nothing comes through.
 * tags: short icount debug no-nmi not-no-pmu not-ref-no-pmu
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/klog.h>

#include "facts.h"

#define ROUNDS	4000
#define REPEATS	10
#define PAGES	128

/* What runs only with the run queue locked, here and on the reference. */
static const char *const masked[] = {
	"arch_switch_to", "rq_update_curr", "rq_enqueue", "rq_dequeue",
	"rq_check_preempt", "fair_insert", "fair_remove", "fair_first",
	"fair_update_min", "fair_should_preempt", "rt_first", "cpu_switch_to",
};
#define NR_MASKED (sizeof(masked) / sizeof(masked[0]))

static struct {
	u64 low, high;
} range[NR_MASKED];
static unsigned long samples, inside, chained, odd;

/* Each function reaches to the symbol that follows it. */
static int find(void)
{
	char line[256], sym[160], kind;
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long addr;
	int found = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx %c %159s", &addr, &kind, sym) == 3)
			for (unsigned i = 0; i < NR_MASKED; i++)
				if (!strcmp(sym, masked[i])) {
					range[i].low = addr;
					range[i].high = -1ul;
					found++;
				}
	if (f)
		rewind(f);
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx", &addr) == 1)
			for (unsigned i = 0; i < NR_MASKED; i++)
				if (addr > range[i].low && addr < range[i].high)
					range[i].high = addr;
	if (f)
		fclose(f);
	return found;
}

static bool is_masked(u64 pc)
{
	for (unsigned i = 0; i < NR_MASKED; i++)
		if (pc >= range[i].low && pc < range[i].high)
			return true;
	return false;
}

static bool log_says(const char *what)
{
	static char log[1 << 18];
	int n = klogctl(3, log, sizeof(log) - 1);

	log[n > 0 ? n : 0] = 0;
	return strcasestr(log, what);
}

static void drain(struct ring *r)
{
	struct perf_event_header *h;

	while ((h = ring_next(r))) {
		const struct {
			struct perf_event_header h;
			u64 ip, nr, chain[];
		} *s = (const void *)h;
		u64 i = 2;

		if (h->type != PERF_RECORD_SAMPLE)
			continue;
		/* Back in user mode before it came: no chain. */
		if (!s->nr)
			continue;
		samples++;
		/* A marker, the IP, and whatever called it. */
		if (h->size != 24 + s->nr * 8 || s->chain[1] != s->ip)
			odd++;
		if (!is_masked(s->ip))
			continue;
		inside++;
		while (i < s->nr && is_masked(s->chain[i]))
			i++;
		chained += i < s->nr;
	}
	ring_consume(r);
}

/* Two processes on one CPU give each other the word. */
static void switches(struct ring *r)
{
	int to[2], from[2], i;
	char c = 0;
	pid_t child;

	if (pipe(to) || pipe(from))
		exit(1);
	child = fork();
	if (!child) {
		while (read(to[0], &c, 1) == 1 && c == 0)
			if (write(from[1], &c, 1) != 1)
				break;
		_exit(0);
	}
	for (i = 0; i < ROUNDS; i++) {
		if (write(to[1], &c, 1) != 1 || read(from[0], &c, 1) != 1)
			break;
		if (i % 16 == 0)
			drain(r);
	}
	c = 1;
	if (write(to[1], &c, 1) != 1 || i != ROUNDS)
		ktap_ok(false, "the word is passed on: %d", i);
	waitpid(child, NULL, 0);
	close(to[0]);
	close(to[1]);
	close(from[0]);
	close(from[1]);
}

static void sample(bool through)
{
	struct perf_event_attr a =
		CYCLES(.sample_period = 20011, .exclude_user = 1,
		       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN,
		       .exclude_callchain_user = 1, .disabled = 1);
	struct ring r;
	int i, fd = must_open(&a, -1, 0, -1, 0);

	ring_map(&r, fd, PAGES);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	/* Where time is the host's, some luck is needed. */
	for (i = 0; i < REPEATS && (!i || (through && !inside)); i++)
		switches(&r);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	drain(&r);
	close(fd);
}

int main(void)
{
	bool through = log_says("pseudo-NMI");
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	OK(!sched_setaffinity(0, sizeof(one), &one));
	if (!OK(find() > 0))
		return ktap_done();
	settle();
	sample(through);
	printf("# %s: %lu samples, %lu of masked code, %lu with callers\n",
	       through ? "by priority" : "by flags", samples, inside, chained);
	OK(samples > 100);
	EQ(odd, 0);
	if (through) {
		OK_MSG(inside > 0, "masked code is sampled");
		/* Between two tasks' stacks there is nothing to follow. */
		OK(inside - chained <= inside / 50 + 1);
	} else {
		OK_MSG(inside == 0, "masked code is not sampled");
	}
	return ktap_done();
}
