/* SPDX-License-Identifier: MIT */
/*
 * inotify: watches on inodes, events as records to read.
 *
 * inotify_mutex guards every list of watches, of an inode (inode->watches)
 * and of an instance; a queue of events has its instance's spin lock.  An
 * inode is kept alive by its watches.  fs_notify() costs one load where
 * nobody watches.  Events of a name go to the watches of its directory, and
 * so do those of an open file, under the name that it was opened by.
 */
#include "internal.h"

#include <arch/barrier.h>
#include <kernel/file.h>
#include <kernel/syscall.h>
#include <kernel/wait.h>
#include <lib/printf.h>
#include <linux/inotify.h>
#include <linux/ioctls.h>

#define MAX_EVENTS  16384
#define MAX_WATCHES 65536

struct event {
	struct list_head link;		/* [instance lock] */
	s32 wd;
	u32 mask, cookie;
	u32 len;			/* of the name with padding */
	char name[];
};

struct inotify {
	struct ref refs;		/* the file and each watch */
	struct spinlock lock;		/* LOCK_RANK_INODE_SPIN */
	struct list_head events;	/* [lock] */
	u32 nr_events;			/* [lock] */
	u32 bytes;			/* [lock] what FIONREAD says */
	struct list_head watches;	/* [inotify_mutex] */
	s32 next_wd;			/* [inotify_mutex] */
	u32 nr_watches;			/* [inotify_mutex] */
	struct wait_queue wq;
};

struct watch {
	struct watch *next;		/* [inotify_mutex] of the inode */
	struct list_head link;		/* [inotify_mutex] of the instance */
	struct inotify *in;		/* [I] referenced */
	struct inode *inode;		/* [I] referenced */
	u32 mask;			/* [inotify_mutex] */
	s32 wd;				/* [I] */
};

static struct mutex inotify_mutex =
	MUTEX_INIT(inotify_mutex, LOCK_RANK_INOTIFY);

u32 fs_watches;			/* [inotify_mutex] writes */

static void inotify_put(struct inotify *in)
{
	struct event *e, *n;

	if (!ref_put(&in->refs))
		return;
	list_for_each_entry_safe(e, n, &in->events, link)
		kfree(e);
	kfree(in);
}

static bool same_event(const struct event *a, const struct event *b)
{
	return a->wd == b->wd && a->mask == b->mask &&
	       a->cookie == b->cookie && a->len == b->len &&
	       !memcmp(a->name, b->name, a->len);
}

static void queue_event(struct inotify *in, s32 wd, u32 mask, u32 cookie,
			const char *name)
{
	u32 len = name ? ALIGN_UP((u32)strlen(name) + 1, 16u) : 0;
	struct event *e = kzalloc(sizeof(*e) + len, GFP_KERNEL);

	if (!e)
		return;
	e->wd = wd;
	e->mask = mask;
	e->cookie = cookie;
	e->len = len;
	if (name)
		memcpy(e->name, name, strlen(name));
	spin_lock(&in->lock);
	if (!list_empty(&in->events) &&
	    same_event(list_last_entry(&in->events, struct event, link), e)) {
		spin_unlock(&in->lock);
		kfree(e);
		return;
	}
	if (in->nr_events >= MAX_EVENTS) {
		if (in->nr_events > MAX_EVENTS) {
			spin_unlock(&in->lock);
			kfree(e);
			return;
		}
		e->wd = -1;
		e->mask = IN_Q_OVERFLOW;
		e->len = 0;
	}
	list_add_tail(&e->link, &in->events);
	in->nr_events++;
	in->bytes += (u32)sizeof(struct inotify_event) + e->len;
	spin_unlock(&in->lock);
	wake_up_poll(&in->wq, POLLIN | POLLRDNORM);
}

/* [inotify_mutex] Unlinked from both sides; the caller puts the inode. */
static struct inode *watch_remove(struct watch *w, bool tell)
{
	struct inode *inode = w->inode;
	struct watch **p = &inode->watches;

	while (*p != w)
		p = &(*p)->next;
	WRITE_ONCE(*p, w->next);
	list_del(&w->link);
	w->in->nr_watches--;
	WRITE_ONCE(fs_watches, fs_watches - 1);
	if (tell)
		queue_event(w->in, w->wd, IN_IGNORED, 0, NULL);
	inotify_put(w->in);
	kfree(w);
	return inode;
}

