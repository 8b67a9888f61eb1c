// SPDX-License-Identifier: MIT
/*
 * Random calls of perf_event_open and on what it opens, from a seed.
 * only: tags
 * tags: fuzz
 * timeout: 300
 *
 *   perf_fuzz [SEED [COUNT]]             100 answers a fact, one letter each
 *   perf_fuzz --describe SEED INDEX...   what these calls are, asking nothing
 *
 * What is drawn depends on nothing that a kernel answers.  Each call's
 * descriptor is closed before the next, but for a pool of eight leaders, which
 * are disabled.  What a tracepoint, a kprobe or a uprobe is opened on is drawn
 * as an index: ids and names are each kernel's own.
 */
#define _GNU_SOURCE
#include <sys/mount.h>
#include "facts.h"

#define POOL 8
#define PAIR(...) (const u64[]){ __VA_ARGS__ }, \
		  sizeof((const u64[]){ __VA_ARGS__ }) / sizeof(u64)
#define NOBODY 65534

static u64 state;
static bool describing;
static int pool[POOL], targets[2];
static void *maps[POOL];
static size_t map_bytes[POOL];

static u64 draw(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dull;
}

static bool one_in(u32 n)
{
	return (draw() >> 20) % n == 0;
}

static u64 pick(const u64 *list, size_t n)
{
	return list[(draw() >> 20) % n];
}

/* --- drawing an attr ---------------------------------------------------- */

/* Where nobody goes: what a breakpoint counts is another test's subject. */
#define QUIET_USER   0x5555555000ull
#define QUIET_KERNEL 0xffff800055550000ull

static void draw_breakpoint(struct perf_event_attr *a)
{
	a->bp_type = pick(PAIR(1, 2, 3, 4, 3, 4, 0, 5, 7, 8));
	a->bp_addr = pick(PAIR(QUIET_USER, QUIET_USER, QUIET_USER + 4,
			       QUIET_USER + 1, QUIET_USER + 7, QUIET_KERNEL,
			       QUIET_KERNEL + 2, 0, ~0ull));
	a->bp_len = pick(PAIR(4, 4, 8, 1, 2, 3, 5, 6, 7, 0, 9, 16, ~0ull));
}

/* Dynamic types, the same numbers on both. */
#define TYPE_KPROBE 6
#define TYPE_UPROBE 7

static const char *const tracepoints[] = {
	"raw_syscalls/sys_enter", "syscalls/sys_enter_getppid",
	"syscalls/sys_exit_getppid", "sched/sched_switch",
	"sched/sched_process_exec", "signal/signal_generate",
	"task/task_rename", "irq/irq_handler_entry", "no/such",
};
static u64 tracepoint_ids[sizeof(tracepoints) / sizeof(*tracepoints)];
/* Of kprobes: the function behind getppid(2) comes first. */
static char *functions[] = { NULL, "no_such_function", "", NULL };
static char *paths[] = { "/proc/self/exe", "/no/such", "", "/proc/version",
			 "/", NULL };

/* What a uprobe may be put on; nobody calls it. */
__attribute__((noinline)) static void never(void)
{
	__asm__ volatile("nop; nop; nop; nop");
}

static void draw_tracing(struct perf_event_attr *a)
{
	switch (a->type) {
	case PERF_TYPE_TRACEPOINT:
		a->config = (draw() >> 20) %
			    (sizeof(tracepoints) / sizeof(*tracepoints));
		break;
	case TYPE_KPROBE:
		a->config = pick(PAIR(0, 0, 0, 0, 1, 1, 2, 1ull << 32, ~0ull));
		a->config1 = pick(PAIR(0, 0, 0, 0, 0, 1, 2, 3, ~0ull));
		a->config2 = pick(PAIR(0, 0, 0, 0, 8, 12, 2, QUIET_KERNEL,
				       ~0ull));
		break;
	default:
		a->config = pick(PAIR(0, 0, 0, 1, 1, 2, 1ull << 32,
				      3ull << 32));
		a->config1 = pick(PAIR(0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5,
				       ~0ull));
		a->config2 = pick(PAIR(0, 0, 0, 4, 8, 1, 1ull << 40, ~0ull));
		break;
	}
	if (one_in(40))
		a->config ^= 1ull << (draw() >> 20) % 64;
}

/* Indices to what they mean on this kernel. */
static struct perf_event_attr resolve(struct perf_event_attr a)
{
	extern char __executable_start[];
	u64 at = (u64)never - (u64)__executable_start;

