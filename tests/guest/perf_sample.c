// SPDX-License-Identifier: MIT
/*
 * Facts about samples: every field alone and all of them, reads in each
 * format, registers, stacks, addresses.
 * only: tags
 * tags: facts
 * timeout: 200
 */
#define _GNU_SOURCE
#include "perf_work.h"

static struct perf_event_header *sample_of(const struct perf_event_attr *a,
					   int fd, struct ring *r)
{
	struct perf_event_header *h;

	ring_map(r, fd, 32);
	touch(fd);
	while ((h = ring_next(r)) && h->type != PERF_RECORD_SAMPLE)
		;
	return h;
}

static const char *const field_names[] = {
	"IP", "TID", "TIME", "ADDR", "READ", "CALLCHAIN", "ID", "CPU", "PERIOD",
	"STREAM_ID", "RAW", "BRANCH_STACK", "REGS_USER", "STACK_USER", "WEIGHT",
	"DATA_SRC", "IDENTIFIER", "TRANSACTION", "REGS_INTR", "PHYS_ADDR", "AUX",
	"CGROUP", "DATA_PAGE_SIZE", "CODE_PAGE_SIZE", "WEIGHT_STRUCT"
};

/* One word is told in what it means. */
static const char *meaning(int bit, u64 w, int fd, char *at)
{
	switch (bit) {
	case 0:
		return w - (u64)&touch < 256 ? "in the code" : "elsewhere";
	case 1:
		return text("%s/%s", who((u32)w), who((u32)(w >> 32)));
	case 2:
		return w ? "there" : "0";
	case 3:
		return w == (u64)at ? "the address" : text("%llx",
							   (long long)w);
	case 6: case 9: case 16:
		return w == id_of(fd) ? "the id" : "another id";
	case 7:
		return w < 4 ? "a CPU" : "none";
	case 19:
		return text("%s, in page %#x", w >> 12 ? "there" : "0",
			    (u32)w & 4095);
	default:
		return text("%#llx", (unsigned long long)w);
	}
}

static void fields(void)
{
	for (int bit = 0; bit < 25; bit++) {
		struct perf_event_attr a = FAULTS(
			.sample_type = 1u << bit, .sample_regs_user = 1,
			.sample_regs_intr = 1, .sample_stack_user = 64,
			.exclude_callchain_kernel = 1);
		char *at = fresh + used * PAGE + 8;
		long fd = open_event(&a, 0, -1, -1, 0);
		struct perf_event_header *h;
		struct ring r;

		if (fd < 0) {
			fact(answer_of(fd), "%s alone", field_names[bit]);
			continue;
		}
		h = sample_of(&a, fd, &r);
		if (!h)
			fact("no sample", "%s alone", field_names[bit]);
		else if (h->size == 16)
			fact(text("misc %#x: %s", h->misc,
				  meaning(bit, *(u64 *)(h + 1), fd, at)),
			     "%s alone", field_names[bit]);
		else
			fact(text("misc %#x size %s", h->misc,
				  bit == 5 ? "of a chain" :
				  number(h->size)), "%s alone",
			     field_names[bit]);
		ring_unmap(&r);
		close(fd);
	}
}

/* The fixed ones in their order; each must be what it says. */
static void together(void)
{
	static const int order[] = { 16, 0, 1, 2, 3, 6, 9, 7, 8, 10, 14, 15,
				     17, 19, 21, 22, 23 };
	u64 type = 0, *w;
	struct perf_event_attr a;
	struct perf_event_header *h;
	struct ring r;
	char *at;
	int fd;

	for (int i = 0; i < 17; i++)
		type |= 1u << order[i];
	a = FAULTS(.sample_type = type);
	fd = must_open(&a, 0, -1, -1, 0);
	at = fresh + used * PAGE + 8;
	h = sample_of(&a, fd, &r);
	if (!h)
		return;
	w = (u64 *)(h + 1);
	fact(text("misc %#x size %u", h->misc, h->size), "17 fields");
	for (int i = 0; i < 17; i++)
		fact(meaning(order[i], w[i], fd, at), "%s among others",
		     field_names[order[i]]);
	ring_unmap(&r);
	close(fd);
}

