/* SPDX-License-Identifier: MIT */
/*
 * Walking path names.
 *
 * A struct walk holds where the walk stands and what is still to be read.
 * walk_parent() goes on until one component is left and stops before it, in
 * its directory; walk_last() takes that one too; walk_follow() replaces the
 * walk's text by a symbolic link's, so that open(O_CREAT) can look at the
 * last component itself and then go on.  Every path in a walk is referenced;
 * no lock is held between two steps.
 *
 * Order of errors as on Linux: the directory must be one (ENOTDIR), must be
 * searchable (EACCES), the component must fit (ENAMETOOLONG), then it must
 * be there (ENOENT).
 */
#include "internal.h"

static struct kmem_cache *names_cache, *walk_cache;

static void *name_buffer(void)
{
	if (unlikely(!names_cache))
		names_cache = kmem_cache_create("names", PATH_MAX_LEN, 16);
	return kmem_cache_alloc(names_cache, GFP_KERNEL);
}

/* Copy a path from user space; short ones need no allocation. */
int pathname_get(struct pathname *p, const char __user *user, bool empty_ok)
{
	long n = strncpy_from_user(p->small, user, sizeof(p->small));

	p->s = p->small;
	if (n == sizeof(p->small)) {
		p->s = name_buffer();
		if (!p->s)
			return -ENOMEM;
		n = strncpy_from_user(p->s, user, PATH_MAX_LEN);
		if (n == PATH_MAX_LEN)
			n = -ENAMETOOLONG;
	}
	if (n == 0 && !empty_ok)
		n = -ENOENT;
	if (n < 0) {
		pathname_put(p);
		return (int)n;
	}
	return 0;
}

void pathname_put(struct pathname *p)
{
	if (p->s != p->small)
		kmem_cache_free(names_cache, p->s);
}

static int start_at(struct walk *w, int dfd, const char *name)
{
	struct fs_ctx *fs = current->fs;
	bool scoped = w->resolve & (RESOLVE_BENEATH | RESOLVE_IN_ROOT);
	bool absolute = *name == '/';

	if (absolute && (w->resolve & RESOLVE_BENEATH))
		return -EXDEV;
	spin_lock(&fs->lock);
	w->root = fs->root;
	path_get(&w->root);
	if (dfd == AT_FDCWD || (absolute && !scoped)) {
		w->cur = absolute && !scoped ? fs->root : fs->cwd;
		path_get(&w->cur);
		spin_unlock(&fs->lock);
	} else {
		struct fdref f;

		spin_unlock(&fs->lock);
		f = fdget_raw(dfd);
		if (!f.file)
			return -EBADF;
		w->cur = f.file->path;
		path_get(&w->cur);
		fdput(f);
		if (*name && !inode_is_dir(w->cur.dentry->inode))
			return -ENOTDIR;
	}
	if (scoped) {
		path_put(&w->root);
		w->root = w->cur;
		path_get(&w->root);
	}
	return 0;
}

struct walk *walk_start(int dfd, const char *name, u32 flags, u32 resolve)
{
	struct walk *w;
	int ret;

	if (!*name && !(flags & LOOKUP_EMPTY))
		return ERR_PTR(-ENOENT);
	if (unlikely(!walk_cache))
		walk_cache = kmem_cache_create("walk", sizeof(*w), 16);
	w = kmem_cache_alloc(walk_cache, GFP_KERNEL);
	if (!w)
		return ERR_PTR(-ENOMEM);
	memzero(w, OFFSET_OF(struct walk, frames));
	w->flags = flags;
	w->resolve = resolve;
	w->rest = name;
	ret = start_at(w, dfd, name);
	if (ret) {
		walk_end(w);
		return ERR_PTR(ret);
	}
	return w;
}

void walk_end(struct walk *w)
{
	path_put(&w->cur);
	path_put(&w->root);
	if (w->buf)
		kmem_cache_free(names_cache, w->buf);
	while (w->depth--)
		if (w->frames[w->depth].buf)
			kmem_cache_free(names_cache, w->frames[w->depth].buf);
	kmem_cache_free(walk_cache, w);
}

/* The outer text again, when the inner one is used up. */
static void pop_frame(struct walk *w)
{
	if (w->buf)
		kmem_cache_free(names_cache, w->buf);
	w->depth--;
	w->rest = w->frames[w->depth].rest;
	w->buf = w->frames[w->depth].buf;
}

/* Read on in text (owned); what was left comes after it. */
static void push_text(struct walk *w, char *text)
{
	if (*w->rest) {
		w->frames[w->depth].rest = w->rest;
		w->frames[w->depth].buf = w->buf;
		w->depth++;
	} else if (w->buf) {
		kmem_cache_free(names_cache, w->buf);
	}
	w->buf = text;
	w->rest = text;
}

/* What was found in the cache may have ended meanwhile: the entry knows. */
static bool is_still_right(struct dentry *d)
{
	const struct inode_ops *ops = d->inode->ops;

	return likely(!ops->revalidate) || ops->revalidate(d);
}

