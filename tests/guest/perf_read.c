// SPDX-License-Identifier: MIT
/*
 * Facts about read(2) and what else can be done with the descriptor.
 * only: tags
 * tags: facts
 */
#define _GNU_SOURCE
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "facts.h"

static void formats(void)
{
	u64 v[64];

	for (int format = 0; format < 32; format++) {
		struct perf_event_attr a = SW(PAGE_FAULTS,
					      .read_format = format);
		int one = must_open(&a, 0, -1, -1, 0);
		int two = must_open(&a, 0, -1, one, 0);
		int three = must_open(&a, 0, -1, one, 0);
		long size = SAYS(read(one, v, sizeof(v)));

		fact(number(size), "bytes, format %d, three", format);
		if (format & PERF_FORMAT_GROUP)
			fact(number(v[0]), "members, format %d", format);
		fact(number(SAYS(read(two, v, sizeof(v)))),
		     "bytes from a member, format %d", format);
		fact(number(SAYS(read(one, v, size - 1))),
		     "a byte too few, format %d", format);
		fact(number(SAYS(read(one, v, size))), "just enough, format %d",
		     format);
		close(three);
		close(two);
		fact(number(SAYS(read(one, v, sizeof(v)))),
		     "bytes, format %d, alone", format);
		close(one);
	}
}

static void *volatile nowhere;

static void other_calls(void)
{
	struct perf_event_attr a = SW(PAGE_FAULTS);
	int fd = must_open(&a, 0, -1, -1, 0), ep;
	struct epoll_event ev = { .events = EPOLLIN };
	char buf[64], link[64] = "";
	struct iovec iov[2] = { { buf, 4 }, { buf + 4, 28 } };
	struct stat st;
	int n;

	fact(number(SAYS(read(fd, NULL, 0))), "read of 0 bytes");
	fact(number(SAYS(read(fd, nowhere, 64))), "read to NULL");
	fact(number(SAYS(read(fd, (void *)-4096, 64))), "read to the kernel");
	fact(number(SAYS(readv(fd, iov, 2))), "readv, 4 and 28");
	fact(number(SAYS(pread(fd, buf, 64, 0))), "pread");
	fact(number(SAYS(pread(fd, buf, 64, 8))), "pread at 8");
	fact(number(SAYS(write(fd, buf, 8))), "write");
	fact(number(SAYS(pwrite(fd, buf, 8, 0))), "pwrite");
	fact(number(SAYS(lseek(fd, 0, SEEK_SET))), "lseek");
	fact(number(SAYS(ftruncate(fd, 0))), "ftruncate");
	fact(number(SAYS(fsync(fd))), "fsync");
	fact(number(SAYS(fchmod(fd, 0666))), "fchmod");
	fact(number(SAYS(fcntl(fd, F_SETFL, O_NONBLOCK))), "O_NONBLOCK");
	fact(number(SAYS(read(fd, buf, 64))), "read then");
	fact(number(SAYS(fcntl(fd, F_SETLK, &(struct flock){ 0 }))), "lock");
	fact(number(SAYS(ioctl(fd, FIONREAD, &n))), "FIONREAD");
	fact(number(SAYS(ioctl(fd, FIONBIO, &n))), "FIONBIO");
	if (!fstat(fd, &st))
		fact(text("mode %#o size %ld blksize %ld", st.st_mode,
			  (long)st.st_size, (long)st.st_blksize), "fstat");
	if (readlink(text("/proc/self/fd/%d", fd), link, 63) > 0)
		fact(link, "its link");
	n = open(text("/proc/self/fd/%d", fd), O_RDONLY);
	fact(n < 0 ? strerrorname_np(errno) : "ok", "opened by that link");
	ep = epoll_create1(0);
	fact(number(SAYS(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev))), "epoll");
	fact(number(epoll_wait(ep, &ev, 1, 0)), "epoll_wait without a ring");
	fact(text("%#x", ev.events), "its events");
	n = dup(fd);
	close(fd);
	fact(number(SAYS(read(n, buf, 64))), "read from a copy");
	close(n);
	a = SW(PAGE_FAULTS);
	fd = must_open(&a, 0, -1, -1, 0);
	n = open(text("/proc/self/fdinfo/%d", fd), O_RDONLY);
	fact(n < 0 ? strerrorname_np(errno) : "ok", "its fdinfo");
	close(n);
	close(fd);
}

static void times(void)
{
	struct perf_event_attr a = SW(PAGE_FAULTS, .disabled = 1,
				      .read_format = 3);
	struct pollfd p = { .events = POLLIN };
	u64 v[4], w[4];
	int fd = must_open(&a, 0, -1, -1, 0), kid;

	usleep(1000);
	read(fd, v, sizeof(v));
	fact(text("%d %d %d", !v[0], !v[1], !v[2]), "zero while disabled");
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	fault(20);
	read(fd, v, sizeof(v));
	fact(text("%d %d", v[1] > 0, v[1] == v[2]), "runs when enabled");
	fact(v[0] >= 20 && v[0] < 30 ? "20 to 30" : number(v[0]),
	     "20 faults");
	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
	read(fd, w, sizeof(w));
	fact(text("%d %d", (int)w[0] < 5, w[1] >= v[1]), "reset keeps times");
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	read(fd, v, sizeof(v));
	usleep(1000);
	read(fd, w, sizeof(w));
	fact(!memcmp(v, w, 24) ? "yes" : "no", "stands still when disabled");
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	read(fd, v, sizeof(v));
	usleep(20000);
	read(fd, w, sizeof(w));
	fact(w[1] - v[1] < 15000000 ? "no" : "yes",
	     "a task's time goes on in sleep");
	close(fd);
	a.disabled = 0;
	fd = must_open(&a, -1, 0, -1, 0);
	read(fd, v, sizeof(v));
	usleep(20000);
	read(fd, w, sizeof(w));
	fact(w[1] - v[1] < 15000000 ? "no" : "yes", "a CPU's time does");
	close(fd);
	kid = fork();
	if (!kid) {
		pause();
		_exit(0);
	}
	fd = must_open(&a, kid, -1, -1, 0);
	p.fd = fd;
	kill(kid, SIGKILL);
	waitpid(kid, NULL, 0);
	fact(number(SAYS(read(fd, v, sizeof(v)))), "read, its task gone");
	usleep(2000);
	read(fd, w, sizeof(w));
	fact(!memcmp(v, w, 24) ? "yes" : "no", "it stands still");
	fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))), "enable");
	fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_RESET, 0))), "reset");
	poll(&p, 1, 0);
	fact(text("%#x", p.revents), "poll");
	close(fd);
}

static void ids(void)
{
	struct perf_event_attr a = SW(DUMMY, .read_format = 4);
	u64 v[4] = { 0 }, id = 0, id2;
	int one = must_open(&a, 0, -1, -1, 0), two;

	read(one, v, sizeof(v));
	ioctl(one, PERF_EVENT_IOC_ID, &id);
	fact(v[1] == id && id ? "yes" : "no", "ID is that of the format");
	two = must_open(&a, 0, -1, -1, 0);
	ioctl(two, PERF_EVENT_IOC_ID, &id2);
	fact(id2 > id ? "yes" : "no", "ids grow");
	close(one);
	close(two);
}

int main(void)
{
	settle();
	formats();
	other_calls();
	times();
	ids();
	return ktap_done();
}
