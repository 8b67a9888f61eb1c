// SPDX-License-Identifier: MIT
/*
 * Facts about mappings: geometry, protection, lifetime, budget, user page.
 * only: tags
 * tags: facts
 * timeout: 200
 */
#define _GNU_SOURCE
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sched.h>

#include "facts.h"

static const char *map_answer(int fd, size_t bytes, int prot, int how,
			      off_t offset)
{
	void *p = mmap(NULL, bytes, prot, how, fd, offset);

	if (p == MAP_FAILED)
		return strerrorname_np(errno);
	munmap(p, bytes);
	return "ok";
}

#define RW (PROT_READ | PROT_WRITE)

static void geometry(void)
{
	static const long pages[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 32, 33,
				      64, 65, 128, 129, 257, 513, 1025 };
	struct perf_event_attr kinds[] = {
		SW(DUMMY), CYCLES(), CYCLES(.sample_period = 1000000),
		SW(PAGE_FAULTS, .write_backward = 1, .sample_period = 1000)
	};

	for (int k = 0; k < 4; k++) {
		int fd = must_open(&kinds[k], 0, -1, -1, 0);

		for (int i = 0; i < sizeof(pages) / sizeof(*pages); i++)
			fact(map_answer(fd, pages[i] * PAGE, RW, MAP_SHARED, 0),
			     "%ld pages, kind %d", pages[i], k);
		for (int prot = 0; prot < 8; prot++)
			for (int how = 1; how < 4; how++)
				fact(map_answer(fd, 3 * PAGE, prot, how, 0),
				     "prot %d flags %d, kind %d", prot, how, k);
		fact(map_answer(fd, 3 * PAGE - 100, RW, MAP_SHARED, 0),
		     "a bit under 3 pages, kind %d", k);
		fact(map_answer(fd, 2 * PAGE + 1, RW, MAP_SHARED, 0),
		     "a bit over 2 pages, kind %d", k);
		for (int at = 1; at < 5; at++)
			fact(map_answer(fd, 2 * PAGE, RW, MAP_SHARED,
					at * PAGE), "at page %d, kind %d", at,
			     k);
		fact(map_answer(fd, 2 * PAGE, RW, MAP_SHARED | MAP_POPULATE, 0),
		     "populated, kind %d", k);
		fact(map_answer(fd, 2 * PAGE, RW, MAP_SHARED | MAP_LOCKED, 0),
		     "locked, kind %d", k);
		close(fd);
	}
}

static void targets(void)
{
	static const struct {
		const char *name;
		struct perf_event_attr attr;
		int pid, cpu;
	} list[] = {
		{ "inherited anywhere", SW(DUMMY, .inherit = 1), 0, -1 },
		{ "inherited on 0", SW(DUMMY, .inherit = 1), 0, 0 },
		{ "cpu 0", SW(DUMMY), -1, 0 },
		{ "cpu 3", SW(DUMMY), -1, 3 },
	};

	for (int i = 0; i < 4; i++) {
		int fd = must_open(&list[i].attr, list[i].pid, list[i].cpu, -1,
				   0);

		fact(map_answer(fd, 3 * PAGE, RW, MAP_SHARED, 0), "%s",
		     list[i].name);
		close(fd);
	}
}

static int touched(char *p)
{
	int status, kid = fork();

	if (!kid) {
		signal(SIGSEGV, SIG_DFL);
		signal(SIGBUS, SIG_DFL);
		*(volatile char *)p;
		_exit(0);
	}
	waitpid(kid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void areas(void)
{
	struct perf_event_attr a = SW(DUMMY);
	int fd = must_open(&a, 0, -1, -1, 0);
	char *p, *q;

	p = mmap(NULL, 5 * PAGE, RW, MAP_SHARED, fd, 0);
	fact(map_answer(fd, 5 * PAGE, RW, MAP_SHARED, 0), "mapped again");
	fact(map_answer(fd, 3 * PAGE, RW, MAP_SHARED, 0), "and in half");
	fact(map_answer(fd, 9 * PAGE, RW, MAP_SHARED, 0), "and in double");
	fact(map_answer(fd, PAGE, RW, MAP_SHARED, 0), "and one page");
	fact(map_answer(fd, 5 * PAGE, PROT_READ, MAP_SHARED, 0),
	     "and read-only");
	fact(number(touched(p)), "signal to a child that looks");
	q = mremap(p, 5 * PAGE, 9 * PAGE, MREMAP_MAYMOVE);
	fact(q == MAP_FAILED ? strerrorname_np(errno) : "ok", "mremap grows");
	fact(answer_of(SAYS(munmap(p + 4 * PAGE, PAGE))), "unmap the end");
	fact(answer_of(SAYS(munmap(p, PAGE))), "unmap the beginning");
	fact(answer_of(SAYS(munmap(p + 2 * PAGE, PAGE))), "unmap the middle");
	fact(answer_of(SAYS(mprotect(p, 5 * PAGE, PROT_READ))), "mprotect ro");
	fact(answer_of(SAYS(mprotect(p, 5 * PAGE, RW))), "mprotect rw");
	fact(answer_of(SAYS(mprotect(p + PAGE, PAGE, PROT_READ))),
	     "mprotect a part");
	fact(answer_of(SAYS(mprotect(p, 5 * PAGE, RW | PROT_EXEC))),
	     "mprotect rwx");
	fact(answer_of(SAYS(madvise(p, 5 * PAGE, MADV_DONTNEED))),
	     "MADV_DONTNEED");
	fact(answer_of(SAYS(madvise(p, 5 * PAGE, MADV_DOFORK))), "MADV_DOFORK");
	fact(answer_of(SAYS(msync(p, 5 * PAGE, MS_SYNC))), "msync");
	fact(answer_of(SAYS(mlock(p, 5 * PAGE))), "mlock");
	fact(answer_of(SAYS(munlock(p, 5 * PAGE))), "munlock");
	munmap(p, 5 * PAGE);
	fact(map_answer(fd, 9 * PAGE, RW, MAP_SHARED, 0),
	     "another size afterwards");
	p = mmap(NULL, PAGE, RW, MAP_SHARED, fd, 0);
	if (p != MAP_FAILED) {
		struct perf_event_mmap_page *pg = (void *)p;

		fact(text("%llu %llu", (unsigned long long)pg->data_offset,
			  (unsigned long long)pg->data_size), "one page's data");
		fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0))),
		     "resume one page");
		munmap(p, PAGE);
	}
	p = mmap(NULL, 3 * PAGE, RW, MAP_SHARED, fd, 0);
	fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1))),
	     "pause");
	close(fd);
	fact(text("%d", *(volatile char *)p), "read after close");
	munmap(p, 3 * PAGE);
}