/* [dir->lock] A positive, referenced dentry or -ENOENT. */
int dir_lookup_locked(struct dentry *dir, const char *name, u32 len, u32 hash,
		      struct dentry **out)
{
	struct inode *inode = dir->inode;
	struct dentry *d = dentry_find(dir, name, len, hash);
	int ret;

	if (d && !is_still_right(d)) {
		dentry_drop(d);
		dentry_put(d);
		d = NULL;
	}
	if (d) {
		*out = d;
		return 0;
	}
	if (!inode->ops->lookup || (dir->flags & DENTRY_DEAD))
		return -ENOENT;
	d = dentry_new(dir, name, len);
	if (!d)
		return -ENOMEM;
	ret = inode->ops->lookup(inode, d);
	if (ret == 0 && !d->inode)
		ret = -ENOENT;
	if (ret == 0 && (d->flags & DENTRY_UNHASHED))
		ret = dentry_add_live(d, d->inode);
	if (ret) {
		dentry_put(d);
		return ret;
	}
	*out = d;
	return 0;
}

int dir_lookup(struct path *dir, const char *name, u32 len, u32 hash,
	       struct dentry **out)
{
	struct inode *inode = dir->dentry->inode;
	struct dentry *d = dentry_find(dir->dentry, name, len, hash);
	int ret;

	if (likely(d && is_still_right(d))) {
		*out = d;
		return 0;
	}
	if (d)
		dentry_put(d);
	mutex_lock(&inode->lock);
	ret = dir_lookup_locked(dir->dentry, name, len, hash, out);
	mutex_unlock(&inode->lock);
	return ret;
}

/* Onto the root of what is mounted at p, as often as needed. */
int walk_cross_mounts(struct walk *w, struct path *p)
{
	while (unlikely(READ_ONCE(p->dentry->mounted))) {
		struct mount *child = mount_find_child(p->mnt, p->dentry);

		if (!child && p->dentry->inode->ops->automount) {
			int ret = mount_automatically(p);

			if (ret)
				return ret;
			continue;
		}
		if (!child)
			break;
		if (w->resolve & RESOLVE_NO_XDEV) {
			mount_put(child);
			return -EXDEV;
		}
		path_put(p);
		p->mnt = child;
		p->dentry = dentry_get(child->root);
	}
	return 0;
}

static bool path_equal(const struct path *a, const struct path *b)
{
	return a->dentry == b->dentry && a->mnt == b->mnt;
}

/* From the root of a mount to where it is mounted; false at the very top. */
static bool up_mount(struct path *p)
{
	struct path up = { NULL, NULL };

	mutex_lock(&mount_mutex);
	if (p->mnt->parent && mount_is_attached(p->mnt)) {
		up.mnt = p->mnt->parent;
		up.dentry = p->mnt->mountpoint;
		path_get(&up);
	}
	mutex_unlock(&mount_mutex);
	if (!up.mnt)
		return false;
	path_put(p);
	*p = up;
	return true;
}

static int step_dotdot(struct walk *w)
{
	struct dentry *parent;

	for (;;) {
		if (path_equal(&w->cur, &w->root)) {
			if (w->resolve & RESOLVE_BENEATH)
				return -EXDEV;
			return 0;
		}
		if (w->cur.dentry != w->cur.mnt->root)
			break;
		if (w->resolve & RESOLVE_NO_XDEV)
			return -EXDEV;
		if (!up_mount(&w->cur))
			return 0;
	}
	spin_lock(&dcache_lock);
	parent = dentry_get(w->cur.dentry->parent);
	spin_unlock(&dcache_lock);
	dentry_put(w->cur.dentry);
	w->cur.dentry = parent;
	return walk_cross_mounts(w, &w->cur);
}

static int follow_magic(struct walk *w, struct inode *inode)
{
	struct path to;
	int ret;

	if ((w->flags & LOOKUP_NO_MAGIC) ||
	    (w->resolve & RESOLVE_NO_MAGICLINKS))
		return -ELOOP;
	if (w->resolve & (RESOLVE_BENEATH | RESOLVE_IN_ROOT))
		return -EXDEV;
	ret = inode->ops->follow(inode, &to);
	if (ret)
		return ret;
	if ((w->resolve & RESOLVE_NO_XDEV) && to.mnt != w->cur.mnt) {
		path_put(&to);
		return -EXDEV;
	}
	path_put(&w->cur);
	w->cur = to;
	return 0;
}

static int jump_to_root(struct walk *w)
{
	if (w->resolve & RESOLVE_BENEATH)
		return -EXDEV;
	if ((w->resolve & RESOLVE_NO_XDEV) && w->cur.mnt != w->root.mnt)
		return -EXDEV;
	path_put(&w->cur);
	w->cur = w->root;
	path_get(&w->cur);
	return 0;
}