/* unlinked: by way of a file whose name is gone. */
static void notify(struct inode *inode, u32 mask, const char *name, u32 cookie,
		   bool unlinked)
{
	struct inode *drop = NULL;
	struct watch *w, *next;
	u32 dir = S_ISDIR(inode->mode) && !name ? IN_ISDIR : 0;
	bool gone = mask & IN_DELETE_SELF;
	u32 drops = 0;

	mutex_lock(&inotify_mutex);
	for (w = inode->watches; w; w = next) {
		u32 hit = w->mask & mask & IN_ALL_EVENTS;

		next = w->next;
		if (unlinked && (w->mask & IN_EXCL_UNLINK))
			continue;
		if (hit)
			queue_event(w->in, w->wd,
				    hit | (mask & IN_ISDIR) |
					    (gone ? 0 : dir),
				    cookie, name);
		if (gone || (hit && (w->mask & IN_ONESHOT))) {
			drop = watch_remove(w, true);
			drops++;
		}
	}
	mutex_unlock(&inotify_mutex);
	while (drops--)
		inode_put(drop);
}

void fs_notify_slow(struct inode *inode, u32 mask)
{
	notify(inode, mask, NULL, 0, false);
}

void fs_notify_name(struct inode *dir, u32 mask, const char *name, u32 cookie)
{
	if (unlikely(READ_ONCE(dir->watches) != NULL))
		notify(dir, mask, name, cookie, false);
}

/* The folder first; a name that just changes may be told as the old one. */
void fs_notify_dentry_slow(struct dentry *d, u32 mask)
{
	struct dentry *parent;
	char *name = NULL;
	bool unlinked;

	if (!d || !d->inode)
		return;
	spin_lock(&dcache_lock);
	parent = dentry_get(d->parent);
	unlinked = (d->flags & DENTRY_UNHASHED) && parent != d &&
		   (mask & (IN_OPEN | IN_ACCESS | IN_MODIFY | IN_CLOSE_WRITE |
			    IN_CLOSE_NOWRITE));
	spin_unlock(&dcache_lock);
	if (parent != d && READ_ONCE(parent->inode->watches))
		name = kmalloc(NAME_MAX_LEN + 1, GFP_KERNEL);
	if (name) {
		spin_lock(&dcache_lock);
		memcpy(name, d->name, d->name_len);
		name[d->name_len] = 0;
		spin_unlock(&dcache_lock);
		notify(parent->inode,
		       mask | (S_ISDIR(d->inode->mode) ? IN_ISDIR : 0), name,
		       0, unlinked);
		kfree(name);
	}
	dentry_put(parent);
	if (READ_ONCE(d->inode->watches))
		notify(d->inode, mask, NULL, 0, unlinked);
}

/* Watches hold their inode, so a dying inode has none. */
void inotify_inode_gone(struct inode *inode)
{
	(void)inode;
}

/* ---- The file ----------------------------------------------------------- */

/* The first event if it fits in room; -EAGAIN, -EINVAL when it does not. */
static struct event *take_event(struct inotify *in, size_t room)
{
	struct event *e = ERR_PTR(-EAGAIN);

	spin_lock(&in->lock);
	if (!list_empty(&in->events)) {
		e = list_first_entry(&in->events, struct event, link);
		if (sizeof(struct inotify_event) + e->len > room) {
			e = ERR_PTR(-EINVAL);
		} else {
			list_del(&e->link);
			in->nr_events--;
			in->bytes -= (u32)sizeof(struct inotify_event) +
				     e->len;
		}
	}
	spin_unlock(&in->lock);
	return e;
}

static int put_event(struct uio *to, const struct event *e)
{
	struct inotify_event out = { .wd = e->wd, .mask = e->mask,
				     .cookie = e->cookie, .len = e->len };

	if (uio_put(to, &out, sizeof(out)) < sizeof(out) ||
	    uio_put(to, e->name, e->len) < e->len)
		return -EFAULT;
	return 0;
}

static ssize_t inotify_read(struct file *f, struct uio *to, u64 *pos)
{
	struct inotify *in = f->private;
	ssize_t done = 0;
	int ret = 0;

	for (;;) {
		struct event *e = take_event(in, to->left);

		if (!IS_ERR(e)) {
			ret = put_event(to, e);
			if (ret == 0)
				done += (ssize_t)(sizeof(struct inotify_event) +
						  e->len);
			kfree(e);
			if (ret)
				break;
			continue;
		}
		ret = (int)PTR_ERR(e);
		if (done || ret != -EAGAIN || (f->flags & O_NONBLOCK))
			break;
		ret = wait_event_interruptible(&in->wq,
					       READ_ONCE(in->nr_events));
		if (ret)
			break;
	}
	return done && ret != -EFAULT ? done : ret;
}

static u32 inotify_poll(struct file *f, struct poll_table *pt)
{
	struct inotify *in = f->private;

	poll_wait(pt, &in->wq);
	arch_smp_mb();
	return READ_ONCE(in->nr_events) ? POLLIN | POLLRDNORM : 0;
}

static long inotify_ioctl(struct file *f, u32 cmd, u64 arg)
{
	struct inotify *in = f->private;

	if (cmd != FIONREAD)
		return -ENOTTY;
	return put_user(READ_ONCE(in->bytes), (u32 __user *)user_ptr(arg));
}

