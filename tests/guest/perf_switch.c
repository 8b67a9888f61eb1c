// SPDX-License-Identifier: MIT
/*
 * Facts about records of what the kernel does with a task's time: SWITCH,
 * THROTTLE, UNTHROTTLE.
 * only: tags
 * tags: facts
 * timeout: 100
 */
#define _GNU_SOURCE
#include "perf_work.h"

#define ALL .sample_id_all = 1, .sample_type = TRAILER
#define CARRIER(...) SW(DUMMY, ##__VA_ARGS__)

static void do_sleeps(void)
{
	for (int i = 0; i < 12; i++)
		usleep(1000);
}

/* Others may take the CPU as well: at least these, and nothing else. */
static void switches(int all)
{
	struct perf_event_attr a = CARRIER(.context_switch = 1,
					   .sample_id_all = all,
					   .sample_type = TRAILER);
	int fd, out = 0, in = 0, twice = 0, last = -1;
	struct perf_event_header *h;
	const char *whose = "";
	struct kid k;
	struct ring r;
	u64 id;

	if (!kid_start(&k)) {
		do_sleeps();
		_exit(0);
	}
	fd = must_open(&a, k.pid, -1, -1, 0);
	id = id_of(fd);
	ring_map(&r, fd, 8);
	kid_go(&k);
	while ((h = ring_next(&r))) {
		bool is_out = h->misc & PERF_RECORD_MISC_SWITCH_OUT;

		whose = trailer(h, &a, id);
		if (h->type != PERF_RECORD_SWITCH || h->size != 8 + 48 * all)
			break;
		in += h->misc == 0;
		out += h->misc == PERF_RECORD_MISC_SWITCH_OUT;
		twice += is_out == last;
		last = is_out;
	}
	fact(h ? "another record" : out >= 3 && in >= 3 ? "at least 3" : "few",
	     "switches out and in, sample_id_all %d", all);
	fact(number(twice), "not in turn, sample_id_all %d", all);
	fact(whose, "trailer of a switch, sample_id_all %d", all);
	ring_unmap(&r);
	close(fd);
}

/* Two that want one CPU: the kernel takes it from them. */
static void preempted(void)
{
	struct perf_event_attr a = CARRIER(ALL, .context_switch = 1);
	struct perf_event_header *h;
	int fd, out = 0, taken = 0;
	struct kid k, other;
	struct ring r;

	for (int i = 0; i < 2; i++)
		if (!kid_start(i ? &k : &other)) {
			struct timespec t;

			do
				clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
			while (t.tv_nsec < 200000000 && !t.tv_sec);
			_exit(0);
		}
	fd = must_open(&a, k.pid, -1, -1, 0);
	ring_map(&r, fd, 16);
	if (write(other.go[1], "", 1) != 1)
		return;
	kid_go(&k);
	kid_go(&other);
	while ((h = ring_next(&r))) {
		out += h->misc == PERF_RECORD_MISC_SWITCH_OUT;
		taken += h->misc == (PERF_RECORD_MISC_SWITCH_OUT |
				     PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	}
	fact(taken ? "some" : "none", "switches by preemption");
	ring_unmap(&r);
	close(fd);
}

/* Two expiries in a tick are one too many. */
static void throttled(void)
{
	struct perf_event_attr a = SW(CPU_CLOCK, ALL, .sample_period = 100000,
				      .disabled = 1);
	int fd, on = 0, off = 0, wrong = 0, seen = 0;
	struct perf_event_header *h;
	struct ring r;
	u64 id;

	put_file(SYSCTL "perf_cpu_time_max_percent", "25");
	put_file(SYSCTL "perf_event_max_sample_rate", "250");
	put_file(SYSCTL "perf_cpu_time_max_percent", "0");
	fd = must_open(&a, 0, -1, -1, 0);
	id = id_of(fd);
	ring_map(&r, fd, 64);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	/* A machine that is late has fewer in a tick. */
	for (int i = 0; i < 100 && r.page->data_head < 16000; i++)
		spin_ms(50);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	while ((h = ring_next(&r))) {
		u64 *w = (u64 *)(h + 1);

		if (h->type != PERF_RECORD_THROTTLE &&
		    h->type != PERF_RECORD_UNTHROTTLE)
			continue;
		if (seen++ < 2)
			fact(text("%s misc %#x size %u id %d stream %d; "
				  "trailer %s", record_name(h->type), h->misc,
				  h->size, w[1] == id, w[2] == id,
				  trailer(h, &a, id)),
			     "throttling, record %d", seen);
		wrong += (h->type == PERF_RECORD_THROTTLE) != (on == off);
		on += h->type == PERF_RECORD_THROTTLE;
		off += h->type == PERF_RECORD_UNTHROTTLE;
	}
	fact(on > 2 ? "many" : number(on), "throttled");
	fact(number(wrong), "THROTTLE and UNTHROTTLE not in turn");
	ring_unmap(&r);
	close(fd);
	settle();
}

int main(void)
{
	settle();
	switches(0);
	switches(1);
	preempted();
	throttled();
	return ktap_done();
}
