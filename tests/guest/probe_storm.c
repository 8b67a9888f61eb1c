/* SPDX-License-Identifier: MIT */
/*
 * Probes at many places while everything runs: a kprobe in each of hundreds
 * of kernel functions at once, and uprobes that come and go in libc while
 * fifty processes fork, execute and map it.  The system is alive afterwards,
 * the kernel's text as before (seen in /proc/kcore), and memory back.
 *
 *   probe_storm [FUNCTIONS [SEED]]
 *
 * As the first process it puts a probe wherever one may be and ends: the
 * panic that follows is tests/host/panic.sh's.
 *
 * only: tags
 * tags: big
 * timeout: 900
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ktap.h"

#define MOST	  65536		/* functions of a kernel */
#define LIBC	  "/lib/aarch64-linux-gnu/libc.so.6"
#define PROCESSES 50
#define ROUNDS	  25		/* at most, */
#define SECONDS	  30		/* and no new one after these */
#define SLACK_KB  8192		/* lists of free objects, caches; */
#define LINUX_KB  32768		/* Linux's slabs keep more of a first storm */

static uint64_t functions[MOST];
static uint64_t text_start, text_end;
static int nr_functions, *fds;
static uint64_t seed = 1;

static uint64_t draw(uint64_t below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % below;
}

static uint32_t number(const char *path)
{
	unsigned int n = 0;
	FILE *f = fopen(path, "r");

	if (f && fscanf(f, "%u", &n) != 1)
		n = 0;
	if (f)
		fclose(f);
	return n;
}

static int open_probe(uint32_t type, const char *file, uint64_t where,
		      uint64_t config, int cpu)
{
	struct perf_event_attr a = {
		.type = type,
		.size = sizeof(a),
		.config = config,
		.config1 = (uintptr_t)file,
		.config2 = where,
	};

	return (int)syscall(SYS_perf_event_open, &a, -1, cpu, -1, 0);
}

static long free_kb(void)
{
	char line[128];
	long kb = 0;
	FILE *f;
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY);

	if (fd >= 0 && write(fd, "3", 1) != 1)
		printf("# caches stay\n");
	close(fd);
	f = fopen("/proc/meminfo", "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemFree: %ld", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb;
}

static void memory_is_back(long before)
{
	long lost = 0, slack = LINUX_KB;
	struct utsname name;
	int i;

	if (!uname(&name) && strstr(name.release, "sonde"))
		slack = SLACK_KB;
	for (i = 0; i < 300; i++) {
		lost = before - free_kb();
		if (lost < slack)
			break;
		usleep(100000);
	}
	OK_MSG(lost < slack, "memory is back: %ld KiB less", lost);
}

/* --- something to do ---------------------------------------------------- */

/* One step of each kind of what stress-ng would do. */
static int work_once(void)
{
	int p[2], status = 0, i;
	char *map, c = 0;
	pid_t pid;

	if (pipe(p))
		return 1;
	pid = fork();
	if (!pid) {
		for (i = 0; i < 50; i++)
			if (write(p[1], "x", 1) != 1)
				_exit(1);
		_exit(0);
	}
	for (i = 0; i < 50; i++)
		if (read(p[0], &c, 1) != 1 || c != 'x')
			return 2;
	close(p[0]);
	close(p[1]);
	map = mmap(NULL, 64 * 4096, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return 3;
	for (i = 0; i < 64; i++)
		map[i * 4096] = (char)i;
	mprotect(map, 8 * 4096, PROT_READ);
	munmap(map, 64 * 4096);
	sched_yield();
	if (waitpid(pid, &status, 0) != pid || status)
		return 4;
	return 0;
}

static const char *const stress[] = {
	"stress-ng", "--cpu", "2", "--vm", "2", "--vm-bytes", "16M", "--fork",
	"2", "--switch", "2", "--pipe", "2", "--mmap", "2", "--mmap-bytes",
	"4M", "-t", "5", "-q", NULL,
};

/* 0, or the status of what failed. */
static int work(void)
{
	int status = 0, i, bad = 0;
	pid_t pid[3];

	if (!access("/usr/bin/stress-ng", X_OK)) {
		pid[0] = fork();
		if (!pid[0]) {
			execv("/usr/bin/stress-ng", (char *const *)stress);
			_exit(127);
		}
		waitpid(pid[0], &status, 0);
		return status;
	}
	for (i = 0; i < 3; i++) {
		int n, err = 0;

		pid[i] = fork();
		if (pid[i])
			continue;
		for (n = 0; n < 30 && !err; n++)
			err = work_once();
		_exit(err);
	}
	for (i = 0; i < 3; i++)
		if (waitpid(pid[i], &status, 0) != pid[i] || status)
			bad = status ? status : -1;
	return bad;
}

/* --- the kernel --------------------------------------------------------- */

static void read_functions(void)
{
	unsigned long long addr, first = 0, last = 0;
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[512], name[256], kind;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx %c %255s", &addr, &kind, name) != 3)
			continue;
		if (!strcmp(name, "_stext"))
			first = addr;
		if (!strcmp(name, "_etext"))
			last = addr;
		if ((kind == 't' || kind == 'T') && first && !last &&
		    nr_functions < MOST)
			functions[nr_functions++] = addr;
	}
	if (f)
		fclose(f);
	text_start = first;
	text_end = last;
}

