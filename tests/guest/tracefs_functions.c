// SPDX-License-Identifier: MIT
/*
 * Facts about the function tracers: which functions, whose calls, how they
 * are told, and what bad input gets.  The functions are those of two calls
 * whose names both kernels have, with or without an architecture's prefix.
 * only: tags
 * tags: facts
 * timeout: 300
 */
#define _GNU_SOURCE
#include "tracing.h"

static char ppid[64], dup_name[64];	/* functions of getppid and dup */

static void find_name(char *out, const char *name)
{
	static const char *const prefix[] = { "\n__arm64_", "\n__x64_", "\n" };
	char *all = read_all(TRACING "available_filter_functions");

	for (int i = 0; i < 3; i++)
		if (strstr(all, text("%s%s\n", prefix[i], name))) {
			snprintf(out, 64, "%s%s", prefix[i] + 1, name);
			return;
		}
}

/* All of s, word by word where the kernel takes it so. */
static const char *put(const char *file, const char *s)
{
	int fd = open(path(TRACING, file), O_WRONLY | O_TRUNC);
	long r = fd < 0 ? -errno : SAYS(write(fd, s, strlen(s)));

	for (; r > 0 && s[r]; r = SAYS(write(fd, s, strlen(s))))
		s += r;
	if (fd >= 0)
		close(fd);
	return r > 0 ? "taken" : answer_of(r);
}

/* The lines of the graph, without the header. */
static char *graph_lines(void)
{
	char *s = read_all(TRACING "trace"), *end = s;

	while (*s == '#' && (end = strchr(s, '\n')))
		s = end + 1;
	return s;
}

static const char *add(const char *file, const char *s)
{
	long r = write_text(path(TRACING, file), s);

	return r > 0 ? "taken" : answer_of(r);
}

/* What a file shows, with the two names as every kernel may say them. */
static const char *shows(const char *file)
{
	static char out[1024];
	char *at, *s = read_all(path(TRACING, file));

	out[0] = 0;
	for (at = strtok(s, "\n"); at && strlen(out) < 900;
	     at = strtok(NULL, "\n"))
		strcat(strcat(out, !strcmp(at, ppid) ? "getppid" :
				   !strcmp(at, dup_name) ? "dup" : at), ",");
	return out;
}

static void calls(int n)
{
	while (n--) {
		syscall(SYS_getppid);
		close(dup(1));
	}
}

static int seen(const char *format, const char *name)
{
	return count(read_all(TRACING "trace"), text(format, name));
}

static void ready(void)
{
	write_text(TRACING "tracing_on", "0");
	emptied(TRACING);
	write_text(TRACING "tracing_on", "1");
}

static void sets(void)
{
	static const char *const files[] = {
		"set_ftrace_filter", "set_ftrace_notrace",
		"set_graph_function", "set_graph_notrace",
	};
	const char *file;

	for (int i = 0; i < 4; i++) {
		file = files[i];
		fact(shows(file), "%s at first", file);
		fact(put(file, text("%s\n", ppid)), "%s: a name", file);
		fact(shows(file), "%s: then", file);
		fact(add(file, "no_such_function\n"), "%s: no function", file);
		fact(add(file, "no_such*\n"), "%s: no function, a pattern",
		     file);
		fact(add(file, "no_such_function"),
		     "%s: no function, and no end of the word", file);
		fact(shows(file), "%s: unchanged", file);
		write_text(path(TRACING, file), text("%s\n", dup_name));
		fact(number(strlen(shows(file))), "%s: letters of both", file);
		fact(add(file, text("!%s\n", ppid)), "%s: one out", file);
		fact(shows(file), "%s: the other", file);
		fact(put(file, text("!%s\n", ppid)),
		     "%s: one out of nothing", file);
		fact(put(file, "\n"), "%s: an empty line", file);
		fact(shows(file), "%s: in the end", file);
		fact(put(file, text("%.*s*\n", (int)strlen(ppid) - 2, ppid)),
		     "%s: a pattern", file);
		fact(shows(file), "%s: of one name", file);
		put(file, "");
		put(file, text("*%s\n", strstr(ppid, "sys_getp")));
		fact(shows(file), "%s: a pattern of its end", file);
		put(file, text("*%.9s*\n", strstr(ppid, "s_getppid")));
		fact(shows(file), "%s: a pattern of its middle", file);
		put(file, text("%.*s?%s\n", (int)strlen(ppid) - 3, ppid, "id"));
		fact(number(count(shows(file), ",")),
		     "%s: functions that a pattern with a ? names", file);
		put(file, "");
	}
	fact(put("set_ftrace_filter", text("%s:mod:nothing\n", ppid)),
	     "functions of a module that is not there");
	put("set_ftrace_filter", "");
	fact(number(write_text(TRACING "set_ftrace_filter", " a* b*\n")),
	     "bytes taken by a write of two words");
	put("set_ftrace_filter", "");
}

