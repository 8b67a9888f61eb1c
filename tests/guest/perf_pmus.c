// SPDX-License-Identifier: MIT
/*
 * Facts about two PMUs with half of the CPUs each (scripts/mkdtb two-pmus):
 * their names, what opens where, groups, counting, sampling, hotplug.
 * only: tags
 * tags: pmus
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>

#include "facts.h"

#define DEVICES "/sys/bus/event_source/devices/"
#define FIRST	8	/* types */
#define SECOND	9
#define CYCLE_EVENT 0x11

static void burn(int n)
{
	for (volatile int i = 0; i < n; i++)
		;
}

static void go(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		ktap_ok(false, "moving to CPU %d", cpu);
}

static const char *file(const char *path)
{
	static char line[256];
	FILE *f = fopen(path, "r");

	line[0] = 0;
	if (!f)
		return strerrorname_np(errno);
	if (fgets(line, sizeof(line), f))
		line[strcspn(line, "\n")] = 0;
	fclose(f);
	return line;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void names(void)
{
	struct dirent **list;
	int n = scandir(DEVICES, &list, NULL, by_name);

	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;

		if (strncmp(name, "armv8", 5))
			continue;
		fact(file(text(DEVICES "%s/type", name)), "%s type", name);
		fact(file(text(DEVICES "%s/cpus", name)), "%s cpus", name);
		fact(file(text(DEVICES "%s/format/event", name)),
		     "%s format", name);
		fact(file(text(DEVICES "%s/events/cpu_cycles", name)),
		     "%s cpu_cycles", name);
	}
}

static const struct kind {
	const char *name;
	u32 type;
	u64 config;
} kinds[] = {
	{ "first", FIRST, CYCLE_EVENT },
	{ "second", SECOND, CYCLE_EVENT },
	{ "hardware", PERF_TYPE_HARDWARE, 0 },
	{ "hardware of first", PERF_TYPE_HARDWARE, (u64)FIRST << 32 },
	{ "hardware of second", PERF_TYPE_HARDWARE, (u64)SECOND << 32 },
	{ "hardware of none", PERF_TYPE_HARDWARE, 10ull << 32 },
	{ "hardware of software", PERF_TYPE_HARDWARE, 1ull << 32 },
	{ "cache", PERF_TYPE_HW_CACHE, 0 },
	{ "cache of first", PERF_TYPE_HW_CACHE, (u64)FIRST << 32 },
	{ "cache of second", PERF_TYPE_HW_CACHE, (u64)SECOND << 32 },
	{ "cache of none", PERF_TYPE_HW_CACHE, 10ull << 32 },
	{ "raw", PERF_TYPE_RAW, CYCLE_EVENT },
	{ "raw of second", PERF_TYPE_RAW, (u64)SECOND << 32 | CYCLE_EVENT },
	{ "none", 10, CYCLE_EVENT },
};
#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void opens(void)
{
	for (unsigned i = 0; i < NR_KINDS; i++) {
		struct perf_event_attr a = ATTR(kinds[i].type,
						kinds[i].config);
		const char *name = kinds[i].name;

		fact(tried(&a), "%s, own task", name);
		for (int cpu = 0; cpu < 5; cpu++) {
			fact(tried_at(&a, -1, cpu, -1, 0), "%s, CPU %d", name,
			     cpu);
			fact(tried_at(&a, 0, cpu, -1, 0),
			     "%s, own task on CPU %d", name, cpu);
		}
		a.sample_period = 1000003;
		fact(tried(&a), "%s, own task, sampling", name);
		a.inherit = 1;
		fact(tried(&a), "%s, own task, inherited", name);
	}
}

/* Two at a time, in either order, with and without software between them. */
static void groups(void)
{
	static const struct kind members[] = {
		{ "first", FIRST, CYCLE_EVENT },
		{ "second", SECOND, CYCLE_EVENT },
		{ "hardware", PERF_TYPE_HARDWARE, 0 },
		{ "software", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	};

	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++) {
			struct perf_event_attr a = ATTR(members[i].type,
							members[i].config);
			struct perf_event_attr b = ATTR(members[j].type,
							members[j].config);
			int fd = must_open(&a, 0, -1, -1, 0);
			long second = open_event(&b, 0, -1, fd, 0);

			fact(answer_of(second), "%s led by %s",
			     members[j].name, members[i].name);
			for (int k = 0; k < 4 && second >= 0; k++) {
				struct perf_event_attr c =
					ATTR(members[k].type,
					     members[k].config);

				fact(tried_at(&c, 0, -1, fd, 0),
				     "%s beside %s led by %s",
				     members[k].name, members[j].name,
				     members[i].name);
			}
			if (second >= 0)
				close((int)second);
			close(fd);
		}
}

