// SPDX-License-Identifier: MIT
/*
 * Facts about times and turns: enabled and running, more events than counters,
 * pinned, exclusive, error, families that swap what they have.
 * only: tags
 * tags: facts
 * timeout: 200
 */
#define _GNU_SOURCE
#include <sys/sysinfo.h>
#include <time.h>

#include "records.h"

#define COUNTERS 7	/* that one task can have of cycles */

struct value {
	u64 count, enabled, running;
};

static struct value value_of(int fd)
{
	struct value v = { 0 };

	if (read(fd, &v, sizeof(v)) != sizeof(v))
		v.enabled = v.running = 0;
	return v;
}

static void spin_ms(int ms)
{
	struct timespec a, b;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
	while ((b.tv_sec - a.tv_sec) * 1000 +
	       (b.tv_nsec - a.tv_nsec) / 1000000 < ms);
}

static const char *share(struct value v)
{
	return v.running > v.enabled ? "more than it was enabled" :
	       v.running == v.enabled ? "always" :
	       v.running ? "by turns" : "never";
}

/*
 * A while, and until each has had a turn.  An emulated CPU may stand still for
 * any time, so nothing follows from how long one turn was.
 */
static void spin_through(const int *fds, int n)
{
	for (int tries = 0, i = 0; tries < 100 && (i < n || tries < 4);
	     tries++) {
		spin_ms(100);
		for (i = 0; i < n && value_of(fds[i]).running; i++)
			;
	}
}

/* n events of one counter each; how do they share? */
static void turns(int n, int pid, int cpu)
{
	struct perf_event_attr a = CYCLES(.read_format = 3);
	int fds[20], kinds[4] = { 0 };
	double sum = 0;
	u64 most = 0;

	for (int i = 0; i < n; i++)
		fds[i] = must_open(&a, pid, cpu, -1, 0);
	spin_through(fds, n);
	for (int i = 0; i < n; i++)
		ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0);
	for (int i = 0; i < n; i++) {
		struct value v = value_of(fds[i]);
		const char *s = share(v);

		kinds[0] += !strcmp(s, "always");
		kinds[1] += !strcmp(s, "by turns");
		kinds[2] += v.running > v.enabled;
		kinds[3] += v.count == 0;
		sum += (double)v.running / (v.enabled ? v.enabled : 1);
		most = v.count > most ? v.count : most;
		close(fds[i]);
	}
	fact(text("%d always, %d by turns, %d odd, %d at 0", kinds[0], kinds[1],
		  kinds[2], kinds[3]), "%d events on %s", n,
	     pid < 0 ? "a CPU" : "a task");
	fact(sum > COUNTERS - 1 && sum < COUNTERS + 0.5 ? "all counters" :
	     sum > COUNTERS + 0.5 ? "more than there are" : text("%.1f", sum),
	     "in use by %d on %s", n, pid < 0 ? "a CPU" : "a task");
}

