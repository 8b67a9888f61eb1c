/* SPDX-License-Identifier: MIT */
/*
 * The engine behind procfs, sysfs, debugfs and tracefs: trees of registered
 * nodes, and the inodes and dentries made from them on look-up.
 *
 * pseudo_lock guards the trees (a leaf lock).  A node is referenced by its
 * place in the tree and by each inode made from it, so that an open file
 * outlives pseudo_remove(); a removed node is marked dead, and the dentries
 * that still name it fail to revalidate.
 */
#include "internal.h"

#include <kernel/fs_pseudo.h>
#include <lib/hash.h>
#include <lib/hlist.h>

enum node_kind { NODE_DIR, NODE_FILE, NODE_LINK };

struct pseudo_dir {
	struct ref refs;
	enum node_kind kind;		/* [I] */
	bool dead;			/* [pseudo_lock], read anywhere */
	u64 ino;			/* [I] */
	const char *name;		/* [I] */
	struct pseudo_dir *parent;	/* [I] valid while not dead */
	struct list_head children;	/* [pseudo_lock] in order of making */
	struct list_head sibling;	/* [pseudo_lock] */
	struct hlist_node named;	/* [pseudo_lock] in by_name */
	u32 dir_mode;			/* [I] of directories below */
	u32 file_size;			/* [I] st_size of files below */
	struct pseudo_file desc;	/* [I] NODE_FILE */
	const struct pseudo_dir_ops *ops; /* [I] NODE_DIR; may be NULL */
	const char *automount;		/* [I] NODE_DIR; type or NULL */
	const char *target;		/* [I] NODE_LINK */
	struct timespec64 time;		/* [I] */
};

static struct mutex pseudo_lock = MUTEX_INIT(pseudo_lock, LOCK_RANK_SYSFS);
static u64 next_ino = 0x1000;

/* Thousands of nodes, some folders with hundreds: by folder and name. */
#define NAME_BITS 10
static struct hlist_head by_name[1 << NAME_BITS];	/* [pseudo_lock] */

#define ROOT(var, mode, size)                                           \
	static struct pseudo_dir var = {                                \
		.refs = REF_INIT(1), .kind = NODE_DIR, .ino = 1,        \
		.name = "", .children = LIST_HEAD_INIT(var.children),   \
		.sibling = LIST_HEAD_INIT(var.sibling),                 \
		.dir_mode = (mode), .file_size = (size),                \
	}

ROOT(proc_dir, 0555, 0);
ROOT(sysfs_dir, 0755, 4096);
ROOT(debugfs_dir, 0755, 0);
ROOT(tracefs_dir, 0750, 0);
ROOT(proc_net_dir, 0555, 0);
struct pseudo_dir *const proc_root = &proc_dir;
struct pseudo_dir *const sysfs_root = &sysfs_dir;
struct pseudo_dir *const debugfs_root = &debugfs_dir;
struct pseudo_dir *const tracefs_root = &tracefs_dir;
struct pseudo_dir *const proc_net = &proc_net_dir;

static void node_put(struct pseudo_dir *n)
{
	if (!ref_put(&n->refs))
		return;
	kfree(n->name);
	kfree(n->target);
	kfree(n);
}

static struct hlist_head *bucket(const struct pseudo_dir *dir,
				 const char *name, size_t len)
{
	u64 hash = hash_bytes(name, len, (uintptr_t)dir);

	return &by_name[hash >> (64 - NAME_BITS)];
}

/* [pseudo_lock] */
static struct pseudo_dir *find(struct pseudo_dir *dir, const char *name,
			       size_t len)
{
	struct pseudo_dir *n;

	hlist_for_each_entry(n, bucket(dir, name, len), named)
		if (n->parent == dir && !strncmp(n->name, name, len) &&
		    !n->name[len])
			return n;
	return NULL;
}

static struct pseudo_dir *node_new(enum node_kind kind, const char *name,
				   size_t len)
{
	struct pseudo_dir *n = kzalloc(sizeof(*n), GFP_KERNEL);
	char *copy = n ? kmalloc(len + 1, GFP_KERNEL) : NULL;

	if (!copy) {
		kfree(n);
		return NULL;
	}
	memcpy(copy, name, len);
	copy[len] = '\0';
	ref_init(&n->refs);
	n->kind = kind;
	n->name = copy;
	n->ino = fetch_add_relaxed(&next_ino, 1);
	n->time = fs_now();
	list_init(&n->children);
	list_init(&n->sibling);
	return n;
}

