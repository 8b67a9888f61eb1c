// SPDX-License-Identifier: MIT
/*
 * Signals: siginfo, masks, queues, restarting, the alternate stack, waiting.
 * tags: short
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ktap.h"

static volatile int got, got_code, got_value, got_pid, got_count;
static volatile char *got_stack;

static void handler(int sig, siginfo_t *si, void *context)
{
	char here;

	got = sig;
	got_code = si->si_code;
	got_value = si->si_value.sival_int;
	got_pid = si->si_pid;
	got_stack = &here;
	got_count++;
}

static void handle(int sig, int flags)
{
	struct sigaction sa = { .sa_sigaction = handler,
				.sa_flags = SA_SIGINFO | flags };

	sigaction(sig, &sa, NULL);
	got = 0;
}

/* A child that sends sig in a while, then perhaps writes a byte. */
static pid_t send_later(int sig, int fd)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	usleep(30000);
	kill(getppid(), sig);
	if (fd >= 0) {
		usleep(30000);
		if (write(fd, "x", 1) != 1)
			_exit(1);
	}
	_exit(0);
}

static void information(void)
{
	union sigval value = { .sival_int = 42 };

	handle(SIGUSR1, 0);
	kill(getpid(), SIGUSR1);
	EQ(got, SIGUSR1);
	EQ(got_code, SI_USER);
	EQ(got_pid, getpid());
	handle(SIGRTMIN + 1, 0);
	WORKS(sigqueue(getpid(), SIGRTMIN + 1, value));
	EQ(got, SIGRTMIN + 1);
	EQ(got_code, SI_QUEUE);
	EQ(got_value, 42);
	FAILS(kill(4000000, 0), ESRCH);
	FAILS(kill(getpid(), 65), EINVAL);
	WORKS(syscall(SYS_tgkill, getpid(), getpid(), 0));
	FAILS(syscall(SYS_tgkill, 1, getpid(), 0), ESRCH);
}

static void queues(void)
{
	struct rlimit limit = { 3, 3 }, old;
	union sigval value = { 0 };
	sigset_t set, before;
	int i;

	handle(SIGRTMIN, 0);
	handle(SIGUSR2, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &before);
	got_count = 0;
	for (i = 0; i < 3; i++)
		sigqueue(getpid(), SIGRTMIN, value);
	raise(SIGUSR2);
	raise(SIGUSR2);
	EQ(got_count, 0);
	sigpending(&set);
	OK(sigismember(&set, SIGUSR2) && sigismember(&set, SIGRTMIN));
	sigprocmask(SIG_SETMASK, &before, NULL);
	OK_MSG(got_count == 4, "real-time signals queue, others do not");

	getrlimit(RLIMIT_SIGPENDING, &old);
	limit.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_SIGPENDING, &limit);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, &before);
	for (i = 0; i < 3; i++)
		sigqueue(getpid(), SIGRTMIN, value);
	FAILS(sigqueue(getpid(), SIGRTMIN, value), EAGAIN);
	sigprocmask(SIG_SETMASK, &before, NULL);
	setrlimit(RLIMIT_SIGPENDING, &old);
}

static void waiting(void)
{
	struct timespec soon = { 0, 20000000 };
	sigset_t set, before, none;
	siginfo_t si;

	handle(SIGUSR2, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &before);
	raise(SIGUSR2);
	EQ(sigwaitinfo(&set, &si), SIGUSR2);
	FAILS(sigtimedwait(&set, &si, &soon), EAGAIN);
	send_later(SIGUSR2, -1);
	EQ(sigwaitinfo(&set, &si), SIGUSR2);
	wait(NULL);
	EQ(got, 0);
	send_later(SIGUSR2, -1);
	sigemptyset(&none);
	FAILS(sigsuspend(&none), EINTR);
	EQ(got, SIGUSR2);
	wait(NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void restarting(void)
{
	struct timespec ten = { 10, 0 }, left;
	int fds[2];
	char c;

	if (pipe(fds))
		return;
	handle(SIGALRM, SA_RESTART);
	send_later(SIGALRM, fds[1]);
	EQ(read(fds[0], &c, 1), 1);
	EQ(got, SIGALRM);
	wait(NULL);
	handle(SIGALRM, 0);
	send_later(SIGALRM, -1);
	FAILS(read(fds[0], &c, 1), EINTR);
	wait(NULL);
	handle(SIGALRM, SA_RESTART);
	send_later(SIGALRM, -1);
	FAILS(nanosleep(&ten, &left), EINTR);
	OK(left.tv_sec >= 8);
	wait(NULL);
}

static void stacks(void)
{
	static char space[65536];
	stack_t st = { .ss_sp = space, .ss_size = sizeof(space) }, old;
	struct sigaction sa;

	WORKS(sigaltstack(&st, NULL));
	WORKS(sigaltstack(NULL, &old));
	EQ(old.ss_size, sizeof(space));
	EQ(old.ss_flags, 0);
	handle(SIGUSR1, SA_ONSTACK | SA_RESETHAND);
	raise(SIGUSR1);
	OK(got_stack >= space && got_stack < space + sizeof(space));
	sigaction(SIGUSR1, NULL, &sa);
	OK(sa.sa_handler == SIG_DFL);
	st.ss_size = 16;
	FAILS(sigaltstack(&st, NULL), ENOMEM);
	st.ss_flags = 99;
	FAILS(sigaltstack(&st, NULL), EINVAL);
}

int main(void)
{
	information();
	queues();
	waiting();
	restarting();
	stacks();
	return ktap_done();
}
