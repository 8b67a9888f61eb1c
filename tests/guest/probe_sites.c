/* SPDX-License-Identifier: MIT */
/*
 * Facts about several places under one name in kprobe_events and
 * uprobe_events: what is taken, what error_log says of the rest and at which
 * word, what is deleted by its place, what counts.  A, B and C stand for
 * functions whose names or addresses depend on the kernel or the program.
 *
 * only: tags
 * tags: facts
 */
#define _GNU_SOURCE
#include "facts.h"

#define TRACING "/sys/kernel/tracing/"

extern const char __ehdr_start[];

__attribute__((noinline, noipa)) static int in_a(int n)
{
	return n + 1;
}

__attribute__((noinline, noipa)) static int in_b(int n)
{
	return n + 2;
}

__attribute__((noinline, noipa)) static int in_c(int n)
{
	return n + 3;
}

static char place[3][300];	/* of A, B and C */
static const char *events;	/* the file */

static char *contents(const char *file)
{
	static char buf[1 << 16];
	int fd = open(file, O_RDONLY);
	ssize_t n, len = 0;

	while (fd >= 0 && (n = read(fd, buf + len, sizeof(buf) - 1 - len)) > 0)
		len += n;
	buf[len] = '\0';
	close(fd);
	return buf;
}

/* from with A, B, C behind a space exchanged for the places, or back. */
static const char *named(const char *from)
{
	static char out[1024];
	char *to = out;

	for (; *from; from++) {
		*to++ = *from;
		if (*from == ' ' && from[1] >= 'A' && from[1] <= 'C') {
			to = stpcpy(to, place[from[1] - 'A']);
			from++;
		}
	}
	*to = '\0';
	return out;
}

static const char *unnamed(const char *from)
{
	static char out[2048];
	char *to = out;

	while (*from) {
		size_t len = 0;

		for (int i = 0; i < 3 && !len; i++)
			if (!strncmp(from, place[i], strlen(place[i]))) {
				len = strlen(place[i]);
				*to++ = (char)('A' + i);
			}
		if (!len)
			*to++ = *from == '\n' ? ';' : *from;
		from += len ? len : 1;
	}
	*to = '\0';
	return out;
}

/* What error_log's last entry says, and at which word of the command. */
static const char *complaint(void)
{
	char *log = contents(TRACING "error_log"), *what, *command, *caret;
	int word = 0;

	what = strstr(log, "error: ");
	command = what ? strstr(what, "Command: ") : NULL;
	caret = command ? strchr(command, '^') : NULL;
	if (!caret)
		return "nothing";
	/* Both lines are indented alike. */
	for (long col = caret - strchr(command, '\n') - 1 - 2; col-- > 9;)
		word += command[col] == ' ' || command[col] == '\n';
	what += 7;
	return text("%.*s at %d", (int)strcspn(what, "\n"), what, word);
}

static void define(const char *line)
{
	int fd = open(events, O_WRONLY | O_APPEND);
	const char *s = named(line);
	long r;

	put_file(TRACING "error_log", "");
	r = SAYS(write(fd, s, strlen(s)));
	close(fd);
	if (r < 0)
		fact(text("%s, %s", answer_of(r), complaint()), "%s", line);
	else
		fact("ok", "%s", line);
}

static void list(const char *when)
{
	fact(unnamed(contents(events)), "list, %s", when);
}

static void enable(const char *group, const char *how)
{
	put_file(text(TRACING "events/%s/one/enable", group), how);
}

/* Hits in the order of the definitions. */
static void profile(const char *file, const char *when)
{
	char out[256] = "", *line = strtok(contents(file), "\n");

	for (; line; line = strtok(NULL, "\n")) {
		long hits = -1;

		if (sscanf(line, "%*s %*s %ld", &hits) != 1 ||
		    sscanf(line, " one %ld", &hits) != 1)
			sscanf(line, "%*s %*s %ld", &hits);
		sprintf(out + strlen(out), "%ld ", hits);
	}
	fact(out, "hits, %s", when);
}

