/* SPDX-License-Identifier: MIT */
/*
 * What each real user id has in use: processes, queued signals, locked
 * pages.
 *
 * Owns the table of struct user.  A user exists while a credential or a
 * queued signal names it; root's is static.
 *
 * Locks: user_lock for the table; the counts are atomic and belong to
 * whoever charges them.
 */
#include <kernel/cred.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <lib/hash.h>

#define USER_HASH_BITS 6

struct user root_user = {
	.refs = REF_INIT(1),
};

static struct spinlock user_lock = SPINLOCK_INIT(LOCK_RANK_CRED);
static struct user *user_hash[1 << USER_HASH_BITS];	/* [user_lock] */

static struct user **user_bucket(u32 uid)
{
	return &user_hash[hash_u64_bits(uid, USER_HASH_BITS)];
}

static struct user *user_lookup_locked(u32 uid)
{
	struct user *u;

	for (u = *user_bucket(uid); u; u = u->next) {
		if (u->uid == uid && ref_get_unless_zero(&u->refs))
			return u;
	}
	return NULL;
}

struct user *user_find_get(u32 uid)
{
	struct user *fresh, *u;
	unsigned long flags;

	if (uid == 0)
		return user_get(&root_user);
	flags = spin_lock_irqsave(&user_lock);
	u = user_lookup_locked(uid);
	spin_unlock_irqrestore(&user_lock, flags);
	if (u)
		return u;

	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL);
	if (!fresh)
		return NULL;
	ref_init(&fresh->refs);
	fresh->uid = uid;
	flags = spin_lock_irqsave(&user_lock);
	u = user_lookup_locked(uid);
	if (!u) {
		fresh->next = *user_bucket(uid);
		*user_bucket(uid) = fresh;
		u = fresh;
		fresh = NULL;
	}
	spin_unlock_irqrestore(&user_lock, flags);
	kfree(fresh);
	return u;
}

struct user *user_get(struct user *u)
{
	ref_get(&u->refs);
	return u;
}

void user_put(struct user *u)
{
	unsigned long flags;
	struct user **link;

	if (!ref_put(&u->refs))
		return;
	/* Nobody can take a new reference: look-ups refuse a zero count. */
	flags = spin_lock_irqsave(&user_lock);
	for (link = user_bucket(u->uid); *link; link = &(*link)->next) {
		if (*link == u) {
			*link = u->next;
			break;
		}
	}
	spin_unlock_irqrestore(&user_lock, flags);
	kfree(u);
}