/* PERF_SAMPLE_READ of a group of three, from the leader and a member. */
static void reads(void)
{
	for (int format = 0; format < 32; format++)
		for (int from = 0; from < 2; from++) {
			struct perf_event_attr a = FAULTS(
				.sample_type = PERF_SAMPLE_READ |
					       PERF_SAMPLE_IDENTIFIER,
				.read_format = format);
			struct perf_event_attr b = SW(PAGE_FAULTS,
						      .read_format = format,
						      .exclude_kernel = 1);
			int lead = must_open(from ? &b : &a, 0, -1, -1, 0);
			int one = must_open(from ? &a : &b, 0, -1, lead, 0);
			int two = must_open(&b, 0, -1, lead, 0);
			int fd = from ? one : lead;
			struct perf_event_header *h;
			const char *ids = "";
			struct ring r;
			u64 *w;

			h = sample_of(&a, fd, &r);
			if (!h) {
				fact("no sample", "read, format %d from %d",
				     format, from);
				continue;
			}
			w = (u64 *)(h + 1) + 1;
			if (format & PERF_FORMAT_GROUP) {
				int step = 1 + !!(format & 4) + !!(format & 16);
				u64 *v = w + 1 + (format & 1) +
					 !!(format & 2);

				if (format & 4)
					ids = text(" ids %d%d%d",
						   v[1] == id_of(lead),
						   v[1 + step] == id_of(one),
						   v[1 + 2 * step] ==
							   id_of(two));
				fact(text("size %u nr %d own value %d lost "
					  "%d%s", h->size, (int)w[0],
					  (int)v[from * step],
					  format & 16 ? (int)v[step - 1] : 0,
					  ids),
				     "read, format %d from %d", format, from);
			} else {
				u64 *v = w + 1;

				if (format & 1)
					v++;
				if (format & 2)
					v++;
				fact(text("size %u value %d id %d lost %d",
					  h->size, (int)w[0],
					  format & 4 ? *v == id_of(fd) : -1,
					  format & 16 ?
						  (int)v[!!(format & 4)] :
						  -1),
				     "read, format %d from %d", format, from);
			}
			if ((format & 3) == 3) {
				u64 *t = w + 1;

				fact(t[0] && t[0] == t[1] ? "equal" : "odd",
				     "times, format %d from %d", format, from);
			}
			ring_unmap(&r);
			close(two);
			close(one);
			close(lead);
		}
}

/* --- registers ----------------------------------------------------------- */

static void registers(void)
{
	static const u64 masks[] = { 1, 3, 1ull << 29, 1ull << 30, 1ull << 31,
				     1ull << 32, 0x1ffffffff, 0x155555555 };

	for (int m = 0; m < 8; m++)
		for (int intr = 0; intr < 2; intr++) {
			struct perf_event_attr a = FAULTS(
				.sample_type = PERF_SAMPLE_IP |
					       (intr ? PERF_SAMPLE_REGS_INTR :
						       PERF_SAMPLE_REGS_USER));
			const char *pc = "not asked", *sp = "not asked";
			struct perf_event_header *h;
			struct ring r;
			u64 *w, near;
			int fd, n;

			if (intr)
				a.sample_regs_intr = masks[m];
			else
				a.sample_regs_user = masks[m];
			fd = must_open(&a, 0, -1, -1, 0);
			h = sample_of(&a, fd, &r);
			if (!h)
				continue;
			w = (u64 *)(h + 1);
			n = (h->size - 24) / 8;
			if (masks[m] >> 32)
				pc = w[1 + n] == w[0] ? "ip" : "odd";
			near = w[n + 1 - (int)(masks[m] >> 32)];
			if (masks[m] >> 31 & 1)
				sp = near - (u64)&near + 65536 < 131072 ?
					     "sp" : "odd";
			fact(text("abi %llu, %d registers, pc %s sp %s",
				  (unsigned long long)w[1], n, pc, sp),
			     "%s registers, mask %#llx",
			     intr ? "interrupted" : "user",
			     (unsigned long long)masks[m]);
			ring_unmap(&r);
			close(fd);
		}
}

