// SPDX-License-Identifier: MIT
/*
 * membarrier(2): what is offered, what must be registered first, and that the
 * order it promises holds between threads on several CPUs.
 */
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

#define ROUNDS 2000

static long membarrier(int cmd, unsigned int flags, int cpu)
{
	return syscall(SYS_membarrier, cmd, flags, cpu);
}

static void rules(void)
{
	long all = WORKS(membarrier(MEMBARRIER_CMD_QUERY, 0, 0));

	EQ(all & 0x1ff, 0x1ff);
	FAILS(membarrier(MEMBARRIER_CMD_QUERY, 1, 0), EINVAL);
	FAILS(membarrier(1 << 20, 0, 0), EINVAL);
	FAILS(membarrier(-1, 0, 0), EINVAL);
	FAILS(membarrier(MEMBARRIER_CMD_GLOBAL, 1, 0), EINVAL);
	WORKS(membarrier(MEMBARRIER_CMD_GLOBAL, 0, 0));
	WORKS(membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0));
	WORKS(membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0));
	FAILS(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0), EPERM);
	FAILS(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0),
	      EPERM);
	FAILS(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, 0, 0), EPERM);
	WORKS(membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0));
	WORKS(membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE,
			 0, 0));
	WORKS(membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, 0, 0));
	WORKS(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0));
	WORKS(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0));
	WORKS(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, 0, 0));
	WORKS(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ,
			 MEMBARRIER_CMD_FLAG_CPU, 0));
	WORKS(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ,
			 MEMBARRIER_CMD_FLAG_CPU, 999));
	FAILS(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED,
			 MEMBARRIER_CMD_FLAG_CPU, 0), EINVAL);
	FAILS(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, 2, 0), EINVAL);
}

/* A fork keeps what its parent registered, an exec does not. */
static void registrations_of_a_child(void)
{
	char *argv[] = { "membarrier", "registered", NULL };
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) ?
			      errno : 0);
	waitpid(pid, &status, 0);
	EQ(status, 0);
	pid = fork();
	if (!pid) {
		execv("/proc/self/exe", argv);
		_exit(99);
	}
	waitpid(pid, &status, 0);
	EQ(WEXITSTATUS(status), EPERM);
}

/*
 * Dekker's game with a light side and a heavy one: at least one of them sees
 * the other.
 */
static volatile int x, y, seen_x, seen_y;
static pthread_barrier_t barrier;

static void *light_side(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(&barrier);
		x = 1;
		asm volatile("" ::: "memory");
		seen_y = y;
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void order(int cmd, int rounds)
{
	pthread_t thread;
	int both_blind = 0;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, light_side, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		x = y = 0;
		pthread_barrier_wait(&barrier);
		y = 1;
		if (i < rounds)
			membarrier(cmd, 0, 0);
		seen_x = x;
		pthread_barrier_wait(&barrier);
		both_blind += i < rounds && !seen_x && !seen_y;
	}
	pthread_join(thread, NULL);
	EQ(both_blind, 0);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) ?
			       errno : 0;
	rules();
	registrations_of_a_child();
	order(MEMBARRIER_CMD_PRIVATE_EXPEDITED, ROUNDS);
	order(MEMBARRIER_CMD_GLOBAL_EXPEDITED, ROUNDS);
	order(MEMBARRIER_CMD_GLOBAL, 20);
	return ktap_done();
}
