// SPDX-License-Identifier: MIT
/*
 * Facts about signals: fcntl ownership, their contents, SIGTRAP.
 * only: tags
 * tags: facts
 */
#define _GNU_SOURCE
#include <ucontext.h>

#include "facts.h"

static volatile int count, last_signal, last_code, last_fd, last_errno;
static volatile long last_band;
static siginfo_t last_info;

static void handler(int sig, siginfo_t *info, void *context)
{
	count++;
	last_signal = sig;
	last_code = info->si_code;
	last_fd = info->si_fd;
	last_band = info->si_band;
	last_errno = info->si_errno;
	last_info = *info;
}

static char *fresh;

/* One user page fault at a time, all in memory known before. */
static void one_fault(int fd)
{
	static int n;

	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	fresh[n++ * PAGE] = 1;
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

#define FAULTS(...) SW(PAGE_FAULTS, .sample_period = 1, .disabled = 1, \
		       .exclude_kernel = 1, ##__VA_ARGS__)

static void said(int fd, const char *what)
{
	fact(text("%d of signal %d code %d fd %s band %#lx", count, last_signal,
		  last_code, last_fd == fd ? "same" : "other", last_band),
	     "%s", what);
	count = last_signal = last_code = 0;
	last_fd = -1;
	last_band = 0;
}

static void owners(void)
{
	struct f_owner_ex me = { F_OWNER_TID, gettid() };
	struct perf_event_attr a = FAULTS(.wakeup_events = 1);
	int fd = must_open(&a, 0, -1, -1, 0);
	struct ring r;

	one_fault(fd);
	said(fd, "nobody owns it");
	fcntl(fd, F_SETOWN, getpid());
	one_fault(fd);
	said(fd, "owned, not O_ASYNC");
	fact(answer_of(SAYS(fcntl(fd, F_SETFL, O_ASYNC))), "O_ASYNC");
	one_fault(fd);
	said(fd, "O_ASYNC");
	fcntl(fd, F_SETSIG, SIGUSR1);
	one_fault(fd);
	said(fd, "SIGUSR1");
	fcntl(fd, F_SETSIG, SIGRTMIN + 2);
	one_fault(fd);
	said(fd, "a real-time signal");
	fact(number(SAYS(fcntl(fd, F_GETSIG))), "F_GETSIG");
	fcntl(fd, F_SETOWN_EX, &me);
	one_fault(fd);
	said(fd, "owned by a thread");
	ring_map(&r, fd, 2);
	one_fault(fd);
	said(fd, "with a ring");
	ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	one_fault(fd);
	said(fd, "with a paused ring");
	fcntl(fd, F_SETFL, 0);
	one_fault(fd);
	said(fd, "O_ASYNC taken back");
	ring_unmap(&r);
	close(fd);
}

static void budgets(void)
{
	struct perf_event_attr a = FAULTS();
	int fd = must_open(&a, 0, -1, -1, 0), at = 0;
	char out[200] = "";

	fcntl(fd, F_SETOWN, getpid());
	fcntl(fd, F_SETFL, O_ASYNC);
	fcntl(fd, F_SETSIG, SIGRTMIN + 1);
	ioctl(fd, PERF_EVENT_IOC_REFRESH, 3);
	for (int i = 0; i < 5; i++) {
		count = 0;
		fresh[(100 + i) * PAGE] = 1;
		at += sprintf(out + at, "%d code %d, ", count,
			      count ? last_code : 0);
	}
	fact(out, "signals of a budget of 3");
	close(fd);
}

static void traps(void)
{
	struct perf_event_attr a = FAULTS(.sigtrap = 1, .remove_on_exec = 1,
					  .sig_data = 0x1234567890abcdef,
					  .sample_type = PERF_SAMPLE_ADDR);
	int fd = must_open(&a, 0, -1, -1, 0);
	struct {
		int signo, err, code;
		void *addr;
		unsigned long data;
		u32 type, flags;
	} info;

	count = 0;
	one_fault(fd);
	memcpy(&info, &last_info, sizeof(info));
	fact(text("%d of signal %d code %d errno %d", count, last_signal,
		  last_code, last_errno), "SIGTRAP");
	fact(text("data %#lx type %u flags %#x", info.data, info.type,
		  info.flags), "its data");
	fact((char *)info.addr >= fresh &&
	     (char *)info.addr < fresh + 512 * PAGE ? "that of the fault" : text("%p", info.addr),
	     "its address");
	close(fd);
	a.pinned = 1;
	fd = must_open(&a, 0, -1, -1, 0);
	count = 0;
	ioctl(fd, PERF_EVENT_IOC_REFRESH, 2);
	fresh[110 * PAGE] = 1;
	fresh[111 * PAGE] = 1;
	fresh[112 * PAGE] = 1;
	fact(number(count), "traps of a budget of 2");
	close(fd);
}

static void blocked(void)
{
	struct perf_event_attr a = FAULTS(.sigtrap = 1, .remove_on_exec = 1);
	int status, kid = fork();

	if (!kid) {
		int fd = must_open(&a, 0, -1, -1, 0);
		sigset_t set;

		sigemptyset(&set);
		sigaddset(&set, SIGTRAP);
		sigprocmask(SIG_BLOCK, &set, NULL);
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		fresh[120 * PAGE] = 1;
		_exit(7);
	}
	waitpid(kid, &status, 0);
	fact(text("%#x", status), "status, SIGTRAP blocked");
}

int main(void)
{
	struct sigaction sa = { .sa_sigaction = handler,
				.sa_flags = SA_SIGINFO };

	settle();
	sigaction(SIGIO, &sa, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	sigaction(SIGTRAP, &sa, NULL);
	sigaction(SIGRTMIN + 1, &sa, NULL);
	sigaction(SIGRTMIN + 2, &sa, NULL);
	fresh = mmap(NULL, 512 * PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(fresh, 512 * PAGE, MADV_NOHUGEPAGE);
	raise(SIGUSR1);	/* what the handler touches is there by now */
	count = 0;
	last_fd = -1;
	last_signal = last_code = last_band = 0;
	owners();
	budgets();
	traps();
	blocked();
	return ktap_done();
}
