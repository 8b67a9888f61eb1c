// SPDX-License-Identifier: MIT
/*
 * Out of memory: the process that ate it dies alone, the log says so, the
 * rest lives and the memory is back.  And a fork bomb stops at its limit.
 * timeout: 120
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

#define MIB (1L << 20)
#define FORKS 40

static long meminfo(const char *what)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[128];
	long kib = -1;

	while (kib < 0 && f && fgets(line, sizeof(line), f)) {
		if (!strncmp(line, what, strlen(what)))
			kib = strtol(line + strlen(what) + 1, NULL, 10);
	}
	if (f)
		fclose(f);
	return kib;
}

/* More than there is, in pieces that overcommit lets pass. */
static void eat(long mib)
{
	FILE *f = fopen("/proc/self/oom_score_adj", "w");

	/* Whatever else is large here: this one. */
	fprintf(f, "500\n");
	fclose(f);
	for (long i = 0; i < mib; i += 16) {
		char *p = mmap(NULL, 16 * MIB, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			_exit(3);
		for (long at = 0; at < 16 * MIB; at += 4096)
			p[at] = 1;
	}
	_exit(4);
}

static int log_says(const char *what)
{
	static char log[1 << 18];
	int n = klogctl(3, log, sizeof(log) - 1);

	if (n < 0)
		return -1;
	log[n] = 0;
	return strstr(log, what) != NULL;
}

static void eats_and_dies(void)
{
	long total = meminfo("MemTotal:") / 1024;
	long before = meminfo("MemFree:"), after;
	int status = 0, alive;
	char line[64];
	pid_t pid, other = fork();

	if (!other) {
		pause();
		_exit(0);
	}
	pid = fork();
	if (!pid)
		eat(total + 64);
	EQ(waitpid(pid, &status, 0), pid);
	OK_MSG(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
	       "the eater dies of SIGKILL: %x", status);
	alive = kill(other, 0) == 0 && waitpid(other, NULL, WNOHANG) == 0;
	OK_MSG(alive, "another process lives");
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	snprintf(line, sizeof(line), "Out of memory: Killed process %d (oom",
		 pid);
	EQ(log_says(line), 1);
	for (int i = 0; i < 100; i++) {
		after = meminfo("MemFree:");
		if (after > before - 8192)
			break;
		usleep(20000);
	}
	OK_MSG(after > before - 8192, "memory is back: %ld, then %ld KiB",
	       before, after);
}

static void bomb(void)
{
	struct rlimit limit = { FORKS, FORKS };
	int made = 0, bad = 0;
	pid_t pid;

	if (setrlimit(RLIMIT_NPROC, &limit) || setuid(4242))
		_exit(99);
	for (int i = 0; i < 3 * FORKS; i++) {
		errno = 0;
		pid = fork();
		if (!pid)
			for (;;)
				pause();
		made += pid > 0;
		bad += pid < 0 && errno != EAGAIN;
	}
	signal(SIGTERM, SIG_IGN);
	kill(-1, SIGTERM);
	while (wait(NULL) > 0)
		;
	/* The ones that ended do not count any more. */
	pid = fork();
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	_exit(bad ? 98 : pid < 0 ? 97 : made);
}

static void fork_bomb(void)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		bomb();
	EQ(waitpid(pid, &status, 0), pid);
	EQ(WEXITSTATUS(status), FORKS - 1);
}

/* Every one forks as much as it can. */
static void wild_bomb(void)
{
	int status = -1;
	long before = meminfo("MemFree:");
	pid_t pid = fork();

	if (!pid) {
		struct rlimit limit = { FORKS, FORKS };

		if (setrlimit(RLIMIT_NPROC, &limit) || setuid(4243))
			_exit(99);
		alarm(2);
		setpgid(0, 0);
		for (;;)
			fork();
	}
	usleep(1500000);
	EQ(kill(-pid, SIGKILL), 0);
	EQ(waitpid(pid, &status, 0), pid);
	for (int i = 0; i < 100 && kill(-pid, 0) == 0; i++) {
		kill(-pid, SIGKILL);
		usleep(20000);
	}
	FAILS(kill(-pid, 0), ESRCH);
	OK_MSG(meminfo("MemFree:") > before - 8192, "its memory is back");
}

int main(void)
{
	eats_and_dies();
	fork_bomb();
	wild_bomb();
	return ktap_done();
}
