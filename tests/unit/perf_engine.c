// SPDX-License-Identifier: MIT
/*
 * The perf engine on a fake kernel: scheduling of groups, multiplexing, times,
 * switches, inheritance, exec, exit, records, rates.
 */
#include "perf/fake.h"

#include <arch/regs.h>
#include <lib/err.h>
#include <lib/ktest.h>
#include <linux/sched.h>

/* Signals go nowhere here. */
int signal_send_task(struct task *t, int sig, const struct siginfo *info)
{
	return 0;
}

#define MS 1000000ull

/* Counts 10 a microsecond unless config2 says otherwise. */
#define OPEN(leader, ...)						\
	fake_open(&(struct perf_event_attr){ .type = FAKE_TYPE,		\
					     __VA_ARGS__ },		\
		  current_task(), leader)

static struct perf_reading get(struct perf_event *e)
{
	struct perf_reading r;

	perf_event_read(e, &r);
	return r;
}

static bool near(u64 a, u64 b, u64 percent)
{
	u64 d = a > b ? a - b : b - a;

	return d * 100 <= b * percent;
}

KTEST(counts_and_times)
{
	struct perf_event *e;
	struct perf_reading r;

	fake_boot();
	e = OPEN(NULL, .disabled = 1);
	fake_run(MS);
	r = get(e);
	KT_EXPECT_EQ(r.count, 0);
	KT_EXPECT_EQ(r.enabled, 0);
	perf_event_enable(e);
	fake_run(MS);
	perf_event_disable(e);
	fake_run(MS);
	r = get(e);
	KT_EXPECT_EQ(r.count, 10000);
	KT_EXPECT_EQ(r.enabled, MS);
	KT_EXPECT_EQ(r.running, MS);
	perf_event_reset(e);
	r = get(e);
	KT_EXPECT_EQ(r.count, 0);
	KT_EXPECT_EQ(r.enabled, MS);
	perf_event_release(e);
	fake_flush();
	KT_EXPECT_EQ(perf_hooks[PERF_HOOK_SCHED], 0);
}

KTEST(groups_go_together_or_not_at_all)
{
	struct perf_event *a, *b, *c;

	fake_boot();
	a = OPEN(NULL);
	b = OPEN(a);
	KT_EXPECT_EQ(a->state, PERF_ACTIVE);
	KT_EXPECT_EQ(b->state, PERF_ACTIVE);
	c = OPEN(a);
	KT_REQUIRE(!IS_ERR(c));
	KT_EXPECT_EQ(a->state, PERF_INACTIVE);
	KT_EXPECT_EQ(b->state, PERF_INACTIVE);
	KT_EXPECT_EQ(c->state, PERF_INACTIVE);
	KT_EXPECT(IS_ERR(OPEN(a)));
	perf_event_release(c);
	fake_run(20 * MS);
	KT_EXPECT_EQ(a->state, PERF_ACTIVE);
	KT_EXPECT_EQ(b->state, PERF_ACTIVE);
	/* A disabled leader stops everyone's clock. */
	perf_event_disable(a);
	b->enabled = 0;
	fake_run(MS);
	KT_EXPECT_EQ(get(b).enabled, 0);
	perf_event_enable(a);
	KT_EXPECT_EQ(b->state, PERF_ACTIVE);
	/* Siblings outlive their leader. */
	perf_event_release(a);
	KT_EXPECT_EQ(b->leader, b);
	KT_EXPECT_EQ(b->state, PERF_ACTIVE);
	perf_event_release(b);
	fake_flush();
}

KTEST(group_reads_at_one_moment)
{
	struct perf_event *a, *b;
	u64 count[3] = { 0, 7, 0 };
	struct perf_group_reading g = { .count = count, .stride = 2, .nr = 2 };

	fake_boot();
	a = OPEN(NULL);
	b = OPEN(a, .config2 = 20);
	fake_run(MS);
	perf_event_read_group(a, &g);
	KT_EXPECT_EQ(count[0], 10000);
	KT_EXPECT_EQ(count[2], 2 * count[0]);
	KT_EXPECT_EQ(g.enabled, MS);
	/* No more than there is room for, and nothing in between. */
	g.nr = 1;
	g.add = true;
	count[2] = 0;
	perf_event_read_group(a, &g);
	KT_EXPECT_EQ(count[0], 20000);
	KT_EXPECT_EQ(count[1], 7);
	KT_EXPECT_EQ(count[2], 0);
	perf_event_release(b);
	perf_event_release(a);
	fake_flush();
}

