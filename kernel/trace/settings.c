/* SPDX-License-Identifier: MIT */
/*
 * Small files of an instance: whether, when and how its buffer records.
 *
 * trace_mutex guards the sizes and the making of the rings.
 */
#include "tracefs.h"

#include <kernel/cpu.h>
#include <kernel/fs_pseudo.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/time.h>
#include <kernel/uio.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/parse.h>
#include <lib/printf.h>
#include <lib/string.h>

#define DEFAULT_KB 1408u
#define MIN_PAGES  2u
#define MAX_KB	   (1u << 20)

/* --- sizes --------------------------------------------------------------- */

static u32 pages_of(u64 kb)
{
	u32 pages = (u32)((kb * 1024u + TRACE_PAGE_DATA - 1) / TRACE_PAGE_DATA);

	return max(pages, MIN_PAGES);
}

static u64 kb_of(u64 pages)
{
	return pages * TRACE_PAGE_DATA / 1024;
}

/* [trace_mutex] One ring, or all of them.  0 or -ENOMEM. */
static int resize(struct trace_instance *in, s32 only, u32 pages)
{
	struct page_stats stats;
	u32 cpu;
	int err = 0;

	/* Nobody is killed for a buffer. */
	page_stats(&stats);
	if ((u64)pages * (only == TRACE_ALL_CPUS ? nr_cpu_ids : 1) > stats.free)
		return -ENOMEM;

	for_each_possible_cpu(cpu) {
		if (only != TRACE_ALL_CPUS && cpu != (u32)only)
			continue;
		if (!err && in->pages[cpu] != pages)
			err = trace_buffer_resize(&in->buffer, cpu, pages);
		if (!err)
			in->pages[cpu] = pages;
	}
	return err;
}

int trace_instance_expand(struct trace_instance *in)
{
	int err = in->expanded ? 0 : resize(in, TRACE_ALL_CPUS,
					    pages_of(DEFAULT_KB));

	in->expanded |= !err;
	return err;
}

/* Of a file at the top or below per_cpu.  [trace_mutex] */
static s32 cpu_of(const struct trace_instance *in, const void *private)
{
	return private == in ? TRACE_ALL_CPUS :
			       (s32)((const struct trace_ring *)private -
				     in->buffer.rings);
}

static int size_show(struct seq *s, void *private)
{
	struct trace_instance *in;
	u32 cpu, pages = 0;
	bool same = true;
	s32 only;

	mutex_lock(&trace_mutex);
	in = trace_instance_of(private);
	only = cpu_of(in, private);
	for_each_possible_cpu(cpu) {
		if (only != TRACE_ALL_CPUS && cpu != (u32)only)
			continue;
		same = same && (!pages || pages == in->pages[cpu]);
		pages = in->pages[cpu];
	}
	if (!in->expanded)
		seq_printf(s, "%llu (expanded: %u)\n",
			   (unsigned long long)kb_of(MIN_PAGES), DEFAULT_KB);
	else if (!same)
		seq_puts(s, "X\n");
	else
		seq_printf(s, "%llu\n", (unsigned long long)kb_of(pages));
	mutex_unlock(&trace_mutex);
	return 0;
}

static int total_show(struct seq *s, void *private)
{
	struct trace_instance *in = private;
	u64 kb = 0, nr = 0;
	u32 cpu;

	mutex_lock(&trace_mutex);
	for_each_possible_cpu(cpu) {
		kb += kb_of(in->pages[cpu]);
		nr++;
	}
	if (in->expanded)
		seq_printf(s, "%llu\n", (unsigned long long)kb);
	else
		seq_printf(s, "%llu (expanded: %llu)\n",
			   (unsigned long long)(kb_of(MIN_PAGES) * nr),
			   (unsigned long long)(DEFAULT_KB * nr));
	mutex_unlock(&trace_mutex);
	return 0;
}

static ssize_t size_store(const char *text, size_t len, void *private)
{
	struct trace_instance *in;
	u64 kb;
	int err = parse_u64(text, 10, &kb);

	if (err)
		return err;
	if (!kb)
		return -EINVAL;
	if (kb > MAX_KB)
		return -ENOMEM;
	mutex_lock(&trace_mutex);
	in = trace_instance_of(private);
	/* The other rings get what they would have had. */
	err = cpu_of(in, private) == TRACE_ALL_CPUS ?
		      0 : trace_instance_expand(in);
	if (!err)
		err = resize(in, cpu_of(in, private), pages_of(kb));
	in->expanded |= !err;
	mutex_unlock(&trace_mutex);
	return err ? err : (ssize_t)len;
}

