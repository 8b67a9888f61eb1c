/* SPDX-License-Identifier: MIT */
/* Pseudo terminals, and the line discipline through one. */
#define _GNU_SOURCE
#include "ktap.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int master, slave;
static char pts[32];

static int events(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT | POLLPRI };

	return poll(&p, 1, 0) < 0 ? -1 : p.revents;
}

/* What comes: as much as is wanted within 2 s, and what else is there. */
static const char *got_n(int fd, int want)
{
	static char buf[2][8192];
	static int which;
	char *b = buf[which ^= 1];
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int n = 0, k;

	while (poll(&p, 1, n < want ? 2000 : 20) == 1 &&
	       (p.revents & POLLIN) &&
	       (k = read(fd, b + n, 8191 - n)) > 0)
		n += k;
	b[n] = 0;
	return b;
}

static const char *got(int fd)
{
	return got_n(fd, 0);
}

static void put(int fd, const char *text)
{
	if (write(fd, text, strlen(text)) != strlen(text))
		ktap_ok(false, "write of \"%s\"", text);
}

static bool same(const char *what, const char *have, const char *want)
{
	char show[256];
	int n = 0;

	for (const char *p = have; *p && n < 240; p++)
		n += sprintf(show + n, *p < ' ' || *p > '~' ? "\\%02x" : "%c",
			     (unsigned char)*p);
	show[n] = 0;
	return ktap_ok(!strcmp(have, want), "%s: \"%s\"", what, show);
}

/* Type at the master; what is echoed and what the slave reads. */
static void typed(const char *what, const char *keys, const char *echo,
		  const char *line)
{
	char name[128];

	put(master, keys);
	snprintf(name, sizeof(name), "%s: echo", what);
	same(name, got_n(master, strlen(echo)), echo);
	snprintf(name, sizeof(name), "%s: read", what);
	same(name, got_n(slave, strlen(line)), line);
}

static void set_flags(unsigned int lflag_off, unsigned int lflag_on)
{
	struct termios t;

	tcgetattr(slave, &t);
	t.c_lflag = (t.c_lflag & ~lflag_off) | lflag_on;
	EQ(tcsetattr(slave, TCSANOW, &t), 0);
}

static void open_pair(void)
{
	int lock = -1;
	unsigned int n = ~0u;
	struct stat st;

	master = WORKS(open("/dev/ptmx", O_RDWR | O_NOCTTY));
	EQ(ioctl(master, TIOCGPTN, &n), 0);
	snprintf(pts, sizeof(pts), "/dev/pts/%u", n);
	EQ(ioctl(master, TIOCGPTLCK, &lock), 0);
	EQ(lock, 1);
	FAILS(open(pts, O_RDWR | O_NOCTTY), EIO);
	lock = 0;
	EQ(ioctl(master, TIOCSPTLCK, &lock), 0);
	EQ(events(master), POLLOUT);
	slave = WORKS(open(pts, O_RDWR | O_NOCTTY));
	EQ(stat(pts, &st), 0);
	EQ(st.st_mode, S_IFCHR | 0600);
	EQ(st.st_rdev >> 8 & 0xfff, 136);
	EQ(st.st_ino, n + 3);
	EQ(fstat(slave, &st), 0);
	EQ(st.st_ino, n + 3);
	FAILS(ioctl(slave, TIOCGPTN, &n), ENOTTY);
	FAILS(lseek(master, 0, SEEK_SET), ESPIPE);
	EQ(isatty(master), 1);
	EQ(isatty(slave), 1);
}

static void test_settings(void)
{
	struct termios t;
	struct winsize w = { 24, 80, 0, 0 };

	EQ(tcgetattr(master, &t), 0);
	EQ(t.c_iflag, ICRNL | IXON);
	EQ(t.c_oflag, OPOST | ONLCR);
	EQ(t.c_cflag, B38400 | CS8 | CREAD);
	EQ(t.c_lflag, ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL |
	   ECHOKE | IEXTEN);
	EQ(t.c_cc[VMIN], 1);
	EQ(t.c_cc[VINTR], 3);
	EQ(ioctl(master, TIOCGWINSZ, &w), 0);
	EQ(w.ws_row, 0);
	w.ws_row = 50;
	EQ(ioctl(master, TIOCSWINSZ, &w), 0);
	w.ws_row = 1;
	EQ(ioctl(slave, TIOCGWINSZ, &w), 0);
	EQ(w.ws_row, 50);
}

