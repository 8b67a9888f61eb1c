/* SPDX-License-Identifier: MIT */
/* Local sockets: pairs, names, messages, descriptors, errors, poll. */
#define _GNU_SOURCE
#include "ktap.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/sockios.h>

static int pipes_seen;
static char *volatile nowhere = (char *)8;

static void on_pipe(int sig)
{
	pipes_seen++;
}

static int events(int fd, int want)
{
	struct pollfd p = { .fd = fd, .events = want };

	return poll(&p, 1, 0) < 0 ? -1 : p.revents;
}

static socklen_t name(struct sockaddr_un *a, const char *path)
{
	memset(a, 0, sizeof(*a));
	a->sun_family = AF_UNIX;
	memcpy(a->sun_path, path, strlen(path + !*path) + !*path);
	return offsetof(struct sockaddr_un, sun_path) +
	       strlen(path + !*path) + 1;
}

static int get_int(int fd, int opt)
{
	int v = -1;
	socklen_t len = sizeof(v);

	return getsockopt(fd, SOL_SOCKET, opt, &v, &len) ? -errno : v;
}

static void test_create(void)
{
	struct stat st;
	int s;

	FAILS(socket(-1, SOCK_STREAM, 0), EAFNOSUPPORT);
	FAILS(socket(AF_UNIX, 0, 0), ESOCKTNOSUPPORT);
	FAILS(socket(AF_UNIX, SOCK_RDM, 0), ESOCKTNOSUPPORT);
	FAILS(socket(AF_UNIX, 0x20 | SOCK_STREAM, 0), EINVAL);
	FAILS(socket(AF_UNIX, 12, 0), EINVAL);
	FAILS(socket(AF_UNIX, SOCK_STREAM, 7), EPROTONOSUPPORT);
	s = WORKS(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			 0));
	EQ(fcntl(s, F_GETFD), FD_CLOEXEC);
	EQ(fcntl(s, F_GETFL), O_RDWR | O_NONBLOCK);
	EQ(fstat(s, &st), 0);
	EQ(st.st_mode, S_IFSOCK | 0777);
	EQ(get_int(s, SO_TYPE), SOCK_STREAM);
	EQ(get_int(s, SO_DOMAIN), AF_UNIX);
	EQ(get_int(s, SO_PROTOCOL), 0);
	EQ(get_int(s, SO_ACCEPTCONN), 0);
	EQ(get_int(s, SO_SNDBUF), 212992);
	EQ(get_int(s, SO_RCVBUF), 212992);
	EQ(get_int(s, SO_ERROR), 0);
	FAILS(listen(0, 1), ENOTSOCK);
	FAILS(listen(99, 1), EBADF);
	FAILS(listen(s, 1), EINVAL);
	FAILS(accept(s, NULL, NULL), EINVAL);
	FAILS(read(s, &st, 1), EINVAL);
	FAILS(lseek(s, 0, SEEK_SET), ESPIPE);
	FAILS(send(s, "x", 1, 0), ENOTCONN);
	EQ(events(s, POLLIN | POLLOUT), POLLOUT | POLLHUP);
	FAILS(setsockopt(s, SOL_SOCKET, SO_PEERCRED, &s, 4), ENOPROTOOPT);
	FAILS(setsockopt(s, 6, 1, &s, 4), EOPNOTSUPP);
	FAILS(ioctl(s, TCGETS, &st), ENOTTY);
	FAILS(shutdown(s, 3), EINVAL);
	close(s);
	s = WORKS(socket(AF_UNIX, SOCK_RAW, 0));
	EQ(get_int(s, SO_TYPE), SOCK_DGRAM);
	FAILS(listen(s, 1), EOPNOTSUPP);
	FAILS(accept(s, NULL, NULL), EOPNOTSUPP);
	FAILS(write(s, "x", 1), ENOTCONN);
	EQ(events(s, POLLIN | POLLOUT), POLLOUT);
	close(s);
}

