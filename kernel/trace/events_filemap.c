/* SPDX-License-Identifier: MIT */
/*
 * Events of the page cache: layouts and print formats as Linux 6.1's.
 */
#include "event.h"

#include <kernel/fs.h>
#include <kernel/page.h>
#include <kernel/pagecache.h>

typedef u32 dev_t;

/* Memory that processes share without a file has no inode here: zeroes. */
#define FILEMAP(name)                                                   \
	TRACE_EVENT(filemap, name, (const struct page *page), (page),   \
		    ((F, unsigned long, pfn), (F, unsigned long, i_ino), \
		     (F, unsigned long, index), (F, dev_t, s_dev),      \
		     (F, unsigned char, order)),                        \
		    "dev %d:%d ino %lx pfn=0x%lx ofs=%lu order=%u",     \
		    "((unsigned int) ((REC->s_dev) >> 20)), "           \
		    "((unsigned int) ((REC->s_dev) & "                  \
		    "((1U << 20) - 1))), REC->i_ino, REC->pfn, "        \
		    "REC->index << 12, REC->order")                     \
	{                                                               \
		const struct inode *inode = page->cache->inode;         \
									\
		r->pfn = page_to_pfn(page);                             \
		r->index = page->index;                                 \
		if (inode) {                                            \
			r->i_ino = inode->ino;                          \
			r->s_dev = inode->sb->dev;                      \
		}                                                       \
	}
FILEMAP(mm_filemap_add_to_page_cache)
FILEMAP(mm_filemap_delete_from_page_cache)
