// SPDX-License-Identifier: MIT
/*
 * Pure pieces of perf: attr rules, ring arithmetic, sample layout, periods.
 */
#include "../../kernel/perf/attr_check.h"
#include "../../kernel/perf/layout.h"
#include "../../kernel/perf/period.h"

#include <arch/perf.h>
#include <arch/uaccess.h>
#include <kernel/perf_pmu.h>
#include <lib/err.h>
#include <lib/ktest.h>

#include "host.h"

unsigned long host_irqs_off;
struct task *host_current;
static size_t user_bytes = ~(size_t)0;

u64 arch_perf_reg_value(const struct pt_regs *regs, u32 nr)
{
	return 0x1000 + nr;
}

size_t arch_copy_user_nofault(void *to, const void __user *from, size_t n)
{
	size_t got = n < user_bytes ? n : user_bytes;

	memset(to, 0x5a, got);
	user_bytes -= got;
	return n - got;
}

/* --- attr -------------------------------------------------------------- */

static const struct perf_attr_env env = {
	.regs_valid = (1ull << 33) - 1, .max_stack = 127, .may_kernel = true,
};

static int check(const struct perf_event_attr *a)
{
	struct perf_event_attr copy = *a;

	return perf_attr_check(&copy, &env);
}

#define CHECK_ATTR(...) check(&(struct perf_event_attr){ __VA_ARGS__ })

KTEST(attr_ranges)
{
	KT_EXPECT_EQ(CHECK_ATTR(.type = 0), 0);
	KT_EXPECT_EQ(CHECK_ATTR(.sample_type = 1u << 25), -EINVAL);
	KT_EXPECT_EQ(CHECK_ATTR(.sample_type = 1ull << 40), -EINVAL);
	KT_EXPECT_EQ(CHECK_ATTR(.read_format = 32), -EINVAL);
	KT_EXPECT_EQ(CHECK_ATTR(.read_format = 31), 0);
	KT_EXPECT_EQ(CHECK_ATTR(.__reserved_1 = 1), -EINVAL);
	KT_EXPECT_EQ(CHECK_ATTR(.__reserved_2 = 1), -EINVAL);
	KT_EXPECT_EQ(CHECK_ATTR(.__reserved_3 = 1), -EINVAL);
}

KTEST(attr_regs_and_stack)
{
	u64 regs = PERF_SAMPLE_REGS_USER, stack = PERF_SAMPLE_STACK_USER;

	KT_EXPECT_EQ(CHECK_ATTR(.sample_type = regs), -EINVAL);
	KT_EXPECT_EQ(CHECK_ATTR(.sample_type = regs, .sample_regs_user = 1), 0);
	KT_EXPECT_EQ(CHECK_ATTR(.sample_type = regs,
				.sample_regs_user = 1ull << 33), -EINVAL);
	KT_EXPECT_EQ(CHECK_ATTR(.sample_regs_user = ~0ull), 0);
	KT_EXPECT_EQ(CHECK_ATTR(.sample_type = stack), 0);
	KT_EXPECT_EQ(CHECK_ATTR(.sample_type = stack,
				.sample_stack_user = 65528), 0);
	KT_EXPECT_EQ(CHECK_ATTR(.sample_type = stack,
				.sample_stack_user = 65535), -EINVAL);
	KT_EXPECT_EQ(CHECK_ATTR(.sample_type = stack,
				.sample_stack_user = 4), -EINVAL);
	KT_EXPECT_EQ(CHECK_ATTR(.sample_type = PERF_SAMPLE_REGS_INTR),
		     -EINVAL);
}

KTEST(attr_combinations)
{
	KT_EXPECT_EQ(CHECK_ATTR(.inherit_thread = 1), -EINVAL);
	KT_EXPECT_EQ(CHECK_ATTR(.inherit_thread = 1, .inherit = 1), 0);
	KT_EXPECT_EQ(CHECK_ATTR(.sigtrap = 1), -EINVAL);
	KT_EXPECT_EQ(CHECK_ATTR(.sigtrap = 1, .remove_on_exec = 1), 0);
	KT_EXPECT_EQ(CHECK_ATTR(.remove_on_exec = 1, .enable_on_exec = 1),
		     -EINVAL);
	KT_EXPECT_EQ(CHECK_ATTR(.sample_type = PERF_SAMPLE_WEIGHT_TYPE),
		     -EINVAL);
}

