// SPDX-License-Identifier: MIT
/*
 * futex(2): waiting, waking, requeueing, operations on the word, timeouts,
 * locks that lend priority, and what a dying owner leaves behind.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ktap.h"

#define MS 1000000LL
#define SEC 1000000000LL
#define PRIVATE FUTEX_PRIVATE_FLAG

static long futex(void *uaddr, int op, unsigned int val, const void *timeout,
		  void *uaddr2, unsigned int val3)
{
	return syscall(SYS_futex, uaddr, op, val, timeout, uaddr2, val3);
}

static long futex2(void *uaddr, int op, unsigned int val, long val2,
		   void *uaddr2, unsigned int val3)
{
	return syscall(SYS_futex, uaddr, op, val, val2, uaddr2, val3);
}

static long long now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * SEC + ts.tv_nsec;
}

static struct timespec ts_of(long long ns)
{
	return (struct timespec){ ns / SEC, ns % SEC };
}

static int *shared_words(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void hit(int sig)
{
}

static void arguments(void)
{
	static int word;
	struct timespec ts = { 0, SEC };
	char *ro = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);

	FAILS(futex(&word, FUTEX_WAIT, 1, NULL, NULL, 0), EAGAIN);
	FAILS(futex((char *)&word + 1, FUTEX_WAIT, 0, NULL, NULL, 0), EINVAL);
	FAILS(futex((char *)&word + 1, FUTEX_WAKE, 1, NULL, NULL, 0), EINVAL);
	FAILS(futex((void *)8, FUTEX_WAIT, 0, NULL, NULL, 0), EFAULT);
	FAILS(futex((void *)8, FUTEX_WAIT | PRIVATE, 0, NULL, NULL, 0), EFAULT);
	FAILS(futex((void *)8, FUTEX_WAKE, 1, NULL, NULL, 0), EFAULT);
	EQ(futex((void *)8, FUTEX_WAKE | PRIVATE, 1, NULL, NULL, 0), 0);
	FAILS(futex((void *)(1L << 50), FUTEX_WAKE | PRIVATE, 1, 0, 0, 0),
	      EFAULT);
	FAILS(futex((void *)9, FUTEX_WAKE, 1, NULL, NULL, 0), EINVAL);
	FAILS(futex(&word, FUTEX_WAIT, 0, &ts, NULL, 0), EINVAL);
	FAILS(futex(&word, FUTEX_WAIT, 0, (void *)8, NULL, 0), EFAULT);
	/* The timeout is looked at before the word. */
	FAILS(futex((void *)9, FUTEX_WAIT, 0, (void *)8, NULL, 0), EFAULT);
	FAILS(futex(&word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 0), EINVAL);
	FAILS(futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 0), EINVAL);
	FAILS(futex(&word, 77, 0, NULL, NULL, 0), ENOSYS);
	FAILS(futex(&word, FUTEX_FD, 0, NULL, NULL, 0), ENOSYS);
	FAILS(futex(&word, FUTEX_WAKE | FUTEX_CLOCK_REALTIME, 1, NULL, NULL, 0),
	      ENOSYS);
	FAILS(futex2(&word, FUTEX_REQUEUE, -1, 0, &word, 0), EINVAL);
	FAILS(futex2(&word, FUTEX_REQUEUE, 0, -1, &word, 0), EINVAL);
	FAILS(futex2(&word, FUTEX_CMP_REQUEUE, 0, 1, &word, 5), EAGAIN);
	FAILS(futex2(&word, FUTEX_REQUEUE, 0, 1, (void *)9, 0), EINVAL);
	FAILS(futex2(&word, FUTEX_REQUEUE, 0, 1, (void *)8, 0), EFAULT);
	/* A page that is only read is waited on, not locked. */
	FAILS(futex(ro, FUTEX_WAIT | PRIVATE, 1, NULL, NULL, 0), EAGAIN);
	FAILS(futex(ro, FUTEX_LOCK_PI | PRIVATE, 0, NULL, NULL, 0), EFAULT);
	FAILS(futex2(&word, FUTEX_WAKE_OP | PRIVATE, 1, 1, ro,
		     FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0)), EFAULT);
	munmap(ro, 4096);
}