static void test_stream(void)
{
	char buf[64];
	int p[2], n, i;
	static char big[1 << 16];

	EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, p), 0);
	EQ(events(p[0], POLLIN | POLLOUT), POLLOUT);
	EQ(write(p[0], "hello", 5), 5);
	EQ(write(p[0], "world", 5), 5);
	EQ(ioctl(p[1], FIONREAD, &n), 0);
	EQ(n, 10);
	EQ(events(p[1], POLLIN), POLLIN);
	EQ(recv(p[1], buf, 8, MSG_PEEK), 8);
	EQ(memcmp(buf, "hellowor", 8), 0);
	EQ(read(p[1], buf, 3), 3);
	EQ(recv(p[1], buf, 64, MSG_WAITALL | MSG_DONTWAIT), 7);
	EQ(memcmp(buf, "loworld", 7), 0);
	FAILS(recv(p[1], buf, 1, MSG_DONTWAIT), EAGAIN);
	FAILS(sendto(p[0], "x", 1, 0, (void *)buf, 20), EISCONN);
	EQ(write(p[0], "", 0), 0);
	FAILS(write(p[0], nowhere, 4), EFAULT);
	FAILS(recv(p[1], buf, 1, MSG_DONTWAIT), EAGAIN);

	/* As much as the limit takes, then room again. */
	for (n = 0; (i = send(p[0], big, sizeof(big), MSG_DONTWAIT)) > 0;)
		n += i;
	FAILS(send(p[0], "x", 1, MSG_DONTWAIT), EAGAIN);
	OK(n > 100000 && n < 500000);
	EQ(events(p[0], POLLOUT), 0);
	while (n > 0 && (i = read(p[1], big, sizeof(big))) > 0)
		n -= i;
	EQ(n, 0);
	EQ(events(p[0], POLLOUT), POLLOUT);
	EQ(ioctl(p[0], SIOCOUTQ, &n), 0);
	EQ(n, 0);

	for (n = 0; send(p[0], "x", 1, MSG_DONTWAIT) > 0;)
		n++;
	EQ(n, 278);

	/* Half closed, then closed with data left. */
	EQ(shutdown(p[0], SHUT_WR), 0);
	EQ(events(p[1], POLLIN | POLLRDHUP), POLLIN | POLLRDHUP);
	EQ(read(p[1], big, sizeof(big)), 278);
	EQ(read(p[1], big, sizeof(big)), 0);
	signal(SIGPIPE, on_pipe);
	FAILS(write(p[0], "x", 1), EPIPE);
	EQ(pipes_seen, 1);
	FAILS(send(p[0], "x", 1, MSG_NOSIGNAL), EPIPE);
	EQ(pipes_seen, 1);
	EQ(write(p[1], "left", 4), 4);
	close(p[0]);
	FAILS(write(p[1], "x", 1), EPIPE);
	EQ(pipes_seen, 2);
	FAILS(read(p[1], buf, 4), ECONNRESET);
	EQ(read(p[1], buf, 4), 0);
	EQ(events(p[1], POLLIN | POLLOUT), POLLIN | POLLOUT | POLLHUP);
	close(p[1]);
}

static void test_names(void)
{
	struct sockaddr_un a, b;
	socklen_t len = name(&a, "/tmp/unix-test"), blen;
	int l, c, s, d;
	char buf[16];
	struct ucred cred;

	unlink(a.sun_path);
	l = socket(AF_UNIX, SOCK_STREAM, 0);
	c = socket(AF_UNIX, SOCK_STREAM, 0);
	FAILS(bind(l, (void *)&a, 2 + 109), EINVAL);
	FAILS(connect(c, (void *)&a, len), ENOENT);
	EQ(bind(l, (void *)&a, len), 0);
	FAILS(bind(l, (void *)&a, len), EADDRINUSE);
	len = name(&a, "/tmp/unix-other");
	FAILS(bind(l, (void *)&a, len), EINVAL);
	EQ(access(a.sun_path, F_OK), -1);
	len = name(&a, "/tmp/unix-test");
	FAILS(bind(c, (void *)&a, len), EADDRINUSE);
	FAILS(connect(c, (void *)&a, len), ECONNREFUSED);
	d = socket(AF_UNIX, SOCK_DGRAM, 0);
	FAILS(connect(d, (void *)&a, len), EPROTOTYPE);
	EQ(listen(l, 0), 0);
	EQ(get_int(l, SO_ACCEPTCONN), 1);
	EQ(events(l, POLLIN | POLLOUT), 0);
	EQ(connect(c, (void *)&a, len), 0);
	EQ(write(c, "early", 5), 5);
	EQ(events(l, POLLIN | POLLOUT), POLLIN);
	blen = sizeof(b);
	s = WORKS(accept4(l, (void *)&b, &blen, SOCK_CLOEXEC));
	EQ(blen, 2);
	EQ(b.sun_family, AF_UNIX);
	FAILS(connect(c, (void *)&a, len), EISCONN);
	EQ(read(s, buf, 16), 5);
	blen = sizeof(b);
	EQ(getsockname(s, (void *)&b, &blen), 0);
	EQ(blen, len);
	EQ(strcmp(b.sun_path, a.sun_path), 0);
	blen = 4;
	EQ(getpeername(c, (void *)&b, &blen), 0);
	EQ(blen, len);
	FAILS(getpeername(l, (void *)&b, &blen), ENOTCONN);
	blen = sizeof(cred);
	EQ(getsockopt(c, SOL_SOCKET, SO_PEERCRED, &cred, &blen), 0);
	EQ(cred.pid, getpid());
	EQ(cred.uid, geteuid());
	blen = sizeof(cred);
	EQ(getsockopt(d, SOL_SOCKET, SO_PEERCRED, &cred, &blen), 0);
	EQ(cred.pid, 0);
	EQ((int)cred.uid, -1);
	close(c);
	EQ(read(s, buf, 1), 0);
	close(s);

	/* A queue of one, then full; what is not accepted is reset. */
	c = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	s = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	EQ(connect(c, (void *)&a, len), 0);
	FAILS(connect(s, (void *)&a, len), EAGAIN);
	close(l);
	FAILS(read(c, buf, 1), ECONNRESET);
	FAILS(connect(s, (void *)&a, len), ECONNREFUSED);
	close(c);
	close(s);
	EQ(unlink(a.sun_path), 0);

	close(d);
}