static void test_canonical(void)
{
	char buf[8];
	int n;

	typed("line", "abc\n", "abc\r\n", "abc\n");
	typed("return", "abc\r", "abc\r\n", "abc\n");
	typed("unfinished", "ab", "ab", "");
	typed("erase", "x\177c\n", "x\b \bc\r\n", "abc\n");
	typed("kill", "xyz\025ok\n", "xyz\b \b\b \b\b \bok\r\n", "ok\n");
	typed("word", "one two\027\n", "one two\b \b\b \b\b \b\r\n",
	      "one \n");
	typed("control", "\001\n", "^A\r\n", "\001\n");
	typed("erase of control", "\001\177\n", "^A\b \b\b \b\r\n", "\n");
	typed("literal", "\026\003\n", "^\b^C\r\n", "\003\n");
	typed("reprint", "ab\022\n", "ab^R\r\nab\r\n", "ab\n");
	put(master, "end\004");
	EQ(read(slave, buf, 8), 3);
	put(master, "\004");
	EQ(read(slave, buf, 8), 0);
	same("end of file has no echo", got_n(master, 3), "end");
	put(master, "long line\nnext\n");
	EQ(read(slave, buf, 4), 4);
	EQ(ioctl(slave, FIONREAD, &n), 0);
	EQ(n, 11);
	EQ(read(slave, buf, 8), 6);
	same("the next line", got_n(slave, sizeof("next\n") - 1), "next\n");
	got(master);
	put(slave, "a\tb\nc");
	same("output", got_n(master, sizeof("a\tb\r\nc") - 1), "a\tb\r\nc");
	put(slave, "\r");
	got(master);
	got(slave);
}

static void test_raw(void)
{
	struct termios t, old;
	char buf[8];

	tcgetattr(slave, &old);
	t = old;
	cfmakeraw(&t);
	EQ(tcsetattr(slave, TCSADRAIN, &t), 0);
	typed("raw", "a\003\r\n\177", "", "a\003\r\n\177");
	put(slave, "x\ny");
	same("raw output", got_n(master, sizeof("x\ny") - 1), "x\ny");
	t.c_cc[VMIN] = 0;
	tcsetattr(slave, TCSANOW, &t);
	EQ(read(slave, buf, 1), 0);
	t.c_cc[VTIME] = 1;
	tcsetattr(slave, TCSANOW, &t);
	EQ(read(slave, buf, 1), 0);
	put(master, "z");
	EQ(read(slave, buf, 8), 1);
	EQ(tcsetattr(slave, TCSAFLUSH, &old), 0);
	set_flags(ECHO, 0);
	typed("no echo", "secret\n", "", "secret\n");
	set_flags(0, ECHONL);
	typed("echo of newline", "s\n", "\r\n", "s\n");
	tcsetattr(slave, TCSANOW, &old);
}

static void test_flow(void)
{
	int k, n = 0;
	static char big[1024];

	put(master, "\023");
	usleep(30000);
	fcntl(slave, F_SETFL, O_RDWR | O_NONBLOCK);
	EQ(events(slave) & POLLOUT, 0);
	FAILS(write(slave, "held", 4), EAGAIN);
	put(master, "\021");
	usleep(30000);
	EQ(events(slave) & POLLOUT, POLLOUT);
	EQ(write(slave, "held", 4), 4);
	same("after ^Q", got_n(master, sizeof("held") - 1), "held");
	fcntl(slave, F_SETFL, O_RDWR);
	put(slave, "gone");
	EQ(tcflush(slave, TCOFLUSH), 0);
	put(master, "gone\n");
	EQ(tcflush(slave, TCIFLUSH), 0);
	same("flushed input", got_n(slave, sizeof("") - 1), "");
	got(master);

	/* The slave fills its side and goes on when the master reads. */
	fcntl(slave, F_SETFL, O_RDWR | O_NONBLOCK);
	memset(big, 'x', sizeof(big));
	while ((k = write(slave, big, sizeof(big))) > 0)
		n += k;
	EQ(errno, EAGAIN);
	OK(n >= 4096);
	usleep(30000);
	fcntl(master, F_SETFL, O_RDWR | O_NONBLOCK);
	while ((k = read(master, big, sizeof(big))) > 0)
		n -= k;
	EQ(n, 0);
	usleep(30000);
	EQ(events(slave) & POLLOUT, POLLOUT);
	fcntl(master, F_SETFL, O_RDWR);
	fcntl(slave, F_SETFL, O_RDWR);
}

static void test_packet(void)
{
	char buf[16];
	int on = 1;

	EQ(ioctl(master, TIOCPKT, &on), 0);
	put(slave, "data");
	EQ(read(master, buf, 16), 5);
	EQ(buf[0], TIOCPKT_DATA);
	tcflush(slave, TCOFLUSH);
	EQ(events(master) & (POLLPRI | POLLIN), POLLPRI | POLLIN);
	EQ(read(master, buf, 16), 1);
	EQ(buf[0], TIOCPKT_FLUSHWRITE);
	tcflush(slave, TCIFLUSH);
	EQ(read(master, buf, 16), 1);
	EQ(buf[0], TIOCPKT_FLUSHREAD);
	tcflow(slave, TCOOFF);
	EQ(read(master, buf, 16), 1);
	EQ(buf[0], TIOCPKT_STOP);
	tcflow(slave, TCOON);
	EQ(read(master, buf, 16), 1);
	EQ(buf[0], TIOCPKT_START);
	on = 0;
	EQ(ioctl(master, TIOCPKT, &on), 0);
}

