/* SPDX-License-Identifier: MIT */
/*
 * Where the bytes of a read or write come from or go: a user buffer, a user
 * iovec, or kernel memory.  uio_put moves bytes out to the caller of read,
 * uio_get takes bytes from the caller of write.  Task context; may fault.
 */
#ifndef SONDE_KERNEL_UIO_H
#define SONDE_KERNEL_UIO_H

#include <lib/types.h>

struct iovec {
	void __user *base;
	u64 len;
};

struct uio {
	const struct iovec *iov;	/* current segment */
	u32 nr;				/* segments left, current included */
	bool kernel;			/* bases are kernel pointers */
	size_t skip;			/* consumed of the current segment */
	size_t left;			/* bytes left in all */
	struct iovec one;		/* storage for a single segment */
};

#define UIO_MAXIOV 1024

void uio_user(struct uio *u, void __user *buf, size_t len);
void uio_kernel(struct uio *u, void *buf, size_t len);
/* Import a user iovec; *heap is what to kfree after (may be NULL). */
int uio_import(struct uio *u, const struct iovec __user *iov, u64 nr,
	       struct iovec *fast, u32 nr_fast, struct iovec **heap);

/* Bytes moved (short when a user page is bad). */
size_t uio_put(struct uio *u, const void *from, size_t n);
size_t uio_get(struct uio *u, void *to, size_t n);
size_t uio_zero(struct uio *u, size_t n);
void uio_advance(struct uio *u, size_t n);
void uio_revert(struct uio *u, size_t n);

#endif /* SONDE_KERNEL_UIO_H */
