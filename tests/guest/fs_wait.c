// SPDX-License-Identifier: MIT
/*
 * What waits: pipes, FIFOs, poll, select, epoll, eventfd, timerfd, signalfd,
 * inotify.
 * tags: fs short
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

static void test_pipe(void)
{
	static char big[70000];
	int p[2], n, i, status;

	EQ(pipe2(p, O_NONBLOCK), 0);
	FAILS(read(p[0], big, 1), EAGAIN);
	EQ(fcntl(p[0], F_GETPIPE_SZ), 65536);
	EQ(write(p[1], big, sizeof(big)), 65536);
	FAILS(write(p[1], big, 1), EAGAIN);
	EQ(ioctl(p[0], FIONREAD, &n), 0);
	EQ(n, 65536);
	EQ(read(p[0], big, 100), 100);
	/* A page must be free before the next small write is taken. */
	FAILS(write(p[1], big, 1), EAGAIN);
	EQ(read(p[0], big, 4000), 4000);
	EQ(write(p[1], big, 1), 1);
	EQ(fcntl(p[1], F_SETPIPE_SZ, 1 << 18), 1 << 18);
	FAILS(fcntl(p[1], F_SETPIPE_SZ, 4096), EBUSY);
	close(p[1]);
	for (i = 0; (n = read(p[0], big, sizeof(big))) > 0; i += n)
		;
	EQ(i, 65536 - 4100 + 1);
	EQ(n, 0);
	close(p[0]);
	pipe(p);
	for (i = 0; i < 100; i++)
		EQ(write(p[1], "abc", 3), 3);
	EQ(read(p[0], big, 1000), 300);
	FAILS(lseek(p[0], 0, SEEK_SET), ESPIPE);
	FAILS(pread(p[0], big, 1, 0), ESPIPE);
	close(p[0]);
	signal(SIGPIPE, SIG_IGN);
	FAILS(write(p[1], "x", 1), EPIPE);
	close(p[1]);
	/* A writer sleeps until the reader made room. */
	pipe(p);
	if (fork() == 0) {
		close(p[0]);
		for (i = 0; i < 30; i++)
			if (write(p[1], big, sizeof(big)) != sizeof(big))
				_exit(1);
		_exit(0);
	}
	close(p[1]);
	for (i = 0; (n = read(p[0], big, sizeof(big))) > 0; i += n)
		;
	EQ(i, 30 * (int)sizeof(big));
	wait(&status);
	EQ(status, 0);
	close(p[0]);
}

static void test_fifo(void)
{
	int fd, status;
	char c = 0;

	unlink("fifo");
	EQ(mkfifo("fifo", 0600), 0);
	FAILS(open("fifo", O_WRONLY | O_NONBLOCK), ENXIO);
	fd = open("fifo", O_RDONLY | O_NONBLOCK);
	OK(fd >= 0);
	close(fd);
	if (fork() == 0) {
		fd = open("fifo", O_WRONLY);
		_exit(write(fd, "z", 1) != 1);
	}
	fd = open("fifo", O_RDONLY);
	EQ(read(fd, &c, 1), 1);
	EQ(c, 'z');
	EQ(read(fd, &c, 1), 0);
	close(fd);
	wait(&status);
	EQ(status, 0);
}

