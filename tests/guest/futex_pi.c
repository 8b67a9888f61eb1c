/* SPDX-License-Identifier: MIT */
/*
 * PI futexes, and moving waiters of a plain futex to one.
 *
 * The main thread requeues; the waiters are threads that report what their
 * call returned and whether the lock's word named them then.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ktap.h"

#define WAITERS 3

static _Atomic uint32_t cond, lock;
static atomic_int ready;

struct waiter {
	pthread_t thread;
	struct timespec until;
	bool has_timeout;
	int tid, ret;
	bool owned;
};

/* The error, negative, or what the call returned. */
static long futex(_Atomic uint32_t *uaddr, int op, uint32_t val,
		  const void *timeout, _Atomic uint32_t *uaddr2, uint32_t val3)
{
	long ret = syscall(SYS_futex, uaddr, op | FUTEX_PRIVATE_FLAG, val,
			   timeout, uaddr2, val3);

	return ret < 0 ? -errno : ret;
}

static long requeue(int nr_wake, long nr_requeue, uint32_t val)
{
	return futex(&cond, FUTEX_CMP_REQUEUE_PI, nr_wake, (void *)nr_requeue,
		     &lock, val);
}

static void unlock(void)
{
	uint32_t me = gettid();

	if (!atomic_compare_exchange_strong(&lock, &me, 0))
		futex(&lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
}

static void *wait_for_it(void *arg)
{
	struct waiter *w = arg;

	w->tid = gettid();
	ready++;
	w->ret = futex(&cond, FUTEX_WAIT_REQUEUE_PI, 0,
		       w->has_timeout ? &w->until : NULL, &lock, 0);
	w->owned = (lock & FUTEX_TID_MASK) == (uint32_t)w->tid;
	if (w->owned)
		unlock();
	return NULL;
}

/* Start n waiters; they sleep when this returns. */
static void start(struct waiter *w, int n, int timeout_ms)
{
	int i;

	ready = 0;
	for (i = 0; i < n; i++) {
		w[i] = (struct waiter){ .has_timeout = timeout_ms };
		clock_gettime(CLOCK_MONOTONIC, &w[i].until);
		w[i].until.tv_nsec += timeout_ms * 1000000l;
		w[i].until.tv_sec += w[i].until.tv_nsec / 1000000000;
		w[i].until.tv_nsec %= 1000000000;
		pthread_create(&w[i].thread, NULL, wait_for_it, &w[i]);
	}
	while (ready < n)
		usleep(1000);
	usleep(100000);
}

static bool finish(struct waiter *w, int n, int ret, bool owned)
{
	bool good = true;
	int i;

	for (i = 0; i < n; i++) {
		pthread_join(w[i].thread, NULL);
		if (w[i].ret != ret || w[i].owned != owned) {
			printf("# waiter %d: %d, %d\n", i, w[i].ret,
			       w[i].owned);
			good = false;
		}
	}
	return good;
}

static void *try_it(void *arg)
{
	*(long *)arg = futex(&lock, FUTEX_TRYLOCK_PI, 0, NULL, NULL, 0);
	return NULL;
}

static void test_lock(void)
{
	pthread_t thread;
	long ret = 1;

	EQ(futex(&lock, FUTEX_LOCK_PI, 0, NULL, NULL, 0), 0);
	EQ(lock, (uint32_t)gettid());
	EQ(futex(&lock, FUTEX_LOCK_PI, 0, NULL, NULL, 0), -EDEADLK);
	pthread_create(&thread, NULL, try_it, &ret);
	pthread_join(thread, NULL);
	OK_MSG(ret == -EAGAIN, "a held lock is not had by trying");
	EQ(futex(&lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0), 0);
	EQ(lock, 0);
	EQ(futex(&lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0), -EPERM);
}

static void test_errors(void)
{
	EQ(futex(&cond, FUTEX_WAIT_REQUEUE_PI, 1, NULL, &lock, 0), -EAGAIN);
	EQ(futex(&cond, FUTEX_WAIT_REQUEUE_PI, 0, NULL, &cond, 0), -EINVAL);
	EQ(requeue(0, 1, 0), -EINVAL);
	EQ(requeue(2, 1, 0), -EINVAL);
	EQ(requeue(1, -1, 0), -EINVAL);
	EQ(requeue(1, 1, 7), -EAGAIN);
	EQ(requeue(1, 1, 0), 0);
	EQ(futex(&cond, FUTEX_CMP_REQUEUE_PI, 1, (void *)1, &cond, 0), -EINVAL);
}

static void test_requeue(void)
{
	struct waiter w[WAITERS];

	start(w, 1, 50);
	OK_MSG(finish(w, 1, -ETIMEDOUT, false), "a wait that ends in time");

	start(w, WAITERS, 0);
	EQ(futex(&cond, FUTEX_WAKE, 1, NULL, NULL, 0), -EINVAL);
	EQ(futex(&cond, FUTEX_CMP_REQUEUE, 1, (void *)1, &lock, 0), -EINVAL);
	EQ(requeue(1, WAITERS, 0), WAITERS);
	OK_MSG(finish(w, WAITERS, 0, true), "a free lock goes round");
	EQ(lock, 0);

	futex(&lock, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
	start(w, WAITERS, 0);
	EQ(requeue(1, 0, 0), 1);
	EQ(requeue(1, 0, 0), 1);
	EQ(requeue(1, 5, 0), 1);
	EQ(requeue(1, 5, 0), 0);
	EQ(lock, (uint32_t)gettid() | FUTEX_WAITERS);
	unlock();
	OK_MSG(finish(w, WAITERS, 0, true), "a held lock is handed on");
	EQ(lock, 0);

	futex(&lock, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
	start(w, 1, 400);
	EQ(requeue(1, 0, 0), 1);
	OK_MSG(finish(w, 1, -ETIMEDOUT, false), "moved, and then out of time");
	unlock();
	EQ(lock, 0);
}

int main(void)
{
	test_lock();
	test_errors();
	test_requeue();
	return ktap_done();
}