static void words(void)
{
	static const char *const files[] = {
		"current_tracer", "max_graph_depth", "tracing_thresh",
		"set_ftrace_pid", "set_ftrace_notrace_pid",
		"options/function-fork", "options/func_stack_trace",
		"options/funcgraph-irqs", "available_filter_functions",
	};
	static const char *const texts[] = { "x\n", "", "-1\n", "2 x\n" };

	for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		for (unsigned j = 0; j < 4; j++)
			fact(put(files[i], texts[j]), "%s: %.*s", files[i],
			     (int)strcspn(texts[j], "\n"), texts[j]);
	fact(line_of(TRACING "set_ftrace_pid"), "set_ftrace_pid");
	fact(put("max_graph_depth", "4294967297\n"), "a depth of 33 bits");
	fact(line_of(TRACING "max_graph_depth"), "is");
	put("max_graph_depth", "0\n");
	fact(put("tracing_thresh", "7\n"), "a threshold");
	fact(line_of(TRACING "tracing_thresh"), "is");
	put("tracing_thresh", "0\n");
	fact(put("current_tracer", "function \n"), "a tracer and a blank");
	fact(line_of(TRACING "current_tracer"), "is");
	fact(put("current_tracer", "func\n"), "half a name");
	fact(line_of(TRACING "current_tracer"), "is still");
	put("current_tracer", "nop\n");
}

static void function(void)
{
	const char *s;

	put("set_ftrace_filter", text("%s %s\n", ppid, dup_name));
	put("set_ftrace_pid", text("%d\n", getpid()));
	mark(TRACING, 3);
	put("current_tracer", "function\n");
	fact(number(count(read_all(TRACING "trace"), "0123")),
	     "a new tracer has what was in the buffer");
	fact(number(count(read_all(TRACING "enabled_functions"), " (1) ")),
	     "enabled_functions");
	fact(line_of(TRACING "trace"), "the first line of trace");
	ready();
	calls(10);
	fact(number(seen(": %s <-", ppid)), "calls of one");
	fact(number(seen(": %s <-", dup_name)), "calls of the other");
	fact(number(count(read_all(TRACING "trace"), " <-")), "of any");
	put("set_ftrace_notrace", text("%s\n", ppid));
	ready();
	calls(10);
	fact(number(seen(": %s <-", ppid)), "of one that is in notrace");
	fact(number(seen(": %s <-", dup_name)), "of the other");
	put("set_ftrace_notrace", "");
	put("set_ftrace_pid", "1\n");
	ready();
	calls(10);
	fact(number(seen(": %s <-", ppid)), "another task is wanted");
	put("set_ftrace_pid", text("%d\n", getpid()));
	ready();
	if (!fork()) {
		calls(10);
		_exit(0);
	}
	wait(NULL);
	fact(number(seen(": %s <-", ppid)), "of a child");
	write_text(TRACING "options/function-fork", "1");
	ready();
	if (!fork()) {
		calls(10);
		_exit(0);
	}
	wait(NULL);
	fact(number(seen(": %s <-", ppid)), "of a child, with function-fork");
	write_text(TRACING "options/function-fork", "0");
	put("set_ftrace_pid", "");
	put("set_ftrace_notrace_pid", text("%d\n", getpid()));
	ready();
	calls(10);
	fact(number(seen(": %s <-", ppid)), "not of this task");
	put("set_ftrace_notrace_pid", "");
	put("set_ftrace_pid", text("%d\n", getpid()));
	write_text(TRACING "options/func_stack_trace", "1");
	ready();
	syscall(SYS_getppid);
	s = read_all(TRACING "trace");
	fact(number(count(s, "<stack trace>\n")), "stacks");
	fact(strstr(s, text("=> %s\n", ppid)) ? "yes" : "no", "of the function");
	write_text(TRACING "options/func_stack_trace", "0");
	put_file("/proc/sys/kernel/ftrace_enabled", "0");
	ready();
	calls(10);
	fact(number(seen(": %s <-", ppid)), "kernel.ftrace_enabled is 0");
	put_file("/proc/sys/kernel/ftrace_enabled", "1");
	write_text(TRACING "options/function-trace", "0");
	ready();
	calls(10);
	fact(number(seen(": %s <-", ppid)), "function-trace is 0");
	write_text(TRACING "options/function-trace", "1");
	ready();
	calls(10);
	fact(number(seen(": %s <-", ppid)), "and both are 1");
	put("current_tracer", "nop\n");
	fact(number(count(read_all(TRACING "enabled_functions"), "\n")),
	     "enabled_functions, in the end");
}

/* A line of the graph without numbers and names that vary. */
static const char *shape_of(const char *line)
{
	static char out[256];
	char *to = out;
	size_t n = strcspn(line, "\n");

	for (size_t i = 0; i < n && to < out + 250; i++)
		if (line[i] >= '0' && line[i] <= '9') {
			if (to == out || to[-1] != '9')
				*to++ = '9';
		} else if (!strchr("+!#*@$ ", line[i])) {
			*to++ = line[i];
		}
	*to = 0;
	return out;
}

