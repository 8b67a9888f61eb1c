/* SPDX-License-Identifier: MIT */
/*
 * Which functions are traced: the table of those that can be, and the files
 * that hold sets of them.
 *
 * A set is a bitmap over the numbers of symbols, under trace_mutex.  Who writes
 * to a set's file changes a copy, which takes the set's place when the file is
 * closed, and only then a tracer that is on looks at the sets again: it never
 * sees what is in between.
 */
#include "function.h"

#include <kernel/fs_pseudo.h>
#include <kernel/init.h>
#include <kernel/ksym.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <lib/bitmap.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

extern const char __notrace_start[], __notrace_end[];

static unsigned long *traceable;		/* [trace_mutex] */
static unsigned long *sets[FUNCTION_SETS];	/* [trace_mutex] */

/* --- the table ----------------------------------------------------------- */

static size_t bitmap_bytes(void)
{
	return (ksym_count() + 63) / 64 * sizeof(unsigned long);
}

/* What a tracer itself runs is not traced. */
static bool can_be_traced(u32 number)
{
	char type, name[KSYM_NAME_MAX];
	u64 addr;

	if (!ksym_get(number, &addr, &type, name) ||
	    (type != 't' && type != 'T') ||
	    (addr >= (uintptr_t)__notrace_start &&
	     addr < (uintptr_t)__notrace_end))
		return false;
	return kprobe_on_entry(addr) && !kprobe_check(addr);
}

int function_sets_init(void)
{
	unsigned long *bits;
	u32 i;

	if (traceable)
		return 0;
	bits = kzalloc(bitmap_bytes(), GFP_KERNEL);
	for (i = 0; i < FUNCTION_SETS; i++) {
		if (!sets[i])
			sets[i] = kzalloc(bitmap_bytes(), GFP_KERNEL);
		if (!sets[i] || !bits) {
			kfree(bits);
			return -ENOMEM;
		}
	}
	for (i = 0; i < ksym_count(); i++)
		if (can_be_traced(i))
			bitmap_set(bits, i);
	traceable = bits;
	return 0;
}

bool function_set_is_empty(enum function_set set)
{
	return bitmap_find_first(sets[set], ksym_count()) == ksym_count();
}

bool function_set_has(enum function_set set, u32 number)
{
	return bitmap_test(sets[set], number);
}

bool function_is_wanted(u32 number)
{
	return bitmap_test(traceable, number) &&
	       !function_set_has(FUNCTION_SET_NOTRACE, number) &&
	       (function_set_has(FUNCTION_SET_FILTER, number) ||
		function_set_is_empty(FUNCTION_SET_FILTER));
}

/* --- showing ------------------------------------------------------------- */

static void show_name(struct seq *s, u32 number, const char *end)
{
	char type, name[KSYM_NAME_MAX];
	u64 addr;

	if (ksym_get(number, &addr, &type, name))
		seq_printf(s, "%s%s\n", name, end);
}

/* [trace_mutex] */
static void show_bits(struct seq *s, const unsigned long *bits)
{
	size_t count = ksym_count(), i;

	for (i = bitmap_find_first(bits, count); i < count;
	     i = bitmap_find_next(bits, count, i + 1))
		show_name(s, (u32)i, "");
}

static int available_show(struct seq *s, void *private)
{
	int err;

	mutex_lock(&trace_mutex);
	err = function_sets_init();
	if (!err)
		show_bits(s, traceable);
	mutex_unlock(&trace_mutex);
	return err;
}

static int enabled_show(struct seq *s, void *private)
{
	u32 number = 0;

	mutex_lock(&trace_mutex);
	for (; functions_next_traced(number, &number); number++)
		show_name(s, number, " (1)      ");
	mutex_unlock(&trace_mutex);
	return 0;
}

static int total_show(struct seq *s, void *private)
{
	size_t count = ksym_count(), i, nr = 0;
	int err;

	mutex_lock(&trace_mutex);
	err = function_sets_init();
	for (i = 0; !err && i < count; i++)
		nr += bitmap_test(traceable, i);
	mutex_unlock(&trace_mutex);
	seq_printf(s, "%llu pages:%llu groups: %u\n", (unsigned long long)nr,
		   (unsigned long long)((bitmap_bytes() + PAGE_SIZE - 1) /
					PAGE_SIZE),
		   1u);
	return err;
}

static enum function_set set_of(const void *private)
{
	return (enum function_set)((unsigned long *const *)private - sets);
}

static int set_show(struct seq *s, void *private)
{
	enum function_set set = set_of(private);

	mutex_lock(&trace_mutex);
	if (!function_set_is_empty(set))
		show_bits(s, sets[set]);
	else if (set == FUNCTION_SET_FILTER || set == FUNCTION_SET_GRAPH)
		seq_puts(s, "#### all functions enabled ####\n");
	else
		seq_puts(s, "#### no functions disabled ####\n");
	mutex_unlock(&trace_mutex);
	return 0;
}

/* --- changing ------------------------------------------------------------ */

/* Of an open file that may write. */
struct change {
	struct mutex lock;
	enum function_set set;		/* [I] */
	unsigned long *bits;		/* [lock] NULL: nothing written yet */
	size_t len;			/* [lock] of word so far */
	char word[KSYM_NAME_MAX + 8];	/* [lock] */
};

/*
 * A pattern, with `!' in front to take functions out.  -EINVAL: it says
 * nothing about any function.
 */
