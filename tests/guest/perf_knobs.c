// SPDX-License-Identifier: MIT
/*
 * Facts about the sysctls of perf: what may be written, what is read back, and
 * what follows from it.
 * only: tags
 * tags: facts
 * timeout: 200
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <sys/stat.h>
#include <time.h>

#include "records.h"

static const char *const knobs[] = {
	"perf_event_paranoid", "perf_event_mlock_kb",
	"perf_event_max_sample_rate", "perf_cpu_time_max_percent",
	"perf_event_max_stack", "perf_event_max_contexts_per_stack",
	"perf_user_access"
};
#define KNOBS 7

static long put(const char *knob, const char *s)
{
	int fd = open(text(SYSCTL "%s", knob), O_WRONLY | O_TRUNC);
	long r = fd < 0 ? -errno : SAYS(write(fd, s, strlen(s)));

	if (fd >= 0)
		close(fd);
	return r;
}

static const char *got(const char *knob)
{
	static char buffers[4][64];
	static int at;
	char *b = buffers[at++ % 4];
	int fd = open(text(SYSCTL "%s", knob), O_RDONLY);
	long n = fd < 0 ? -errno : SAYS(read(fd, b, 63));

	close(fd);
	if (n < 0)
		return strerrorname_np((int)-n);
	b[n] = 0;
	if (n && b[n - 1] == '\n')
		b[n - 1] = 0;
	return b;
}

static void defaults(void)
{
	for (int k = 0; k < KNOBS; k++) {
		struct stat st;

		/* Two are what the tests before have left. */
		if (k != 0 && k != 3)
			fact(got(knobs[k]), "%s at first", knobs[k]);
		if (!stat(text(SYSCTL "%s", knobs[k]), &st))
			fact(text("%#o", st.st_mode), "%s, mode", knobs[k]);
	}
}

static void ranges(void)
{
	static const char *const values[] = {
		"-2", "-1", "0", "1", "2", "3", "4", "25", "100", "101", "127",
		"128", "640", "641", "1000", "65535", "65536", "1000000",
		"2147483647", "2147483648", "-2147483648", "4294967296", "",
		"x", "1x", " 7", "7 8", "0x10", "010", "1.5", "\n", "9\n"
	};

	for (int k = 0; k < KNOBS; k++) {
		if (k == 2)
			put("perf_cpu_time_max_percent", "25");
		for (int i = 0; i < sizeof(values) / sizeof(*values); i++) {
			const char *s = values[i];
			char saved[64];
			long r;

			strcpy(saved, got(knobs[k]));
			/* An unlimited rate would be lowered at any time. */
			r = put(knobs[k], s);
			fact(text("%s, now %s", number(r), got(knobs[k])),
			     "'%s' into %s", s[0] == '\n' ? "\\n" :
			     s[0] == '9' ? "9\\n" : s, knobs[k]);
			put(knobs[k], saved);
		}
		settle();
	}
	put("perf_event_max_stack", "127");
	put("perf_event_max_contexts_per_stack", "8");
	put("perf_user_access", "0");
}

/* The rate's lock, and what the two say of each other. */
static void rates(void)
{
	static const char *const percents[] = { "0", "1", "25", "99", "100" };

	for (int i = 0; i < 5; i++) {
		put("perf_cpu_time_max_percent", percents[i]);
		fact(number(put("perf_event_max_sample_rate", "50000")),
		     "a rate at %s percent", percents[i]);
		fact(got("perf_cpu_time_max_percent"), "percent after %s",
		     percents[i]);
		put("perf_cpu_time_max_percent", "25");
		put("perf_event_max_sample_rate", "100000");
	}
	put("perf_cpu_time_max_percent", "25");
	put("perf_event_max_sample_rate", "1000");
	put("perf_cpu_time_max_percent", "0");
	for (int f = 999; f < 1003; f++) {
		struct perf_event_attr a = SW(PAGE_FAULTS, .freq = 1,
					      .sample_freq = f);
		struct perf_event_attr b = SW(CPU_CLOCK, .freq = 1,
					      .sample_freq = f);
		struct perf_event_attr c = CYCLES(.sample_period = f);

		fact(tried(&a), "frequency %d of faults at 1000", f);
		fact(tried(&b), "frequency %d of a clock at 1000", f);
		fact(tried(&c), "period %d at 1000", f);
	}
	/* It binds those that are made later, and the ioctl. */
	{
		struct perf_event_attr a = CYCLES(.freq = 1, .sample_freq = 900,
						  .disabled = 1);
		int fd = must_open(&a, 0, -1, -1, 0);
		u64 f = 1000;

		fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_PERIOD, &f))),
		     "IOC_PERIOD of 1000 at 1000");
		f = 1001;
		fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_PERIOD, &f))),
		     "IOC_PERIOD of 1001 at 1000");
		put("perf_cpu_time_max_percent", "25");
		put("perf_event_max_sample_rate", "500");
		put("perf_cpu_time_max_percent", "0");
		f = 900;
		fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_PERIOD, &f))),
		     "IOC_PERIOD of 900 at 500");
		f = 0;
		fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))),
		     "ENABLE of 900 at 500");
		close(fd);
	}
	settle();
}