KTEST(multiplexing_is_fair_and_its_times_true)
{
	struct perf_event *e[3];
	struct perf_reading r;
	u32 i;

	fake_boot();
	for (i = 0; i < 3; i++)
		e[i] = OPEN(NULL);
	fake_run(1200 * MS);
	for (i = 0; i < 3; i++) {
		r = get(e[i]);
		KT_EXPECT(near(r.enabled, 1200 * MS, 1));
		KT_EXPECT(near(r.running, 800 * MS, 3));
		KT_EXPECT(near(r.count, r.running / 100, 1));
		perf_event_release(e[i]);
	}
	fake_flush();
	/* Nobody waits any more: no timer keeps running. */
	fake_run(20 * MS);
	KT_EXPECT(!percpu_perf_cpu.mux_armed);
}

KTEST(pinned_displaces_and_fails_loudly)
{
	struct perf_event *flex[2], *pin[3];
	u32 i;

	fake_boot();
	for (i = 0; i < 2; i++)
		flex[i] = OPEN(NULL);
	for (i = 0; i < 3; i++)
		pin[i] = OPEN(NULL, .pinned = 1);
	KT_EXPECT_EQ(pin[0]->state, PERF_ACTIVE);
	KT_EXPECT_EQ(pin[1]->state, PERF_ACTIVE);
	KT_EXPECT_EQ(pin[2]->state, PERF_ERROR);
	KT_EXPECT_EQ(flex[0]->state, PERF_INACTIVE);
	perf_event_release(pin[0]);
	perf_event_enable(pin[2]);
	KT_EXPECT_EQ(pin[2]->state, PERF_ACTIVE);
	perf_event_release(pin[1]);
	perf_event_release(pin[2]);
	fake_run(10 * MS);
	KT_EXPECT_EQ(flex[0]->state, PERF_ACTIVE);
	KT_EXPECT_EQ(flex[1]->state, PERF_ACTIVE);
	perf_event_release(flex[0]);
	perf_event_release(flex[1]);
	fake_flush();
}

KTEST(task_events_follow_the_task)
{
	struct perf_event_attr attr = { .type = FAKE_TYPE };
	struct task *self, *other;
	struct perf_event *e, *cpu;

	fake_boot();
	self = current_task();
	other = fake_task();
	e = OPEN(NULL);
	cpu = fake_open(&attr, NULL, NULL);
	fake_run(MS);
	fake_switch(other);
	fake_run(3 * MS);
	KT_EXPECT_EQ(get(e).count, 10000);
	fake_switch(self);
	fake_run(MS);
	KT_EXPECT_EQ(get(e).count, 20000);
	KT_EXPECT_EQ(get(e).enabled, 2 * MS);
	KT_EXPECT_EQ(get(cpu).count, 50000);
	KT_EXPECT_EQ(get(cpu).enabled, 5 * MS);
	/* Opened on a task that sleeps: starts with its next switch. */
	perf_event_release(e);
	e = fake_open(&attr, other, NULL);
	fake_run(MS);
	KT_EXPECT_EQ(get(e).count, 0);
	fake_switch(other);
	fake_run(MS);
	KT_EXPECT_EQ(get(e).count, 10000);
	fake_switch(self);
	perf_event_release(e);
	perf_event_release(cpu);
	fake_exit(other);
}

