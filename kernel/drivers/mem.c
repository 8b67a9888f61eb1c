/* SPDX-License-Identifier: MIT */
/*
 * The memory devices: /dev/null, zero, full, random, urandom.
 *
 * They hold no state.  A private mapping of /dev/zero is anonymous memory, a
 * shared one is refused here as long as there is no shared anonymous object
 * to hand out for it (CAVEATS.md).
 */
#include <kernel/file.h>
#include <kernel/init.h>
#include <kernel/lock.h>
#include <kernel/mm.h>
#include <kernel/pseudo.h>
#include <kernel/random.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

#define MEM_MAJOR 1

static ssize_t null_read(struct file *file, struct uio *to, u64 *pos)
{
	return 0;
}

static ssize_t null_write(struct file *file, struct uio *from, u64 *pos)
{
	size_t n = from->left;

	uio_advance(from, n);
	return (ssize_t)n;
}

static ssize_t full_write(struct file *file, struct uio *from, u64 *pos)
{
	return -ENOSPC;
}

static ssize_t zero_read(struct file *file, struct uio *to, u64 *pos)
{
	size_t total = 0;

	while (to->left) {
		size_t want = min(to->left, (size_t)PAGE_SIZE);
		size_t n = uio_zero(to, want);

		total += n;
		if (n != want)
			return total ? (ssize_t)total : -EFAULT;
		if (signal_pending(current))
			break;
	}
	return (ssize_t)total;
}

static int zero_mmap(struct file *file, struct vma *vma)
{
	if (vma->flags & VM_SHARED)
		return -ENODEV;
	vma->ops = NULL;
	return 0;
}

static ssize_t random_read(struct file *file, struct uio *to, u64 *pos)
{
	u8 chunk[256];
	ssize_t total = 0;

	while (to->left) {
		size_t want = min(to->left, sizeof(chunk));
		size_t n;

		random_bytes(chunk, want);
		n = uio_put(to, chunk, want);
		total += (ssize_t)n;
		if (n != want) {
			total = total ? total : -EFAULT;
			break;
		}
		if (signal_pending(current))
			break;
	}
	memzero_explicit(chunk, sizeof(chunk));
	return total;
}

static ssize_t random_write(struct file *file, struct uio *from, u64 *pos)
{
	u8 chunk[64];
	ssize_t total = 0;

	while (from->left) {
		size_t n = uio_get(from, chunk, min(from->left, sizeof(chunk)));

		if (!n)
			return total ? total : -EFAULT;
		random_mix(chunk, n);
		total += (ssize_t)n;
	}
	return total;
}

#define RNDGETENTCNT	0x80045200u
#define RNDADDTOENTCNT	0x40045201u
#define RNDADDENTROPY	0x40085203u
#define RNDZAPENTCNT	0x5204u
#define RNDCLEARPOOL	0x5206u
#define RNDRESEEDCRNG	0x5207u
#define POOL_BITS	256

static long random_ioctl(struct file *file, u32 cmd, u64 arg)
{
	switch (cmd) {
	case RNDGETENTCNT:
		return put_user((s32)POOL_BITS, (s32 __user *)user_ptr(arg));
	case RNDADDTOENTCNT:
	case RNDADDENTROPY:
	case RNDZAPENTCNT:
	case RNDCLEARPOOL:
	case RNDRESEEDCRNG:
		/* The generator is always seeded: nothing left to do. */
		return capable(CAP_SYS_ADMIN) ? 0 : -EPERM;
	default:
		return -EINVAL;
	}
}

static s64 mem_llseek(struct file *file, s64 off, int whence)
{
	file->pos = 0;
	return 0;
}

static const struct file_ops null_fops = {
	.read = null_read, .write = null_write, .llseek = mem_llseek,
};
static const struct file_ops zero_fops = {
	.read = zero_read, .write = null_write, .llseek = mem_llseek,
	.mmap = zero_mmap,
};
static const struct file_ops full_fops = {
	.read = zero_read, .write = full_write, .llseek = mem_llseek,
};
static const struct file_ops random_fops = {
	.read = random_read, .write = random_write, .ioctl = random_ioctl,
	.llseek = no_llseek,
};

static int mem_init(void)
{
	chrdev_register("null", MEM_MAJOR, 3, 0666, &null_fops, NULL);
	chrdev_register("zero", MEM_MAJOR, 5, 0666, &zero_fops, NULL);
	chrdev_register("full", MEM_MAJOR, 7, 0666, &full_fops, NULL);
	chrdev_register("random", MEM_MAJOR, 8, 0666, &random_fops, NULL);
	chrdev_register("urandom", MEM_MAJOR, 9, 0666, &random_fops, NULL);
	return 0;
}
INITCALL(INIT_DEVICE, mem_init);
