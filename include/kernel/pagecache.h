/* SPDX-License-Identifier: MIT */
/*
 * The page cache of one file: its pages by index, and who maps them.
 *
 * A struct page_cache is embedded in its inode (or in whatever backs a shared
 * anonymous mapping).  Look-up takes no lock; insertion, filling and removal
 * take cache->lock.  The cache owns one reference on each of its pages.
 * Readers get a reference of their own and, once they need the page to still
 * belong to the file, check page->cache: it is cleared on removal.
 *
 * Truncation by the owner, inode lock held: store the new size, then
 * page_cache_truncate(): removes the pages, unmaps them everywhere and zeroes
 * the tail of the last one.
 *
 * Order: mmap_lock, cache->imap_lock, cache->lock, pte_lock.
 */
#ifndef SONDE_KERNEL_PAGECACHE_H
#define SONDE_KERNEL_PAGECACHE_H

#include <kernel/lock.h>
#include <kernel/page.h>
#include <lib/list.h>
#include <lib/types.h>

struct inode;
struct page_cache;
struct radix_node;
struct uio;
struct vm_fault;
struct vm_ops;
struct vma;

struct page_cache_ops {
	/*
	 * Fill a fresh page (not zeroed) that nobody else sees yet.  NULL: it
	 * is zeroed.  Task context, cache->lock held.  0 or a negative errno.
	 */
	int (*fill)(struct page_cache *cache, struct page *page, u64 index);
	/*
	 * A page is about to be added: 0, or -ENOSPC when the owner's limit
	 * forbids.  Undone by uncharge at removal.  NULL: no limit.
	 */
	int (*charge)(struct page_cache *cache, u64 pages);
	void (*uncharge)(struct page_cache *cache, u64 pages);
};

struct page_cache {
	struct mutex lock;		/* LOCK_RANK_PAGECACHE */
	struct radix_node *root;	/* [lock], read under reclaim */
	u32 height;			/* in *root too; [lock] */
	bool is_shmem;			/* [I] counts as Shmem in meminfo */
	u64 nr_pages;			/* [lock], read anywhere */
	u64 *size;			/* [I] to the owner's size in bytes: its
					 * lock to write, read anywhere */
	struct mutex imap_lock;		/* LOCK_RANK_IMAP */
	struct list_head imap;		/* [imap_lock] vma.imap_link */
	u32 nr_writable;		/* [imap_lock] shared writable vmas */
	struct inode *inode;		/* [I] NULL: shared anonymous memory */
	const struct page_cache_ops *ops; /* [I] may be NULL */
};

/* size: &inode->size, or a word of an owner without an inode. */
void page_cache_init(struct page_cache *cache, struct inode *inode, u64 *size,
		     const struct page_cache_ops *ops, bool is_shmem);
/* Every page goes; nothing maps the file any more. */
void page_cache_destroy(struct page_cache *cache);

/* A referenced page, or NULL when it is a hole.  Any task context. */
struct page *page_cache_lookup(struct page_cache *cache, u64 index);
/* The same, made and filled when missing.  May sleep.  ERR_PTR on error. */
struct page *page_cache_get(struct page_cache *cache, u64 index);
/* Put a caller's filled page (reference taken) at a hole; -EEXIST. */
int page_cache_insert(struct page_cache *cache, u64 index, struct page *page);
/* First index >= from that has a page, or ~0ull (SEEK_DATA). */
u64 page_cache_next_data(struct page_cache *cache, u64 from);
/* First index >= from that has none (SEEK_HOLE). */
u64 page_cache_next_hole(struct page_cache *cache, u64 from);

/*
 * The owner stored a new size: drop what lies behind it and zero the tail of
 * the last page.
 */
void page_cache_truncate(struct page_cache *cache);
/* A hole of bytes [start, end): whole pages go, partial ones are zeroed. */
void page_cache_punch(struct page_cache *cache, u64 start, u64 end);

/*
 * Copy between a struct uio and the cache, at byte pos; holes read as zero.
 * Reading stops at the size.  Writing makes pages, and raises the size as it
 * goes; the caller holds the inode lock.  Bytes done, or a negative
 * errno when none.
 */
ssize_t page_cache_read(struct page_cache *cache, struct uio *uio, u64 pos);
ssize_t page_cache_write(struct page_cache *cache, struct uio *uio, u64 pos);
/* The same with a kernel buffer (initramfs, exec, symbolic links). */
ssize_t page_cache_read_buf(struct page_cache *cache, void *buf, size_t len,
			    u64 pos);
ssize_t page_cache_write_buf(struct page_cache *cache, const void *buf,
			     size_t len, u64 pos);

/* vma->ops of a file mapping that the page cache serves; the file's mmap
 * operation stores it and leaves vma->private alone. */
extern const struct vm_ops page_cache_vm_ops;
/* The cache behind a mapping with these ops. */
struct page_cache *vma_page_cache(const struct vma *vma);

/* List of mappings: mmap_lock write held. */
void imap_add(struct page_cache *cache, struct vma *vma);
void imap_remove(struct page_cache *cache, struct vma *vma);
/* Drop the entries that map pages [start, end) of the file everywhere;
 * private copies too when even_cows. */
void imap_unmap_range(struct page_cache *cache, u64 start, u64 end,
		      bool even_cows);

#endif /* SONDE_KERNEL_PAGECACHE_H */