static void test_dgram(void)
{
	struct sockaddr_un a, b;
	socklen_t len = name(&a, "\0unix-test"), blen;
	int d = socket(AF_UNIX, SOCK_DGRAM, 0), s, n;
	char buf[16];

	EQ(bind(d, (void *)&a, len), 0);
	s = socket(AF_UNIX, SOCK_DGRAM, 0);
	FAILS(bind(s, (void *)&a, len), EADDRINUSE);
	EQ(bind(s, (void *)&a, 2), 0);
	blen = sizeof(b);
	EQ(getsockname(s, (void *)&b, &blen), 0);
	EQ(blen, 8);
	EQ(b.sun_path[0], 0);
	EQ(sendto(s, "abc", 3, 0, (void *)&a, len), 3);
	blen = sizeof(b);
	EQ(recvfrom(d, buf, 2, MSG_TRUNC, (void *)&b, &blen), 3);
	EQ(blen, 8);
	EQ(connect(s, (void *)&a, len), 0);
	EQ(sendto(s, "", 0, 0, NULL, 0), 0);
	EQ(recv(d, buf, 16, 0), 0);
	for (n = 0; send(s, "x", 1, MSG_DONTWAIT) == 1;)
		n++;
	EQ(n, 11);
	EQ(events(s, POLLOUT), 0);
	EQ(recv(d, buf, 16, 0), 1);
	EQ(events(s, POLLOUT), POLLOUT);
	close(d);
	FAILS(send(s, "x", 1, 0), ECONNREFUSED);
	FAILS(send(s, "x", 1, 0), ENOTCONN);
	FAILS(sendto(s, "x", 1, 0, (void *)&a, len), ECONNREFUSED);
	close(s);
}

static void test_seqpacket(void)
{
	char buf[16];
	int p[2];

	EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, p), 0);
	EQ(write(p[0], "one", 3), 3);
	EQ(write(p[0], "three", 5), 5);
	EQ(read(p[1], buf, 2), 2);
	EQ(read(p[1], buf, 16), 5);
	close(p[0]);
	EQ(read(p[1], buf, 16), 0);
	FAILS(send(p[1], "x", 1, MSG_NOSIGNAL), EPIPE);
	close(p[1]);
}

static ssize_t send_fds(int s, const char *text, const int *fds, int n)
{
	char control[CMSG_SPACE(32 * sizeof(int))] = { 0 };
	struct iovec iov = { (void *)text, strlen(text) };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = CMSG_SPACE(n * sizeof(int)) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(n * sizeof(int));
	memcpy(CMSG_DATA(c), fds, n * sizeof(int));
	return sendmsg(s, &m, 0);
}

