// SPDX-License-Identifier: MIT
/*
 * Facts about records other than samples: which events get them, when, and
 * every field of each.
 * only: tags
 * tags: facts
 * timeout: 200
 */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "records.h"

static const char *self;
static struct stat self_stat;
static unsigned char build_id[20];

/* Shared with children, who say where they mapped. */
static struct {
	u64 addr[16];
	u32 tid[4];
} *shared;

static const char *place(u64 addr)
{
	for (int i = 0; i < 16; i++)
		if (addr && shared->addr[i] == addr)
			return text("place %d", i);
	return "somewhere";
}

static const char *map_words(struct perf_event_header *h)
{
	u32 *pids = (u32 *)(h + 1);
	u64 *w = (u64 *)(pids + 2);
	const char *name = (char *)(w + 3), *file = "", *more = "";

	if (h->type == PERF_RECORD_MMAP2) {
		u32 *dev = (u32 *)(w + 3);
		u64 *ino = (u64 *)(dev + 2);
		u32 *prot = (u32 *)(ino + 2);

		name = (char *)(prot + 2);
		if (h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
			file = text(" build id size %d zeros %d %s",
				    ((unsigned char *)dev)[0],
				    ((unsigned char *)dev)[1] +
					    ((unsigned char *)dev)[2] +
					    ((unsigned char *)dev)[3],
				    memcmp(dev + 1, build_id, 20) ? "other" :
								    "mine");
		else if (ino[0] == self_stat.st_ino &&
			 dev[0] == major(self_stat.st_dev) &&
			 dev[1] == minor(self_stat.st_dev))
			file = " my file";
		else
			file = ino[0] ? " a file" :
			       text(" dev %u:%u gen %llu", dev[0], dev[1],
				    (unsigned long long)ino[1]);
		more = text(" prot %u flags %#x", prot[0], prot[1]);
	}
	if (!strncmp(name, self, strlen(self)))
		name = text("me%s", name + strlen(self));
	return text("%s/%s at %s len %#llx off %s%s%s '%s'", who(pids[0]),
		    who(pids[1]), place(w[0]), (unsigned long long)w[1],
		    w[2] == w[0] ? "the address" :
		    text("%#llx", (unsigned long long)w[2]), file, more, name);
}

/* Everything in front of the trailer. */
static const char *payload(struct perf_event_header *h, int tail)
{
	u32 *p = (u32 *)(h + 1);
	u64 *w = (u64 *)(h + 1);
	char names[200] = "";

	switch (h->type) {
	case PERF_RECORD_COMM:
		return text("%s/%s '%s'", who(p[0]), who(p[1]), (char *)(p + 2));
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return text("pid %s ppid %s tid %s ptid %s time %s", who(p[0]),
			    who(p[1]), who(p[2]), who(p[3]),
			    w[2] ? "there" : "0");
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return map_words(h);
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return text("other %s", who(p[1]));
	case PERF_RECORD_READ:
		return text("%s/%s, %d words", who(p[0]), who(p[1]),
			    (h->size - 16 - tail) / 8);
	case PERF_RECORD_NAMESPACES:
		for (u64 i = 0; i < w[1] && i < 7; i++)
			sprintf(names + strlen(names), " %llu:%#llx",
				(unsigned long long)w[2 + 2 * i],
				(unsigned long long)w[3 + 2 * i]);
		return text("%s/%s %llu:%s", who(p[0]), who(p[1]),
			    (unsigned long long)w[1], names);
	}
	return "";
}

/* All that is in the ring but for records of the type `but`. */
static int tell(struct ring *r, int fd, const struct perf_event_attr *a,
		const char *what, u32 but)
{
	int tail = a->sample_id_all ? 8 * words_of(a->sample_type) : 0, n = 0;
	struct perf_event_header *h;
	u64 id = id_of(fd);

	while ((h = ring_next(r))) {
		if (h->type == but)
			continue;
		fact(text("%s misc %#x size %u %s; trailer %s",
			  record_name(h->type), h->misc, h->size,
			  payload(h, tail), trailer(h, a, id)),
		     "%s, record %d", what, ++n);
	}
	fact(number(n), "%s, records", what);
	return n;
}

/* --- what children do ---------------------------------------------------- */

static void do_names(void)
{
	int fd;

	prctl(PR_SET_NAME, "a", 0, 0, 0);
	prctl(PR_SET_NAME, "seven77", 0, 0, 0);
	prctl(PR_SET_NAME, "eight888", 0, 0, 0);
	prctl(PR_SET_NAME, "longer than fifteen", 0, 0, 0);
	prctl(PR_SET_NAME, "", 0, 0, 0);
	fd = open("/proc/self/comm", O_WRONLY);
	if (write(fd, "written", 7) != 7)
		_exit(1);
}

static void *do_nothing(void *arg)
{
	*(u32 *)arg = gettid();
	return NULL;
}

static void do_family(void)
{
	pthread_t t;
	int pid;

	pid = fork();
	if (!pid)
		_exit(0);
	shared->tid[0] = pid;
	waitpid(pid, NULL, 0);
	pthread_create(&t, NULL, do_nothing, &shared->tid[1]);
	pthread_join(t, NULL);
	/* Whoever joins may be quicker than the end of the thread. */
	while (!syscall(SYS_tgkill, getpid(), shared->tid[1], 0))
		usleep(1000);
}

static void *map_at(int n, size_t bytes, int prot, int flags, int fd, long at)
{
	void *p = mmap(NULL, bytes, prot, flags, fd, at);

	shared->addr[n] = (u64)p;
	return p;
}

#define RX (PROT_READ | PROT_EXEC)
#define RW (PROT_READ | PROT_WRITE)
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)

