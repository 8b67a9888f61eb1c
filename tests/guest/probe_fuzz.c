// SPDX-License-Identifier: MIT
/*
 * Damaged definitions of probes and damaged filters, drawn from a seed: the
 * errno of each, what error_log says of it and where, and that nothing is
 * left behind.  A fact is a batch of them, as a hash; `probe_fuzz KIND FROM N`
 * shows them one by one.
 *
 * only: tags
 * tags: facts
 * timeout: 700
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <sys/mount.h>

#include "facts.h"
#include "freemem.h"

#define T     "/sys/kernel/tracing/"
#define EACH  3400	/* of each kind */
#define BATCH 100

static const char *const kernel_lines[] = {
	"p:fz/one eventfd_read a=%x0 b=$stack c=$comm",
	"p:fz/two eventfd_read d=\\7:u8 e=\\\"text\" f=+0($stack):x32",
	"r4:fz/three eventfd_read $retval:x16 g=$stack12:s16",
	"p:fz/four eventfd_read $arg1:b3@5/32 +u4(+-8(%x1)):ustring",
	"p:fz/five mutex_lock+0 x=@_stext+8:u64 y=+0(%sp):string[3]",
	"p eventfd_read z=%pc:symbol",
	"-:fz/gone",
};

static const char *const user_lines[] = {
	"p:fz/one /bin/busybox:0x1000 %x1:s32 a=+0(%sp):string",
	"p:fz/two /bin/busybox:0x1000(0x10) b=$stack2 c=$comm",
	"r:fz/three /bin/busybox:4096 $retval d=\\1:x8",
	"p /bin/busybox:0x1000%return e=+8(+16(%x2)):u64[4]",
};

static const char *const filters[] = {
	"prev_pid == 0 && next_comm ~ \"sh*\"",
	"(prev_prio > 10 || next_prio <= 0x7f) && !(prev_state & 3)",
	"common_pid != 1 && prev_comm == bash",
	"next_pid >= -5 || cpu == 2 || comm ~ \"*a?b\"",
};

static u64 state;

static unsigned int draw(unsigned int below)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned int)(state >> 33) % below;
}

static void copy_part(char *line, size_t len)
{
	char part[16];
	size_t from = draw((unsigned int)len), n = 1 + draw(6), to;

	if (from + n > len)
		n = len - from;
	memcpy(part, line + from, n);
	to = draw((unsigned int)len);
	memmove(line + to + n, line + to, len - to + 1);
	memcpy(line + to, part, n);
}

static void damage(char *line)
{
	static const char letters[] = "%$@+-()[]:,=\\\"/ 0123x9prusbz_.~&|<>!";
	size_t len = strlen(line), at, n;

	if (!len || len > 200)
		return;
	at = draw((unsigned int)len);
	switch (draw(5)) {
	case 0:
		line[at] = letters[draw(sizeof(letters) - 1)];
		break;
	case 1:
		memmove(line + at + 1, line + at, len - at + 1);
		line[at] = letters[draw(sizeof(letters) - 1)];
		break;
	case 2:
		n = 1 + draw(3);
		if (at + n > len)
			n = len - at;
		memmove(line + at, line + at + n, len - at - n + 1);
		break;
	case 3:
		copy_part(line, len);
		break;
	default:
		line[draw(8) ? at : len - 1] = letters[draw(8)];
	}
}

static void make(char *line, const char *const *from, unsigned int nr, u64 n)
{
	unsigned int i, times;

	state = n * 0x9e3779b97f4a7c15ull + 7;
	draw(2);
	strcpy(line, from[draw(nr)]);
	times = 1 + draw(3);
	for (i = 0; i < times; i++)
		damage(line);
}

static long put(const char *path, int flags, const char *line)
{
	int fd = open(path, O_WRONLY | flags);
	long r = fd < 0 ? -errno : SAYS(write(fd, line, strlen(line)));

	if (fd >= 0)
		close(fd);
	return r;
}

static const char *read_log(const char *path)
{
	static char log[8192];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, log, sizeof(log) - 1);

	log[n > 0 ? n : 0] = '\0';
	close(fd);
	return log;
}

