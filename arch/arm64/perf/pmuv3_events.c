/* SPDX-License-Identifier: MIT */
/*
 * Event numbers of the ARMv8 PMU: generic and cache maps, names in sysfs.
 *
 * Entry points: pmuv3_map_event, pmuv3_event_visible.  Const tables and the
 * filter by PMCEID: a common event that the CPU does not announce is not
 * offered under its generic name, but a raw number is taken as it comes.
 */
#include "pmuv3.h"

#include <lib/err.h>

#define COMMON_EVENTS 0x40
#define NONE	      (-1)

static const s16 hw_map[PERF_COUNT_HW_MAX] = {
	[PERF_COUNT_HW_CPU_CYCLES] = 0x11,
	[PERF_COUNT_HW_INSTRUCTIONS] = 0x08,
	[PERF_COUNT_HW_CACHE_REFERENCES] = 0x04,
	[PERF_COUNT_HW_CACHE_MISSES] = 0x03,
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = 0x0c,
	[PERF_COUNT_HW_BRANCH_MISSES] = 0x10,
	[PERF_COUNT_HW_BUS_CYCLES] = 0x1d,
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = 0x23,
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = 0x24,
	[PERF_COUNT_HW_REF_CPU_CYCLES] = NONE,
};

/* Only reads have common events: {access, miss}. */
static const u8 cache_map[PERF_COUNT_HW_CACHE_MAX][2] = {
	[PERF_COUNT_HW_CACHE_L1D] = { 0x04, 0x03 },
	[PERF_COUNT_HW_CACHE_L1I] = { 0x14, 0x01 },
	[PERF_COUNT_HW_CACHE_LL] = { 0x36, 0x37 },
	[PERF_COUNT_HW_CACHE_DTLB] = { 0x25, 0x05 },
	[PERF_COUNT_HW_CACHE_ITLB] = { 0x26, 0x02 },
	[PERF_COUNT_HW_CACHE_BPU] = { 0x12, 0x10 },
};

/*
 * What a model has beside the common events: numbers of its own, which PMCEID
 * does not cover (technical reference manuals, "Events").
 */
#define CACHE(id, op, result, event)                              \
	{ PERF_COUNT_HW_CACHE_##id, PERF_COUNT_HW_CACHE_OP_##op,  \
	  PERF_COUNT_HW_CACHE_RESULT_##result, event }
#define CACHE_END { 0, 0, 0, 0 }

const struct pmuv3_cache_event pmuv3_cache_a53[] = {
	CACHE(L1D, PREFETCH, MISS, 0xc2),
	CACHE(NODE, READ, ACCESS, 0x60),
	CACHE(NODE, WRITE, ACCESS, 0x61),
	CACHE_END,
};

const struct pmuv3_cache_event pmuv3_cache_a57[] = {
	CACHE(L1D, READ, ACCESS, 0x40),
	CACHE(L1D, READ, MISS, 0x42),
	CACHE(L1D, WRITE, ACCESS, 0x41),
	CACHE(L1D, WRITE, MISS, 0x43),
	CACHE(DTLB, READ, MISS, 0x4c),
	CACHE(DTLB, WRITE, MISS, 0x4d),
	CACHE(NODE, READ, ACCESS, 0x60),
	CACHE(NODE, WRITE, ACCESS, 0x61),
	CACHE_END,
};

const struct pmuv3_cache_event pmuv3_cache_a73[] = {
	CACHE(L1D, READ, ACCESS, 0x40),
	CACHE(L1D, WRITE, ACCESS, 0x41),
	CACHE_END,
};

static int map_own_cache(const struct pmuv3_cache_event *e, u64 config)
{
	for (; e && e->event; e++)
		if ((config & 0xffffff) ==
		    (e->id | (u32)e->op << 8 | (u32)e->result << 16))
			return e->event;
	return -ENOENT;
}

static int map_cache(u64 config)
{
	u32 id = config & 0xff, op = config >> 8 & 0xff;
	u32 result = config >> 16 & 0xff;
	u8 event;

	if (id >= PERF_COUNT_HW_CACHE_MAX ||
	    op >= PERF_COUNT_HW_CACHE_OP_MAX ||
	    result >= PERF_COUNT_HW_CACHE_RESULT_MAX)
		return -EINVAL;
	event = op == PERF_COUNT_HW_CACHE_OP_READ ? cache_map[id][result] : 0;
	return event ? event : -ENOENT;
}

static int map_hw(u64 config)
{
	if (config >= PERF_COUNT_HW_MAX)
		return -EINVAL;
	return hw_map[config] == NONE ? -ENOENT : hw_map[config];
}

static bool announced(const struct pmuv3 *pmu, u32 event)
{
	return event < COMMON_EVENTS && (pmu->pmceid >> event & 1);
}

int pmuv3_map_event(const struct pmuv3 *pmu, const struct perf_counter *c)
{
	const struct perf_event_attr *attr = c->attr;
	int event;

	if (attr->type == c->pmu->type || attr->type == PERF_TYPE_RAW)
		return (int)(attr->config & 0xffff);
	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		event = map_hw(attr->config);
		break;
	case PERF_TYPE_HW_CACHE:
		event = map_cache(attr->config);
		break;
	default:
		return -ENOENT;
	}
	if (event == -EINVAL || (event >= 0 && announced(pmu, (u32)event)))
		return event;
	return attr->type == PERF_TYPE_HW_CACHE ?
		       map_own_cache(pmu->cache, attr->config) :
		       -ENOENT;
}

