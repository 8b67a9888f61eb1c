/* SPDX-License-Identifier: MIT */
/*
 * Super blocks of tmpfs, ramfs and the root file system: mount options, their
 * text, statfs, and the end of a whole tree.
 */
#include "tmpfs.h"

#include <lib/parse.h>
#include <lib/printf.h>
#include <linux/magic.h>

static u64 default_blocks(void)
{
	struct page_stats st;

	page_stats(&st);
	return st.total / 2;
}

/* "10%", "64k", "1G" or bytes: pages, rounded up. */
static int parse_blocks(const char *text, bool is_bytes, u64 *out)
{
	size_t n = strlen(text);
	u64 v;

	if (n && text[n - 1] == '%') {
		const char *p = text;

		if (parse_prefix_u64(&p, 10, &v) || p != text + n - 1)
			return -EINVAL;
		*out = default_blocks() * 2 * v / 100;
		return 0;
	}
	if (parse_size(text, &v))
		return -EINVAL;
	*out = is_bytes ? (v + PAGE_SIZE - 1) >> PAGE_SHIFT : v;
	return 0;
}

static int parse_one(struct tmpfs *fs, char *key, const char *value)
{
	u32 n;

	if (!value) {
		if (streq(key, "inode32") || streq(key, "inode64"))
			return 0;
		return -EINVAL;
	}
	if (streq(key, "size") || streq(key, "nr_blocks")) {
		fs->size_given = true;
		return parse_blocks(value, *key == 's', &fs->max_blocks);
	}
	if (streq(key, "nr_inodes")) {
		fs->inodes_given = true;
		return parse_size(value, &fs->max_inodes) ? -EINVAL : 0;
	}
	if (streq(key, "mode")) {
		if (parse_u32(value, 8, &n))
			return -EINVAL;
		fs->mode = n & 07777;
		return 0;
	}
	if (streq(key, "uid"))
		return parse_u32(value, 10, &fs->uid) ? -EINVAL : 0;
	if (streq(key, "gid"))
		return parse_u32(value, 10, &fs->gid) ? -EINVAL : 0;
	if (streq(key, "huge"))
		return streq(value, "never") ? 0 : -EINVAL;
	if (streq(key, "mpol"))
		return 0;
	return -EINVAL;
}

