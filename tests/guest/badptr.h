/* SPDX-License-Identifier: MIT */
/*
 * How badptr.c is told of a call, and what is at the good pointers.
 */
#ifndef TESTS_GUEST_BADPTR_H
#define TESTS_GUEST_BADPTR_H

#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/openat2.h>
#include <linux/reboot.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <termios.h>

enum resource {
	ZERO, FULL_PIPE, PIPE_END, FILE_F, DIR_D, STREAM, DGRAM, LISTENER,
	SOCKET, DSOCKET, EPOLL, TIMER_FD, EVENT_FD, INOTIFY, PTMX, PERF, PIDFD,
	SELF, ENDED, TRACEE, TIMER, SIGNALLED,
	GROUPS,
};

struct arg {
	enum { NUMBER, RESOURCE, POINTER, WHOLE } kind;
	long v;			/* the number, which resource, how many bytes */
	const void *data;	/* what is there; NULL: zeroes */
};

enum how {
	NO_NUMBER = 1,		/* its value differs from call to call */
	ONCE = 2,		/* made again, it would wait */
	NEVER_GOOD = 4,		/* only addresses that cannot be read */
	NULL_WAITS = 8,		/* without this argument, it would wait */
};

struct call {
	const char *name;
	long nr;
	struct arg args[6];
	int how;
	struct arg inner;	/* a pointer at `offset` in argument `outer` */
	int outer, offset;
};

/* A place for each argument, for a pointer inside one, and to spare. */
#define ARENA 0x7000000000ul
#define SLOT  (16 * PAGE)
#define SLOTS 8
#define SPARE (ARENA + 7 * SLOT)
#define RAN 77			/* status of a program that exec has run */

#define NUM(x) { .v = (long)(x) }
#define RES(x) { .kind = RESOURCE, .v = (x) }
#define OUT(n) { .kind = POINTER, .v = (n) }
#define IN(x) { .kind = POINTER, .v = sizeof(x), .data = &(x) }
#define STR(s) { .kind = POINTER, .v = sizeof(s), .data = (s) }
#define PAGE_AT { .kind = WHOLE, .v = 4096 }
#define INSIDE(n, at, ...) .inner = __VA_ARGS__, .outer = (n), .offset = (at)
#define CWD NUM(AT_FDCWD)

static const struct timespec soon = { 0, 1000 }, no_time = { 0, 2000000000 };
static const struct timeval no_timeval = { 0, 2000000 };
static const struct timespec two_times[2];
static const struct itimerspec in_an_hour = { { 0, 0 }, { 3600, 0 } };
static const struct itimerval hour_itimer = { { 0, 0 }, { 3600, 0 } };
static const unsigned long usr1_mask[1] = { 1ul << (SIGUSR1 - 1) };
static const unsigned long no_mask[1];
static const long plain_action[4];
static const struct { void *base; int flags; size_t size; } a_stack = {
	(void *)0x10000, 0, 65536
};
static const struct siginfo_like { int sig, err, code, pad[29]; } queued = {
	SIGUSR1, 0, SI_QUEUE, { 0 }
};
static const struct sigevent no_notice = { .sigev_notify = SIGEV_NONE };
static const struct sockaddr_un unix_name = { AF_UNIX, "new" };
static const struct sockaddr_un unix_listener = { AF_UNIX, "listener" };
static const int name_bytes = sizeof(struct sockaddr_un), int_bytes = 4;
static const int a_one = 1;
static const unsigned futex_word, futex_mine_not = 1;
static const struct iovec one_iov = { NULL, 8 };
static const struct iovec good_iov = { (void *)SPARE, 8 };
static const struct msghdr with_iov = { .msg_iov = NULL, .msg_iovlen = 1 };
static const struct msghdr with_name = { .msg_namelen = 110 };
static const struct msghdr with_control = { .msg_controllen = 24 };
static const struct mmsghdr one_mmsg;
static const struct cmsghdr a_cmsg[2] = { { 20, SOL_SOCKET, SCM_RIGHTS } };
static const struct pollfd a_pollfd = { -1, POLLIN, 0 };
static const long fd_bits[2];
static const struct { long address, bytes; } select_mask = { 0, 8 };
static const struct epoll_event an_event = { .events = EPOLLIN };
static const struct sched_param no_param;
static const unsigned sched_attr_words[14] = { 56 };
static const unsigned long cpu_bits[2] = { ~0ul, ~0ul };
static const struct rlimit64_like { u64 cur, max; } a_limit = { 64, 128 };
static const struct __user_cap_header_struct cap_head = {
	_LINUX_CAPABILITY_VERSION_3, 0
};
static const struct __user_cap_data_struct cap_sets[2];
static const u64 clone_words[11] = { [4] = SIGCHLD };
static const u64 clone_tids[11] = {
	CLONE_PARENT_SETTID | CLONE_CHILD_SETTID, [4] = SIGCHLD
};
static const u64 clone_pidfd[11] = { CLONE_PIDFD, [4] = SIGCHLD };
static const struct open_how how_read = { O_RDONLY, 0, 0 };
static const struct timex timex_none;
static const long long an_offset[1] = { 2 };
static const struct perf_event_attr faults_attr = SW(PAGE_FAULTS);
static const u64 period_word = 1000;
static const char *const argv_ran[3];
static const struct winsize a_size = { 24, 80, 0, 0 };
static const struct termios a_termios;
static const struct flock a_lock = { .l_type = F_RDLCK };
static const struct f_owner_ex an_owner = { F_OWNER_PID, 0 };
static const struct linger no_linger;
static const u64 nodes[1] = { 1 };
static const unsigned group_list[2] = { 1, 2 };
static const int process_word = 0x12345678;

#endif /* TESTS_GUEST_BADPTR_H */
