// SPDX-License-Identifier: MIT
/*
 * Facts about struct perf_event_attr by itself: sizes, reserved bits, ranges.
 * only: tags
 * tags: facts
 */
#define _GNU_SOURCE
#include "facts.h"

static char *two_pages;		/* the second may not be touched */

static void sizes(void)
{
	static const u32 list[] = {
		0, 1, 8, 63, 64, 65, 71, 72, 73, 80, 96, 100, 104, 111, 112,
		120, 127, 128, 129, 136, 200, 1024, 4095, 4096, 4097, 65536,
		0x7fffffff, 0x80000000, 0xffffffff
	};
	static char room[8192];
	struct perf_event_attr *attr = (void *)room;

	for (int i = 0; i < sizeof(list) / sizeof(*list); i++) {
		memset(room, 0, sizeof(room));
		*attr = SW(PAGE_FAULTS, .exclude_kernel = 1);
		attr->size = list[i];
		fact(tried(attr), "size %u, zero tail", list[i]);
		fact(text("%u", attr->size), "size %u, size after it", list[i]);
		if (list[i] <= 128 || list[i] > 4096)
			continue;
		*attr = SW(PAGE_FAULTS, .exclude_kernel = 1);
		attr->size = list[i];
		room[list[i] - 1] = 1;
		fact(tried(attr), "size %u, last byte set", list[i]);
		fact(text("%u", attr->size), "size %u, last byte set, size "
		     "after it", list[i]);
	}
	/* Where bytes past the given size are not looked at. */
	memset(room, 0, sizeof(room));
	*attr = SW(PAGE_FAULTS, .sample_type = PERF_SAMPLE_REGS_USER,
		   .sample_regs_user = 1, .clockid = 77, .use_clockid = 1);
	attr->size = 64;
	fact(tried(attr), "size 64, regs and clock named past it");
	attr->size = 88;
	fact(tried(attr), "size 88, clock named past it");
	attr->size = 92;
	fact(tried(attr), "size 92, clock half named");
}

static void pointers(void)
{
	struct perf_event_attr attr = SW(PAGE_FAULTS), *p;

	fact(tried(NULL), "attr NULL");
	fact(tried((void *)8), "attr at 8");
	fact(tried((void *)0xffff800008000000), "attr in the kernel");
	fact(tried((void *)0xfffffffffffffff0), "attr at the end");
	fact(tried((void *)0x0001000000000000), "attr above the user's half");
	for (int size = 64; size <= 128; size += 32) {
		p = (void *)(two_pages + PAGE - size);
		attr.size = size;
		memcpy(p, &attr, size);
		fact(tried(p), "attr of %d bytes ends with its page", size);
		p = (void *)((char *)p + 1);
		memcpy(p, &attr, size - 1);
		fact(tried(p), "attr of %d bytes ends past its page", size);
	}
	p = (void *)(two_pages + PAGE - 128);
	*p = SW(PAGE_FAULTS);
	p->size = 200;
	fact(tried(p), "attr of 200 bytes, 128 can be read");
	p->size = 1;
	mprotect(two_pages, PAGE, PROT_READ);
	fact(tried(p), "attr of size 1 in read-only memory");
	p = (void *)(two_pages + PAGE - 4);
	fact(tried(p), "attr whose size cannot be read");
	mprotect(two_pages, PAGE, PROT_READ | PROT_WRITE);
}

/* Every bit of one 64-bit word of attr, all else being zero. */
static void bits_of(const char *what, size_t offset, int bits, u64 also,
		    u32 type, u64 sample_type)
{
	for (int bit = 0; bit < bits; bit++) {
		struct perf_event_attr attr =
			ATTR(type, type ? PERF_COUNT_SW_PAGE_FAULTS : 0,
			     .sample_type = sample_type);
		u64 word;

		memcpy(&word, (char *)&attr + offset, bits / 8);
		word |= also | 1ull << bit;
		memcpy((char *)&attr + offset, &word, bits / 8);
		fact(tried(&attr), "%s, %s bit %d", type ? "sw" : "hw", what,
		     bit);
	}
}

#define BITS(field, bits, also, type, sample) \
	bits_of(#field, offsetof(struct perf_event_attr, field), bits, also, \
		type, sample)

static void words(void)
{
	for (int type = 0; type < 2; type++) {
		BITS(sample_type, 64, 0, type, 0);
		BITS(read_format, 64, 0, type, 0);
		/* The word of flags has no name of its own. */
		bits_of("flags",
			offsetof(struct perf_event_attr, read_format) + 8, 64,
			0, type, 0);
		BITS(branch_sample_type, 64, 0, type,
		     PERF_SAMPLE_BRANCH_STACK);
		BITS(sample_regs_user, 64, 0, type, PERF_SAMPLE_REGS_USER);
		BITS(sample_regs_intr, 64, 0, type, PERF_SAMPLE_REGS_INTR);
		BITS(aux_sample_size, 32, 0, type, 0);
		BITS(aux_watermark, 32, 0, type, 0);
		BITS(__reserved_2, 16, 0, type, 0);
		BITS(sample_max_stack, 16, 0, type, 0);
	}
	BITS(__reserved_3, 32, 0, 1, 0);
	BITS(sig_data, 64, 0, 1, 0);
	BITS(sample_period, 64, 0, 1, 0);
	BITS(config1, 64, 0, 1, 0);
	BITS(config2, 64, 0, 1, 0);
	BITS(sample_max_stack, 16, 0, 1, PERF_SAMPLE_CALLCHAIN);
	BITS(branch_sample_type, 64, 1, 1, 0);
}

