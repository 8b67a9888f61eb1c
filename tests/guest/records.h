/* SPDX-License-Identifier: MIT */
/*
 * Records put into words that do not vary: who instead of a number, relations
 * instead of times, and whether the trailer of sample_id_all is all there.
 */
#ifndef TESTS_GUEST_RECORDS_H
#define TESTS_GUEST_RECORDS_H

#include <sched.h>

#include "facts.h"

#define TRAILER (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | \
		 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |            \
		 PERF_SAMPLE_IDENTIFIER)

/* Those who may be named in a record. */
static struct {
	u32 id;
	const char *name;
} people[8];
static int nr_people;

__attribute__((unused)) static void person(u32 id, const char *name)
{
	for (int i = 0; i < nr_people; i++)
		if (!strcmp(people[i].name, name)) {
			people[i].id = id;
			return;
		}
	people[nr_people].id = id;
	people[nr_people++].name = name;
}

__attribute__((unused)) static const char *who(u32 id)
{
	if (id == getpid())
		return "me";
	for (int i = 0; i < nr_people; i++)
		if (people[i].id == id)
			return people[i].name;
	return id == 0 ? "0" : id == 1 ? "1" : id == ~0u ? "-1" : "somebody";
}

__attribute__((unused)) static const char *record_name(u32 type)
{
	static const char *const names[] = {
		"0", "MMAP", "LOST", "COMM", "EXIT", "THROTTLE", "UNTHROTTLE",
		"FORK", "READ", "SAMPLE", "MMAP2", "AUX", "ITRACE_START",
		"LOST_SAMPLES", "SWITCH", "SWITCH_CPU_WIDE", "NAMESPACES",
		"KSYMBOL", "BPF_EVENT", "CGROUP", "TEXT_POKE", "AUX_OUTPUT"
	};

	return type < 22 ? names[type] : text("%u", type);
}

__attribute__((unused)) static int words_of(u64 sample_type)
{
	return __builtin_popcountll(sample_type & TRAILER);
}

/*
 * The trailer of a record of an event that has `id`: what is wrong with it,
 * or whose it is.  A copy's stream is its own.
 */
__attribute__((unused))
static const char *trailer(struct perf_event_header *h,
			   const struct perf_event_attr *attr, u64 id)
{
	u64 type = attr->sample_type & TRAILER;
	u64 *w = (u64 *)((char *)h + h->size) - words_of(type);
	const char *whose = "", *stream = "";
	static u64 last_time;

	if (!attr->sample_id_all)
		return "none";
	if (type & PERF_SAMPLE_TID) {
		u32 *pids = (u32 *)w++;

		whose = text("%s/%s", who(pids[0]), who(pids[1]));
	}
	if (type & PERF_SAMPLE_TIME) {
		if (*w < last_time)
			return "time runs back";
		last_time = *w++;
	}
	if ((type & PERF_SAMPLE_ID) && *w++ != id)
		return "another id";
	if (type & PERF_SAMPLE_STREAM_ID)
		stream = *w++ == id ? " own stream" : " copy's stream";
	if (type & PERF_SAMPLE_CPU) {
		u32 *cpu = (u32 *)w++;

		if (cpu[0] > 3 || cpu[1])
			return "no CPU";
	}
	if ((type & PERF_SAMPLE_IDENTIFIER) && *w++ != id)
		return "another identifier";
	return text("%s%s", whose, stream);
}

__attribute__((unused)) static u64 id_of(int fd)
{
	u64 id = 0;

	ioctl(fd, PERF_EVENT_IOC_ID, &id);
	return id;
}

__attribute__((unused)) static void bind_to(int pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(pid, sizeof(set), &set);
}

/* --- a child that waits until its events are there ----------------------- */

struct kid {
	int pid, go[2], said[2];
};

/* In the child: wait for the word. */
__attribute__((unused)) static void kid_waits(struct kid *k)
{
	char c;

	if (write(k->said[1], "", 1) != 1 || read(k->go[0], &c, 1) != 1)
		_exit(99);
}

/* 0 in the child, which has had its word. */
__attribute__((unused)) static int kid_start(struct kid *k)
{
	char c;

	fflush(stdout);
	if (pipe(k->go) || pipe(k->said))
		exit(99);
	k->pid = fork();
	if (!k->pid) {
		bind_to(0, 0);
		kid_waits(k);
		return 0;
	}
	person(k->pid, "kid");
	if (read(k->said[0], &c, 1) != 1)
		exit(99);
	return k->pid;
}

__attribute__((unused)) static int kid_go(struct kid *k)
{
	int status = -1;

	if (write(k->go[1], "", 1) != 1)
		exit(99);
	waitpid(k->pid, &status, 0);
	for (int i = 0; i < 2; i++) {
		close(k->go[i]);
		close(k->said[i]);
	}
	return status;
}

#endif /* TESTS_GUEST_RECORDS_H */
