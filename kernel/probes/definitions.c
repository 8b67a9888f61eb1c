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
	if (err->word >= words->nr)
		pos = (u32)strlen(line) + 1;
	else
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

/* [probe_events_mutex] Whose name p has; NULL: nobody's. */
static struct probe_event *find_head(const struct probe_event *p)
{
	struct probe_event *other;

	list_for_each_entry(other, &probe_events, link)
		if (other->kind == p->kind && streq(other->name, p->name) &&
		    streq(other->system, p->system))
			return other->head;
	return NULL;
}

static u32 nr_args(const struct probe_event *p)
{
	return p->args ? p->args->nr : 0;
}

/* Which argument makes another record of it, from 1; 0: none. */
static u32 other_record(const struct probe_event *a,
			const struct probe_event *b)
{
	u32 i, na = nr_args(a), nb = nr_args(b);

	if (na != nb)
		return (na < nb ? na : nb) + 1;
	for (i = 0; i < na; i++) {
		const struct probe_arg *x = &a->args->arg[i];
		const struct probe_arg *y = &b->args->arg[i];

		if (x->type != y->type || x->count != y->count ||
		    !streq(x->name, y->name))
			return i + 1;
	}
	return 0;
}

static bool is_same(const struct probe_event *a, const struct probe_event *b)
{
	char x[PROBE_PLACE_MAX + 64], y[PROBE_PLACE_MAX + 64];
	u32 i;

	a->kind->show_place(a, x, sizeof(x));
	b->kind->show_place(b, y, sizeof(y));
	if (!streq(x, y))
		return false;
	for (i = 0; i < nr_args(a); i++)
		if (!streq(a->args->arg[i].comm, b->args->arg[i].comm))
			return false;
	return true;
}

/* [probe_events_mutex] One more place of that name, with the same record. */
static int append(struct probe_event *head, struct probe_event *p,
		  struct probe_error *err)
{
	struct probe_event *other;
	u32 arg;

	if (p->is_return != head->is_return) {
		refuse(err, "Probe type is different from existing probe", 0);
		return -EEXIST;
	}
	arg = other_record(p, head);
	if (arg) {
		refuse(err, "Argument type or name is different from existing "
			    "probe", arg + 1);
		return -EEXIST;
	}
	list_for_each_entry(other, &probe_events, link)
		if (other->head == head && is_same(other, p)) {
			refuse(err, "There is already the exact same probe "
				    "event", 0);
			return -EEXIST;
		}
	/* In programs it waits until the event goes on again, as observed. */
	return probe_event_join(head, p, !p->kind->is_user);
}

/* [probe_events_mutex] Takes over def->args. */
static int define(struct probe_def *def, struct probe_error *err)
{
	struct probe_event *p, *head;
	int ret;

	p = def->is_user ? make_user(def, err) : make_kernel(def, err);
	if (p == ERR_PTR(-E2BIG))
		refuse(err, "Event is too big", 2);
	if (IS_ERR(p))
		return PTR_ERR(p);
	head = find_head(p);
	if (head)
		ret = append(head, p, err);
	else
		ret = trace_event_register(&p->ev);
	if (ret) {
		if (ret == -EEXIST && !head)
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
	struct probe_event *head = p->head;
	int err;

	if (!list_is_singular(&head->sites)) {
		/* The others go on; the head without its place. */
		probe_event_part(p);
		list_del(&p->link);
		if (p != head)
			p->kind->destroy(p);
		return 0;
	}
	err = trace_event_unregister(&head->ev);
	if (err)
		return err;
	list_del(&p->link);
	if (p != head)
		p->kind->destroy(p);
	head->kind->destroy(head);
	return 0;
}

static bool is_named(const struct probe_event *p, const char *group,
		     const char *event)
{
	return (!*group || streq(p->system, group)) &&
	       (!*event || streq(p->name, event));
}

/* Is it defined by what follows the name: its place, its first arguments? */
static bool is_as(const struct probe_event *p, const struct probe_words *words)
{
	char text[PROBE_PLACE_MAX + 64];
	u32 i;

	if (words->nr < 2)
		return true;
	p->kind->show_place(p, text, sizeof(text));
	if (!streq(text, words->word[1]) || words->nr - 2 > nr_args(p))
		return false;
	for (i = 2; i < words->nr; i++) {
		const struct probe_arg *arg = &p->args->arg[i - 2];
		const char *word = words->word[i];

		if (!str_has_prefix(word, arg->name) ||
		    word[strlen(arg->name)] != '=' ||
		    !streq(word + strlen(arg->name) + 1, arg->comm))
			return false;
	}
	return true;
}

static int remove_named(const char *text, const struct probe_words *words,
			enum which which)
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
		if (!belongs(p, which) || !is_named(p, group, event) ||
		    !is_as(p, words))
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
		if (belongs(p, which) && (READ_ONCE(p->head->ev.users) ||
					  READ_ONCE(p->head->ev.refs)))
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
	whole = kstrdup(line, GFP_KERNEL);
	words = kmalloc(sizeof(*words), GFP_KERNEL);
	def = kzalloc(sizeof(*def), GFP_KERNEL);
	if (!whole || !words || !def)
		goto out;
	def->is_user = is_user_line(line, which);
	ret = probe_split(line, words);
	if (!ret && *line == '-') {
		ret = remove_named(line + 1, words, which);
		goto out;
	}
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
		if (p->kind->address && !READ_ONCE(p->placed))
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