static void timeouts(void)
{
	static int word;
	struct timespec ts = ts_of(20 * MS);
	long long start = now(CLOCK_MONOTONIC);

	FAILS(futex(&word, FUTEX_WAIT, 0, &ts, NULL, 0), ETIMEDOUT);
	OK(now(CLOCK_MONOTONIC) - start >= 20 * MS);
	start = now(CLOCK_MONOTONIC);
	ts = ts_of(start + 20 * MS);
	FAILS(futex(&word, FUTEX_WAIT_BITSET | PRIVATE, 0, &ts, NULL, 1),
	      ETIMEDOUT);
	OK(now(CLOCK_MONOTONIC) - start >= 20 * MS);
	FAILS(futex(&word, FUTEX_WAIT_BITSET | PRIVATE, 0, &ts, NULL, 1),
	      ETIMEDOUT);
	start = now(CLOCK_REALTIME);
	ts = ts_of(start + 20 * MS);
	FAILS(futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, &ts,
		    NULL, 1), ETIMEDOUT);
	OK(now(CLOCK_REALTIME) - start >= 20 * MS);
	start = now(CLOCK_REALTIME);
	word = 1;	/* init: it does not die of us */
	ts = ts_of(start + 20 * MS);
	FAILS(futex(&word, FUTEX_LOCK_PI | PRIVATE, 0, &ts, NULL, 0),
	      ETIMEDOUT);
	OK(now(CLOCK_REALTIME) - start >= 20 * MS);
	EQ(word, (int)(FUTEX_WAITERS | 1));
	word = 0;
	/* An alarm that restarts lets a relative wait end on time. */
	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = hit,
						.sa_flags = SA_RESTART }, NULL);
	ualarm(20000, 0);
	ts = ts_of(60 * MS);
	start = now(CLOCK_MONOTONIC);
	FAILS(futex(&word, FUTEX_WAIT, 0, &ts, NULL, 0), EINTR);
	ualarm(20000, 0);
	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = hit }, NULL);
	FAILS(futex(&word, FUTEX_WAIT, 0, NULL, NULL, 0), EINTR);
}

/* Threads that wait on one word and say how it ended. */
struct sleeper {
	pthread_t thread;
	int *word;
	unsigned int bits;
	int op;
	int tid;
	long ret;
	int done;
};

