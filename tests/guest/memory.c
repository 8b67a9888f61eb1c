// SPDX-License-Identifier: MIT
/*
 * Memory calls as a program sees them: answers, contents, signals, sharing
 * over fork, and that everything comes back.
 * tags: mm short
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

#define PAGE 4096ul
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)
#define RW   (PROT_READ | PROT_WRITE)

static sigjmp_buf back;
static volatile siginfo_t seen;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	memcpy((void *)&seen, info, sizeof(*info));
	siglongjmp(back, sig);
}

/* The signal that a touch raises, 0: none. */
static int touch(volatile char *p, bool write)
{
	int sig = sigsetjmp(back, 1);

	if (sig)
		return sig;
	if (write)
		*p = 1;
	else
		(void)*p;
	return 0;
}

static void *anon(size_t pages)
{
	return mmap(NULL, pages * PAGE, RW, ANON, -1, 0);
}

static void errors(void)
{
	char *p = anon(4);
	unsigned char vec[4];
	int fd;

	FAILS(mmap(NULL, 0, RW, ANON, -1, 0) == MAP_FAILED ? -1 : 0, EINVAL);
	FAILS(mmap(p + 1, PAGE, RW, ANON | MAP_FIXED, -1, 0) == MAP_FAILED ? -1
									   : 0,
	      EINVAL);
	FAILS(mmap(p, PAGE, RW, ANON | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED
		      ? -1
		      : 0,
	      EEXIST);
	fd = memfd_create("f", 0);
	FAILS(mmap(NULL, PAGE, RW, MAP_PRIVATE, fd, 1ul << 63) == MAP_FAILED ?
	      -1 : 0, EOVERFLOW);
	close(fd);
	FAILS(mmap(NULL, PAGE, RW, MAP_PRIVATE, 99, 0) == MAP_FAILED ? -1 : 0,
	      EBADF);
	FAILS(mmap(NULL, PAGE, RW, MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0,
	      EINVAL);
	FAILS(mmap(NULL, 1ul << 21, RW, ANON | MAP_HUGETLB, -1, 0) == MAP_FAILED
		      ? -1
		      : 0,
	      ENOMEM);
	FAILS(munmap(p + 1, PAGE), EINVAL);
	FAILS(munmap(p, 0), EINVAL);
	FAILS(mprotect(p + 1, PAGE, RW), EINVAL);
	EQ(munmap(p + PAGE, PAGE), 0);
	FAILS(mprotect(p, 4 * PAGE, PROT_READ), ENOMEM);
	FAILS(madvise(p, 4 * PAGE, MADV_NORMAL), ENOMEM);
	FAILS(madvise(p, PAGE, 9999), EINVAL);
	FAILS(madvise(p + 1, PAGE, MADV_NORMAL), EINVAL);
	FAILS(mincore(p, 4 * PAGE, vec), ENOMEM);
	FAILS(msync(p, PAGE, MS_SYNC | MS_ASYNC), EINVAL);
	FAILS(msync(p, 4 * PAGE, MS_SYNC), ENOMEM);
	FAILS(mlock(p + PAGE, PAGE), ENOMEM);
	FAILS(mremap(p, PAGE, 0, 0) == MAP_FAILED ? -1 : 0, EINVAL);
	FAILS(mremap(p + PAGE, PAGE, 2 * PAGE, MREMAP_MAYMOVE) == MAP_FAILED
		      ? -1
		      : 0,
	      EFAULT);
	FAILS(mremap(p, PAGE, 3 * PAGE, 0) == MAP_FAILED ? -1 : 0, ENOMEM);
	FAILS(mremap(p, PAGE, PAGE, MREMAP_FIXED, p) == MAP_FAILED ? -1 : 0,
	      EINVAL);
	munmap(p, 4 * PAGE);
}

static void signals(void)
{
	char *p = anon(2);
	int fd = memfd_create("f", 0);
	char *f = mmap(NULL, 2 * PAGE, RW, MAP_SHARED, fd, 0);

	mprotect(p, PAGE, PROT_READ);
	EQ(touch(p, false), 0);
	EQ(touch(p, true), SIGSEGV);
	EQ(seen.si_code, SEGV_ACCERR);
	OK(seen.si_addr == p);
	munmap(p, PAGE);
	EQ(touch(p + 5, false), SIGSEGV);
	EQ(seen.si_code, SEGV_MAPERR);
	OK(seen.si_addr == p + 5);
	mprotect(p + PAGE, PAGE, PROT_NONE);
	EQ(touch(p + PAGE, false), SIGSEGV);
	mprotect(p + PAGE, PAGE, RW);
	EQ(touch(p + PAGE, true), 0);
	EQ(touch(f, true), SIGBUS);
	EQ(seen.si_code, BUS_ADRERR);
	EQ(ftruncate(fd, PAGE), 0);
	EQ(touch(f, true), 0);
	EQ(f[0], 1);
	EQ(touch(f + PAGE, true), SIGBUS);
	EQ(ftruncate(fd, 0), 0);
	EQ(touch(f, false), SIGBUS);
	EQ(touch((char *)0xffff000000000000ul, false), SIGSEGV);
	munmap(p + PAGE, PAGE);
	munmap(f, 2 * PAGE);
	close(fd);
}

static int in_child(void (*fn)(char *), char *arg)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		signal(SIGSEGV, SIG_DFL);
		fn(arg);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return status;
}

static void scribble(char *p)
{
	for (int i = 0; i < 8; i++) {
		if (p[i * PAGE] != i)
			_exit(1);
		p[i * PAGE] = 77;
	}
}

static void sharing(void)
{
	char *mine = anon(8);
	char *ours =
		mmap(NULL, 8 * PAGE, RW, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool kept = true, shared = true;

	for (int i = 0; i < 8; i++)
		mine[i * PAGE] = ours[i * PAGE] = (char)i;
	EQ(in_child(scribble, mine), 0);
	EQ(in_child(scribble, ours), 0);
	for (int i = 0; i < 8; i++) {
		kept = kept && mine[i * PAGE] == i;
		shared = shared && ours[i * PAGE] == 77;
	}
	OK(kept);
	OK(shared);
	EQ(madvise(mine, 8 * PAGE, MADV_DONTFORK), 0);
	EQ(WTERMSIG(in_child(scribble, mine)), SIGSEGV);
	EQ(madvise(mine, 8 * PAGE, MADV_DOFORK), 0);
	EQ(madvise(mine, 8 * PAGE, MADV_DONTNEED), 0);
	EQ(mine[3 * PAGE], 0);
	munmap(mine, 8 * PAGE);
	munmap(ours, 8 * PAGE);
}

static void moving(void)
{
	char *p = anon(600), *q;
	bool same = true;

	for (int i = 0; i < 600; i++)
		p[i * PAGE] = (char)i;
	q = mremap(p, 600 * PAGE, 1200 * PAGE, MREMAP_MAYMOVE);
	OK(q != MAP_FAILED);
	for (int i = 0; i < 600; i++)
		same = same && q[i * PAGE] == (char)i;
	OK(same);
	EQ(q[1100 * PAGE], 0);
	OK(mremap(q, 1200 * PAGE, PAGE, 0) == q);
	EQ(touch(q + PAGE, false), SIGSEGV);
	munmap(q, PAGE);
}

static void files(void)
{
	int fd = memfd_create("f", 0);
	char buf[PAGE], *s, *p;
	unsigned char vec[2];

	memset(buf, 'a', sizeof(buf));
	EQ(write(fd, buf, PAGE), PAGE);
	EQ(write(fd, buf, 10), 10);
	s = mmap(NULL, 2 * PAGE, RW, MAP_SHARED, fd, 0);
	p = mmap(NULL, 2 * PAGE, RW, MAP_PRIVATE, fd, 0);
	EQ(p[PAGE + 9], 'a');
	EQ(p[PAGE + 10], 0);
	s[1] = 'b';
	EQ(p[1], 'b');
	p[2] = 'c';
	EQ(s[2], 'a');
	s[3] = 'd';
	EQ(p[3], 'a');
	EQ(pread(fd, buf, 4, 0), 4);
	OK(!memcmp(buf, "abad", 4));
	EQ(mincore(s, 2 * PAGE, vec), 0);
	OK(vec[0] & vec[1] & 1);
	EQ(ftruncate(fd, 5), 0);
	EQ(ftruncate(fd, PAGE), 0);
	EQ(s[5], 0);
	EQ(s[4], 'a');
	munmap(s, 2 * PAGE);
	munmap(p, 2 * PAGE);
	close(fd);
}

static void grow(volatile char *p, int depth)
{
	volatile char frame[PAGE];

	frame[0] = *p;
	if (depth)
		grow(frame, depth - 1);
}

static void others(void)
{
	char src[64] = "remote words", dst[64] = "";
	struct iovec l = { dst, 64 }, r = { src, 64 };
	struct iovec bad = { (void *)8, 64 };
	void *end = sbrk(0);
	char *big;
	int mode = -1;

	EQ(process_vm_readv(getpid(), &l, 1, &r, 1, 0), 64);
	OK(!strcmp(dst, "remote words"));
	FAILS(process_vm_readv(getpid(), &l, 1, &bad, 1, 0), EFAULT);
	FAILS(process_vm_readv(getpid(), &l, 1, &r, 1, 1), EINVAL);
	OK(sbrk(5 * PAGE) == end);
	EQ(touch((char *)end + 4 * PAGE, true), 0);
	OK(sbrk(-5 * PAGE) != (void *)-1);
	grow(src, 1000);
	EQ(syscall(SYS_get_mempolicy, &mode, NULL, 0, NULL, 0), 0);
	EQ(mode, 0);
	big = mmap(NULL, 1ul << 40, RW, ANON | MAP_NORESERVE, -1, 0);
	OK(big != MAP_FAILED);
	EQ(touch(big + (1ul << 39), true), 0);
	munmap(big, 1ul << 40);
	FAILS(mmap(NULL, 1ul << 40, RW, ANON, -1, 0) == MAP_FAILED ? -1 : 0,
	      ENOMEM);
}

static void grow_some(char *p)
{
	grow((char *)&p, 20);
}

static long free_kib(void)
{
	char text[4096], *at;
	int fd = open("/proc/meminfo", O_RDONLY);
	ssize_t n = read(fd, text, sizeof(text) - 1);

	close(fd);
	text[n > 0 ? n : 0] = 0;
	at = strstr(text, "MemFree:");
	return at ? strtol(at + 8, NULL, 10) : -1;
}

/* Freed in the end: pages may wait a while on a CPU's list. */
static bool memory_is_back(long before)
{
	for (int tries = 0; tries < 100; tries++) {
		if (before - free_kib() < 2048)
			return true;
		usleep(50000);
	}
	return false;
}

int main(void)
{
	struct sigaction sa = { .sa_sigaction = on_fault,
				.sa_flags = SA_SIGINFO | SA_NODEFER };
	long before;

	sigaction(SIGSEGV, &sa, NULL);
	sigaction(SIGBUS, &sa, NULL);
	errors();
	signals();
	sharing();
	moving();
	files();
	others();
	before = free_kib();
	for (int i = 0; i < 20; i++) {
		char *p =
			mmap(NULL, 1024 * PAGE, RW, ANON | MAP_POPULATE, -1, 0);

		munmap(p, 1024 * PAGE);
		in_child(grow_some, p);
	}
	OK_MSG(memory_is_back(before), "memory comes back");
	return ktap_done();
}
