/* SPDX-License-Identifier: MIT */
/*
 * Between pipe.c, fifo.c and splice.c: the ring of buffers and who waits at
 * which end.  See pipe.c for the rules; everything that sleeps here is called
 * with pipe->lock held and drops it meanwhile, so a caller must look at the
 * ring anew afterwards.
 */
#ifndef SONDE_FS_PIPE_H
#define SONDE_FS_PIPE_H

#include "internal.h"

#include <kernel/page.h>
#include <kernel/wait.h>

#define PIPE_SLOTS_DEFAULT 16u
#define PIPE_SLOTS_MAX	   256u		/* fs.pipe-max-size: 1 MiB */

struct pipe_buf {
	struct page *page;		/* referenced */
	u32 off, len;
	bool merge;			/* ours alone: writes may append */
	bool packet;			/* O_DIRECT: one read each */
};

/*
 * [L] lock.  head and tail count buffers ever filled and emptied; they are
 * also read without the lock to decide whether to sleep or what to poll.
 */
struct pipe {
	struct mutex lock;		/* LOCK_RANK_PIPE */
	u32 head, tail;			/* [L], read anywhere */
	u32 slots;			/* [L] ring size, a power of two */
	u32 readers, writers;		/* [L], read anywhere */
	u32 read_opens, write_opens;	/* [L] FIFO: opens ever, to wait on */
	u32 files;			/* [L] open files; 0: free it */
	bool nameless;			/* [I] of pipe2: no open waits */
	struct pipe_buf *bufs;		/* [L] */
	struct page *spare[2];		/* [L] emptied pages to use again */
	struct wait_queue rd_wait, wr_wait;
	struct fasync_list rd_fasync, wr_fasync;
};

extern const struct file_ops pipe_ops;

struct pipe *pipe_new(void);
void pipe_free(struct pipe *p);
void pipe_release_page(struct pipe *p, struct page *page);
void pipe_wake_readers(struct pipe *p);
void pipe_wake_writers(struct pipe *p);
int pipe_wait_readable(struct pipe *p);
int pipe_wait_writable(struct pipe *p);

static inline u32 pipe_used(const struct pipe *p)
{
	return READ_ONCE(p->head) - READ_ONCE(p->tail);
}
static inline bool pipe_is_empty(const struct pipe *p)
{
	return pipe_used(p) == 0;
}
static inline bool pipe_is_full(const struct pipe *p)
{
	return pipe_used(p) >= READ_ONCE(p->slots);
}
static inline struct pipe_buf *pipe_buf_at(struct pipe *p, u32 n)
{
	return &p->bufs[n & (p->slots - 1)];
}

#endif /* SONDE_FS_PIPE_H */
