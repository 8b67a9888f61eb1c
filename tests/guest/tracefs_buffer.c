// SPDX-License-Identifier: MIT
/*
 * Facts about trace buffers: instances, what is read, spliced and polled, what
 * is lost, clocks, sizes, options.
 * only: tags
 * tags: facts
 * timeout: 200
 */
#define _GNU_SOURCE
#include "tracing.h"

/* --- instances ------------------------------------------------------------ */

static void held(const char *name, int flags)
{
	int fd = open(path(INST, name), flags);
	long busy = SAYS(rmdir(INST));

	if (!busy)
		mkdir(INST, 0755);
	if (fd >= 0)
		close(fd);
	fact(fd < 0 ? "?" : answer_of(busy), "rmdir with %s open", name);
}

static void instances(void)
{
	struct stat st;

	fact(answer_of(SAYS(mkdir(INST, 0755))), "mkdir of an instance");
	fact(answer_of(SAYS(mkdir(INST, 0755))), "mkdir of it again");
	fact(answer_of(SAYS(rmdir(TRACING "instances/no"))), "rmdir of none");
	fact(answer_of(SAYS(mkdir(TRACING "events/no", 0755))),
	     "mkdir in events");
	fact(answer_of(SAYS(rmdir(TRACING "events/sched"))),
	     "rmdir of a system");
	fact(answer_of(SAYS(rmdir(TRACING "instances"))),
	     "rmdir of all instances");
	fact(answer_of(SAYS(mkdir(INST "sub", 0755))),
	     "mkdir in an instance");
	fact(answer_of(SAYS(unlink(INST "trace"))), "unlink of its trace");
	fact(answer_of(SAYS(rename(INST, TRACING "instances/other"))),
	     "rename of an instance");
	fact(answer_of(SAYS(open(TRACING "instances/f", O_CREAT | O_RDWR))),
	     "a file in instances");
	fact(stat(INST, &st) ? "?" : text("%o", st.st_mode & 07777),
	     "mode of an instance");
	held("trace", O_RDONLY);
	held("trace_pipe", O_RDONLY);
	held("per_cpu/cpu0/trace_pipe_raw", O_RDONLY);
	held("trace_marker", O_WRONLY);
	held("tracing_on", O_RDONLY);
	held("trace_options", O_RDONLY);
	held("options/overwrite", O_RDONLY);
	held("set_event", O_RDONLY);
	held("set_event_pid", O_RDONLY);
	held("buffer_size_kb", O_RDONLY);
	held("events/sched/sched_switch/enable", O_RDONLY);
	held("events/sched/sched_switch/format", O_RDONLY);
	held("events/sched/enable", O_RDONLY);
	held("error_log", O_RDONLY);
	fact(answer_of(SAYS(rmdir(INST))), "rmdir of an instance");
	fact(stat(INST, &st) ? strerrorname_np(errno) : "there", "then it is");
	mkdir(INST, 0755);
}

static void apart(void)
{
	emptied(TRACING);
	mark(INST, 3);
	fact(number(count(read_all(INST "trace"), "tracing_mark_write")),
	     "marks of an instance in it");
	fact(number(count(read_all(TRACING "trace"), "tracing_mark_write")),
	     "and at the top");
	write_text(INST "events/sched/sched_switch/enable", "1");
	fact(line_of(TRACING "events/sched/sched_switch/enable"),
	     "an event that is on in an instance, at the top");
	fact(line_of(INST "set_event"), "set_event of the instance");
	fact(line_of(TRACING "set_event"), "set_event at the top");
	write_text(INST "events/sched/sched_switch/filter", "next_pid == 1");
	fact(line_of(TRACING "events/sched/sched_switch/filter"),
	     "its filter, at the top");
	write_text(INST "tracing_on", "0");
	fact(line_of(TRACING "tracing_on"), "tracing_on at the top");
	write_text(INST "trace_clock", "counter");
	fact(line_of(TRACING "trace_clock"), "trace_clock at the top");
	write_text(INST "trace_clock", "local");
	write_text(INST "tracing_on", "1");
	write_text(INST "events/enable", "0");
	write_text(INST "events/sched/sched_switch/filter", "0");
	emptied(INST);
}

/* --- sizes and what is lost ----------------------------------------------- */

