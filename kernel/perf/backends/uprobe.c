// SPDX-License-Identifier: MIT
/*
 * Probes in programs as events: an instruction of a file executes, or a
 * function of it returns.
 *
 * config1 points to the file's path, config2 is the byte offset, the upper
 * half of config the offset of a counter that is raised while the event
 * exists.
 */
#include <kernel/cred.h>
#include <kernel/fs.h>
#include <kernel/page.h>
#include <kernel/perf_pmu.h>
#include <kernel/perf_trace.h>
#include <kernel/probe_event.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <linux/capability.h>

#define TYPE	 7	/* as on Linux, where it is the next free one */
#define RETURNS	      1u	/* config */
#define REF_CTR_SHIFT 32

static struct trace_event *make(const struct perf_event_attr *attr)
{
	struct trace_event *ev = ERR_PTR(-EINVAL);
	char *path;

	if (!attr->config1)
		return ev;
	path = strdup_from_user(user_ptr(attr->config1), PATH_MAX_LEN, -E2BIG);
	if (IS_ERR(path))
		return ERR_CAST(path);
	if (path[0])
		ev = uprobe_event_local(path, attr->config2,
					attr->config >> REF_CTR_SHIFT,
					attr->config & RETURNS);
	kfree(path);
	return ev;
}

static int uprobe_event_init(struct perf_counter *c)
{
	if (c->attr->type != c->pmu->type)
		return -ENOENT;
	if (!perf_pmu_parent(c) && !capable(CAP_SYS_ADMIN))
		return -EACCES;
	return perf_trace_probe_init(c, make);
}

static const struct perf_pmu_ops uprobe_ops = {
	.event_init = uprobe_event_init,
	.event_destroy = perf_trace_probe_destroy,
	.add = perf_trace_add,
	.del = perf_trace_del,
	.start = perf_trace_start,
	.stop = perf_trace_stop,
	.set_filter = perf_trace_set_filter,
};

static const struct perf_pmu_string uprobe_format[] = {
	{ "retprobe", "config:0" },
	{ "ref_ctr_offset", "config:32-63" },
	{ NULL, NULL },
};

static const struct perf_pmu_desc uprobe_desc = {
	.name = "uprobe",
	.type = TYPE,
	.caps = PERF_PMU_SOFTWARE | PERF_PMU_TRACING,
	.ops = &uprobe_ops,
	.format = uprobe_format,
};
PERF_PMU_REGISTER(uprobe_desc);
