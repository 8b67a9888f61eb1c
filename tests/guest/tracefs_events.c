// SPDX-License-Identifier: MIT
/*
 * Facts about what is recorded: whose events, triggers, and what perf counts
 * meanwhile.
 * only: tags
 * tags: facts
 * timeout: 200
 */
#define _GNU_SOURCE
#include "tracing.h"

/* --- whose events --------------------------------------------------------- */

#define CALL "events/syscalls/sys_enter_getppid/"

static void child_calls(int n)
{
	pid_t pid = fork();

	if (!pid) {
		for (int i = 0; i < n; i++)
			syscall(SYS_getppid);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static const char *calls_seen(void)
{
	const char *n = number(count(read_all(INST "trace"), "getppid("));

	emptied(INST);
	return n;
}

static void pids(void)
{
	int n = 0;

	write_text(INST CALL "enable", "1");
	child_calls(3);
	syscall(SYS_getppid);
	fact(calls_seen(), "calls of a child and one's own");
	write_text(INST "set_event_pid", text("%d", getpid()));
	child_calls(3);
	syscall(SYS_getppid);
	fact(calls_seen(), "with set_event_pid");
	write_text(INST "options/event-fork", "1");
	child_calls(3);
	syscall(SYS_getppid);
	fact(calls_seen(), "and event-fork");
	for (int i = 0; i < 1000; i++) {
		n = count(read_all(INST "set_event_pid"), "\n");
		if (n == 1)
			break;
		usleep(20000);
	}
	fact(number(n), "numbers in set_event_pid, in the end");
	write_text(INST "options/event-fork", "0");
	put_file(INST "set_event_pid", "");
	write_text(INST "set_event_notrace_pid", text("%d", getpid()));
	child_calls(3);
	syscall(SYS_getppid);
	fact(calls_seen(), "with set_event_notrace_pid");
	put_file(INST "set_event_notrace_pid", "");
	put_file(INST "set_event_pid", "7 5 9");
	write_text(INST "set_event_pid", "6\n8");
	fact(text("%d of %.2s", count(read_all(INST "set_event_pid"), "\n"),
		  read_all(INST "set_event_pid")),
	     "5 numbers, the first");
	fact(answer_of(write_text(INST "set_event_pid", "4 x")),
	     "one that is no number");
	fact(number(count(read_all(INST "set_event_pid"), "\n")),
	     "how many, then");
	put_file(INST "set_event_pid", "");
	write_text(INST CALL "enable", "0");
}

/* A switch to a task concerns it, too. */
static void pids_sched(void)
{
	int p[2], q[2], n;
	char c;
	pid_t pid;

	if (pipe(p) || pipe(q))
		exit(1);
	pid = fork();
	if (!pid) {
		close(p[1]);
		while (read(p[0], &c, 1) == 1 && write(q[1], &c, 1) == 1)
			;
		_exit(0);
	}
	write_text(INST "set_event_pid", text("%d", pid));
	write_text(INST "events/sched/sched_switch/enable", "1");
	for (int i = 0; i < 10; i++)
		if (write(p[1], "x", 1) != 1 || read(q[0], &c, 1) != 1)
			exit(1);
	write_text(INST "events/enable", "0");
	n = count(read_all(INST "trace"), text("next_pid=%d ", pid));
	fact(n >= 5 ? "seen" : "not seen", "switches to a task");
	n = count(read_all(INST "trace"), text("prev_pid=%d ", pid));
	fact(n >= 5 ? "seen" : "not seen", "switches from it");
	close(p[1]);
	waitpid(pid, NULL, 0);
	put_file(INST "set_event_pid", "");
	emptied(INST);
}

/* --- triggers ------------------------------------------------------------- */

static long trigger(const char *command)
{
	return write_text(INST CALL "trigger", command);
}

static void trigger_texts(void)
{
	static const char *const commands[] = {
		"traceoff", "traceoff", "traceoff:3", "traceon", "!traceon",
		"traceoff:3", "!traceoff", "!traceoff", "stacktrace:5",
		"stacktrace", "!stacktrace:9",
		"enable_event:sched:sched_switch",
		"disable_event:sched:sched_switch:2",
		"!enable_event:sched:sched_switch",
		"disable_event:sched:sched_wakeup:2", "enable_event:sched",
		"enable_event:no:no", "traceoff if common_pid == 1",
		"!traceoff", "traceon:2 if common_pid > 0", "!traceon",
		"traceoff if no == 1", "traceoff if", "traceoff:x",
		"traceoff:-1", "traceoff:", "!traceoff", "traceoff:0",
		"!traceoff", "traceoff:1:2", "!traceoff", "no", "!no", "!",
		":", "  traceoff  ", "!traceoff  ", "traceoff of x",
	};

	for (u32 i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		fact(text("%s, %s", answer_of(trigger(commands[i])),
			  *read_all(INST CALL "trigger") == '#' ? "none" :
			  line_of(INST CALL "trigger")),
		     "trigger %d: %s", i, commands[i]);
	fact(line_of(INST "events/sched/sched_wakeup/enable"),
	     "an event that a trigger switches");
	fact(line_of(INST CALL "enable"), "an event that has a trigger");
	trigger("!disable_event:sched:sched_wakeup");
	fact(line_of(INST "events/sched/sched_wakeup/enable"),
	     "and without the trigger");
	fact(line_of(INST CALL "enable"), "an event without triggers");
}

static void call(int n)
{
	for (int i = 0; i < n; i++)
		syscall(SYS_getppid);
}

static void trigger_effects(void)
{
	write_text(INST CALL "enable", "1");
	trigger("traceoff");
	call(3);
	fact(line_of(INST "tracing_on"), "traceoff, then tracing_on");
	fact(calls_seen(), "calls recorded with traceoff");
	trigger("!traceoff");
	trigger("traceon");
	call(3);
	fact(calls_seen(), "calls recorded with traceon");
	trigger("!traceon");
	write_text(INST "tracing_on", "1");
	trigger("traceoff:1");
	call(1);
	fact(line_of(INST CALL "trigger"), "a count of 1, used");
	write_text(INST "tracing_on", "1");
	call(3);
	fact(line_of(INST "tracing_on"), "tracing_on, used up");
	trigger("!traceoff");
	emptied(INST);
	trigger("traceoff if common_pid == 0");
	call(3);
	fact(line_of(INST "tracing_on"), "traceoff for another");
	trigger("!traceoff");
	emptied(INST);
	trigger("stacktrace:2");
	call(3);
	fact(number(count(read_all(INST "trace"), "<stack trace>")),
	     "stacks of 2");
	trigger("!stacktrace");
	emptied(INST);
	write_text(INST CALL "enable", "0");
	trigger("stacktrace:2");
	call(3);
	fact(number(count(read_all(INST "trace"), "<stack trace>")),
	     "stacks while the event is off");
	fact(calls_seen(), "calls while the event is off");
	trigger("!stacktrace");
	trigger("enable_event:syscalls:sys_enter_getpgid:1");
	syscall(SYS_getpgid, 0);
	call(1);
	syscall(SYS_getpgid, 0);
	fact(number(count(read_all(INST "trace"), "getpgid(")),
	     "calls of an event that another switches on");
	fact(line_of(INST "events/syscalls/sys_enter_getpgid/enable"),
	     "it says");
	trigger("!enable_event:syscalls:sys_enter_getpgid");
	fact(line_of(INST "events/syscalls/sys_enter_getpgid/enable"),
	     "and without the trigger, it says");
	write_text(INST "events/enable", "0");
	emptied(INST);
	write_text(INST "options/stacktrace", "1");
	write_text(INST CALL "enable", "1");
	call(2);
	fact(number(count(read_all(INST "trace"), "<stack trace>")),
	     "stacks with the option");
	write_text(INST CALL "enable", "0");
	write_text(INST "options/stacktrace", "0");
	emptied(INST);
}

/* --- perf and tracefs ----------------------------------------------------- */

static void perf_too(void)
{
	struct perf_event_attr attr = ATTR(PERF_TYPE_TRACEPOINT, 0);
	u64 n = 0;
	int fd;

	attr.config = atol(read_all(TRACING CALL "id"));
	write_text(INST CALL "enable", "1");
	fd = must_open(&attr, 0, -1, -1, 0);
	call(2);
	write_text(INST CALL "enable", "0");
	call(3);
	write_text(TRACING CALL "enable", "1");
	write_text(TRACING "tracing_on", "0");
	call(4);
	write_text(TRACING CALL "enable", "0");
	write_text(TRACING "tracing_on", "1");
	if (read(fd, &n, 8) != 8)
		n = 0;
	fact(number(n), "calls that perf counted over all of that");
	fact(calls_seen(), "calls that the instance recorded");
	close(fd);
}

int main(void)
{
	begin();
	mkdir(INST, 0755);
	pids();
	pids_sched();
	trigger_texts();
	trigger_effects();
	perf_too();
	fact(answer_of(SAYS(rmdir(INST))), "rmdir at the end");
	emptied(TRACING);
	return ktap_done();
}