static void graph_options(void)
{
	static const struct {
		const char *name, *value;
	} options[] = {
		{ "funcgraph-cpu", "0" },      { "funcgraph-duration", "0" },
		{ "funcgraph-overhead", "0" }, { "funcgraph-proc", "1" },
		{ "funcgraph-abstime", "1" },  { "funcgraph-tail", "1" },
		{ "funcgraph-overrun", "1" },
	};
	const char *file, *name = strstr(ppid, "sys_");
	char *s, *end;

	for (unsigned i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		file = text("%soptions/%s", TRACING, options[i].name);
		fact(line_of(file), "%s", options[i].name);
		write_text(file, options[i].value);
		ready();
		syscall(SYS_getppid);
		s = read_all(TRACING "trace");
		for (int line = 0; line < 4; line++) {
			end = strchr(s, '\n');
			if (!end)
				break;
			if (line >= 2)
				fact(text("%.*s", (int)(end - s), s),
				     "%s %s: header", options[i].name,
				     options[i].value);
			s = end + 1;
		}
		end = strstr(s, name);
		fact(end ? text("%.*s", (int)strcspn(end, "\n"), end) : "none",
		     "%s %s: the function", options[i].name, options[i].value);
		write_text(file, options[i].value[0] == '0' ? "1" : "0");
	}
}

static void graph(void)
{
	char *s;
	int n;

	put("set_ftrace_filter", text("%s %s\n", ppid, dup_name));
	put("set_ftrace_pid", text("%d\n", getpid()));
	put("current_tracer", "function_graph\n");
	ready();
	calls(10);
	fact(number(seen(" |  %s();\n", ppid)), "calls with their returns");
	s = read_all(TRACING "trace");
	s = strstr(s, ppid);
	while (s && s[-1] != '\n')
		s--;
	fact(s ? text("%.8s", shape_of(s)) : "none", "the shape of a line");
	graph_options();
	put("set_graph_function", text("%s\n", dup_name));
	ready();
	calls(10);
	fact(number(seen(" %s();\n", ppid)), "not from the function to begin at");
	fact(number(seen(" %s();\n", dup_name)), "that function");
	put("set_ftrace_filter", "");
	ready();
	calls(2);
	s = read_all(TRACING "trace");
	n = count(s, text("|  %s() {\n", dup_name));
	fact(number(n), "with all functions, it calls others");
	fact(count(graph_lines(), "|    ") > 2 ? "yes" : "no",
	     "which are inside");
	put("max_graph_depth", "1\n");
	ready();
	calls(2);
	s = graph_lines();
	fact(count(s, "|    ") ? "yes" : "no", "of depth 1, something inside");
	fact(number(count(s, text("|  %s();\n", dup_name))), "it alone");
	put("max_graph_depth", "0\n");
	put("set_graph_function", "");
	put("set_graph_notrace", text("%s\n", dup_name));
	ready();
	calls(2);
	fact(number(seen("%s", dup_name)), "in set_graph_notrace");
	put("set_graph_notrace", "");
	put("set_ftrace_filter", text("%s\n", ppid));
	put("tracing_thresh", "100000000\n");
	ready();
	calls(10);
	fact(number(seen("%s", ppid)), "under a threshold");
	put("tracing_thresh", "0\n");
	write_text(TRACING "trace_marker", "a remark");
	fact(strstr(read_all(TRACING "trace"), "/* ") ? "yes" : "no",
	     "what is no call is a remark");
	put("current_tracer", "nop\n");
	put("set_ftrace_filter", "");
	put("set_ftrace_pid", "");
}

/* Whole kernel, off and on while it works. */
static void all_of_them(void)
{
	static const char *const names[] = { "function\n", "function_graph\n" };
	pid_t pid = fork();

	if (!pid)
		for (;;)
			calls(100);
	for (int i = 0; i < 2; i++) {
		fact(put("current_tracer", names[i]), "%.*s of everything",
		     (int)strcspn(names[i], "\n"), names[i]);
		fact(count(read_all(TRACING "trace"), "\n") > 1000 ? "yes" :
								    "no",
		     "there is much");
		fact(put("current_tracer", "nop\n"), "and off");
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	fact(number(count(read_all(TRACING "enabled_functions"), "\n")),
	     "enabled_functions after all");
}

int main(void)
{
	/* Before anything else has made the sets: the kernel lives on. */
	if (truncate(TRACING "set_graph_function", 0))
		return 1;
	begin();
	find_name(ppid, "sys_getppid");
	find_name(dup_name, "sys_dup");
	fact(ppid[0] && dup_name[0] ? "yes" : "no", "the functions are there");
	sets();
	words();
	function();
	graph();
	all_of_them();
	return ktap_done();
}
