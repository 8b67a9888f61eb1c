/* SPDX-License-Identifier: MIT */
/*
 * The dentry cache: names in directories.
 *
 * Entry points: dentry_new, dentry_add[_live], dentry_drop, dentry_find,
 * dentry_get/put, dentry_move, path_name.  dcache_lock guards the hash, the
 * parent links and the lists of children; dentry_find runs lock-free under
 * reclaim_read_lock, so a dentry and a name it once had are freed through
 * reclaim_after().  A miss there is only a hint: a rename may be moving the
 * name, and who needs certainty looks again under the directory's lock.
 *
 * A dentry with no reference left goes away at once; file systems that keep
 * their tree here (tmpfs) hold one reference while the name is linked.
 * Nothing here sleeps but dentry_new and the last dentry_put.
 */
#include "internal.h"

#include <kernel/panic.h>
#include <lib/hash.h>
#include <lib/printf.h>

#define DCACHE_BITS 12

struct spinlock dcache_lock = SPINLOCK_INIT(LOCK_RANK_DCACHE);
static struct hlist_head dcache_hash[1u << DCACHE_BITS];
static struct kmem_cache *dentry_cache;

void dcache_init(void)
{
	dentry_cache = kmem_cache_create("dentry", sizeof(struct dentry), 8);
}

/* Hash of a component and where it ends. */
u32 name_hash_len(const char *name, u32 *len)
{
	u64 h = 0xcbf29ce484222325ull;
	const char *p = name;

	for (; *p && *p != '/'; p++)
		h = (h ^ (u8)*p) * 0x100000001b3ull;
	*len = (u32)(p - name);
	return (u32)(h >> 16) ^ (u32)h;
}

static u32 hash_name(const char *name, u32 len)
{
	u64 h = 0xcbf29ce484222325ull;

	for (u32 i = 0; i < len; i++)
		h = (h ^ (u8)name[i]) * 0x100000001b3ull;
	return (u32)(h >> 16) ^ (u32)h;
}

static struct hlist_head *bucket(const struct dentry *parent, u32 hash)
{
	return &dcache_hash[hash_u64_bits((uintptr_t)parent + hash,
					  DCACHE_BITS)];
}

/* The name may be replaced while we look: stop at its own end. */
static bool name_is(const char *have, const char *name, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		if (have[i] != name[i])
			return false;
	return have[i] == '\0';
}

struct dentry *dentry_find(struct dentry *parent, const char *name, u32 len,
			   u32 hash)
{
	struct dentry *d;

	reclaim_read_lock();
	hlist_for_each_entry_pub(d, bucket(parent, hash), hash) {
		if (READ_ONCE(d->name_hash) != hash ||
		    READ_ONCE(d->parent) != parent ||
		    !name_is(reclaim_deref(d->name), name, len))
			continue;
		if (!ref_get_unless_zero(&d->refs))
			continue;
		reclaim_read_unlock();
		return d;
	}
	reclaim_read_unlock();
	return NULL;
}

struct dentry *dentry_lookup(struct dentry *parent, const char *name, u32 len)
{
	return dentry_find(parent, name, len, hash_name(name, len));
}

struct dentry *dentry_get(struct dentry *d)
{
	ref_get(&d->refs);
	return d;
}

static void dentry_free(struct reclaim_node *node)
{
	struct dentry *d = container_of(node, struct dentry, reclaim);

	kfree(d->name);
	kmem_cache_free(dentry_cache, d);
}

/* [dcache_lock] out of the hash and of the parent's children */
static void unlink_locked(struct dentry *d)
{
	if (d->flags & DENTRY_UNHASHED)
		return;
	d->flags |= DENTRY_UNHASHED;
	hlist_del_pub(&d->hash);
	list_del_init(&d->sibling);
}

void dentry_put(struct dentry *d)
{
	/* Each turn drops the last reference of one and goes on upwards. */
	while (d && ref_put(&d->refs)) {
		struct dentry *parent;

		spin_lock(&dcache_lock);
		unlink_locked(d);
		parent = d->parent == d ? NULL : d->parent;
		spin_unlock(&dcache_lock);
		if (d->inode)
			inode_put(d->inode);
		reclaim_after(&d->reclaim, dentry_free);
		d = parent;
	}
}

