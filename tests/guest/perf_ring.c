// SPDX-License-Identifier: MIT
/*
 * Facts about the ring: filling, losing, overwriting, wakeups, poll.
 * only: tags
 * tags: facts
 * timeout: 200
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/prctl.h>

#include "facts.h"

static int polled(int fd)
{
	struct pollfd p = { fd, POLLIN, 0 };

	poll(&p, 1, 0);
	return p.revents;
}

/* How many records of which type and size, in order. */
static const char *contents(struct ring *r)
{
	struct perf_event_header *h;
	static char out[400];
	u32 type = 0, size = 0, n = 0;
	int at = 0;

	out[0] = 0;
	do {
		h = ring_next(r);
		if (n && (!h || h->type != type || h->size != size)) {
			at += snprintf(out + at, sizeof(out) - at,
				       "%s%u of type %u size %u",
				       at ? ", " : "", n, type, size);
			n = 0;
		}
		if (h) {
			type = h->type;
			size = h->size;
			n++;
		}
	} while (h && at < 300);
	return out;
}

#define FAULTS(...) SW(PAGE_FAULTS, .sample_period = 1, .disabled = 1, \
		       .exclude_kernel = 1, ##__VA_ARGS__)

/* Not so many in one tick that they would be throttled. */
static void counted(int fd, int faults)
{
	for (int n; faults; faults -= n) {
		n = faults < 200 ? faults : 200;
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		fault(n);
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		if (n == 200)
			usleep(10000);
	}
}

static void filling(void)
{
	static const u64 samples[] = {
		PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID,
		PERF_SAMPLE_IP, PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		PERF_SAMPLE_REGS_USER, 0
	};
	u64 v[4];

	for (int i = 0; i < 5; i++)
		for (int pages = 1; pages < 4; pages *= 2) {
			struct perf_event_attr a =
				FAULTS(.sample_type = samples[i],
				       .read_format = PERF_FORMAT_LOST,
				       .sample_regs_user = 0xffffffff);
			int fd = must_open(&a, 0, -1, -1, 0);
			struct ring r;
			u64 head;

			ring_map(&r, fd, pages);
			counted(fd, 1100);
			head = r.page->data_head;
			fact(text("%s; head %llu", contents(&r),
				  (unsigned long long)head),
			     "%d pages filled, sample %#llx", pages,
			     (unsigned long long)samples[i]);
			read(fd, v, 16);
			fact(v[1] ? "some" : "none", "lost, %d pages, %#llx",
			     pages, (unsigned long long)samples[i]);
			/* Room again: the next record is LOST's. */
			ring_consume(&r);
			counted(fd, 2);
			fact(contents(&r), "after reading, %d pages, %#llx",
			     pages, (unsigned long long)samples[i]);
			ring_unmap(&r);
			close(fd);
		}
}

static void lost_record(void)
{
	struct perf_event_attr a =
		FAULTS(.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				      PERF_SAMPLE_ID,
		       .sample_id_all = 1, .read_format = PERF_FORMAT_LOST);
	int fd = must_open(&a, 0, -1, -1, 0);
	struct perf_event_header *h;
	struct ring r;
	u64 id, v[4], *body;

	ioctl(fd, PERF_EVENT_IOC_ID, &id);
	ring_map(&r, fd, 1);
	counted(fd, 200);
	while (ring_next(&r))
		;
	read(fd, v, 16);
	ring_consume(&r);
	counted(fd, 1);
	while ((h = ring_next(&r)) && h->type != PERF_RECORD_LOST)
		;
	if (!h) {
		fact("none", "LOST record");
		return;
	}
	body = (u64 *)(h + 1);
	fact(text("misc %#x size %u", h->misc, h->size), "LOST record");
	fact(body[0] == id ? "yes" : "no", "LOST names the event");
	fact(body[1] == v[1] ? "yes" : "no", "LOST counts as read(2) does");
	fact(text("%d", (u32)body[2] == (u32)getpid()), "LOST has the pid");
	fact(body[3] == id ? "yes" : "no", "LOST ends with the id");
	ring_unmap(&r);
	close(fd);
}

/* What it has lost, by FORMAT_LOST. */
static u64 lost_by(int fd)
{
	u64 v[2] = { 0, 0 };

	if (read(fd, v, sizeof(v)) != sizeof(v))
		ktap_ok(false, "read: %s", strerrorname_np(errno));
	return v[1];
}

/* The ring's LOST records: whom they name, what they add up to. */
static void lost_records(struct ring *r, const char *what, const u64 *ids)
{
	struct perf_event_header *h;
	int unknown = 0, of[2] = { 0, 0 };
	u64 sum = 0;

	while ((h = ring_next(r))) {
		u64 *body = (u64 *)(h + 1);

		if (h->type == PERF_RECORD_LOST_SAMPLES)
			ktap_ok(false, "LOST_SAMPLES is for other machines");
		if (h->type != PERF_RECORD_LOST)
			continue;
		sum += body[1];
		if (body[0] == ids[0] || body[0] == ids[1])
			of[body[0] == ids[1]]++;
		else
			unknown++;
	}
	fact(text("%d, %d, %d", of[0], of[1], unknown),
	     "%s: LOST records by whom they name", what);
	fact(number((long)sum), "%s: their sum", what);
}