KTEST(inherited_copies_fold_at_exit)
{
	struct task *self, *child, *grand;
	struct perf_event *a, *b;
	u64 en, run;

	fake_boot();
	self = current_task();
	a = OPEN(NULL, .inherit = 1);
	b = OPEN(a, .inherit = 1, .config2 = 20);
	child = fake_fork(0);
	KT_REQUIRE(child != NULL);
	KT_EXPECT_EQ(list_first_entry(&a->children, struct perf_event,
				      child_link)->nr_siblings, 1);
	fake_run(MS);
	fake_switch(child);
	fake_run(MS);
	grand = fake_fork(0);
	fake_switch(grand);
	fake_run(MS);
	KT_EXPECT_EQ(perf_event_read_total(a, &en, &run), 30000);
	KT_EXPECT_EQ(en, 3 * MS);
	fake_switch(self);
	fake_exit(grand);
	fake_exit(child);
	KT_EXPECT_EQ(perf_event_read_total(a, &en, &run), 30000);
	KT_EXPECT_EQ(perf_event_read_total(b, &en, &run), 60000);
	KT_EXPECT_EQ(run, 3 * MS);
	perf_event_release(b);
	perf_event_release(a);
	fake_flush();
}

KTEST(clones_swap_contexts)
{
	struct task *self, *one, *two;
	struct perf_event *e;
	u32 adds, i;
	u64 en, run;

	fake_boot();
	self = current_task();
	e = OPEN(NULL, .inherit = 1);
	one = fake_fork(0);
	two = fake_fork(0);
	fake_run(MS);
	adds = fake_adds;
	for (i = 0; i < 10; i++) {
		fake_switch(one);
		fake_run(MS);
		fake_switch(two);
		fake_run(MS);
		fake_switch(self);
		fake_run(MS);
	}
	/* The PMU was not touched once. */
	KT_EXPECT_EQ(fake_adds, adds);
	KT_EXPECT_EQ(perf_event_read_total(e, &en, &run), 310000);
	KT_EXPECT_EQ(en, 31 * MS);
	perf_event_disable(e);
	fake_switch(one);
	fake_switch(self);
	fake_exit(one);
	fake_exit(two);
	/* e may count for whoever holds its context: the sum is what stays. */
	KT_EXPECT_EQ(perf_event_read_total(e, &en, &run), 310000);
	perf_event_release(e);
	fake_flush();
}

KTEST(closing_takes_the_copies_along)
{
	struct perf_event *e;
	struct task *child;

	fake_boot();
	e = OPEN(NULL, .inherit = 1);
	child = fake_fork(0);
	perf_event_release(e);
	fake_flush();
	KT_EXPECT_EQ(perf_hooks[PERF_HOOK_SCHED], 0);
	fake_exit(child);
}

KTEST(exec_enables_once_and_removes)
{
	struct perf_event *e, *gone;

	fake_boot();
	e = OPEN(NULL, .disabled = 1, .enable_on_exec = 1);
	gone = OPEN(NULL, .remove_on_exec = 1);
	fake_run(MS);
	KT_EXPECT_EQ(get(e).enabled, 0);
	perf_exec();
	fake_run(MS);
	KT_EXPECT_EQ(get(e).count, 10000);
	KT_EXPECT_EQ(gone->state, PERF_EXIT);
	KT_EXPECT_EQ(get(gone).count, 10000);
	perf_event_disable(e);
	perf_exec();
	KT_EXPECT_EQ(e->state, PERF_OFF);
	perf_event_release(e);
	perf_event_release(gone);
	fake_flush();
}

/* --- records ----------------------------------------------------------- */

static u64 *record(struct perf_ring *ring, u64 at)
{
	u64 off = at & (ring->core.size - 1);

	return (u64 *)(ring->core.pages[off / 4096] + off % 4096);
}

static u32 count_type(struct perf_ring *ring, u32 type)
{
	u64 at = ring->core.user->data_tail, head = ring->core.user->data_head;
	u32 n = 0;

	while (at < head) {
		u64 h = *record(ring, at);

		if ((u32)h == type)
			n++;
		at += h >> 48;
	}
	return n;
}

