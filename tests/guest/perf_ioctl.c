// SPDX-License-Identifier: MIT
/*
 * Facts about ioctl(2): each command on each kind of event, odd arguments.
 * only: tags
 * tags: facts
 * timeout: 200
 */
#define _GNU_SOURCE
#include "facts.h"

static const struct {
	const char *name;
	unsigned long cmd;
} commands[] = {
	{ "ENABLE", PERF_EVENT_IOC_ENABLE },
	{ "DISABLE", PERF_EVENT_IOC_DISABLE },
	{ "REFRESH", PERF_EVENT_IOC_REFRESH },
	{ "RESET", PERF_EVENT_IOC_RESET },
	{ "PERIOD", PERF_EVENT_IOC_PERIOD },
	{ "SET_OUTPUT", PERF_EVENT_IOC_SET_OUTPUT },
	{ "SET_FILTER", PERF_EVENT_IOC_SET_FILTER },
	{ "ID", PERF_EVENT_IOC_ID },
	{ "SET_BPF", PERF_EVENT_IOC_SET_BPF },
	{ "PAUSE_OUTPUT", PERF_EVENT_IOC_PAUSE_OUTPUT },
	{ "QUERY_BPF", PERF_EVENT_IOC_QUERY_BPF },
	{ "MODIFY_ATTRIBUTES", PERF_EVENT_IOC_MODIFY_ATTRIBUTES },
};
#define COMMANDS (int)(sizeof(commands) / sizeof(*commands))

static const struct {
	const char *name;
	struct perf_event_attr attr;
} kinds[] = {
	{ "counting faults", SW(PAGE_FAULTS, .disabled = 1) },
	{ "sampling faults", SW(PAGE_FAULTS, .disabled = 1,
				.sample_period = 1000000) },
	{ "inherited", SW(PAGE_FAULTS, .disabled = 1, .inherit = 1,
			  .sample_period = 1000000) },
	{ "dummy", SW(DUMMY, .disabled = 1) },
	{ "cpu-clock", SW(CPU_CLOCK, .disabled = 1) },
	{ "sampling cpu-clock", SW(CPU_CLOCK, .disabled = 1,
				   .sample_period = 1000000000) },
	{ "cycles", CYCLES(.disabled = 1) },
	{ "sampling cycles", CYCLES(.disabled = 1,
				    .sample_period = 1000000000) },
	{ "cycles by frequency", CYCLES(.disabled = 1, .freq = 1,
					.sample_freq = 10) },
	{ "bpf-output", SW(BPF_OUTPUT, .disabled = 1, .sample_period = 1) },
};
#define KINDS (int)(sizeof(kinds) / sizeof(*kinds))

static void matrix(void)
{
	u64 word = 1000, attr[16] = { 0 };
	const struct {
		const char *name;
		u64 value;
	} args[] = {
		{ "0", 0 }, { "1", 1 }, { "2", 2 }, { "-1", ~0ull },
		{ "u32 -1", 0xffffffff }, { "a word", (u64)&word },
		{ "an attr", (u64)attr }, { "kernel", 0xffff800000001000 },
	};

	for (int k = 0; k < KINDS; k++) {
		int fd = must_open(&kinds[k].attr, 0, -1, -1, 0);

		for (int c = 0; c < COMMANDS; c++)
			for (int a = 0; a < 8; a++) {
				long r;

				/* No budget of nothing: nobody says what it
				 * does; a word's address is a random one.
				 */
				if (c == 2 && (a == 0 || a > 4))
					continue;
				word = 1000;
				memcpy(attr, &kinds[k].attr, 128);
				r = SAYS(ioctl(fd, commands[c].cmd,
					       args[a].value));
				fact(answer_of(r), "%s of %s, %s",
				     commands[c].name, kinds[k].name,
				     args[a].name);
			}
		close(fd);
	}
}

static void unknown(void)
{
	struct perf_event_attr a = SW(PAGE_FAULTS);
	int fd = must_open(&a, 0, -1, -1, 0);
	u64 word = 0;

	for (int nr = 0; nr < 32; nr++)
		for (int dir = 0; dir < 4; dir++)
			for (int size = 0; size <= 8; size += 4)
				fact(answer_of(SAYS(ioctl(fd, _IOC(dir, '$', nr,
								   size),
							  &word))),
				     "number %d direction %d size %d", nr, dir,
				     size);
	fact(answer_of(SAYS(ioctl(fd, 0, 0))), "command 0");
	fact(answer_of(SAYS(ioctl(fd, 0x5401, &word))), "TCGETS");
	fact(answer_of(SAYS(ioctl(fd, FIOCLEX, 0))), "FIOCLEX");
	fact(answer_of(SAYS(syscall(SYS_ioctl, fd, 0x100000000ull |
				    PERF_EVENT_IOC_ENABLE, 0))),
	     "ENABLE with a high bit");
	close(fd);
}

static void periods(void)
{
	static const u64 list[] = { 0, 1, 2, 1000, 99999, 100000, 100001,
				    1ull << 31, 1ull << 32, ~0ull >> 1,
				    1ull << 63, ~0ull };

	for (int k = 0; k < KINDS; k++)
		for (int i = 0; i < sizeof(list) / sizeof(*list); i++) {
			int fd = must_open(&kinds[k].attr, 0, -1, -1, 0);
			u64 value = list[i];

			fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_PERIOD,
						  &value))),
			     "period %#llx of %s", (unsigned long long)value,
			     kinds[k].name);
			close(fd);
		}
	for (int frequency = 0; frequency < 2; frequency++) {
		struct perf_event_attr a = SW(TASK_CLOCK, .disabled = 1,
					      .freq = frequency,
					      .sample_freq = 1000);
		int fd = must_open(&a, 0, -1, -1, 0);
		u64 value = 200000000;

		fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_PERIOD, &value))),
		     "200 million for a clock, frequency %d", frequency);
		close(fd);
	}
}