/* An unhashed, negative dentry; holds its parent.  NULL: no memory. */
struct dentry *dentry_new(struct dentry *parent, const char *name, u32 len)
{
	struct dentry *d = kmem_cache_alloc(dentry_cache, GFP_KERNEL);

	if (!d)
		return NULL;
	memzero(d, sizeof(*d));
	d->name = kmalloc(len + 1, GFP_KERNEL);
	if (!d->name) {
		kmem_cache_free(dentry_cache, d);
		return NULL;
	}
	memcpy(d->name, name, len);
	d->name[len] = '\0';
	d->name_len = len;
	d->name_hash = hash_name(name, len);
	ref_init(&d->refs);
	list_init(&d->children);
	list_init(&d->sibling);
	d->flags = DENTRY_UNHASHED;
	d->parent = parent ? dentry_get(parent) : d;
	return d;
}

struct dentry *dentry_make_root(struct inode *inode)
{
	struct dentry *d = dentry_new(NULL, "", 0);

	if (d)
		d->inode = inode;
	return d;
}

/* [dcache_lock] */
static void link_locked(struct dentry *d)
{
	d->flags &= ~DENTRY_UNHASHED;
	hlist_add_head_pub(&d->hash, bucket(d->parent, d->name_hash));
	list_add(&d->sibling, &d->parent->children);
}

int dentry_add_live(struct dentry *d, struct inode *inode)
{
	static u64 next_cookie;
	int ret = 0;

	spin_lock(&dcache_lock);
	if (d->parent->flags & DENTRY_DEAD) {
		ret = -ENOENT;
	} else {
		d->inode = inode;
		d->dir_cookie = ++next_cookie;
		link_locked(d);
	}
	spin_unlock(&dcache_lock);
	return ret;
}

void dentry_add(struct dentry *d, struct inode *inode)
{
	int ret = dentry_add_live(d, inode);

	CHECK(ret == 0);
}

void dentry_drop(struct dentry *d)
{
	spin_lock(&dcache_lock);
	unlink_locked(d);
	spin_unlock(&dcache_lock);
}

bool dentry_is_empty(struct dentry *d)
{
	return list_empty(&d->children);
}

/* A directory that is about to be removed accepts no name from here on. */
int dentry_kill_if_empty(struct dentry *d)
{
	int ret = 0;

	spin_lock(&dcache_lock);
	if (list_empty(&d->children))
		d->flags |= DENTRY_DEAD;
	else
		ret = -ENOTEMPTY;
	spin_unlock(&dcache_lock);
	return ret;
}

struct old_name {
	struct reclaim_node reclaim;
	char *name;
};

static void old_name_free(struct reclaim_node *node)
{
	struct old_name *old = container_of(node, struct old_name, reclaim);

	kfree(old->name);
	kfree(old);
}

/* A look-up may still compare with it. */
static void retire_name(char *name)
{
	struct old_name *old = kmalloc(sizeof(*old), GFP_KERNEL);

	if (!old) {
		reclaim_sync();
		kfree(name);
		return;
	}
	old->name = name;
	reclaim_after(&old->reclaim, old_name_free);
}

/*
 * [both directory locks, rename_mutex when they differ]
 * Give d the parent to_parent and the name of the dentry named; name_copy is
 * a kmalloc'ed copy of that name and is consumed.
 */
void dentry_move(struct dentry *d, struct dentry *to_parent,
		 const struct dentry *named, char *name_copy)
{
	struct dentry *old_parent = d->parent;
	char *old_name = d->name;

	if (old_parent != to_parent)
		dentry_get(to_parent);
	spin_lock(&dcache_lock);
	unlink_locked(d);
	d->parent = to_parent;
	reclaim_assign(d->name, name_copy);
	d->name_len = named->name_len;
	WRITE_ONCE(d->name_hash, named->name_hash);
	link_locked(d);
	spin_unlock(&dcache_lock);
	retire_name(old_name);
	if (old_parent != to_parent)
		dentry_put(old_parent);
}