/* Go on with the text of link, which is a name in w->cur. */
int walk_follow(struct walk *w, struct dentry *link)
{
	struct inode *inode = link->inode;
	char *text;
	long n;

	if (w->links++ >= WALK_LINKS || (w->resolve & RESOLVE_NO_SYMLINKS) ||
	    (READ_ONCE(w->cur.mnt->flags) & MS_NOSYMFOLLOW))
		return -ELOOP;
	if (inode->ops->follow)
		return follow_magic(w, inode);
	text = name_buffer();
	if (!text)
		return -ENOMEM;
	n = inode->ops->readlink(inode, link, text, PATH_MAX_LEN - 1);
	if (n == 0)
		n = -ENOENT;
	if (n < 0) {
		kmem_cache_free(names_cache, text);
		return (int)n;
	}
	text[n] = '\0';
	push_text(w, text);
	return *text == '/' ? jump_to_root(w) : 0;
}

/* One component; a final link only when follow is set. */
static int step(struct walk *w, bool follow)
{
	struct path next = { .mnt = w->cur.mnt };
	int ret;

	if (w->last == LAST_DOT)
		return 0;
	if (w->last == LAST_DOTDOT)
		return step_dotdot(w);
	ret = dir_lookup(&w->cur, w->name, w->len, w->hash, &next.dentry);
	if (ret)
		return ret;
	if (unlikely(S_ISLNK(next.dentry->inode->mode)) && follow) {
		ret = walk_follow(w, next.dentry);
		dentry_put(next.dentry);
		return ret;
	}
	if (unlikely(READ_ONCE(next.dentry->mounted))) {
		mount_get(next.mnt);
		ret = walk_cross_mounts(w, &next);
		if (ret) {
			path_put(&next);
			return ret;
		}
		path_put(&w->cur);
		w->cur = next;
		return 0;
	}
	dentry_put(w->cur.dentry);
	w->cur.dentry = next.dentry;
	return 0;
}

static enum last_kind kind_of(const char *name, u32 len)
{
	if (len == 1 && name[0] == '.')
		return LAST_DOT;
	if (len == 2 && name[0] == '.' && name[1] == '.')
		return LAST_DOTDOT;
	return LAST_NORM;
}

int walk_parent(struct walk *w)
{
	for (;;) {
		const char *p = w->rest, *end;
		struct inode *dir = w->cur.dentry->inode;
		int ret;

		while (*p == '/')
			p++;
		if (!*p) {
			if (w->depth) {
				pop_frame(w);
				continue;
			}
			w->rest = p;
			w->last = LAST_ROOT;
			return 0;
		}
		if (!inode_is_dir(dir))
			return -ENOTDIR;
		ret = inode_permission(dir, MAY_EXEC);
		if (ret)
			return ret;
		w->hash = name_hash_len(p, &w->len);
		if (w->len > NAME_MAX_LEN)
			return -ENAMETOOLONG;
		w->name = p;
		w->last = kind_of(p, w->len);
		end = p + w->len;
		while (*end == '/')
			end++;
		w->rest = end;
		if (!*end && !w->depth) {
			if (end[-1] == '/')
				w->need_dir = true;
			return 0;
		}
		ret = step(w, true);
		if (ret)
			return ret;
		if (*w->rest && w->rest == end &&
		    !inode_is_dir(w->cur.dentry->inode))
			return -ENOTDIR;
	}
}

int walk_last(struct walk *w)
{
	bool want_dir;

	for (;;) {
		u32 links = w->links;
		int ret;

		if (w->last == LAST_ROOT)
			break;
		ret = step(w, (w->flags & LOOKUP_FOLLOW) || w->need_dir);
		if (ret)
			return ret;
		if (w->links == links)
			break;
		ret = walk_parent(w);
		if (ret)
			return ret;
	}
	want_dir = w->need_dir || (w->flags & LOOKUP_DIRECTORY);
	if (want_dir && !inode_is_dir(w->cur.dentry->inode))
		return -ENOTDIR;
	return 0;
}

int path_lookup_resolve(int dfd, const char *name, u32 flags, u32 resolve,
			struct path *out)
{
	struct walk *w = walk_start(dfd, name, flags, resolve);
	int ret;

	if (IS_ERR(w))
		return (int)PTR_ERR(w);
	ret = walk_parent(w);
	if (ret == 0)
		ret = walk_last(w);
	if (ret == 0) {
		*out = w->cur;
		path_get(out);
	}
	walk_end(w);
	return ret;
}

int path_lookup(int dfd, const char *name, u32 flags, struct path *out)
{
	return path_lookup_resolve(dfd, name, flags, 0, out);
}

int path_lookup_user(int dfd, const char __user *name, u32 flags,
		     struct path *out)
{
	struct pathname p;
	int ret = pathname_get(&p, name, flags & LOOKUP_EMPTY);

	if (ret)
		return ret;
	ret = path_lookup_resolve(dfd, p.s, flags, 0, out);
	pathname_put(&p);
	return ret;
}

int path_lookup_parent(int dfd, const char *name, struct path *dir,
		       char last[NAME_MAX_LEN + 1])
{
	struct walk *w = walk_start(dfd, name, 0, 0);
	int ret;

	if (IS_ERR(w))
		return (int)PTR_ERR(w);
	ret = walk_parent(w);
	if (ret == 0 && w->last != LAST_NORM)
		ret = -EEXIST;
	if (ret == 0) {
		memcpy(last, w->name, w->len);
		last[w->len] = '\0';
		*dir = w->cur;
		path_get(dir);
	}
	walk_end(w);
	return ret;
}
