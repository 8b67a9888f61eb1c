/* SPDX-License-Identifier: MIT */
/*
 * Inodes: their life, who may do what with them, and their time stamps.
 *
 * Entry points: inode_new, inode_get/put, inode_permission, the counting of
 * writers against running programs.  An inode's fields are guarded by its
 * lock, save where fs.h says otherwise; the permission check reads mode and
 * owner without it, as a change of mode races with an open anyway.
 */
#include "internal.h"

#include <kernel/pagecache.h>
#include <kernel/random.h>
#include <kernel/time.h>
#include <lib/hash.h>

static struct kmem_cache *inode_cache;

struct timespec64 fs_now(void)
{
	u64 ns = time_real_ns();
	u64 sec = ns / NSEC_PER_SEC;

	return (struct timespec64){ .sec = (s64)sec,
				    .nsec = (s64)(ns - sec * NSEC_PER_SEC) };
}

struct inode *inode_new(struct super *sb, u32 mode)
{
	static u64 generation_seed;
	struct inode *i;

	if (unlikely(!inode_cache))
		inode_cache = kmem_cache_create("inode", sizeof(*i), 16);
	i = kmem_cache_alloc(inode_cache, GFP_KERNEL);
	if (!i)
		return NULL;
	memzero(i, sizeof(*i));
	ref_init(&i->refs);
	i->sb = sb;
	i->ino = __atomic_add_fetch(&sb->next_ino, 1, __ATOMIC_RELAXED);
	if (unlikely(!generation_seed))
		generation_seed = random_u64() | 1;
	i->generation = (u32)hash_u64(generation_seed + i->ino);
	i->mode = mode;
	i->nlink = 1;
	i->atime = i->mtime = i->ctime = fs_now();
	mutex_init(&i->lock, LOCK_RANK_INODE);
	page_cache_init(&i->cache, i, &i->size, NULL, true);
	return i;
}

struct inode *inode_get(struct inode *inode)
{
	ref_get(&inode->refs);
	return inode;
}

static void inode_free(struct reclaim_node *node)
{
	kmem_cache_free(inode_cache,
			container_of(node, struct inode, reclaim));
}

void inode_put(struct inode *inode)
{
	if (!ref_put(&inode->refs))
		return;
	if (unlikely(inode->watches != NULL))
		inotify_inode_gone(inode);
	if (unlikely(inode->locks != NULL))
		record_locks_free(inode);
	if (unlikely(inode->xattrs != NULL))
		xattrs_free(inode);
	if (unlikely(inode->fifo != NULL))
		fifo_inode_gone(inode);
	page_cache_destroy(&inode->cache);
	if (inode->ops && inode->ops->evict)
		inode->ops->evict(inode);
	reclaim_after(&inode->reclaim, inode_free);
}

/*
 * The permission bits alone: owner, group or others, then what capabilities
 * override.
 */
int permission_mode(struct inode *inode, u32 mask)
{
	const struct cred *c = current_cred();
	u32 mode = inode->mode;

	if (c->fsuid == inode->uid)
		mode >>= 6;
	else if ((((mode >> 3) ^ mode) & mask) &&
		 in_group(c, inode->gid))
		mode >>= 3;
	if ((mask & ~mode & 7) == 0)
		return 0;
	if (S_ISDIR(inode->mode)) {
		if (!(mask & MAY_WRITE) && cred_has(c, CAP_DAC_READ_SEARCH))
			return 0;
		return cred_has(c, CAP_DAC_OVERRIDE) ? 0 : -EACCES;
	}
	if (mask == MAY_READ && cred_has(c, CAP_DAC_READ_SEARCH))
		return 0;
	if ((!(mask & MAY_EXEC) || (inode->mode & 0111)) &&
	    cred_has(c, CAP_DAC_OVERRIDE))
		return 0;
	return -EACCES;
}

int inode_permission(struct inode *inode, u32 mask)
{
	u32 all = mask * 0111;

	if (unlikely(inode->ops && inode->ops->permission))
		return inode->ops->permission(inode, mask);
	/* What everyone may do needs no look at who asks. */
	if (likely((inode->mode & all) == all))
		return 0;
	return permission_mode(inode, mask);
}

bool inode_owner_or_capable(struct inode *inode)
{
	const struct cred *c = current_cred();

	return c->fsuid == inode->uid || cred_has(c, CAP_FOWNER);
}

int inode_get_write(struct inode *inode)
{
	s32 old = load_relaxed(&inode->write_count);

	do {
		if (old < 0)
			return -ETXTBSY;
	} while (!try_cmpxchg_acq_rel(&inode->write_count, &old, old + 1));
	return 0;
}

void inode_put_write(struct inode *inode)
{
	fetch_add_acq_rel(&inode->write_count, -1);
}

int inode_deny_write(struct inode *inode)
{
	s32 old = load_relaxed(&inode->write_count);

	do {
		if (old > 0)
			return -ETXTBSY;
	} while (!try_cmpxchg_acq_rel(&inode->write_count, &old, old - 1));
	return 0;
}

void inode_allow_write(struct inode *inode)
{
	fetch_add_acq_rel(&inode->write_count, 1);
}

bool path_noexec(const struct path *path)
{
	return path->mnt && (READ_ONCE(path->mnt->flags) & MS_NOEXEC);
}

/* Contents or names changed (mtime), or only attributes. */
void inode_touch(struct inode *inode, bool mtime)
{
	inode->ctime = fs_now();
	if (mtime)
		inode->mtime = inode->ctime;
}

static bool older(const struct timespec64 *a, const struct timespec64 *b)
{
	return a->sec < b->sec || (a->sec == b->sec && a->nsec <= b->nsec);
}

/* The rule of relatime: at most once per change, and once a day. */
void file_accessed(struct file *f)
{
	struct inode *i = f->inode;
	u32 mnt_flags = f->path.mnt ? READ_ONCE(f->path.mnt->flags) : 0;

	if ((f->flags & O_NOATIME) || (mnt_flags & (MS_NOATIME | MS_RDONLY)))
		return;
	if (S_ISDIR(i->mode) && (mnt_flags & MS_NODIRATIME))
		return;
	if (!older(&i->atime, &i->mtime) && !older(&i->atime, &i->ctime) &&
	    !(mnt_flags & MS_STRICTATIME)) {
		struct timespec64 now = fs_now();

		if (now.sec - i->atime.sec < 24 * 60 * 60)
			return;
	}
	i->atime = fs_now();
}

/* [inode->lock] A write or truncation by others ends set-user-id. */
void inode_strip_suid(struct inode *inode)
{
	u32 mode = inode->mode;

	if (likely(!(mode & (S_ISUID | S_ISGID))) || !S_ISREG(mode) ||
	    capable(CAP_FSETID))
		return;
	inode->mode &= ~S_ISUID;
	if ((mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP))
		inode->mode &= ~S_ISGID;
}