	if (a.type == PERF_TYPE_TRACEPOINT) {
		if (a.config < sizeof(tracepoints) / sizeof(*tracepoints))
			a.config = tracepoint_ids[a.config];
		else
			a.config |= 1ull << 62;
	} else if (a.type == TYPE_KPROBE && a.config1 != ~0ull) {
		a.config1 = (u64)functions[a.config1];
	} else if (a.type == TYPE_UPROBE) {
		if (a.config1 != ~0ull)
			a.config1 = (u64)paths[a.config1];
		if (a.config2 < 16)
			a.config2 += at;
	}
	return a;
}

static void draw_kind(struct perf_event_attr *a)
{
	a->type = pick(PAIR(0, 0, 0, 1, 1, 1, 1, 1, 1, 3, 4, 4, 5, 8, 2, 2, 2,
			    6, 7));
	switch (a->type) {
	case PERF_TYPE_TRACEPOINT:
	case TYPE_KPROBE:
	case TYPE_UPROBE:
		draw_tracing(a);
		return;
	case 0:
		a->config = pick(PAIR(0, 0, 0, 0, 0, 1, 1, 1, 2, 5, 7, 9, 10));
		break;
	case 1:
		a->config = pick(PAIR(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
				      12));
		break;
	case 3:
		a->config = (draw() >> 20) % 9;
		a->config |= (draw() >> 20) % 4 << 8;
		a->config |= (draw() >> 20) % 3 << 16;
		break;
	default:
		a->config = pick(PAIR(0x11, 0x11, 8, 0, 0x1b, 0xffff, 0x10011));
		break;
	}
	if (one_in(24))
		a->type = pick(PAIR(9, 10, 100, 0x7fffffff, 0xffffffff));
	if (one_in(24))
		a->config ^= 1ull << (draw() >> 20) % 64;
	if (a->type == PERF_TYPE_BREAKPOINT) {
		draw_breakpoint(a);
		return;
	}
	if (one_in(8))
		a->config1 = pick(PAIR(1, 2, 3, 4, 0xff, ~0ull));
	if (one_in(30))
		a->config2 = draw();
}

static void draw_sampling(struct perf_event_attr *a)
{
	if (one_in(2)) {
		a->sample_period = pick(PAIR(1000000, 100000, 1, 4000, 2, 1000,
					     ~0ull >> 1, 1ull << 63, ~0ull));
		a->freq = one_in(5);
		if (one_in(20))
			a->sample_period = draw();
	} else {
		a->freq = one_in(20);
	}
	if (one_in(3))
		a->sample_type = draw() & draw() & ((1 << 25) - 1);
	else if (one_in(20))
		a->sample_type = 1ull << (draw() >> 20) % 64;
	/* Nothing has branches: mostly leave them out. */
	if (!one_in(6))
		a->sample_type &= ~(u64)PERF_SAMPLE_BRANCH_STACK;
	if (!one_in(6))
		a->sample_type &= ~(u64)PERF_SAMPLE_AUX;
	if (!one_in(4))
		a->sample_type &= ~(u64)PERF_SAMPLE_WEIGHT;
	a->branch_sample_type = one_in(2) ? 8 : draw() & draw() & 0x1ffff;
	a->sample_regs_user = one_in(8) ? pick(PAIR(0, 1ull << 33, ~0ull)) :
					  pick(PAIR(1, 0x1ffffffff, 0xf0));
	a->sample_regs_intr = one_in(8) ? pick(PAIR(0, 1ull << 33, ~0ull)) :
					  pick(PAIR(1, 0x1ffffffff, 0xf0));
	a->sample_stack_user = one_in(8) ? pick(PAIR(1, 65535, 65536, 12)) :
					   pick(PAIR(0, 8, 1024, 65528, 16));
	if (one_in(6))
		a->sample_max_stack = pick(PAIR(1, 126, 127, 128, 65535));
	if (one_in(3))
		a->wakeup_events = pick(PAIR(1, 2, 1000, 0xffffffff));
}

