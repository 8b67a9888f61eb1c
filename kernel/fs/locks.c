/* SPDX-License-Identifier: MIT */
/*
 * Record locks (fcntl, also of open files) and flock.
 *
 * All locks of an inode hang at inode->locks; locks_mutex guards every list
 * and the graph of who waits for whom, which one search for a circle needs as
 * a whole.  A lock has an owner: the descriptor table (POSIX), the open file
 * (OFD and flock).  Sleepers wait on the inode's queue and try again from
 * the start after any release.
 */
#include "internal.h"

#include <kernel/file.h>
#include <kernel/syscall.h>
#include <kernel/wait.h>

enum lock_kind { KIND_POSIX, KIND_OFD, KIND_FLOCK };

struct record {
	struct list_head link;		/* [locks_mutex] */
	enum lock_kind kind;
	const void *owner;
	s16 type;			/* F_RDLCK or F_WRLCK */
	u64 start, end;			/* last byte included */
	s32 pid;
};

struct record_locks {
	struct list_head list;		/* [locks_mutex] */
	struct wait_queue wq;
};

/* Who sleeps for which owner's lock. */
struct lock_waiter {
	struct list_head link;		/* [locks_mutex] */
	const void *owner;		/* the sleeper */
	const void *blocker;		/* whose lock it waits for */
};

static struct mutex locks_mutex = MUTEX_INIT(locks_mutex, LOCK_RANK_LOCKS);
static LIST_HEAD(lock_waiters);

/* [locks_mutex] */
static struct record_locks *locks_of(struct inode *inode)
{
	struct record_locks *rl = inode->locks;

	if (!rl) {
		rl = kzalloc(sizeof(*rl), GFP_KERNEL);
		if (!rl)
			return NULL;
		list_init(&rl->list);
		wait_queue_init(&rl->wq);
		inode->locks = rl;
	}
	return rl;
}

void record_locks_free(struct inode *inode)
{
	struct record *r, *n;

	list_for_each_entry_safe(r, n, &inode->locks->list, link)
		kfree(r);
	kfree(inode->locks);
	inode->locks = NULL;
}

static bool same_owner(const struct record *a, const struct record *b)
{
	return a->kind == b->kind && a->owner == b->owner;
}

static bool conflicts(const struct record *held, const struct record *want)
{
	if ((held->kind == KIND_FLOCK) != (want->kind == KIND_FLOCK))
		return false;
	if (same_owner(held, want))
		return false;
	if (held->type != F_WRLCK && want->type != F_WRLCK)
		return false;
	return held->start <= want->end && want->start <= held->end;
}

/* [locks_mutex] */
static struct record *find_conflict(struct record_locks *rl,
				    const struct record *want)
{
	struct record *r;

	list_for_each_entry(r, &rl->list, link)
		if (conflicts(r, want))
			return r;
	return NULL;
}

/*
 * [locks_mutex] Replace what the owner holds in want's range by want (by
 * nothing for F_UNLCK).  spare: two records, in case one is split; taken
 * ones become NULL.
 */
static void apply(struct record_locks *rl, const struct record *want,
		  struct record *spare[2])
{
	struct record *r, *n;

	list_for_each_entry_safe(r, n, &rl->list, link) {
		if (!same_owner(r, want))
			continue;
		if (r->end < want->start || r->start > want->end)
			continue;
		if (r->start < want->start && r->end > want->end) {
			/* The middle goes: the tail becomes its own. */
			struct record *tail = spare[0];

			spare[0] = NULL;
			*tail = *r;
			tail->start = want->end + 1;
			r->end = want->start - 1;
			list_add(&tail->link, &r->link);
		} else if (r->start < want->start) {
			r->end = want->start - 1;
		} else if (r->end > want->end) {
			r->start = want->end + 1;
		} else {
			list_del(&r->link);
			kfree(r);
		}
	}
	if (want->type == F_UNLCK)
		return;
	*spare[1] = *want;
	list_add_tail(&spare[1]->link, &rl->list);
	spare[1] = NULL;
}