static void inotify_release(struct file *f)
{
	struct inotify *in = f->private;

	for (;;) {
		struct inode *inode = NULL;

		mutex_lock(&inotify_mutex);
		if (!list_empty(&in->watches))
			inode = watch_remove(list_first_entry(&in->watches,
							      struct watch,
							      link),
					     false);
		mutex_unlock(&inotify_mutex);
		if (!inode)
			break;
		inode_put(inode);
	}
	inotify_put(in);
}

static const struct file_ops inotify_ops = {
	.read = inotify_read,
	.poll = inotify_poll,
	.ioctl = inotify_ioctl,
	.release = inotify_release,
	.llseek = no_llseek,
};

/* ---- System calls ------------------------------------------------------- */

SYSCALL1(inotify_init1, u32, flags)
{
	struct inotify *in;
	int fd;

	if (flags & ~(u32)(O_CLOEXEC | O_NONBLOCK))
		return -EINVAL;
	in = kzalloc(sizeof(*in), GFP_KERNEL);
	if (!in)
		return -ENOMEM;
	ref_init(&in->refs);
	spin_init(&in->lock, LOCK_RANK_INODE_SPIN);
	list_init(&in->events);
	list_init(&in->watches);
	wait_queue_init(&in->wq);
	in->next_wd = 1;
	fd = anon_fd("inotify", &inotify_ops, in, O_RDONLY | flags);
	if (fd < 0)
		inotify_put(in);
	return fd;
}

/* [inotify_mutex] spare becomes the watch when there is none yet. */
static int watch_set(struct inotify *in, struct inode *inode, u32 mask,
		     struct watch **spare)
{
	struct watch *w;

	for (w = inode->watches; w; w = w->next) {
		if (w->in != in)
			continue;
		if (mask & IN_MASK_CREATE)
			return -EEXIST;
		w->mask = mask & IN_MASK_ADD ? w->mask | mask : mask;
		return w->wd;
	}
	if (in->nr_watches >= MAX_WATCHES)
		return -ENOSPC;
	w = *spare;
	*spare = NULL;
	ref_get(&in->refs);
	w->in = in;
	w->inode = inode_get(inode);
	w->mask = mask;
	w->wd = in->next_wd++;
	in->nr_watches++;
	WRITE_ONCE(fs_watches, fs_watches + 1);
	list_add_tail(&w->link, &in->watches);
	w->next = inode->watches;
	WRITE_ONCE(inode->watches, w);
	return w->wd;
}

static int add_watch(struct inotify *in, const char __user *name, u32 mask)
{
	u32 look = mask & IN_DONT_FOLLOW ? 0 : LOOKUP_FOLLOW;
	struct watch *spare;
	struct path path;
	int ret;

	if (mask & IN_ONLYDIR)
		look |= LOOKUP_DIRECTORY;
	ret = path_lookup_user(AT_FDCWD, name, look, &path);
	if (ret)
		return ret;
	ret = inode_permission(path.dentry->inode, MAY_READ);
	spare = kzalloc(sizeof(*spare), GFP_KERNEL);
	if (ret == 0 && !spare)
		ret = -ENOMEM;
	if (ret == 0) {
		mutex_lock(&inotify_mutex);
		ret = watch_set(in, path.dentry->inode, mask, &spare);
		mutex_unlock(&inotify_mutex);
	}
	kfree(spare);
	path_put(&path);
	return ret;
}

SYSCALL3(inotify_add_watch, int, fd, const char __user *, name, u32, mask)
{
	struct fdref r;
	long ret = -EINVAL;

	if (!(mask & IN_ALL_EVENTS) ||
	    (mask & (IN_MASK_ADD | IN_MASK_CREATE)) ==
		    (IN_MASK_ADD | IN_MASK_CREATE))
		return -EINVAL;
	r = fdget(fd);
	if (!r.file)
		return -EBADF;
	if (r.file->ops == &inotify_ops)
		ret = add_watch(r.file->private, name, mask);
	fdput(r);
	return ret;
}

SYSCALL2(inotify_rm_watch, int, fd, s32, wd)
{
	struct fdref r = fdget(fd);
	struct inode *inode = NULL;
	struct inotify *in;
	struct watch *w;

	if (!r.file)
		return -EBADF;
	if (r.file->ops == &inotify_ops) {
		in = r.file->private;
		mutex_lock(&inotify_mutex);
		list_for_each_entry(w, &in->watches, link) {
			if (w->wd == wd) {
				inode = watch_remove(w, true);
				break;
			}
		}
		mutex_unlock(&inotify_mutex);
	}
	fdput(r);
	if (!inode)
		return -EINVAL;
	inode_put(inode);
	return 0;
}
