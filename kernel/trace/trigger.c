/* SPDX-License-Identifier: MIT */
/*
 * Triggers: what else happens when an event does.
 *
 *	COMMAND[:COUNT][ if FILTER]	traceon, traceoff, stacktrace,
 *	{enable,disable}_event:SYSTEM:EVENT[:COUNT][ if FILTER]
 *
 * and the same behind a `!` takes one away.  An event has one trigger of each
 * kind: traceon and traceoff are one, and so are enabling and disabling the
 * same event.  The list of an event changes under trace_mutex and is walked
 * where the event happens; a trigger is freed after a grace period.
 */
#include "tracefs.h"

#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/reclaim.h>
#include <kernel/trace_filter.h>
#include <lib/atomic.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/string.h>

#define UNLIMITED (-1ll)

enum action { TRACEON, TRACEOFF, STACKTRACE, ENABLE, DISABLE, ACTIONS };

static const struct {
	const char *name;
	enum action kind;		/* one of each kind at a time */
	bool has_target;
} actions[ACTIONS] = {
	[TRACEON] = { "traceon", TRACEON, false },
	[TRACEOFF] = { "traceoff", TRACEON, false },
	[STACKTRACE] = { "stacktrace", STACKTRACE, false },
	[ENABLE] = { "enable_event", ENABLE, true },
	[DISABLE] = { "disable_event", ENABLE, true },
};

struct trace_trigger {
	struct trace_trigger *next;	/* [a] reclaim */
	enum action action;		/* [I] */
	s64 left;			/* [a] UNLIMITED, or times to come */
	struct trace_filter *filter;	/* [I] NULL: always */
	char *filter_text;		/* [I] */
	struct trace_file *target;	/* [I] soft; of enable and disable */
};

/* --- where events happen ------------------------------------------------- */

/* Takes one of the times that are left; several CPUs may be at it. */
static bool take_turn(struct trace_trigger *t)
{
	s64 left = load_relaxed(&t->left);

	while (left > 0)
		if (try_cmpxchg_acquire(&t->left, &left, left - 1))
			return true;
	return left == UNLIMITED;
}

static void set_on(struct trace_trigger *t, struct trace_instance *in, u32 on)
{
	if (READ_ONCE(in->buffer.on) != on && take_turn(t))
		WRITE_ONCE(in->buffer.on, on);
}

static void set_muted(struct trace_trigger *t, bool muted)
{
	if (READ_ONCE(t->target->muted) != muted && take_turn(t))
		WRITE_ONCE(t->target->muted, muted);
}

static void act(struct trace_trigger *t, struct trace_instance *in,
		struct pt_regs *regs)
{
	switch (t->action) {
	case TRACEON:
	case TRACEOFF:
		set_on(t, in, t->action == TRACEON);
		break;
	case STACKTRACE:
		if (take_turn(t))
			trace_kernel_stack(in, regs);
		break;
	default:
		set_muted(t, t->action == DISABLE);
		break;
	}
}

/* What switches the buffer on does so for this record already. */
static bool is_before(const struct trace_trigger *t)
{
	return t->action == TRACEON && !t->filter;
}

void trace_triggers_before(struct trace_file *f)
{
	struct trace_trigger *t;

	for (t = reclaim_deref(f->triggers); t; t = reclaim_deref(t->next))
		if (is_before(t))
			act(t, f->instance, NULL);
}

void trace_triggers_after(struct trace_file *f, const void *record,
			  struct pt_regs *regs)
{
	struct trace_trigger *t;

	for (t = reclaim_deref(f->triggers); t; t = reclaim_deref(t->next))
		if (!is_before(t) &&
		    (!t->filter || trace_filter_match(t->filter, record)))
			act(t, f->instance, regs);
}

/* --- making and removing ------------------------------------------------- */

/* It is on no list.  [trace_mutex] */
static void trigger_free(struct trace_trigger *t)
{
	if (t->target)
		trace_file_soft(t->target, false);
	trace_filter_free(t->filter);
	kfree(t->filter_text);
	kfree(t);
}

/* The next part of text behind a colon; NULL: there is none. */
static char *next_part(char **text)
{
	char *part = *text;

	if (!part)
		return NULL;
	*text = strchr(part, ':');
	if (*text)
		*(*text)++ = '\0';
	return part;
}

/*
 * COMMAND[:...], which is taken apart, into t.  A number that is none is
 * -EINVAL; an empty one, and whatever follows, are overlooked.
 */
static int parse_command(struct trace_file *f, struct trace_trigger *t,
			 char *text)
{
	char *name = next_part(&text), *system, *event, *count;
	u64 v;
	u32 i;

	for (i = 0; i < ACTIONS && strcmp(actions[i].name, name); i++)
		;
	if (i == ACTIONS)
		return -EINVAL;
	t->action = (enum action)i;
	t->left = UNLIMITED;
	if (actions[i].has_target) {
		system = next_part(&text);
		event = next_part(&text);
		t->target = event ? trace_file_find(f->instance, system,
						    event) : NULL;
		if (!t->target || !trace_event_has_source(t->target->ev))
			return -EINVAL;
	}
	count = next_part(&text);
	if (count && *count) {
		if (parse_u64(count, 0, &v) || v > S64_MAX)
			return -EINVAL;
		t->left = (s64)v;
	}
	return 0;
}