static void *sleep_on_word(void *arg)
{
	struct sleeper *s = arg;

	__atomic_store_n(&s->tid, gettid(), __ATOMIC_RELEASE);
	s->ret = futex(s->word, s->op, 0, NULL, NULL, s->bits);
	if (s->ret < 0)
		s->ret = -errno;
	__atomic_store_n(&s->done, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* Until the thread sleeps: /proc says S. */
static void until_asleep(int tid)
{
	char name[64], line[256], *p;
	int tries = 0;

	snprintf(name, sizeof(name), "/proc/self/task/%d/stat", tid);
	do {
		FILE *f = fopen(name, "r");

		usleep(1000);
		if (!f || !fgets(line, sizeof(line), f))
			return;
		fclose(f);
		p = strrchr(line, ')');
	} while (p && p[2] != 'S' && tries++ < 5000);
}

static void start(struct sleeper *s, int *word, int op, unsigned int bits)
{
	*s = (struct sleeper){ .word = word, .op = op, .bits = bits };
	pthread_create(&s->thread, NULL, sleep_on_word, s);
	while (!__atomic_load_n(&s->tid, __ATOMIC_ACQUIRE))
		usleep(1000);
	until_asleep(s->tid);
}

static int count_done(const struct sleeper *s, int n)
{
	int count = 0;

	for (int i = 0; i < n; i++)
		count += __atomic_load_n(&s[i].done, __ATOMIC_ACQUIRE);
	return count;
}

/* How many of n are awake, when `most` may be: those are waited for. */
static int awake(const struct sleeper *s, int n, int most)
{
	for (int i = 0; i < 5000 && count_done(s, n) < most; i++)
		usleep(2000);
	usleep(20000);
	return count_done(s, n);
}

static void join(struct sleeper *s, int n)
{
	for (int i = 0; i < n; i++)
		pthread_join(s[i].thread, NULL);
}

static void wakes_and_requeues(void)
{
	static int word, other;
	struct sleeper s[4];

	for (int i = 0; i < 4; i++)
		start(&s[i], &word, FUTEX_WAIT | PRIVATE, 0);
	EQ(futex(&other, FUTEX_WAKE | PRIVATE, 9, NULL, NULL, 0), 0);
	/* Another kind of key: nobody. */
	EQ(futex(&word, FUTEX_WAKE, 9, NULL, NULL, 0), 0);
	EQ(futex(&word, FUTEX_WAKE | PRIVATE, 0, NULL, NULL, 0), 1);
	EQ(awake(s, 4, 1), 1);
	EQ(s[0].done, 1);
	EQ(futex2(&word, FUTEX_CMP_REQUEUE | PRIVATE, 1, 1, &other, 0), 2);
	EQ(awake(s, 4, 2), 2);
	EQ(futex(&other, FUTEX_WAKE | PRIVATE, 9, NULL, NULL, 0), 1);
	EQ(futex2(&word, FUTEX_REQUEUE | PRIVATE, 0, 9, &other, 0), 1);
	EQ(awake(s, 4, 3), 3);
	EQ(futex(&word, FUTEX_WAKE | PRIVATE, 9, NULL, NULL, 0), 0);
	EQ(futex(&other, FUTEX_WAKE | PRIVATE, 9, NULL, NULL, 0), 1);
	join(s, 4);
	for (int i = 0; i < 4; i++)
		EQ(s[i].ret, 0);

	for (int i = 0; i < 3; i++)
		start(&s[i], &word, FUTEX_WAIT_BITSET | PRIVATE, 1u << i);
	EQ(futex(&word, FUTEX_WAKE_BITSET | PRIVATE, 9, NULL, NULL, 8), 0);
	EQ(futex(&word, FUTEX_WAKE_BITSET | PRIVATE, 9, NULL, NULL, 4), 1);
	EQ(awake(s, 3, 1), 1);
	EQ(s[2].done, 1);
	EQ(futex(&word, FUTEX_WAKE | PRIVATE, 9, NULL, NULL, 0), 2);
	join(s, 3);
}

struct word_op {
	unsigned int op, arg, result;
};

static void word_operations(void)
{
	static const struct word_op ops[] = {
		{ FUTEX_OP_SET, 5, 5 },
		{ FUTEX_OP_ADD, 5, 15 },
		{ FUTEX_OP_ADD, 0xfff, 9 },
		{ FUTEX_OP_OR, 5, 15 },
		{ FUTEX_OP_ANDN, 2, 8 },
		{ FUTEX_OP_XOR, 3, 9 },
		{ FUTEX_OP_SET | FUTEX_OP_OPARG_SHIFT, 6, 64 },
		{ FUTEX_OP_OR | FUTEX_OP_OPARG_SHIFT, 31, 0x8000000a },
	};
	static const struct { unsigned int cmp, arg, met; } cmps[] = {
		{ FUTEX_OP_CMP_EQ, 10, 1 }, { FUTEX_OP_CMP_EQ, 9, 0 },
		{ FUTEX_OP_CMP_NE, 9, 1 }, { FUTEX_OP_CMP_NE, 10, 0 },
		{ FUTEX_OP_CMP_LT, 11, 1 }, { FUTEX_OP_CMP_LT, 10, 0 },
		{ FUTEX_OP_CMP_LE, 10, 1 }, { FUTEX_OP_CMP_LE, 9, 0 },
		{ FUTEX_OP_CMP_GT, 9, 1 }, { FUTEX_OP_CMP_GT, 10, 0 },
		{ FUTEX_OP_CMP_GE, 10, 1 }, { FUTEX_OP_CMP_GE, 11, 0 },
		{ FUTEX_OP_CMP_GT, 0xfff, 1 }, { FUTEX_OP_CMP_LT, 0xfff, 0 },
	};
	static int word, other;
	struct sleeper s[2];

	for (int i = 0; i < 8; i++) {
		other = 10;
		EQ(futex2(&word, FUTEX_WAKE_OP | PRIVATE, 1, 1, &other,
			  FUTEX_OP(ops[i].op, ops[i].arg, 0, 10)), 0);
		OK_MSG((unsigned int)other == ops[i].result,
		       "operation %x with %x: %x", ops[i].op, ops[i].arg, other);
	}
	for (int i = 0; i < 14; i++) {
		long woken;

		other = 0;
		start(&s[0], &other, FUTEX_WAIT | PRIVATE, 0);
		other = 10;
		woken = futex2(&word, FUTEX_WAKE_OP | PRIVATE, 1, 1, &other,
			       FUTEX_OP(FUTEX_OP_SET, 3, cmps[i].cmp,
					cmps[i].arg));
		OK_MSG(woken == cmps[i].met && other == 3,
		       "comparison %u with %x wakes %ld", cmps[i].cmp,
		       cmps[i].arg, woken);
		futex(&other, FUTEX_WAKE | PRIVATE, 1, NULL, NULL, 0);
		join(s, 1);
	}
	other = 0;
	start(&s[0], &word, FUTEX_WAIT | PRIVATE, 0);
	start(&s[1], &other, FUTEX_WAIT | PRIVATE, 0);
	EQ(futex2(&word, FUTEX_WAKE_OP | PRIVATE, 1, 1, &other,
		  FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0)), 2);
	join(s, 2);
	FAILS(futex2(&word, FUTEX_WAKE_OP | PRIVATE, 1, 1, &other,
		     FUTEX_OP(5, 1, FUTEX_OP_CMP_EQ, 0)), ENOSYS);
	FAILS(futex2(&word, FUTEX_WAKE_OP | PRIVATE, 1, 1, &other,
		     FUTEX_OP(FUTEX_OP_SET, 1, 6, 0)), ENOSYS);
}

/* A word in shared memory is one, whoever maps it and where. */
static void between_processes(void)
{
	int *word = shared_words(), status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(futex(word, FUTEX_WAIT, 0, NULL, NULL, 0) ? errno : 0);
	while (!futex(word, FUTEX_WAKE, 1, NULL, NULL, 0))
		usleep(1000);
	EQ(waitpid(pid, &status, 0), pid);
	EQ(status, 0);
	munmap(word, 4096);
}

static void *lock_pi(void *arg)
{
	struct sleeper *s = arg;

	__atomic_store_n(&s->tid, gettid(), __ATOMIC_RELEASE);
	s->ret = futex(s->word, FUTEX_LOCK_PI | PRIVATE, 0, NULL, NULL, 0);
	if (s->ret < 0)
		s->ret = -errno;
	else if (*s->word == s->tid ||
		 *s->word == (int)(s->tid | FUTEX_WAITERS))
		s->done = 1;
	if (!s->bits)	/* else it dies as the owner */
		futex(s->word, FUTEX_UNLOCK_PI | PRIVATE, 0, NULL, NULL, 0);
	return NULL;
}

static void start_pi(struct sleeper *s, int *word, unsigned int dies)
{
	*s = (struct sleeper){ .word = word, .bits = dies };
	pthread_create(&s->thread, NULL, lock_pi, s);
	while (!__atomic_load_n(&s->tid, __ATOMIC_ACQUIRE))
		usleep(1000);
	until_asleep(s->tid);
}

static void pi_locks(void)
{
	static int word, other;
	struct sleeper s[2];
	int me = gettid();

	EQ(futex(&word, FUTEX_LOCK_PI | PRIVATE, 0, NULL, NULL, 0), 0);
	EQ(word, me);
	FAILS(futex(&word, FUTEX_LOCK_PI | PRIVATE, 0, NULL, NULL, 0), EDEADLK);
	FAILS(futex(&word, FUTEX_TRYLOCK_PI | PRIVATE, 0, NULL, NULL, 0),
	      EDEADLK);
	start_pi(&s[0], &word, 0);
	EQ(word, (int)(me | FUTEX_WAITERS));
	start_pi(&s[1], &word, 0);
	/* A plain wake does not touch who waits for a lock. */
	FAILS(futex(&word, FUTEX_WAKE | PRIVATE, 1, NULL, NULL, 0), EINVAL);
	EQ(futex(&word, FUTEX_UNLOCK_PI | PRIVATE, 0, NULL, NULL, 0), 0);
	join(s, 2);
	EQ(s[0].ret, 0);
	EQ(s[1].ret, 0);
	EQ(s[0].done + s[1].done, 2);
	EQ(word, 0);
	EQ(futex(&word, FUTEX_TRYLOCK_PI | PRIVATE, 0, NULL, NULL, 0), 0);
	EQ(word, me);
	EQ(futex(&word, FUTEX_UNLOCK_PI | PRIVATE, 0, NULL, NULL, 0), 0);
	EQ(word, 0);
	FAILS(futex(&word, FUTEX_UNLOCK_PI | PRIVATE, 0, NULL, NULL, 0), EPERM);
	word = 1;
	FAILS(futex(&word, FUTEX_UNLOCK_PI | PRIVATE, 0, NULL, NULL, 0), EPERM);
	FAILS(futex(&word, FUTEX_TRYLOCK_PI | PRIVATE, 0, NULL, NULL, 0),
	      EAGAIN);
	word = 0x3ffffffe;
	FAILS(futex(&word, FUTEX_LOCK_PI | PRIVATE, 0, NULL, NULL, 0), ESRCH);
	word = 0;
	/* A dead owner's lock goes to the next, marked. */
	start_pi(&s[0], &other, 1);
	pthread_join(s[0].thread, NULL);
	EQ(other & FUTEX_TID_MASK, s[0].tid);
	other = 0;
	EQ(futex(&word, FUTEX_LOCK_PI | PRIVATE, 0, NULL, NULL, 0), 0);
	start_pi(&s[0], &word, 1);
	start_pi(&s[1], &word, 1);
	EQ(futex(&word, FUTEX_UNLOCK_PI | PRIVATE, 0, NULL, NULL, 0), 0);
	join(s, 2);
	EQ(s[0].ret, 0);
	EQ(s[1].ret, 0);
	OK(word & FUTEX_OWNER_DIED);
}

static pthread_mutexattr_t robust_attr(int shared, int protocol)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setpshared(&attr, shared);
	pthread_mutexattr_setprotocol(&attr, protocol);
	return attr;
}