/* Enter n; on failure it is freed.  -EEXIST when the name is taken. */
static int node_link(struct pseudo_dir *dir, struct pseudo_dir *n)
{
	size_t len = strlen(n->name);
	int ret = 0;

	mutex_lock(&pseudo_lock);
	if (dir->dead) {
		ret = -ENOENT;
	} else if (find(dir, n->name, len)) {
		ret = -EEXIST;
	} else {
		n->parent = dir;
		n->dir_mode = dir->dir_mode;
		n->file_size = dir->file_size;
		list_add_tail(&n->sibling, &dir->children);
		hlist_add_head(&n->named, bucket(dir, n->name, len));
	}
	mutex_unlock(&pseudo_lock);
	if (ret)
		node_put(n);
	return ret;
}

/* The directory of that name, made when missing.  ERR_PTR. */
static struct pseudo_dir *sub_dir(struct pseudo_dir *dir, const char *name,
				  size_t len)
{
	struct pseudo_dir *n;
	int ret;

	mutex_lock(&pseudo_lock);
	n = find(dir, name, len);
	mutex_unlock(&pseudo_lock);
	if (n)
		return n->kind == NODE_DIR ? n : ERR_PTR(-ENOTDIR);
	n = node_new(NODE_DIR, name, len);
	if (!n)
		return ERR_PTR(-ENOMEM);
	ret = node_link(dir, n);
	return ret ? ERR_PTR(ret) : n;
}

struct pseudo_dir *pseudo_mkdir(struct pseudo_dir *parent, const char *name)
{
	return IS_ERR(parent) ? parent : sub_dir(parent, name, strlen(name));
}

struct pseudo_dir *pseudo_mkpath(struct pseudo_dir *parent, const char *path)
{
	while (*path && !IS_ERR(parent)) {
		size_t len = strcspn(path, "/");

		if (len)
			parent = sub_dir(parent, path, len);
		path += len;
		path += *path == '/';
	}
	return parent;
}

int pseudo_create(struct pseudo_dir *dir, const struct pseudo_file *file)
{
	struct pseudo_dir *n;

	if (IS_ERR(dir))
		return (int)PTR_ERR(dir);
	n = node_new(NODE_FILE, file->name, strlen(file->name));
	if (!n)
		return -ENOMEM;
	n->desc = *file;
	return node_link(dir, n);
}

int pseudo_create_all(struct pseudo_dir *dir, const struct pseudo_file *files,
		      u32 n, void *private)
{
	int ret = 0;

	for (; n && !ret; n--, files++) {
		struct pseudo_file file = *files;

		if (!file.private)
			file.private = private;
		ret = pseudo_create(dir, &file);
	}
	return ret;
}

int pseudo_symlink(struct pseudo_dir *dir, const char *name,
		   const char *target)
{
	struct pseudo_dir *n;

	if (IS_ERR(dir))
		return (int)PTR_ERR(dir);
	n = node_new(NODE_LINK, name, strlen(name));
	if (!n)
		return -ENOMEM;
	n->target = kstrdup(target, GFP_KERNEL);
	if (!n->target) {
		node_put(n);
		return -ENOMEM;
	}
	return node_link(dir, n);
}

/* [pseudo_lock] The node and all below, leaves first. */
static void kill_tree(struct pseudo_dir *top)
{
	struct pseudo_dir *n = top;

	for (;;) {
		struct pseudo_dir *up;

		while (!list_empty(&n->children))
			n = list_first_entry(&n->children, struct pseudo_dir,
					     sibling);
		up = n->parent;
		WRITE_ONCE(n->dead, true);
		list_del_init(&n->sibling);
		hlist_del_init(&n->named);
		if (n == top)
			break;
		node_put(n);
		n = up;
	}
	node_put(top);
}

void pseudo_remove(struct pseudo_dir *dir, const char *name)
{
	struct pseudo_dir *n;

	mutex_lock(&pseudo_lock);
	n = find(dir, name, strlen(name));
	if (n)
		kill_tree(n);
	mutex_unlock(&pseudo_lock);
}

