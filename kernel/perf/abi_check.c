/* SPDX-License-Identifier: MIT */
/*
 * Every size and offset of the ABI, asserted at compile time.  No code.
 */
#include <lib/compiler.h>
#include <lib/types.h>
#include <linux/perf_event.h>

#define SIZE(type, n)	BUILD_ASSERT(sizeof(type) == (n))
#define AT(type, m, n)	BUILD_ASSERT(OFFSET_OF(type, m) == (n))
#define ATTR(m, n)	AT(struct perf_event_attr, m, n)
#define PAGE(m, n)	AT(struct perf_event_mmap_page, m, n)

SIZE(struct perf_event_attr, PERF_ATTR_SIZE_VER7);
ATTR(type, 0);
ATTR(size, 4);
ATTR(config, 8);
ATTR(sample_period, 16);
ATTR(sample_type, 24);
ATTR(read_format, 32);
ATTR(wakeup_events, 48);
ATTR(bp_type, 52);
ATTR(config1, 56);
ATTR(config2, PERF_ATTR_SIZE_VER0);
ATTR(branch_sample_type, PERF_ATTR_SIZE_VER1);
ATTR(sample_regs_user, PERF_ATTR_SIZE_VER2);
ATTR(sample_stack_user, 88);
ATTR(clockid, 92);
ATTR(sample_regs_intr, PERF_ATTR_SIZE_VER3);
ATTR(aux_watermark, PERF_ATTR_SIZE_VER4);
ATTR(sample_max_stack, 108);
ATTR(aux_sample_size, PERF_ATTR_SIZE_VER5);
ATTR(sig_data, PERF_ATTR_SIZE_VER6);

SIZE(struct perf_event_mmap_page, 1088);
PAGE(lock, 8);
PAGE(index, 12);
PAGE(offset, 16);
PAGE(time_enabled, 24);
PAGE(time_running, 32);
PAGE(capabilities, 40);
PAGE(pmc_width, 48);
PAGE(time_shift, 50);
PAGE(time_mult, 52);
PAGE(time_offset, 56);
PAGE(time_zero, 64);
PAGE(size, 72);
PAGE(time_cycles, 80);
PAGE(time_mask, 88);
PAGE(__reserved, 96);
PAGE(data_head, 1024);
PAGE(data_tail, 1032);
PAGE(data_offset, 1040);
PAGE(data_size, 1048);
PAGE(aux_head, 1056);
PAGE(aux_size, 1080);

SIZE(struct perf_event_header, 8);
SIZE(struct perf_branch_entry, 24);
SIZE(union perf_mem_data_src, 8);
SIZE(union perf_sample_weight, 8);
SIZE(struct perf_event_query_bpf, 8);

BUILD_ASSERT(PERF_EVENT_IOC_ENABLE == 0x2400);
BUILD_ASSERT(PERF_EVENT_IOC_PERIOD == 0x40082404);
BUILD_ASSERT(PERF_EVENT_IOC_SET_OUTPUT == 0x2405);
BUILD_ASSERT(PERF_EVENT_IOC_SET_FILTER == 0x40082406);
BUILD_ASSERT(PERF_EVENT_IOC_ID == 0x80082407);
BUILD_ASSERT(PERF_EVENT_IOC_SET_BPF == 0x40042408);
BUILD_ASSERT(PERF_EVENT_IOC_PAUSE_OUTPUT == 0x40042409);
BUILD_ASSERT(PERF_EVENT_IOC_QUERY_BPF == 0xc008240a);
BUILD_ASSERT(PERF_EVENT_IOC_MODIFY_ATTRIBUTES == 0x4008240b);
