/* SPDX-License-Identifier: MIT */
/*
 * /proc/sys: registered tables of variables and handlers as files.
 *
 * sysctl_register() turns an entry's path into directories and a file.  An
 * entry without a handler is one or more integers with bounds; text that is
 * no number, or a number out of bounds, is EINVAL and changes nothing.  What a
 * write may do beyond the permission bits is the handler's to check.
 */
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/pseudo.h>
#include <lib/atomic.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/string.h>

#define SYSCTL_TEXT 1024

static int show_int(struct seq *s, struct sysctl *ctl)
{
	seq_printf(s, "%d\n", load_relaxed(ctl->value));
	return 0;
}

static int sysctl_show(struct seq *s, void *private)
{
	struct sysctl *ctl = private;
	ssize_t len;
	char *buf;

	if (!ctl->handler)
		return show_int(s, ctl);
	buf = kmalloc(SYSCTL_TEXT, GFP_KERNEL);
	if (!buf)
		return -ENOMEM;
	len = ctl->handler(ctl, false, buf, SYSCTL_TEXT);
	if (len >= 0) {
		seq_write(s, buf, (size_t)len);
		if (!len || buf[len - 1] != '\n')
			seq_putc(s, '\n');
		len = 0;
	}
	kfree(buf);
	return (int)len;
}

/* The text without surrounding white space, in place. */
static char *trim(char *text)
{
	size_t n;

	while (isspace(*text))
		text++;
	n = strlen(text);
	while (n && isspace(text[n - 1]))
		text[--n] = 0;
	return text;
}

static int sysctl_parse_int(const char *text, s32 min, s32 max, s32 *out)
{
	s64 v;

	if (parse_s64(text, 0, &v))
		return -EINVAL;
	if (v != (s32)v || (min < max && (v < min || v > max)))
		return -EINVAL;
	*out = (s32)v;
	return 0;
}

/* Leave only the first word; how far the next one is from text's start. */
static size_t cut_first(char *text)
{
	char *p = text, *end;

	while (isspace(*p))
		p++;
	while (*p && !isspace(*p))
		p++;
	end = p;
	while (isspace(*p))
		p++;
	*end = 0;
	return (size_t)(p - text);
}

/* Of several numbers the first is taken; the caller writes the rest again. */
static ssize_t sysctl_store(const char *text, size_t len, void *private)
{
	struct sysctl *ctl = private;
	char *buf = kmemdup(text, len + 1, GFP_KERNEL);
	ssize_t ret;
	char *word;
	s32 v;

	if (!buf)
		return -ENOMEM;
	if (!ctl->handler || ctl->number)
		len = cut_first(buf);
	word = trim(buf);
	if (!len) {
		ret = 0;
	} else if (ctl->handler) {
		ret = ctl->handler(ctl, true, word, strlen(word));
	} else {
		ret = sysctl_parse_int(word, ctl->min, ctl->max, &v);
		if (!ret)
			store_relaxed(ctl->value, v);
	}
	kfree(buf);
	return ret < 0 ? ret : (ssize_t)len;
}

void sysctl_register(struct sysctl *ctl)
{
	struct pseudo_file file = {
		.mode = ctl->mode,
		.show = sysctl_show,
		.store = sysctl_store,
		.private = ctl,
	};
	const char *slash = strrchr(ctl->path, '/');
	struct pseudo_dir *dir;
	char path[128] = "sys/";

	CHECK(slash && (size_t)(slash - ctl->path) < sizeof(path) - 5);
	memcpy(path + 4, ctl->path, (size_t)(slash - ctl->path));
	path[4 + (slash - ctl->path)] = 0;
	file.name = slash + 1;
	dir = pseudo_mkpath(proc_root, path);
	CHECK(dir && !pseudo_create(dir, &file));
}
