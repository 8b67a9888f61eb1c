/* SPDX-License-Identifier: MIT */
/*
 * Which trace events there are, and whether they are on.
 *
 * Entry points: trace_event_register and friends, trace_event_enable/disable.
 * Everything is task context under trace_mutex.  Numbers of events that went
 * are used again only when all others were, so that a stale number does not
 * soon mean something else.
 */
#include <kernel/init.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/reclaim.h>
#include <kernel/trace_event.h>
#include <lib/bitmap.h>
#include <lib/err.h>
#include <lib/hash.h>
#include <lib/sort.h>
#include <lib/string.h>

#define MAX_EVENTS 8192

LINKSET(struct trace_event, trace_events);

struct mutex trace_mutex = MUTEX_INIT(trace_mutex, LOCK_RANK_TRACE_EVENTS);
LIST_HEAD(trace_events);
void (*trace_event_shown)(struct trace_event *ev, bool on);

static unsigned long used[(MAX_EVENTS + 63) / 64];	/* [trace_mutex] */
static u32 last_id = TRACE_ID_FIRST - 1;		/* [trace_mutex] */

#define NAME_BITS 8
static struct hlist_head by_name[1 << NAME_BITS];	/* [trace_mutex] */

static struct hlist_head *bucket(const char *name)
{
	return &by_name[hash_string(name) >> (64 - NAME_BITS)];
}

static struct trace_event *find(const char *system, const char *name)
{
	struct trace_event *ev;

	hlist_for_each_entry(ev, bucket(name), named)
		if (!strcmp(ev->name, name) &&
		    (!system || !strcmp(ev->system, system)))
			return ev;
	return NULL;
}

static int take_id(struct trace_event *ev)
{
	u32 tries, id = last_id;

	if (ev->id)
		return 0;
	for (tries = 1; tries < MAX_EVENTS; tries++) {
		id = id + 1 < MAX_EVENTS ? id + 1 : TRACE_ID_FIRST;
		if (bitmap_test(used, id))
			continue;
		bitmap_set(used, id);
		last_id = id;
		ev->id = (u16)id;
		return 0;
	}
	return -ENODEV;
}

static void insert(struct trace_event *ev)
{
	struct list_head *at = &trace_events;
	struct trace_event *other;

	/* Mostly the newest has the highest number. */
	list_for_each_entry_reverse(other, &trace_events, link)
		if (other->id < ev->id) {
			at = &other->link;
			break;
		}
	list_add(&ev->link, at);
	hlist_add_head(&ev->named, bucket(ev->name));
}

int trace_event_register(struct trace_event *ev)
{
	int err;

	mutex_lock(&trace_mutex);
	err = find(ev->system, ev->name) ? -EEXIST : take_id(ev);
	if (!err) {
		insert(ev);
		if (trace_event_shown)
			trace_event_shown(ev, true);
	}
	mutex_unlock(&trace_mutex);
	return err;
}

int trace_event_unregister(struct trace_event *ev)
{
	mutex_lock(&trace_mutex);
	if (ev->users || ev->refs) {
		mutex_unlock(&trace_mutex);
		return -EBUSY;
	}
	if (trace_event_shown)
		trace_event_shown(ev, false);
	list_del_init(&ev->link);
	hlist_del_init(&ev->named);
	bitmap_clear(used, ev->id);
	ev->id = 0;
	mutex_unlock(&trace_mutex);
	reclaim_sync();
	kfree(ev->perf);
	ev->perf = NULL;
	return 0;
}

struct trace_event *trace_event_get(u32 id)
{
	struct trace_event *ev, *found = NULL;

	mutex_lock(&trace_mutex);
	trace_for_each_event(ev)
		if (ev->id == id) {
			found = ev;
			found->refs++;
			break;
		}
	mutex_unlock(&trace_mutex);
	return found;
}

struct trace_event *trace_event_get_named(const char *system,
					  const char *name)
{
	struct trace_event *ev;

	mutex_lock(&trace_mutex);
	ev = find(system, name);
	if (ev)
		ev->refs++;
	mutex_unlock(&trace_mutex);
	return ev;
}

void trace_event_put(struct trace_event *ev)
{
	mutex_lock(&trace_mutex);
	ASSERT(ev->refs);
	ev->refs--;
	mutex_unlock(&trace_mutex);
}

int trace_event_enable(struct trace_event *ev)
{
	int err = 0;

	if (!ev->users && trace_event_has_source(ev)) {
		if (ev->key)
			static_key_inc(ev->key);
		else
			err = ev->ops->enable(ev);
	}
	if (!err)
		ev->users++;
	return err;
}

void trace_event_disable(struct trace_event *ev)
{
	ASSERT(ev->users);
	if (--ev->users || !trace_event_has_source(ev))
		return;
	if (ev->key)
		static_key_dec(ev->key);
	else
		ev->ops->disable(ev);
}

static int name_order(const void *a, const void *b)
{
	const struct trace_event *x = *(struct trace_event *const *)a;
	const struct trace_event *y = *(struct trace_event *const *)b;
	int order = strcmp(x->system, y->system);

	return order ? order : strcmp(x->name, y->name);
}

/* Static events, by system and name, so that numbers do not depend on the
 * order of linking.
 */
static int trace_boot(void)
{
	struct trace_event *const *pos, **events;
	u32 i, n = 0;

	linkset_for_each(pos, trace_events)
		n++;
	events = kmalloc(n * sizeof(struct trace_event *), GFP_KERNEL);
	if (!events)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		events[i] = __start_set_trace_events[i];
	sort(events, n, sizeof(events[0]), name_order);
	for (i = 0; i < n; i++)
		CHECK(!trace_event_register(events[i]));
	kfree(events);
	return 0;
}
INITCALL(INIT_CORE, trace_boot);
