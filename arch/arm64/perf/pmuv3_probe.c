/* SPDX-License-Identifier: MIT */
/*
 * Finding the PMUs: one instance per device-tree node, its CPUs and its
 * interrupt.
 *
 * Entry points: pmuv3_probe (boot), pmuv3_irq_online (that CPU, masked).  A
 * node serves the CPUs of its interrupt's partition, else those that
 * interrupt-affinity names, else all.  A PMU whose interrupt is not there
 * counts but cannot sample.
 */
#include "pmuv3.h"

#include <arch/boot.h>
#include <arch/impl/pmuv3_regs.h>
#include <arch/irq.h>
#include <arch/smp.h>
#include <kernel/cpu.h>
#include <kernel/irq.h>
#include <kernel/page.h>
#include <lib/err.h>
#include <lib/fdt.h>

static const struct pmu_name {
	const char *compatible;
	const char *name;
	const struct pmuv3_cache_event *cache;
} pmu_names[] = {
	{ "arm,cortex-a34-pmu", "armv8_cortex_a34", NULL },
	{ "arm,cortex-a35-pmu", "armv8_cortex_a35", pmuv3_cache_a53 },
	{ "arm,cortex-a53-pmu", "armv8_cortex_a53", pmuv3_cache_a53 },
	{ "arm,cortex-a55-pmu", "armv8_cortex_a55", NULL },
	{ "arm,cortex-a57-pmu", "armv8_cortex_a57", pmuv3_cache_a57 },
	{ "arm,cortex-a72-pmu", "armv8_cortex_a72", pmuv3_cache_a57 },
	{ "arm,cortex-a73-pmu", "armv8_cortex_a73", pmuv3_cache_a73 },
	{ "arm,cortex-a75-pmu", "armv8_cortex_a75", NULL },
	{ "arm,cortex-a76-pmu", "armv8_cortex_a76", NULL },
	{ "arm,neoverse-n1-pmu", "armv8_neoverse_n1", NULL },
	{ "arm,armv8-pmuv3", "armv8_pmuv3", NULL },
};

static const struct perf_pmu_string pmuv3_format[] = {
	{ "event", "config:0-15" },
	{ "long", "config1:0" },
	{ "rdpmc", "config1:1" },
	{ NULL, NULL },
};

static const struct perf_pmu_string pmuv3_caps[] = {
	{ "bus_slots", "0x00000000" },
	{ "bus_width", "0x00000000" },
	{ "slots", "0x00000000" },
	{ NULL, NULL },
};

#define PMUV3_CAPS (PERF_PMU_HARDWARE | PERF_PMU_KEEP_DISABLED | \
		    PERF_PMU_EXTENDED_REGS)

static const struct perf_pmu_desc pmuv3_desc = {
	.name = "armv8_pmuv3",
	.type = PERF_PMU_NEXT_TYPE,
	.caps = PMUV3_CAPS,
	.ops = &pmuv3_ops,
	.format = pmuv3_format,
	.events = pmuv3_event_strings,
	.attrs = pmuv3_caps,
	.event_visible = pmuv3_event_visible,
};
PERF_PMU_REGISTER(pmuv3_desc);

/* The same description without sampling. */
static const struct perf_pmu_desc pmuv3_quiet_desc = {
	.name = "armv8_pmuv3",
	.type = PERF_PMU_NEXT_TYPE,
	.caps = PMUV3_CAPS | PERF_PMU_NO_INTERRUPT,
	.ops = &pmuv3_ops,
	.format = pmuv3_format,
	.events = pmuv3_event_strings,
	.attrs = pmuv3_caps,
	.event_visible = pmuv3_event_visible,
};

static void on_overflow(u32 irq, struct pt_regs *regs, void *arg)
{
	pmuv3_interrupt(regs);
}

/* Two PMUs may share one per-CPU interrupt number. */
static int request_irq(u32 irq)
{
	static u32 requested[8], nr;
	u32 i;
	int err;

	for (i = 0; i < nr; i++)
		if (requested[i] == irq)
			return 0;
	if (nr == ARRAY_SIZE(requested))
		return -ENOMEM;
	err = irq_request(irq, on_overflow, NULL, "arm-pmu");
	if (!err)
		requested[nr++] = irq;
	return err;
}

void pmuv3_irq_online(struct perf_pmu *pmu, bool on)
{
	struct pmuv3 *p = pmu->priv;

	if (!p->has_irq)
		return;
	if (on) {
		/* Through masks, if the controller can. */
		arch_irq_set_nmi(p->irq, true);
		arch_irq_unmask(p->irq, p->irq_edge);
	} else {
		arch_irq_mask(p->irq);
	}
}

static u32 be32(const void *p)
{
	return __builtin_bswap32(*(const u32 *)p);
}

/* CPUs that a list of phandles names. */
static u64 cpus_of_list(const struct fdt *fdt, int node, const char *prop)
{
	const u8 *list;
	u64 hwid, mask = 0;
	u32 len, i, cpu;

	list = fdt_prop(fdt, node, prop, &len);
	if (!list)
		return 0;
	for (i = 0; i + 4 <= len; i += 4) {
		int node_cpu = fdt_find_phandle(fdt, be32(list + i));

		if (node_cpu < 0 || fdt_cpu_reg(fdt, node_cpu, &hwid))
			continue;
		for_each_possible_cpu(cpu)
			if (arch_cpu_hwid(cpu) == hwid)
				mask |= 1ull << cpu;
	}
	return mask;
}

static u64 cpus_of(const struct fdt *fdt, int node, const struct fdt_irq *irq)
{
	u64 mask = 0;
	int part;

	if (irq && irq->count > 3 && irq->cells[3]) {
		part = fdt_find_phandle(fdt, irq->cells[3]);
		if (part >= 0)
			mask = cpus_of_list(fdt, part, "affinity");
	}
	if (!mask)
		mask = cpus_of_list(fdt, node, "interrupt-affinity");
	return mask ? mask : ~0ull;
}

static int probe_node(const struct fdt *fdt, int node,
		      const struct pmu_name *kind)
{
	struct pmuv3 *p = kzalloc(sizeof(*p), GFP_KERNEL);
	struct fdt_irq irq;
	bool described;

	if (!p)
		return -ENOMEM;
	p->cache = kind->cache;
	described = !fdt_interrupt(fdt, node, 0, &irq);
	if (described && !arch_irq_from_fdt(&irq, &p->irq, &p->irq_edge) &&
	    arch_irq_is_percpu(p->irq) && !request_irq(p->irq))
		p->has_irq = true;
	if (!perf_pmu_create(p->has_irq ? &pmuv3_desc : &pmuv3_quiet_desc,
			     kind->name,
			     cpus_of(fdt, node, described ? &irq : NULL), p)) {
		kfree(p);
		return -ENOMEM;
	}
	return 0;
}

int pmuv3_probe(const struct perf_pmu_desc *desc)
{
	const struct fdt *fdt = arch_fdt();
	u32 version = pmuv3_version(), i;
	int node, err;

	if (!fdt || version == 0 || version == 0xf)
		return -ENODEV;
	for (i = 0; i < ARRAY_SIZE(pmu_names); i++) {
		const char *compatible = pmu_names[i].compatible;

		node = fdt_find_compatible(fdt, -1, compatible);
		for (; node >= 0;
		     node = fdt_find_compatible(fdt, node, compatible)) {
			err = probe_node(fdt, node, &pmu_names[i]);
			if (err)
				return err;
		}
	}
	return 0;
}
