/* SPDX-License-Identifier: MIT */
/*
 * Every tracepoint is on while much happens, for tracefs and then for perf:
 * each record can be parsed by what the format files say, and memory is back.
 *
 * only: tags
 * tags: big debug
 * timeout: 600
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

#define T	   "/sys/kernel/tracing/"
#define MOST_IDS   8192
#define MOST_CPUS  16
#define RING	   (128 * 4096ul)
#define PAGE	   4096
#define SLACK_KB   8192		/* lists of free objects, caches; */
#define LINUX_KB   32768	/* Linux's keep more */
#define REF_WORDS  8		/* dynamic fields of an event */

/* What the format file of an event says. */
static struct event {
	bool known, variable;
	uint32_t end;		/* of the fields that are always there */
	uint32_t refs[REF_WORDS]; /* where words say "there" */
	uint32_t nr_refs;
	uint64_t seen;
} events[MOST_IDS];

static int nr_events, cpus;
static uint64_t records, bad, lost;

static void broken(const char *why, uint32_t id, size_t size)
{
	if (bad++ < 10)
		printf("# event %u, %zu bytes: %s\n", id, size, why);
}

/* --- formats ------------------------------------------------------------- */

static void read_format(const char *system, const char *name)
{
	char path[1024], line[1024];
	struct event *e = NULL;
	unsigned int id;
	FILE *f;

	snprintf(path, sizeof(path), T "events/%s/%s/format", system, name);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		char *at = strstr(line, "offset:");
		unsigned int offset, size;

		if (sscanf(line, "ID: %u", &id) == 1 && id < MOST_IDS) {
			e = &events[id];
			e->known = true;
			/* What tracers write; some are cut short. */
			e->variable = !strcmp(system, "ftrace");
			nr_events++;
		}
		if (!e || !at ||
		    sscanf(at, "offset:%u;\tsize:%u;", &offset, &size) != 2)
			continue;
		if (offset + size > e->end)
			e->end = offset + size;
		if (strstr(line, "__data_loc") && e->nr_refs < REF_WORDS)
			e->refs[e->nr_refs++] = offset;
	}
	if (f)
		fclose(f);
}

static void read_formats(void)
{
	DIR *all = opendir(T "events"), *one;
	struct dirent *system, *event;
	char path[512];

	while (all && (system = readdir(all))) {
		snprintf(path, sizeof(path), T "events/%s", system->d_name);
		if (system->d_name[0] == '.' || !(one = opendir(path)))
			continue;
		while ((event = readdir(one)))
			if (event->d_name[0] != '.')
				read_format(system->d_name, event->d_name);
		closedir(one);
	}
	if (all)
		closedir(all);
}

static void check_record(const uint8_t *at, size_t size)
{
	struct event *e;
	uint32_t i, word;
	uint16_t id;
	int32_t pid;

	records++;
	if (size < 8) {
		broken("no room for the common fields", 0, size);
		return;
	}
	memcpy(&id, at, 2);
	memcpy(&pid, at + 4, 4);
	e = &events[id % MOST_IDS];
	if (id >= MOST_IDS || !e->known) {
		broken("unknown", id, size);
		return;
	}
	e->seen++;
	if (pid < 0)
		broken("pid below 0", id, size);
	if (e->variable)
		return;
	if (size < e->end) {
		broken("too short", id, size);
		return;
	}
	for (i = 0; i < e->nr_refs; i++) {
		memcpy(&word, at + e->refs[i], 4);
		if ((word & 0xffff) < e->end ||
		    (word & 0xffff) + (word >> 16) > size)
			broken("a field outside", id, size);
	}
}

/* --- something to do ----------------------------------------------------- */

static int work_once(void)
{
	char *map, c = 0;
	int p[2], i;
	pid_t pid;

	if (pipe(p))
		return 1;
	pid = fork();
	if (!pid) {
		for (i = 0; i < 20; i++)
			if (write(p[1], "x", 1) != 1)
				_exit(1);
		_exit(0);
	}
	for (i = 0; i < 20; i++)
		if (read(p[0], &c, 1) != 1)
			return 2;
	close(p[0]);
	close(p[1]);
	map = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < 16; i++)
		map[i * PAGE] = 1;
	munmap(map, 16 * PAGE);
	sched_yield();
	return waitpid(pid, &i, 0) != pid || i;
}

static int spawn(const char *const *args)
{
	int status = 0;
	pid_t pid;

	if (access(args[0], X_OK))
		return 0;
	pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 1);
		execv(args[0], (char *const *)args);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return status;
}

