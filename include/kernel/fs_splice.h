/* SPDX-License-Identifier: MIT */
/*
 * What a file's splice_read does with the pipe that it was given.  Task
 * context; the pipe's own lock is taken inside.
 */
#ifndef SONDE_KERNEL_FS_SPLICE_H
#define SONDE_KERNEL_FS_SPLICE_H

#include <lib/types.h>

struct file;
struct page;

/* Is there a free buffer?  Another writer may take it at once. */
bool pipe_has_room(struct file *pipe);
/* The first len bytes of page; true: the pipe has the caller's reference. */
bool pipe_give_page(struct file *pipe, struct page *page, u32 len);

#endif /* SONDE_KERNEL_FS_SPLICE_H */
