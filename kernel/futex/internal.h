/* SPDX-License-Identifier: MIT */
/*
 * Futexes: keys, buckets, and the waiters queued in them.
 *
 * A key is (mm, page address) for private memory, or (page cache, index) for
 * a page of one, plus the offset in the page.  A bucket's spin lock
 * guards its list and the bucket pointer of the waiters on it; user memory is
 * touched under it only without serving faults.  Two buckets are locked by
 * address.
 *
 * bucket == NULL, stored with release order as the last word that a waker
 * writes, tells a waiter that it was woken (or was given the PI lock).
 */
#ifndef SONDE_KERNEL_FUTEX_INTERNAL_H
#define SONDE_KERNEL_FUTEX_INTERNAL_H

#include <kernel/futex.h>
#include <kernel/lock.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <linux/futex.h>

#define FUTEX_SHARED 1u		/* flags of the functions below */

struct futex_key {
	u64 space;		/* mm or page cache, as a number */
	u64 page;		/* page address or index */
	u32 offset;		/* in the page; bit 12: not private, mm key */
};

struct futex_bucket {
	struct spinlock lock;
	struct list_head waiters;	/* [lock] futex_waiter.link */
};

struct futex_waiter {
	struct list_head link;		/* [bucket lock] */
	struct futex_bucket *bucket;	/* [bucket lock] NULL: woken */
	struct futex_key key;		/* [bucket lock] changes on requeue */
	struct task *task;		/* [I] */
	u32 bitset;			/* [I] */
	bool pi;			/* [bucket lock] waits for a PI one */
	bool to_pi;			/* [bucket lock] will be moved */
	struct futex_key pi_key;	/* [I] of that PI lock */
	struct task *owner;		/* [pi_lock] of the PI lock */
	struct list_head pi_link;	/* [pi_lock] all PI waiters */
	u32 __user *uaddr;		/* [I] the PI word */
};

/* key.c */
int futex_key(u32 __user *uaddr, u32 flags, struct futex_key *key);
struct futex_bucket *futex_bucket(const struct futex_key *key);
static inline bool futex_key_same(const struct futex_key *a,
				  const struct futex_key *b)
{
	return a->space == b->space && a->page == b->page &&
	       a->offset == b->offset;
}
/* Read the word without serving a fault; -EFAULT when that did not do. */
int futex_peek(u32 *val, u32 __user *uaddr);
/* Make the word writable, after a swap or an operation that could not do:
 * 0, or -EFAULT where the mapping forbids it. */
int futex_fault_in(u32 __user *uaddr);
/* Swap without serving a fault: 0 and *seen, or -EFAULT. */
int futex_swap(u32 __user *uaddr, u32 old, u32 fresh, u32 *seen);
struct futex_bucket *futex_bucket_at(u32 n);	/* NULL past the last */

/* wait.c */
void futex_queue(struct futex_bucket *b, struct futex_waiter *w);
/* Off the list; true if it was still there, false if it was woken. */
bool futex_unqueue(struct futex_waiter *w);
/* Queue w if the word still holds val.  0, -EAGAIN, -EFAULT, -EINVAL. */
int futex_wait_queue(u32 __user *uaddr, u32 flags, u32 val,
		     struct futex_waiter *w);
long futex_wait(u32 __user *uaddr, u32 flags, u32 val, u64 deadline,
		u32 bitset, bool restartable);

/* wake.c */
/* [bucket lock] Off the list and awake; w is its owner's from then on. */
void futex_wake_waiter(struct futex_waiter *w);
long futex_wake_flags(u32 __user *uaddr, u32 flags, u32 nr, u32 bitset);
long futex_requeue(u32 __user *uaddr, u32 flags, u32 __user *uaddr2,
		   s32 nr_wake, s32 nr_requeue, const u32 *cmp);
long futex_wake_op(u32 __user *uaddr, u32 flags, u32 __user *uaddr2,
		   s32 nr_wake, s32 nr_wake2, u32 op);

/* pi.c */
long futex_lock_pi(u32 __user *uaddr, u32 flags, u64 deadline, bool try);
long futex_unlock_pi(u32 __user *uaddr, u32 flags);
void futex_exit_pi(struct task *t);
bool futex_exit_pi_word(u32 __user *uaddr, struct task *t);
/* Longer than the word's owner needs to go away, when that is -EBUSY. */
int futex_pi_pause(void);
/*
 * [bucket lock] One attempt on the word for who.  0: it is who's (with
 * FUTEX_WAITERS if more).  FUTEX_HELD: *owner is to be waited for.
 * FUTEX_CHANGED: look again.  -EBUSY: its owner is going.  Else an error, such
 * as -EAGAIN for a held lock with owner NULL.
 */
#define FUTEX_HELD    1
#define FUTEX_CHANGED 2
int futex_pi_try(u32 __user *uaddr, struct futex_bucket *b,
		 const struct futex_key *key, struct task *who, bool more,
		 struct task **owner);
/* w waits for owner from here: takes over the reference to it, or -EDEADLK, or
 * -EBUSY when the owner is going. */
int futex_pi_attach(struct futex_waiter *w, struct task *owner);
void futex_pi_detach(struct futex_waiter *w);

/* requeue_pi.c */
long futex_wait_requeue_pi(u32 __user *uaddr, u32 flags, u32 val, u64 deadline,
			   u32 __user *uaddr2);
long futex_requeue_pi(u32 __user *uaddr, u32 flags, u32 __user *uaddr2,
		      s32 nr_wake, s32 nr_requeue, u32 cmp);

#endif /* SONDE_KERNEL_FUTEX_INTERNAL_H */