/* Comma-separated key[=value]; data is left as it was. */
static int parse_options(struct tmpfs *fs, const char *data)
{
	char *copy, *rest, *word;
	int ret = 0;

	if (!data || !*data)
		return 0;
	copy = kstrdup(data, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	rest = copy;
	while (ret == 0 && (word = strtok_k(&rest, ",")) != NULL) {
		char *eq = strchr(word, '=');

		if (!*word)
			continue;
		if (eq)
			*eq++ = '\0';
		ret = parse_one(fs, word, eq);
	}
	kfree(copy);
	return ret;
}

/* The root directory of a super block whose limits are set. */
int tmpfs_fill_super(struct super *sb, struct tmpfs *fs)
{
	struct inode *root;

	sb->private = fs;
	root = tmpfs_make_inode(sb, S_IFDIR | fs->mode, 0);
	if (IS_ERR(root))
		return (int)PTR_ERR(root);
	root->uid = fs->uid;
	root->gid = fs->gid;
	sb->root = dentry_make_root(root);
	if (!sb->root) {
		inode_put(root);
		return -ENOMEM;
	}
	return 0;
}

static int mount_limited(struct super *sb, const char *data, bool limited,
			 u32 mode)
{
	struct tmpfs *fs = kzalloc(sizeof(*fs), GFP_KERNEL);
	int ret;

	if (!fs)
		return -ENOMEM;
	fs->uid = current_cred()->fsuid;
	fs->gid = current_cred()->fsgid;
	fs->mode = mode;
	if (limited) {
		fs->max_blocks = default_blocks();
		fs->max_inodes = default_blocks();
	}
	ret = parse_options(fs, data);
	if (ret == 0)
		ret = tmpfs_fill_super(sb, fs);
	if (ret)
		kfree(fs);
	return ret;
}

static int tmpfs_mount(struct super *sb, const char *source, const char *data)
{
	return mount_limited(sb, data, true, 01777);
}

static int rootfs_mount(struct super *sb, const char *source, const char *data)
{
	int ret = mount_limited(sb, data, true, 0755);
	struct tmpfs *fs = sb->private;

	if (ret == 0)
		fs->size_given = fs->inodes_given = true;
	return ret;
}

static int ramfs_mount(struct super *sb, const char *source, const char *data)
{
	/* ramfs knows mode= and ignores the rest. */
	const char *mode = data ? strstr(data, "mode=") : NULL;
	char only[16] = "";

	if (mode)
		scnprintf(only, sizeof(only), "%.*s",
			  (int)strcspn(mode, ","), mode);
	return mount_limited(sb, only, false, 0755);
}

static int tmpfs_remount(struct super *sb, const char *data)
{
	struct tmpfs *fs = sb->private;
	struct tmpfs want = *fs;
	int ret = parse_options(&want, data);

	if (ret)
		return ret;
	if (want.max_blocks && want.max_blocks < load_relaxed(&fs->used_blocks))
		return -EINVAL;
	if (want.max_inodes && want.max_inodes < load_relaxed(&fs->used_inodes))
		return -EINVAL;
	store_relaxed(&fs->max_blocks, want.max_blocks);
	store_relaxed(&fs->max_inodes, want.max_inodes);
	fs->size_given = want.size_given;
	fs->inodes_given = want.inodes_given;
	return 0;
}

/* Drop the pins of every name, leaves first; nobody uses the tree. */
void tmpfs_umount(struct super *sb)
{
	struct dentry *at = sb->root;

	while (at) {
		struct dentry *up;

		while (!list_empty(&at->children))
			at = list_first_entry(&at->children, struct dentry,
					      sibling);
		if (at == sb->root)
			break;
		up = at->parent;
		dentry_drop(at);
		if (at->flags & DENTRY_PINNED) {
			at->flags &= ~DENTRY_PINNED;
			dentry_put(at);
		}
		at = up;
	}
	/* The root's inode gives its page counts back before they go. */
	dentry_put(sb->root);
	sb->root = NULL;
	kfree(sb->private);
}

int tmpfs_statfs(struct super *sb, struct kstatfs *out)
{
	struct tmpfs *fs = sb->private;
	u64 used = load_relaxed(&fs->used_blocks);

	out->bsize = PAGE_SIZE;
	if (fs->max_blocks) {
		out->blocks = fs->max_blocks;
		out->bfree = used < fs->max_blocks ? fs->max_blocks - used : 0;
		out->bavail = out->bfree;
	}
	if (fs->max_inodes) {
		out->files = fs->max_inodes;
		used = load_relaxed(&fs->used_inodes);
		out->ffree = used < fs->max_inodes ? fs->max_inodes - used : 0;
	}
	return 0;
}

static void show(struct super *sb, char *buf, size_t size, u32 plain_mode)
{
	struct tmpfs *fs = sb->private;
	size_t n = 0;

	if (fs->size_given)
		n += scnprintf(buf + n, size - n, ",size=%lluk",
			       fs->max_blocks << (PAGE_SHIFT - 10));
	if (fs->inodes_given)
		n += scnprintf(buf + n, size - n, ",nr_inodes=%llu",
			       fs->max_inodes);
	if (fs->mode != plain_mode)
		n += scnprintf(buf + n, size - n, ",mode=%03o", fs->mode);
	if (fs->uid)
		n += scnprintf(buf + n, size - n, ",uid=%u", fs->uid);
	if (fs->gid)
		n += scnprintf(buf + n, size - n, ",gid=%u", fs->gid);
	scnprintf(buf + n, size - n, ",inode64");
}

static void tmpfs_show_options(struct super *sb, char *buf, size_t size)
{
	show(sb, buf, size, 01777);
}

static void rootfs_show_options(struct super *sb, char *buf, size_t size)
{
	show(sb, buf, size, 0755);
}

static int ramfs_statfs(struct super *sb, struct kstatfs *out)
{
	return 0;
}

struct fs_type tmpfs_type = {
	.name = "tmpfs",
	.nodev = true,
	.magic = TMPFS_MAGIC,
	.mount = tmpfs_mount,
	.umount = tmpfs_umount,
	.remount = tmpfs_remount,
	.statfs = tmpfs_statfs,
	.show_options = tmpfs_show_options,
	.xattr = true,
};

struct fs_type rootfs_type = {
	.name = "rootfs",
	.nodev = true,
	.magic = TMPFS_MAGIC,
	.mount = rootfs_mount,
	.umount = tmpfs_umount,
	.remount = tmpfs_remount,
	.statfs = tmpfs_statfs,
	.show_options = rootfs_show_options,
	.xattr = true,
};

struct fs_type ramfs_type = {
	.name = "ramfs",
	.nodev = true,
	.magic = RAMFS_MAGIC,
	.mount = ramfs_mount,
	.umount = tmpfs_umount,
	.statfs = ramfs_statfs,
};