static void ranges(void)
{
	static const u32 stacks[] = { 0, 1, 4, 8, 12, 16, 4096, 8192, 65520,
				      65527, 65528, 65529, 65534, 65535, 65536,
				      0x80000000, 0xffffffff };
	static const u64 masks[] = { 0, 1, 0x1ffffffff, 0x3ffffffff, 1ull << 33,
				     1ull << 46, ~0ull };
	struct perf_event_attr attr;

	for (int i = 0; i < sizeof(stacks) / sizeof(*stacks); i++) {
		attr = SW(PAGE_FAULTS, .sample_type = PERF_SAMPLE_STACK_USER,
			  .sample_stack_user = stacks[i]);
		fact(tried(&attr), "sample_stack_user %u", stacks[i]);
	}
	for (int i = 0; i < sizeof(masks) / sizeof(*masks); i++) {
		attr = SW(PAGE_FAULTS, .sample_type = PERF_SAMPLE_REGS_USER,
			  .sample_regs_user = masks[i]);
		fact(tried(&attr), "sample_regs_user %#llx",
		     (unsigned long long)masks[i]);
	}
	for (int clock = -3; clock < 18; clock++) {
		attr = SW(PAGE_FAULTS, .use_clockid = 1, .clockid = clock);
		fact(tried(&attr), "sw, clockid %d", clock);
		attr = CYCLES(.use_clockid = 1, .clockid = clock);
		fact(tried(&attr), "hw, clockid %d", clock);
	}
	attr = SW(PAGE_FAULTS, .clockid = 99);
	fact(tried(&attr), "clockid 99 and use_clockid 0");
}

#define TRY(...)                                                       \
	do {                                                           \
		struct perf_event_attr a_ = SW(PAGE_FAULTS, __VA_ARGS__); \
		fact(tried(&a_), "sw %s", #__VA_ARGS__);               \
		a_ = CYCLES(__VA_ARGS__);                              \
		fact(tried(&a_), "hw %s", #__VA_ARGS__);               \
	} while (0)

static void combinations(void)
{
	TRY(.inherit_thread = 1, .inherit = 1);
	TRY(.remove_on_exec = 1, .enable_on_exec = 1);
	TRY(.sigtrap = 1, .remove_on_exec = 1);
	TRY(.sigtrap = 1, .remove_on_exec = 1, .sample_period = 1);
	TRY(.sigtrap = 1, .remove_on_exec = 1, .freq = 1, .sample_freq = 9);
	TRY(.sample_type = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT);
	TRY(.sample_type = PERF_SAMPLE_READ, .inherit = 1);
	TRY(.sample_type = PERF_SAMPLE_READ, .read_format = 31);
	TRY(.read_format = PERF_FORMAT_GROUP, .inherit = 1);
	TRY(.sample_type = PERF_SAMPLE_READ, .inherit = 1,
	    .read_format = PERF_FORMAT_GROUP);
	TRY(.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_TID, .inherit = 1);
	TRY(.freq = 1, .sample_freq = 0);
	TRY(.freq = 1, .sample_freq = 100000);
	TRY(.freq = 1, .sample_freq = 100001);
	TRY(.freq = 1, .sample_freq = ~0ull);
	TRY(.sample_period = ~0ull >> 1);
	TRY(.sample_period = 1ull << 63);
	TRY(.precise_ip = 1);
	TRY(.precise_ip = 2);
	TRY(.precise_ip = 3);
	TRY(.precise_ip = 3, .sample_period = 1000);
	TRY(.exclude_user = 1, .exclude_kernel = 1);
	TRY(.exclude_user = 1, .exclude_kernel = 1, .exclude_hv = 1,
	    .exclude_host = 1, .exclude_guest = 1);
	TRY(.exclude_idle = 1, .sample_period = 1);
	TRY(.pinned = 1, .exclusive = 1);
	TRY(.mmap = 1, .mmap2 = 1, .mmap_data = 1, .comm = 1, .comm_exec = 1);
	TRY(.sample_type = PERF_SAMPLE_BRANCH_STACK, .branch_sample_type = 0);
	TRY(.sample_type = PERF_SAMPLE_BRANCH_STACK, .branch_sample_type = 7);
	TRY(.sample_type = PERF_SAMPLE_BRANCH_STACK, .branch_sample_type = 8);
	TRY(.sample_type = PERF_SAMPLE_BRANCH_STACK, .branch_sample_type = 9,
	    .exclude_kernel = 1);
	TRY(.sample_type = PERF_SAMPLE_CALLCHAIN, .exclude_callchain_user = 1,
	    .exclude_callchain_kernel = 1);
	TRY(.sample_type = PERF_SAMPLE_CALLCHAIN, .sample_max_stack = 127);
	TRY(.sample_type = PERF_SAMPLE_CALLCHAIN, .sample_max_stack = 128);
	TRY(.sample_type = PERF_SAMPLE_CALLCHAIN, .sample_max_stack = 65535);
	TRY(.sample_type = PERF_SAMPLE_AUX, .aux_sample_size = 64);
	TRY(.sample_type = PERF_SAMPLE_AUX);
	TRY(.aux_output = 1);
	TRY(.watermark = 1, .wakeup_watermark = ~0u);
	TRY(.write_backward = 1, .sample_period = 1);
	TRY(.sample_type = PERF_SAMPLE_MAX - 1);
	TRY(.sample_type = PERF_SAMPLE_PHYS_ADDR, .exclude_kernel = 1);
}

static void ignore(int sig)
{
}

int main(void)
{
	struct sigaction sa = { .sa_handler = ignore };

	sigaction(SIGTRAP, &sa, NULL);
	settle();
	two_pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(two_pages + PAGE, PAGE);
	sizes();
	pointers();
	words();
	ranges();
	combinations();
	return ktap_done();
}
