// SPDX-License-Identifier: MIT
/*
 * kprobe_events, uprobe_events, dynamic_events: probes that text defines, and
 * their files in tracefs.
 *
 * A definition is a registered trace event; it stays until it is removed or
 * its file is opened for writing with O_TRUNC, and neither is possible while
 * somebody uses it.  probe_events_mutex guards the list of definitions.
 */
#include <kernel/fs.h>
#include <kernel/fs_pseudo.h>
#include <kernel/init.h>
#include <kernel/kprobe.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/pseudo.h>
#include <kernel/trace_error.h>
#include <kernel/uio.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/printf.h>
#include <lib/string.h>

#include "event.h"
#include "parse.h"

#define LINE_MAX 4096

enum which { KPROBES, UPROBES, BOTH };

static struct mutex probe_events_mutex =
	MUTEX_INIT(probe_events_mutex, LOCK_RANK_PROBE_EVENTS);
static LIST_HEAD(probe_events);		/* [probe_events_mutex] */

static bool belongs(const struct probe_event *p, enum which which)
{
	return which == BOTH || p->kind->is_user == (which == UPROBES);
}

/* --- what was wrong ----------------------------------------------------- */

static void explain(const struct probe_words *words, bool is_user,
		    const struct probe_error *err, const char *line)
{
	u32 pos = err->offset;

	if (!err->text)
		return;
	if (err->word < words->nr)
		pos += (u32)(words->word[err->word] - words->word[0]);
	trace_error_log(is_user ? "trace_uprobe" : "trace_kprobe", line,
			err->text, pos);
}

static void refuse(struct probe_error *err, const char *text, u32 word)
{
	err->text = text;
	err->word = word;
	err->offset = 0;
}

/* --- definitions -------------------------------------------------------- */

/* Several of one name are refused when the probe is made. */
static u64 symbol_address(const char *name)
{
	u64 addr;

	return kprobe_resolve(name, 0, &addr) == -ENOENT ? 0 : addr;
}

static const struct probe_symbols symbols = {
	.find = symbol_address,
	.on_entry = kprobe_on_entry,
	.file = uprobe_event_file,
};

static struct probe_event *make_kernel(const struct probe_def *def,
				       struct probe_error *err)
{
	const char *symbol = def->place[0] ? def->place : NULL;
	u64 addr = def->offset;
	int ret = 0;

	if (symbol)
		ret = kprobe_resolve(symbol, def->offset, &addr);
	if (ret == -EADDRNOTAVAIL)
		refuse(err, "The symbol is not unique", 1);
	if (!ret)
		ret = kprobe_check(addr);
	if (ret) {
		if (!err->text)
			refuse(err, "Failed to register probe event", 1);
		probe_args_free(def->args);
		return ERR_PTR(ret);
	}
	return kprobe_event_new(def->group, def->event, symbol, def->offset,
				def->is_return, def->max_active, def->args);
}

static struct probe_event *make_user(const struct probe_def *def,
				     struct probe_error *err)
{
	struct probe_event *p;

	p = uprobe_event_new(def->group, def->event, def->place, def->offset,
			     def->ref_ctr, def->is_return, def->args);
	if (p == ERR_PTR(-EINVAL))
		refuse(err, "Not a regular file", 1);
	else if (IS_ERR(p) && p != ERR_PTR(-ENOMEM) && p != ERR_PTR(-E2BIG))
		refuse(err, "Failed to find the given file", 1);
	return p;
}

/* [probe_events_mutex] Takes over def->args. */
static int define(struct probe_def *def, struct probe_error *err)
{
	struct probe_event *p;
	int ret;

	p = def->is_user ? make_user(def, err) : make_kernel(def, err);
	if (p == ERR_PTR(-E2BIG))
		refuse(err, "Event is too big", 2);
	if (IS_ERR(p))
		return PTR_ERR(p);
	ret = trace_event_register(&p->ev);
	if (ret) {
		if (ret == -EEXIST)
			refuse(err, "Given group/event name is already used by "
				    "another event", 0);
		p->kind->destroy(p);
		return ret;
	}
	list_add_tail(&p->link, &probe_events);
	return 0;
}