/* free_buffer: closing it gives the memory back. */
static int free_open(struct inode *inode, struct file *file)
{
	file->private = pseudo_private(inode);
	return trace_instance_hold(file->private);
}

static ssize_t free_write(struct file *file, struct uio *from, u64 *pos)
{
	return (ssize_t)from->left;
}

static void free_release(struct file *file)
{
	struct trace_instance *in = file->private;

	mutex_lock(&trace_mutex);
	if (trace_option_on(in, TRACE_OPT_DISABLE_ON_FREE))
		WRITE_ONCE(in->buffer.on, 0);
	resize(in, TRACE_ALL_CPUS, MIN_PAGES);
	in->expanded = true;
	mutex_unlock(&trace_mutex);
	trace_instance_drop(in);
}

/* --- on and off ---------------------------------------------------------- */

static int on_show(struct seq *s, void *private)
{
	struct trace_instance *in = private;

	seq_printf(s, "%u\n", READ_ONCE(in->buffer.on));
	return 0;
}

static ssize_t on_store(const char *text, size_t len, void *private)
{
	struct trace_instance *in = private;
	u64 v;
	int err = parse_u64(text, 10, &v);

	if (err)
		return err;
	WRITE_ONCE(in->buffer.on, v != 0);
	if (!v)
		trace_buffer_wake(&in->buffer);
	return (ssize_t)len;
}

/* --- tracing_cpumask ----------------------------------------------------- */

static int cpumask_show(struct seq *s, void *private)
{
	struct trace_instance *in = private;

	seq_printf(s, "%0*lx\n", (int)(nr_cpu_ids + 3) / 4,
		   in->buffer.cpus.bits[0]);
	return 0;
}

_Static_assert(CPUMASK_WORDS == 1, "a mask is one number");

/* Hexadecimal, without sign and prefix; more than the CPUs: -EOVERFLOW. */
static int parse_mask(const char *text, unsigned long *out)
{
	unsigned long v = 0;
	u32 digit;

	while (isspace(*text))
		text++;
	for (; *text && !isspace(*text); text++) {
		if (!isxdigit(*text))
			return -EINVAL;
		digit = isdigit(*text) ? (u32)*text - '0' :
					 (u32)(*text | 0x20) - 'a' + 10;
		v = v << 4 | digit;
		if (v >> nr_cpu_ids)
			return -EOVERFLOW;
	}
	*out = v;
	return 0;
}

static ssize_t cpumask_store(const char *text, size_t len, void *private)
{
	struct trace_instance *in = private;
	unsigned long mask;
	int err = len ? parse_mask(text, &mask) : -EINVAL;

	if (err)
		return err;
	WRITE_ONCE(in->buffer.cpus.bits[0], mask);
	return (ssize_t)len;
}

/* --- words --------------------------------------------------------------- */

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

static int stamps_show(struct seq *s, void *private)
{
	seq_puts(s, "[delta] absolute\n");
	return 0;
}

static const char *const clocks[TRACE_CLOCK_COUNT] = {
	[TRACE_CLOCK_LOCAL] = "local",	     [TRACE_CLOCK_GLOBAL] = "global",
	[TRACE_CLOCK_COUNTER] = "counter",   [TRACE_CLOCK_UPTIME] = "uptime",
	[TRACE_CLOCK_PERF] = "perf",	     [TRACE_CLOCK_MONO] = "mono",
	[TRACE_CLOCK_MONO_RAW] = "mono_raw", [TRACE_CLOCK_BOOT] = "boot",
	[TRACE_CLOCK_TAI] = "tai",
};

static int clock_show(struct seq *s, void *private)
{
	struct trace_instance *in = private;
	u32 i, now = READ_ONCE(in->buffer.clock);

	for (i = 0; i < ARRAY_SIZE(clocks); i++)
		seq_printf(s, i == now ? "%s[%s]" : "%s%s", i ? " " : "",
			   clocks[i]);
	seq_putc(s, '\n');
	return 0;
}