static void do_maps(void)
{
	int fd = open(self, O_RDONLY), mem = memfd_create("mem", 0), gone;
	char *p, *q;

	map_at(0, 2 * PAGE, RX, ANON, -1, 0);
	map_at(1, PAGE, RX, MAP_PRIVATE, fd, PAGE);
	map_at(2, 3 * PAGE, PROT_EXEC, MAP_SHARED, fd, 0);
	map_at(3, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	map_at(4, PAGE, RW | PROT_EXEC, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
	p = map_at(5, 4 * PAGE, RW, ANON, -1, 0);
	shared->addr[6] = (u64)p + PAGE;
	mprotect(p + PAGE, PAGE, RX);
	mprotect(p + PAGE, PAGE, PROT_READ);
	munmap(p, 4 * PAGE);
	if (ftruncate(mem, PAGE))
		_exit(1);
	map_at(7, PAGE, RX, MAP_PRIVATE, mem, 0);
	gone = open("/tmp/gone", O_CREAT | O_RDWR, 0700);
	if (gone < 0 || ftruncate(gone, PAGE) || unlink("/tmp/gone"))
		_exit(1);
	map_at(8, PAGE, RX, MAP_PRIVATE, gone, 0);
	map_at(9, PAGE, PROT_NONE, ANON, -1, 0);
	map_at(10, PAGE, PROT_WRITE, ANON | MAP_LOCKED, -1, 0);
	map_at(11, PAGE, RX, ANON | MAP_GROWSDOWN, -1, 0);
	/* Into nothing, on top of something, and beside it. */
	p = mmap(NULL, 4 * PAGE, PROT_NONE, ANON, -1, 0);
	shared->addr[12] = (u64)p + PAGE;
	mmap(p + PAGE, PAGE, RX, ANON | MAP_FIXED, -1, 0);
	shared->addr[13] = (u64)p + 2 * PAGE;
	mmap(p + 2 * PAGE, PAGE, RX, ANON | MAP_FIXED, -1, 0);
	q = mremap(p + PAGE, 2 * PAGE, 8 * PAGE, MREMAP_MAYMOVE);
	shared->addr[14] = (u64)q;
	mmap(NULL, PAGE, PROT_EXEC, 0, fd, 0);	/* fails */
}

static void do_exec(void)
{
	execl(self, self, "nothing", NULL);
	_exit(1);
}

static void do_heap(void)
{
	execl(self, self, "heap", NULL);
	_exit(1);
}

static void do_namespaces(void)
{
	int pid = fork();

	if (!pid)
		_exit(0);
	shared->tid[0] = pid;
	waitpid(pid, NULL, 0);
	if (unshare(CLONE_FS | CLONE_FILES))
		_exit(1);
}

static void do_sleeps(void)
{
	for (int i = 0; i < 12; i++)
		usleep(1000);
}

/* One child, one event, all that comes of it. */
static void scene(const char *what, void (*doing)(void),
		  struct perf_event_attr a, u32 but)
{
	struct perf_event_attr only = SW(DUMMY);
	struct kid k;
	struct ring r;
	int fd, other;

	memset(shared, 0, sizeof(*shared));
	if (!kid_start(&k)) {
		doing();
		_exit(0);
	}
	/*
	 * Inherited ones have a ring only for a CPU.  What only the first has
	 * keeps the family from swapping contexts.
	 */
	fd = must_open(&a, k.pid, a.inherit ? 0 : -1, -1, 0);
	other = must_open(&only, k.pid, -1, -1, 0);
	ring_map(&r, fd, 8);
	kid_go(&k);
	person(shared->tid[0], "grandchild");
	person(shared->tid[1], "thread");
	tell(&r, fd, &a, what, but);
	ring_unmap(&r);
	close(fd);
	close(other);
}

#define ALL .sample_id_all = 1, .sample_type = TRAILER
#define CARRIER(...) SW(DUMMY, ##__VA_ARGS__)

static void names(void)
{
	scene("names", do_names, CARRIER(ALL, .comm = 1), 0);
	scene("names, comm_exec", do_names,
	      CARRIER(ALL, .comm = 1, .comm_exec = 1), 0);
	scene("names without a trailer", do_names,
	      CARRIER(.sample_type = TRAILER, .comm = 1), 0);
	scene("names, some of a trailer", do_names,
	      CARRIER(.sample_id_all = 1, .comm = 1,
		      .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_CPU), 0);
	scene("names, a trailer of other fields", do_names,
	      CARRIER(.sample_id_all = 1, .comm = 1,
		      .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD), 0);
	scene("names of a disabled event", do_names,
	      CARRIER(ALL, .comm = 1, .disabled = 1), 0);
	scene("names not asked for", do_names, CARRIER(ALL, .task = 1),
	      PERF_RECORD_EXIT);
	scene("names of a counter of faults", do_names,
	      SW(PAGE_FAULTS, ALL, .comm = 1, .exclude_user = 1,
		 .exclude_kernel = 1), 0);
	scene("names of a counter of cycles", do_names,
	      CYCLES(ALL, .comm = 1), 0);
	scene("names, one bit", do_names, CARRIER(.comm = 1), 0);
}

static void families(void)
{
	scene("family", do_family, CARRIER(ALL, .task = 1), 0);
	scene("family by comm", do_family, CARRIER(ALL, .comm = 1), 0);
	scene("family by mmap", do_family, CARRIER(ALL, .mmap = 1),
	      PERF_RECORD_MMAP);
	scene("family by mmap2", do_family, CARRIER(ALL, .mmap2 = 1),
	      PERF_RECORD_MMAP2);
	scene("family by mmap_data", do_family, CARRIER(ALL, .mmap_data = 1),
	      PERF_RECORD_MMAP);
	scene("family inherited", do_family,
	      CARRIER(ALL, .task = 1, .inherit = 1), 0);
	scene("family inherited by threads", do_family,
	      CARRIER(ALL, .task = 1, .inherit = 1, .inherit_thread = 1), 0);
	scene("family and namespaces", do_namespaces,
	      CARRIER(ALL, .namespaces = 1), 0);
}

static void maps(void)
{
	scene("maps, mmap2", do_maps, CARRIER(ALL, .mmap2 = 1, .mmap = 1),
	      PERF_RECORD_EXIT);
	scene("maps, mmap", do_maps, CARRIER(.mmap = 1), PERF_RECORD_EXIT);
	scene("maps, mmap2 and data", do_maps,
	      CARRIER(.mmap2 = 1, .mmap = 1, .mmap_data = 1),
	      PERF_RECORD_EXIT);
	scene("maps, only data", do_maps, CARRIER(.mmap_data = 1),
	      PERF_RECORD_EXIT);
	scene("maps by build id", do_maps,
	      CARRIER(ALL, .mmap = 1, .mmap2 = 1, .build_id = 1),
	      PERF_RECORD_EXIT);
	scene("maps, mmap2 alone", do_maps, CARRIER(ALL, .mmap2 = 1), 0);
	scene("maps by build id, mmap", do_maps,
	      CARRIER(.mmap = 1, .build_id = 1), PERF_RECORD_EXIT);
}

static void executed(void)
{
	scene("exec", do_exec, CARRIER(ALL, .comm = 1, .comm_exec = 1), 0);
	scene("exec, maps", do_exec,
	      CARRIER(ALL, .comm = 1, .mmap = 1, .mmap2 = 1, .task = 1), 0);
	scene("exec, namespaces", do_exec, CARRIER(ALL, .namespaces = 1), 0);
	scene("exec, enabled by it", do_exec,
	      CARRIER(ALL, .comm = 1, .mmap2 = 1, .disabled = 1,
		      .enable_on_exec = 1), 0);
	scene("exec, removed by it", do_exec,
	      CARRIER(ALL, .comm = 1, .mmap2 = 1, .task = 1,
		      .remove_on_exec = 1), 0);
}

/* What a program that has just been started adds to its heap. */
static void heap(void)
{
	struct perf_event_attr a = CARRIER(.mmap_data = 1, .mmap2 = 1);
	struct perf_event_header *h;
	const char *name;
	int fd, n = 0, wrong = 0;
	struct kid k;
	struct ring r;

	memset(shared, 0, sizeof(*shared));
	if (!kid_start(&k))
		do_heap();
	fd = must_open(&a, k.pid, -1, -1, 0);
	ring_map(&r, fd, 8);
	kid_go(&k);
	while ((h = ring_next(&r))) {
		u64 *w = (u64 *)(h + 1);

		name = (char *)(w + 8);
		if (h->type != PERF_RECORD_MMAP2 || strcmp(name, "[heap]"))
			continue;
		n++;
		wrong += w[1] != w[3] || w[2] < PAGE;
	}
	fact(n ? "some" : "none", "records of a heap");
	fact(number(wrong), "those with an odd offset or length");
	ring_unmap(&r);
	close(fd);
}

/* Whoever is there is asked only about those who take part. */
static void on_a_cpu(void)
{
	struct perf_event_attr a = CARRIER(ALL, .comm = 1, .task = 1,
					   .mmap2 = 1, .namespaces = 1,
					   .context_switch = 1);
	int fd = must_open(&a, -1, 0, -1, 0), n[2] = { 0 }, odd = 0;
	struct perf_event_header *h;
	u64 id = id_of(fd);
	struct kid k;
	struct ring r;

	memset(shared, 0, sizeof(*shared));
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	ring_map(&r, fd, 64);
	if (!kid_start(&k)) {
		do_family();
		do_sleeps();
		do_names();
		do_exec();
	}
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	kid_go(&k);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	person(shared->tid[0], "grandchild");
	person(shared->tid[1], "thread");
	for (int i = 0; (h = ring_next(&r));) {
		u32 *tail = (u32 *)((char *)h + h->size - 48);
		u32 *p = (u32 *)(h + 1);

		if (h->type == PERF_RECORD_SWITCH_CPU_WIDE) {
			bool out = h->misc & PERF_RECORD_MISC_SWITCH_OUT;

			if (tail[1] == k.pid)
				n[out]++;
			odd += h->size != 64 || p[1] == tail[1];
			continue;
		}
		if (tail[1] != k.pid && tail[1] != shared->tid[0] &&
		    tail[1] != shared->tid[1])
			continue;
		fact(text("%s misc %#x size %u %s; trailer %s",
			  record_name(h->type), h->misc, h->size,
			  payload(h, 48), trailer(h, &a, id)),
		     "on a CPU, record %d", ++i);
	}
	fact(n[1] >= 3 ? "at least 3" : number(n[1]), "on a CPU, out");
	fact(n[0] >= 3 ? "at least 3" : number(n[0]), "on a CPU, in");
	fact(number(odd), "on a CPU, odd switches");
	ring_unmap(&r);
	close(fd);
}

/* Who counts what its child did, when the child ends or leaves by exec. */
static void reads(void)
{
	/* What only the first has keeps the two from swapping contexts. */
	for (int format = 0; format < 32; format += format < 8 ? 1 : 7)
		for (int exec = 0; exec < 4; exec += exec ? 1 : 2) {
			struct perf_event_attr only = SW(DUMMY);
			struct perf_event_attr a = SW(
				PAGE_FAULTS, ALL, .inherit = 1,
				.inherit_stat = 1, .read_format = format,
				.remove_on_exec = exec & 1,
				.exclude_kernel = 1);
			int fd, other = -1;
			struct kid k;
			struct ring r;

			memset(shared, 0, sizeof(*shared));
			if (!kid_start(&k)) {
				int pid = fork();

				if (!pid && (exec & 1))
					do_exec();
				if (!pid)
					_exit(0);
				shared->tid[0] = pid;
				waitpid(pid, NULL, 0);
				_exit(0);
			}
			fd = must_open(&a, k.pid, 0, -1, 0);
			if (exec)
				other = must_open(&only, k.pid, -1, -1, 0);
			ring_map(&r, fd, 2);
			kid_go(&k);
			person(shared->tid[0], "grandchild");
			tell(&r, fd, &a,
			     text("inherit_stat, format %d%s%s", format,
				  exec & 1 ? ", exec" : ", exit",
				  exec & 2 ? ", no swap" : ""), 0);
			ring_unmap(&r);
			close(other);
			close(fd);
		}
}

/* They open; nothing here causes a record. */
static void rare(void)
{
	scene("ksymbol", do_maps, CARRIER(ALL, .ksymbol = 1), 0);
	scene("bpf_event", do_maps, CARRIER(ALL, .bpf_event = 1), 0);
	scene("text_poke", do_maps, CARRIER(ALL, .text_poke = 1), 0);
	scene("cgroup", do_family, CARRIER(ALL, .cgroup = 1), 0);
}

static int find_build_id(struct dl_phdr_info *info, size_t size, void *arg)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const char *at = (void *)(info->dlpi_addr + p->p_vaddr);
		const char *end = at + p->p_memsz;

		while (p->p_type == PT_NOTE && at < end) {
			const ElfW(Nhdr) *n = (const void *)at;

			at += sizeof(*n) + ((n->n_namesz + 3) & ~3u);
			if (n->n_type == NT_GNU_BUILD_ID && n->n_descsz == 20)
				memcpy(build_id, at, 20);
			at += (n->n_descsz + 3) & ~3u;
		}
	}
	return 1;
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1) {
		if (!strcmp(argv[1], "heap") &&
		    (sbrk(PAGE) == (void *)-1 || sbrk(PAGE) == (void *)-1))
			return 1;
		return 0;
	}
	settle();
	stat(self, &self_stat);
	dl_iterate_phdr(find_build_id, NULL);
	shared = mmap(NULL, PAGE, RW, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	names();
	families();
	maps();
	executed();
	heap();
	on_a_cpu();
	reads();
	rare();
	return ktap_done();
}