KTEST(samples_come_at_the_period)
{
	struct perf_event *e;
	struct perf_ring *ring;
	u64 *r;

	fake_boot();
	e = OPEN(NULL, .sample_period = 1000, .disabled = 1,
		 .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
		 .sample_max_stack = 127);
	ring = fake_map(e, 8, false);
	perf_event_enable(e);
	fake_run(10 * MS);
	perf_event_disable(e);
	KT_EXPECT_EQ(count_type(ring, PERF_RECORD_SAMPLE), 100);
	r = record(ring, 0);
	KT_EXPECT_EQ(r[1], 0x400000);
	KT_EXPECT_EQ((u32)r[2], task_tgid(current_task()));
	KT_EXPECT_EQ(r[3], 1000);
	KT_EXPECT_EQ(r[4], 17);
	KT_EXPECT_EQ(r[5], PERF_CONTEXT_USER);
	KT_EXPECT_EQ(r[0] >> 48, 8 + 24 + 8 + 17 * 8);
	KT_EXPECT_EQ(r[0] >> 32 & 0xffff, PERF_RECORD_MISC_USER);
	perf_event_release(e);
	fake_flush();
}

KTEST(lost_comes_before_what_fits_again)
{
	struct perf_event *e;
	struct perf_ring *ring;
	u64 head, *r;

	fake_boot();
	e = OPEN(NULL, .sample_period = 100, .sample_type = PERF_SAMPLE_IP |
		 PERF_SAMPLE_TIME, .sample_id_all = 1);
	ring = fake_map(e, 1, false);
	fake_run(5 * MS);
	head = ring->core.user->data_head;
	KT_EXPECT(4096 - head < 24 + 1);
	KT_EXPECT(ring->core.lost > 0);
	KT_EXPECT_EQ(e->lost, ring->core.lost);
	ring->core.user->data_tail = head;
	fake_run(20000);
	r = record(ring, head);
	KT_EXPECT_EQ((u32)r[0], PERF_RECORD_LOST);
	KT_EXPECT_EQ(r[0] >> 48, 32);
	KT_EXPECT_EQ(r[1], e->id);
	KT_EXPECT_EQ((u32)*record(ring, head + 32), PERF_RECORD_SAMPLE);
	perf_event_release(e);
	fake_flush();
}

KTEST(throttled_until_the_tick)
{
	struct perf_event *e;
	struct perf_ring *ring;
	u32 off, on;

	fake_boot();
	/* 1,000,000 a second against a limit of 400 in 4 ms. */
	e = OPEN(NULL, .sample_period = 10, .sample_type = PERF_SAMPLE_IP);
	ring = fake_map(e, 64, false);
	fake_run(40 * MS);
	off = count_type(ring, PERF_RECORD_THROTTLE);
	on = count_type(ring, PERF_RECORD_UNTHROTTLE);
	KT_EXPECT(off == 10 || off == 11);
	KT_EXPECT(on == off || on + 1 == off);
	KT_EXPECT(count_type(ring, PERF_RECORD_SAMPLE) <= (off + 1) * 400);
	perf_event_release(e);
	fake_flush();
}

static void converges(struct kt_state *kt, u64 freq, u64 per_us)
{
	struct perf_event *e;
	u32 before;

	e = OPEN(NULL, .freq = 1, .sample_freq = freq, .config2 = per_us);
	fake_run(1000 * MS);
	before = fake_overflows;
	fake_run(1000 * MS);
	if (!near(fake_overflows - before, freq, 5))
		kt_fail(kt, __FILE__, __LINE__, "-F %llu at %llu/us: %u", freq,
			per_us, fake_overflows - before);
	perf_event_release(e);
	fake_flush();
}

KTEST(frequency_converges)
{
	fake_boot();
	converges(kt, 100, 1000);
	converges(kt, 1000, 1000);
	converges(kt, 10000, 1000);
	converges(kt, 4000, 37);
}

KTEST(refresh_stops_after_its_budget)
{
	struct perf_event *e;

	fake_boot();
	e = OPEN(NULL, .sample_period = 1000, .disabled = 1);
	e->limit += 3;
	perf_event_enable(e);
	fake_run(MS);
	KT_EXPECT_EQ(e->state, PERF_OFF);
	KT_EXPECT_EQ(e->c.count, 3000);
	perf_event_release(e);
	fake_flush();
}