static volatile bool is_locked;

static void *lock_and_die(void *arg)
{
	pthread_mutex_lock(arg);
	is_locked = true;
	usleep(30000);
	return NULL;
}

static void robust_thread(int protocol)
{
	static pthread_mutex_t lock;
	pthread_mutexattr_t attr = robust_attr(PTHREAD_PROCESS_PRIVATE,
					       protocol);
	pthread_t thread;

	pthread_mutex_init(&lock, &attr);
	is_locked = false;
	pthread_create(&thread, NULL, lock_and_die, &lock);
	while (!is_locked)
		usleep(1000);
	EQ(pthread_mutex_lock(&lock), EOWNERDEAD);
	EQ(pthread_mutex_consistent(&lock), 0);
	EQ(pthread_mutex_unlock(&lock), 0);
	pthread_join(thread, NULL);
	EQ(pthread_mutex_lock(&lock), 0);
	EQ(pthread_mutex_unlock(&lock), 0);
	pthread_mutex_destroy(&lock);
}

static void robust_process(int protocol)
{
	pthread_mutex_t *lock = (void *)shared_words();
	pthread_mutexattr_t attr = robust_attr(PTHREAD_PROCESS_SHARED,
					       protocol);
	pid_t pid, waiter;
	int status = -1;

	pthread_mutex_init(lock, &attr);
	pid = fork();
	if (!pid) {
		pthread_mutex_lock(lock);
		((volatile int *)lock)[100] = 1;
		pause();
	}
	while (!((volatile int *)lock)[100])
		usleep(1000);
	EQ(pthread_mutex_trylock(lock), EBUSY);
	waiter = fork();
	if (!waiter) {
		int ret = pthread_mutex_lock(lock);

		pthread_mutex_consistent(lock);
		pthread_mutex_unlock(lock);
		_exit(ret != EOWNERDEAD);
	}
	usleep(30000);
	kill(pid, SIGKILL);
	EQ(waitpid(waiter, &status, 0), waiter);
	EQ(status, 0);
	waitpid(pid, &status, 0);
	EQ(pthread_mutex_lock(lock), 0);
	EQ(pthread_mutex_unlock(lock), 0);
	munmap(lock, 4096);
}