/* Opened again by its descriptor, a pipe waits for nobody. */
static void test_pipe_again(void)
{
	char path[32], c = 0;
	int p[2], fd;

	pipe(p);
	EQ(write(p[1], "q", 1), 1);
	close(p[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", p[0]);
	alarm(20);
	fd = open(path, O_RDONLY);
	OK(fd >= 0);
	EQ(read(fd, &c, 1), 1);
	EQ(c, 'q');
	EQ(read(fd, &c, 1), 0);
	close(fd);
	close(p[0]);

	pipe(p);
	close(p[0]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", p[1]);
	fd = open(path, O_WRONLY | O_NONBLOCK);
	OK(fd >= 0);
	close(fd);
	fd = open(path, O_WRONLY);
	OK(fd >= 0);
	alarm(0);
	close(fd);
	close(p[1]);
}

static void test_poll(void)
{
	struct timespec ts = { 0, 10000000 };
	struct pollfd pf[3];
	fd_set in, out;
	struct timeval tv = { 0, 10000 };
	int p[2];

	pipe(p);
	pf[0] = (struct pollfd){ p[0], POLLIN, 0 };
	pf[1] = (struct pollfd){ p[1], POLLOUT, 0 };
	pf[2] = (struct pollfd){ 777, POLLIN, 0 };
	EQ(poll(pf, 1, 0), 0);
	EQ(ppoll(pf, 1, &ts, NULL), 0);
	EQ(poll(pf, 3, -1), 2);
	EQ(pf[1].revents, POLLOUT);
	EQ(pf[2].revents, POLLNVAL);
	if (fork() == 0) {
		usleep(20000);
		_exit(write(p[1], "x", 1) != 1);
	}
	EQ(poll(pf, 1, 5000), 1);
	EQ(pf[0].revents, POLLIN);
	wait(NULL);
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(p[0], &in);
	FD_SET(p[1], &out);
	EQ(select(p[1] + 1, &in, &out, NULL, &tv), 2);
	OK(FD_ISSET(p[0], &in) && FD_ISSET(p[1], &out));
	FD_SET(40, &in);
	FAILS(select(41, &in, NULL, NULL, &tv), EBADF);
	close(p[1]);
	EQ(poll(pf, 1, 0), 1);
	EQ(pf[0].revents, POLLIN | POLLHUP);
	close(p[0]);
	FAILS(poll((void *)8, 1, 0), EFAULT);
	FAILS(poll(pf, 1 << 30, 0), EINVAL);
}

/* The gap in an epoll_event belongs to the program. */
static void test_epoll_gap(void)
{
	struct epoll_event ev = { EPOLLIN, { .u64 = 42 } }, out;
	int ep = epoll_create1(0), fd = eventfd(1, 0), bad = 0;
	const unsigned char *byte = (const unsigned char *)&out;
	size_t i;

	memset(&out, 0xa5, sizeof(out));
	EQ(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev), 0);
	EQ(epoll_wait(ep, &out, 1, 0), 1);
	EQ(out.data.u64, 42);
	for (i = sizeof(out.events);
	     i < offsetof(struct epoll_event, data); i++)
		bad += byte[i] != 0xa5;
	EQ(bad, 0);
	close(fd);
	close(ep);
}

static void test_epoll(void)
{
	struct epoll_event ev = { EPOLLIN, { .u64 = 42 } }, out[4];
	int ep = epoll_create1(EPOLL_CLOEXEC), ep2 = epoll_create1(0);
	int p[2], fd;

	pipe(p);
	EQ(epoll_ctl(ep, EPOLL_CTL_ADD, p[0], &ev), 0);
	FAILS(epoll_ctl(ep, EPOLL_CTL_ADD, p[0], &ev), EEXIST);
	FAILS(epoll_ctl(ep, EPOLL_CTL_DEL, p[1], &ev), ENOENT);
	FAILS(epoll_ctl(ep, EPOLL_CTL_ADD, ep, &ev), EINVAL);
	FAILS(epoll_ctl(p[0], EPOLL_CTL_ADD, p[1], &ev), EINVAL);
	FAILS(epoll_wait(ep, out, 0, 0), EINVAL);
	EQ(epoll_wait(ep, out, 4, 10), 0);
	EQ(write(p[1], "ab", 2), 2);
	EQ(epoll_wait(ep, out, 4, -1), 1);
	EQ(out[0].data.u64, 42);
	EQ(out[0].events, EPOLLIN);
	EQ(epoll_wait(ep, out, 4, 0), 1);
	ev.events = EPOLLIN | EPOLLET;
	EQ(epoll_ctl(ep, EPOLL_CTL_MOD, p[0], &ev), 0);
	EQ(epoll_wait(ep, out, 4, 0), 1);
	EQ(epoll_wait(ep, out, 4, 0), 0);
	EQ(write(p[1], "c", 1), 1);
	EQ(epoll_wait(ep, out, 4, 0), 1);
	ev.events = EPOLLIN | EPOLLONESHOT;
	EQ(epoll_ctl(ep, EPOLL_CTL_MOD, p[0], &ev), 0);
	EQ(epoll_wait(ep, out, 4, 0), 1);
	EQ(epoll_wait(ep, out, 4, 0), 0);
	ev.events = EPOLLIN;
	EQ(epoll_ctl(ep2, EPOLL_CTL_ADD, ep, &ev), 0);
	FAILS(epoll_ctl(ep, EPOLL_CTL_ADD, ep2, &ev), ELOOP);
	EQ(epoll_ctl(ep, EPOLL_CTL_MOD, p[0], &ev), 0);
	EQ(epoll_wait(ep2, out, 4, 0), 1);
	fd = open("plain", O_CREAT | O_RDWR, 0600);
	FAILS(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev), EPERM);
	close(fd);
	/* The last close takes the item along. */
	close(p[0]);
	EQ(epoll_wait(ep, out, 4, 0), 0);
	close(p[1]);
	close(ep2);
	close(ep);
}

static void *give(void *arg)
{
	usleep(20000);
	eventfd_write(*(int *)arg, 7);
	return NULL;
}

static void test_eventfd(void)
{
	int fd = eventfd(3, EFD_NONBLOCK), sem = eventfd(2, EFD_SEMAPHORE);
	eventfd_t v;
	pthread_t t;

	EQ(eventfd_read(fd, &v), 0);
	EQ(v, 3);
	FAILS(eventfd_read(fd, &v), EAGAIN);
	EQ(eventfd_write(fd, ~1ull), 0);
	FAILS(eventfd_write(fd, 1), EAGAIN);
	FAILS(write(fd, "abc", 3), EINVAL);
	EQ(eventfd_read(sem, &v), 0);
	EQ(v, 1);
	EQ(eventfd_read(sem, &v), 0);
	pthread_create(&t, NULL, give, &sem);
	EQ(eventfd_read(sem, &v), 0);
	EQ(v, 1);
	pthread_join(t, NULL);
	close(fd);
	close(sem);
}

static void test_timerfd(void)
{
	struct itimerspec its = { { 0, 5000000 }, { 0, 5000000 } }, got;
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	unsigned long long n = 0;
	struct pollfd pf = { fd, POLLIN, 0 };

	EQ(timerfd_settime(fd, 0, &its, NULL), 0);
	EQ(poll(&pf, 1, 5000), 1);
	EQ(read(fd, &n, 8), 8);
	OK(n >= 1);
	usleep(30000);
	EQ(read(fd, &n, 8), 8);
	OK(n >= 4);
	EQ(timerfd_gettime(fd, &got), 0);
	EQ(got.it_interval.tv_nsec, 5000000);
	its = (struct itimerspec){ { 0, 0 }, { 0, 0 } };
	EQ(timerfd_settime(fd, 0, &its, &got), 0);
	EQ(timerfd_gettime(fd, &got), 0);
	EQ(got.it_value.tv_nsec, 0);
	FAILS(timerfd_create(77, 0), EINVAL);
	FAILS(read(fd, &n, 4), EINVAL);
	close(fd);
}

static void test_signalfd(void)
{
	struct signalfd_siginfo si;
	struct pollfd pf;
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_NONBLOCK);
	OK(fd >= 0);
	FAILS(read(fd, &si, sizeof(si)), EAGAIN);
	pf = (struct pollfd){ fd, POLLIN, 0 };
	EQ(poll(&pf, 1, 0), 0);
	kill(getpid(), SIGUSR1);
	EQ(poll(&pf, 1, 0), 1);
	EQ(read(fd, &si, sizeof(si)), sizeof(si));
	EQ(si.ssi_signo, SIGUSR1);
	EQ(si.ssi_pid, getpid());
	close(fd);
}