static __attribute__((noinline)) void deep(int n, volatile char *p)
{
	if (n)
		deep(n - 1, p);
	else
		*p = 1;
	asm volatile("" ::: "memory");
}

static const char *chain_under(struct perf_event_attr *a, int depth)
{
	char *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long fd = open_event(a, 0, -1, -1, 0);
	struct perf_event_header *h;
	const char *out = "no sample";
	struct ring r;

	if (fd < 0)
		return answer_of(fd);
	ring_map(&r, fd, 8);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	deep(depth, p);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	h = ring_next(&r);
	if (h)
		out = text("%d", (int)((u64 *)(h + 1))[0]);
	ring_unmap(&r);
	close(fd);
	munmap(p, PAGE);
	return out;
}

/* The buffers of chains are made with the first event that wants one. */
static void stacks(void)
{
	struct perf_event_attr a = SW(PAGE_FAULTS, .sample_period = 1,
				      .exclude_kernel = 1, .disabled = 1,
				      .sample_type = PERF_SAMPLE_CALLCHAIN);
	static const char *const sizes[] = { "0", "1", "10", "127", "200" };

	for (int i = 0; i < 5; i++) {
		put("perf_event_max_stack", sizes[i]);
		a.sample_max_stack = 0;
		fact(chain_under(&a, 150), "entries, max_stack %s", sizes[i]);
		a.sample_max_stack = 5;
		fact(chain_under(&a, 150), "entries, max_stack %s of 5",
		     sizes[i]);
		a.sample_max_stack = 150;
		fact(chain_under(&a, 250), "entries, max_stack %s of 150",
		     sizes[i]);
		a.sample_max_stack = 65535;
		fact(chain_under(&a, 150), "entries, max_stack %s of 65535",
		     sizes[i]);
	}
	put("perf_event_max_stack", "127");
	for (int c = 0; c < 4; c++) {
		put("perf_event_max_contexts_per_stack", text("%d", c));
		a.sample_max_stack = 10;
		fact(chain_under(&a, 50), "entries, max_contexts %d", c);
	}
	put("perf_event_max_contexts_per_stack", "8");
	{
		int fd = must_open(&a, 0, -1, -1, 0);

		fact(number(put("perf_event_max_stack", "64")),
		     "max_stack while one is open");
		fact(number(put("perf_event_max_contexts_per_stack", "4")),
		     "max_contexts while one is open");
		close(fd);
		usleep(300000);
		fact(number(put("perf_event_max_stack", "64")),
		     "max_stack afterwards");
		put("perf_event_max_stack", "127");
		put("perf_event_max_contexts_per_stack", "8");
	}
}

static void unprivileged(void)
{
	int kid = fork();

	if (!kid) {
		if (setgid(1000) || setuid(1000))
			_exit(1);
		for (int k = 0; k < KNOBS; k++) {
			const char *was = got(knobs[k]);
			int fd = open(text(SYSCTL "%s", knobs[k]), O_WRONLY);

			fact(fd < 0 ? strerrorname_np(errno) : "ok",
			     "%s opened for writing by somebody", knobs[k]);
			close(fd);
			fact(was[0] >= '0' || was[0] == '-' ? "yes" : was,
			     "%s read by somebody", knobs[k]);
		}
		_exit(0);
	}
	waitpid(kid, NULL, 0);
	ktap_count += 2 * KNOBS;
}

