/* SPDX-License-Identifier: MIT */
/*
 * Which tracepoints of the scheduler, the page cache and locks fire for what a
 * program does, and what their records say.
 *
 * timeout: 120
 */
#define _GNU_SOURCE
#include "trace_watch.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

/* --- the scheduler ------------------------------------------------------- */

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY), err = 0;

	if (write(fd, text, strlen(text)) < 0)
		err = errno;
	close(fd);
	return err;
}

/* The delays of this task, in order: how many, the longest. */
static int delays(struct watch *w, int64_t *longest)
{
	int i;

	done(w);
	for (*longest = i = 0; i < w->n; i++)
		if (get(w, &w->recs[i], "delay") > *longest)
			*longest = get(w, &w->recs[i], "delay");
	return w->n;
}

static void test_schedstats(void)
{
	static const char path[] = "/proc/sys/kernel/sched_schedstats";
	struct watch *sleeps = watch(0, "sched/sched_stat_sleep", NULL);
	struct watch *blocks, *waits, *iowait;
	char *now = read_text(path);
	int64_t longest;
	pid_t child;
	int i;

	OK_MSG(!strcmp(now, "0\n"), "%s is 0", path);
	free(now);
	EQ(write_text(path, "2"), EINVAL);
	sleep_ns(3000000);
	EQ(delays(sleeps, &longest), 0);

	sleeps = watch(0, "sched/sched_stat_sleep", own("pid"));
	blocks = watch(1, "sched/sched_stat_blocked", own("pid"));
	waits = watch(2, "sched/sched_stat_wait", own("pid"));
	iowait = watch(3, "sched/sched_stat_iowait", own("pid"));
	EQ(write_text(path, "1"), 0);
	for (i = 0; i < 3; i++)
		sleep_ns(3000000);
	child = vfork();
	if (!child) {
		sleep_ns(3000000);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	pin(0);
	child = fork();
	if (!child)
		for (;;)
			;
	for (i = 0; i < 200; i++)
		sched_yield();
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	EQ(write_text(path, "0"), 0);
	i = delays(sleeps, &longest);
	OK_MSG(i >= 3 && longest >= 2900000, "sleeps: %d, %lld ns", i,
	       (long long)longest);
	i = delays(blocks, &longest);
	OK_MSG(i >= 1 && longest >= 2900000, "waits for a vfork: %d, %lld ns",
	       i, (long long)longest);
	i = delays(waits, &longest);
	OK_MSG(i >= 4 && longest > 0, "waits for the CPU: %d, %lld ns", i,
	       (long long)longest);
	EQ(delays(iowait, &longest), 0);
}

/* --- a task's life ------------------------------------------------------- */

static void test_life(void)
{
	struct watch *life[SETS] = {
		watch(0, "sched/sched_process_exec", NULL),
		watch(1, "sched/sched_process_exit", NULL),
		watch(2, "sched/sched_process_free", NULL),
		watch(3, "sched/sched_process_wait", own("common_pid")),
	};
	pid_t child = fork();
	int i, at;

	if (!child) {
		char *args[] = { "/proc/self/exe", "nothing", NULL };

		execv(args[0], args);
		_exit(1);
	}
	waitpid(child, NULL, 0);
	/* The last of it is freed when nobody can be looking any more. */
	for (i = 0; i < 50; i++)
		sleep_ns(20000000);
	for (i = 0; i < SETS; i++) {
		done(life[i]);
		EQ(count(life[i], "pid", child), 1);
	}
	at = find(life[0], "pid", child, 0);
	EQ(get(life[0], &life[0]->recs[at], "old_pid"), child);
	EQ(life[0]->recs[at].tid, (uint32_t)child);
	at = find(life[1], "pid", child, 0);
	EQ(life[1]->recs[at].tid, (uint32_t)child);
	EQ(get(life[1], &life[1]->recs[at], "prio"), 120);
	i = find(life[2], "pid", child, 0);
	OK_MSG(life[2]->recs[i].time > life[1]->recs[at].time,
	       "freed after its end");
}

static void test_migrate(void)
{
	struct watch *m = watch(0, "sched/sched_migrate_task", own("pid"));
	int i, good = 0;

	if (nr_cpus > 1) {
		for (i = 0; i < 10; i++)
			pin(i % 2);
		pin(0);
	}
	done(m);
	for (i = 0; i < m->n; i++)
		good += get(m, &m->recs[i], "orig_cpu") !=
			get(m, &m->recs[i], "dest_cpu");
	OK_MSG(nr_cpus < 2 || m->n >= 9, "moved %d times", m->n);
	EQ(good, m->n);
}

/* --- lent priority ------------------------------------------------------- */

static uint32_t pi_word;
static int pi_ready;

static void *waiter(void *arg)
{
	struct sched_param p = { .sched_priority = 10 };

	sched_setscheduler(0, SCHED_FIFO, &p);
	__atomic_store_n(&pi_ready, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &pi_word, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
	syscall(SYS_futex, &pi_word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
	return NULL;
}

static void test_pi(void)
{
	struct watch *w = watch(0, "sched/sched_pi_setprio", own("pid"));
	pthread_t thread;
	int i;

	pi_word = (uint32_t)gettid();
	pthread_create(&thread, NULL, waiter, NULL);
	while (!__atomic_load_n(&pi_ready, __ATOMIC_ACQUIRE))
		sched_yield();
	/* It has set FUTEX_WAITERS: the next thing is to lend. */
	for (i = 0; i < 5000 && !(__atomic_load_n(&pi_word, __ATOMIC_ACQUIRE) &
				  FUTEX_WAITERS); i++)
		sleep_ns(1000000);
	sleep_ns(50000000);
	syscall(SYS_futex, &pi_word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
	pthread_join(thread, NULL);
	done(w);
	EQ(w->n, 2);
	if (w->n != 2)
		return;
	EQ(get(w, &w->recs[0], "oldprio"), 120);
	EQ(get(w, &w->recs[0], "newprio"), 89);
	EQ(get(w, &w->recs[1], "oldprio"), 89);
	EQ(get(w, &w->recs[1], "newprio"), 120);
}

/* --- the page cache ------------------------------------------------------ */

static void test_filemap(void)
{
	struct watch *add, *del;
	char filter[64], buf[8 * 4096];
	int fd = open("/tmp/trace_sched.data", O_RDWR | O_CREAT, 0600), i;
	uint32_t dev;
	struct stat st;

	fstat(fd, &st);
	snprintf(filter, sizeof(filter), "i_ino == %llu",
		 (unsigned long long)st.st_ino);
	add = watch(0, "filemap/mm_filemap_add_to_page_cache", filter);
	del = watch(1, "filemap/mm_filemap_delete_from_page_cache", filter);
	memset(buf, 1, sizeof(buf));
	EQ(pwrite(fd, buf, sizeof(buf), 0), sizeof(buf));
	EQ(ftruncate(fd, 0), 0);
	done(add);
	done(del);
	close(fd);
	unlink("/tmp/trace_sched.data");
	OK_MSG(add->n == 0, "tmpfs adds without saying so: %d", add->n);
	EQ(del->n, 8);
	dev = major(st.st_dev) << 20 | minor(st.st_dev);
	EQ(count(del, "s_dev", dev), 8);
	EQ(count(del, "order", 0), 8);
	for (i = 0; i < 8; i++)
		EQ(count(del, "index", i), 1);
}

/* --- locks --------------------------------------------------------------- */

static int lock_pipe[2], lock_stop;

static void *reader(void *arg)
{
	char c;

	while (!__atomic_load_n(&lock_stop, __ATOMIC_RELAXED))
		(void)!read(lock_pipe[0], &c, 1);
	return NULL;
}

static void *writer(void *arg)
{
	while (!__atomic_load_n(&lock_stop, __ATOMIC_RELAXED))
		(void)!write(lock_pipe[1], "x", 1);
	return NULL;
}

static uint64_t sum_of(const int *fds)
{
	uint64_t n = 0;
	int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++)
		n += value_of(fds[cpu]);
	return n;
}

/* Until it happens: how soon is a matter of the machine. */
static void test_contention(void)
{
	int begin[MAX_CPUS], end[MAX_CPUS], i;
	pthread_t threads[6];
	cpu_set_t all;

	if (nr_cpus < 2 || pipe2(lock_pipe, O_NONBLOCK))
		return ktap_skip("contended locks", "one CPU");
	for (i = 0; i < nr_cpus; i++) {
		begin[i] = open_event("lock/contention_begin", -1, i, false);
		end[i] = open_event("lock/contention_end", -1, i, false);
	}
	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
	for (i = 0; i < 6; i++)
		pthread_create(&threads[i], NULL, i & 1 ? reader : writer,
			       NULL);
	for (i = 0; i < 3000 && !(sum_of(begin) && sum_of(end)); i++)
		sleep_ns(10000000);
	__atomic_store_n(&lock_stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < 6; i++)
		pthread_join(threads[i], NULL);
	OK_MSG(sum_of(begin) > 0 && sum_of(end) > 0, "locks are waited for");
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return 0;
	watch_start();
	test_life();
	test_schedstats();
	test_migrate();
	test_pi();
	test_filemap();
	test_contention();
	return ktap_done();
}