/* [probe_events_mutex] */
static int undefine(struct probe_event *p)
{
	int err = trace_event_unregister(&p->ev);

	if (err)
		return err;
	list_del(&p->link);
	p->kind->destroy(p);
	return 0;
}

static bool is_named(const struct probe_event *p, const char *group,
		     const char *event)
{
	return (!*group || streq(p->system, group)) &&
	       (!*event || streq(p->name, event));
}

static int remove_named(const char *text, enum which which)
{
	char group[PROBE_NAME_MAX], event[PROBE_NAME_MAX];
	struct probe_event *p, *next;
	int err;

	if (*text++ != ':')
		return -EINVAL;
	err = probe_parse_name(text, group, event);
	if (err)
		return err;
	err = -ENOENT;
	mutex_lock(&probe_events_mutex);
	list_for_each_entry_safe(p, next, &probe_events, link) {
		if (!belongs(p, which) || !is_named(p, group, event))
			continue;
		err = undefine(p);
		if (err)
			break;
	}
	mutex_unlock(&probe_events_mutex);
	return err;
}

/* All or none: -EBUSY when one is in use. */
static int remove_all(enum which which)
{
	struct probe_event *p, *next;
	int err = 0;

	mutex_lock(&probe_events_mutex);
	list_for_each_entry(p, &probe_events, link)
		if (belongs(p, which) && (READ_ONCE(p->ev.users) ||
					  READ_ONCE(p->ev.refs)))
			err = -EBUSY;
	list_for_each_entry_safe(p, next, &probe_events, link)
		if (!err && belongs(p, which))
			err = undefine(p);
	mutex_unlock(&probe_events_mutex);
	return err;
}

/* Which list a line of dynamic_events is for; a place tells. */
static bool is_user_line(const char *line, enum which which)
{
	const char *place = strchr(line, ' ');

	if (which != BOTH)
		return which == UPROBES;
	return place && strchr(place, '/');
}

/* What is shown of a line, and counted in: one space between words. */
static void squeeze(char *line)
{
	char *to = line;

	for (; *line; line++) {
		if (!isspace(*line))
			*to++ = *line;
		else if (to[-1] != ' ')
			*to++ = ' ';
	}
	*to = '\0';
}

static int run_line(char *line, enum which which)
{
	struct probe_words *words;
	struct probe_error err = { 0 };
	struct probe_def *def;
	char *whole;
	int ret = -ENOMEM;

	*strchrnul(line, '#') = '\0';
	line = strim_k(line);
	if (!*line)
		return 0;
	squeeze(line);
	if (*line == '-') {
		*strchrnul(line, ' ') = '\0';
		return remove_named(line + 1, which);
	}
	whole = kstrdup(line, GFP_KERNEL);
	words = kmalloc(sizeof(*words), GFP_KERNEL);
	def = kzalloc(sizeof(*def), GFP_KERNEL);
	if (!whole || !words || !def)
		goto out;
	def->is_user = is_user_line(line, which);
	ret = probe_split(line, words);
	if (!ret)
		ret = probe_parse(words, def, &err, &symbols);
	if (!ret) {
		mutex_lock(&probe_events_mutex);
		ret = define(def, &err);
		mutex_unlock(&probe_events_mutex);
	}
	if (ret)
		explain(words, def->is_user, &err, whole);
out:
	kfree(def);
	kfree(words);
	kfree(whole);
	return ret;
}

/* --- files -------------------------------------------------------------- */

static void show_event(struct seq *s, const struct probe_event *p)
{
	char place[PROBE_PLACE_MAX + 64];
	u32 i;

	p->kind->show_place(p, place, sizeof(place));
	seq_putc(s, p->is_return ? 'r' : 'p');
	if (p->is_return && p->kind->max_active)
		seq_printf(s, "%u", p->kind->max_active(p));
	seq_printf(s, ":%s/%s %s", p->system, p->name, place);
	for (i = 0; p->args && i < p->args->nr; i++)
		seq_printf(s, " %s=%s", p->args->arg[i].name,
			   p->args->arg[i].comm);
	seq_putc(s, '\n');
}

