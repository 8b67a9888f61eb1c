/* SPDX-License-Identifier: MIT */
/*
 * Unpacking the initramfs into the root file system.
 *
 * lib/cpio reads the archives and calls back per entry.  File data goes into
 * page-cache pages that nobody else sees yet, copied once and only zeroed
 * behind the end.  A broken archive is reported as Linux does and what was
 * unpacked so far stays.  Afterwards the loader's memory is given back.
 */
#include "internal.h"

#include <arch/boot.h>
#include <kernel/pagecache.h>
#include <kernel/printk.h>
#include <kernel/pseudo.h>
#include <lib/cpio.h>

/* A folder's times are set last: what is put into it moves them. */
struct dir_time {
	struct dir_time *next;
	u32 mtime;
	char name[];
};

struct unpack {
	struct inode *inode;		/* the file being written; referenced */
	u64 pos;
	struct page *page;		/* being filled, not in the cache yet */
	u32 fill;
	struct dir_time *dirs;		/* the last one first */
};

static void set_times(struct inode *i, u32 mtime)
{
	i->atime = i->mtime = (struct timespec64){ .sec = mtime };
}

static void set_attrs(struct inode *i, const struct cpio_entry *e)
{
	i->uid = e->uid;
	i->gid = e->gid;
	i->mode = (i->mode & S_IFMT) | (e->mode & 07777);
	set_times(i, e->mtime);
}

/* The inode that has this name, referenced, or NULL. */
static struct inode *inode_by_name(const char *name)
{
	struct inode *i;
	struct path path;

	if (path_lookup(AT_FDCWD, name, 0, &path))
		return NULL;
	i = inode_get(path.dentry->inode);
	path_put(&path);
	return i;
}

/* Something of another kind may be in the way; mode 0: anything is. */
static void clear_way(const char *name, u32 mode)
{
	struct inode *i = inode_by_name(name);

	if (!i)
		return;
	if ((i->mode ^ mode) & S_IFMT) {
		if (S_ISDIR(i->mode))
			rmdir_at(AT_FDCWD, name);
		else
			unlink_at(AT_FDCWD, name);
	}
	inode_put(i);
}

static int make_link(const char *name, const char *target)
{
	struct make_name mk;
	struct path old;
	int ret;

	clear_way(name, 0);
	ret = path_lookup(AT_FDCWD, target, 0, &old);
	if (ret)
		return ret;
	ret = make_name_start(AT_FDCWD, name, false, &mk);
	if (ret == 0) {
		struct inode *dir = mk.dir.dentry->inode;

		ret = dir->ops->link(dir, mk.dentry, old.dentry->inode);
		make_name_end(&mk);
	}
	path_put(&old);
	return ret;
}

/* A link's text is its data: made when all of it is there. */
static int make_symlink(const char *name, const char *text)
{
	struct make_name mk;
	int ret;

	clear_way(name, 0);
	ret = make_name_start(AT_FDCWD, name, false, &mk);
	if (ret == 0) {
		struct inode *dir = mk.dir.dentry->inode;

		ret = dir->ops->symlink(dir, mk.dentry, text);
		make_name_end(&mk);
	}
	return ret;
}

/* A file to write: all of its size at once, what does not come is a hole. */
static int begin_file(struct unpack *u, const struct cpio_entry *e)
{
	struct inode *i;

	if (!e->link_target)
		fs_mknod(AT_FDCWD, e->name, S_IFREG | 0600, 0);
	else if (make_link(e->name, e->link_target))
		return 1;
	i = inode_by_name(e->name);
	if (i && !S_ISREG(i->mode)) {
		inode_put(i);
		i = NULL;
	}
	/* Its directory is missing, or a folder is in the way. */
	if (!i)
		return 1;
	if (i->size && (e->size || !e->link_target)) {
		i->size = 0;
		page_cache_truncate(&i->cache);
	}
	if (e->size)
		i->size = e->size;
	set_attrs(i, e);
	u->inode = i;
	return 0;
}

