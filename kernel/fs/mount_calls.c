/* SPDX-License-Identifier: MIT */
/*
 * mount, umount2, pivot_root.
 *
 * Each call resolves its paths first, then takes mount_mutex to change the
 * tree.  Whole file systems, binds (also recursive), moves and remounts are
 * real; propagation types are accepted and change nothing, as every mount is
 * private here.
 */
#include "internal.h"
#include "mount.h"

#include <kernel/pid.h>
#include <kernel/syscall.h>

#define KEPT_FLAGS                                                        \
	(MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME |      \
	 MS_NODIRATIME | MS_RELATIME | MS_STRICTATIME | MS_NOSYMFOLLOW)
#define PROPAGATION (MS_SHARED | MS_PRIVATE | MS_SLAVE | MS_UNBINDABLE)

/* The flags of a struct mount from those of the call. */
static u32 kept_flags(u32 flags)
{
	u32 kept = flags & KEPT_FLAGS;

	if (!(flags & (MS_NOATIME | MS_STRICTATIME)))
		kept |= MS_RELATIME;
	return kept & ~MS_STRICTATIME;
}

/* Consumes m's reference, also on failure. */
static int attach(struct mount *m, const struct path *at)
{
	int ret = 0;

	mutex_lock(&mount_mutex);
	if (inode_is_dir(m->root->inode) !=
	    inode_is_dir(at->dentry->inode))
		ret = -ENOTDIR;
	else if ((at->dentry->flags & DENTRY_UNHASHED) &&
		 at->dentry->parent != at->dentry)
		ret = -ENOENT;
	else if (!mount_is_attached(at->mnt))
		ret = -EINVAL;
	else
		mount_attach_locked(m, at);
	mutex_unlock(&mount_mutex);
	if (ret)
		mount_put(m);
	return ret;
}

/*
 * [mount_mutex] All of the tree under m, children first, onto *gone; the
 * caller drops the tree's references once the mutex is free.
 */
static void detach_tree_locked(struct mount *m, struct list_head *gone)
{
	struct mount *at = m;

	for (;;) {
		struct mount *up;

		while (!list_empty(&at->children))
			at = list_first_entry(&at->children, struct mount,
					      sibling);
		up = at->parent;
		mount_detach_locked(at);
		list_add_tail(&at->gone, gone);
		if (at == m)
			return;
		at = up;
	}
}

static void put_all(struct list_head *gone)
{
	struct mount *m, *n;

	list_for_each_entry_safe(m, n, gone, gone)
		mount_put(m);
}

static int do_new_mount(const struct path *at, const char *type_name,
			const char *source, u32 flags, const char *data)
{
	struct fs_type *type;
	struct mount *m;

	if (!type_name)
		return -EINVAL;
	type = fs_type_find(type_name, strlen(type_name));
	if (!type)
		return -ENODEV;
	m = mount_make(type, source, kept_flags(flags), data);
	if (IS_ERR(m))
		return (int)PTR_ERR(m);
	/* The same file system on the same place once is enough. */
	if (at->mnt->sb == m->sb && at->mnt->root == at->dentry) {
		mount_put(m);
		return -EBUSY;
	}
	return attach(m, at);
}

static struct mount *clone_mount(struct mount *old, struct dentry *root)
{
	ref_get(&old->sb->refs);
	return mount_new(old->sb, root, old->source, old->flags);
}

/* [mount_mutex] Clone what is mounted below old (under root) onto fresh. */
static int clone_children(struct mount *old, struct dentry *root,
			  struct mount *fresh, u32 depth)
{
	struct mount *c, *n;

	if (depth > 32)
		return -ELOOP;
	list_for_each_entry_safe(c, n, &old->children, sibling) {
		struct path at = { fresh, c->mountpoint };
		struct mount *copy;
		int ret;

		if (c == fresh || !dentry_is_below(c->mountpoint, root))
			continue;
		copy = clone_mount(c, c->root);
		if (IS_ERR(copy))
			return (int)PTR_ERR(copy);
		mount_attach_locked(copy, &at);
		ret = clone_children(c, c->root, copy, depth + 1);
		if (ret)
			return ret;
	}
	return 0;
}

static int do_bind(const struct path *at, const char *source, bool recursive)
{
	struct path old;
	struct mount *m;
	int ret;

	if (!source || !*source)
		return -EINVAL;
	ret = path_lookup(AT_FDCWD, source, LOOKUP_FOLLOW, &old);
	if (ret)
		return ret;
	m = clone_mount(old.mnt, old.dentry);
	if (IS_ERR(m)) {
		ret = (int)PTR_ERR(m);
	} else {
		ret = attach(m, at);
		if (ret == 0 && recursive) {
			mutex_lock(&mount_mutex);
			ret = clone_children(old.mnt, old.dentry, m, 0);
			mutex_unlock(&mount_mutex);
		}
	}
	path_put(&old);
	return ret;
}

