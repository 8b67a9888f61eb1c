/* SPDX-License-Identifier: MIT */
/*
 * A task's place in the tree: root, working directory, umask; and fs_init(),
 * which makes the first root and the boot task's context.
 */
#include "internal.h"

#include <kernel/panic.h>
#include <kernel/syscall.h>

struct fs_ctx *fs_ctx_copy(struct fs_ctx *old)
{
	struct fs_ctx *fs = kzalloc(sizeof(*fs), GFP_KERNEL);

	if (!fs)
		return ERR_PTR(-ENOMEM);
	ref_init(&fs->refs);
	spin_init(&fs->lock, LOCK_RANK_FS_CTX);
	if (!old) {
		fs->umask = 022;
		return fs;
	}
	spin_lock(&old->lock);
	fs->root = old->root;
	fs->cwd = old->cwd;
	path_get(&fs->root);
	path_get(&fs->cwd);
	fs->umask = old->umask;
	spin_unlock(&old->lock);
	return fs;
}

void fs_ctx_put(struct fs_ctx *fs)
{
	if (!ref_put(&fs->refs))
		return;
	path_put(&fs->root);
	path_put(&fs->cwd);
	kfree(fs);
}

static void set_path(struct path *where, const struct path *to)
{
	struct fs_ctx *fs = current->fs;
	struct path old;

	path_get(to);
	spin_lock(&fs->lock);
	old = *where;
	*where = *to;
	spin_unlock(&fs->lock);
	path_put(&old);
}

SYSCALL1(chdir, const char __user *, name)
{
	struct path path;
	long ret = path_lookup_user(AT_FDCWD, name,
				    LOOKUP_FOLLOW | LOOKUP_DIRECTORY, &path);

	if (ret)
		return ret;
	ret = inode_permission(path.dentry->inode, MAY_EXEC);
	if (ret == 0)
		set_path(&current->fs->cwd, &path);
	path_put(&path);
	return ret;
}

SYSCALL1(fchdir, int, fd)
{
	struct fdref r = fdget_raw(fd);
	long ret;

	if (!r.file)
		return -EBADF;
	ret = -ENOTDIR;
	if (inode_is_dir(r.file->inode)) {
		ret = inode_permission(r.file->inode, MAY_EXEC);
		if (ret == 0)
			set_path(&current->fs->cwd, &r.file->path);
	}
	fdput(r);
	return ret;
}

SYSCALL1(chroot, const char __user *, name)
{
	struct path path;
	long ret = path_lookup_user(AT_FDCWD, name,
				    LOOKUP_FOLLOW | LOOKUP_DIRECTORY, &path);

	if (ret)
		return ret;
	ret = inode_permission(path.dentry->inode, MAY_EXEC);
	if (ret == 0 && !capable(CAP_SYS_CHROOT))
		ret = -EPERM;
	if (ret == 0)
		set_path(&current->fs->root, &path);
	path_put(&path);
	return ret;
}

SYSCALL1(umask, u32, mask)
{
	struct fs_ctx *fs = current->fs;
	u32 old;

	spin_lock(&fs->lock);
	old = fs->umask;
	fs->umask = mask & 0777;
	spin_unlock(&fs->lock);
	return old;
}

/* Is the directory the root or below it, and does its name still exist? */
static long cwd_text(char *page, char **text)
{
	struct fs_ctx *fs = current->fs;
	struct path cwd, root;
	long ret = 0;

	spin_lock(&fs->lock);
	cwd = fs->cwd;
	root = fs->root;
	path_get(&cwd);
	path_get(&root);
	spin_unlock(&fs->lock);
	if ((cwd.dentry->flags & DENTRY_UNHASHED) &&
	    cwd.dentry->parent != cwd.dentry) {
		ret = -ENOENT;
	} else {
		*text = path_name(&cwd, &root, page, PATH_MAX_LEN);
		ret = PTR_ERR_OR_ZERO(*text);
	}
	path_put(&cwd);
	path_put(&root);
	return ret;
}

SYSCALL2(getcwd, char __user *, buf, size_t, size)
{
	char *page = kmalloc(PATH_MAX_LEN, GFP_KERNEL), *text;
	long ret;

	if (!page)
		return -ENOMEM;
	ret = cwd_text(page, &text);
	if (ret == 0) {
		size_t n = strlen(text) + 1;

		ret = (long)n;
		if (n > size)
			ret = -ERANGE;
		else if (copy_to_user(buf, text, n))
			ret = -EFAULT;
	}
	kfree(page);
	return ret;
}

/* Boot: after the allocators and the task core, before any initcall. */
void fs_init(void)
{
	struct path root;
	struct fs_ctx *fs;
	struct files *files;

	dcache_init();
	files_early_init();
	root_mount = fs_kern_mount(&rootfs_type, "rootfs");
	CHECK(!IS_ERR(root_mount));
	list_add_tail(&root_mount->link, &mount_list);
	fs_register(&tmpfs_type);
	fs_register(&ramfs_type);
	root.mnt = root_mount;
	root.dentry = root_mount->root;
	fs = fs_ctx_copy(NULL);
	files = files_copy(NULL);
	CHECK(!IS_ERR(fs) && !IS_ERR(files));
	fs->root = fs->cwd = root;
	path_get(&root);
	path_get(&root);
	init_task.fs = fs;
	init_task.files = files;
}