/* Samples that hit the kernel: whose registers are these? */
static void registers_in_kernel(void)
{
	struct perf_event_attr a = SW(CPU_CLOCK, .disabled = 1,
				      .sample_period = 1000000,
				      .exclude_user = 1,
				      .sample_type = PERF_SAMPLE_IP |
						     PERF_SAMPLE_REGS_USER |
						     PERF_SAMPLE_REGS_INTR,
				      .sample_regs_user = 1ull << 32,
				      .sample_regs_intr = 1ull << 32);
	int fd = must_open(&a, 0, -1, -1, 0), n = 0, odd[4] = { 0 };
	struct perf_event_header *h;
	struct ring r;

	ring_map(&r, fd, 16);
	spin(fd, &r, 200);
	while ((h = ring_next(&r))) {
		u64 *w = (u64 *)(h + 1);

		if (h->type != PERF_RECORD_SAMPLE)
			continue;
		n++;
		odd[0] += !(w[0] >> 63) || h->misc != PERF_RECORD_MISC_KERNEL;
		odd[1] += w[1] != 2 || w[2] >> 48;
		odd[2] += w[3] != 2 || w[4] != w[0];
		odd[3] += h->size != 48;
	}
	fact(n > 5 ? "some" : "few", "samples in the kernel");
	fact(number(odd[0]), "not at a kernel address");
	fact(number(odd[1]), "whose user pc is none");
	fact(number(odd[2]), "whose interrupted pc is not the ip");
	fact(number(odd[3]), "of another size");
	ring_unmap(&r);
	close(fd);
}

/* --- stacks -------------------------------------------------------------- */

static void stacks(void)
{
	static const u32 sizes[] = { 0, 8, 64, 1024, 512, 16384, 32768, 65528,
				     65520, 65000 };

	for (int i = 0; i < 10; i++)
		for (int more = 0; more < 2; more++) {
			struct perf_event_attr a = FAULTS(
				.sample_type = PERF_SAMPLE_STACK_USER |
					       PERF_SAMPLE_REGS_USER |
					       (more ? PERF_SAMPLE_IP |
						PERF_SAMPLE_TIME |
						PERF_SAMPLE_CALLCHAIN : 0),
				.sample_max_stack = 2,
				.exclude_callchain_kernel = 1,
				.sample_regs_user = 1ull << 31,
				.sample_stack_user = sizes[i]);
			struct perf_event_header *h;
			u64 size, dyn = 0, *w, sp;
			const char *same = "nothing";
			struct ring r;
			int fd;

			fd = must_open(&a, 0, -1, -1, 0);
			h = sample_of(&a, fd, &r);
			if (!h) {
				fact("no sample", "stack of %u, %d", sizes[i],
				     more);
				ring_unmap(&r);
				close(fd);
				continue;
			}
			w = (u64 *)(h + 1);
			if (more)
				w += 3 + w[2];
			sp = w[1];
			size = w[2];
			if (size) {
				dyn = w[3 + size / 8];
				same = dyn < 64 ? "short" :
				       memcmp((void *)(sp + 512), &w[3 + 64],
					      dyn > 1024 ? 256 : 0) ?
				       "other bytes" : "the bytes";
			}
			/* How deep the stack is varies with what is on it. */
			fact(text("size %llu dyn %s, %s",
				  size >= 1024 && size != sizes[i] ?
				  (unsigned long long)1 :
				  (unsigned long long)size,
				  dyn == size ? "all" : dyn > size ? "more" :
				  "less", same),
			     "stack of %u, %d", sizes[i], more);
			fact(number(h->size % 8), "alignment, stack of %u, %d",
			     sizes[i], more);
			ring_unmap(&r);
			close(fd);
		}
}