struct counts {
	u64 value, enabled, running;
};

#define TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

static struct counts look(int fd)
{
	struct counts c = { 0 };

	if (read(fd, &c, sizeof(c)) != sizeof(c))
		ktap_ok(false, "read: %s", strerrorname_np(errno));
	return c;
}

static const char *since(const struct counts *was, int fd)
{
	struct counts c = look(fd);

	return text("%s, %s, %s",
		    c.value > was->value ? "counts" : "does not count",
		    c.enabled > was->enabled ? "enabled" : "not enabled",
		    c.running > was->running ? "runs" : "does not run");
}

static void counting(void)
{
	for (unsigned i = 0; i < NR_KINDS; i++) {
		struct perf_event_attr a = ATTR(kinds[i].type, kinds[i].config,
						.read_format = TIMES);
		long fd;

		/* Which accesses hit which cache is another matter. */
		if (kinds[i].type == PERF_TYPE_HW_CACHE)
			continue;
		go(0);
		fd = open_event(&a, 0, -1, -1, 0);
		if (fd < 0)
			continue;
		for (int cpu = 0; cpu < 4; cpu++) {
			struct counts was;

			go(cpu);
			was = look((int)fd);
			burn(100000);
			fact(since(&was, (int)fd), "%s on CPU %d",
			     kinds[i].name, cpu);
		}
		close((int)fd);
	}
	go(0);
}

/* A group of each PMU on one task: each counts where it can. */
static void both(void)
{
	struct perf_event_attr a = ATTR(FIRST, CYCLE_EVENT,
					.read_format = TIMES);
	struct perf_event_attr b = ATTR(SECOND, CYCLE_EVENT,
					.read_format = TIMES);
	int one = must_open(&a, 0, -1, -1, 0);
	int two = must_open(&b, 0, -1, -1, 0);
	int mate = must_open(&a, 0, -1, one, 0);

	for (int cpu = 0; cpu < 4; cpu++) {
		struct counts x, y, z;

		go(cpu);
		x = look(one);
		y = look(two);
		z = look(mate);
		burn(100000);
		fact(since(&x, one), "the first's leader on CPU %d", cpu);
		fact(since(&z, mate), "the first's member on CPU %d", cpu);
		fact(since(&y, two), "the second's beside it on CPU %d", cpu);
	}
	close(mate);
	close(two);
	close(one);
	go(0);
}