static int do_remount(const struct path *at, u32 flags, const char *data,
		      bool bind)
{
	struct super *sb = at->mnt->sb;
	int ret = 0;

	if (at->dentry != at->mnt->root)
		return -EINVAL;
	if (!bind && data && sb->type->remount)
		ret = sb->type->remount(sb, data);
	if (ret)
		return ret;
	mutex_lock(&mount_mutex);
	if (flags & (MS_NOATIME | MS_NODIRATIME | MS_RELATIME |
		     MS_STRICTATIME))
		flags = kept_flags(flags);
	else
		flags = (flags & KEPT_FLAGS) |
			(at->mnt->flags & (MS_NOATIME | MS_NODIRATIME |
					   MS_RELATIME));
	WRITE_ONCE(at->mnt->flags, flags);
	mutex_unlock(&mount_mutex);
	return 0;
}

static bool is_mount_below(struct mount *m, struct mount *top)
{
	while (m && m != top)
		m = m->parent;
	return m != NULL;
}

static int do_move(const struct path *at, const char *source)
{
	struct path old;
	int ret;

	if (!source || !*source)
		return -EINVAL;
	ret = path_lookup(AT_FDCWD, source, LOOKUP_FOLLOW, &old);
	if (ret)
		return ret;
	mutex_lock(&mount_mutex);
	if (old.dentry != old.mnt->root || !old.mnt->parent ||
	    !mount_is_attached(old.mnt) || !mount_is_attached(at->mnt)) {
		ret = -EINVAL;
	} else if (inode_is_dir(old.dentry->inode) !=
		   inode_is_dir(at->dentry->inode)) {
		ret = -ENOTDIR;
	} else if (is_mount_below(at->mnt, old.mnt)) {
		ret = -ELOOP;
	} else {
		struct path was = { old.mnt->parent, old.mnt->mountpoint };

		mount_detach_locked(old.mnt);
		/* Nobody may walk the old list of siblings into the new. */
		reclaim_sync();
		mount_attach_locked(old.mnt, at);
		path_put(&was);
	}
	mutex_unlock(&mount_mutex);
	path_put(&old);
	return ret;
}

static int mount_at(const struct path *at, const char *source,
		    const char *type, u64 flags, const char *data)
{
	if ((flags & MS_MGC_MSK) == MS_MGC_VAL)
		flags &= ~(u64)MS_MGC_MSK;
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if ((flags & (MS_REMOUNT | MS_BIND)) == (MS_REMOUNT | MS_BIND))
		return do_remount(at, (u32)flags, data, true);
	if (flags & MS_REMOUNT)
		return do_remount(at, (u32)flags, data, false);
	if (flags & MS_BIND)
		return do_bind(at, source, flags & MS_REC);
	if (flags & PROPAGATION) {
		if (!is_pow2(flags & PROPAGATION) ||
		    (flags & ~(u64)(PROPAGATION | MS_REC | MS_SILENT)) ||
		    at->dentry != at->mnt->root)
			return -EINVAL;
		return 0;
	}
	if (flags & MS_MOVE)
		return do_move(at, source);
	return do_new_mount(at, type, source, (u32)flags, data);
}

/* An optional string of at most a page; NULL stays NULL. */
static char *opt_string(const char __user *s, int too_long)
{
	return s ? strdup_from_user(s, PAGE_SIZE, too_long) : NULL;
}

/* Options: what is there of a page, up to the first NUL. */
static char *opt_data(const char __user *s)
{
	char *text;

	if (!s)
		return NULL;
	text = kmalloc(PAGE_SIZE, GFP_KERNEL);
	if (!text)
		return ERR_PTR(-ENOMEM);
	memset(text, 0, PAGE_SIZE);
	if (copy_from_user_partial(text, s, PAGE_SIZE) == PAGE_SIZE) {
		kfree(text);
		return ERR_PTR(-EFAULT);
	}
	text[PAGE_SIZE - 1] = '\0';
	return text;
}

SYSCALL5(mount, const char __user *, source, const char __user *, target,
	 const char __user *, type, u64, flags, const char __user *, data)
{
	char *k_type, *k_source, *k_data;
	struct path at;
	long ret;

	k_type = opt_string(type, -EINVAL);
	if (IS_ERR(k_type))
		return PTR_ERR(k_type);
	k_source = opt_string(source, -EINVAL);
	ret = PTR_ERR_OR_ZERO(k_source);
	if (ret)
		goto free_type;
	k_data = opt_data(data);
	ret = PTR_ERR_OR_ZERO(k_data);
	if (ret)
		goto free_source;
	ret = path_lookup_user(AT_FDCWD, target, LOOKUP_FOLLOW, &at);
	if (ret == 0) {
		ret = mount_at(&at, k_source, k_type, flags, k_data);
		path_put(&at);
	}
	kfree(k_data);
free_source:
	kfree(k_source);
free_type:
	kfree(k_type);
	return ret;
}

