// SPDX-License-Identifier: MIT
/*
 * Facts about bad input: what each writable file of tracefs answers to texts
 * that it does not expect, and what it shows afterwards.
 * only: tags
 * tags: facts
 * timeout: 200
 */
#define _GNU_SOURCE
#include "facts.h"

#define TRACING "/sys/kernel/tracing/"
#define EVENT	"events/sched/sched_switch/"

static char big[9000];
static char noise[64];

static const struct input {
	const char *what;
	const char *text;
	size_t len;
} inputs[] = {
	{ "nothing", "", 0 },
	{ "a newline", "\n", 1 },
	{ "0", "0\n", 2 },
	{ "1", "1\n", 2 },
	{ "2", "2", 1 },
	{ "101", "101\n", 4 },
	{ "-1", "-1\n", 3 },
	{ "+1", "+1", 2 },
	{ "0x1", "0x1", 3 },
	{ "01", "01", 2 },
	{ "1 with a space before", " 1", 2 },
	{ "1 with a space behind", "1 ", 2 },
	{ "1 and more lines", "1\n1\n", 4 },
	{ "1, NUL, x", "1\0x", 3 },
	{ "2 to the 32", "4294967296", 10 },
	{ "2 to the 64", "18446744073709551616", 20 },
	{ "a word", "sonde\n", 6 },
	{ "no and a word", "nosonde\n", 8 },
	{ "!", "!\n", 2 },
	{ "*", "*\n", 2 },
	{ "a:b:c", "a:b:c\n", 6 },
	{ "a percent sign", "%s%n\n", 5 },
	{ "noise", noise, sizeof(noise) },
	{ "200 letters", big, 200 },
	{ "4095 letters", big, 4095 },
	{ "4096 letters", big, 4096 },
	{ "9000 letters", big, 9000 },
};

/* Written and put back before each input; NULL: nothing is. */
static const struct target {
	const char *path;
	const char *reset;
	bool show;		/* what it says afterwards is a fact, too */
} targets[] = {
	{ "tracing_on", "1", true },
	{ "buffer_size_kb", "64", false },
	{ "per_cpu/cpu0/buffer_size_kb", "64", false },
	{ "buffer_percent", "50", true },
	{ "current_tracer", "nop", true },
	{ "trace_clock", "local", false },
	{ "trace_options", NULL, false },
	{ "options/overwrite", "1", true },
	{ "options/record-tgid", "0", true },
	{ "tracing_cpumask", "f", true },
	{ "saved_cmdlines_size", "128", false },
	{ "set_event", "", true },
	{ "set_event_pid", "", true },
	{ "set_event_notrace_pid", "", true },
	{ "trace", NULL, false },
	{ "trace_marker", NULL, false },
	{ "trace_marker_raw", NULL, false },
	{ "error_log", NULL, false },
	{ EVENT "enable", "0", true },
	{ EVENT "filter", "0", false },
	{ EVENT "trigger", NULL, false },
	{ "events/sched/filter", "0", false },
	{ "events/task/enable", "0", true },
};

/* The first line. */
static const char *shown(const char *path)
{
	static char line[200];
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return strerrorname_np(errno);
	n = read(fd, line, sizeof(line) - 1);
	close(fd);
	if (n < 0)
		return strerrorname_np(errno);
	line[n] = 0;
	line[strcspn(line, "\n")] = 0;
	return line;
}

static const char *written(const char *path, const char *text, size_t len)
{
	int fd = open(path, O_WRONLY);
	const char *answer;
	long r;

	if (fd < 0)
		return text ? strerrorname_np(errno) : "?";
	r = SAYS(write(fd, text, len));
	answer = r < 0 ? answer_of(r) : (size_t)r == len ? "all" : number(r);
	close(fd);
	return answer;
}

static void ask(const struct target *t)
{
	char path[200];

	snprintf(path, sizeof(path), TRACING "%s", t->path);
	for (u32 i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		const char *answer;

		if (t->reset)
			put_file(path, t->reset);
		answer = written(path, inputs[i].text, inputs[i].len);
		if (t->show)
			answer = text("%s, %.60s", answer, shown(path));
		fact(answer, "%s, to %s", t->path, inputs[i].what);
	}
	if (t->reset)
		put_file(path, t->reset);
	fact(written(path, (char *)8, 4), "%s, to an address that is not there",
	     t->path);
}

int main(void)
{
	memset(big, 'A', sizeof(big));
	for (u32 i = 0, x = 12345; i < sizeof(noise); i++) {
		x = x * 1103515245 + 12345;
		noise[i] = (char)(x >> 16 | 0x80);
	}
	noise[0] = '#';
	put_file(TRACING "set_event", "");
	for (u32 i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		ask(&targets[i]);
	return ktap_done();
}