static int remember_dir(struct unpack *u, const struct cpio_entry *e)
{
	size_t bytes = strlen(e->name) + 1;
	struct dir_time *d = kmalloc(sizeof(*d) + bytes, GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	d->mtime = e->mtime;
	memcpy(d->name, e->name, bytes);
	d->next = u->dirs;
	u->dirs = d;
	return 0;
}

static void set_dir_times(struct unpack *u)
{
	while (u->dirs) {
		struct dir_time *d = u->dirs;
		struct inode *i = inode_by_name(d->name);

		if (i) {
			set_times(i, d->mtime);
			inode_put(i);
		}
		u->dirs = d->next;
		kfree(d);
	}
}

/* Folders and nodes have no data. */
static int make_node(struct unpack *u, const struct cpio_entry *e)
{
	u32 rdev = MKDEV(e->rdev_major, e->rdev_minor);
	struct inode *i;
	int ret = 1;

	if (S_ISDIR(e->mode)) {
		fs_mkdir(AT_FDCWD, e->name, e->mode & 07777);
		ret = remember_dir(u, e);
	} else if (!e->link_target) {
		fs_mknod(AT_FDCWD, e->name, e->mode, rdev);
	} else {
		make_link(e->name, e->link_target);
		return 1;
	}
	i = inode_by_name(e->name);
	if (i) {
		set_attrs(i, e);
		inode_put(i);
	}
	return ret < 0 ? ret : 1;
}

static int on_entry(void *ctx, const struct cpio_entry *e)
{
	struct unpack *u = ctx;

	u->pos = 0;
	u->fill = 0;
	if (S_ISLNK(e->mode))
		return 0;
	clear_way(e->name, e->mode);
	switch (e->mode & S_IFMT) {
	case S_IFREG:
		return begin_file(u, e);
	case S_IFDIR:
	case S_IFCHR:
	case S_IFBLK:
	case S_IFIFO:
	case S_IFSOCK:
		return make_node(u, e);
	default:
		return 1;
	}
}

/* The page is complete, or the file ends in it. */
static int put_page(struct unpack *u)
{
	struct page *page = u->page;
	int ret;

	if (!page)
		return 0;
	u->page = NULL;
	if (u->fill < PAGE_SIZE)
		memset((char *)page_address(page) + u->fill, 0,
		       PAGE_SIZE - u->fill);
	page->flags |= PG_UPTODATE;
	ret = page_cache_insert(&u->inode->cache,
				(u->pos - 1) >> PAGE_SHIFT, page);
	page_put(page);
	u->fill = 0;
	return ret;
}

static int on_data(void *ctx, const struct cpio_entry *e, const u8 *data,
		   size_t len)
{
	struct unpack *u = ctx;

	if (S_ISLNK(e->mode)) {
		/* Text is gathered in the page that a file would fill. */
		if (!u->page)
			u->page = page_alloc(0, GFP_KERNEL);
		if (!u->page)
			return -ENOMEM;
		/* One byte more than a page is too long, as nothing is. */
		len = min_t(size_t, len, PAGE_SIZE - u->fill);
		memcpy((char *)page_address(u->page) + u->fill, data, len);
		u->fill += (u32)len;
		return 0;
	}
	while (len) {
		size_t n = min_t(size_t, len, PAGE_SIZE - u->fill);
		int ret;

		if (!u->page) {
			u->page = page_alloc(0, GFP_KERNEL | GFP_NOOOM);
			if (!u->page)
				return -ENOMEM;
		}
		memcpy((char *)page_address(u->page) + u->fill, data, n);
		u->fill += (u32)n;
		u->pos += n;
		data += n;
		len -= n;
		if (u->fill < PAGE_SIZE)
			break;
		ret = put_page(u);
		if (ret)
			return ret;
	}
	return 0;
}

static int end_symlink(struct unpack *u, const struct cpio_entry *e)
{
	char *text = u->page ? page_address(u->page) : NULL;
	struct inode *i;

	/* A text that fills the page has no room for its end: too long. */
	if (!text || u->fill < PAGE_SIZE) {
		if (text)
			text[u->fill] = '\0';
		make_symlink(e->name, text ? text : "");
	} else {
		clear_way(e->name, 0);
	}
	if (u->page)
		page_put(u->page);
	u->page = NULL;
	i = inode_by_name(e->name);
	if (i) {
		i->uid = e->uid;
		i->gid = e->gid;
		set_times(i, e->mtime);
		inode_put(i);
	}
	return 0;
}

static int on_end(void *ctx, const struct cpio_entry *e)
{
	struct unpack *u = ctx;
	int ret;

	if (S_ISLNK(e->mode))
		return end_symlink(u, e);
	ret = put_page(u);
	set_times(u->inode, e->mtime);
	inode_put(u->inode);
	u->inode = NULL;
	return ret;
}

static void *link_alloc(size_t size)
{
	return kmalloc(size, GFP_KERNEL);
}

static void link_free(void *p)
{
	kfree(p);
}

static const struct cpio_ops unpack_ops = {
	.entry = on_entry,
	.data = on_data,
	.end = on_end,
	.alloc = link_alloc,
	.free = link_free,
};

static const char *reason(int err)
{
	switch (err) {
	case -ENODATA:
		return "junk or a truncated archive";
	case -EINVAL:
		return "no cpio magic";
	case -EBADMSG:
		return "bad data checksum";
	case -ENOMEM:
	case -ENOSPC:
		return "write error";
	default:
		return "broken padding";
	}
}

static void give_back(const struct boot_range *r)
{
	u64 start = PAGE_ALIGN(r->start), end = PAGE_DOWN(r->end);

	if (start < end) {
		page_free_range(start, end);
		pr_info("Freeing initrd memory: %lluK\n", (end - start) >> 10);
	}
}

int initramfs_unpack(void)
{
	const struct boot_range *r = &boot_info.initrd;
	struct unpack u = { 0 };
	struct initramfs *work;
	size_t at = 0;
	int ret;

	if (r->start >= r->end)
		return 0;
	work = vmalloc(sizeof(*work));
	if (!work)
		return -ENOMEM;
	pr_info("Unpacking initramfs...\n");
	ret = initramfs_read(work, arch_phys_to_virt(r->start),
			     r->end - r->start, &unpack_ops, &u, &at);
	/* What came of a file that is cut stays. */
	if (u.inode) {
		put_page(&u);
		inode_put(u.inode);
	} else if (u.page) {
		page_put(u.page);
	}
	set_dir_times(&u);
	if (ret)
		printk(LOG_EMERG, "Initramfs unpacking failed: %s\n",
		       reason(ret));
	vfree(work);
	give_back(r);
	return ret;
}