static void test_rights(void)
{
	char buf[16], control[CMSG_SPACE(8 * sizeof(int))];
	struct iovec iov = { buf, sizeof(buf) };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	int p[2], q[2], fds[2], bad = 99, i;

	socketpair(AF_UNIX, SOCK_STREAM, 0, p);
	EQ(pipe(q), 0);
	FAILS(send_fds(p[0], "x", &bad, 1), EBADF);
	EQ(write(p[0], "ab", 2), 2);
	EQ(send_fds(p[0], "cd", q, 2), 2);
	EQ(write(p[0], "ef", 2), 2);
	EQ(recvmsg(p[1], &m, MSG_CMSG_CLOEXEC), 4);
	EQ(m.msg_flags, MSG_CMSG_CLOEXEC);
	EQ(m.msg_controllen, CMSG_SPACE(8));
	c = CMSG_FIRSTHDR(&m);
	EQ(c->cmsg_len, CMSG_LEN(8));
	memcpy(fds, CMSG_DATA(c), 8);
	EQ(fcntl(fds[0], F_GETFD), FD_CLOEXEC);
	EQ(write(fds[1], "z", 1), 1);
	EQ(read(q[0], buf, 1), 1);
	close(fds[0]);
	close(fds[1]);
	EQ(read(p[1], buf, 16), 2);

	/* No room for the second one. */
	EQ(send_fds(p[0], "x", q, 2), 1);
	m.msg_controllen = CMSG_LEN(4);
	EQ(recvmsg(p[1], &m, 0), 1);
	EQ(m.msg_flags, MSG_CTRUNC);
	c = CMSG_FIRSTHDR(&m);
	EQ(c->cmsg_len, CMSG_LEN(4));
	memcpy(fds, CMSG_DATA(c), 4);
	close(fds[0]);

	/* A pair that holds each other, and nobody holds. */
	for (i = 0; i < 20; i++) {
		int r[2];

		socketpair(AF_UNIX, SOCK_STREAM, 0, r);
		send_fds(r[0], "x", &r[0], 1);
		send_fds(r[1], "x", &r[1], 1);
		send_fds(r[1], "x", &q[1], 1);
		close(r[0]);
		close(r[1]);
	}
	close(q[1]);
	/* Only the collector lets the writers go; any release calls it. */
	close(socket(AF_UNIX, SOCK_DGRAM, 0));
	EQ(read(q[0], buf, 1), 0);
	close(p[0]);
	close(p[1]);
}

/* One descriptor of a message, or -1. */
static int receive_fd(int s)
{
	char buf[16], control[64];
	struct iovec iov = { buf, sizeof(buf) };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	int fd = -1;

	if (recvmsg(s, &m, MSG_DONTWAIT) < 0)
		return -1;
	c = CMSG_FIRSTHDR(&m);
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), 4);
	return fd;
}

/* Two that hold each other and one of which a third holds: not garbage. */
static void test_held_cycle(void)
{
	int a[2], b[2], c[2], first, second, third;

	socketpair(AF_UNIX, SOCK_STREAM, 0, a);
	socketpair(AF_UNIX, SOCK_STREAM, 0, b);
	socketpair(AF_UNIX, SOCK_STREAM, 0, c);
	send_fds(b[1], "x", &a[0], 1);
	send_fds(a[1], "x", &b[0], 1);
	send_fds(c[1], "x", &a[0], 1);
	close(a[0]);
	close(b[0]);
	close(socket(AF_UNIX, SOCK_DGRAM, 0));
	first = receive_fd(c[0]);
	second = receive_fd(first);
	third = receive_fd(second);
	OK(first >= 0 && second >= 0 && third >= 0);
	EQ(write(a[1], "k", 1), 1);
	close(first);
	close(second);
	close(third);
	close(a[1]);
	close(b[1]);
	close(c[0]);
	close(c[1]);
}

static void test_cred(void)
{
	char buf[16], control[64];
	struct iovec iov = { buf, sizeof(buf) };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	struct ucred *u;
	int p[2], one = 1;

	socketpair(AF_UNIX, SOCK_DGRAM, 0, p);
	EQ(write(p[0], "x", 1), 1);
	EQ(setsockopt(p[1], SOL_SOCKET, SO_PASSCRED, &one, 4), 0);
	EQ(get_int(p[1], SO_PASSCRED), 1);
	EQ(recvmsg(p[1], &m, 0), 1);
	c = CMSG_FIRSTHDR(&m);
	OK(c && c->cmsg_type == SCM_CREDENTIALS);
	u = (struct ucred *)CMSG_DATA(c);
	EQ(u->pid, 0);
	EQ(u->uid, 65534);
	EQ(write(p[0], "x", 1), 1);
	m.msg_controllen = sizeof(control);
	EQ(recvmsg(p[1], &m, 0), 1);
	EQ(m.msg_controllen, CMSG_SPACE(sizeof(*u)));
	EQ(u->pid, getpid());
	EQ(u->uid, getuid());
	u->pid = 0x3fffffff;
	m.msg_controllen = CMSG_SPACE(sizeof(*u));
	FAILS(sendmsg(p[0], &m, 0), ESRCH);
	c->cmsg_len++;
	FAILS(sendmsg(p[0], &m, 0), EINVAL);
	close(p[0]);
	close(p[1]);
}

