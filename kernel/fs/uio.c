/* SPDX-License-Identifier: MIT */
/*
 * Moving bytes between the kernel and the segments of a struct uio.
 *
 * Every function moves the cursor by what it did and returns that; short
 * means that a user page was bad.  Task context, may fault and sleep.
 */
#include <kernel/page.h>
#include <kernel/uaccess.h>
#include <kernel/uio.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

/* The most that one read or write moves: the last page below 2 GiB. */
#define RW_MAX ((size_t)0x7ffff000)

void uio_user(struct uio *u, void __user *buf, size_t len)
{
	u->one.base = buf;
	u->one.len = len;
	u->iov = &u->one;
	u->nr = 1;
	u->kernel = false;
	u->skip = 0;
	u->left = len;
}

void uio_kernel(struct uio *u, void *buf, size_t len)
{
	uio_user(u, (void __user __force *)buf, len);
	u->kernel = true;
}

int uio_import(struct uio *u, const struct iovec __user *iov, u64 nr,
	       struct iovec *fast, u32 nr_fast, struct iovec **heap)
{
	struct iovec *vec = fast;
	size_t total = 0;

	*heap = NULL;
	if (nr > UIO_MAXIOV)
		return -EINVAL;
	if (nr > nr_fast) {
		vec = kmalloc(nr * sizeof(*vec), GFP_KERNEL);
		if (!vec)
			return -ENOMEM;
		*heap = vec;
	}
	if (nr && copy_from_user(vec, iov, nr * sizeof(*vec)))
		return -EFAULT;
	for (u64 i = 0; i < nr; i++) {
		if ((s64)vec[i].len < 0)
			return -EINVAL;
		if (!access_ok(vec[i].base, vec[i].len))
			return -EFAULT;
		if (vec[i].len > RW_MAX - total)
			vec[i].len = RW_MAX - total;
		total += vec[i].len;
	}
	u->iov = vec;
	u->nr = (u32)nr;
	u->kernel = false;
	u->skip = 0;
	u->left = total;
	return 0;
}

/* Next piece of at most n bytes: where, and how long. */
static size_t piece(struct uio *u, size_t n, void __user **at)
{
	while (u->nr && u->skip == u->iov->len) {
		u->iov++;
		u->nr--;
		u->skip = 0;
	}
	if (!u->nr)
		return 0;
	*at = (char __user *)u->iov->base + u->skip;
	return min_t(size_t, n, u->iov->len - u->skip);
}

enum uio_op { UIO_PUT, UIO_GET, UIO_ZERO };

static inline size_t move_one(enum uio_op op, void __user *at,
				       void *mem, size_t n, bool kernel)
{
	void *direct = (void __force *)at;

	if (kernel) {
		if (op == UIO_PUT)
			memcpy(direct, mem, n);
		else if (op == UIO_GET)
			memcpy(mem, direct, n);
		else
			memset(direct, 0, n);
		return n;
	}
	if (op == UIO_PUT)
		return n - copy_to_user_partial(at, mem, n);
	if (op == UIO_GET)
		return n - copy_from_user_partial(mem, at, n);
	return access_ok(at, n) ? n - arch_clear_user(at, n) : 0;
}

static __always_inline size_t move(enum uio_op op, struct uio *u, void *mem,
				   size_t n)
{
	size_t done = 0;

	n = min(n, u->left);
	/* All of it in one user segment, as nearly always. */
	if (likely(!u->kernel && u->nr && n <= u->iov->len - u->skip)) {
		done = move_one(op, (char __user *)u->iov->base + u->skip, mem,
				n, false);
		u->skip += done;
		u->left -= done;
		return done;
	}
	while (done < n) {
		void __user *at;
		size_t want = piece(u, n - done, &at), got;

		if (!want)
			break;
		got = move_one(op, at, (char *)mem + done, want, u->kernel);
		u->skip += got;
		u->left -= got;
		done += got;
		if (got < want)
			break;
	}
	return done;
}

/* move() has one pointer for both directions; UIO_PUT only reads by it. */
static void *uio_source(const void *from)
{
	union {
		const void *in;
		void *out;
	} p = { .in = from };

	return p.out;
}

size_t uio_put(struct uio *u, const void *from, size_t n)
{
	return move(UIO_PUT, u, uio_source(from), n);
}

size_t uio_get(struct uio *u, void *to, size_t n)
{
	return move(UIO_GET, u, to, n);
}

size_t uio_zero(struct uio *u, size_t n)
{
	return move(UIO_ZERO, u, NULL, n);
}

void uio_advance(struct uio *u, size_t n)
{
	void __user *at;

	n = min(n, u->left);
	while (n) {
		size_t step = piece(u, n, &at);

		if (!step)
			return;
		u->skip += step;
		u->left -= step;
		n -= step;
	}
}

void uio_revert(struct uio *u, size_t n)
{
	u->left += n;
	while (n > u->skip) {
		n -= u->skip;
		u->iov--;
		u->nr++;
		u->skip = u->iov->len;
	}
	u->skip -= n;
}