/* --- throttling ---------------------------------------------------------- */

static void spin_ms(int ms)
{
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	do
		clock_gettime(CLOCK_MONOTONIC, &b);
	while ((b.tv_sec - a.tv_sec) * 1000 +
	       (b.tv_nsec - a.tv_nsec) / 1000000 < ms);
}

/* One sample in a tick: what comes one by one is not stopped. */
static void throttling(void)
{
	struct perf_event_attr kinds[] = {
		SW(CPU_CLOCK, .sample_period = 50000, .disabled = 1),
		SW(TASK_CLOCK, .sample_period = 50000, .disabled = 1),
		CYCLES(.sample_period = 20000, .disabled = 1),
		SW(PAGE_FAULTS, .sample_period = 1, .disabled = 1),
	};

	put("perf_cpu_time_max_percent", "25");
	put("perf_event_max_sample_rate", "250");
	put("perf_cpu_time_max_percent", "0");
	for (int k = 0; k < 4; k++) {
		int fd = must_open(&kinds[k], 0, -1, -1, 0);
		int n = 0, on = 0, off = 0;
		struct perf_event_header *h;
		struct ring r;

		ring_map(&r, fd, 128);
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		/* A machine that is late has fewer in a tick. */
		for (int i = 0; i < 100 && on <= 5; i++) {
			if (k == 3)
				fault(50);
			else
				spin_ms(50);
			if (i == 99 || k == 3)
				ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
			while ((h = ring_next(&r))) {
				n += h->type == PERF_RECORD_SAMPLE;
				on += h->type == PERF_RECORD_THROTTLE;
				off += h->type == PERF_RECORD_UNTHROTTLE;
			}
			ring_consume(&r);
			if (k == 3 && i == 10)
				break;
			ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		}
		fact(on > 5 ? "many" : number(on), "THROTTLE at 250, kind %d",
		     k);
		fact(on - off < 0 || on - off > 1 ? "odd" : "as many",
		     "UNTHROTTLE at 250, kind %d", k);
		if (k == 3)
			fact(n >= 550 ? "all" : "some",
			     "faults one by one at 250");
		ring_unmap(&r);
		close(fd);
	}
	settle();
}

/* --- sysfs --------------------------------------------------------------- */

static void mux_interval(void)
{
	static const char *const values[] = { "0", "1", "4", "10", "1000", "-1",
					      "x", "", "2147483648" };
	static const char *const pmus[] = { "software", "breakpoint",
					    "armv8_pmuv3" };

	for (int p = 0; p < 3; p++) {
		const char *path = text("/sys/bus/event_source/devices/%s/"
					"perf_event_mux_interval_ms", pmus[p]);
		char was[32] = "";
		int fd = open(path, O_RDWR);
		struct stat st;
		ssize_t n;

		if (fd < 0) {
			fact(strerrorname_np(errno), "mux interval of %s",
			     pmus[p]);
			continue;
		}
		fstat(fd, &st);
		n = read(fd, was, 31);
		was[n > 0 ? n - 1 : 0] = 0;
		fact(text("%s, mode %#o", was, st.st_mode),
		     "mux interval of %s", pmus[p]);
		for (int i = 0; i < 9; i++) {
			char now[32] = "";
			long r;

			/* The 0 of what takes no turns cannot be put back. */
			if (p < 2 && values[i][0] > '0' && values[i][0] <= '9')
				continue;
			r = SAYS(pwrite(fd, values[i], strlen(values[i]), 0));
			n = pread(fd, now, 31, 0);
			now[n > 0 ? n - 1 : 0] = 0;
			fact(text("%s, now %s", number(r), now),
			     "'%s' into the mux interval of %s", values[i],
			     pmus[p]);
		}
		if (p == 2)
			fact(answer_of(SAYS(pwrite(fd, was, strlen(was), 0))),
			     "what %s had, again", pmus[p]);
		close(fd);
	}
}

int main(void)
{
	defaults();
	settle();
	ranges();
	rates();
	stacks();
	unprivileged();
	throttling();
	mux_interval();
	return ktap_done();
}