KTEST(attr_branches)
{
	struct perf_event_attr a = {
		.sample_type = PERF_SAMPLE_BRANCH_STACK,
		.branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
		.exclude_kernel = 1, .exclude_hv = 1,
	};
	struct perf_attr_env user = env;

	user.may_kernel = false;
	KT_EXPECT_EQ(perf_attr_check(&a, &user), 0);
	KT_EXPECT_EQ(a.branch_sample_type,
		     PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER);
	a.branch_sample_type |= PERF_SAMPLE_BRANCH_KERNEL;
	KT_EXPECT_EQ(perf_attr_check(&a, &user), -EACCES);
	a.branch_sample_type = PERF_SAMPLE_BRANCH_USER;
	KT_EXPECT_EQ(perf_attr_check(&a, &env), -EINVAL);
	a.branch_sample_type = PERF_SAMPLE_BRANCH_MAX;
	KT_EXPECT_EQ(perf_attr_check(&a, &env), -EINVAL);
}

KTEST(attr_default_depth)
{
	struct perf_event_attr a = { .sample_max_stack = 0 };

	KT_EXPECT_EQ(perf_attr_check(&a, &env), 0);
	KT_EXPECT_EQ(a.sample_max_stack, 127);
}

/* --- ring -------------------------------------------------------------- */

static u64 user_page[512];
static u64 data[2][512];
static u8 *pages[2] = { (u8 *)data[0], (u8 *)data[1] };

static struct perf_ring_core make_ring(u32 nr, bool overwrite)
{
	struct perf_ring_core r = {
		.size = nr * PERF_RING_PAGE, .watermark = nr * 2048,
		.pages = pages, .user = (void *)user_page,
		.overwrite = overwrite,
	};

	memset(user_page, 0, sizeof(user_page));
	memset(data, 0, sizeof(data));
	return r;
}

static int put_words(struct perf_ring_core *r, u32 words, u64 first, bool back)
{
	struct perf_out out;
	u32 i;
	int err = perf_ring_begin(r, &out, words * 8, back);

	if (err)
		return err;
	for (i = 0; i < words; i++)
		perf_out_u64(&out, first + i);
	return perf_ring_end(&out);
}

KTEST(ring_fills_to_the_last_record_but_one)
{
	struct perf_ring_core r = make_ring(1, false);
	u32 n = 0;

	while (put_words(&r, 4, n, false) >= 0)
		n++;
	/* 127 * 32 = 4064: one byte must stay free. */
	KT_EXPECT_EQ(n, 127);
	KT_EXPECT_EQ(r.user->data_head, 4064);
	KT_EXPECT_EQ(r.lost, 1);
	KT_EXPECT_EQ(r.nest, 0);
	r.user->data_tail = 64;
	KT_EXPECT(put_words(&r, 4, 0x77, false) >= 0);
	KT_EXPECT(put_words(&r, 4, 0x88, false) >= 0);
	KT_EXPECT_EQ(data[0][0], 0x88);
	KT_EXPECT_EQ(data[0][508], 0x77);
}

KTEST(ring_crosses_pages_and_wraps)
{
	struct perf_ring_core r = make_ring(2, true);

	KT_EXPECT(put_words(&r, 500, 1, false) >= 0);
	KT_EXPECT(put_words(&r, 100, 1000, false) >= 0);
	KT_EXPECT_EQ(data[0][511], 1011);
	KT_EXPECT_EQ(data[1][0], 1012);
	KT_EXPECT(put_words(&r, 500, 5000, false) >= 0);
	KT_EXPECT_EQ(data[0][0], 5424);
	KT_EXPECT_EQ(r.user->data_head, 8800);
}

KTEST(ring_backward)
{
	struct perf_ring_core r = make_ring(1, true);

	KT_EXPECT(put_words(&r, 4, 10, true) >= 0);
	KT_EXPECT_EQ(r.user->data_head, (u64)-32);
	KT_EXPECT_EQ(data[0][508], 10);
	KT_EXPECT_EQ(data[0][511], 13);
	KT_EXPECT(put_words(&r, 4, 20, true) >= 0);
	KT_EXPECT_EQ(data[0][504], 20);
}