void pseudo_rmdir(struct pseudo_dir *dir)
{
	mutex_lock(&pseudo_lock);
	kill_tree(dir);
	mutex_unlock(&pseudo_lock);
}

int pseudo_automount(struct pseudo_dir *parent, const char *name,
		     const char *type)
{
	struct pseudo_dir *n = pseudo_mkdir(parent, name);

	if (IS_ERR(n))
		return PTR_ERR(n);
	n->automount = type;
	return 0;
}

void pseudo_set_ops(struct pseudo_dir *dir, const struct pseudo_dir_ops *ops)
{
	dir->ops = ops;
}

/* ---- Inodes ----------------------------------------------------------- */

static void node_evict(struct inode *inode)
{
	node_put(inode->private);
}

static long node_readlink(struct inode *inode, struct dentry *d, char *buf,
			  size_t size)
{
	struct pseudo_dir *n = inode->private;
	size_t len = min(strlen(n->target), size);

	memcpy(buf, n->target, len);
	return (long)len;
}

static int dir_lookup_op(struct inode *dir, struct dentry *dentry)
{
	return pseudo_dir_lookup(dir->private, dir, dentry);
}

static bool node_revalidate(struct dentry *dentry)
{
	struct pseudo_dir *n = dentry->inode->private;

	return !READ_ONCE(n->dead);
}

static const struct inode_ops node_dir_iops = {
	.lookup = dir_lookup_op,
	.revalidate = node_revalidate,
	.evict = node_evict,
};

static int node_mkdir(struct inode *dir, struct dentry *dentry, u32 mode)
{
	struct pseudo_dir *n = dir->private;
	int ret = n->ops->mkdir(dentry->name);

	if (ret)
		return ret;
	dir->nlink++;
	return pseudo_dir_lookup(n, dir, dentry);
}

static int node_rmdir(struct inode *dir, struct dentry *dentry)
{
	struct pseudo_dir *n = dir->private;
	int ret = n->ops->rmdir(dentry->name);

	if (ret)
		return ret;
	dir->nlink--;
	dentry_drop(dentry);
	return 0;
}

static const char *node_automount(struct inode *inode)
{
	struct pseudo_dir *n = inode->private;

	return n->automount;
}

static const struct inode_ops node_mount_iops = {
	.lookup = dir_lookup_op,
	.revalidate = node_revalidate,
	.automount = node_automount,
	.evict = node_evict,
};

static const struct inode_ops node_parent_iops = {
	.lookup = dir_lookup_op,
	.mkdir = node_mkdir,
	.rmdir = node_rmdir,
	.revalidate = node_revalidate,
	.evict = node_evict,
};

static int node_truncate(struct inode *inode, u64 size)
{
	const struct pseudo_file *desc = inode->pseudo;

	if (desc->truncate && !size)
		desc->truncate(desc->private);
	return 0;
}

static const struct inode_ops node_file_iops = {
	.revalidate = node_revalidate,
	.truncate = node_truncate,
	.evict = node_evict,
};
static const struct inode_ops node_link_iops = {
	.readlink = node_readlink,
	.revalidate = node_revalidate,
	.evict = node_evict,
};

static ssize_t dir_read(struct file *f, struct uio *to, u64 *pos)
{
	return -EISDIR;
}

static int dir_readdir(struct file *file, struct dir_emit *de, u64 *pos)
{
	pseudo_dir_readdir(file->inode->private, file, de, pos);
	return 0;
}

static const struct file_ops node_dir_fops = {
	.read = dir_read,
	.readdir = dir_readdir,
	.llseek = seq_llseek,
};

/* [pseudo_lock] */
static u32 count_dirs(const struct pseudo_dir *dir)
{
	struct pseudo_dir *n;
	u32 nr = 2;

	list_for_each_entry(n, &dir->children, sibling)
		nr += n->kind == NODE_DIR;
	return nr;
}

/* [pseudo_lock] An inode of the node, which it references. */
static struct inode *node_inode(struct super *sb, struct pseudo_dir *n)
{
	static const u32 types[] = { [NODE_DIR] = S_IFDIR,
				     [NODE_FILE] = S_IFREG,
				     [NODE_LINK] = S_IFLNK | 0777 };
	struct inode *i = inode_new(sb, types[n->kind]);

