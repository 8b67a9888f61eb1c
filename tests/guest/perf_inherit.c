// SPDX-License-Identifier: MIT
/*
 * Facts about families: fork, threads, exec, exit, prctl, folding.
 * only: tags
 * tags: facts
 * timeout: 200
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

#include "facts.h"

#define N 64

static const char *self;

static u64 count_of(int fd)
{
	u64 v[16] = { 0 };

	return read(fd, v, sizeof(v)) < 8 ? 0 : v[0];
}

/* Which multiple of N faults was counted. */
static const char *times(u64 n)
{
	return text("%d times", (int)((n + N / 2) / N));
}

static void in_child(int faults)
{
	int kid = fork();

	if (!kid) {
		if (faults)
			fault(faults);
		_exit(0);
	}
	waitpid(kid, NULL, 0);
}

static void *thread(void *n)
{
	fault((long)n);
	return NULL;
}

static void in_thread(long faults)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, (void *)faults);
	pthread_join(t, NULL);
}

/* What starting a child costs itself is taken away. */
static void counting(void)
{
	for (int inherit = 0; inherit < 2; inherit++)
		for (int only = 0; only < 2; only++) {
			struct perf_event_attr a =
				SW(PAGE_FAULTS, .inherit = inherit,
				   .inherit_thread = inherit && only,
				   .exclude_kernel = 1);
			int fd = must_open(&a, 0, -1, -1, 0);
			u64 base, v;

			in_thread(1);
			base = count_of(fd);
			in_child(1);
			base = count_of(fd) - base;
			v = count_of(fd);
			in_child(20 * N);
			fact((count_of(fd) - v - base + N) / N >= 20 ? "counted" :
			     "not counted", "a child, inherit %d thread %d",
			     inherit, only);
			v = count_of(fd);
			in_thread(20 * N);
			fact((count_of(fd) - v) / N >= 20 ? "counted" :
			     "not counted", "a thread, inherit %d thread %d",
			     inherit, only);
			close(fd);
		}
}

static void control(void)
{
	static const unsigned long cmds[] = { PERF_EVENT_IOC_ENABLE,
					      PERF_EVENT_IOC_DISABLE,
					      PERF_EVENT_IOC_RESET };
	static const char *const names[] = { "ENABLE", "DISABLE", "RESET" };

	for (int c = 0; c < 3; c++) {
		struct perf_event_attr a = SW(PAGE_FAULTS, .inherit = 1,
					      .disabled = c == 0,
					      .exclude_kernel = 1);
		int fd = must_open(&a, 0, -1, -1, 0), go[2], done[2], kid;
		char b;

		if (pipe(go) || pipe(done))
			return;
		kid = fork();
		if (!kid) {
			fault(20 * N);
			if (write(done[1], "", 1) != 1 || read(go[0], &b, 1) != 1)
				_exit(1);
			fault(20 * N);
			_exit(0);
		}
		if (read(done[0], &b, 1) != 1)
			return;
		ioctl(fd, cmds[c], 0);
		if (write(go[1], "", 1) != 1)
			return;
		waitpid(kid, NULL, 0);
		fact(text("%d", (int)(count_of(fd) / (20 * N))),
		     "%s between 20 and 20 in a child", names[c]);
		for (int i = 0; i < 2; i++) {
			close(go[i]);
			close(done[i]);
		}
		close(fd);
	}
}

static void groups(void)
{
	struct perf_event_attr a = SW(PAGE_FAULTS, .inherit = 1,
				      .read_format = 8, .exclude_kernel = 1);
	int one = must_open(&a, 0, -1, -1, 0);
	int two = must_open(&a, 0, -1, one, 0);
	u64 v[8];

	in_child(20 * N);
	fact(number(SAYS(read(one, v, sizeof(v)))), "bytes of a group");
	fact(text("%d %d %d", (int)v[0], v[1] >= 20 * N, v[2] >= 20 * N),
	     "a child's group is counted");
	in_child(20 * N);
	if (read(two, v, sizeof(v)) < 0)
		v[0] = 0;
	fact(text("%d %d %d", (int)v[0], v[1] >= 40 * N, v[2] >= 40 * N),
	     "and through a member");
	close(two);
	close(one);
}