KTEST(ring_nests)
{
	struct perf_ring_core r = make_ring(1, false);
	struct perf_out outer;

	KT_EXPECT_EQ(perf_ring_begin(&r, &outer, 16, false), 0);
	perf_out_u64(&outer, 1);
	/* An interrupt in the middle writes behind us, publishing nothing. */
	KT_EXPECT(put_words(&r, 2, 100, false) >= 0);
	KT_EXPECT_EQ(r.user->data_head, 0);
	perf_out_u64(&outer, 2);
	perf_ring_end(&outer);
	KT_EXPECT_EQ(r.user->data_head, 32);
	KT_EXPECT_EQ(data[0][1], 2);
	KT_EXPECT_EQ(data[0][2], 100);
}

KTEST(ring_wakes_at_the_watermark)
{
	struct perf_ring_core r = make_ring(1, false);
	u32 i, wakes = 0;

	r.watermark = 1024;
	for (i = 0; i < 100; i++)
		if (put_words(&r, 4, 0, false) == 1) {
			wakes++;
			KT_EXPECT_EQ(r.user->data_head, wakes * 1024 + 32);
		}
	KT_EXPECT_EQ(wakes, 3);
}

KTEST(ring_paused)
{
	struct perf_ring_core r = make_ring(1, false);

	r.paused = true;
	KT_EXPECT_EQ(put_words(&r, 4, 0, false), -ENOSPC);
	KT_EXPECT_EQ(r.lost, 1);
}

KTEST(ring_distrusts_the_tail)
{
	struct perf_ring_core r = make_ring(1, false);
	u64 tails[] = { ~0ull, 1, 0x8000000000000000ull, 4095, 4097 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(tails); i++) {
		r.user->data_tail = tails[i];
		put_words(&r, 8, i, false);
	}
	KT_EXPECT_EQ(r.nest, 0);
}

/* --- layout ------------------------------------------------------------ */

KTEST(layout_size_is_what_is_emitted)
{
	struct perf_ring_core r = make_ring(2, true);
	u64 chain[3] = { 1, 2, 3 };
	u32 bits;

	for (bits = 0; bits < 4096; bits++) {
		u64 type = (u64)(bits * 2654435761u) & (PERF_SAMPLE_MAX - 1) &
			   ~PERF_SAMPLE_READ;
		struct perf_values v = {
			.chain = chain, .chain_nr = bits % 4,
			.raw = chain, .raw_size = bits % 24,
			.user_regs = bits & 1 ? (void *)chain : NULL,
			.user_mask = bits, .intr_mask = bits * 7,
			.intr_regs = (void *)chain,
			.stack_size = bits % 5 * 8, .stack_sp = 64,
		};
		struct perf_layout l;
		struct perf_out out;
		u64 at;
		u32 size;

		perf_layout_sample(&l, type);
		size = perf_layout_size(&l, &v);
		KT_REQUIRE(size % 8 == 0);
		at = r.head;
		if (perf_ring_begin(&r, &out, size, false))
			continue;
		perf_layout_emit(&l, &out, &v);
		KT_REQUIRE((out.page * 4096ull + (4096 - out.left)) % 8192 ==
			   (at + size) % 8192);
		perf_ring_end(&out);
	}
}

KTEST(layout_order)
{
	struct perf_ring_core r = make_ring(1, false);
	struct perf_layout l;
	struct perf_out out;
	struct perf_values v = {
		.id = 11, .stream_id = 12, .ip = 13,
		.pid_tid = 15ull << 32 | 14, .time = 16, .cpu = 17,
		.period = 18,
	};

	perf_layout_sample(&l, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
				       PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD);
	KT_EXPECT_EQ(perf_layout_size(&l, &v), 32);
	perf_ring_begin(&r, &out, 32, false);
	perf_layout_emit(&l, &out, &v);
	perf_ring_end(&out);
	KT_EXPECT_EQ(data[0][0], 11);
	KT_EXPECT_EQ(data[0][1], 13);
	KT_EXPECT_EQ(data[0][2], 15ull << 32 | 14);
	KT_EXPECT_EQ(data[0][3], 18);

	/* The identifier comes last in a trailer; the ip has no place there. */
	perf_layout_trailer(&l, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
					PERF_SAMPLE_TID | PERF_SAMPLE_CPU);
	KT_EXPECT_EQ(l.fixed, 24);
	perf_ring_begin(&r, &out, 24, false);
	perf_layout_emit(&l, &out, &v);
	perf_ring_end(&out);
	KT_EXPECT_EQ(data[0][4], 15ull << 32 | 14);
	KT_EXPECT_EQ(data[0][5], 17);
	KT_EXPECT_EQ(data[0][6], 11);
}

