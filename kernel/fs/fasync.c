/* SPDX-License-Identifier: MIT */
/*
 * Who gets SIGIO from a file (O_ASYNC).
 *
 * Each subscriber list belongs to a driver; list->lock guards changes and may
 * be taken in interrupts.  Sending walks the list under reclaim_read_lock
 * instead, because the signal takes locks that come before this one; entries
 * and files are freed through reclaim_after().
 */
#include "internal.h"

struct fasync_entry {
	struct list_head link;		/* [list lock, reclaim] */
	struct file *file;		/* [I] not referenced: removed first */
	int fd;				/* [I] as whom the owner knows it */
	struct reclaim_node reclaim;
};

static void entry_free(struct reclaim_node *node)
{
	kfree(container_of(node, struct fasync_entry, reclaim));
}

/* 1 when something changed, 0 when not, or -ENOMEM. */
int fasync_update(struct file *f, struct fasync_list *list, bool on)
{
	struct fasync_entry *e, *found = NULL, *fresh = NULL;
	unsigned long flags;

	if (on) {
		fresh = kzalloc(sizeof(*fresh), GFP_KERNEL);
		if (!fresh)
			return -ENOMEM;
		fresh->file = f;
		fresh->fd = f->async_fd;
	}
	flags = spin_lock_irqsave(&list->lock);
	list_for_each_entry(e, &list->entries, link) {
		if (e->file == f) {
			found = e;
			break;
		}
	}
	if (on && !found) {
		list_add_tail_pub(&fresh->link, &list->entries);
		fresh = NULL;
	} else if (!on && found) {
		list_del_pub(&found->link);
		reclaim_after(&found->reclaim, entry_free);
	}
	spin_unlock_irqrestore(&list->lock, flags);
	kfree(fresh);
	return on ? !found : found != NULL;
}

void fasync_kill(struct fasync_list *list, long band, int code)
{
	struct fasync_entry *e;

	if (list_empty(&list->entries))
		return;
	reclaim_read_lock();
	list_for_each_entry_pub(e, &list->entries, link)
		signal_send_owner(&e->file->owner, e->fd, band, code);
	reclaim_read_unlock();
}
