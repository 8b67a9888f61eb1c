/* SPDX-License-Identifier: MIT */
/*
 * Pseudo files: /sys/bus/event_source/devices/PMU and the knobs under
 * /proc/sys/kernel.
 *
 * Entry point: perf_sysfs_boot, once all PMUs are registered.  What a PMU
 * shows is data in its description; nothing here knows a particular one.
 */
#include "door.h"

#include <kernel/cpu.h>
#include <kernel/page.h>
#include <kernel/pseudo.h>
#include <lib/bitmap.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/printf.h>
#include <lib/string.h>

#define MAX_STACK_LIMIT	   (640 * 1024)
#define MAX_CONTEXTS_LIMIT 1000

/* --- /sys -------------------------------------------------------------- */

static int show_type(struct seq *s, void *private)
{
	const struct perf_pmu *pmu = private;

	seq_printf(s, "%u\n", pmu->type);
	return 0;
}

static int show_mux(struct seq *s, void *private)
{
	const struct perf_pmu *pmu = private;

	seq_printf(s, "%u\n", READ_ONCE(pmu->mux_ms));
	return 0;
}

static ssize_t store_mux(const char *text, size_t len, void *private)
{
	struct perf_pmu *pmu = private;
	int ms, err = parse_int(text, 0, &ms);

	if (err || ms < 1)
		return err ? err : -EINVAL;
	WRITE_ONCE(pmu->mux_ms, (u32)ms);
	return (ssize_t)len;
}

/* Those CPUs of the machine that the PMU serves. */
static int show_cpus(struct seq *s, void *private)
{
	const struct perf_pmu *pmu = private;
	unsigned long map[CPUMASK_WORDS] = { 0 };
	char text[128];
	u32 cpu;

	for_each_possible_cpu(cpu)
		if (perf_pmu_has_cpu(pmu, cpu))
			bitmap_set(map, cpu);
	bitmap_print_list(text, sizeof(text), map, NR_CPUS);
	seq_printf(s, "%s\n", text);
	return 0;
}

static int show_string(struct seq *s, void *private)
{
	const struct perf_pmu_string *string = private;

	seq_printf(s, "%s\n", string->value);
	return 0;
}

static int show_nothing(struct seq *s, void *private)
{
	return 0;
}

static void add_file(struct pseudo_dir *dir, const char *name, u32 mode,
		     int (*show)(struct seq *, void *), void *private)
{
	struct pseudo_file f = {
		.name = name, .mode = mode, .show = show, .private = private,
	};

	if (show == show_mux)
		f.store = store_mux;
	pseudo_create(dir, &f);
}

static void add_strings(struct pseudo_dir *parent, const char *name,
			const struct perf_pmu *pmu,
			const struct perf_pmu_string *table, bool filter)
{
	struct pseudo_dir *dir;
	u32 i;

	if (!table)
		return;
	dir = pseudo_mkdir(parent, name);
	for (i = 0; table[i].name; i++) {
		if (filter && pmu->desc->event_visible &&
		    !pmu->desc->event_visible(pmu, i))
			continue;
		add_file(dir, table[i].name, 0444, show_string,
			 (void *)&table[i]);
	}
}

static void add_pmu(struct pseudo_dir *bus, struct perf_pmu *pmu)
{
	const struct perf_pmu_desc *desc = pmu->desc;
	struct pseudo_dir *dir;
	char path[64];
	char *target;

	snprintf(path, sizeof(path), "devices/%s", pmu->name);
	dir = pseudo_mkpath(sysfs_root, path);
	add_file(dir, "type", 0444, show_type, pmu);
	add_file(dir, "perf_event_mux_interval_ms", 0644, show_mux, pmu);
	add_file(dir, "uevent", 0644, show_nothing, NULL);
	if (pmu->caps & PERF_PMU_HARDWARE)
		add_file(dir, "cpus", 0444, show_cpus, pmu);
	add_strings(dir, "format", pmu, desc->format, false);
	add_strings(dir, "events", pmu, desc->events, true);
	add_strings(dir, "caps", pmu, desc->attrs, false);
	pseudo_symlink(dir, "subsystem", "../../bus/event_source");

	snprintf(path, sizeof(path), "../../../devices/%s", pmu->name);
	target = kstrdup(path, GFP_KERNEL);
	if (target)
		pseudo_symlink(bus, pmu->name, target);
}