/*
 * Two events, one ring: each counts what it lost itself, and LOST names who
 * comes next, whoever lost.
 */
static void lost_together(void)
{
	struct perf_event_attr a =
		FAULTS(.sample_type = PERF_SAMPLE_IP,
		       .read_format = PERF_FORMAT_LOST);
	int one = must_open(&a, 0, -1, -1, 0);
	int two = must_open(&a, 0, -1, -1, 0);
	struct ring r;
	u64 ids[2];

	ioctl(one, PERF_EVENT_IOC_ID, &ids[0]);
	ioctl(two, PERF_EVENT_IOC_ID, &ids[1]);
	counted(two, 3);
	fact(number((long)lost_by(two)), "lost without a ring");
	ring_map(&r, one, 1);
	ioctl(two, PERF_EVENT_IOC_SET_OUTPUT, one);
	ioctl(one, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	counted(two, 7);
	fact(lost_by(two) >= 7 ? "some" : "none", "lost by the redirected");
	fact(number((long)lost_by(one)), "lost by the ring's own meanwhile");
	ioctl(one, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
	ioctl(one, PERF_EVENT_IOC_ENABLE, 0);
	fault(1);
	ioctl(one, PERF_EVENT_IOC_DISABLE, 0);
	fact(r.page->data_head ? "yes" : "no", "the ring goes on");
	lost_records(&r, "after the other's loss", ids);
	fact(number((long)lost_by(one)), "lost by the ring's own at last");
	ioctl(two, PERF_EVENT_IOC_RESET, 0);
	fact(lost_by(two) >= 7 ? "stays" : "gone", "lost, after RESET");
	ring_unmap(&r);
	close(two);
	close(one);
}

/* A child's copy loses for its parent's account; so do side-band records. */
static void lost_by_children(void)
{
	struct perf_event_attr a =
		SW(PAGE_FAULTS, .sample_period = 1, .inherit = 1,
		   .exclude_kernel = 1, .sample_type = PERF_SAMPLE_IP,
		   .read_format = PERF_FORMAT_LOST, .disabled = 1);
	struct perf_event_attr b = SW(DUMMY, .comm = 1,
				      .read_format = PERF_FORMAT_LOST);
	int fd = must_open(&a, 0, 0, -1, 0);
	int dummy = must_open(&b, 0, -1, -1, 0);
	struct ring r, names;
	cpu_set_t cpu;
	pid_t kid;

	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	sched_setaffinity(0, sizeof(cpu), &cpu);
	ring_map(&r, fd, 1);
	ring_map(&names, dummy, 1);
	ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	ioctl(dummy, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	kid = fork();
	if (!kid) {
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		fault(50);
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		_exit(0);
	}
	waitpid(kid, NULL, 0);
	fact(lost_by(fd) >= 50 ? "parent's" : number((long)lost_by(fd)),
	     "lost by a child");
	prctl(PR_SET_NAME, "one", 0, 0, 0);
	prctl(PR_SET_NAME, "two", 0, 0, 0);
	fact(number((long)lost_by(dummy)), "names lost");
	ioctl(dummy, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
	prctl(PR_SET_NAME, "three", 0, 0, 0);
	fact(contents(&names), "the next name");
	ring_unmap(&names);
	ring_unmap(&r);
	close(dummy);
	close(fd);
}

static void pausing(void)
{
	struct perf_event_attr a =
		FAULTS(.sample_type = PERF_SAMPLE_IP,
		       .read_format = PERF_FORMAT_LOST);
	int fd = must_open(&a, 0, -1, -1, 0);
	struct ring r;
	u64 v[4];

	ring_map(&r, fd, 2);
	ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	counted(fd, 5);
	fact(contents(&r), "while paused");
	read(fd, v, 16);
	fact(v[1] >= 5 ? "some" : number(v[1]), "lost while paused");
	ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
	counted(fd, 5);
	fact(strncmp(contents(&r), "1 of type 2", 11) ? "other" : "LOST first",
	     "resumed");
	ring_unmap(&r);
	close(fd);
}

static void overwriting(void)
{
	for (int backward = 0; backward < 2; backward++) {
		struct perf_event_attr a =
			FAULTS(.sample_type = PERF_SAMPLE_IP,
			       .write_backward = backward,
			       .read_format = PERF_FORMAT_LOST);
		int fd = must_open(&a, 0, -1, -1, 0);
		struct ring r;
		u64 v[4];

		if (!ring_map_as(&r, fd, 1, PROT_READ))
			return;
		counted(fd, 600);
		fact((int64_t)r.page->data_head > 4096 ? "up" :
		     (int64_t)r.page->data_head < -4096 ? "down" : "short",
		     "head runs, backward %d", backward);
		fact(text("%d", (int)(r.page->data_head & 7)),
		     "head is aligned, backward %d", backward);
		fact(text("%llu", (unsigned long long)r.page->data_tail),
		     "tail, backward %d", backward);
		if (backward) {
			r.at = r.page->data_head & 4095;
			fact(text("%u", ((struct perf_event_header *)
					 (r.data + r.at % 4080))->size <= 64),
			     "a record at the head");
		}
		read(fd, v, 16);
		fact(number(v[1]), "lost, backward %d", backward);
		ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
		v[2] = r.page->data_head;
		counted(fd, 5);
		fact(v[2] == r.page->data_head ? "yes" : "no",
		     "stands while paused, backward %d", backward);
		munmap(r.page, 2 * PAGE);
		close(fd);
		/* Backward and writable: no tail, no loss. */
		fd = must_open(&a, 0, -1, -1, 0);
		ring_map(&r, fd, 1);
		counted(fd, 600);
		read(fd, v, 16);
		fact(v[1] ? "some" : "none", "lost if writable, backward %d",
		     backward);
		ring_unmap(&r);
		close(fd);
	}
}

/* After which samples poll says that there is something. */
static void wakeups(void)
{
	static const struct {
		const char *name;
		u32 watermark, wakeup;
	} list[] = {
		{ "nothing", 0, 0 }, { "1 event", 0, 1 }, { "2 events", 0, 2 },
		{ "7 events", 0, 7 }, { "8 bytes", 1, 8 }, { "0 bytes", 1, 0 },
		{ "100 bytes", 1, 100 }, { "1024 bytes", 1, 1024 },
		{ "a lot of bytes", 1, 1 << 20 }
	};

	for (int i = 0; i < sizeof(list) / sizeof(*list); i++) {
		struct perf_event_attr a =
			FAULTS(.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
					      PERF_SAMPLE_TIME,
			       .watermark = list[i].watermark,
			       .wakeup_events = list[i].wakeup);
		int fd = must_open(&a, 0, -1, -1, 0), at = 0;
		char *p = mmap(NULL, 200 * PAGE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		char out[512] = "";
		struct ring r;
		u64 v;

		madvise(p, 200 * PAGE, MADV_NOHUGEPAGE);
		ring_map(&r, fd, 1);
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		for (int n = 1; n < 120 && at < 300; n++) {
			ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
			p[n * PAGE] = 1;
			ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
			if (!polled(fd))
				continue;
			at += sprintf(out + at, "%llu ",
				      (unsigned long long)r.page->data_head);
		}
		fact(out, "heads at a wakeup every %s", list[i].name);
		fact(text("%#x", polled(fd)), "poll again, %s", list[i].name);
		read(fd, &v, 8);
		munmap(p, 200 * PAGE);
		ring_unmap(&r);
		fact(text("%#x", polled(fd)), "poll without the ring, %s",
		     list[i].name);
		close(fd);
	}
}

static void hang_up(void)
{
	struct perf_event_attr a = FAULTS(.sample_type = PERF_SAMPLE_IP,
					  .wakeup_events = 1);
	struct pollfd p = { .events = POLLIN };
	struct ring r;
	int go[2], kid, fd;
	char c;

	if (pipe(go))
		return;
	a.disabled = 0;
	kid = fork();
	if (!kid) {
		if (read(go[0], &c, 1) == 1)
			fault(1);
		_exit(0);
	}
	usleep(50000);
	fd = must_open(&a, kid, -1, -1, 0);
	p.fd = fd;
	fact(text("%d %#x", poll(&p, 1, 0), p.revents), "poll, no ring");
	ring_map(&r, fd, 2);
	fact(text("%d %#x", poll(&p, 1, 0), p.revents), "poll, nothing yet");
	if (write(go[1], "", 1) != 1)
		return;
	fact(text("%d", poll(&p, 1, 5000)), "poll waits");
	waitpid(kid, NULL, 0);
	poll(&p, 1, 0);
	fact(text("%d %#x", poll(&p, 1, 0), p.revents), "its task is gone");
	fact(text("%d %#x", poll(&p, 1, 0), p.revents), "and again");
	ring_unmap(&r);
	close(fd);
}

/* The mapping keeps the event: it writes on after close. */
static void closed(void)
{
	struct perf_event_attr a = FAULTS(.sample_type = PERF_SAMPLE_IP);
	int fd = must_open(&a, 0, -1, -1, 0);
	struct ring r;
	u64 head;

	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	ring_map(&r, fd, 8);
	close(fd);
	head = r.page->data_head;
	fault(5);
	fact(r.page->data_head > head ? "yes" : "no", "writes after close");
	ring_unmap(&r);
}

int main(void)
{
	settle();
	filling();
	lost_record();
	lost_together();
	lost_by_children();
	pausing();
	overwriting();
	wakeups();
	hang_up();
	closed();
	return ktap_done();
}