	if (!i)
		return NULL;
	i->ino = n->ino;
	i->atime = i->mtime = i->ctime = n->time;
	i->private = n;
	ref_get(&n->refs);
	switch (n->kind) {
	case NODE_DIR:
		i->mode |= n->dir_mode;
		i->nlink = count_dirs(n);
		i->ops = n->automount ? &node_mount_iops :
			 n->ops ? &node_parent_iops : &node_dir_iops;
		i->fops = &node_dir_fops;
		break;
	case NODE_FILE:
		i->mode |= n->desc.mode & 07777;
		i->size = n->desc.size ? n->desc.size : n->file_size;
		i->pseudo = &n->desc;
		i->ops = &node_file_iops;
		i->fops = n->desc.fops ? n->desc.fops : &pseudo_file_ops;
		break;
	case NODE_LINK:
		i->ops = &node_link_iops;
		i->size = sb->type->blksize ? strlen(n->target) : 0;
		break;
	}
	return i;
}

int pseudo_dir_lookup(struct pseudo_dir *pd, struct inode *dir,
		      struct dentry *dentry)
{
	struct inode *i = NULL;
	struct pseudo_dir *n;

	mutex_lock(&pseudo_lock);
	n = find(pd, dentry->name, dentry->name_len);
	if (n)
		i = node_inode(dir->sb, n);
	mutex_unlock(&pseudo_lock);
	if (!n)
		return -ENOENT;
	if (!i)
		return -ENOMEM;
	if (i->ops->automount)
		dentry->mounted = 1;
	return dentry_add_live(dentry, i);
}

int pseudo_dir_readdir(struct pseudo_dir *pd, struct file *file,
		       struct dir_emit *de, u64 *pos)
{
	static const u8 types[] = { [NODE_DIR] = DT_DIR, [NODE_FILE] = DT_REG,
				    [NODE_LINK] = DT_LNK };
	struct pseudo_dir *n;
	bool more, dead;
	u64 at = 2;
	int ret = 1;

	if (*pos >= PSEUDO_DIR_END)
		return 1;
	if (!dir_emit_dots(file, de, pos))
		return 0;
	mutex_lock(&pseudo_lock);
	list_for_each_entry(n, &pd->children, sibling) {
		if (at++ < *pos)
			continue;
		/* This writes user memory, and may fault: without the lock. */
		ref_get(&n->refs);
		mutex_unlock(&pseudo_lock);
		more = de->emit(de, n->name, (u32)strlen(n->name), n->ino,
				types[n->kind], at);
		mutex_lock(&pseudo_lock);
		/* Removed meanwhile: whoever follows has moved to its place. */
		dead = n->dead;
		node_put(n);
		if (more && !dead)
			*pos = at;
		if (!more || dead) {
			ret = 0;
			break;
		}
	}
	mutex_unlock(&pseudo_lock);
	if (ret)
		*pos = PSEUDO_DIR_END;
	return ret;
}

int pseudo_mount(struct super *sb, struct pseudo_dir *root, u32 mode)
{
	struct inode *i;

	mutex_lock(&pseudo_lock);
	root->time = fs_now();
	i = node_inode(sb, root);
	mutex_unlock(&pseudo_lock);
	if (!i)
		return -ENOMEM;
	i->mode = S_IFDIR | mode;
	sb->root = dentry_make_root(i);
	if (sb->root)
		return 0;
	inode_put(i);
	return -ENOMEM;
}

struct inode *pseudo_inode(struct super *sb, const struct pseudo_file *desc,
			   const struct inode_ops *ops, void *private)
{
	static const struct inode_ops no_ops;
	u32 type = desc->mode & S_IFMT;
	struct inode *i;

	i = inode_new(sb, (type ? type : S_IFREG) | (desc->mode & 07777));

	if (!i)
		return NULL;
	i->pseudo = desc;
	i->private = private;
	i->ops = ops ? ops : &no_ops;
	i->fops = desc->fops ? desc->fops : &pseudo_file_ops;
	return i;
}

void *pseudo_private(const struct inode *inode)
{
	if (inode->ops == &node_file_iops)
		return inode->pseudo->private;
	return inode->private;
}