/* A stack whose end is known: what is beyond is not there. */
static void ends(void)
{
	struct perf_event_attr a = FAULTS(
		.sample_type = PERF_SAMPLE_STACK_USER,
		.sample_stack_user = 8192);
	struct perf_event_header *h;
	char *area = mmap(NULL, 64 * PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	register u64 keep asm("x20");
	struct ring r;
	int fd = must_open(&a, 0, -1, -1, 0);

	mprotect(area + 32 * PAGE, PAGE, PROT_NONE);
	memset(area, 0x5a, 32 * PAGE);
	ring_map(&r, fd, 32);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	/* The fault is taken on that stack, 1024 bytes below its end. */
	asm volatile("mov %0, sp\n\tmov sp, %1\n\tstrb wzr, [%2]\n\tmov sp, %0"
		     : "=&r"(keep)
		     : "r"(area + 32 * PAGE - 1024), "r"(fresh + used++ * PAGE)
		     : "memory");
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	h = ring_next(&r);
	if (h) {
		u64 *w = (u64 *)(h + 1);
		unsigned char *c = (void *)(w + 1);
		u64 dyn = w[1 + w[0] / 8];
		int same = 0;

		while (same < w[0] && c[same] == 0x5a)
			same++;
		/* The last step of a copy may be given up as a whole. */
		fact(text("size %llu dyn %s, %s", (unsigned long long)w[0],
			  dyn > 1024 - 64 && dyn <= 1024 ? "to its end" :
			  number(dyn), same == dyn ? "all of it the stack's" :
			  number(same)), "a stack 1024 bytes long");
	} else {
		fact("no sample", "a stack 1024 bytes long");
	}
	ring_unmap(&r);
	close(fd);
}

/* Bytes behind the word: multiples of eight with it. */
static void raw(void)
{
	struct perf_event_attr kinds[] = {
		FAULTS(.sample_type = PERF_SAMPLE_RAW),
		SW(CPU_CLOCK, .sample_period = 1000000, .disabled = 1,
		   .sample_type = PERF_SAMPLE_RAW),
		CYCLES(.sample_period = 1000000, .disabled = 1,
		       .sample_type = PERF_SAMPLE_RAW),
	};

	for (int k = 0; k < 3; k++) {
		int fd = must_open(&kinds[k], 0, -1, -1, 0);
		struct perf_event_header *h;
		struct ring r;

		ring_map(&r, fd, 8);
		if (k)
			spin(fd, &r, 10);
		else
			touch(fd);
		h = ring_next(&r);
		if (h)
			fact(text("record of %u, %u bytes, word %#x", h->size,
				  ((u32 *)(h + 1))[0], ((u32 *)(h + 1))[1]),
			     "raw of kind %d", k);
		else
			fact("no sample", "raw of kind %d", k);
		ring_unmap(&r);
		close(fd);
	}
}

/* A page is named by where it is, as pagemap does. */
static void addresses(int there)
{
	struct perf_event_attr a = FAULTS(
		.sample_type = PERF_SAMPLE_ADDR | PERF_SAMPLE_PHYS_ADDR |
			       PERF_SAMPLE_DATA_PAGE_SIZE |
			       PERF_SAMPLE_CODE_PAGE_SIZE);
	int fd = must_open(&a, 0, -1, -1, 0), kid = 0;
	struct perf_event_header *h;
	struct ring r;

	/* Read or written before: the fault is one of copying. */
	if (there == 1)
		used += *(volatile char *)(fresh + used * PAGE);
	if (there == 2) {
		fresh[used * PAGE] = 1;
		kid = fork();
		if (!kid) {
			pause();
			_exit(0);
		}
	}
	h = sample_of(&a, fd, &r);
	if (h) {
		u64 *w = (u64 *)(h + 1);

		fact(text("physical %s data page %llu code page %llu",
			  w[1] ? "there" : "0", (unsigned long long)w[2],
			  (unsigned long long)w[3]), "at a fault %s",
		     there == 2 ? "after fork" : there ? "after a read" :
		     "in nothing");
	}
	if (kid) {
		kill(kid, SIGKILL);
		waitpid(kid, NULL, 0);
	}
	ring_unmap(&r);
	close(fd);
}

static void cgroup(void)
{
	struct perf_event_attr a = FAULTS(.sample_type = PERF_SAMPLE_CGROUP |
							 PERF_SAMPLE_IP);
	int fd = must_open(&a, 0, -1, -1, 0);
	struct perf_event_header *h;
	struct ring r;

	h = sample_of(&a, fd, &r);
	fact(h ? number(((u64 *)(h + 1))[1]) : "no sample", "the root's cgroup");
	ring_unmap(&r);
	close(fd);
}

/* Who calls it a period. */
static void periods(void)
{
	for (int period = 1; period < 8; period += 3)
		for (int with = 0; with < 2; with++) {
			struct perf_event_attr a = FAULTS(
				.sample_type = PERF_SAMPLE_ADDR |
					       (with ? PERF_SAMPLE_PERIOD : 0));
			int fd, n = 0;
			struct perf_event_header *h;
			char out[200] = "";
			struct ring r;

			a.sample_period = period;
			fd = must_open(&a, 0, -1, -1, 0);
			ring_map(&r, fd, 8);
			for (int i = 0; i < 22; i++)
				touch(fd);
			while ((h = ring_next(&r))) {
				u64 *w = (u64 *)(h + 1);

				n++;
				if (with && n < 10)
					sprintf(out + strlen(out), " %llu",
						(unsigned long long)w[1]);
			}
			fact(text("%d%s", n, out),
			     "22 faults, period %d, PERIOD %d", period, with);
			ring_unmap(&r);
			close(fd);
		}
}

int main(void)
{
	settle();
	bind_to(0, 0);
	make_fresh();
	fields();
	together();
	reads();
	registers();
	registers_in_kernel();
	stacks();
	ends();
	raw();
	addresses(0);
	addresses(1);
	addresses(2);
	cgroup();
	periods();
	return ktap_done();
}