static void draw_rest(struct perf_event_attr *a)
{
	u64 *flags = (u64 *)&a->read_format + 1;

	if (one_in(2))
		a->read_format = (draw() >> 20) % 32;
	else if (one_in(20))
		a->read_format = 1ull << (draw() >> 20) % 64;
	if (one_in(2))
		*flags ^= 1ull << (draw() >> 20) % 38;
	if (one_in(4))
		*flags ^= 1ull << (draw() >> 20) % 38;
	if (one_in(40))
		*flags ^= 1ull << (draw() >> 20) % 64;
	if (one_in(20))
		*flags ^= draw() & draw() & draw();
	if (a->use_clockid || one_in(10)) {
		a->clockid = pick(PAIR(0, 1, 4, 7, 11, 2, 3, 12, ~0u));
		a->use_clockid = !one_in(8);
	}
	if (one_in(40))
		a->aux_watermark = draw();
	if (one_in(40))
		a->aux_sample_size = pick(PAIR(1, 8, 4096, 65536, 0x80000000));
	if (one_in(60))
		a->__reserved_2 = draw();
	if (one_in(60))
		a->__reserved_3 = draw();
	if (one_in(20))
		a->sig_data = draw();
	if (one_in(20))
		a->bp_type = (u32)draw();
	a->size = one_in(16) ? pick(PAIR(0, 64, 72, 80, 96, 104, 112, 120, 63,
					 1, 127, 129, 136, 4096, 4097, ~0u)) :
			       128;
}

static void draw_attr(struct perf_event_attr *a)
{
	memset(a, 0, sizeof(*a));
	draw_kind(a);
	draw_sampling(a);
	draw_rest(a);
}

/* --- answers ------------------------------------------------------------ */

