/* SPDX-License-Identifier: MIT */
/*
 * Between the two halves of the PMUv3 backend: counters and event tables.
 */
#ifndef SONDE_ARM64_PMUV3_H
#define SONDE_ARM64_PMUV3_H

#include <kernel/perf_pmu.h>

#define PMUV3_EVENT_CYCLES 0x11
#define PMUV3_EVENT_CHAIN  0x1e

struct perf_counter;
struct pt_regs;

/* A cache event of one model; a list ends with event 0. */
struct pmuv3_cache_event {
	u8 id, op, result;	/* PERF_COUNT_HW_CACHE_* */
	u8 event;
};

/* perf_pmu.priv of one instance.  [I] but probed (own CPU of the PMU). */
struct pmuv3 {
	u64 pmceid;		/* common events 0..31, 0x20..0x3f */
	u32 counters;		/* event counters, the cycle counter apart */
	bool long_counters;	/* 64 bits each (PMUv3p5) */
	bool probed;		/* the three above are known */
	bool has_irq;
	bool irq_edge;
	u32 irq;		/* per-CPU interrupt, the same on each */
	/* [I] beside the common ones, or NULL */
	const struct pmuv3_cache_event *cache;
};

/* The event number that attr asks for; -ENOENT, -EINVAL. */
int pmuv3_map_event(const struct pmuv3 *pmu, const struct perf_counter *c);

/* pmuv3.c */
extern const struct perf_pmu_ops pmuv3_ops;
void pmuv3_interrupt(struct pt_regs *regs);

/* pmuv3_probe.c */
int pmuv3_probe(const struct perf_pmu_desc *desc);
void pmuv3_irq_online(struct perf_pmu *pmu, bool on);

/* pmuv3_events.c */
extern const struct pmuv3_cache_event pmuv3_cache_a53[], pmuv3_cache_a57[],
	pmuv3_cache_a73[];
extern const struct perf_pmu_string pmuv3_event_strings[];
bool pmuv3_event_visible(const struct perf_pmu *pmu, u32 i);

#endif /* SONDE_ARM64_PMUV3_H */
