/* SPDX-License-Identifier: MIT */
/*
 * Small files of tracefs: whether and how the buffer records.
 *
 * trace_mutex guards the size and the making of the rings.  A size can change
 * only while no event is on, because whoever emits uses them without a lock.
 */
#include "tracefs.h"

#include <kernel/cpu.h>
#include <kernel/init.h>
#include <kernel/lock.h>
#include <kernel/panic.h>
#include <kernel/reclaim.h>
#include <kernel/time.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/printf.h>
#include <lib/string.h>

#define DEFAULT_KB 1408u
#define MIN_PAGES  2u
#define MAX_KB	   (64u << 10)

struct trace_buffer trace_buffer;
static u32 buffer_kb = DEFAULT_KB;	/* [trace_mutex] of each CPU */
static bool expanded;			/* [trace_mutex] the rings are there */

static u32 pages_of(u32 kb)
{
	u32 pages = (u32)((kb * 1024u + TRACE_PAGE_DATA - 1) / TRACE_PAGE_DATA);

	return pages < MIN_PAGES ? MIN_PAGES : pages;
}

int trace_buffer_expand(void)
{
	int err = 0;

	if (!expanded)
		err = trace_buffer_resize(&trace_buffer, pages_of(buffer_kb));
	expanded = !err;
	return err;
}

static int on_show(struct seq *s, void *private)
{
	seq_printf(s, "%u\n", READ_ONCE(trace_buffer.on));
	return 0;
}

static ssize_t on_store(const char *text, size_t len, void *private)
{
	u64 v;

	if (parse_u64(text, 0, &v))
		return -EINVAL;
	WRITE_ONCE(trace_buffer.on, v != 0);
	return (ssize_t)len;
}

static int size_show(struct seq *s, void *private)
{
	u32 cpu, nr = 1;

	if (private) {
		nr = 0;
		for_each_possible_cpu(cpu)
			nr++;
	}
	mutex_lock(&trace_mutex);
	if (expanded)
		seq_printf(s, "%u\n", buffer_kb * nr);
	else
		seq_printf(s, "%u (expanded: %u)\n", 7 * nr, buffer_kb * nr);
	mutex_unlock(&trace_mutex);
	return 0;
}

/* [trace_mutex] Every event is switched off while the rings are made anew. */
static int resize(u32 kb)
{
	struct trace_event *ev;
	int err;

	trace_for_each_event(ev)
		if (ev->file && ev->file->on)
			return -EBUSY;
	reclaim_sync();
	buffer_kb = kb;
	err = trace_buffer_resize(&trace_buffer, pages_of(kb));
	expanded = !err;
	return err;
}

static ssize_t size_store(const char *text, size_t len, void *private)
{
	int err;
	u64 kb;

	if (parse_u64(text, 0, &kb) || !kb)
		return -EINVAL;
	if (kb > MAX_KB)
		return -ENOMEM;
	mutex_lock(&trace_mutex);
	err = kb == buffer_kb && expanded ? 0 : resize((u32)kb);
	mutex_unlock(&trace_mutex);
	return err ? err : (ssize_t)len;
}

static int text_show(struct seq *s, void *private)
{
	seq_puts(s, private);
	return 0;
}

static bool is_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	while (isspace(*text))
		text++;
	if (strncmp(text, word, len))
		return false;
	for (text += len; isspace(*text); text++)
		;
	return !*text;
}

/* One value only, which may be set again. */
static ssize_t tracer_store(const char *text, size_t len, void *private)
{
	return is_word(text, "nop") ? (ssize_t)len : -EINVAL;
}

/* All of these are the same clock here. */
static const char *const clocks[] = { "local", "global", "perf", "mono",
				      "mono_raw", "boot" };
static u32 clock_now;			/* [a] */

static int clock_show(struct seq *s, void *private)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++)
		seq_printf(s, "%s%s%s%s", i ? " " : "",
			   i == clock_now ? "[" : "", clocks[i],
			   i == clock_now ? "]" : "");
	seq_putc(s, '\n');
	return 0;
}

static ssize_t clock_store(const char *text, size_t len, void *private)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++)
		if (is_word(text, clocks[i])) {
			WRITE_ONCE(clock_now, i);
			return (ssize_t)len;
		}
	return -EINVAL;
}

/* The one option that means something; the others are as they are. */
static int options_show(struct seq *s, void *private)
{
	seq_printf(s, "record-cmd\nnorecord-tgid\n%soverwrite\nirq-info\n"
		      "markers\nnoevent-fork\n",
		   READ_ONCE(trace_buffer.overwrite) ? "" : "no");
	return 0;
}