/* Each event's records to each other's ring. */
static void outputs(void)
{
	static const struct {
		const char *name;
		struct perf_event_attr attr;
		int pid, cpu;
	} ends[] = {
		{ "task", SW(DUMMY), 0, -1 },
		{ "task cycles", CYCLES(), 0, -1 },
		{ "task on 0", SW(DUMMY), 0, 0 },
		{ "task on 1", SW(DUMMY), 0, 1 },
		{ "cpu 0", SW(DUMMY), -1, 0 },
		{ "cpu 1", SW(DUMMY), -1, 1 },
		{ "cpu 0 cycles", CYCLES(), -1, 0 },
		{ "backward", SW(DUMMY, .write_backward = 1), 0, -1 },
		{ "monotonic", SW(DUMMY, .use_clockid = 1, .clockid = 1), 0,
		  -1 },
		{ "raw clock", SW(DUMMY, .use_clockid = 1, .clockid = 4), 0,
		  -1 },
		{ "inherited on 0", SW(DUMMY, .inherit = 1), 0, 0 },
	};
	int n = sizeof(ends) / sizeof(*ends);

	for (int from = 0; from < n; from++)
		for (int to = 0; to < n; to++) {
			int a = must_open(&ends[from].attr, ends[from].pid,
					  ends[from].cpu, -1, 0);
			int b = must_open(&ends[to].attr, ends[to].pid,
					  ends[to].cpu, -1, 0);
			struct ring r;
			long none, one;

			none = SAYS(ioctl(a, PERF_EVENT_IOC_SET_OUTPUT, b));
			ring_map(&r, b, 1);
			one = SAYS(ioctl(a, PERF_EVENT_IOC_SET_OUTPUT, b));
			fact(text("%s, mapped %s", answer_of(none),
				  answer_of(one)), "output of %s to %s",
			     ends[from].name, ends[to].name);
			fact(tried_at(&ends[from].attr, ends[from].pid,
				      ends[from].cpu, b,
				      PERF_FLAG_FD_OUTPUT |
				      PERF_FLAG_FD_NO_GROUP),
			     "opened with output, %s to %s", ends[from].name,
			     ends[to].name);
			ring_unmap(&r);
			close(a);
			close(b);
		}
}

static void output_life(void)
{
	struct perf_event_attr a = SW(DUMMY);
	int one = must_open(&a, 0, -1, -1, 0), fds[2];
	int two = must_open(&a, 0, -1, -1, 0);
	struct ring r, s = { 0 };

#define OUTPUT(from, to) \
	answer_of(SAYS(ioctl(from, PERF_EVENT_IOC_SET_OUTPUT, (long)(to))))
	ring_map(&r, one, 2);
	fact(OUTPUT(one, one), "to itself");
	fact(OUTPUT(two, one), "to a ring");
	fact(OUTPUT(two, one), "to it again");
	fact(ring_map_as(&s, two, 2, PROT_READ | PROT_WRITE) ? "ok" :
	     strerrorname_np(errno), "map the redirected, same size");
	fact(OUTPUT(two, -1), "detach while mapped");
	if (s.page)
		ring_unmap(&s);
	fact(ring_map_as(&s, two, 4, PROT_READ | PROT_WRITE) ? "ok" :
	     strerrorname_np(errno), "map the redirected, another size");
	fact(OUTPUT(two, -1), "detach");
	fact(OUTPUT(two, -1), "detach again");
	fact(answer_of(SAYS(ioctl(two, PERF_EVENT_IOC_SET_OUTPUT,
				  0xffffffffull))), "detach by a 32-bit -1");
	fact(OUTPUT(one, -1), "detach from its own mapping");
	close(two);
	two = must_open(&a, 0, -1, -1, 0);
	ring_map(&s, two, 2);
	fact(OUTPUT(two, one), "with a mapping of its own");
	ring_unmap(&s);
	fact(OUTPUT(two, one), "after its end");
	ring_unmap(&r);
	fact(answer_of(SAYS(ioctl(two, PERF_EVENT_IOC_PAUSE_OUTPUT, 1))),
	     "pause, the ring being gone");
	fact(OUTPUT(two, one), "to a ring that is gone");
	if (pipe(fds))
		return;
	fact(OUTPUT(two, fds[0]), "to a pipe");
	fact(OUTPUT(two, 1000), "to no descriptor");
	fact(OUTPUT(two, -2), "to -2");
	close(one);
	close(two);
}

/* The budget of REFRESH: overflows until it is spent. */
static void refresh(void)
{
	struct perf_event_attr a = SW(PAGE_FAULTS, .disabled = 1,
				      .sample_period = 1);
	u64 v;

	for (int budget = 1; budget < 4; budget++) {
		int fd = must_open(&a, 0, -1, -1, 0);
		struct ring r;
		int n = 0;

		ring_map(&r, fd, 8);
		ioctl(fd, PERF_EVENT_IOC_REFRESH, budget);
		fault(16);
		while (ring_next(&r))
			n++;
		fact(number(n), "samples of a budget of %d", budget);
		v = 0;
		read(fd, &v, 8);
		fact(number(v), "count after a budget of %d", budget);
		ioctl(fd, PERF_EVENT_IOC_REFRESH, 1);
		ioctl(fd, PERF_EVENT_IOC_REFRESH, 1);
		fault(16);
		while (ring_next(&r))
			n++;
		fact(number(n), "then of 1 and 1");
		ring_unmap(&r);
		close(fd);
	}
}

int main(void)
{
	settle();
	matrix();
	unknown();
	periods();
	outputs();
	output_life();
	refresh();
	return ktap_done();
}