/* Times of two clocks do not go into one buffer. */
static ssize_t clock_store(const char *text, size_t len, void *private)
{
	struct trace_instance *in = private;
	u32 i, cpu;

	for (i = 0; i < ARRAY_SIZE(clocks); i++)
		if (is_word(text, clocks[i]))
			break;
	if (i == ARRAY_SIZE(clocks))
		return -EINVAL;
	mutex_lock(&trace_mutex);
	WRITE_ONCE(in->buffer.clock, i);
	for_each_possible_cpu(cpu)
		trace_buffer_clear(&in->buffer, cpu);
	mutex_unlock(&trace_mutex);
	return (ssize_t)len;
}

static int percent_show(struct seq *s, void *private)
{
	struct trace_instance *in = private;

	seq_printf(s, "%u\n", READ_ONCE(in->percent));
	return 0;
}

static ssize_t percent_store(const char *text, size_t len, void *private)
{
	struct trace_instance *in = private;
	u64 v;
	int err = parse_u64(text, 10, &v);

	if (err)
		return err;
	if (v > 100)
		return -EINVAL;
	WRITE_ONCE(in->percent, (u32)v);
	return (ssize_t)len;
}

/* --- per_cpu/cpuN/stats -------------------------------------------------- */

static void put_time(struct seq *s, const struct trace_buffer *b,
		     const char *what, u64 t)
{
	if (trace_clock_in_ns(b))
		seq_printf(s, "%s: %5llu.%06llu\n", what,
			   (unsigned long long)(t / NSEC_PER_SEC),
			   (unsigned long long)(t % NSEC_PER_SEC / 1000));
	else
		seq_printf(s, "%s: %llu\n", what, (unsigned long long)t);
}

static int stats_show(struct seq *s, void *private)
{
	struct trace_ring *r = private;
	struct trace_buffer *b = r->buffer;

	seq_printf(s, "entries: %llu\noverrun: %llu\ncommit overrun: 0\n"
		      "bytes: %llu\n",
		   (unsigned long long)READ_ONCE(r->entries),
		   (unsigned long long)READ_ONCE(r->overrun),
		   (unsigned long long)READ_ONCE(r->bytes));
	put_time(s, b, "oldest event ts",
		 trace_buffer_oldest(b, (u32)(r - b->rings)));
	put_time(s, b, "now ts", trace_clock_now(b));
	seq_printf(s, "dropped events: %llu\nread events: %llu\n",
		   (unsigned long long)READ_ONCE(r->dropped),
		   (unsigned long long)READ_ONCE(r->read));
	return 0;
}

/* --- the files ----------------------------------------------------------- */

#define HELD \
	.hold = trace_instance_hold, .drop = trace_instance_drop, \
	.store_empty = true

static const struct file_ops free_fops = {
	.open = free_open,
	.release = free_release,
	.write = free_write,
	.llseek = no_llseek,
};

static const struct pseudo_file top_files[] = {
	{ .name = "tracing_cpumask", .mode = 0640, .show = cpumask_show,
	  .store = cpumask_store, HELD },
	{ .name = "buffer_size_kb", .mode = 0640, .show = size_show,
	  .store = size_store, HELD },
	{ .name = "buffer_total_size_kb", .mode = 0440, .show = total_show,
	  HELD },
	{ .name = "free_buffer", .mode = 0200, .fops = &free_fops },
	{ .name = "trace_clock", .mode = 0640, .show = clock_show,
	  .store = clock_store, HELD },
	{ .name = "tracing_on", .mode = 0640, .show = on_show,
	  .store = on_store, HELD },
	{ .name = "timestamp_mode", .mode = 0440, .show = stamps_show, HELD },
	{ .name = "buffer_percent", .mode = 0640, .show = percent_show,
	  .store = percent_store, HELD },
};

/* private: the CPU's ring */
static const struct pseudo_file cpu_files[] = {
	{ .name = "stats", .mode = 0440, .show = stats_show, HELD },
	{ .name = "buffer_size_kb", .mode = 0640, .show = size_show,
	  .store = size_store, HELD },
};

int trace_settings_add(struct trace_instance *in)
{
	int err = pseudo_create_all(in->dir, top_files, ARRAY_SIZE(top_files),
				    in);
	struct pseudo_dir *dir;
	char name[32];
	u32 cpu;

	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "per_cpu/cpu%u", cpu);
		dir = pseudo_mkpath(in->dir, name);
		if (!err)
			err = pseudo_create_all(dir, cpu_files,
						ARRAY_SIZE(cpu_files),
						&in->buffer.rings[cpu]);
	}
	return err;
}