static ssize_t options_store(const char *text, size_t len, void *private)
{
	if (is_word(text, "overwrite"))
		WRITE_ONCE(trace_buffer.overwrite, 1);
	else if (is_word(text, "nooverwrite"))
		WRITE_ONCE(trace_buffer.overwrite, 0);
	else if (!is_word(text, "record-cmd") && !is_word(text, "irq-info") &&
		 !is_word(text, "norecord-tgid") && !is_word(text, "markers") &&
		 !is_word(text, "noevent-fork"))
		return -EINVAL;
	return (ssize_t)len;
}

static int overwrite_show(struct seq *s, void *private)
{
	seq_printf(s, "%u\n", READ_ONCE(trace_buffer.overwrite));
	return 0;
}

static ssize_t overwrite_store(const char *text, size_t len, void *private)
{
	u64 v;

	if (parse_u64(text, 0, &v) || v > 1)
		return -EINVAL;
	WRITE_ONCE(trace_buffer.overwrite, (u32)v);
	return (ssize_t)len;
}

static int stats_show(struct seq *s, void *private)
{
	const struct trace_ring *r = private;
	u64 now = time_mono_ns();

	seq_printf(s, "entries: %llu\noverrun: %llu\ncommit overrun: 0\n"
		      "bytes: %llu\n",
		   (unsigned long long)READ_ONCE(r->entries),
		   (unsigned long long)READ_ONCE(r->overrun),
		   (unsigned long long)READ_ONCE(r->bytes));
	seq_printf(s, "now ts: %5llu.%06llu\ndropped events: %llu\n"
		      "read events: %llu\n",
		   (unsigned long long)(now / NSEC_PER_SEC),
		   (unsigned long long)(now % NSEC_PER_SEC / 1000),
		   (unsigned long long)READ_ONCE(r->dropped),
		   (unsigned long long)READ_ONCE(r->read));
	return 0;
}

static const struct pseudo_file top_files[] = {
	{ .name = "tracing_on", .mode = 0640, .show = on_show,
	  .store = on_store },
	{ .name = "buffer_size_kb", .mode = 0640, .show = size_show,
	  .store = size_store },
	{ .name = "buffer_total_size_kb", .mode = 0440, .show = size_show,
	  .private = &trace_buffer },
	{ .name = "available_tracers", .mode = 0440, .show = text_show,
	  .private = "nop\n" },
	{ .name = "current_tracer", .mode = 0640, .show = text_show,
	  .store = tracer_store, .private = "nop\n" },
	{ .name = "timestamp_mode", .mode = 0440, .show = text_show,
	  .private = "[delta] absolute\n" },
	{ .name = "trace_clock", .mode = 0640, .show = clock_show,
	  .store = clock_store },
	{ .name = "trace_options", .mode = 0640, .show = options_show,
	  .store = options_store },
	{ .name = "saved_cmdlines", .mode = 0440, .show = trace_cmdlines_show },
	{ .name = "error_log", .mode = 0640, .fops = &trace_error_log_fops,
	  .truncate = trace_errors_clear },
};

void trace_settings_boot(void)
{
	const struct pseudo_file overwrite = {
		.name = "overwrite", .mode = 0644, .show = overwrite_show,
		.store = overwrite_store,
	};
	struct pseudo_dir *dir;
	char name[32];
	u32 i, cpu;

	trace_buffer_init(&trace_buffer);
	for (i = 0; i < ARRAY_SIZE(top_files); i++)
		CHECK(!pseudo_create(tracefs_root, &top_files[i]));
	dir = pseudo_mkdir(tracefs_root, "options");
	CHECK(!IS_ERR(dir) && !pseudo_create(dir, &overwrite));
	for_each_possible_cpu(cpu) {
		const struct pseudo_file files[] = {
			{ .name = "stats", .mode = 0440, .show = stats_show,
			  .private = &trace_buffer.rings[cpu] },
			{ .name = "buffer_size_kb", .mode = 0640,
			  .show = size_show },
		};

		snprintf(name, sizeof(name), "per_cpu/cpu%u", cpu);
		dir = pseudo_mkpath(tracefs_root, name);
		CHECK(!IS_ERR(dir));
		for (i = 0; i < ARRAY_SIZE(files); i++)
			CHECK(!pseudo_create(dir, &files[i]));
	}
}