/* A child inherits both and runs on the second's CPUs alone. */
static void inherited(void)
{
	struct perf_event_attr a = ATTR(FIRST, CYCLE_EVENT, .inherit = 1,
					.read_format = TIMES);
	int one, two;
	pid_t child;

	go(0);
	one = must_open(&a, 0, -1, -1, 0);
	a.type = SECOND;
	two = must_open(&a, 0, -1, -1, 0);
	child = fork();
	if (!child) {
		go(2);
		burn(100000);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	fact(text("%s", look(one).value ? "counts" : "nothing"),
	     "a child on CPU 2: the first");
	fact(text("%s", look(two).value ? "counts" : "nothing"),
	     "a child on CPU 2: the second");
	close(one);
	close(two);
}

/* Samples of each PMU say the CPUs that it has. */
static void sampling(u32 type)
{
	struct perf_event_attr a = ATTR(type, CYCLE_EVENT,
					.sample_type = PERF_SAMPLE_CPU,
					.sample_period = 20011);
	struct perf_event_header *h;
	int fd, wrong = 0, n[4] = { 0 };
	struct ring r;

	settle();
	go(0);
	fd = must_open(&a, 0, -1, -1, 0);
	ring_map(&r, fd, 8);
	for (int round = 0; round < 20; round++)
		for (int cpu = 0; cpu < 4; cpu++) {
			go(cpu);
			burn(50000);
		}
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	while ((h = ring_next(&r))) {
		u32 cpu = *(u32 *)(h + 1);

		if (h->type != PERF_RECORD_SAMPLE)
			continue;
		if (cpu < 4)
			n[cpu]++;
		else
			wrong++;
	}
	for (int cpu = 0; cpu < 4; cpu++)
		fact(n[cpu] ? "some" : "none", "samples of %u on CPU %d", type,
		     cpu);
	fact(number(wrong), "samples of %u elsewhere", type);
	ring_unmap(&r);
	close(fd);
	go(0);
}

static bool online(int cpu, bool on)
{
	return put_file(text("/sys/devices/system/cpu/cpu%d/online", cpu),
			on ? "1" : "0");
}

/* Both CPUs of the second leave and come back. */
static void hotplug(void)
{
	struct perf_event_attr a = ATTR(SECOND, CYCLE_EVENT,
					.read_format = TIMES);
	int on_cpu = must_open(&a, -1, 3, -1, 0);
	int on_task = must_open(&a, 0, -1, -1, 0), again;
	struct counts was;

	go(3);
	burn(100000);
	go(0);
	fact(online(3, false) && online(2, false) ? "ok" : "fails",
	     "the second's CPUs leave");
	fact(file(DEVICES "armv8_cortex_a72/cpus"), "cpus without them");
	fact(tried_at(&a, -1, 3, -1, 0), "an open on one that left");
	fact(tried(&a), "an open on a task");
	was = look(on_cpu);
	burn(100000);
	fact(since(&was, on_cpu), "the CPU's event meanwhile");
	was = look(on_task);
	burn(100000);
	fact(since(&was, on_task), "the task's event meanwhile");
	fact(online(2, true) && online(3, true) ? "ok" : "fails",
	     "they come back");
	again = must_open(&a, -1, 3, -1, 0);
	go(3);
	was = look(again);
	burn(100000);
	fact(since(&was, again), "a new event of the CPU");
	was = look(on_task);
	burn(100000);
	fact(since(&was, on_task), "the task's event afterwards");
	was = look(on_cpu);
	burn(100000);
	fact(since(&was, on_cpu), "the CPU's old event afterwards");
	close(again);
	close(on_cpu);
	close(on_task);
	go(0);
}

/* A CPU of each leaves, the other one stays. */
static void one_of_each(void)
{
	static const int leaves[] = { 1, 3 }, stays[] = { 0, 2 };
	static const char *const names[] = { "armv8_cortex_a53",
					     "armv8_cortex_a72" };
	struct perf_event_attr a = ATTR(0, CYCLE_EVENT, .read_format = TIMES);
	int on_cpu[2], on_task[2], again;
	struct counts was;

	go(0);
	for (int i = 0; i < 2; i++) {
		a.type = i ? SECOND : FIRST;
		on_cpu[i] = must_open(&a, -1, leaves[i], -1, 0);
		on_task[i] = must_open(&a, 0, -1, -1, 0);
	}
	for (int i = 0; i < 2; i++)
		fact(online(leaves[i], false) ? "ok" : "fails",
		     "CPU %d leaves", leaves[i]);
	for (int i = 0; i < 2; i++) {
		a.type = i ? SECOND : FIRST;
		fact(file(text(DEVICES "%s/cpus", names[i])),
		     "%s without CPU %d", names[i], leaves[i]);
		fact(tried_at(&a, -1, leaves[i], -1, 0), "an open on CPU %d",
		     leaves[i]);
		fact(tried_at(&a, -1, stays[i], -1, 0), "an open on CPU %d",
		     stays[i]);
		go(stays[i]);
		was = look(on_task[i]);
		burn(100000);
		fact(since(&was, on_task[i]), "the task's on CPU %d", stays[i]);
		was = look(on_cpu[i]);
		burn(100000);
		fact(since(&was, on_cpu[i]), "CPU %d's meanwhile", leaves[i]);
	}
	for (int i = 0; i < 2; i++) {
		a.type = i ? SECOND : FIRST;
		fact(online(leaves[i], true) ? "ok" : "fails",
		     "CPU %d comes back", leaves[i]);
		go(leaves[i]);
		again = must_open(&a, -1, leaves[i], -1, 0);
		was = look(again);
		burn(100000);
		fact(since(&was, again), "a new one of CPU %d", leaves[i]);
		was = look(on_task[i]);
		burn(100000);
		fact(since(&was, on_task[i]), "the task's on CPU %d",
		     leaves[i]);
		was = look(on_cpu[i]);
		burn(100000);
		fact(since(&was, on_cpu[i]), "CPU %d's old one", leaves[i]);
		fact(file(text(DEVICES "%s/cpus", names[i])),
		     "%s with CPU %d", names[i], leaves[i]);
		close(again);
		close(on_cpu[i]);
		close(on_task[i]);
	}
	go(0);
}

int main(void)
{
	settle();
	names();
	opens();
	groups();
	counting();
	both();
	inherited();
	sampling(FIRST);
	sampling(SECOND);
	hotplug();
	one_of_each();
	return ktap_done();
}
