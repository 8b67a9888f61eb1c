/* SPDX-License-Identifier: MIT */
/*
 * Facts about a uprobe at an instruction of each class: refused and with what,
 * or every register, the flags and memory afterwards the same as without the
 * probe, from many states, and each execution counted once.
 *
 * only: tags
 * tags: facts
 * timeout: 300
 */
#define _GNU_SOURCE
#include <sys/utsname.h>

#include "facts.h"

extern const char __ehdr_start[];

/* Its offsets are in uprobe_insns.S too. */
struct state {
	u64 x[31], sp, nzcv, spare, v[4][2], host_sp, spare2;
	u64 memory[64] __attribute__((aligned(64)));
};
_Static_assert(offsetof(struct state, v) == 272, "V(0)");
_Static_assert(offsetof(struct state, host_sp) == 336, "HOST_SP");

struct row {
	const char *text;
	const void *at, *landing;
	u64 differ;
};
extern const struct row insn_table[];
extern void insn_run(struct state *s, const void *at);

#define STATES (16 * 6)

static struct state now, want[STATES];
static char self[256];
static u32 type;

/* x0 and the flags are what branches look at; the rest tells where it went. */
static void prepare(int n, const struct row *row)
{
	static const u64 x0[] = { 0, 1, 1ull << 32, 1ull << 31, ~0ull,
				  0x8000000000000004 };

	for (int i = 0; i < 31; i++)
		now.x[i] = 0x0123456789abcdefull * (2 * i + 1);
	for (int i = 0; i < 8; i++)
		now.v[i / 2][i % 2] = 0xfedcba9876543211ull * (2 * i + 1);
	for (int i = 0; i < 64; i++)
		now.memory[i] = 0x1111222233334444ull + i;
	now.x[0] = x0[n / 16];
	now.nzcv = (u64)(n % 16) << 28;
	now.x[9] = (uintptr_t)&now.memory[8];
	now.x[10] = now.x[30] = (uintptr_t)row->landing;
	now.sp = (uintptr_t)&now.memory[32];
}

static bool refused(const struct row *row, int *fd)
{
	struct perf_event_attr a = ATTR(type, 0);

	a.config1 = (uintptr_t)self;
	a.config2 = (u64)((const char *)row->at - __ehdr_start);
	*fd = (int)open_event(&a, 0, -1, -1, 0);
	return *fd < 0;
}

static u64 counted(int fd)
{
	u64 v = 0;

	return read(fd, &v, sizeof(v)) == sizeof(v) ? v : ~0ull;
}

static const char *answer(const struct row *row)
{
	int fd, differ = 0, first = 0;
	u64 hits;

	/* What is refused may not be something a program can execute. */
	if (refused(row, &fd))
		return fd == -524 ? "ENOTSUPP" : answer_of(fd);
	close(fd);
	for (int i = 0; i < STATES; i++) {
		prepare(i, row);
		insn_run(&now, row->at);
		want[i] = now;
	}
	if (refused(row, &fd))
		return text("%s, the second time", answer_of(fd));
	for (int i = 0; i < STATES; i++) {
		prepare(i, row);
		insn_run(&now, row->at);
		if (memcmp(&now, &want[i], sizeof(now)) && !differ++)
			first = i;
	}
	hits = counted(fd);
	close(fd);
	if (differ)
		return text("differs in %d states, the first is %d", differ,
			    first);
	return hits == STATES ? "the same" : text("%lld hits", (long long)hits);
}

/* This kernel does more than the reference, which is let off. */
static void beyond(const struct row *row, bool sonde)
{
	const char *said = answer(row);

	if (sonde || !strcmp(said, "the same"))
		ktap_ok(!strcmp(said, "the same"), "%s: %s", row->text, said);
	else
		ktap_skip(row->text, said);
}

int main(void)
{
	struct utsname name;
	bool sonde = !uname(&name) && strstr(name.release, "sonde");
	FILE *f = fopen("/sys/bus/event_source/devices/uprobe/type", "r");

	if (!f || fscanf(f, "%u", &type) != 1) {
		ktap_ok(false, "there is a uprobe PMU");
		return ktap_done();
	}
	fclose(f);
	self[readlink("/proc/self/exe", self, sizeof(self) - 1)] = '\0';
	for (const struct row *row = insn_table; row->text; row++)
		if (row->differ)
			beyond(row, sonde);
		else
			fact(answer(row), "%s", row->text);
	return ktap_done();
}
