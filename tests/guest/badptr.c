// SPDX-License-Identifier: MIT
/*
 * Each pointer argument of each system call, bad in eight ways, while the
 * other arguments are good.
 * only: tags
 * tags: facts
 * timeout: 400
 *
 * One fact per argument; its answer is a list: NULL, misaligned, a kernel
 * address, unmapped, read-only, the last byte of a mapping, tagged in the top
 * byte, beyond user space.  Each call is made in a process of its own.  One
 * that faults is made again, many times, so that what it forgets to free adds
 * up; in the end the memory must be back.  What the arguments are stands in
 * badptr_files.h and badptr_calls.h.
 */
#define _GNU_SOURCE
#include "facts.h"
#include "freemem.h"

#include <grp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>

#include "badptr_calls.h"
#include "badptr_files.h"

#define AGAIN	     200
#define READ_ONLY    (4 * PAGE)
#define INNER	     6
#define FOLDER	     "/tmp/badptr"

enum way {
	GOOD, NOTHING, MISALIGNED, KERNEL, UNMAPPED, READONLY, LAST_BYTE,
	TAGGED, BEYOND, WAYS
};

static volatile long *answers;

/* --- what the calls are made on ----------------------------------------- */

static void must(bool good, const char *what)
{
	if (good)
		return;
	printf("# %s: %s\n", what, strerrorname_np(errno));
	fflush(stdout);
	_exit(99);
}

static int filled_pipe(int end)
{
	int fds[2];

	must(!pipe(fds), "pipe");
	must(write(fds[1], "hello", 5) == 5, "write to a pipe");
	return fds[end];
}

static int filled_socket(int type)
{
	int fds[2];

	must(!socketpair(AF_UNIX, type, 0, fds), "socketpair");
	must(write(fds[1], "hello", 5) == 5, "write to a socket");
	return fds[0];
}

static int listener(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX,
				    .sun_path = "listener" };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	int to = socket(AF_UNIX, SOCK_STREAM, 0);

	unlink("listener");
	must(!bind(fd, (void *)&name, sizeof(name)) && !listen(fd, 4) &&
	     !connect(to, (void *)&name, sizeof(name)), "listen");
	return fd;
}

static int child(bool ends)
{
	int pid = fork();
	siginfo_t info;

	must(pid >= 0, "fork");
	if (!pid) {
		if (ends)
			_exit(3);
		for (;;)
			pause();
	}
	if (ends)
		must(!waitid(P_PID, pid, &info, WEXITED | WNOWAIT), "waitid");
	return pid;
}

static int tracee(void)
{
	int pid = child(false);

	must(!ptrace(PTRACE_SEIZE, pid, 0, PTRACE_O_EXITKILL) &&
	     !ptrace(PTRACE_INTERRUPT, pid, 0, 0) &&
	     waitpid(pid, NULL, __WALL) == pid, "trace");
	return pid;
}

static int ready_epoll(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	int fd = epoll_create1(0);

	must(!epoll_ctl(fd, EPOLL_CTL_ADD, filled_pipe(0), &event), "epoll");
	return fd;
}

static long a_timer(void)
{
	struct sigevent none = { .sigev_notify = SIGEV_NONE };
	int id;

	must(!syscall(SYS_timer_create, CLOCK_MONOTONIC, &none, &id), "timer");
	return id;
}

static long pending_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	return 8;
}

static long two_groups(void)
{
	static const gid_t list[2] = { 1, 2 };

	must(!setgroups(2, list), "setgroups");
	return 2;
}

static long page_fault_event(void)
{
	struct perf_event_attr attr = SW(PAGE_FAULTS, .sample_period = 1 << 30);

	return open_event(&attr, 0, -1, -1, 0);
}