static bool is_same_kind(const struct trace_trigger *a,
			 const struct trace_trigger *b)
{
	return actions[a->action].kind == actions[b->action].kind &&
	       a->target == b->target;
}

static struct trace_trigger **find_like(struct trace_file *f,
					const struct trace_trigger *t)
{
	struct trace_trigger **at = &f->triggers;

	while (*at && !is_same_kind(*at, t))
		at = &(*at)->next;
	return at;
}

/* Off the list, and freed.  [trace_mutex] */
static void remove_at(struct trace_file *f, struct trace_trigger **at)
{
	struct trace_trigger *t = *at;

	reclaim_assign(*at, t->next);
	reclaim_sync();
	trigger_free(t);
	trace_file_soft(f, false);
}

static int set_condition(struct trace_file *f, struct trace_trigger *t,
			 const char *text)
{
	struct trace_filter_error e;
	int err;

	if (!*text)
		return -EINVAL;
	err = trace_filter_compile(f->ev, text, &t->filter, &e);
	if (err) {
		trace_instance_error(f->instance, "event filter parse error",
				     text, e.text ? e.text : "Error", e.pos);
		return err;
	}
	t->filter_text = kstrdup(text, GFP_KERNEL);
	return t->filter_text ? 0 : -ENOMEM;
}

/* t was parsed; it is used up when this succeeds. */
static int add(struct trace_file *f, struct trace_trigger *t,
	       const char *condition)
{
	int err;

	if (*find_like(f, t))
		return -EEXIST;
	err = condition ? set_condition(f, t, condition) : 0;
	if (err)
		return err;
	err = trace_file_soft(f, true);
	if (err)
		return err;
	err = t->target ? trace_file_soft(t->target, true) : 0;
	if (err) {
		trace_file_soft(f, false);
		return err;
	}
	t->next = f->triggers;
	reclaim_assign(f->triggers, t);
	return 0;
}

static int run_command(struct trace_file *f, char *text)
{
	bool remove = *text == '!';
	struct trace_trigger **at, *t = kzalloc(sizeof(*t), GFP_KERNEL);
	char *condition = text + strcspn(text, " \t");
	int err;

	if (!t)
		return -ENOMEM;
	if (*condition)
		*condition++ = '\0';
	while (isspace(*condition))
		condition++;
	err = parse_command(f, t, text + remove);
	if (!err && remove) {
		at = find_like(f, t);
		if (*at)
			remove_at(f, at);
	} else if (!err && *condition) {
		err = strncmp(condition, "if", 2) || !isspace(condition[2]) ?
			      -EINVAL : 0;
		for (condition += 2; !err && isspace(*condition); condition++)
			;
		err = err ? err : add(f, t, condition);
	} else if (!err) {
		err = add(f, t, NULL);
	}
	if (err || remove) {
		t->target = NULL;	/* it was not taken */
		trigger_free(t);
	}
	return err;
}

int trace_trigger_command(struct trace_file *f, const char *text)
{
	char *copy;
	int err;

	if (!*text)
		return -EINVAL;
	copy = kstrdup(text, GFP_KERNEL);
	err = copy ? run_command(f, copy) : -ENOMEM;
	kfree(copy);
	return err;
}

/* The event goes: its own triggers, and those of others that are about it. */
void trace_triggers_free(struct trace_file *f)
{
	struct trace_trigger **at;
	struct trace_file *other;

	while (f->triggers)
		remove_at(f, &f->triggers);
	list_for_each_entry(other, &f->instance->files, link)
		for (at = &other->triggers; *at;)
			if ((*at)->target == f)
				remove_at(other, at);
			else
				at = &(*at)->next;
}

void trace_triggers_show(struct seq *s, struct trace_file *f)
{
	const struct trace_trigger *t;
	s64 left;
	u32 i;

	for (t = f->triggers; t; t = t->next) {
		seq_puts(s, actions[t->action].name);
		if (t->target)
			seq_printf(s, ":%s:%s", t->target->ev->system,
				   t->target->ev->name);
		left = READ_ONCE(t->left);
		if (left == UNLIMITED)
			seq_puts(s, ":unlimited");
		else
			seq_printf(s, ":count=%lld", (long long)left);
		if (t->filter_text)
			seq_printf(s, " if %s", t->filter_text);
		seq_putc(s, '\n');
	}
	if (f->triggers)
		return;
	seq_puts(s, "# Available triggers:\n#");
	for (i = 0; i < ACTIONS; i++)
		seq_printf(s, " %s", actions[i].name);
	seq_putc(s, '\n');
}
