/* SPDX-License-Identifier: MIT */
/*
 * Facts about probes of programs: in whose memory a breakpoint is.
 *
 * Several processes run this program and do what they are told; their text is
 * read through /proc/PID/mem.
 *
 * only: tags
 * tags: facts
 */
#define _GNU_SOURCE
#include "facts.h"

#define TRACING "/sys/kernel/tracing/"

extern const char __ehdr_start[];

/* One process, and the pipes to it and from it. */
struct helper {
	pid_t pid;
	int to, from;
};

static volatile int sink;

__attribute__((noinline, noipa)) static void target(void)
{
	sink++;
}

static u64 place(void)
{
	return (u64)((const char *)(uintptr_t)target - __ehdr_start);
}

static char self[256];

/* --- the helpers --------------------------------------------------------- */

static void obey(int from, int to)
{
	int answer;
	char order;

	while (read(from, &order, 1) == 1) {
		answer = 0;
		switch (order) {
		case 'c':
			target();
			break;
		case 'f':
			answer = fork();
			if (!answer)
				continue;
			break;
		case 'w':
			wait(NULL);
			break;
		case 'x':
			execl(self, self, text("%d", from), text("%d", to),
			      NULL);
			_exit(1);
		case 'q':
			_exit(0);
		}
		if (write(to, &answer, sizeof(answer)) != sizeof(answer))
			_exit(1);
	}
	_exit(0);
}

static struct helper helper(void)
{
	struct helper h;
	int to[2], from[2];

	if (pipe(to) || pipe(from))
		exit(1);
	h.pid = fork();
	if (!h.pid)
		obey(to[0], from[1]);
	close(to[0]);
	close(from[1]);
	h.to = to[1];
	h.from = from[0];
	return h;
}

static int tell(struct helper h, char order)
{
	int answer = -1;

	if (write(h.to, &order, 1) != 1 ||
	    read(h.from, &answer, sizeof(answer)) != sizeof(answer))
		exit(1);
	return answer;
}

static void call(struct helper h, int n)
{
	while (n--)
		tell(h, 'c');
}

static void end(struct helper h)
{
	kill(h.pid, SIGKILL);
	waitpid(h.pid, NULL, 0);
	close(h.to);
	close(h.from);
}

/* --- what is there ------------------------------------------------------- */

static u32 clean;

static u32 word_of(pid_t pid)
{
	u32 word = 0;
	int fd = open(text("/proc/%d/mem", pid), O_RDONLY);

	if (fd < 0 || pread(fd, &word, 4, (off_t)(uintptr_t)target) != 4)
		word = 0;
	close(fd);
	return word;
}

static const char *state_of(pid_t pid)
{
	u32 word = word_of(pid);

	return word == clean ? "clean" : word ? "probed" : "unreadable";
}

static int on_target(pid_t pid, bool inherit)
{
	struct perf_event_attr a = { .size = 128, .inherit = inherit };
	FILE *f = fopen("/sys/bus/event_source/devices/uprobe/type", "r");

	if (!f || fscanf(f, "%u", &a.type) != 1)
		exit(1);
	fclose(f);
	a.config1 = (uintptr_t)self;
	a.config2 = place();
	return must_open(&a, pid, pid == -1 ? 0 : -1, -1, 0);
}

static struct perf_event_attr named_attr(void)
{
	struct perf_event_attr a = ATTR(PERF_TYPE_TRACEPOINT, 0);
	FILE *f = fopen(TRACING "events/uprobes/spaces/id", "r");
	int id;

	if (!f || fscanf(f, "%d", &id) != 1)
		exit(1);
	fclose(f);
	a.config = id;
	return a;
}

static int on_named(pid_t pid)
{
	struct perf_event_attr a = named_attr();

	return must_open(&a, pid, -1, -1, 0);
}

static const char *tried_named(pid_t pid)
{
	struct perf_event_attr a = named_attr();

	return tried_at(&a, pid, pid == -1 ? 0 : -1, -1, 0);
}

static const char *value(int fd)
{
	u64 v = 0;

	return read(fd, &v, 8) == 8 ? number((long)v) : "?";
}

static void say(const char *when, struct helper a, struct helper b)
{
	fact(state_of(a.pid), "%s, the first", when);
	fact(state_of(b.pid), "%s, the second", when);
	fact(state_of(getpid()), "%s, a third", when);
}