static long resource(enum resource what)
{
	switch (what) {
	case ZERO: return open("/dev/zero", O_RDWR);
	case FULL_PIPE: return filled_pipe(0);
	case PIPE_END: return filled_pipe(1);
	case FILE_F: return open("f", O_RDWR);
	case DIR_D: return open("..", O_RDONLY | O_DIRECTORY);
	case STREAM: return filled_socket(SOCK_STREAM);
	case DGRAM: return filled_socket(SOCK_DGRAM);
	case LISTENER: return listener();
	case SOCKET: return socket(AF_UNIX, SOCK_STREAM, 0);
	case DSOCKET: return socket(AF_UNIX, SOCK_DGRAM, 0);
	case EPOLL: return ready_epoll();
	case TIMER_FD: return timerfd_create(CLOCK_MONOTONIC, 0);
	case EVENT_FD: return eventfd(1, 0);
	case INOTIFY: return inotify_init1(0);
	case PTMX: return open("/dev/ptmx", O_RDWR | O_NOCTTY);
	case PERF: return page_fault_event();
	case PIDFD: return syscall(SYS_pidfd_open, getpid(), 0);
	case SELF: return getpid();
	case ENDED: return child(true);
	case TRACEE: return tracee();
	case TIMER: return a_timer();
	case SIGNALLED: return pending_signal();
	case GROUPS: return two_groups();
	}
	return -1;
}

/* The same files before each call. */
static void reset_files(void)
{
	int fd;

	umount2("d", MNT_DETACH);
	unlink("new");
	rmdir("new");
	rmdir("d");
	unlink("l");
	fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0755);
	must(fd >= 0 && write(fd, "#!/none\n01234567890123456789012345678901",
			      40) == 40, "write a file");
	syscall(SYS_fsetxattr, fd, "trusted.x", "value", 5, 0);
	close(fd);
	must(!mkdir("d", 0755) && !symlink("f", "l"), "make files");
}

/* --- the pointers ------------------------------------------------------- */

static char *slot(int i)
{
	return (char *)ARENA + i * SLOT;
}