static void sizes(void)
{
	static const char *const some[] = { "1", "8", "100", "1408", "2000" };

	for (u32 i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		write_text(INST "buffer_size_kb", some[i]);
		fact(line_of(INST "buffer_size_kb"), "size of %s", some[i]);
	}
	write_text(INST "per_cpu/cpu1/buffer_size_kb", "50");
	fact(line_of(INST "buffer_size_kb"), "one is of another size");
	fact(line_of(INST "per_cpu/cpu1/buffer_size_kb"), "its size");
	fact(line_of(INST "per_cpu/cpu0/buffer_size_kb"), "another's size");
	write_text(INST "buffer_size_kb", "1408");
	mark(INST, 10);
	write_text(INST "buffer_size_kb", "2000");
	fact(number(stat_of(INST, "entries: ")), "10 marks after growing");
	write_text(INST "buffer_size_kb", "100");
	fact(number(stat_of(INST, "entries: ")), "10 marks after shrinking");
	write_text(INST "events/sched/sched_switch/enable", "1");
	fact(answer_of(write_text(INST "buffer_size_kb", "200")),
	     "resizing with an event on");
	write_text(INST "events/sched/sched_switch/enable", "0");
	emptied(INST);
}

static void losing(void)
{
	char *s;

	write_text(INST "buffer_size_kb", "8");
	mark(INST, 1000);
	fact(stat_of(INST, "overrun: ") > 500 ? "most" : "few",
	     "overrun of 1000 marks in 8 kB");
	fact(stat_of(INST, "entries: ") + stat_of(INST, "overrun: ") == 1000 ?
		     "1000" : "others", "entries and overrun");
	fact(number(stat_of(INST, "dropped events: ")), "dropped");
	s = read_all(INST "trace");
	fact(strstr(s, "buffer started ####") ? "said" : "not said",
	     "trace: where a CPU begins");
	fact(strstr(s, "LOST") ? "said" : "not said", "trace: that some are lost");
	write_text(INST "options/annotate", "0");
	fact(strstr(read_all(INST "trace"), "buffer started") ? "said" :
								"not said",
	     "without annotate");
	write_text(INST "options/annotate", "1");
	emptied(INST);
	fact(number(stat_of(INST, "overrun: ")), "overrun after emptying");
	write_text(INST "options/overwrite", "0");
	mark(INST, 1000);
	fact(number(stat_of(INST, "overrun: ")), "overrun, no overwriting");
	fact(stat_of(INST, "dropped events: ") > 0 ? "some" : "none",
	     "dropped, no overwriting");
	fact(answer_of(write_text(INST "trace_marker", "x")),
	     "a mark that finds no room");
	write_text(INST "options/overwrite", "1");
	emptied(INST);
	write_text(INST "buffer_size_kb", "1408");
}

static void pipe_text(void)
{
	char buf[4096];
	int fd, n;

	write_text(INST "buffer_size_kb", "8");
	mark(INST, 1000);
	fd = open(INST "trace_pipe", O_RDONLY | O_NONBLOCK);
	n = read(fd, buf, sizeof(buf) - 1);
	buf[n > 0 ? n : 0] = 0;
	fact(strstr(buf, "CPU:0 [LOST ") && strstr(buf, " EVENTS]\n") ?
		     "said" : "not said",
	     "trace_pipe: how many are lost");
	while ((n = SAYS(read(fd, buf, sizeof(buf)))) > 0)
		;
	fact(answer_of(n), "trace_pipe, taken empty");
	write_text(INST "tracing_on", "0");
	fact(answer_of(SAYS(read(fd, buf, 10))), "and tracing is off");
	fcntl(fd, F_SETFL, 0);
	fact(number(SAYS(read(fd, buf, 10))), "the same, blocking");
	write_text(INST "tracing_on", "1");
	close(fd);
	fd = open(INST "trace_pipe", O_RDONLY);
	fact(answer_of(SAYS(lseek(fd, 0, SEEK_SET))), "lseek on trace_pipe");
	close(fd);
	write_text(INST "buffer_size_kb", "1408");
	emptied(INST);
}

/* --- pages ---------------------------------------------------------------- */

static int polled(int fd)
{
	struct pollfd p = { fd, POLLIN, 0 };

	poll(&p, 1, 0);
	return p.revents;
}