/* Groups turn as wholes, those of software never. */
static void groups(void)
{
	struct perf_event_attr a = CYCLES(.read_format = 3);
	struct perf_event_attr s = SW(TASK_CLOCK, .read_format = 3);
	int lead[4], member[4][4], soft[4], alone, odd = 0, by_turns = 0;
	int with = 0;

	alone = must_open(&s, 0, -1, -1, 0);
	for (int g = 0; g < 4; g++) {
		a.disabled = 1;
		lead[g] = must_open(&a, 0, -1, -1, 0);
		a.disabled = 0;
		for (int m = 0; m < 3; m++)
			member[g][m] = must_open(&a, 0, -1, lead[g], 0);
		soft[g] = must_open(&s, 0, -1, lead[g], 0);
		ioctl(lead[g], PERF_EVENT_IOC_ENABLE, 0);
	}
	spin_through(lead, 4);
	ioctl(alone, PERF_EVENT_IOC_DISABLE, 0);
	for (int g = 0; g < 4; g++)
		ioctl(lead[g], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	for (int g = 0; g < 4; g++) {
		struct value l = value_of(lead[g]), v = value_of(soft[g]);

		by_turns += !strcmp(share(l), "by turns");
		/*
		 * The clock counts what the group runs; it is read a little
		 * after that is noted, and a CPU may stand still in between.
		 */
		with += v.count < (v.running + v.enabled) / 2 &&
			v.count > v.running / 2;
		odd += v.running > l.running + l.running / 20 + 1000000 ||
		       l.running > v.running + v.running / 20 + 1000000;
		for (int m = 0; m < 3; m++) {
			struct value x = value_of(member[g][m]);

			odd += x.running > l.running + l.running / 20 +
					   1000000 ||
			       l.running > x.running + x.running / 20 +
					   1000000;
			close(member[g][m]);
		}
		close(soft[g]);
		close(lead[g]);
	}
	fact(number(by_turns), "groups of four by turns");
	fact(number(odd), "members that run without their leader");
	fact(number(with), "software members that count with it");
	fact(share(value_of(alone)), "a software event alone");
	close(alone);
}

static void ranks(void)
{
	struct perf_event_attr a = CYCLES(.read_format = 3);
	struct perf_event_attr p = CYCLES(.read_format = 3, .pinned = 1);
	struct perf_event_attr x = CYCLES(.read_format = 3, .exclusive = 1);
	struct perf_event_attr s = SW(TASK_CLOCK, .read_format = 3);
	int fds[20], pinned, ex, soft, n = 10, turns = 0;

	for (int i = 0; i < n; i++)
		fds[i] = must_open(&a, 0, -1, -1, 0);
	pinned = must_open(&p, 0, -1, -1, 0);
	spin_ms(200);
	fact(share(value_of(pinned)), "a pinned one among many");
	close(pinned);
	for (int i = 1; i < n; i++)
		close(fds[i]);
	/* Together they fit: only not with one that wants to be alone. */
	for (int i = 1; i < 3; i++)
		fds[i] = must_open(&a, 0, -1, -1, 0);
	soft = must_open(&s, 0, -1, -1, 0);
	ex = must_open(&x, 0, -1, -1, 0);
	fds[3] = ex;
	spin_through(fds, 4);
	fact(share(value_of(ex)), "an exclusive one among three");
	for (int i = 0; i < 3; i++)
		turns += !strcmp(share(value_of(fds[i])), "by turns");
	fact(number(turns), "the others by turns");
	fact(share(value_of(soft)), "a software event beside it");
	for (int i = 0; i < 3; i++)
		close(fds[i]);
	{
		struct value was = value_of(ex), now;

		for (int i = 0; i < 100; i++) {
			spin_ms(20);
			now = value_of(ex);
			if (now.running > was.running)
				break;
		}
		spin_ms(20);
		was = value_of(ex);
		spin_ms(50);
		now = value_of(ex);
		fact(now.running - was.running == now.enabled - was.enabled ?
		     "always" : text("%llu of %llu ns",
			  (unsigned long long)(now.running - was.running),
			  (unsigned long long)(now.enabled - was.enabled)),
		     "the exclusive one, alone");
	}
	close(ex);
	close(soft);
}

static void errors(void)
{
	struct perf_event_attr p = CYCLES(.read_format = 3, .pinned = 1);
	struct perf_event_attr f = CYCLES(.read_format = 3);
	struct pollfd poller = { .events = POLLIN };
	int fds[12], n = COUNTERS + 2, bad[2] = { 0 }, nr = 0, flexible;
	struct value v;

	for (int i = 0; i < n; i++)
		fds[i] = must_open(&p, 0, -1, -1, 0);
	flexible = must_open(&f, 0, -1, -1, 0);
	spin_ms(30);
	for (int i = 0; i < n; i++)
		if (!read(fds[i], &v, sizeof(v))) {
			if (nr < 2)
				bad[nr] = fds[i];
			nr++;
		}
	fact(number(nr), "pinned ones in error, of %d", n);
	if (nr != 2)
		return;
	fact(share(value_of(flexible)), "a flexible one then");
	poller.fd = bad[0];
	poll(&poller, 1, 0);
	fact(text("%#x", poller.revents), "poll of one in error");
	fact(answer_of(SAYS(ioctl(bad[0], PERF_EVENT_IOC_DISABLE, 0))),
	     "DISABLE of one in error");
	fact(number(SAYS(read(bad[0], &v, sizeof(v)))),
	     "bytes from it, disabled");
	ioctl(bad[0], PERF_EVENT_IOC_ENABLE, 0);
	spin_ms(10);
	fact(number(SAYS(read(bad[0], &v, sizeof(v)))),
	     "bytes from it, enabled, no room");
	fact(answer_of(SAYS(ioctl(bad[0], PERF_EVENT_IOC_RESET, 0))),
	     "RESET of it");
	for (int i = 0; i < n; i++)
		if (fds[i] != bad[0] && fds[i] != bad[1])
			close(fds[i]);
	spin_ms(10);
	fact(number(SAYS(read(bad[0], &v, sizeof(v)))),
	     "bytes from it, room again");
	ioctl(bad[0], PERF_EVENT_IOC_ENABLE, 0);
	spin_ms(10);
	fact(number(SAYS(read(bad[0], &v, sizeof(v)))),
	     "bytes from it, enabled again");
	close(bad[0]);
	close(bad[1]);
	close(flexible);
}

/* A sibling that is switched off and on while its group runs. */
static void of_each(void)
{
	struct perf_event_attr a = SW(PAGE_FAULTS, .read_format = 3);
	int lead = must_open(&a, 0, -1, -1, 0), one;
	struct value l, o, then;

	a.disabled = 1;
	one = must_open(&a, 0, -1, lead, 0);
	spin_ms(20);
	o = value_of(one);
	fact(text("%d %d", !o.enabled, !o.running), "a member not yet enabled");
	ioctl(one, PERF_EVENT_IOC_ENABLE, 0);
	spin_ms(20);
	ioctl(one, PERF_EVENT_IOC_DISABLE, 0);
	o = value_of(one);
	spin_ms(20);
	then = value_of(one);
	l = value_of(lead);
	fact(!memcmp(&o, &then, sizeof(o)) ? "yes" : "no",
	     "it stands while disabled");
	fact(o.running == o.enabled && o.enabled >= 15000000 &&
	     o.enabled < l.enabled - 15000000 ? "its own" : "odd",
	     "its times");
	/* The leader's end is theirs, too. */
	ioctl(one, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(lead, PERF_EVENT_IOC_DISABLE, 0);
	o = value_of(one);
	spin_ms(20);
	then = value_of(one);
	fact(text("enabled %s, running %s",
		  then.enabled == o.enabled ? "stands" : "goes on",
		  then.running == o.running ? "stands" : "goes on"),
	     "a member whose leader is off");
	close(one);
	close(lead);
	/* Opened into a group that is off. */
	a.disabled = 1;
	lead = must_open(&a, 0, -1, -1, 0);
	a.disabled = 0;
	one = must_open(&a, 0, -1, lead, 0);
	spin_ms(20);
	o = value_of(one);
	fact(text("enabled %s, running %s", o.enabled ? "goes on" : "stands",
		  o.running ? "goes on" : "stands"),
	     "a member on, its leader never was");
	close(one);
	close(lead);
}

/* A task on a CPU that is not the event's. */
static void elsewhere(void)
{
	struct perf_event_attr a = CYCLES(.read_format = 3);
	int fd = must_open(&a, 0, 1, -1, 0);
	struct value v, w;

	bind_to(0, 0);
	v = value_of(fd);
	spin_ms(30);
	w = value_of(fd);
	fact(text("enabled %s, running %s, count %s",
		  w.enabled > v.enabled ? "goes on" : "stands",
		  w.running > v.running ? "goes on" : "stands",
		  w.count > v.count ? "goes on" : "stands"),
	     "a task away from the event's CPU");
	bind_to(0, 1);
	spin_ms(30);
	v = value_of(fd);
	fact(text("running %s, count %s",
		  v.running > w.running ? "goes on" : "stands",
		  v.count > w.count ? "goes on" : "stands"),
	     "and back on it");
	bind_to(0, 0);
	close(fd);
}

/* What is left of a period moves with the task. */
static void moving(void)
{
	struct perf_event_attr a = SW(PAGE_FAULTS, .sample_period = 7,
				      .exclude_kernel = 1, .read_format = 3,
				      .sample_type = PERF_SAMPLE_IP,
				      .disabled = 1);
	char *p = mmap(NULL, 70 * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = must_open(&a, 0, -1, -1, 0), n = 0;
	struct perf_event_header *h;
	struct value v;
	struct ring r;

	madvise(p, 70 * PAGE, MADV_NOHUGEPAGE);
	ring_map(&r, fd, 4);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < 70; i++) {
		bind_to(0, i & 1);
		p[i * PAGE] = 1;
		usleep(100);
	}
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	while ((h = ring_next(&r)))
		n += h->type == PERF_RECORD_SAMPLE;
	v = value_of(fd);
	fact(v.count >= 70 && n == (int)(v.count / 7) ? "each seventh" :
	     text("%d of %llu", n, (unsigned long long)v.count),
	     "sampled faults of a task that moves and sleeps");
	ring_unmap(&r);
	close(fd);
	munmap(p, 70 * PAGE);
	bind_to(0, 0);
}

/* --- families ------------------------------------------------------------ */

/*
 * Two with copies of the same events change places often; each then has what
 * it has counted itself, and the sum is right.
 */
static void swapping(int stat)
{
	struct perf_event_attr a = SW(PAGE_FAULTS, .inherit = 1,
				      .inherit_stat = stat, .read_format = 3,
				      .exclude_kernel = 1);
	struct perf_event_attr c = CYCLES(.inherit = 1, .inherit_stat = stat,
					  .read_format = 3);
	int fd = must_open(&a, 0, -1, -1, 0), hw, ping[2], pong[2], kid;
	struct value v;
	char b;

	hw = must_open(&c, 0, -1, -1, 0);
	if (pipe(ping) || pipe(pong))
		return;
	kid = fork();
	for (int i = 0; i < 200; i++) {
		int *in = kid ? pong : ping, *out = kid ? ping : pong;

		if (kid && write(out[1], "", 1) != 1)
			return;
		if (read(in[0], &b, 1) != 1)
			_exit(1);
		fault(kid ? 1 : 3);
		if (!kid && write(out[1], "", 1) != 1)
			_exit(1);
	}
	if (!kid)
		_exit(0);
	waitpid(kid, NULL, 0);
	v = value_of(fd);
	fact(v.count >= 800 && v.count < 850 ? "800 and a few" :
	     number(v.count), "faults of two that take turns, inherit_stat %d",
	     stat);
	fact(share(v), "their time, inherit_stat %d", stat);
	v = value_of(hw);
	fact(v.count ? "some" : "none", "their cycles, inherit_stat %d", stat);
	fact(share(v), "the time of those, inherit_stat %d", stat);
	close(fd);
	close(hw);
	for (int i = 0; i < 2; i++) {
		close(ping[i]);
		close(pong[i]);
	}
}

static long free_kb(void)
{
	struct sysinfo s;

	/* What is freed after a grace period is given one. */
	sleep(1);
	sysinfo(&s);
	return (long)(s.freeram / 1024 * s.mem_unit);
}

/* A family that has had ten thousand members. */
static void many(int children)
{
	struct perf_event_attr kinds[] = {
		SW(PAGE_FAULTS, .inherit = 1, .read_format = 3),
		SW(CONTEXT_SWITCHES, .inherit = 1, .read_format = 3),
		CYCLES(.inherit = 1, .read_format = 3),
	};
	int fds[3], lead = -1;
	struct value v;
	long before = 0, after;

	for (int i = 0; i < 3; i++) {
		fds[i] = must_open(&kinds[i], 0, -1, i == 1 ? lead : -1, 0);
		lead = fds[0];
	}
	for (int i = 0; i < children; i++) {
		int kid = fork();

		if (!kid)
			_exit(0);
		waitpid(kid, NULL, 0);
		if (i == children / 10)
			before = free_kb();
	}
	for (int i = 0; i < 30; i++) {
		after = free_kb();
		if (before - after < 4096)
			break;
	}
	fact(before - after < 4096 ? "flat" : text("%ld KiB", before - after),
	     "memory over %d children", children);
	v = value_of(fds[0]);
	fact(v.count > (u64)children ? "at least one each" : number(v.count),
	     "their faults");
	v = value_of(fds[2]);
	fact(v.count && v.running <= v.enabled ? "some" : "odd",
	     "their cycles");
	for (int i = 0; i < 3; i++)
		close(fds[i]);
}

int main(void)
{
	settle();
	bind_to(0, 0);
	turns(COUNTERS, 0, -1);
	turns(COUNTERS + 1, 0, -1);
	turns(12, 0, -1);
	turns(12, -1, 0);
	groups();
	ranks();
	errors();
	of_each();
	elsewhere();
	moving();
	swapping(0);
	swapping(1);
	many(10000);
	return ktap_done();
}