/* [both directory locks, rename_mutex] Swap place and name of two. */
void dentry_exchange(struct dentry *a, struct dentry *b)
{
	spin_lock(&dcache_lock);
	unlink_locked(a);
	unlink_locked(b);
	swap(a->parent, b->parent);
	char *name = a->name;
	reclaim_assign(a->name, b->name);
	reclaim_assign(b->name, name);
	swap(a->name_len, b->name_len);
	swap(a->name_hash, b->name_hash);
	link_locked(a);
	link_locked(b);
	spin_unlock(&dcache_lock);
}

/* Is d ancestor itself or somewhere below it (in one file system)? */
bool dentry_is_below(struct dentry *d, struct dentry *ancestor)
{
	bool below;

	spin_lock(&dcache_lock);
	while (d != ancestor && d->parent != d)
		d = d->parent;
	below = d == ancestor;
	spin_unlock(&dcache_lock);
	return below;
}

void path_get(const struct path *p)
{
	if (p->mnt)
		mount_get(p->mnt);
	dentry_get(p->dentry);
}

void path_put(const struct path *p)
{
	if (p->dentry)
		dentry_put(p->dentry);
	if (p->mnt)
		mount_put(p->mnt);
}

static char *prepend(char *at, const char *buf, const char *text, size_t len)
{
	if (!at || (size_t)(at - buf) < len)
		return NULL;
	memcpy(at - len, text, len);
	return at - len;
}

static char *anon_name(const struct dentry *d, char *at, const char *buf)
{
	char text[80];
	int n;

	if (d->flags & DENTRY_ANON_INO)
		n = scnprintf(text, sizeof(text), "%s:[%llu]", d->name,
			      d->inode->ino);
	else
		n = scnprintf(text, sizeof(text), "%s", d->name);
	return prepend(at, buf, text, n);
}

/* [dcache_lock] from the end of buf backwards; NULL: too long */
static char *walk_up(const struct path *path, const struct path *root,
		     char *buf, char *at, bool *reached)
{
	struct dentry *d = path->dentry;
	struct mount *mnt = path->mnt;
	char *end = at;

	while (at) {
		if (d == root->dentry && mnt == root->mnt) {
			*reached = true;
			break;
		}
		if (mnt && d == mnt->root) {
			struct mount *up = READ_ONCE(mnt->parent);

			if (!up || !mount_is_attached(mnt))
				break;
			d = READ_ONCE(mnt->mountpoint);
			mnt = up;
			continue;
		}
		if (d->parent == d)
			break;
		at = prepend(at, buf, d->name, d->name_len);
		at = prepend(at, buf, "/", 1);
		d = d->parent;
	}
	return at == end ? prepend(at, buf, "/", 1) : at;
}

char *path_name(const struct path *path, const struct path *root, char *buf,
		size_t size)
{
	struct dentry *d = path->dentry;
	struct path own = { NULL, NULL };
	bool reached = false;
	char *at = buf + size;

	at = prepend(at, buf, "", 1);
	if (d->flags & (DENTRY_ANON | DENTRY_ANON_INO)) {
		at = anon_name(d, at, buf);
		return at ? at : ERR_PTR(-ENAMETOOLONG);
	}
	if (!root && current->fs) {
		spin_lock(&current->fs->lock);
		own = current->fs->root;
		path_get(&own);
		spin_unlock(&current->fs->lock);
		root = &own;
	} else if (!root) {
		root = &own;
	}
	if ((d->flags & DENTRY_UNHASHED) && d->parent != d)
		at = prepend(at, buf, " (deleted)", 10);
	spin_lock(&dcache_lock);
	at = walk_up(path, root, buf, at, &reached);
	spin_unlock(&dcache_lock);
	path_put(&own);
	return at ? at : ERR_PTR(-ENAMETOOLONG);
}