static void executing(void)
{
	static const struct {
		const char *name;
		struct perf_event_attr attr;
	} list[] = {
		{ "enable_on_exec", SW(PAGE_FAULTS, .disabled = 1,
				       .enable_on_exec = 1) },
		{ "disabled", SW(PAGE_FAULTS, .disabled = 1) },
		{ "remove_on_exec", SW(PAGE_FAULTS, .remove_on_exec = 1) },
		{ "on", SW(PAGE_FAULTS) },
		{ "on and enable_on_exec", SW(PAGE_FAULTS,
					      .enable_on_exec = 1) },
		{ "inherited enable_on_exec", SW(PAGE_FAULTS, .disabled = 1,
						 .inherit = 1,
						 .enable_on_exec = 1) },
	};

	for (int i = 0; i < 6; i++) {
		struct perf_event_attr a = list[i].attr;
		struct pollfd p = { .events = POLLIN };
		int go[2], kid, fd;
		u64 v[4], w[4];
		char b;

		a.read_format = 3;
		if (pipe(go))
			return;
		kid = fork();
		if (!kid) {
			if (read(go[0], &b, 1) != 1)
				_exit(1);
			fault(3);
			execl(self, self, "faults", NULL);
			_exit(1);
		}
		usleep(50000);	/* it waits by then */
		fd = must_open(&a, kid, -1, -1, 0);
		read(fd, v, 24);
		if (write(go[1], "", 1) != 1)
			return;
		waitpid(kid, NULL, 0);
		fact(text("before %d %d, bytes %ld", !v[0], !v[1],
			  (long)read(fd, w, 24)), "%s", list[i].name);
		fact(w[0] >= 20 * N ? "counts" : w[0] ? "a few" : "none",
		     "%s, after exec", list[i].name);
		p.fd = fd;
		poll(&p, 1, 0);
		fact(text("%#x", p.revents), "%s, poll", list[i].name);
		fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))),
		     "%s, ENABLE", list[i].name);
		close(fd);
		close(go[0]);
		close(go[1]);
	}
}

static void prctls(void)
{
	struct perf_event_attr a = SW(PAGE_FAULTS, .exclude_kernel = 1);
	int mine = must_open(&a, 0, -1, -1, 0), go[2], kid, its;
	char b;

	if (pipe(go))
		return;
	kid = fork();
	if (!kid) {
		prctl(31, 0, 0, 0, 0);	/* what it did not open */
		if (read(go[0], &b, 1) != 1)
			_exit(1);
		fault(20 * N);
		_exit(0);
	}
	usleep(50000);
	its = must_open(&a, kid, -1, -1, 0);
	fact(answer_of(SAYS(prctl(31, 0, 0, 0, 0))), "prctl 31");
	u64 was = count_of(mine);

	fault(20 * N);
	fact(text("%d", (int)((count_of(mine) - was) / N)), "off");
	if (write(go[1], "", 1) != 1)
		return;
	waitpid(kid, NULL, 0);
	fact(times(count_of(its)), "a child's, opened here");
	fact(answer_of(SAYS(prctl(32, 0, 0, 0, 0))), "prctl 32");
	was = count_of(mine);
	fault(20 * N);
	fact((count_of(mine) - was) / N >= 20 ? "counts" : "stands", "on");
	fact(answer_of(SAYS(prctl(31, 1, 2, 3, 4))), "prctl 31, more words");
	close(mine);
	close(its);
}

/* One whose parent event is closed, whose child lives on. */
static void orphans(void)
{
	struct perf_event_attr a = SW(PAGE_FAULTS, .inherit = 1);
	int fd = must_open(&a, 0, -1, -1, 0), go[2], kid, status;
	char b;

	if (pipe(go))
		return;
	kid = fork();
	if (!kid) {
		if (read(go[0], &b, 1) != 1)
			_exit(1);
		fault(10);
		in_child(10);
		_exit(5);
	}
	close(fd);
	if (write(go[1], "", 1) != 1)
		return;
	waitpid(kid, &status, 0);
	fact(text("%#x", status), "a child outlives its event");
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1) {
		fault(20 * N);
		return 0;
	}
	settle();
	counting();
	control();
	groups();
	executing();
	prctls();
	orphans();
	return ktap_done();
}