static void act(int a, int b, int c)
{
	while (a--)
		in_a(syscall(SYS_getppid));
	while (b--)
		in_b(syscall(SYS_getsid, 0));
	while (c--)
		in_c(syscall(SYS_getpgid, 0));
}

static void walk(const char *group, const char *profiles, const char *other)
{
	fact("", "in %s", group);
	define("p:one A");
	define("p:one B");
	define("p:one A");
	define("r:one C");
	define(text("p:one C x=%s", other));
	list("three tried");
	enable(group, "1");
	act(2, 3, 0);
	profile(profiles, "2 and 3 calls");
	define("p:one C");
	act(1, 1, 4);
	profile(profiles, "1, 1 and 4 calls, the third being late");
	enable(group, "0");
	enable(group, "1");
	act(1, 1, 4);
	profile(profiles, "1, 1 and 4 calls");
	/* The reference forgets to take the breakpoint of such a place out. */
	if (*group == 'u')
		enable(group, "0");
	define("-:one B");
	act(1, 1, 1);
	profile(profiles, "a call each, the second deleted");
	define("-:one A");
	list("two of three deleted");
	act(1, 1, 1);
	profile(profiles, "a call each, one left");
	define("-:one C");
	enable(group, "0");
	define("-:one A");
	define("-:one C");
	list("all deleted");
}

static void arguments(void)
{
	define("p:two A x=%x0 y=%x1");
	define("p:two B x=%x0 y=%x1");
	define("p:two C x=%x0 y=%x2");
	define("p:two C x=%x0 z=%x1");
	define("p:two C x=%x0");
	define("p:two C x=%x0:u32 y=%x1");
	define("p:two C x=%x0 y=%x1 z=%x2");
	define("p:two C");
	define("p:two A x=%x0 y=%x1");
	define("p:two A x=%x3 y=%x1");
	list("arguments");
	define("-:two A x=%x0 y=%x1");
	define("-:two B x=%x0");
	define("-:two A x=%x3 y=%x1 z=%x2");
	define("-:two C y=%x2");
	define("-:two C %x0");
	list("some deleted");
	define("-:two");
	list("by name");
	define("r:three A");
	/* For programs, that would be a probe without a name. */
	define(strstr(events, "kprobe") ? "r7:three B" : "r:three B");
	define("p:three C");
	define("-:nobody/three A");
	define("-:three D");
	define("-:three B");
	define("-:");
	define("- three");
	list("returns");
	define("-:three");
}

static void kernel_place(char *to, const char *name)
{
	char line[512], sym[256], *at;
	FILE *f = fopen("/proc/kallsyms", "r");

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*x %*c %255s", sym) != 1)
			continue;
		at = strstr(sym, name);
		if (at && !strcmp(at, name) &&
		    (at == sym || !strcmp(sym, text("__arm64_%s", name))))
			strcpy(to, sym);
	}
	if (f)
		fclose(f);
}

int main(void)
{
	int (*const in[])(int) = { in_a, in_b, in_c };
	static char self[200];

	events = TRACING "kprobe_events";
	kernel_place(place[0], "sys_getppid");
	kernel_place(place[1], "sys_getsid");
	kernel_place(place[2], "sys_getpgid");
	put_file(events, "");
	walk("kprobes", TRACING "kprobe_profile", "%x0");
	arguments();
	put_file(events, "");

	events = TRACING "uprobe_events";
	self[readlink("/proc/self/exe", self, sizeof(self) - 1)] = '\0';
	for (int i = 0; i < 3; i++)
		sprintf(place[i], "%s:0x%016lx", self,
			(long)((const char *)in[i] - __ehdr_start));
	put_file(events, "");
	walk("uprobes", TRACING "uprobe_profile", "%x0");
	arguments();
	put_file(events, "");
	return ktap_done();
}
