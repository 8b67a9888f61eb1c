// SPDX-License-Identifier: MIT
/*
 * The machine as a program sees it on arm64: identification registers,
 * floating point across switches and signals, the signal frame, what each
 * fault is reported as, tagged addresses, user copies at the edge of a page.
 * tags: short
 */
#define _GNU_SOURCE
#include <signal.h>
#include <setjmp.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "ktap.h"

#define MRS(name)                                             \
	({                                                    \
		unsigned long v_;                             \
		__asm__ volatile("mrs %0, " name : "=r"(v_)); \
		v_;                                           \
	})

static sigjmp_buf back;
static siginfo_t seen;
static unsigned long seen_pc, seen_fault_address, seen_esr;

static unsigned long find_esr(ucontext_t *uc)
{
	unsigned char *at = uc->uc_mcontext.__reserved;

	for (;;) {
		uint32_t magic, size;

		memcpy(&magic, at, 4);
		memcpy(&size, at + 4, 4);
		if (!magic)
			return 0;
		if (magic == 0x45535201) {
			unsigned long esr;

			memcpy(&esr, at + 8, 8);
			return esr;
		}
		at += size;
	}
}

static void note(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	seen = *info;
	seen_pc = uc->uc_mcontext.pc;
	seen_fault_address = uc->uc_mcontext.fault_address;
	seen_esr = find_esr(uc);
	siglongjmp(back, sig);
}

static void catch(int sig)
{
	struct sigaction sa = { .sa_flags = SA_SIGINFO };

	sa.sa_sigaction = note;
	sigaction(sig, &sa, NULL);
}

/* The signal that a statement raised, 0 for none. */
#define RAISED(statement)                          \
	({                                         \
		int sig_ = sigsetjmp(back, 1);     \
		memset(&seen, 0, sizeof(seen) * !sig_); \
		if (!sig_) {                       \
			statement;                 \
		}                                  \
		sig_;                              \
	})

static void identification(void)
{
	unsigned long hwcap = getauxval(AT_HWCAP);
	unsigned long isar0, pfr0, isar1;

	OK(hwcap & HWCAP_CPUID);
	isar0 = MRS("s3_0_c0_c6_0");
	isar1 = MRS("s3_0_c0_c6_1");
	pfr0 = MRS("s3_0_c0_c4_0");
	EQ(!!(hwcap & HWCAP_AES), (isar0 >> 4 & 15) >= 1);
	EQ(!!(hwcap & HWCAP_CRC32), (isar0 >> 16 & 15) >= 1);
	EQ(!!(hwcap & HWCAP_ATOMICS), (isar0 >> 20 & 15) >= 2);
	EQ(!!(hwcap & HWCAP_SHA512), (isar0 >> 12 & 15) >= 2);
	EQ(!!(hwcap & HWCAP_LRCPC), (isar1 >> 20 & 15) >= 1);
	EQ(!!(hwcap & HWCAP_FPHP), (pfr0 >> 16 & 15) == 1);
	EQ(pfr0 & 0xff, 0x11);
	EQ(MRS("s3_0_c0_c5_0"), 6);
	EQ(MRS("s3_0_c0_c7_0") & 0xffffffffffful, 0x111ff000000);
	EQ(MRS("mpidr_el1"), 0x80000000);
	EQ(MRS("revidr_el1"), 0);
	OK(MRS("midr_el1") >> 16 & 0xf);
	catch(SIGILL);
	EQ(RAISED((void)MRS("s3_0_c0_c1_0")), SIGILL);
	EQ(RAISED((void)MRS("sctlr_el1")), SIGILL);
	EQ(seen.si_code, ILL_ILLOPC);
}

static void faults(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);
	volatile char *bad = (char *)0x10;

	/* So that the compiler has no opinion of the address. */
	__asm__ volatile("" : "+r"(bad));

	catch(SIGSEGV);
	catch(SIGBUS);
	catch(SIGTRAP);
	EQ(RAISED(*bad = 1), SIGSEGV);
	EQ(seen.si_code, SEGV_MAPERR);
	EQ((long)seen.si_addr, 0x10);
	EQ(seen_fault_address, 0x10);
	OK((seen_esr >> 26) == 0x24 && (seen_esr & 1 << 6));
	EQ(RAISED(*(volatile char *)p = 1), SIGSEGV);
	EQ(seen.si_code, SEGV_ACCERR);
	OK(seen.si_addr == p);
	EQ(RAISED(((void (*)(void))p)()), SIGSEGV);
	EQ(seen.si_code, SEGV_ACCERR);
	EQ(RAISED(*(volatile long *)0xffff000000000000ul), SIGSEGV);
	EQ(RAISED(((void (*)(void))((long)faults + 2))()), SIGBUS);
	EQ(seen.si_code, BUS_ADRALN);
	EQ(RAISED(__asm__ volatile("brk #7")), SIGTRAP);
	EQ(seen.si_code, TRAP_BRKPT);
	OK((unsigned long)seen.si_addr == seen_pc);
	EQ(RAISED(__asm__ volatile(".inst 0")), SIGILL);
	EQ(RAISED(__asm__ volatile("ldxr x0, [%0]"
				   :
				   : "r"(p + 1)
				   : "x0")), SIGBUS);
	EQ(seen.si_code, BUS_ADRALN);
}