KTEST(layout_raw_without_payload)
{
	struct perf_ring_core r = make_ring(1, false);
	struct perf_values v = { .raw = NULL };
	struct perf_layout l;
	struct perf_out out;

	perf_layout_sample(&l, PERF_SAMPLE_RAW);
	KT_EXPECT_EQ(perf_layout_size(&l, &v), 8);
	perf_ring_begin(&r, &out, 8, false);
	perf_layout_emit(&l, &out, &v);
	perf_ring_end(&out);
	KT_EXPECT_EQ(data[0][0], 4);
}

KTEST(layout_stack_stops_at_the_fault)
{
	struct perf_ring_core r = make_ring(1, false);
	struct perf_values v = { .stack_size = 64, .stack_sp = 4096 };
	struct perf_layout l;
	struct perf_out out;

	user_bytes = 24;
	perf_layout_sample(&l, PERF_SAMPLE_STACK_USER);
	KT_EXPECT_EQ(perf_layout_size(&l, &v), 80);
	perf_ring_begin(&r, &out, 80, false);
	perf_layout_emit(&l, &out, &v);
	perf_ring_end(&out);
	user_bytes = ~(size_t)0;
	KT_EXPECT_EQ(data[0][0], 64);
	KT_EXPECT_EQ(data[0][3], 0x5a5a5a5a5a5a5a5aull);
	KT_EXPECT_EQ(data[0][4], 0);
	KT_EXPECT_EQ(data[0][9], 24);
}

KTEST(read_format_sizes)
{
	KT_EXPECT_EQ(perf_read_format_size(0, 5), 8);
	KT_EXPECT_EQ(perf_read_format_size(PERF_FORMAT_ID, 1), 16);
	KT_EXPECT_EQ(perf_read_format_size(7, 1), 32);
	KT_EXPECT_EQ(perf_read_format_size(PERF_FORMAT_GROUP, 3), 32);
	KT_EXPECT_EQ(perf_read_format_size(31, 2), 24 + 48);
}

/* --- periods ----------------------------------------------------------- */

KTEST(period_arithmetic)
{
	s64 left = 0;

	KT_EXPECT_EQ(perf_period_ideal(1000, 1000000, 1000000), 1000000);
	KT_EXPECT_EQ(perf_period_ideal(1000, 0, 5), 1);
	KT_EXPECT_EQ(perf_period_ideal(1, 1, ~0ull >> 1), ~0ull);
	KT_EXPECT_EQ(perf_period_step(1, 1), 1);
	KT_EXPECT_EQ(perf_period_step(100, 900), 200);
	KT_EXPECT_EQ(perf_period_step(8, 1), 8);
	KT_EXPECT_EQ(perf_period_step(9, 1), 9);
	KT_EXPECT_EQ(perf_period_expire(&left, 10), 1);
	KT_EXPECT_EQ(left, -10);
	left = 25;
	KT_EXPECT_EQ(perf_period_expire(&left, 10), 3);
	KT_EXPECT_EQ(left, -5);
	left = -1;
	KT_EXPECT_EQ(perf_period_expire(&left, 10), 0);
}

KTEST(fold_wraps_at_its_width)
{
	struct perf_counter c = { .prev = 0xfffffff0, .left = 100 };

	KT_EXPECT_EQ(perf_pmu_fold(&c, 0x10, 32), 0x20);
	KT_EXPECT_EQ(c.count, 0x20);
	KT_EXPECT_EQ(c.left, 100 - 0x20);
	c.prev = ~0ull - 4;
	KT_EXPECT_EQ(perf_pmu_fold(&c, 5, 64), 10);
}

KTEST(set_period_keeps_the_remainder)
{
	struct perf_counter c = { .period = 100, .left = 30 };
	bool ended;

	KT_EXPECT_EQ(perf_pmu_set_period(&c, 1000, &ended), 30);
	KT_EXPECT(!ended);
	c.left = -20;
	KT_EXPECT_EQ(perf_pmu_set_period(&c, 1000, &ended), 80);
	KT_EXPECT(ended);
	c.left = -500;
	KT_EXPECT_EQ(perf_pmu_set_period(&c, 1000, &ended), 100);
	c.period = c.left = 5000;
	KT_EXPECT_EQ(perf_pmu_set_period(&c, 1000, &ended), 1000);
	KT_EXPECT(!ended);
}