static void test_inotify(void)
{
	char buf[4096] __attribute__((aligned(8)));
	struct inotify_event *e = (void *)buf;
	int fd = inotify_init1(IN_NONBLOCK), wd, f;

	mkdir("watched", 0755);
	wd = inotify_add_watch(fd, "watched", IN_CREATE | IN_DELETE);
	OK(wd >= 1);
	FAILS(read(fd, buf, sizeof(buf)), EAGAIN);
	f = open("watched/n", O_CREAT | O_RDWR, 0600);
	close(f);
	unlink("watched/n");
	EQ(read(fd, buf, sizeof(buf)), 64);
	EQ(e->wd, wd);
	EQ(e->mask, IN_CREATE);
	OK(!strcmp(e->name, "n"));
	rmdir("watched");
	EQ(read(fd, buf, sizeof(buf)), 16);
	EQ(e->mask, IN_IGNORED);
	FAILS(inotify_rm_watch(fd, wd), EINVAL);
	close(fd);
}

int main(void)
{
	mkdir("/tmp", 01777);
	mount("t", "/tmp", "tmpfs", 0, NULL);
	OK(chdir("/tmp") == 0);
	test_pipe();
	test_fifo();
	test_pipe_again();
	test_poll();
	test_epoll();
	test_epoll_gap();
	test_eventfd();
	test_timerfd();
	test_signalfd();
	test_inotify();
	return ktap_done();
}