/* In a child: 0, or the status of what failed. */
static int load(void)
{
	static const char *const stress[] = { "/usr/bin/stress-ng", "-q",
		"--cpu", "2", "--vm", "2", "--vm-bytes", "4M", "--fork", "2",
		"--switch", "2", "--pipe", "2", "--mmap", "2", "--mmap-bytes",
		"4M", "-t", "2", NULL };
	static const char *const messages[] = { "/usr/bin/perf", "bench",
		"sched", "messaging", "-g", "1", "-l", "10", NULL };
	int i, status, err = 0;
	pid_t pid[3];

	for (i = 0; i < 3; i++) {
		int n;

		pid[i] = fork();
		if (pid[i])
			continue;
		for (n = 0; n < 20 && !err; n++)
			err = work_once();
		_exit(err);
	}
	for (i = 0; i < 3; i++) {
		waitpid(pid[i], &status, 0);
		err |= status;
	}
	err |= spawn(messages);
	return err | spawn(stress);
}

static pid_t start_load(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(load() ? 1 : 0);
	return pid;
}

/* --- tracefs ------------------------------------------------------------- */

static void parse_page(const uint8_t *page, size_t size)
{
	uint64_t commit;
	size_t at = 16, end;

	memcpy(&commit, page + 8, 8);
	lost += commit >> 31 & 1;
	end = 16 + (commit & 0xfffff);
	if (size < 16 || end > size) {
		broken("a page with more than fits", 0, size);
		return;
	}
	while (at + 4 <= end) {
		uint32_t head, kind, words, length;

		memcpy(&head, page + at, 4);
		memcpy(&words, page + at + 4, at + 8 <= end ? 4 : 0);
		kind = head & 31;
		if (kind == 29) {
			if (!(head >> 5))
				break;
			length = 4 + words;
		} else if (kind >= 30) {
			length = 8;
		} else {
			length = kind ? 4 + kind * 4 : 4 + words;
			if (at + length > end || length < 8) {
				broken("an entry past its page", 0, length);
				return;
			}
			check_record(page + at + (kind ? 4 : 8),
				     length - (kind ? 4 : 8));
		}
		at += (length + 3) & ~3u;
	}
}

static int put(const char *file, const char *text)
{
	char path[256];
	int fd, err = -1;

	snprintf(path, sizeof(path), T "%s", file);
	fd = open(path, O_WRONLY | O_TRUNC);
	if (fd >= 0) {
		err = write(fd, text, strlen(text)) < 0;
		close(fd);
	}
	return err;
}

/* What the CPUs have now; false: nothing. */
static bool drain_pages(const int *fd)
{
	uint8_t page[PAGE];
	bool any = false;
	ssize_t n;
	int i, k;

	for (i = 0; i < cpus; i++)
		for (k = 0; k < 64; k++) {
			n = read(fd[i], page, sizeof(page));
			if (n <= 0)
				break;
			any = true;
			parse_page(page, (size_t)n);
		}
	return any;
}

static void in_tracefs(void)
{
	int fd[MOST_CPUS], i, status = -1;
	char path[128];
	pid_t pid;

	put("trace", "");
	for (i = 0; i < cpus; i++) {
		snprintf(path, sizeof(path), T "per_cpu/cpu%d/trace_pipe_raw",
			 i);
		fd[i] = open(path, O_RDONLY | O_NONBLOCK);
	}
	EQ(put("events/enable", "1"), 0);
	pid = start_load();
	while (!waitpid(pid, &status, WNOHANG)) {
		drain_pages(fd);
		usleep(20000);
	}
	EQ(put("events/enable", "0"), 0);
	EQ(status, 0);
	while (drain_pages(fd))
		;
	for (i = 0; i < cpus; i++)
		close(fd[i]);
	put("trace", "");
}

/* --- perf ----------------------------------------------------------------- */

static int *fds, nr_fds;
static struct perf_event_mmap_page *rings[MOST_CPUS];

static bool open_all(void)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(a),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_RAW,
		.disabled = 1,
	};
	int cpu, first, fd;
	unsigned int id;

	for (cpu = 0; cpu < cpus; cpu++)
		for (first = -1, id = 0; id < MOST_IDS; id++) {
			if (!events[id].known || events[id].variable)
				continue;
			a.config = id;
			fd = (int)syscall(SYS_perf_event_open, &a, -1, cpu, -1,
					  PERF_FLAG_FD_CLOEXEC);
			if (fd < 0)
				return false;
			fds[nr_fds++] = fd;
			if (first >= 0) {
				if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, first))
					return false;
				continue;
			}
			first = fd;
			rings[cpu] = mmap(NULL, PAGE + RING,
					  PROT_READ | PROT_WRITE, MAP_SHARED,
					  fd, 0);
			if (rings[cpu] == MAP_FAILED)
				return false;
		}
	return true;
}