static void robust_lists(void)
{
	struct robust_list_head *head = NULL;
	size_t len = 0;

	FAILS(syscall(SYS_set_robust_list, head, 8), EINVAL);
	WORKS(syscall(SYS_get_robust_list, 0, &head, &len));
	EQ(len, sizeof(*head));
	OK(head != NULL);
	FAILS(syscall(SYS_get_robust_list, 0, 8, &len), EFAULT);
	FAILS(syscall(SYS_get_robust_list, 0x3ffffffe, &head, &len), ESRCH);
	robust_thread(PTHREAD_PRIO_NONE);
	robust_thread(PTHREAD_PRIO_INHERIT);
	robust_process(PTHREAD_PRIO_NONE);
	robust_process(PTHREAD_PRIO_INHERIT);
}

/* Eight threads, one mutex, a condition and a barrier. */
#define THREADS 8
#define ROUNDS 300

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int counter, turn, serials;

static void *stress(void *arg)
{
	long me = (long)arg;

	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		counter++;
		pthread_mutex_unlock(&mutex);
		if (i % 10 == 0 &&
		    pthread_barrier_wait(&barrier) ==
			    PTHREAD_BARRIER_SERIAL_THREAD)
			__atomic_fetch_add(&serials, 1, __ATOMIC_RELAXED);
		if (i % 30)
			continue;
		pthread_mutex_lock(&mutex);
		while (turn % THREADS != me)
			pthread_cond_wait(&cond, &mutex);
		turn++;
		pthread_cond_broadcast(&cond);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void pthread_stress(int protocol)
{
	pthread_t thread[THREADS];
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, protocol);
	pthread_mutex_init(&mutex, &attr);
	pthread_barrier_init(&barrier, NULL, THREADS);
	counter = turn = serials = 0;
	for (long i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, stress, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	EQ(counter, THREADS * ROUNDS);
	EQ(turn, THREADS * ROUNDS / 30);
	EQ(serials, ROUNDS / 10);
	pthread_barrier_destroy(&barrier);
}

int main(void)
{
	arguments();
	timeouts();
	wakes_and_requeues();
	word_operations();
	between_processes();
	pi_locks();
	robust_lists();
	pthread_stress(PTHREAD_PRIO_NONE);
	pthread_stress(PTHREAD_PRIO_INHERIT);
	return ktap_done();
}
