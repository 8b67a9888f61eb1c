/* SPDX-License-Identifier: MIT */
/*
 * debugfs/kprobes: the list, the blacklist and what it promises, the switch;
 * kprobe_profile: hits, nested hits, calls beyond maxactive.
 *
 * tags: short
 * timeout: 240
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/perf_event.h>
#include <regex.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

#define KPROBES "/sys/kernel/debug/kprobes/"
#define TRACING "/sys/kernel/tracing/"

/* The function behind getppid(2); one that only a probe's handler calls. */
static char target[64], nested[64];

static char *text_of(const char *path)
{
	static char text[1 << 18];
	int fd = open(path, O_RDONLY);
	size_t len = 0;
	ssize_t n = 0;

	while (fd >= 0 && len < sizeof(text) - 1 &&
	       (n = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)n;
	text[len] = '\0';
	if (fd >= 0)
		close(fd);
	return text;
}

static bool has_line(const char *path, const char *pattern)
{
	regex_t re;
	bool found;

	if (regcomp(&re, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB))
		return false;
	found = !regexec(&re, text_of(path), 0, NULL, 0);
	regfree(&re);
	if (!found)
		printf("# %s:\n# %.2000s\n", path, text_of(path));
	return found;
}

/* 0 or -1 with errno. */
static int put(const char *path, int flags, const char *text)
{
	int fd = open(path, O_WRONLY | flags), err;
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, text, strlen(text));
	err = errno;
	close(fd);
	errno = err;
	return n == (ssize_t)strlen(text) ? 0 : -1;
}

static int define(const char *text)
{
	return put(TRACING "kprobe_events", O_APPEND, text);
}

static int enable(const char *event, bool on)
{
	char path[128];

	snprintf(path, sizeof(path), TRACING "events/kprobes/%s/enable", event);
	return put(path, 0, on ? "1" : "0");
}

static void calls(int n)
{
	while (n--)
		syscall(SYS_getppid);
}

/* Of kprobe_profile. */
static bool profile(const char *event, unsigned long long *hits,
		    unsigned long long *missed)
{
	char *text = text_of(TRACING "kprobe_profile"), *line, name[64];

	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (sscanf(line, "%63s %llu %llu", name, hits, missed) == 3 &&
		    !strcmp(name, event))
			return true;
	*hits = *missed = ~0ull;
	return false;
}

static void find(char *to, const char *const *names)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[512], sym[256];
	const char *const *n;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*x %*c %255s", sym) != 1)
			continue;
		for (n = names; *n; n++)
			if (!strcmp(sym, *n))
				strcpy(to, *n);
	}
	if (f)
		fclose(f);
}

static void test_list(void)
{
	char text[192], off[128], on[128];

	EQ(access(KPROBES "list", R_OK), 0);
	snprintf(text, sizeof(text), "p:one %s\nr:two %s\n", target, target);
	WORKS(define(text));
	snprintf(off, sizeof(off), "^[0-9a-f]{16}  k  %s\\+0x0    \\[DISABLED]$",
		 target);
	snprintf(on, sizeof(on), "^[0-9a-f]{16}  k  %s\\+0x0    $", target);
	OK(has_line(KPROBES "list", off));
	WORKS(enable("one", true));
	OK(has_line(KPROBES "list", on));
	snprintf(off, sizeof(off), "^[0-9a-f]{16}  r  %s\\+0x0    \\[DISABLED]$",
		 target);
	OK(has_line(KPROBES "list", off));
	WORKS(enable("one", false));
	WORKS(put(TRACING "kprobe_events", O_TRUNC, "\n"));
	EQ(strlen(text_of(KPROBES "list")), 0);
}

static int open_at(uint64_t addr)
{
	struct perf_event_attr a = { 0 };
	unsigned int type = 0;

	sscanf(text_of("/sys/bus/event_source/devices/kprobe/type"), "%u",
	       &type);
	a.type = type;
	a.size = sizeof(a);
	a.config2 = addr;
	return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
}

static void test_blacklist(void)
{
	unsigned long long start[4096], end;
	char *text, *line, name[256];
	unsigned int n = 0, i, refused = 0, odd = 0;

	text = text_of(KPROBES "blacklist");
	for (line = strtok(text, "\n"); line && n < 4096;
	     line = strtok(NULL, "\n")) {
		if (sscanf(line, "0x%llx-0x%llx\t%255s", &start[n], &end,
			   name) == 3 && end > start[n])
			n++;
		else
			odd++;
	}
	EQ(odd, 0);
	OK_MSG(n > 20, "%u functions may not be probed", n);
	for (i = 0; i < n; i++)
		refused += open_at(start[i]) == -1 && errno == EINVAL;
	EQ(refused, n);
}

static void test_switch(void)
{
	unsigned long long hits, missed;
	char text[192];

	OK(!strcmp(text_of(KPROBES "enabled"), "1\n"));
	snprintf(text, sizeof(text), "p:one %s\np:two %s\n", target, target);
	WORKS(define(text));
	WORKS(enable("one", true));
	calls(5);
	FAILS(put(KPROBES "enabled", 0, "x"), EINVAL);
	WORKS(put(KPROBES "enabled", 0, "0"));
	OK(!strcmp(text_of(KPROBES "enabled"), "0\n"));
	calls(7);
	WORKS(enable("two", true));
	calls(7);
	OK(profile("one", &hits, &missed) && hits == 5 && !missed);
	WORKS(put(KPROBES "enabled", 0, "1"));
	calls(3);
	OK(profile("one", &hits, &missed) && hits == 8 && !missed);
	OK(profile("two", &hits, &missed) && hits == 3 && !missed);
	WORKS(put(KPROBES "enabled", 0, "0"));
	WORKS(enable("one", false));
	WORKS(put(KPROBES "enabled", 0, "1"));
	calls(3);
	OK(profile("one", &hits, &missed) && hits == 8);
	OK(profile("two", &hits, &missed) && hits == 6);
	WORKS(enable("two", false));
	WORKS(put(TRACING "kprobe_events", O_TRUNC, "\n"));
}