static void pages(void)
{
	static char buf[8192];
	int p[2], fd = open(INST "per_cpu/cpu0/trace_pipe_raw",
			    O_RDONLY | O_NONBLOCK);
	u64 commit;
	loff_t off = 0;

	write_text(INST "buffer_size_kb", "40");
	if (pipe(p))
		exit(1);
	fact(answer_of(SAYS(read(fd, buf, 4096))), "read of no page");
	fact(text("%x", polled(fd)), "poll of no page");
	mark(INST, 3);
	fact(text("%x", polled(fd)), "poll of a page that is not full");
	fact(answer_of(SAYS(splice(fd, NULL, p[1], NULL, 4096, 0))),
	     "splice of it");
	fact(number(SAYS(read(fd, buf, 4096))), "read of a page");
	memcpy(&commit, buf + 8, 8);
	fact(text("%llx", (unsigned long long)commit), "bytes in the page");
	fact(answer_of(SAYS(read(fd, buf, 4096))), "read after it");
	mark(INST, 200);
	fact(number(stat_of(INST, "read events: ")), "read events");
	fact(answer_of(SAYS(splice(fd, NULL, p[1], NULL, 100, 0))),
	     "splice of less than a page");
	fact(answer_of(SAYS(splice(fd, &off, p[1], NULL, 4096, 0))),
	     "splice at an offset");
	fact(number(SAYS(splice(fd, NULL, p[1], NULL, 5000, 0))),
	     "splice of 5000 bytes");
	fact(number(SAYS(splice(fd, NULL, p[1], NULL, 65536,
				SPLICE_F_NONBLOCK))),
	     "splice of all full pages");
	fact(answer_of(SAYS(splice(fd, NULL, p[1], NULL, 65536,
				   SPLICE_F_NONBLOCK))),
	     "splice of none");
	mark(INST, 400);
	fact(text("%x", polled(fd)), "poll when more than half is full");
	write_text(INST "buffer_percent", "100");
	fact(text("%x", polled(fd)), "and all of it is wanted");
	write_text(INST "buffer_percent", "0");
	fact(text("%x", polled(fd)), "and any page is");
	write_text(INST "buffer_percent", "50");
	fact(answer_of(SAYS(ioctl(fd, 0, 0))), "ioctl 0");
	fact(answer_of(SAYS(ioctl(fd, 0x5599, 0))), "another ioctl");
	close(fd);
	close(p[0]);
	close(p[1]);
	emptied(INST);
}

/* Until pid sleeps: it has come to where it waits. */
static void until_asleep(pid_t pid)
{
	for (int i = 0; i < 2000; i++) {
		const char *s = read_all(text("/proc/%d/stat", pid));

		s = strrchr(s, ')');
		if (s && s[1] && s[2] == 'S')
			return;
		usleep(10000);
	}
}

/*
 * A reader in another process, until it is released; whoever is not is given
 * so many hundredths of a second.
 */