static char letter(long r)
{
	static const struct {
		int err;
		char c;
	} table[] = {
		{ EPERM, 'P' }, { ENOENT, 'N' }, { ESRCH, 'S' }, { EIO, 'I' },
		{ E2BIG, 'B' }, { EBADF, 'D' }, { ENOMEM, 'M' },
		{ EACCES, 'A' }, { EFAULT, 'F' }, { EBUSY, 'Y' },
		{ ENODEV, 'V' }, { EINVAL, 'E' }, { ENOSPC, 'C' },
		{ ENOTTY, 'T' }, { EOPNOTSUPP, 'O' }, { EOVERFLOW, 'W' },
		{ EEXIST, 'X' }, { EAGAIN, 'G' }, { ENXIO, 'Z' },
	};

	for (int i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (-r == table[i].err)
			return table[i].c;
	return r < 0 ? '?' : '.';
}

static void show_attr(const struct perf_event_attr *a)
{
	const u64 *flags = (const u64 *)&a->read_format + 1;

	printf(" type %u size %u config %#llx period %llu sample %#llx read "
	       "%#llx flags %#llx wakeup %u bp %#x config1 %#llx config2 %#llx "
	       "branch %#llx regs %#llx stack %u clock %d intr %#llx auxw %u "
	       "max_stack %u res2 %u auxs %u res3 %u sig %#llx",
	       a->type, a->size, (unsigned long long)a->config,
	       (unsigned long long)a->sample_period,
	       (unsigned long long)a->sample_type,
	       (unsigned long long)a->read_format, (unsigned long long)*flags,
	       a->wakeup_events, a->bp_type, (unsigned long long)a->config1,
	       (unsigned long long)a->config2,
	       (unsigned long long)a->branch_sample_type,
	       (unsigned long long)a->sample_regs_user, a->sample_stack_user,
	       a->clockid, (unsigned long long)a->sample_regs_intr,
	       a->aux_watermark, a->sample_max_stack, a->__reserved_2,
	       a->aux_sample_size, a->__reserved_3,
	       (unsigned long long)a->sig_data);
}

/* --- calls -------------------------------------------------------------- */

static void drop(int slot)
{
	if (maps[slot])
		munmap(maps[slot], map_bytes[slot]);
	maps[slot] = NULL;
	if (pool[slot] >= 0)
		close(pool[slot]);
	pool[slot] = -1;
}

/* What read(2) gives, in words: one digit. */
static char words(int fd)
{
	static u64 room[512];
	long n = SAYS(read(fd, room, sizeof(room)));

	if (n < 0)
		return letter(n);
	return "0123456789abcdefghijklmnopqrstuvwxyz"[n / 8 < 36 ? n / 8 : 35];
}

static char call_open(void)
{
	static unsigned char room[4096];
	struct perf_event_attr a;
	int who = pick(PAIR(0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4));
	int cpu = one_in(4) ? pick(PAIR(0, 1, 0, 1, 2, 64, 4096)) : -1;
	int group = one_in(4) ? (int)((draw() >> 20) % POOL) : -1;
	int keep = one_in(20) ? (int)((draw() >> 20) % POOL) : -1;
	u64 flags = one_in(5) ? (draw() >> 20) % 16 : 0;
	bool plain = one_in(6);
	int pid, leader;
	char answer;
	long fd;

	draw_attr(&a);
	if (one_in(40))
		flags |= 1ull << (draw() >> 20) % 64;
	if (keep >= 0)
		a.disabled = 1;
	if (describing) {
		printf("open who %d cpu %d leader %d keep %d flags %#llx%s", who,
		       cpu, group, keep, (unsigned long long)flags,
		       plain ? " unprivileged" : "");
		show_attr(&a);
		return 0;
	}
	pid = who == 0 ? 0 : who == 1 ? -1 : who == 2 ? targets[0] :
	      who == 3 ? targets[1] : 0x3ffff0;
	leader = group < 0 ? -1 : pool[group];
	memset(room, 0, sizeof(room));
	a = resolve(a);
	memcpy(room, &a, sizeof(a));
	if (plain && seteuid(NOBODY))
		return '!';
	fd = open_event((void *)room, pid, cpu, leader, flags);
	answer = fd < 0 ? letter(fd) : words(fd);
	if (plain && seteuid(0))
		return '!';
	if (fd >= 0 && keep >= 0) {
		drop(keep);
		pool[keep] = fd;
	} else if (fd >= 0) {
		close(fd);
	}
	return answer;
}

static char call_ioctl(void)
{
	static const char *const filters[] = {
		"common_pid != 0", "id == 1", "common_pid == 1 && (",
		"nr ~ \"x*\"", "prev_comm ~ \"x*\"", "0", "", "comm == x",
	};
	static const u64 commands[] = {
		PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE,
		PERF_EVENT_IOC_REFRESH, PERF_EVENT_IOC_RESET,
		PERF_EVENT_IOC_PERIOD, PERF_EVENT_IOC_SET_OUTPUT,
		PERF_EVENT_IOC_SET_OUTPUT, PERF_EVENT_IOC_SET_FILTER,
		PERF_EVENT_IOC_ID, PERF_EVENT_IOC_SET_BPF,
		PERF_EVENT_IOC_PAUSE_OUTPUT, PERF_EVENT_IOC_QUERY_BPF,
		PERF_EVENT_IOC_MODIFY_ATTRIBUTES, 0x2410, 0x80082409
	};
	struct perf_event_attr a;
	u64 cmd = commands[(draw() >> 20) % 15];
	int slot = (draw() >> 20) % POOL, other = (draw() >> 20) % POOL;
	u64 value = pick(PAIR(0, 1, 1000, 100000, 100001, ~0ull, 1ull << 63));
	u64 arg = pick(PAIR(0, 1, 1, 2, ~0ull));
	int how = (draw() >> 20) % 4, which = (draw() >> 20) % 8;
	long r;

	draw_attr(&a);
	if (describing) {
		printf("ioctl leader %d cmd %#llx how %d other %d which %d "
		       "value %#llx arg %#llx", slot, (unsigned long long)cmd,
		       how, other, which, (unsigned long long)value,
		       (unsigned long long)arg);
		if (cmd == PERF_EVENT_IOC_MODIFY_ATTRIBUTES)
			show_attr(&a);
		return 0;
	}
	a = resolve(a);
	if (how == 3 && cmd == PERF_EVENT_IOC_SET_FILTER)
		arg = (u64)filters[which];
	else if (how && cmd == PERF_EVENT_IOC_SET_OUTPUT)
		arg = (u64)(int64_t)pool[other];
	else if (how && cmd == PERF_EVENT_IOC_MODIFY_ATTRIBUTES)
		arg = (u64)&a;
	else if (how && cmd != PERF_EVENT_IOC_REFRESH)
		arg = (u64)&value;
	/* The pool's time is everybody's: none of it runs on. */
	if (cmd == PERF_EVENT_IOC_REFRESH && !arg)
		arg = 1;
	r = SAYS(ioctl(pool[slot], cmd, arg));
	if (pool[slot] >= 0)
		ioctl(pool[slot], PERF_EVENT_IOC_DISABLE,
		      PERF_IOC_FLAG_GROUP);
	return letter(r);
}

static char call_map(void)
{
	int slot = (draw() >> 20) % POOL;
	size_t bytes = PAGE * pick(PAIR(1, 2, 3, 5, 9, 4, 17));
	int prot = one_in(4) ? PROT_READ : PROT_READ | PROT_WRITE;
	int how = one_in(10) ? MAP_PRIVATE : MAP_SHARED;
	void *p;

	if (describing) {
		printf("mmap leader %d bytes %zu prot %d flags %d", slot, bytes,
		       prot, how);
		return 0;
	}
	p = mmap(NULL, bytes, prot, how, pool[slot], 0);
	if (p == MAP_FAILED)
		return letter(-errno);
	if (maps[slot]) {
		munmap(p, bytes);
	} else {
		maps[slot] = p;
		map_bytes[slot] = bytes;
	}
	return '.';
}

static char one_call(void)
{
	int slot;

	switch ((draw() >> 20) % 16) {
	case 0: case 1:
		return call_ioctl();
	case 2:
		return call_map();
	case 3:
		slot = (draw() >> 20) % POOL;
		if (describing) {
			printf("read leader %d", slot);
			return 0;
		}
		return words(pool[slot]);
	default:
		return call_open();
	}
}

static void trapped(int sig)
{
}

static int sleeper(int uid)
{
	int pid = fork();

	if (!pid) {
		if (uid && setuid(uid))
			_exit(1);
		for (;;)
			pause();
	}
	return pid;
}

/* The name of getppid(2)'s function is either's own. */
static void find_function(void)
{
	char line[256], *end;
	FILE *f = fopen("/proc/kallsyms", "r");

	while (f && fgets(line, sizeof(line), f)) {
		end = strchr(line, '\n');
		if (!end || end - line < 20)
			continue;
		*end = 0;
		if (!strcmp(line + 19, "__arm64_sys_getppid") ||
		    !strcmp(line + 19, "sys_getppid"))
			functions[0] = strdup(line + 19);
	}
	if (f)
		fclose(f);
}

static void prepare(void)
{
	struct sigaction sa = { .sa_handler = trapped };
	char path[128];

	settle();
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	for (int i = 0; i < sizeof(tracepoints) / sizeof(*tracepoints); i++) {
		FILE *f;

		snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id",
			 tracepoints[i]);
		tracepoint_ids[i] = 1ull << 62;
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fscanf(f, "%llu",
			   (unsigned long long *)&tracepoint_ids[i]) != 1)
			tracepoint_ids[i] = 1ull << 62;
		fclose(f);
	}
	find_function();
	if (!functions[0])
		_exit(3);
	sigaction(SIGTRAP, &sa, NULL);
	sigaction(SIGIO, &sa, NULL);
	targets[0] = sleeper(0);
	targets[1] = sleeper(NOBODY);
	usleep(20000);
	for (int i = 0; i < POOL; i++) {
		struct perf_event_attr a = i & 1 ? SW(DUMMY, .disabled = 1) :
						   CYCLES(.disabled = 1);

		pool[i] = must_open(&a, i & 2 ? -1 : 0, i & 2 ? 0 : -1, -1, 0);
	}
}