/* The kernel's text as it is now; NULL if it cannot be read. */
static uint8_t *read_text(void)
{
	size_t size = text_end - text_start;
	uint8_t *text = malloc(size + 1);
	int fd = open("/proc/kcore", O_RDONLY), i;
	ssize_t n = -1;
	Elf64_Ehdr e;
	Elf64_Phdr p;

	if (fd < 0 || pread(fd, &e, sizeof(e), 0) != sizeof(e))
		e.e_phnum = 0;
	for (i = 0; i < e.e_phnum && n < 0; i++) {
		if (pread(fd, &p, sizeof(p), (off_t)(e.e_phoff +
			  (uint64_t)i * sizeof(p))) != sizeof(p))
			break;
		if (p.p_type == PT_LOAD && p.p_vaddr <= text_start &&
		    text_end - p.p_vaddr <= p.p_memsz)
			n = pread(fd, text, size, (off_t)(p.p_offset +
				  (text_start - p.p_vaddr)));
	}
	close(fd);
	if (size && n == (ssize_t)size)
		return text;
	free(text);
	return NULL;
}

static uint64_t changed_at;	/* the last change that was found */

/* How many words of it are others now; -1: it cannot be read. */
static long text_changes(const uint8_t *before)
{
	uint8_t *now = read_text();
	uint64_t i;
	long n = 0;

	if (!now || !before)
		return -1;
	for (i = 0; i + 4 <= text_end - text_start; i += 4)
		if (memcmp(now + i, before + i, 4)) {
			changed_at = text_start + i;
			n++;
		}
	free(now);
	return n;
}

/* What else patches text (switches of perf's own) may lag behind. */
static void text_is_back(const uint8_t *before)
{
	long n = 0;
	int i;

	for (i = 0; i < 100; i++) {
		n = text_changes(before);
		if (!n)
			break;
		usleep(100000);
	}
	OK_MSG(!n, "the text is as before: %ld words are not, one at %llx", n,
	       n > 0 ? (unsigned long long)changed_at : 0);
}

/* Probes at the entries of up to n different functions. */
static int place(int n)
{
	uint32_t type = number("/sys/bus/event_source/devices/kprobe/type");
	int placed = 0, cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);

	while (placed < n && nr_functions) {
		int at = (int)draw((uint64_t)nr_functions), fd;

		fd = open_probe(type, NULL, functions[at], 0, placed % cpus);
		if (fd >= 0)
			fds[placed++] = fd;
		else if (errno != EINVAL && errno != ENOENT)
			ktap_ok(false, "a probe fails with errno %d", errno);
		functions[at] = functions[--nr_functions];
	}
	return placed;
}

static bool hit(int fd)
{
	uint64_t v = 0;

	return read(fd, &v, sizeof(v)) == sizeof(v) && v;
}

static void storm_of_kprobes(int want)
{
	uint8_t *text;
	long before, changes;
	int i, n, hits = 0;

	fds = calloc((size_t)want, sizeof(*fds));
	read_functions();
	if (work())
		ktap_ok(false, "it works without probes");
	text = read_text();
	before = free_kb();
	n = place(want);
	OK_MSG(n == want || !nr_functions, "%d functions have a probe", n);
	changes = text_changes(text);
	OK_MSG(changes >= n, "%ld words of text are others", changes);
	EQ(work(), 0);
	for (i = 0; i < n; i++)
		hits += hit(fds[i]);
	OK_MSG(hits > 0, "%d of them were called", hits);
	for (i = 0; i < n; i++)
		close(fds[i]);
	text_is_back(text);
	EQ(work(), 0);
	memory_is_back(before);
	free(text);
	free(fds);
}

