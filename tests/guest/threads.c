// SPDX-License-Identifier: MIT
/*
 * Threads against exit, exec and signals of their process.
 * tags: short
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

#define SLEEPERS 5

static void *count(void *arg)
{
	++*(int *)arg;
	return NULL;
}

static void *sleeper(void *arg)
{
	while (pause())
		;
	return NULL;
}

static void *execute(void *arg)
{
	char *argv[] = { "threads", "again", NULL };

	execv("/proc/self/exe", argv);
	_exit(1);
}

static void start_sleepers(void)
{
	pthread_t thread;

	for (int i = 0; i < SLEEPERS; i++)
		pthread_create(&thread, NULL, sleeper, NULL);
	usleep(5000);
}

static int status_of(pid_t pid)
{
	int status = -1;

	return waitpid(pid, &status, 0) == pid ? status : -1;
}

static void exec_ends_the_others(void)
{
	pthread_t thread;
	pid_t pid = fork();

	if (!pid) {
		start_sleepers();
		execute(NULL);
	}
	EQ(WEXITSTATUS(status_of(pid)), 77);
	pid = fork();
	if (!pid) {
		start_sleepers();
		pthread_create(&thread, NULL, execute, NULL);
		sleeper(NULL);
	}
	OK_MSG(WEXITSTATUS(status_of(pid)) == 77,
	       "a thread that executes becomes the leader");
}

static void exits(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		start_sleepers();
		pthread_exit(NULL);
	}
	usleep(50000);
	OK_MSG(waitpid(pid, &status, WNOHANG) == 0,
	       "a leader that exits first is not reported");
	kill(pid, SIGTERM);
	EQ(WTERMSIG(status_of(pid)), SIGTERM);
	pid = fork();
	if (!pid) {
		start_sleepers();
		exit(12);
	}
	EQ(WEXITSTATUS(status_of(pid)), 12);
}

static void clone_flags(void)
{
	FAILS(syscall(SYS_clone, CLONE_THREAD, 0, 0, 0, 0), EINVAL);
	FAILS(syscall(SYS_clone, CLONE_SIGHAND, 0, 0, 0, 0), EINVAL);
	FAILS(syscall(SYS_clone, CLONE_NEWNS | CLONE_FS, 0, 0, 0, 0), EINVAL);
	FAILS(syscall(SYS_clone3, NULL, 8), EINVAL);
	FAILS(syscall(SYS_clone3, NULL, 64), EFAULT);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int counter = 0;

	if (argc > 1)
		_exit(getpid() == gettid() ? 77 : 78);
	for (int i = 0; i < 20; i++) {
		pthread_create(&thread, NULL, count, &counter);
		pthread_join(thread, NULL);
	}
	EQ(counter, 20);
	exec_ends_the_others();
	exits();
	clone_flags();
	return ktap_done();
}
