/* SPDX-License-Identifier: MIT */
/*
 * The tree of mounts and the file-system types.
 *
 * mount_mutex guards the tree, flags and the list; a walk finds the mount on
 * a dentry under reclaim_read_lock (mount_find_child).  A mount in the tree
 * holds references on its parent mount, its mountpoint, its root and its
 * super block; the tree holds one on the mount.  The system calls are in
 * mount_calls.c.
 */
#include "internal.h"
#include "mount.h"

#include <kernel/pseudo.h>
#include <lib/printf.h>

struct mutex mount_mutex = MUTEX_INIT(mount_mutex, LOCK_RANK_MOUNT);
LIST_HEAD(mount_list);
struct mount *root_mount;
static LIST_HEAD(fs_types);
static u32 next_mount_id = 1;

void fs_register(struct fs_type *type)
{
	mutex_lock(&mount_mutex);
	list_add_tail(&type->link, &fs_types);
	mutex_unlock(&mount_mutex);
}

struct fs_type *fs_type_find(const char *name, size_t len)
{
	struct fs_type *t, *found = NULL;

	mutex_lock(&mount_mutex);
	list_for_each_entry(t, &fs_types, link) {
		if (strlen(t->name) == len && !memcmp(t->name, name, len)) {
			found = t;
			break;
		}
	}
	mutex_unlock(&mount_mutex);
	return found;
}

u32 mount_anon_dev(void)
{
	static u32 next;

	return fetch_add_relaxed(&next, 1) + 1;
}

struct mount *mount_get(struct mount *mnt)
{
	ref_get(&mnt->refs);
	return mnt;
}

void super_put(struct super *sb)
{
	if (!ref_put(&sb->refs))
		return;
	if (sb->type->umount)
		sb->type->umount(sb);
	if (sb->root)
		dentry_put(sb->root);
	kfree(sb);
}

static void mount_free(struct reclaim_node *node)
{
	kfree(container_of(node, struct mount, reclaim));
}

void mount_put(struct mount *mnt)
{
	while (mnt && ref_put(&mnt->refs)) {
		struct mount *parent = mnt->parent;

		if (mnt->mountpoint)
			dentry_put(mnt->mountpoint);
		dentry_put(mnt->root);
		super_put(mnt->sb);
		reclaim_after(&mnt->reclaim, mount_free);
		mnt = parent;
	}
}

struct mount *mount_find_child(struct mount *mnt, struct dentry *d)
{
	struct mount *m;

	reclaim_read_lock();
	list_for_each_entry_pub(m, &mnt->children, sibling) {
		if (m->mountpoint == d && ref_get_unless_zero(&m->refs)) {
			reclaim_read_unlock();
			return m;
		}
	}
	reclaim_read_unlock();
	return NULL;
}

/* A mount in no tree yet; consumes the reference on sb. */
struct mount *mount_new(struct super *sb, struct dentry *root,
			const char *source, u32 flags)
{
	struct mount *m = kzalloc(sizeof(*m), GFP_KERNEL);

	if (!m) {
		super_put(sb);
		return ERR_PTR(-ENOMEM);
	}
	ref_init(&m->refs);
	m->sb = sb;
	m->root = dentry_get(root);
	m->flags = flags;
	m->id = fetch_add_relaxed(&next_mount_id, 1);
	strlcpy_k(m->source, source && *source ? source : "none",
		  sizeof(m->source));
	list_init(&m->link);
	list_init(&m->children);
	list_init(&m->sibling);
	return m;
}

/* A super block of the type, or the one that all its mounts share. */
static struct super *super_get(struct fs_type *type, const char *source,
			       const char *data)
{
	struct super *sb;
	int ret;

	if (type->single) {
		mutex_lock(&mount_mutex);
		sb = type->one;
		if (sb)
			ref_get(&sb->refs);
		mutex_unlock(&mount_mutex);
		if (sb)
			return sb;
	}
	sb = kzalloc(sizeof(*sb), GFP_KERNEL);
	if (!sb)
		return ERR_PTR(-ENOMEM);
	ref_init(&sb->refs);
	sb->type = type;
	sb->dev = mount_anon_dev();
	ret = type->mount(sb, source, data);
	if (ret) {
		kfree(sb);
		return ERR_PTR(ret);
	}
	if (type->single) {
		struct super *other;

		mutex_lock(&mount_mutex);
		other = type->one;
		if (!other)
			type->one = sb;
		/* The type keeps one reference for ever. */
		ref_get(other ? &other->refs : &sb->refs);
		mutex_unlock(&mount_mutex);
		if (other) {
			super_put(sb);
			return other;
		}
	}
	return sb;
}

struct mount *mount_make(struct fs_type *type, const char *source, u32 flags,
			 const char *data)
{
	struct super *sb = super_get(type, source, data);

	if (IS_ERR(sb))
		return ERR_CAST(sb);
	return mount_new(sb, sb->root, source, flags);
}

struct mount *fs_kern_mount(struct fs_type *type, const char *source)
{
	return mount_make(type, source, 0, NULL);
}