/* Ends with a probe everywhere; it is an init that does. */
static void probe_all(void)
{
	int n;

	mount("none", "/proc", "proc", 0, NULL);
	mount("none", "/sys", "sysfs", 0, NULL);
	fds = calloc(MOST, sizeof(*fds));
	read_functions();
	n = place(MOST);
	printf("%d probes are placed, %d functions are left\n", n,
	       nr_functions);
	fflush(stdout);
}

/* --- libc ---------------------------------------------------------------- */

/* Offsets of functions of libc in its file. */
static int find_in_libc(uint64_t *at, int most)
{
	static const char *const names[] = { "malloc", "free", "_exit",
		"strlen", "getenv", "setlocale", "exit", "fork", "write" };
	int fd = open(LIBC, O_RDONLY), n = 0;
	const Elf64_Ehdr *e;
	const Elf64_Shdr *s;
	struct stat st;
	unsigned int i, j, k;

	if (fd < 0 || fstat(fd, &st))
		return 0;
	e = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (e == MAP_FAILED)
		return 0;
	s = (const void *)((const char *)e + e->e_shoff);
	for (i = 0; i < e->e_shnum; i++) {
		const Elf64_Sym *sym = (const void *)((const char *)e +
						      s[i].sh_offset);
		const char *str = (const char *)e +
			s[s[i].sh_link].sh_offset;

		if (s[i].sh_type != SHT_DYNSYM)
			continue;
		for (j = 0; j < s[i].sh_size / sizeof(*sym); j++)
			for (k = 0; k < sizeof(names) / sizeof(*names); k++)
				if (n < most && sym[j].st_value &&
				    !strcmp(str + sym[j].st_name, names[k]))
					at[n++] = sym[j].st_value;
	}
	munmap((void *)e, (size_t)st.st_size);
	return n;
}

/* Text of a library lies in its file where it lies in memory. */
static int map_libc(void)
{
	int fd = open(LIBC, O_RDONLY), i;

	for (i = 0; i < 5; i++) {
		volatile char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_EXEC,
					MAP_PRIVATE, fd, 0);

		if (p == MAP_FAILED)
			return 1;
		(void)p[0x40000];
		munmap((void *)p, 1 << 20);
	}
	close(fd);
	return 0;
}

/* A program of the roots that uses libc. */
static const char *const user[] = { "/usr/bin/strace", "-V", NULL };

static int use_libc(void)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, 1);
		execv(user[0], (char *const *)user);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid)
		return 1;
	return status ? 2 : map_libc();
}

static void storm_of_uprobes(void)
{
	uint32_t type = number("/sys/bus/event_source/devices/uprobe/type");
	int n, i, j, bad = 0, failed = 0, hits = 0, status,
	    rounds;
	volatile int *stop = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint64_t at[16];
	pid_t pid[PROCESSES];
	time_t end;
	long before;

	n = find_in_libc(at, 16);
	if (!n) {
		ktap_skip("uprobes in libc", "there is no libc");
		return;
	}
	EQ(use_libc(), 0);
	before = free_kb();
	for (i = 0; i < PROCESSES; i++) {
		pid[i] = fork();
		if (pid[i])
			continue;
		for (status = 0; !*stop && !status;)
			status = use_libc();
		_exit(status);
	}
	end = time(NULL) + SECONDS;
	for (i = 0; i < ROUNDS && time(NULL) < end; i++) {
		int fd[16];

		for (j = 0; j < n; j++) {
			fd[j] = open_probe(type, LIBC, at[j], (i + j) & 1,
					   (i + j) % 2);
			bad += fd[j] < 0;
		}
		usleep(20000);
		for (j = 0; j < n; j++) {
			hits += hit(fd[j]);
			close(fd[j]);
		}
	}
	rounds = i;
	*stop = 1;
	for (i = 0; i < PROCESSES; i++) {
		status = -1;
		waitpid(pid[i], &status, 0);
		if (status)
			printf("# a process ended with %x\n", status);
		failed += status != 0;
	}
	EQ(bad, 0);
	EQ(failed, 0);
	OK_MSG(hits > 0, "%d probes of %d were hit", hits, n * rounds);
	EQ(use_libc(), 0);
	memory_is_back(before);
	munmap((void *)stop, 4096);
}

int main(int argc, char **argv)
{
	struct rlimit files = { MOST, MOST };

	seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	setrlimit(RLIMIT_NOFILE, &files);
	if (getpid() == 1) {
		probe_all();
		return 0;
	}
	if (argc < 2 || atoi(argv[1]))
		storm_of_kprobes(argc > 1 ? atoi(argv[1]) : 500);
	storm_of_uprobes();
	return ktap_done();
}