static volatile int signals_seen[65];

static void on_signal(int sig)
{
	signals_seen[sig]++;
}

/* How often it came, once it has, or after 2 s. */
static int came(int sig)
{
	for (int i = 0; i < 200 && !signals_seen[sig]; i++)
		usleep(10000);
	return signals_seen[sig];
}

/* A session of its own on the slave; keys make signals. */
static int session(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	char buf[8];
	pid_t fg = 0;

	setsid();
	if (ioctl(slave, TIOCSCTTY, 0))
		return 1;
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGQUIT, &sa, NULL);
	sigaction(SIGWINCH, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	if (tcgetpgrp(slave) != getpid() || tcgetsid(slave) != getpid())
		return 2;
	if (ioctl(master, TIOCGPGRP, &fg) || fg != getpid())
		return 3;
	put(master, "typed\003");
	if (came(SIGINT) != 1 || strcmp(got(slave), ""))
		return 4;
	put(master, "\034");
	if (came(SIGQUIT) != 1)
		return 5;
	if (ioctl(master, TIOCSWINSZ, &(struct winsize){ .ws_col = 99 }) ||
	    came(SIGWINCH) != 1)
		return 6;
	if (open("/dev/tty", O_RDWR) < 0)
		return 7;
	put(master, "line\n");
	if (read(slave, buf, 8) != 5)
		return 8;
	/* The end of the line: a signal, end of file, errors. */
	close(master);
	if (came(SIGHUP) != 1)
		return 9;
	if (read(slave, buf, 8) != 0)
		return 10;
	if (write(slave, "x", 1) != -1 || errno != EIO)
		return 11;
	if (tcgetpgrp(slave) != -1 || errno != EIO)
		return 12;
	if (open("/dev/tty", O_RDWR) != -1 || errno != ENXIO)
		return 13;
	return 0;
}

static void test_session(void)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(session());
	close(master);
	waitpid(pid, &status, 0);
	EQ(WEXITSTATUS(status), 0);
	EQ(status, 0);
	EQ(access(pts, F_OK), -1);
	EQ(events(slave), POLLIN | POLLOUT | POLLERR | POLLHUP);
	close(slave);
}

/* Background access stops; a hang-up of the master's last slave is seen. */
static int job(void)
{
	pid_t child;
	int status;

	setsid();
	ioctl(slave, TIOCSCTTY, 0);
	signal(SIGTTOU, SIG_DFL);
	child = fork();
	if (!child) {
		char c;

		setpgid(0, 0);
		_exit(read(slave, &c, 1) == 1 ? 0 : 1);
	}
	setpgid(child, child);
	if (waitpid(child, &status, WUNTRACED) != child ||
	    !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTTIN)
		return 1;
	if (tcsetpgrp(slave, child))
		return 2;
	kill(child, SIGCONT);
	put(master, "k\n");
	if (waitpid(child, &status, 0) != child || status)
		return 3;
	/* No longer in front: the setting of a terminal stops or is ignored */
	signal(SIGTTOU, SIG_IGN);
	return tcsetpgrp(slave, getpgrp()) ? 4 : 0;
}

static void test_jobs(void)
{
	char c;
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(job());
	waitpid(pid, &status, 0);
	EQ(WEXITSTATUS(status), 0);
	EQ(status, 0);
	got(master);
	close(slave);
	EQ(events(master), POLLOUT | POLLHUP);
	FAILS(read(master, &c, 1), EIO);
	slave = WORKS(open(pts, O_RDWR | O_NOCTTY));
	EQ(events(master), POLLOUT);
	put(slave, "last");
	close(slave);
	EQ(read(master, &c, 1), 1);
	same("written before the close", got_n(master, 3), "ast");
	close(master);
	FAILS(open(pts, O_RDWR | O_NOCTTY), ENOENT);
}

int main(void)
{
	mkdir("/dev/pts", 0755);
	if (access("/dev/pts/ptmx", F_OK))
		EQ(mount("devpts", "/dev/pts", "devpts", 0, "mode=600"), 0);
	open_pair();
	test_settings();
	test_canonical();
	test_raw();
	test_flow();
	test_packet();
	test_session();
	open_pair();
	test_jobs();
	return ktap_done();
}