/* In the order of the numbers: event_visible relies on the values below. */
#define EVENT(name_, number) { name_, "event=" #number }
const struct perf_pmu_string pmuv3_event_strings[] = {
	EVENT("sw_incr", 0x0000),
	EVENT("l1i_cache_refill", 0x0001),
	EVENT("l1i_tlb_refill", 0x0002),
	EVENT("l1d_cache_refill", 0x0003),
	EVENT("l1d_cache", 0x0004),
	EVENT("l1d_tlb_refill", 0x0005),
	EVENT("ld_retired", 0x0006),
	EVENT("st_retired", 0x0007),
	EVENT("inst_retired", 0x0008),
	EVENT("exc_taken", 0x0009),
	EVENT("exc_return", 0x000a),
	EVENT("cid_write_retired", 0x000b),
	EVENT("pc_write_retired", 0x000c),
	EVENT("br_immed_retired", 0x000d),
	EVENT("br_return_retired", 0x000e),
	EVENT("unaligned_ldst_retired", 0x000f),
	EVENT("br_mis_pred", 0x0010),
	EVENT("cpu_cycles", 0x0011),
	EVENT("br_pred", 0x0012),
	EVENT("mem_access", 0x0013),
	EVENT("l1i_cache", 0x0014),
	EVENT("l1d_cache_wb", 0x0015),
	EVENT("l2d_cache", 0x0016),
	EVENT("l2d_cache_refill", 0x0017),
	EVENT("l2d_cache_wb", 0x0018),
	EVENT("bus_access", 0x0019),
	EVENT("memory_error", 0x001a),
	EVENT("inst_spec", 0x001b),
	EVENT("ttbr_write_retired", 0x001c),
	EVENT("bus_cycles", 0x001d),
	EVENT("chain", 0x001e),
	EVENT("l1d_cache_allocate", 0x001f),
	EVENT("l2d_cache_allocate", 0x0020),
	EVENT("br_retired", 0x0021),
	EVENT("br_mis_pred_retired", 0x0022),
	EVENT("stall_frontend", 0x0023),
	EVENT("stall_backend", 0x0024),
	EVENT("l1d_tlb", 0x0025),
	EVENT("l1i_tlb", 0x0026),
	EVENT("l2i_cache", 0x0027),
	EVENT("l2i_cache_refill", 0x0028),
	EVENT("l3d_cache_allocate", 0x0029),
	EVENT("l3d_cache_refill", 0x002a),
	EVENT("l3d_cache", 0x002b),
	EVENT("l3d_cache_wb", 0x002c),
	EVENT("l2d_tlb_refill", 0x002d),
	EVENT("l2i_tlb_refill", 0x002e),
	EVENT("l2d_tlb", 0x002f),
	EVENT("l2i_tlb", 0x0030),
	EVENT("remote_access", 0x0031),
	EVENT("ll_cache", 0x0032),
	EVENT("ll_cache_miss", 0x0033),
	EVENT("dtlb_walk", 0x0034),
	EVENT("itlb_walk", 0x0035),
	EVENT("ll_cache_rd", 0x0036),
	EVENT("ll_cache_miss_rd", 0x0037),
	EVENT("remote_access_rd", 0x0038),
	EVENT("l1d_cache_lmiss_rd", 0x0039),
	EVENT("op_retired", 0x003a),
	EVENT("op_spec", 0x003b),
	EVENT("stall", 0x003c),
	EVENT("stall_slot_backend", 0x003d),
	EVENT("stall_slot_frontend", 0x003e),
	EVENT("stall_slot", 0x003f),
	{ NULL, NULL },
};
BUILD_ASSERT(ARRAY_SIZE(pmuv3_event_strings) == COMMON_EVENTS + 1);

bool pmuv3_event_visible(const struct perf_pmu *pmu, u32 i)
{
	/* chain only makes sense as the upper half of another event; sw_incr
	 * counts writes that only a program that counts them would make.
	 */
	return i && i != PMUV3_EVENT_CHAIN && announced(pmu->priv, i);
}
