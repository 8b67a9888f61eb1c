// SPDX-License-Identifier: MIT
/*
 * Any bytes as an initramfs: archives plain and gzipped, in one go.
 */
#include <lib/cpio.h>
#include <lib/err.h>

#include "fuzz.h"

static int on_entry(void *ctx, const struct cpio_entry *e)
{
	fuzz_touch(e->name, 1);
	return 0;
}

static int on_data(void *ctx, const struct cpio_entry *e, const u8 *data,
		   size_t len)
{
	u64 *total = ctx;

	fuzz_touch(data, len);
	*total += len;
	return *total > (1 << 20) ? -EFBIG : 0;
}

static int on_end(void *ctx, const struct cpio_entry *e)
{
	return 0;
}

static const struct cpio_ops ops = { on_entry, on_data, on_end, fuzz_alloc,
				     fuzz_free };

static struct initramfs work;

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	u64 total = 0;
	size_t at;

	(void)initramfs_read(&work, data, len, &ops, &total, &at);
	return at > len;
}