/* "Invalid register name @17", as error_log has it; "": nothing is said. */
static const char *complaint(void)
{
	static char out[160];
	const char *log = read_log(T "error_log"), *what, *line;
	const char *caret = strrchr(log, '^');

	out[0] = '\0';
	what = strstr(log, ": error: ");
	if (!what)
		return out;
	what += 9;
	line = caret ? (const char *)memrchr(log, '\n',
					     (size_t)(caret - log)) : NULL;
	snprintf(out, sizeof(out), " %.*s @%d", (int)strcspn(what, "\n"), what,
		 line ? (int)(caret - line) - 12 : -1);
	return out;
}

static bool show;

static void add(u64 *hash, u64 n, const char *line, const char *answer)
{
	const char *c;

	if (show)
		printf("# %llu [%s] %s\n", (unsigned long long)n, line, answer);
	for (c = answer; *c; c++)
		*hash = (*hash ^ (unsigned char)*c) * 0x100000001b3ull;
}

/* A probe in a module that may be loaded later is for kernels with modules. */
static bool in_module(const char *line)
{
	const char *place = strchr(line, ' ');

	return place && memchr(place + 1, ':', strcspn(place + 1, " "));
}

/*
 * Whether a well-formed probe can be at its place is not asked here: kernels
 * differ in their instructions.
 */
static void try_definition(u64 *hash, u64 n, const char *file,
			   const char *const *lines, unsigned int nr)
{
	static char line[512], answer[256];
	long r;

	make(line, lines, nr, n);
	put(T "error_log", O_TRUNC, "\n");
	r = put(file, O_APPEND, line);
	snprintf(answer, sizeof(answer), "%s%s", answer_of(r),
		 r < 0 ? complaint() : "");
	if (strstr(answer, "Failed to register probe event") ||
	    (in_module(line) && !strncmp(answer, "ENOENT", 6)))
		strcpy(answer, "ok");
	add(hash, n, line, answer);
	if (r >= 0)
		put(file, O_TRUNC, "\n");
}

static void try_filter(u64 *hash, u64 n, int fd)
{
	static char line[512];

	make(line, filters, sizeof(filters) / sizeof(filters[0]), n);
	add(hash, n, line,
	    answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, line))));
}

static int open_switches(void)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(a),
		.config = (u64)atoi(read_log(T "events/sched/sched_switch/id")),
	};

	return (int)open_event(&a, 0, -1, -1, 0);
}

static void batch(int kind, u64 from, u64 nr)
{
	static const char *const names[] = { "kprobe_events", "uprobe_events",
					     "filters" };
	int fd = kind == 2 ? open_switches() : -1;
	u64 hash = 0xcbf29ce484222325ull, n;

	for (n = from; n < from + nr; n++) {
		if (kind == 0)
			try_definition(&hash, n, T "kprobe_events",
				       kernel_lines,
				       sizeof(kernel_lines) / sizeof(char *));
		else if (kind == 1)
			try_definition(&hash, n, T "uprobe_events", user_lines,
				       sizeof(user_lines) / sizeof(char *));
		else
			try_filter(&hash, n, fd);
	}
	if (fd >= 0)
		close(fd);
	fact(text("%016llx", (unsigned long long)hash), "%s, %llu to %llu",
	     names[kind], (unsigned long long)from,
	     (unsigned long long)(from + nr - 1));
}

int main(int argc, char **argv)
{
	long before;
	int kind;

	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	if (argc > 3) {
		show = true;
		batch(atoi(argv[1]), strtoull(argv[2], NULL, 0),
		      strtoull(argv[3], NULL, 0));
		return 0;
	}
	for (kind = 0; kind < 3; kind++)
		batch(kind, 0, BATCH);
	before = free_kb();
	for (kind = 0; kind < 3; kind++)
		for (u64 n = BATCH; n < EACH; n += BATCH)
			batch(kind, n, BATCH);
	put(T "error_log", O_TRUNC, "\n");
	fact(number((long)strlen(read_log(T "dynamic_events"))),
	     "definitions that are left");
	memory_is_back(before, 2048);
	return ktap_done();
}
