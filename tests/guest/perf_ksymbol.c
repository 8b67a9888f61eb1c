// SPDX-License-Identifier: MIT
/*
 * Facts about records that probes cause: KSYMBOL for the pages where the
 * kernel keeps probed instructions, no TEXT_POKE, and MMAP for the page that a
 * probed program gets.
 * only: tags
 * tags: facts
 * timeout: 300
 */
#define _GNU_SOURCE
#include "records.h"

#define DEVICES "/sys/bus/event_source/devices/"
#define A_PAGE	512	/* instructions in a page */
#define MOST	(A_PAGE + 88)

extern const char __ehdr_start[];

static u32 number_in(const char *file)
{
	FILE *f = fopen(file, "r");
	u32 n = 0;

	if (!f || fscanf(f, "%u", &n) != 1)
		ktap_ok(false, "a number in %s", file);
	if (f)
		fclose(f);
	return n;
}

/* The next function that can be probed; negative: there is none. */
static int probe_next(FILE *symbols, u32 type)
{
	struct perf_event_attr a = ATTR(type, 0);
	char line[512], sym[256], kind;
	unsigned long long addr;

	while (fgets(line, sizeof(line), symbols)) {
		long fd;

		if (sscanf(line, "%llx %c %255s", &addr, &kind, sym) != 3 ||
		    kind != 'T')
			continue;
		a.config2 = addr;
		fd = open_event(&a, 0, -1, -1, 0);
		if (fd >= 0)
			return (int)fd;
	}
	return -1;
}

/* What came, the place being the first of its kind or the same again. */
static const char *told(struct ring *r, int fd,
			const struct perf_event_attr *a)
{
	struct perf_event_header *h;
	char out[400] = "";
	static u64 place;
	int at = 0;

	while ((h = ring_next(r)) && at < 200) {
		u64 *w = (u64 *)(h + 1);
		uint16_t *kind = (uint16_t *)(w + 1);

		at += sprintf(out + at, "%s misc %#x size %u; ",
			      record_name(h->type), h->misc, h->size);
		if (h->type != PERF_RECORD_KSYMBOL)
			continue;
		at += sprintf(out + at, "%s, %u bytes, type %u flags %#x '%s'; "
			      "trailer %s", w[0] == place ? "the same place" :
			      w[0] % PAGE ? "inside a page" : "a page",
			      (u32)w[1], kind[2], kind[3], (char *)(w + 2),
			      trailer(h, a, id_of(fd)));
		place = w[0];
	}
	ring_consume(r);
	return at ? text("%s", out) : "nothing";
}

static void pages(void)
{
	struct perf_event_attr a = SW(DUMMY, .ksymbol = 1, .text_poke = 1,
				      .sample_id_all = 1,
				      .sample_type = TRAILER);
	struct perf_event_attr off = SW(DUMMY, .text_poke = 1);
	FILE *symbols = fopen("/proc/kallsyms", "r");
	u32 type = number_in(DEVICES "kprobe/type");
	int fd = must_open(&a, 0, -1, -1, 0), fds[MOST], n = 0;
	int none = must_open(&off, 0, -1, -1, 0);
	struct ring r, empty;

	if (!symbols)
		return;
	ring_map(&r, fd, 8);
	ring_map(&empty, none, 8);
	fds[n++] = probe_next(symbols, type);
	/* Whether there was a page depends on who came before. */
	told(&r, fd, &a);
	while (n < MOST && r.page->data_head == r.page->data_tail) {
		int probe = probe_next(symbols, type);

		if (probe < 0)
			break;
		fds[n++] = probe;
	}
	fact(n > A_PAGE - 16 && n < MOST ? "a page of them" : number(n),
	     "probes until there is another page");
	fact(told(&r, fd, &a), "another page");
	close(fds[--n]);
	while (n > A_PAGE - 16 && r.page->data_head == r.page->data_tail)
		close(fds[--n]);
	fact(told(&r, fd, &a), "when it is empty");
	while (n)
		close(fds[--n]);
	fact(told(&r, fd, &a), "when the other is empty");
	fact(number(empty.page->data_head), "bytes for who asked for another");
	fclose(symbols);
	ring_unmap(&r);
	ring_unmap(&empty);
	close(none);
	close(fd);
}

/* --- programs ------------------------------------------------------------ */

static volatile int sink;

__attribute__((noinline, noipa)) static void target(void)
{
	sink++;
}

static const char *mapped(struct ring *r)
{
	struct perf_event_header *h;
	char out[400] = "";
	int at = 0;

	while ((h = ring_next(r)) && at < 200) {
		u32 *pids = (u32 *)(h + 1);
		u64 *w = (u64 *)(pids + 2);
		u32 *dev = (u32 *)(w + 3);
		u32 *prot = dev + 6;

		if (h->type != PERF_RECORD_MMAP2) {
			at += sprintf(out + at, "%s; ", record_name(h->type));
			continue;
		}
		at += sprintf(out + at, "misc %#x size %u %s/%s %u bytes, "
			      "offset %s, device %u:%u inode %llu prot %u "
			      "flags %#x '%s'; ",
			      h->misc, h->size, who(pids[0]), who(pids[1]),
			      (u32)w[1], w[2] == w[0] ? "the place" : w[2] ?
			      "another" : "0", dev[0], dev[1],
			      (unsigned long long)*(u64 *)(dev + 2), prot[0],
			      prot[1], (char *)(prot + 2));
	}
	ring_consume(r);
	return at ? text("%s", out) : "nothing";
}

static void program(u64 config, const char *what)
{
	struct perf_event_attr a = SW(DUMMY, .mmap = 1, .mmap2 = 1);
	struct perf_event_attr u = ATTR(number_in(DEVICES "uprobe/type"),
					config);
	char self[256] = "";
	struct kid k;
	struct ring r;
	int fd, probe;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return;
	u.config1 = (u64)self;
	u.config2 = (u64)((const char *)target - __ehdr_start);
	if (!kid_start(&k)) {
		target();
		target();
		_exit(0);
	}
	fd = must_open(&a, k.pid, -1, -1, 0);
	ring_map(&r, fd, 8);
	probe = must_open(&u, k.pid, -1, -1, 0);
	fact(mapped(&r), "%s: maps when it is placed", what);
	kid_go(&k);
	fact(mapped(&r), "%s: maps when it is hit", what);
	close(probe);
	ring_unmap(&r);
	close(fd);
}

int main(void)
{
	settle();
	bind_to(0, 0);
	pages();
	program(0, "uprobe");
	program(1, "uretprobe");
	return ktap_done();
}
