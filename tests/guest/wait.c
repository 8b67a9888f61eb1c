// SPDX-License-Identifier: MIT
/*
 * fork, vfork, exit, wait4, waitid, process descriptors, subreapers.
 * tags: short
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

static volatile int *volatile nowhere;

/* Run in a child, end with its answer. */
#define CHILD(...)                     \
	({                             \
		pid_t p_ = fork();     \
		if (!p_) {             \
			__VA_ARGS__;   \
			_exit(0);      \
		}                      \
		p_;                    \
	})

static int status_of(pid_t pid)
{
	int status = -1;

	return waitpid(pid, &status, 0) == pid ? status : -1;
}

static void exit_codes(void)
{
	siginfo_t si;
	pid_t pid = CHILD(_exit(5));
	int status;

	memset(&si, 0, sizeof(si));
	WORKS(waitid(P_PID, pid, &si, WEXITED | WNOWAIT));
	EQ(si.si_pid, pid);
	EQ(si.si_code, CLD_EXITED);
	EQ(si.si_status, 5);
	status = status_of(pid);
	OK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
	FAILS(waitpid(pid, &status, 0), ECHILD);
	FAILS(waitid(P_PID, pid, &si, 0), EINVAL);

	status = status_of(CHILD(*nowhere = 1));
	OK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	status = status_of(CHILD(abort()));
	OK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	status = status_of(CHILD(kill(getpid(), SIGKILL)));
	OK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	pid = vfork();
	if (!pid)
		_exit(9);
	EQ(WEXITSTATUS(status_of(pid)), 9);
}

static void stops(void)
{
	int status, p[2];
	pid_t pid;
	char c;

	/* Its end would hide that it went on: it waits to be let go. */
	EQ(pipe(p), 0);
	pid = CHILD(close(p[1]); raise(SIGSTOP); read(p[0], &c, 1); _exit(3));

	EQ(waitpid(pid, &status, WUNTRACED), pid);
	OK(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
	EQ(waitpid(pid, &status, WNOHANG | WUNTRACED), 0);
	kill(pid, SIGCONT);
	EQ(waitpid(pid, &status, WCONTINUED), pid);
	OK(WIFCONTINUED(status));
	close(p[1]);
	close(p[0]);
	EQ(WEXITSTATUS(status_of(pid)), 3);
}

static void ignored_children(void)
{
	int status;

	signal(SIGCHLD, SIG_IGN);
	CHILD(_exit(0));
	FAILS(wait(&status), ECHILD);
	signal(SIGCHLD, SIG_DFL);
}

static void descriptors(void)
{
	struct pollfd pf = { .events = POLLIN };
	siginfo_t si;
	pid_t pid = CHILD(usleep(50000); _exit(4));

	pf.fd = WORKS(syscall(SYS_pidfd_open, pid, 0));
	EQ(poll(&pf, 1, 0), 0);
	EQ(poll(&pf, 1, 10000), 1);
	EQ(pf.revents, POLLIN);
	WORKS(waitid(P_PIDFD, pf.fd, &si, WEXITED));
	EQ(si.si_status, 4);
	FAILS(syscall(SYS_pidfd_send_signal, pf.fd, 0, NULL, 0), ESRCH);
	close(pf.fd);
	FAILS(syscall(SYS_pidfd_open, -1, 0), EINVAL);
}

static void subreaper(void)
{
	int status;
	pid_t pid;

	WORKS(prctl(PR_SET_CHILD_SUBREAPER, 1));
	pid = CHILD(if (!fork()) {
		usleep(40000);
		_exit(getppid() == 1 ? 1 : 8);
	});
	status_of(pid);
	pid = wait(&status);
	OK(pid > 0 && WEXITSTATUS(status) == 8);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}

int main(void)
{
	struct rusage ru;

	exit_codes();
	stops();
	ignored_children();
	descriptors();
	subreaper();
	WORKS(getrusage(RUSAGE_CHILDREN, &ru));
	OK(ru.ru_maxrss > 0 && ru.ru_minflt > 0);
	return ktap_done();
}