static const char *waiter(bool splices, const char *how, int patience)
{
	int p[2], fd, status;
	pid_t pid;
	long n = -1;

	fd = open(INST "per_cpu/cpu0/trace_pipe_raw", O_RDONLY);
	if (pipe(p))
		exit(1);
	pid = fork();
	if (!pid) {
		static char buf[4096];

		n = splices ? SAYS(splice(fd, NULL, p[1], NULL, 65536, 0)) :
			      SAYS(read(fd, buf, 4096));
		_exit(n > 0 ? 1 : n == 0 ? 2 : (int)-n);
	}
	until_asleep(pid);
	if (!strcmp(how, "off"))
		write_text(INST "tracing_on", "0");
	else if (!strcmp(how, "ioctl"))
		ioctl(fd, 0, 0);
	else if (!strcmp(how, "mark"))
		mark(INST, 1);
	else
		mark(INST, 1000);
	while (patience-- && n < 0) {
		usleep(10000);
		if (waitpid(pid, &status, WNOHANG) == pid)
			n = WEXITSTATUS(status);
	}
	if (n < 0) {
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
	write_text(INST "tracing_on", "1");
	close(fd);
	close(p[0]);
	close(p[1]);
	emptied(INST);
	return n < 0 ? "waits on" : n == 1 ? "data" : n == 2 ? "the end" :
							strerrorname_np(n);
}

#define LONG  3000
#define SHORT 50

static void waiting(void)
{
	fact(waiter(false, "mark", LONG), "read waits, one mark");
	fact(waiter(false, "off", SHORT), "read waits, tracing goes off");
	fact(waiter(true, "mark", SHORT), "splice waits, one mark");
	fact(waiter(true, "marks", LONG), "splice waits, many marks");
	fact(waiter(true, "off", LONG), "splice waits, tracing goes off");
	fact(waiter(true, "ioctl", LONG), "splice waits, ioctl 0");
	write_text(INST "buffer_size_kb", "1408");
}

/* --- clocks, options ------------------------------------------------------ */

static void clocks(void)
{
	static const char *const names[] = { "local", "global", "counter",
					     "uptime", "perf", "mono",
					     "mono_raw", "boot", "tai" };
	char *s;

	fact(line_of(INST "trace_clock"), "clocks");
	for (u32 i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		mark(INST, 1);
		fact(answer_of(write_text(INST "trace_clock", names[i])),
		     "clock %s", names[i]);
		fact(number(count(read_all(INST "trace"), "mark")),
		     "marks after it, %s", names[i]);
		mark(INST, 2);
		s = strstr(read_all(INST "trace"), "....");
		s = s ? strchr(s, ' ') : NULL;
		fact(s && strcspn(s, ".") < strcspn(s, ":") ? "seconds" :
							      "a number",
		     "time of %s", names[i]);
	}
	write_text(INST "trace_clock", "local");
	emptied(INST);
}

static void options(void)
{
	write_text(INST "options/markers", "0");
	fact(answer_of(write_text(INST "trace_marker", "x")),
	     "trace_marker without markers");
	fact(answer_of(write_text(INST "trace_marker_raw", "12345678")),
	     "trace_marker_raw without markers");
	write_text(INST "trace_options", "markers");
	fact(line_of(INST "options/markers"), "options/markers, then");
	write_text(INST "tracing_on", "0");
	fact(answer_of(write_text(INST "trace_marker", "x")),
	     "trace_marker while off");
	write_text(INST "tracing_on", "1");
	write_text(INST "tracing_cpumask", "e");
	fact(answer_of(write_text(INST "trace_marker", "x")),
	     "trace_marker on a CPU that is masked");
	write_text(INST "tracing_cpumask", "f");
	emptied(INST);
	mark(INST, 1);
	write_text(INST "options/context-info", "0");
	fact(strstr(read_all(INST "trace"), "\ntracing_mark_write: ") ?
		     "bare" : "with more", "a mark without context-info");
	write_text(INST "options/context-info", "1");
	write_text(INST "options/irq-info", "0");
	fact(strstr(read_all(INST "trace"), "|||||") ? "there" : "not there",
	     "flags without irq-info");
	write_text(INST "options/irq-info", "1");
	write_text(INST "options/record-tgid", "1");
	fact(strstr(read_all(INST "trace"), "TGID") ? "there" : "not there",
	     "TGID with record-tgid");
	write_text(INST "options/record-tgid", "0");
	emptied(INST);
	write_text(INST "trace_marker_raw", "\1\2\3\4abcd");
	fact(number(stat_of(INST, "bytes: ")), "bytes of a raw mark");
	emptied(INST);
	write_text(INST "trace_marker", "");
	fact(number(stat_of(INST, "bytes: ")), "bytes of an empty mark");
	emptied(INST);
	write_text(INST "trace_marker", "12345");
	fact(number(stat_of(INST, "bytes: ")), "bytes of a mark of 5");
	emptied(INST);
	close(open(INST "free_buffer", O_WRONLY));
	fact(line_of(INST "buffer_size_kb"), "size after free_buffer");
	fact(line_of(INST "tracing_on"), "tracing_on after free_buffer");
	write_text(INST "options/disable_on_free", "1");
	close(open(INST "free_buffer", O_WRONLY));
	fact(line_of(INST "tracing_on"), "and with disable_on_free");
	write_text(INST "options/disable_on_free", "0");
	write_text(INST "tracing_on", "1");
	write_text(INST "buffer_size_kb", "1408");
}

int main(void)
{
	begin();
	instances();
	apart();
	sizes();
	losing();
	pipe_text();
	pages();
	waiting();
	clocks();
	options();
	fact(answer_of(SAYS(rmdir(INST))), "rmdir at the end");
	return ktap_done();
}
