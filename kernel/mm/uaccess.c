// SPDX-License-Identifier: MIT
/*
 * Copies from user space that need more than a copy: structures of a stated
 * size, strings, arrays into fresh memory.  Task context, no lock held.
 */
#include <kernel/page.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

/* 0: the n bytes at p are zero; 1: they are not; -EFAULT. */
static int user_nonzero(const void __user *p, size_t n)
{
	const char __user *from = p;
	char chunk[64];

	while (n) {
		size_t step = min(n, sizeof(chunk));

		if (copy_from_user(chunk, from, step))
			return -EFAULT;
		if (memchr_inv(chunk, 0, step))
			return 1;
		from += step;
		n -= step;
	}
	return 0;
}

int copy_struct_from_user(void *dst, size_t ksize, const void __user *src,
			  size_t usize)
{
	size_t n = min(ksize, usize);
	int more;

	if (usize > ksize) {
		more = user_nonzero((const char __user *)src + ksize,
				    usize - ksize);
		if (more)
			return more < 0 ? more : -E2BIG;
	} else {
		memset((char *)dst + n, 0, ksize - n);
	}
	return copy_from_user(dst, src, n);
}

char *strdup_from_user(const char __user *s, size_t max, int too_long)
{
	size_t size = min_t(size_t, max, 256);

	for (;;) {
		char *text = kmalloc(size, GFP_KERNEL);
		long len;

		if (!text)
			return ERR_PTR(-ENOMEM);
		len = strncpy_from_user(text, s, size);
		if (len >= 0 && (size_t)len < size)
			return text;
		kfree(text);
		if (len < 0)
			return ERR_PTR(len);
		if (size == max)
			return ERR_PTR(too_long);
		size = min(max, size * 8);
	}
}

void *memdup_from_user(const void __user *p, size_t n)
{
	void *copy = kmalloc(n, GFP_KERNEL);

	if (!copy)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(copy, p, n)) {
		kfree(copy);
		return ERR_PTR(-EFAULT);
	}
	return copy;
}
