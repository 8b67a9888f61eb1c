// SPDX-License-Identifier: MIT
/*
 * Kernel probes as events: an instruction executes, or a function returns.
 *
 * config1 points to a symbol's name and config2 is an offset, or config1 is 0
 * and config2 an address.  Each event has a probe of its own; counting is what
 * the tracing backends share.
 */
#include <kernel/cred.h>
#include <kernel/page.h>
#include <kernel/perf_pmu.h>
#include <kernel/perf_trace.h>
#include <kernel/probe_event.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <linux/capability.h>

#define NAME_MAX 512
#define TYPE	 6	/* as on Linux, where it is the next free one */
#define RETURNS	 1u	/* config */

/* NULL: no name.  ERR_PTR(-EFAULT, -E2BIG, -ENOMEM). */
static char *take_name(u64 where)
{
	char *name;
	long len;

	if (!where)
		return NULL;
	name = kzalloc(NAME_MAX, GFP_KERNEL);
	if (!name)
		return ERR_PTR(-ENOMEM);
	len = strncpy_from_user(name, user_ptr(where), NAME_MAX);
	if (len > 0 && len < NAME_MAX)
		return name;
	kfree(name);
	return len ? ERR_PTR(len < 0 ? len : -E2BIG) : NULL;
}

static struct trace_event *make(const struct perf_event_attr *attr)
{
	struct trace_event *ev = ERR_PTR(-EINVAL);
	char *name = take_name(attr->config1);

	if (IS_ERR(name))
		return ERR_CAST(name);
	/* Offsets are of 32 bits, addresses of 64. */
	if (name || attr->config2)
		ev = kprobe_event_local(name, name ? (u32)attr->config2 :
						     attr->config2,
					attr->config & RETURNS);
	kfree(name);
	return ev;
}

static int kprobe_event_init(struct perf_counter *c)
{
	if (c->attr->type != c->pmu->type)
		return -ENOENT;
	if (!perf_pmu_parent(c) && !capable(CAP_PERFMON) &&
	    !capable(CAP_SYS_ADMIN))
		return -EACCES;
	return perf_trace_probe_init(c, make);
}

static const struct perf_pmu_ops kprobe_ops = {
	.event_init = kprobe_event_init,
	.event_destroy = perf_trace_probe_destroy,
	.add = perf_trace_add,
	.del = perf_trace_del,
	.start = perf_trace_start,
	.stop = perf_trace_stop,
	.set_filter = perf_trace_set_filter,
};

static const struct perf_pmu_string kprobe_format[] = {
	{ "retprobe", "config:0" },
	{ NULL, NULL },
};

static const struct perf_pmu_desc kprobe_desc = {
	.name = "kprobe",
	.type = TYPE,
	.caps = PERF_PMU_SOFTWARE | PERF_PMU_TRACING,
	.ops = &kprobe_ops,
	.format = kprobe_format,
};
PERF_PMU_REGISTER(kprobe_desc);
