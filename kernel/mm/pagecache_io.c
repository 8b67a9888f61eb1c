// SPDX-License-Identifier: MIT
/*
 * Reading and writing a file's bytes through its page cache.
 *
 * Entry points: page_cache_read, page_cache_write and their kernel-buffer
 * forms.  Readers take no lock.  Writers hold the owner's inode lock, which
 * guards the size.  A page that a write creates is filled before it enters the
 * cache, so nobody sees it half done and nothing is zeroed that is overwritten
 * at once.  Copies may fault on user memory, therefore no lock of this layer
 * is held across them.
 */
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/pagecache.h>
#include <kernel/uio.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

#include "internal.h"

ssize_t page_cache_read(struct page_cache *cache, struct uio *uio, u64 pos)
{
	size_t done = 0;

	while (uio->left) {
		u64 size = READ_ONCE(*cache->size);
		u64 off = pos & (PAGE_SIZE - 1);
		struct page *page;
		size_t n, moved;

		if (pos >= size)
			break;
		n = min_t(u64, PAGE_SIZE - off, size - pos);
		n = min(n, uio->left);
		page = page_cache_lookup(cache, pos >> PAGE_SHIFT);
		if (!page && cache->ops && cache->ops->fill) {
			page = page_cache_get(cache, pos >> PAGE_SHIFT);
			if (IS_ERR(page))
				return done ? (ssize_t)done : PTR_ERR(page);
		}
		if (page) {
			moved = uio_put(uio, (char *)page_address(page) + off,
					n);
			page_put(page);
		} else {
			moved = uio_zero(uio, n);
		}
		done += moved;
		pos += moved;
		if (moved < n)
			return done ? (ssize_t)done : -EFAULT;
	}
	return (ssize_t)done;
}

/* The content changes: instruction fetch must be told again. */
static void mark_written(struct page *page)
{
	u32 flags = READ_ONCE(page->flags);

	if (flags & PG_ICACHE)
		fetch_and_relaxed(&page->flags, ~PG_ICACHE);
	if (!(flags & PG_DIRTY))
		fetch_or_relaxed(&page->flags, PG_DIRTY);
}

/* Write n bytes into a page that exists; bytes done. */
static size_t write_existing(struct page *page, u64 off, struct uio *uio,
			     size_t n)
{
	size_t moved = uio_get(uio, (char *)page_address(page) + off, n);

	mark_written(page);
	page_put(page);
	return moved;
}

/*
 * Write n bytes into a page that does not exist yet.  Bytes done, 0 for a bad
 * user address, or a negative errno.
 */
static ssize_t write_fresh(struct page_cache *cache, u64 index, u64 off,
			   struct uio *uio, size_t n)
{
	struct page *page = page_alloc(0, GFP_KERNEL), *other;
	size_t moved;
	char *data;
	int err;

	if (!page)
		return -ENOMEM;
	data = page_address(page);
	moved = uio_get(uio, data + off, n);
	if (!moved) {
		page_put(page);
		return 0;
	}
	if (off)
		memset(data, 0, off);
	if (off + moved < PAGE_SIZE)
		memset(data + off + moved, 0, PAGE_SIZE - off - moved);
	page->flags |= PG_DIRTY;
	err = page_cache_insert(cache, index, page);
	if (err == -EEXIST) {
		/* A fault on a mapping was faster: write into its page. */
		other = page_cache_get(cache, index);
		err = PTR_ERR_OR_ZERO(other);
		if (!err) {
			memcpy((char *)page_address(other) + off, data + off,
			       moved);
			mark_written(other);
			page_put(other);
		}
	}
	page_put(page);
	if (err) {
		uio_revert(uio, moved);
		return err;
	}
	return (ssize_t)moved;
}

ssize_t page_cache_write(struct page_cache *cache, struct uio *uio, u64 pos)
{
	bool fills = cache->ops && cache->ops->fill;
	size_t done = 0;

	while (uio->left) {
		u64 off = pos & (PAGE_SIZE - 1);
		u64 index = pos >> PAGE_SHIFT;
		size_t n = min_t(u64, PAGE_SIZE - off, uio->left);
		struct page *page = page_cache_lookup(cache, index);
		ssize_t moved;

		if (!page && fills) {
			page = page_cache_get(cache, index);
			if (IS_ERR(page))
				return done ? (ssize_t)done : PTR_ERR(page);
		}
		if (page)
			moved = (ssize_t)write_existing(page, off, uio, n);
		else
			moved = write_fresh(cache, index, off, uio, n);
		if (moved < 0)
			return done ? (ssize_t)done : moved;
		done += (size_t)moved;
		pos += (u64)moved;
		if (moved && pos > READ_ONCE(*cache->size))
			WRITE_ONCE(*cache->size, pos);
		if ((size_t)moved < n)
			return done ? (ssize_t)done : -EFAULT;
	}
	return (ssize_t)done;
}

ssize_t page_cache_read_buf(struct page_cache *cache, void *buf, size_t len,
			    u64 pos)
{
	struct uio uio;

	uio_kernel(&uio, buf, len);
	return page_cache_read(cache, &uio, pos);
}

ssize_t page_cache_write_buf(struct page_cache *cache, const void *buf,
			     size_t len, u64 pos)
{
	struct uio uio;

	uio_kernel(&uio, (void *)buf, len);
	return page_cache_write(cache, &uio, pos);
}