/* [locks_mutex] Join neighbours of one owner and type. */
static void join(struct record_locks *rl, const struct record *like)
{
	struct record *a, *b, *n;

	list_for_each_entry(a, &rl->list, link) {
		if (!same_owner(a, like) || a->type != like->type)
			continue;
		list_for_each_entry_safe(b, n, &rl->list, link) {
			if (b == a || !same_owner(b, a) || b->type != a->type)
				continue;
			if (b->start == a->end + 1 && a->end != ~0ull)
				a->end = b->end;
			else if (a->start == b->end + 1 && b->end != ~0ull)
				a->start = b->start;
			else
				continue;
			list_del(&b->link);
			kfree(b);
		}
	}
}

/* [locks_mutex] Does blocker wait, over others perhaps, for owner? */
static bool would_deadlock(const void *owner, const void *blocker)
{
	struct lock_waiter *w;

	for (int depth = 0; depth < 64; depth++) {
		const void *next = NULL;

		if (blocker == owner)
			return true;
		list_for_each_entry(w, &lock_waiters, link) {
			if (w->owner == blocker) {
				next = w->blocker;
				break;
			}
		}
		if (!next)
			return false;
		blocker = next;
	}
	return false;
}

/* [locks_mutex, dropped while asleep] Something may have been released. */
static int sleep_on(struct record_locks *rl, const struct record *want,
		    const void *blocker)
{
	struct lock_waiter w = { .owner = want->owner, .blocker = blocker };
	struct wait_node node = { 0 };
	int ret = 0;

	if (want->kind == KIND_POSIX && would_deadlock(want->owner, blocker))
		return -EDEADLK;
	list_add(&w.link, &lock_waiters);
	wait_prepare(&rl->wq, &node, TASK_INTERRUPTIBLE);
	mutex_unlock(&locks_mutex);
	if (signal_pending(current))
		ret = -ERESTARTSYS;
	else
		schedule();
	wait_finish(&rl->wq, &node);
	mutex_lock(&locks_mutex);
	list_del(&w.link);
	return ret;
}

static int set_record(struct inode *inode, const struct record *want,
		      bool wait)
{
	struct record *spare[2];
	struct record_locks *rl;
	struct record *r;
	int ret = -ENOLCK;

	spare[0] = kmalloc(sizeof(*r), GFP_KERNEL);
	spare[1] = kmalloc(sizeof(*r), GFP_KERNEL);
	if (!spare[0] || !spare[1])
		goto free_spare;
	mutex_lock(&locks_mutex);
	rl = locks_of(inode);
	while (rl) {
		r = want->type == F_UNLCK ? NULL : find_conflict(rl, want);
		if (!r) {
			apply(rl, want, spare);
			join(rl, want);
			wake_up_all(&rl->wq);
			ret = 0;
			break;
		}
		ret = wait ? sleep_on(rl, want, r->owner) : -EAGAIN;
		if (ret)
			break;
	}
	mutex_unlock(&locks_mutex);
free_spare:
	kfree(spare[0]);
	kfree(spare[1]);
	return ret;
}

static void remove_owned(struct inode *inode, const void *owner,
			 bool posix)
{
	struct record_locks *rl;
	struct record *r, *n;

	mutex_lock(&locks_mutex);
	rl = inode->locks;
	list_for_each_entry_safe(r, n, &rl->list, link) {
		if (r->owner != owner || (r->kind == KIND_POSIX) != posix)
			continue;
		list_del(&r->link);
		kfree(r);
	}
	wake_up_all(&rl->wq);
	mutex_unlock(&locks_mutex);
}

void locks_remove_posix(struct file *f, const void *owner)
{
	remove_owned(f->inode, owner, true);
}

void locks_remove_file(struct file *f)
{
	remove_owned(f->inode, f, false);
}

/* ---- fcntl ------------------------------------------------------------ */