/* Who may set what is only a flag here. */
static void test_rights_of_options(void)
{
	int p[2], one = 1, status = -1;

	socketpair(AF_UNIX, SOCK_STREAM, 0, p);
	EQ(setsockopt(p[0], SOL_SOCKET, SO_DEBUG, &one, 4), 0);
	if (!fork()) {
		int bad = setresuid(1000, 1000, 1000);

		bad |= setsockopt(p[1], SOL_SOCKET, SO_DEBUG, &one, 4) != -1 ||
		       errno != EACCES;
		bad |= setsockopt(p[1], SOL_SOCKET, SO_BROADCAST, &one, 4);
		_exit(bad);
	}
	wait(&status);
	EQ(status, 0);
	close(p[0]);
	close(p[1]);
}

static void test_timeout(void)
{
	struct timeval tv = { 0, 50000 };
	int p[2], status;
	char c;

	socketpair(AF_UNIX, SOCK_STREAM, 0, p);
	EQ(setsockopt(p[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)), 0);
	FAILS(read(p[0], &c, 1), EAGAIN);
	tv.tv_usec = 1000000;
	FAILS(setsockopt(p[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)),
	      EDOM);
	tv = (struct timeval){ 0, 0 };
	setsockopt(p[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	if (!fork()) {
		usleep(20000);
		_exit(write(p[1], "k", 1) != 1);
	}
	EQ(read(p[0], &c, 1), 1);
	wait(&status);
	EQ(status, 0);
	close(p[0]);
	close(p[1]);
}

/* Many writers, one reader, every byte accounted for. */
static void test_load(void)
{
	enum { WRITERS = 8, MESSAGES = 500 };
	char buf[100];
	int p[2], got = 0, n, bad = 0, status;

	socketpair(AF_UNIX, SOCK_STREAM, 0, p);
	for (int i = 0; i < WRITERS; i++) {
		if (fork())
			continue;
		close(p[0]);
		memset(buf, 'a' + i, sizeof(buf));
		for (int k = 0; k < MESSAGES; k++)
			if (write(p[1], buf, 100) != 100)
				_exit(1);
		_exit(0);
	}
	close(p[1]);
	while ((n = recv(p[0], buf, 100, MSG_WAITALL)) > 0) {
		for (int i = 1; i < n; i++)
			bad += buf[i] != buf[0];
		got += n;
	}
	EQ(got, WRITERS * MESSAGES * 100);
	EQ(bad, 0);
	for (int i = 0; i < WRITERS; i++) {
		wait(&status);
		bad += status;
	}
	EQ(bad, 0);
	close(p[0]);
}

static void test_mmsg(void)
{
	struct iovec iov[3] = { { "a", 1 }, { "bb", 2 }, { "ccc", 3 } };
	struct mmsghdr v[3] = { 0 };
	char buf[3][8];
	int p[2];

	socketpair(AF_UNIX, SOCK_DGRAM, 0, p);
	for (int i = 0; i < 3; i++) {
		v[i].msg_hdr.msg_iov = &iov[i];
		v[i].msg_hdr.msg_iovlen = 1;
	}
	EQ(sendmmsg(p[0], v, 3, 0), 3);
	EQ(v[2].msg_len, 3);
	for (int i = 0; i < 3; i++)
		iov[i] = (struct iovec){ buf[i], 8 };
	EQ(recvmmsg(p[1], v, 2, 0, NULL), 2);
	EQ(v[1].msg_len, 2);
	EQ(recvmmsg(p[1], v, 3, MSG_WAITFORONE, NULL), 1);
	close(p[0]);
	close(p[1]);
}

int main(void)
{
	test_create();
	test_stream();
	test_names();
	test_dgram();
	test_seqpacket();
	test_rights();
	test_held_cycle();
	test_cred();
	test_rights_of_options();
	test_timeout();
	test_load();
	test_mmsg();
	return ktap_done();
}