/* --- /proc/sys/kernel -------------------------------------------------- */

static ssize_t print_value(char *buf, size_t size, u32 value)
{
	return snprintf(buf, size, "%u", value);
}

static int parse_value(const char *buf, u32 min, u32 max, u32 *out)
{
	s64 v;

	if (parse_s64(buf, 0, &v) || v < min || v > max)
		return -EINVAL;
	*out = (u32)v;
	return 0;
}

static ssize_t rate_handler(struct sysctl *ctl, bool write, char *buf,
			    size_t size)
{
	u32 value;
	int err;

	if (!write)
		return print_value(buf, size, perf_max_rate);
	/* Without a time limit the rate is nobody's business. */
	if (perf_cpu_percent == 0 || perf_cpu_percent == 100)
		return -EINVAL;
	err = parse_value(buf, 1, S32_MAX, &value);
	if (err)
		return err;
	WRITE_ONCE(perf_max_rate, value);
	perf_limits_update();
	return (ssize_t)size;
}

static ssize_t percent_handler(struct sysctl *ctl, bool write, char *buf,
			       size_t size)
{
	u32 value;
	int err;

	if (!write)
		return print_value(buf, size, perf_cpu_percent);
	err = parse_value(buf, 0, 100, &value);
	if (err)
		return err;
	WRITE_ONCE(perf_cpu_percent, value);
	perf_limits_update();
	return (ssize_t)size;
}

static ssize_t stack_handler(struct sysctl *ctl, bool write, char *buf,
			     size_t size)
{
	bool stack = ctl->private == &perf_max_stack;
	u32 value;
	int err;

	if (!write)
		return print_value(buf, size, *(u32 *)ctl->private);
	err = parse_value(buf, 0, stack ? MAX_STACK_LIMIT : MAX_CONTEXTS_LIMIT,
			  &value);
	if (!err)
		err = perf_callchain_set_limit(ctl->private, value);
	return err ? err : (ssize_t)size;
}

static struct sysctl knobs[] = {
	{ .path = "kernel/perf_event_paranoid", .mode = 0644,
	  .value = &perf_paranoid },
	{ .path = "kernel/perf_event_mlock_kb", .mode = 0644,
	  .value = (s32 *)&perf_mlock_kb },
	{ .path = "kernel/perf_event_max_sample_rate", .mode = 0644,
	  .number = true, .handler = rate_handler },
	{ .path = "kernel/perf_cpu_time_max_percent", .mode = 0644,
	  .number = true, .handler = percent_handler },
	{ .path = "kernel/perf_event_max_stack", .mode = 0644,
	  .number = true, .handler = stack_handler,
	  .private = &perf_max_stack },
	{ .path = "kernel/perf_event_max_contexts_per_stack", .mode = 0644,
	  .number = true, .handler = stack_handler,
	  .private = &perf_max_contexts },
	{ .path = "kernel/perf_user_access", .mode = 0644,
	  .value = (s32 *)&perf_user_access, .min = 0, .max = 1 },
};

void perf_sysfs_boot(void)
{
	struct pseudo_dir *bus =
		pseudo_mkpath(sysfs_root, "bus/event_source/devices");
	struct perf_pmu *pmu;
	u32 i;

	list_for_each_entry(pmu, &perf_pmus, link)
		if (pmu->desc->type != PERF_PMU_NO_TYPE)
			add_pmu(bus, pmu);
	for (i = 0; i < ARRAY_SIZE(knobs); i++)
		sysctl_register(&knobs[i]);
}