static int describe(u64 seed, char **index)
{
	describing = true;
	state = seed * 0x9e3779b97f4a7c15ull + 1;
	for (long i = 0, next = atol(*index);; i++) {
		FILE *out = stdout;

		if (i != next && !(stdout = fopen("/dev/null", "w")))
			return 1;
		one_call();
		if (i != next) {
			fclose(stdout);
			stdout = out;
			continue;
		}
		printf(" [%ld]\n", i);
		if (!*++index)
			return 0;
		next = atol(*index);
	}
}

int main(int argc, char **argv)
{
	u64 seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	long count = argc > 2 ? atol(argv[2]) : 10000;
	char block[101] = "";

	if (argc > 3 && !strcmp(argv[1], "--describe"))
		return describe(strtoull(argv[2], NULL, 0), argv + 3);
	state = seed * 0x9e3779b97f4a7c15ull + 1;
	prepare();
	for (long i = 0; i < count; i++) {
		block[i % 100] = one_call();
		if (i % 100 == 99 || i == count - 1) {
			block[i % 100 + 1] = 0;
			fact(block, "seed %llu calls %ld",
			     (unsigned long long)seed, i / 100 * 100);
		}
	}
	for (int i = 0; i < POOL; i++)
		drop(i);
	kill(targets[0], SIGKILL);
	kill(targets[1], SIGKILL);
	return ktap_done();
}