static void page(void)
{
	struct perf_event_attr kinds[] = {
		CYCLES(), CYCLES(.config1 = 1), CYCLES(.config1 = 2),
		CYCLES(.config1 = 3), SW(PAGE_FAULTS), SW(CPU_CLOCK),
		CYCLES(.use_clockid = 1, .clockid = 1),
		CYCLES(.disabled = 1)
	};

	for (int access = 0; access < 2; access++) {
		put_file(SYSCTL "perf_user_access", access ? "1" : "0");
		for (int k = 0; k < 8; k++) {
			int fd = must_open(&kinds[k], 0, -1, -1, 0);
			struct perf_event_mmap_page *p;
			struct ring r;

			ring_map(&r, fd, 1);
			p = r.page;
			fact(text("version %u compat %u size %u index %d "
				  "width %u bit0 %d old %d rdpmc %d time %d "
				  "zero %d short %d shift %u mult %u",
				  p->version, p->compat_version, p->size,
				  p->index, p->pmc_width, (int)p->cap_bit0,
				  (int)p->cap_bit0_is_deprecated,
				  (int)p->cap_user_rdpmc, (int)p->cap_user_time,
				  (int)p->cap_user_time_zero,
				  (int)p->cap_user_time_short, p->time_shift,
				  p->time_mult), "page of kind %d, access %d",
			     k, access);
			fact(text("offset %llu size %llu aux %llu %llu, lock "
				  "%s, mask %llx",
				  (unsigned long long)p->data_offset,
				  (unsigned long long)p->data_size,
				  (unsigned long long)p->aux_offset,
				  (unsigned long long)p->aux_size,
				  p->lock & 1 ? "odd" : "even",
				  (unsigned long long)p->time_mask),
			     "data of kind %d, access %d", k, access);
			ring_unmap(&r);
			close(fd);
		}
	}
	put_file(SYSCTL "perf_user_access", "0");
}

/* Unprivileged: how many pages of which sizes until it is refused. */
static void budget(int kb, long memlock)
{
	struct rlimit lim = { memlock, memlock };
	int kid;

	put_file(SYSCTL "perf_event_mlock_kb", text("%d", kb));
	fflush(stdout);
	kid = fork();
	if (!kid) {
		static const int sizes[] = { 128, 128, 64, 16, 4, 1, 512, 256 };
		char out[256] = "";

		setrlimit(RLIMIT_MEMLOCK, &lim);
		if (setgid(1000 + kb) || setuid(1000 + kb))
			_exit(1);
		for (int i = 0; i < 8; i++) {
			struct perf_event_attr a = SW(DUMMY,
						      .exclude_kernel = 1);
			int fd = must_open(&a, 0, -1, -1, 0);
			void *p = mmap(NULL, (sizes[i] + 1) * PAGE, RW,
				       MAP_SHARED, fd, 0);

			strcat(out, text("%d %s, ", sizes[i],
					 p == MAP_FAILED ?
						 strerrorname_np(errno) :
						 "ok"));
		}
		fact(out, "mlock_kb %d and RLIMIT_MEMLOCK %ld", kb, memlock);
		_exit(0);
	}
	waitpid(kid, NULL, 0);
	ktap_count++;
	put_file(SYSCTL "perf_event_mlock_kb", "516");
}

int main(void)
{
	settle();
	geometry();
	targets();
	areas();
	page();
	budget(516, 0);
	budget(516, 65536);
	budget(0, 0);
	budget(0, 1 << 20);
	budget(64, 8 << 20);
	budget(1024, 0);
	return ktap_done();
}