static int to_record(struct file *f, u32 cmd, const struct flock *fl,
		     struct record *r)
{
	bool ofd = cmd == F_OFD_GETLK || cmd == F_OFD_SETLK ||
		   cmd == F_OFD_SETLKW;
	s64 base, start, end;

	switch (fl->l_whence) {
	case SEEK_SET:
		base = 0;
		break;
	case SEEK_CUR:
		base = (s64)f->pos;
		break;
	case SEEK_END:
		base = (s64)load_relaxed(&f->inode->size);
		break;
	default:
		return -EINVAL;
	}
	if (__builtin_add_overflow(base, fl->l_start, &start))
		return -EOVERFLOW;
	if (start < 0)
		return -EINVAL;
	end = S64_MAX;
	if (fl->l_len > 0) {
		if (__builtin_add_overflow(start, fl->l_len - 1, &end))
			return -EOVERFLOW;
	} else if (fl->l_len < 0) {
		end = start - 1;
		start += fl->l_len;
		if (start < 0)
			return -EINVAL;
	}
	if (fl->l_type != F_RDLCK && fl->l_type != F_WRLCK &&
	    fl->l_type != F_UNLCK)
		return -EINVAL;
	if (ofd && fl->l_pid)
		return -EINVAL;
	*r = (struct record){
		.kind = ofd ? KIND_OFD : KIND_POSIX,
		.owner = ofd ? (const void *)f : current->files,
		.type = fl->l_type,
		.start = (u64)start,
		.end = (u64)end,
		.pid = ofd ? -1 : task_tgid(current),
	};
	return 0;
}

long fcntl_getlk(struct file *f, u32 cmd, u64 arg)
{
	struct flock __user *ufl = user_ptr(arg);
	struct record want, *r;
	struct flock fl;
	int ret;

	if (copy_from_user(&fl, ufl, sizeof(fl)))
		return -EFAULT;
	if (fl.l_type != F_RDLCK && fl.l_type != F_WRLCK)
		return -EINVAL;
	ret = to_record(f, cmd, &fl, &want);
	if (ret)
		return ret;
	mutex_lock(&locks_mutex);
	r = f->inode->locks ? find_conflict(f->inode->locks, &want) : NULL;
	fl.l_type = F_UNLCK;
	if (r) {
		fl.l_type = r->type;
		fl.l_whence = SEEK_SET;
		fl.l_start = (s64)r->start;
		fl.l_len = r->end == (u64)S64_MAX ?
				   0 : (s64)(r->end - r->start + 1);
		fl.l_pid = r->pid;
	}
	mutex_unlock(&locks_mutex);
	return copy_to_user(ufl, &fl, sizeof(fl));
}

long fcntl_setlk(struct file *f, u32 cmd, u64 arg)
{
	struct record want;
	struct flock fl;
	int ret;

	if (copy_from_user(&fl, (void __user *)user_ptr(arg), sizeof(fl)))
		return -EFAULT;
	ret = to_record(f, cmd, &fl, &want);
	if (ret)
		return ret;
	if ((fl.l_type == F_RDLCK && !(f->mode & FMODE_READ)) ||
	    (fl.l_type == F_WRLCK && !(f->mode & FMODE_WRITE)))
		return -EBADF;
	return set_record(f->inode, &want,
			  cmd == F_SETLKW || cmd == F_OFD_SETLKW);
}

SYSCALL2(flock, int, fd, u32, op)
{
	struct record want = { .kind = KIND_FLOCK, .end = S64_MAX };
	struct fdref r;
	long ret;

	switch (op & ~(u32)LOCK_NB) {
	case LOCK_SH:
		want.type = F_RDLCK;
		break;
	case LOCK_EX:
		want.type = F_WRLCK;
		break;
	case LOCK_UN:
		want.type = F_UNLCK;
		break;
	default:
		return -EINVAL;
	}
	r = fdget(fd);
	if (!r.file)
		return -EBADF;
	want.owner = r.file;
	want.pid = task_tgid(current);
	ret = set_record(r.file->inode, &want, !(op & LOCK_NB));
	fdput(r);
	return ret;
}