/* A page that can be written, nothing, a page that can be read, nothing. */
static void make_arena(void)
{
	for (int i = 0; i < SLOTS; i++) {
		must(mmap(slot(i), PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
		     slot(i), "mmap");
		must(mmap(slot(i) + READ_ONLY, PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
		     slot(i) + READ_ONLY, "mmap");
	}
}

static long place(int i, const struct arg *a, enum way way)
{
	char *at = slot(i), *to;
	size_t bytes = a->v;

	to = at + (a->kind == WHOLE ? 0 : 64);
	switch (way) {
	case MISALIGNED:
		to++;
		break;
	case READONLY:
		to += READ_ONLY;
		break;
	case LAST_BYTE:
		to = at + PAGE - 1;
		bytes = 1;
		break;
	case NOTHING:
		return 0;
	case KERNEL:
		return (long)0xffff800008010000;
	case UNMAPPED:
		return (long)(at + 2 * PAGE + 64 - (a->kind == WHOLE) * 64);
	case BEYOND:
		return 1l << 48;
	default:
		break;
	}
	if (a->data)
		memcpy(to, a->data, bytes);
	if (way == TAGGED)
		return (long)to | 0x3al << 56;
	return (long)to;
}

/* The arguments, one of them bad; `which` INNER: the one inside another. */
static void prepare(const struct call *c, int which, enum way way, long *args)
{
	long inner = 0;

	if (c->inner.kind)
		inner = place(INNER, &c->inner, which == INNER ? way : GOOD);
	for (int i = 0; i < 6; i++) {
		const struct arg *a = &c->args[i];

		if (a->kind == NUMBER)
			args[i] = a->v;
		else if (a->kind == RESOURCE)
			args[i] = resource((enum resource)a->v);
		else
			args[i] = place(i, a, which == i ? way : GOOD);
		if (c->inner.kind && i == c->outer)
			memcpy((char *)args[i] + c->offset, &inner, 8);
	}
	for (int i = 0; i < SLOTS; i++)
		mprotect(slot(i) + READ_ONLY, PAGE, PROT_READ);
}

static void on_signal(int sig)
{
}

static void make_call(const struct call *c, int which, enum way way)
{
	static const struct sigaction catch = { .sa_handler = on_signal };
	int self = getpid();
	long a[6], r;

	alarm(20);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigaction(SIGUSR1, &catch, NULL);
	prepare(c, which, way, a);
	r = SAYS(syscall(c->nr, a[0], a[1], a[2], a[3], a[4], a[5]));
	if (getpid() != self)
		_exit(0);
	answers[way] = r;
	for (int i = 0; r == -EFAULT && i < AGAIN && !(c->how & ONCE); i++)
		r = SAYS(syscall(c->nr, a[0], a[1], a[2], a[3], a[4], a[5]));
	_exit(0);
}

static const char *answer(const struct call *c, int which, enum way way)
{
	int status, pid;

	reset_files();
	answers[way] = 0;
	pid = fork();
	must(pid >= 0, "fork");
	if (!pid)
		make_call(c, which, way);
	must(waitpid(pid, &status, 0) == pid, "waitpid");
	if (WIFSIGNALED(status))
		return text("SIG%s", sigabbrev_np(WTERMSIG(status)));
	if (WEXITSTATUS(status) == RAN)
		return "ran";
	if (WEXITSTATUS(status))
		return text("status %d", WEXITSTATUS(status));
	if (c->how & NO_NUMBER)
		return answer_of(answers[way]);
	return number(answers[way]);
}

static void ask(const struct call *c)
{
	bool good_told = false;

	for (int i = 0; i <= INNER; i++) {
		const struct arg *a = i == INNER ? &c->inner : &c->args[i];
		char list[512] = "";

		if (a->kind < POINTER || (c->inner.kind && i != INNER))
			continue;
		if (!good_told && !(c->how & NEVER_GOOD))
			fact(answer(c, i, GOOD), "%s, all good", c->name);
		good_told = true;
		for (int way = NOTHING; way < WAYS; way++) {
			if ((c->how & NEVER_GOOD) &&
			    (1 << way & (1 << MISALIGNED | 1 << READONLY |
					 1 << TAGGED)))
				continue;
			strcat(list, way == NOTHING ? "" : " ");
			if (way == NOTHING && (c->how & NULL_WAITS) &&
			    a->data == &soon)
				strcat(list, "-");
			else
				strcat(list, answer(c, i, way));
		}
		if (i == INNER)
			fact(list, "%s, bad", c->name);
		else
			fact(list, "%s, argument %d", c->name, i + 1);
	}
}

static void reap(void)
{
	while (waitpid(-1, NULL, 0) > 0)
		;
}

/* Without `tell`, once and well: for what is allocated once and kept. */
static void ask_all(const struct call *list, int n, const char *only, bool tell)
{
	for (int i = 0; i < n; i++) {
		if (only && strcmp(only, list[i].name))
			continue;
		if (tell)
			ask(&list[i]);
		else if (!(list[i].how & NEVER_GOOD))
			answer(&list[i], -1, GOOD);
	}
	reap();
}

int main(int argc, char **argv)
{
	const int files = sizeof(file_calls) / sizeof(*file_calls);
	const int others = sizeof(other_calls) / sizeof(*other_calls);
	const char *only = argc < 2 ? NULL : argv[1];
	long before;

	/* The calls of exec run this program again. */
	if (!strcmp(argv[0], "ran") || !*argv[0])
		return RAN;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	mkdir(FOLDER, 0755);
	must(!chdir(FOLDER), "chdir");
	answers = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	make_arena();
	ask_all(file_calls, files, only, false);
	ask_all(other_calls, others, only, false);
	before = free_kb();
	ask_all(file_calls, files, only, true);
	ask_all(other_calls, others, only, true);
	umount2("d", MNT_DETACH);
	memory_is_back(before, 8192);
	return ktap_done();
}