static int apply_word(struct change *c)
{
	bool out = c->word[0] == '!', found = false;
	const char *pattern = c->word + out;
	bool is_graph = c->set >= FUNCTION_SET_GRAPH;
	char type, name[KSYM_NAME_MAX], *mod = strstr(pattern, ":mod:");
	u64 addr;
	u32 i;

	/* There are no modules. */
	if (mod && !is_graph)
		return 0;
	for (i = 0; i < ksym_count(); i++) {
		if (!bitmap_test(traceable, i) ||
		    !ksym_get(i, &addr, &type, name) ||
		    !glob_match(pattern, name))
			continue;
		found |= !is_graph || !out || bitmap_test(c->bits, i);
		bitmap_assign(c->bits, i, !out);
	}
	return found ? 0 : -EINVAL;
}

/* A word ends. */
static int end_word(struct change *c)
{
	int err;

	c->word[c->len] = '\0';
	err = c->len ? apply_word(c) : 0;
	c->len = 0;
	return err;
}

/*
 * As on Linux, one word a write: bytes taken, up to and with what ends it, or
 * -errno.  A word that nothing ends goes on in the next write.
 */
static ssize_t add_word(struct change *c, const char *text, size_t len)
{
	size_t i = 0;
	int err;

	while (!c->len && i < len && isspace(text[i]))
		i++;
	for (; i < len && text[i] && !isspace(text[i]); i++) {
		if (c->len + 1 == sizeof(c->word))
			return -EINVAL;
		c->word[c->len++] = text[i];
	}
	if (i == len)
		return (ssize_t)i;
	err = end_word(c);
	return err ? err : (ssize_t)i + 1;
}

/* The first write. */
static int copy_set(struct change *c)
{
	if (c->bits)
		return 0;
	c->bits = kzalloc(bitmap_bytes(), GFP_KERNEL);
	if (!c->bits)
		return -ENOMEM;
	mutex_lock(&trace_mutex);
	memcpy(c->bits, sets[c->set], bitmap_bytes());
	mutex_unlock(&trace_mutex);
	return 0;
}

static int change_begin(struct file *file, void *private)
{
	struct change *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	mutex_init(&c->lock, LOCK_RANK_SEQ);
	c->set = set_of(private);
	file->private = c;
	return 0;
}

static int set_open(struct inode *inode, struct file *file)
{
	int err;

	mutex_lock(&trace_mutex);
	err = function_sets_init();
	mutex_unlock(&trace_mutex);
	if (err)
		return err;
	return file->mode & FMODE_WRITE ?
		       change_begin(file, pseudo_private(inode)) :
		       seq_open_show(file, set_show, pseudo_private(inode));
}

static ssize_t set_read(struct file *file, struct uio *to, u64 *pos)
{
	return file->mode & FMODE_WRITE ? -EINVAL : seq_read(file, to, pos);
}

static ssize_t set_write(struct file *file, struct uio *from, u64 *pos)
{
	struct change *c = file->private;
	size_t n = min_t(size_t, from->left, PAGE_SIZE);
	char *text = kmalloc(n + 1, GFP_KERNEL);
	ssize_t ret;

	if (!text)
		return -ENOMEM;
	if (uio_get(from, text, n) != n) {
		kfree(text);
		return -EFAULT;
	}
	mutex_lock(&c->lock);
	ret = copy_set(c);
	ret = ret ? ret : add_word(c, text, n);
	mutex_unlock(&c->lock);
	kfree(text);
	return ret;
}

static void set_release(struct file *file)
{
	struct change *c = file->private;

	if (!(file->mode & FMODE_WRITE)) {
		seq_release(file);
		return;
	}
	if (c->bits)
		end_word(c); /* as observed, nobody hears if it is wrong */
	mutex_lock(&trace_mutex);
	if (c->bits)
		swap(sets[c->set], c->bits);
	functions_update();
	mutex_unlock(&trace_mutex);
	kfree(c->bits);
	kfree(c);
}

static void set_clear(void *private)
{
	unsigned long *bits;

	mutex_lock(&trace_mutex);
	bits = sets[set_of(private)];
	/* By truncate(2) before anybody has opened it there is none. */
	if (bits)
		memzero(bits, bitmap_bytes());
	mutex_unlock(&trace_mutex);
}

static s64 set_llseek(struct file *file, s64 off, int whence)
{
	return file->mode & FMODE_WRITE ? 0 : seq_llseek(file, off, whence);
}

static const struct file_ops set_fops = {
	.open = set_open,
	.release = set_release,
	.read = set_read,
	.write = set_write,
	.llseek = set_llseek,
};

#define SET_FILE(name_, set) \
	{ .name = name_, .mode = 0640, .fops = &set_fops, \
	  .truncate = set_clear, \
	  .private = &sets[set] }

static int function_sets_boot(void)
{
	static const struct pseudo_file files[] = {
		SET_FILE("set_ftrace_filter", FUNCTION_SET_FILTER),
		SET_FILE("set_ftrace_notrace", FUNCTION_SET_NOTRACE),
		SET_FILE("set_graph_function", FUNCTION_SET_GRAPH),
		SET_FILE("set_graph_notrace", FUNCTION_SET_GRAPH_NOTRACE),
		{ .name = "available_filter_functions", .mode = 0440,
		  .show = available_show },
		{ .name = "enabled_functions", .mode = 0440,
		  .show = enabled_show },
		{ .name = "dyn_ftrace_total_info", .mode = 0440,
		  .show = total_show },
	};

	CHECK(!pseudo_create_all(tracefs_root, files, ARRAY_SIZE(files), NULL));
	return 0;
}
INITCALL(INIT_LATE, function_sets_boot);