static int events_show(struct seq *s, void *private)
{
	enum which which = (enum which)(uintptr_t)private;
	struct probe_event *p;

	mutex_lock(&probe_events_mutex);
	list_for_each_entry(p, &probe_events, link)
		if (belongs(p, which))
			show_event(s, p);
	mutex_unlock(&probe_events_mutex);
	return 0;
}

static int profile_show(struct seq *s, void *private)
{
	enum which which = (enum which)(uintptr_t)private;
	char place[PROBE_PLACE_MAX + 64];
	struct probe_event *p;
	u64 hits, missed;

	mutex_lock(&probe_events_mutex);
	list_for_each_entry(p, &probe_events, link) {
		if (!belongs(p, which))
			continue;
		p->kind->counts(p, &hits, &missed);
		if (which == KPROBES) {
			seq_printf(s, "  %-44s %15llu %15llu\n", p->name, hits,
				   missed);
			continue;
		}
		p->kind->show_place(p, place, sizeof(place));
		*strchrnul(place, ':') = '\0';
		seq_printf(s, "  %s %-44s %15llu\n", place, p->name, hits);
	}
	mutex_unlock(&probe_events_mutex);
	return 0;
}

void probe_events_list_idle(struct seq *s,
			    void (*show)(struct seq *s, u64 addr,
					 bool is_return, bool disabled))
{
	struct probe_event *p;

	mutex_lock(&probe_events_mutex);
	list_for_each_entry(p, &probe_events, link)
		if (p->kind->address && !READ_ONCE(p->ev.users))
			show(s, p->kind->address(p), p->is_return, true);
	mutex_unlock(&probe_events_mutex);
}

static int events_open(struct inode *inode, struct file *file)
{
	void *which = pseudo_private(inode);
	int err = 0;

	if (file->mode & FMODE_TRUNC)
		err = remove_all((enum which)(uintptr_t)which);
	return err ? err : seq_open_show(file, events_show, which);
}

/* Runs whole lines; what is behind the last newline is a line as well. */
static ssize_t run_text(char *text, enum which which)
{
	char *line;
	int err;

	while (text && *text) {
		line = strtok_k(&text, "\n");
		if (!line)
			break;
		err = run_line(line, which);
		if (err)
			return err;
	}
	return 0;
}

static ssize_t events_write(struct file *file, struct uio *from, u64 *pos)
{
	enum which which = (enum which)(uintptr_t)seq_file_private(file);
	size_t size = from->left, len = size < LINE_MAX ? size : LINE_MAX - 1;
	char *text = kmalloc(LINE_MAX, GFP_KERNEL), *end;
	ssize_t ret = -ENOMEM;

	if (!text)
		return -ENOMEM;
	ret = -EFAULT;
	if (uio_get(from, text, len) != len)
		goto free;
	text[len] = '\0';
	ret = -EINVAL;
	if (len < size) {
		/* The rest of the last line comes with the next write. */
		end = strrchr(text, '\n');
		if (!end)
			goto free;
		end[1] = '\0';
		len = (size_t)(end + 1 - text);
	}
	ret = run_text(text, which);
	if (!ret)
		ret = (ssize_t)len;
free:
	kfree(text);
	return ret;
}

static const struct file_ops events_ops = {
	.open = events_open,
	.read = seq_read,
	.write = events_write,
	.llseek = seq_llseek,
	.release = seq_release,
};

static int definitions_boot(void)
{
	const struct pseudo_file files[] = {
		{ .name = "kprobe_events", .mode = 0640, .fops = &events_ops,
		  .private = number_ptr(KPROBES) },
		{ .name = "uprobe_events", .mode = 0640, .fops = &events_ops,
		  .private = number_ptr(UPROBES) },
		{ .name = "dynamic_events", .mode = 0640, .fops = &events_ops,
		  .private = number_ptr(BOTH) },
		{ .name = "kprobe_profile", .mode = 0440,
		  .show = profile_show, .private = number_ptr(KPROBES) },
		{ .name = "uprobe_profile", .mode = 0440,
		  .show = profile_show, .private = number_ptr(UPROBES) },
	};

	return pseudo_create_all(tracefs_root, files, ARRAY_SIZE(files), NULL);
}
INITCALL(INIT_LATE, definitions_boot);