/* A probe in what a probe's handler calls: counted as missed, and harmless. */
static void test_nested(void)
{
	unsigned long long hits, missed;
	char text[192];

	snprintf(text, sizeof(text), "p:outer %s s=+0(%%sp):string\np:inner %s\n", target,
		 nested);
	WORKS(define(text));
	WORKS(enable("outer", true));
	WORKS(enable("inner", true));
	calls(50);
	WORKS(enable("inner", false));
	WORKS(enable("outer", false));
	OK(profile("outer", &hits, &missed) && hits == 50 && !missed);
	OK(profile("inner", &hits, &missed));
	OK_MSG(!hits && missed == 50, "%llu hits, %llu missed", hits, missed);
	WORKS(put(TRACING "kprobe_events", O_TRUNC, "\n"));
}

/* Three wait in a function whose returns are caught for two. */
static void test_max_active(void)
{
	unsigned long long hits, missed;
	const uint64_t three = 3;
	pid_t pid[3];
	int fd, i;

	WORKS(define("r2:few eventfd_read\n"));
	WORKS(enable("few", true));
	fd = (int)WORKS(eventfd(0, EFD_SEMAPHORE));
	for (i = 0; i < 3; i++) {
		uint64_t one = 0;

		pid[i] = fork();
		if (!pid[i])
			_exit(read(fd, &one, 8) != 8 || one != 1);
	}
	/* All are in there when the one of them has been missed. */
	for (i = 0; i < 600; i++) {
		if (profile("few", &hits, &missed) && missed == 1)
			break;
		usleep(50000);
	}
	EQ(missed, 1);
	EQ(write(fd, &three, 8), 8);
	for (i = 0; i < 3; i++) {
		int status = -1;

		waitpid(pid[i], &status, 0);
		EQ(status, 0);
	}
	WORKS(enable("few", false));
	OK(profile("few", &hits, &missed));
	EQ(missed, 1);
	EQ(hits, 2);
	WORKS(put(TRACING "kprobe_events", O_TRUNC, "\n"));
	close(fd);
}

extern const char __ehdr_start[];

__attribute__((noinline, noipa)) static int in_program(int n)
{
	return n + 1;
}

/* Places as `trace` prints them, which is not as `format` says. */
static void test_text(void)
{
	char line[256], self[192] = "";

	OK(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(line, sizeof(line),
		 "p:at %s a=\\7:u8 b=@%s:symbol\nr:back %s v=\\-1:s8\n", target,
		 target, target);
	WORKS(define(line));
	snprintf(line, sizeof(line), "p:in %s:%#lx\nr:out %s:%#lx\n", self,
		 (long)((char *)in_program - __ehdr_start), self,
		 (long)((char *)in_program - __ehdr_start));
	WORKS(put(TRACING "uprobe_events", O_APPEND, line));
	WORKS(put(TRACING "trace", O_TRUNC, ""));
	WORKS(put(TRACING "events/kprobes/enable", 0, "1"));
	WORKS(put(TRACING "events/uprobes/enable", 0, "1"));
	calls(1);
	EQ(in_program(3), 4);
	WORKS(put(TRACING "events/kprobes/enable", 0, "0"));
	WORKS(put(TRACING "events/uprobes/enable", 0, "0"));
	snprintf(line, sizeof(line),
		 ": at: \\(%s\\+0x0/0x[0-9a-f]+\\) a=7 b=0x[0-9a-f]+$", target);
	OK(has_line(TRACING "trace", line));
	snprintf(line, sizeof(line),
		 ": back: \\([A-Za-z0-9_.]+\\+0x[0-9a-f]+/0x[0-9a-f]+ <- %s\\) "
		 "v=-1$", target);
	OK(has_line(TRACING "trace", line));
	snprintf(line, sizeof(line), ": in: \\(0x%lx\\)$", (long)in_program);
	OK(has_line(TRACING "trace", line));
	snprintf(line, sizeof(line), ": out: \\(0x[0-9a-f]+ <- 0x%lx\\)$",
		 (long)in_program);
	OK(has_line(TRACING "trace", line));
	WORKS(put(TRACING "kprobe_events", O_TRUNC, "\n"));
	WORKS(put(TRACING "uprobe_events", O_TRUNC, "\n"));
}

int main(void)
{
	static const char *const targets[] = { "__arm64_sys_getppid",
					       "sys_getppid", NULL };
	static const char *const nesteds[] = { "strncpy_from_kernel_nofault",
					       "trace_event_hand_out", NULL };

	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	find(target, targets);
	find(nested, nesteds);
	OK(target[0] && nested[0]);
	test_list();
	test_blacklist();
	test_switch();
	test_nested();
	test_max_active();
	test_text();
	return ktap_done();
}