/* [mount_mutex] The tree takes over the caller's reference. */
void mount_attach_locked(struct mount *m, const struct path *at)
{
	m->parent = mount_get(at->mnt);
	m->mountpoint = dentry_get(at->dentry);
	list_add_tail(&m->link, &mount_list);
	list_add_pub(&m->sibling, &at->mnt->children);
	WRITE_ONCE(at->dentry->mounted, at->dentry->mounted + 1);
}

/*
 * [mount_mutex] Out of the tree.  parent and mountpoint stay set (and
 * referenced) until the last mount_put, for those who stand inside.
 */
void mount_detach_locked(struct mount *m)
{
	list_del_init(&m->link);
	list_del_pub(&m->sibling);
	WRITE_ONCE(m->mountpoint->mounted, m->mountpoint->mounted - 1);
}

/* Somebody goes to a directory that says what is mounted there. */
int mount_automatically(const struct path *at)
{
	const char *name = at->dentry->inode->ops->automount(at->dentry->inode);
	struct fs_type *type = fs_type_find(name, strlen(name));
	struct mount *m = type ? mount_make(type, name, MS_RELATIME, NULL) :
				 ERR_PTR(-ENODEV);
	struct mount *other;

	if (IS_ERR(m))
		return (int)PTR_ERR(m);
	mutex_lock(&mount_mutex);
	other = mount_find_child(at->mnt, at->dentry);
	if (!other)
		mount_attach_locked(m, at);
	mutex_unlock(&mount_mutex);
	if (other) {
		mount_put(other);
		mount_put(m);
	}
	return 0;
}

bool mount_is_attached(const struct mount *m)
{
	return !list_empty(&m->link);
}

int mount_writable(const struct mount *mnt)
{
	return mnt && (READ_ONCE(mnt->flags) & MS_RDONLY) ? -EROFS : 0;
}

/* ---- Listing --------------------------------------------------------- */

static const struct {
	u32 flag;
	const char *text;
} shown_flags[] = {
	{ MS_NOSUID, ",nosuid" },	  { MS_NODEV, ",nodev" },
	{ MS_NOEXEC, ",noexec" },	  { MS_NOATIME, ",noatime" },
	{ MS_NODIRATIME, ",nodiratime" }, { MS_RELATIME, ",relatime" },
	{ MS_NOSYMFOLLOW, ",nosymfollow" },
};

static void show_flags(struct seq *s, u32 flags)
{
	seq_puts(s, flags & MS_RDONLY ? "ro" : "rw");
	for (u32 i = 0; i < ARRAY_SIZE(shown_flags); i++)
		if (flags & shown_flags[i].flag)
			seq_puts(s, shown_flags[i].text);
}

static void show_one(struct seq *s, struct mount *m, const char *where,
		     bool mountinfo, char *buf)
{
	struct super *sb = m->sb;
	char options[256] = "";

	if (sb->type->show_options)
		sb->type->show_options(sb, options, sizeof(options));
	if (mountinfo) {
		struct path in_fs = { NULL, m->root };
		struct path top = { NULL, sb->root };
		char *root = path_name(&in_fs, &top, buf, PATH_MAX_LEN);

		seq_printf(s, "%u %u 0:%u ", m->id,
			   m->parent ? m->parent->id : 0, MINOR(sb->dev));
		seq_escape(s, IS_ERR(root) ? "/" : root, " \t\n\\");
		seq_putc(s, ' ');
		seq_escape(s, where, " \t\n\\");
		seq_putc(s, ' ');
		show_flags(s, m->flags);
		seq_printf(s, " - %s ", sb->type->name);
		seq_escape(s, m->source, " \t\n\\");
		seq_printf(s, " rw%s\n", options);
		return;
	}
	seq_escape(s, m->source, " \t\n\\");
	seq_putc(s, ' ');
	seq_escape(s, where, " \t\n\\");
	seq_printf(s, " %s ", sb->type->name);
	show_flags(s, m->flags);
	seq_printf(s, "%s 0 0\n", options);
}

void mounts_show(struct seq *s, const struct path *root, bool mountinfo)
{
	char *buf = kmalloc(2 * PATH_MAX_LEN, GFP_KERNEL);
	struct mount *m;

	if (!buf) {
		s->err = -ENOMEM;
		return;
	}
	mutex_lock(&mount_mutex);
	list_for_each_entry(m, &mount_list, link) {
		struct path at = { m, m->root };
		char *where = path_name(&at, root, buf, PATH_MAX_LEN);

		if (!IS_ERR(where))
			show_one(s, m, where, mountinfo, buf + PATH_MAX_LEN);
	}
	mutex_unlock(&mount_mutex);
	kfree(buf);
}

void filesystems_show(struct seq *s)
{
	struct fs_type *t;

	mutex_lock(&mount_mutex);
	list_for_each_entry(t, &fs_types, link)
		seq_printf(s, "%s\t%s\n", t->nodev ? "nodev" : "", t->name);
	mutex_unlock(&mount_mutex);
}