static int do_umount(const struct path *at, u32 flags)
{
	struct mount *m = at->mnt;
	LIST_HEAD(gone);
	int ret = 0;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (at->dentry != m->root)
		return -EINVAL;
	mutex_lock(&mount_mutex);
	if (!m->parent || !mount_is_attached(m)) {
		ret = -EINVAL;
	} else if (flags & MNT_EXPIRE) {
		ret = flags & (MNT_FORCE | MNT_DETACH) ? -EINVAL : -EAGAIN;
	} else if (flags & MNT_DETACH) {
		detach_tree_locked(m, &gone);
	} else if (!list_empty(&m->children) || ref_read(&m->refs) > 2) {
		/* One reference is the tree's, one is our path's. */
		ret = -EBUSY;
	} else {
		mount_detach_locked(m);
		list_add_tail(&m->gone, &gone);
	}
	mutex_unlock(&mount_mutex);
	if (ret == 0)
		put_all(&gone);
	return ret;
}

SYSCALL2(umount2, const char __user *, target, int, flags)
{
	struct path at;
	long ret;

	if (flags & ~(MNT_FORCE | MNT_DETACH | MNT_EXPIRE | UMOUNT_NOFOLLOW))
		return -EINVAL;
	ret = path_lookup_user(AT_FDCWD, target,
			       flags & UMOUNT_NOFOLLOW ? 0 : LOOKUP_FOLLOW,
			       &at);
	if (ret)
		return ret;
	ret = do_umount(&at, (u32)flags);
	path_put(&at);
	return ret;
}

/* [mount_mutex] */
static int pivot_check(const struct path *new_root, const struct path *put_old,
		       const struct path *root)
{
	if (!mount_is_attached(new_root->mnt) ||
	    !mount_is_attached(put_old->mnt) ||
	    !mount_is_attached(root->mnt))
		return -EINVAL;
	if (new_root->mnt == root->mnt || put_old->mnt == root->mnt)
		return -EBUSY;
	if (root->mnt->root != root->dentry || !root->mnt->parent ||
	    new_root->mnt->root != new_root->dentry ||
	    !new_root->mnt->parent)
		return -EINVAL;
	if (!is_mount_below(put_old->mnt, new_root->mnt) ||
	    !is_mount_below(new_root->mnt, root->mnt))
		return -EINVAL;
	return 0;
}

static void repoint(struct path *p, const struct path *from,
		    const struct path *to, struct path *dropped)
{
	if (p->mnt != from->mnt || p->dentry != from->dentry)
		return;
	*dropped = *p;
	*p = *to;
	path_get(p);
}

/* Whoever stood at the old root stands at the new one. */
static void repoint_all(const struct path *from, const struct path *to)
{
	struct process *p = NULL;
	s32 nr = 1;

	while ((p = process_next_get(nr))) {
		struct path dropped[2] = { 0 };
		struct fs_ctx *fs = NULL;
		struct task *t;

		nr = p->pid->nr + 1;
		t = process_thread_next_get(p, 0);
		if (t)
			fs = task_fs_get(t);
		if (fs) {
			spin_lock(&fs->lock);
			repoint(&fs->root, from, to, &dropped[0]);
			repoint(&fs->cwd, from, to, &dropped[1]);
			spin_unlock(&fs->lock);
			fs_ctx_put(fs);
		}
		if (t)
			task_put(t);
		process_put(p);
		for (int i = 0; i < 2; i++)
			path_put(&dropped[i]);
	}
}

static int do_pivot(const struct path *new_root, const struct path *put_old)
{
	struct path root, was_new, was_root;
	int ret;

	spin_lock(&current->fs->lock);
	root = current->fs->root;
	path_get(&root);
	spin_unlock(&current->fs->lock);
	mutex_lock(&mount_mutex);
	ret = pivot_check(new_root, put_old, &root);
	if (ret == 0) {
		was_new = (struct path){ new_root->mnt->parent,
					 new_root->mnt->mountpoint };
		was_root = (struct path){ root.mnt->parent,
					  root.mnt->mountpoint };
		mount_detach_locked(new_root->mnt);
		mount_detach_locked(root.mnt);
		reclaim_sync();
		mount_attach_locked(root.mnt, put_old);
		mount_attach_locked(new_root->mnt, &was_root);
	}
	mutex_unlock(&mount_mutex);
	if (ret == 0) {
		path_put(&was_new);
		path_put(&was_root);
		repoint_all(&root, new_root);
	}
	path_put(&root);
	return ret;
}

SYSCALL2(pivot_root, const char __user *, new_root, const char __user *, old)
{
	struct path p_new, p_old;
	long ret;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	ret = path_lookup_user(AT_FDCWD, new_root,
			       LOOKUP_FOLLOW | LOOKUP_DIRECTORY, &p_new);
	if (ret)
		return ret;
	ret = path_lookup_user(AT_FDCWD, old, LOOKUP_FOLLOW | LOOKUP_DIRECTORY,
			       &p_old);
	if (ret == 0) {
		ret = do_pivot(&p_new, &p_old);
		path_put(&p_old);
	}
	path_put(&p_new);
	return ret;
}