KTEST(clocks_count_and_sample)
{
	struct perf_event *e;
	struct perf_ring *ring;

	fake_boot();
	e = fake_open(&(struct perf_event_attr){
			      .type = PERF_TYPE_SOFTWARE,
			      .config = PERF_COUNT_SW_TASK_CLOCK,
			      .freq = 1, .sample_freq = 1000,
			      .sample_type = PERF_SAMPLE_IP },
		      current_task(), NULL);
	KT_REQUIRE(!IS_ERR(e));
	ring = fake_map(e, 8, false);
	fake_run(100 * MS);
	KT_EXPECT(near(count_type(ring, PERF_RECORD_SAMPLE), 100, 2));
	KT_EXPECT_EQ(get(e).count, 100 * MS);
	perf_event_release(e);
	fake_flush();
}

KTEST(software_events)
{
	struct pt_regs kernel = { .ip = 0xffff0000 };
	struct perf_event *e, *user;
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
	};

	fake_boot();
	e = fake_open(&a, current_task(), NULL);
	a.exclude_kernel = 1;
	user = fake_open(&a, current_task(), NULL);
	perf_sw_event(PERF_COUNT_SW_PAGE_FAULTS, 1, &fake_regs, 0x1234);
	perf_sw_event(PERF_COUNT_SW_PAGE_FAULTS, 1, &kernel, 0x1234);
	perf_sw_event(PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1, &fake_regs, 0x1234);
	KT_EXPECT_EQ(get(e).count, 2);
	KT_EXPECT_EQ(get(user).count, 1);
	perf_event_release(e);
	perf_event_release(user);
	fake_flush();
	KT_EXPECT_EQ(perf_sw_wanted[PERF_COUNT_SW_PAGE_FAULTS], 0);
}

KTEST(sideband_records)
{
	struct perf_map_info map = {
		.addr = 0x10000, .len = 0x2000, .prot = 5, .name = "/bin/x",
	};
	struct perf_event *e;
	struct perf_ring *ring;
	struct task *child, *self;
	u64 *r;

	fake_boot();
	e = fake_open(&(struct perf_event_attr){
			      .type = PERF_TYPE_SOFTWARE,
			      .config = PERF_COUNT_SW_DUMMY, .comm = 1,
			      .mmap = 1, .mmap2 = 1, .task = 1,
			      .context_switch = 1, .sample_id_all = 1,
			      .sample_type = PERF_SAMPLE_TID |
					     PERF_SAMPLE_IDENTIFIER },
		      current_task(), NULL);
	ring = fake_map(e, 2, false);
	perf_comm(current_task(), true);
	KT_EXPECT(perf_mmap_wanted());
	perf_mmap(&map);
	child = fake_fork(0);
	r = record(ring, 0);
	KT_EXPECT_EQ(r[0], PERF_RECORD_COMM |
			   (u64)PERF_RECORD_MISC_COMM_EXEC << 32 |
			   40ull << 48);
	KT_EXPECT_EQ(r[4], e->id);
	r = record(ring, 40);
	KT_EXPECT_EQ((u32)r[0], PERF_RECORD_MMAP2);
	KT_EXPECT_EQ(r[0] >> 48, 8 + 64 + 8 + 16);
	KT_EXPECT_EQ(r[2], 0x10000);
	KT_EXPECT_EQ(count_type(ring, PERF_RECORD_FORK), 1);
	self = current_task();
	fake_switch(child);
	fake_switch(self);
	KT_EXPECT_EQ(count_type(ring, PERF_RECORD_SWITCH), 2);
	perf_event_release(e);
	fake_flush();
}

/* A reader adds the clock to time_enabled + time_offset: both of one moment. */
KTEST(user_page_times_are_of_one_moment)
{
	struct perf_event_mmap_page *page;
	struct perf_event *e;
	u64 once, step = 1000000;

	fake_boot();
	e = OPEN(NULL, .disabled = 0);
	page = fake_map(e, 1, false)->core.user;
	perf_userpage_update(e);
	once = page->time_enabled + page->time_offset;
	fake_clock_step = step;
	perf_userpage_update(e);
	fake_clock_step = 0;
	KT_EXPECT_EQ(page->time_enabled + page->time_offset, once);
	perf_event_release(e);
	fake_flush();
}