/* --- facts --------------------------------------------------------------- */

static void one_task(void)
{
	struct helper a = helper(), b = helper(), c;
	int fd = on_target(a.pid, false), other;

	say("an event of the first", a, b);
	call(a, 5);
	call(b, 3);
	fact(value(fd), "5 calls of the first, 3 of the second");
	c = helper();
	fact(state_of(c.pid), "a later process");
	end(c);
	other = on_target(b.pid, false);
	say("and one of the second", a, b);
	close(fd);
	say("the first one closed", a, b);
	call(a, 2);
	call(b, 2);
	fact(value(other), "2 calls of each");
	tell(b, 'x');
	fact(state_of(b.pid), "the second after exec");
	call(b, 4);
	fact(value(other), "4 calls after exec");
	close(other);
	say("all closed", a, b);
	end(a);
	end(b);
}

static void all_tasks(void)
{
	struct helper a = helper(), b = helper();
	int wide = on_target(-1, false), fd;

	say("an event of a CPU", a, b);
	fd = on_target(a.pid, false);
	say("and one of the first", a, b);
	close(wide);
	say("that of the CPU closed", a, b);
	wide = on_target(-1, false);
	say("and opened again", a, b);
	close(fd);
	say("the first one's closed", a, b);
	close(wide);
	say("both closed", a, b);
	end(a);
	end(b);
}

/* The calls of a child. */
static void children(bool inherit)
{
	const char *kind = inherit ? "inherited" : "not inherited";
	struct helper a = helper(), child = a;
	int fd = on_target(a.pid, inherit);

	child.pid = tell(a, 'f');
	fact(state_of(child.pid), "a child, %s", kind);
	/* Both listen: the child does when its parent waits for it. */
	kill(a.pid, SIGSTOP);
	waitpid(a.pid, NULL, WUNTRACED);
	call(child, 3);
	fact(state_of(child.pid), "a child that has called, %s", kind);
	fact(state_of(a.pid), "its parent, %s", kind);
	fact(value(fd), "3 calls of a child, %s", kind);
	if (write(a.to, "q", 1) != 1)
		exit(1);
	while (word_of(child.pid))
		usleep(1000);
	kill(a.pid, SIGCONT);
	tell(a, 'w');
	call(a, 2);
	fact(value(fd), "and 2 of the parent, %s", kind);
	fact(state_of(a.pid), "the parent after its child, %s", kind);
	close(fd);
	fact(state_of(a.pid), "the parent, closed, %s", kind);
	end(a);
}

/* As on Linux, an event in a program is perf's or tracefs's. */
static const char *enable(const char *how)
{
	int fd = open(TRACING "events/uprobes/spaces/enable", O_WRONLY);
	long r = SAYS(write(fd, how, 1));

	close(fd);
	return answer_of(r);
}

static void named(void)
{
	struct helper a = helper(), b = helper();
	int fd;

	if (!put_file(TRACING "uprobe_events",
		      text("p:spaces %s:0x%llx", self,
			   (unsigned long long)place())))
		exit(1);
	say("defined", a, b);
	fd = on_named(a.pid);
	say("defined, an event of the first", a, b);
	fact(enable("1"), "tracefs beside perf");
	say("tracefs was refused", a, b);
	call(a, 2);
	call(b, 3);
	fact(value(fd), "2 calls of the first, 3 of the second, defined");
	close(fd);
	say("closed", a, b);
	fact(enable("1"), "tracefs alone");
	say("in tracefs", a, b);
	fact(tried_named(a.pid), "perf beside tracefs");
	fact(tried_named(-1), "perf on a CPU beside tracefs");
	say("perf was refused", a, b);
	fact(enable("0"), "tracefs off");
	say("nobody", a, b);
	fact(tried_named(a.pid), "perf again");
	put_file(TRACING "uprobe_events", "");
	end(a);
	end(b);
}

int main(int argc, char **argv)
{
	self[readlink("/proc/self/exe", self, sizeof(self) - 1)] = '\0';
	if (argc == 3) {
		int ok = 0;

		if (write(atoi(argv[2]), &ok, sizeof(ok)) != sizeof(ok))
			return 1;
		obey(atoi(argv[1]), atoi(argv[2]));
	}
	settle();
	clean = word_of(getpid());
	one_task();
	all_tasks();
	children(false);
	children(true);
	named();
	return ktap_done();
}