static void tags(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *tagged = (char *)((unsigned long)p | 0x5aul << 56);

	*(volatile char *)tagged = 42;
	EQ(*p, 42);
}

/* Every vector register holds a value of its own over many switches. */
static int keeps_fp(unsigned long seed, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		unsigned long a, b, c, cr;

		__asm__ volatile("dup v0.2d, %3\n\tdup v15.2d, %4\n\t"
				 "dup v31.2d, %5\n\tmsr fpcr, %6\n\t"
				 "mov x8, #124\n\tsvc #0\n\t"
				 "mov %0, v0.d[1]\n\tmov %1, v15.d[0]\n\t"
				 "mov %2, v31.d[1]"
				 : "=&r"(a), "=&r"(b), "=&r"(c)
				 : "r"(seed), "r"(seed + 1), "r"(seed + 2),
				   "r"(0x1000000ul)
				 : "x0", "x8", "v0", "v15", "v31", "memory");
		__asm__ volatile("mrs %0, fpcr\n\tmsr fpcr, xzr" : "=r"(cr));
		if (a != seed || b != seed + 1 || c != seed + 2 ||
		    cr != 0x1000000)
			return 1;
	}
	return 0;
}

static void floating_point(void)
{
	pid_t pids[4];
	int status, bad = 0;

	for (int i = 0; i < 4; i++) {
		pids[i] = fork();
		if (!pids[i])
			_exit(keeps_fp(0x1111111111111111ul * (i + 1), 5000));
	}
	for (int i = 0; i < 4; i++) {
		waitpid(pids[i], &status, 0);
		bad |= status;
	}
	EQ(bad, 0);
}

static volatile int alarms;

static void clobber(int sig)
{
	__asm__ volatile("movi v8.16b, #0xff\n\tmovi v9.16b, #0xff" :::
			 "v8", "v9");
	alarms++;
}

static void changes_pc(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	uc->uc_mcontext.regs[19] = 0x1234;
	uc->uc_mcontext.pc += 4;
	OK(!((unsigned long)uc & 15));
	OK((unsigned long)info + 128 == (unsigned long)uc);
	EQ(*(uint32_t *)uc->uc_mcontext.__reserved, 0x46508001);
	EQ(*(uint32_t *)(uc->uc_mcontext.__reserved + 4), 528);
}

static void frames(void)
{
	struct sigaction sa = { .sa_handler = clobber };
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, off = { 0 };
	int good = 1;
	unsigned long x19;

	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (alarms < 20) {
		unsigned long v;

		__asm__ volatile("dup v8.2d, %1\n\tmov x1, #20000\n"
				 "1:	subs x1, x1, #1\n\tb.ne 1b\n\t"
				 "mov %0, v8.d[1]"
				 : "=r"(v)
				 : "r"(0x77ul)
				 : "x1", "v8", "v9", "cc");
		good &= v == 0x77;
	}
	setitimer(ITIMER_REAL, &off, NULL);
	EQ(good, 1);

	sa.sa_flags = SA_SIGINFO;
	sa.sa_sigaction = changes_pc;
	sigaction(SIGTRAP, &sa, NULL);
	__asm__ volatile("brk #1\n\tmov %0, x19" : "=r"(x19) : : "x19");
	EQ(x19, 0x1234);
}

static void copies(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct timespec a, b;
	int pipes[2];

	munmap(p + page, page);
	WORKS(pipe(pipes));
	memset(p, 'x', page);
	for (int n = 1; n < 200; n += 33) {
		char out[256];

		EQ(write(pipes[1], p + page - n, n), n);
		EQ(read(pipes[0], out, sizeof(out)), n);
	}
	EQ(write(pipes[1], p, 100), 100);
	FAILS(write(pipes[1], p + page, 8), EFAULT);
	FAILS(read(pipes[0], (void *)0xffff800008000000, 8), EFAULT);
	strcpy(p + page - 10, "/dev/null");
	WORKS(access(p + page - 10, F_OK));
	memset(p + page - 10, '/', 10);
	FAILS(access(p + page - 10, F_OK), EFAULT);

	clock_gettime(CLOCK_MONOTONIC, &a);
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &b);
	OK((b.tv_sec - a.tv_sec) * 1000000000l + b.tv_nsec - a.tv_nsec >= 0);
	OK(getauxval(AT_SYSINFO_EHDR));
	EQ(getauxval(AT_MINSIGSTKSZ), 4720);
}

int main(void)
{
	identification();
	faults();
	tags();
	floating_point();
	frames();
	copies();
	return ktap_done();
}