static void parse_sample(const uint8_t *at, size_t size)
{
	uint32_t raw, cpu;

	if (size < 8 + 24 + 4) {
		broken("a short sample", 0, size);
		return;
	}
	memcpy(&cpu, at + 24, 4);
	memcpy(&raw, at + 32, 4);
	if (cpu >= (uint32_t)cpus || 36 + (uint64_t)raw != size)
		broken("no sample", raw, size);
	else
		check_record(at + 36, raw);
}

static void drain_ring(struct perf_event_mmap_page *ring)
{
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	const uint8_t *data = (const uint8_t *)ring + PAGE;
	uint64_t tail = ring->data_tail, n;
	static uint8_t copy[65536];
	struct perf_event_header h;
	uint32_t i;

	while (tail < head) {
		memcpy(&h, data + tail % RING, sizeof(h));
		if (h.size < sizeof(h) || h.size > head - tail) {
			broken("no record", h.type, h.size);
			break;
		}
		for (i = 0; i < h.size; i++)
			copy[i] = data[(tail + i) % RING];
		if (h.type == PERF_RECORD_SAMPLE) {
			parse_sample(copy, h.size);
		} else if (h.type == PERF_RECORD_LOST) {
			memcpy(&n, copy + 16, 8);
			lost += n;
		} else if (h.type != PERF_RECORD_THROTTLE &&
			   h.type != PERF_RECORD_UNTHROTTLE) {
			broken("a record of another type", h.type, h.size);
		}
		tail += h.size;
	}
	__atomic_store_n(&ring->data_tail, head, __ATOMIC_RELEASE);
}

static void drain_rings(void)
{
	int i;

	for (i = 0; i < cpus; i++)
		drain_ring(rings[i]);
}

static void in_perf(void)
{
	int i, status = -1;
	bool all;
	pid_t pid;

	fds = calloc((size_t)cpus * MOST_IDS, sizeof(*fds));
	nr_fds = 0;
	all = open_all();
	OK_MSG(all, "%d perf events of all tracepoints", nr_fds);
	for (i = 0; all && i < nr_fds; i++)
		ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0);
	pid = all ? start_load() : -1;
	while (all && !waitpid(pid, &status, WNOHANG)) {
		drain_rings();
		usleep(5000);
	}
	for (i = 0; i < nr_fds; i++)
		ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0);
	EQ(status, 0);
	for (i = 0; i < cpus && rings[i]; i++) {
		if (all)
			drain_ring(rings[i]);
		munmap(rings[i], PAGE + RING);
	}
	for (i = 0; i < nr_fds; i++)
		close(fds[i]);
	free(fds);
}

/* --- both ---------------------------------------------------------------- */

static long free_kb(void)
{
	char line[128];
	long kb = 0;
	FILE *f = fopen("/proc/meminfo", "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemFree: %ld", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb;
}

static void storm(const char *name, void (*run)(void))
{
	int i, kinds = 0;

	records = bad = lost = 0;
	for (i = 0; i < MOST_IDS; i++)
		events[i].seen = 0;
	run();
	for (i = 0; i < MOST_IDS; i++)
		kinds += events[i].seen != 0;
	OK_MSG(records > 1000, "%s: %llu records (%llu lost)", name,
	       (unsigned long long)records, (unsigned long long)lost);
	OK_MSG(kinds > 10, "%s: of %d events", name, kinds);
	OK_MSG(!bad, "%s: each can be parsed, %llu cannot", name,
	       (unsigned long long)bad);
}

static void storms(void)
{
	storm("tracefs", in_tracefs);
	storm("perf", in_perf);
}

int main(void)
{
	struct rlimit files = { 131072, 131072 };
	struct utsname name;
	long before, less = 0, slack = LINUX_KB;
	int i;

	setrlimit(RLIMIT_NOFILE, &files);
	cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (access(T "events", F_OK))
		mount("none", T, "tracefs", 0, NULL);
	if (cpus > MOST_CPUS || access(T "events", F_OK)) {
		ktap_skip("all tracepoints", "no tracefs");
		return ktap_done();
	}
	read_formats();
	OK_MSG(nr_events > 100, "%d events have a format", nr_events);
	/* The first time leaves what the second finds. */
	storms();
	before = free_kb();
	storms();
	if (!uname(&name) && strstr(name.release, "sonde"))
		slack = SLACK_KB;
	for (i = 0; i < 300; i++) {
		less = before - free_kb();
		if (less < slack)
			break;
		usleep(100000);
	}
	OK_MSG(less < slack, "memory is back: %ld KiB less", less);
	return ktap_done();
}
