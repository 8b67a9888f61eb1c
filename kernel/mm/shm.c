// SPDX-License-Identifier: MIT
/*
 * Shared anonymous memory: a page cache without a file, counted by the
 * mappings of it.
 *
 * Entry points: mm_make_shared_anon (mmap_lock held exclusively) and the
 * mapping operations.  The object goes with its last mapping.  Its size is
 * fixed when it is made: a mapping that is grown later finds nothing behind
 * it, and a touch there is a SIGBUS.
 */
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/pagecache.h>
#include <lib/err.h>
#include <lib/ref.h>

#include "internal.h"
#include "vma.h"

struct shm {
	struct ref refs; /* mappings */
	struct page_cache cache;
	u64 size; /* [I] bytes */
};

static struct shm *shm_of(const struct vma *vma)
{
	return container_of(vma->cache, struct shm, cache);
}

static void shm_open(struct vma *vma)
{
	ref_get(&shm_of(vma)->refs);
}

static void shm_close(struct vma *vma)
{
	struct shm *shm = shm_of(vma);

	if (!ref_put(&shm->refs))
		return;
	page_cache_destroy(&shm->cache);
	kfree(shm);
}

static int shm_fault(struct vma *vma, struct vm_fault *vmf)
{
	return page_cache_vm_ops.fault(vma, vmf);
}

static const char *shm_name(struct vma *vma)
{
	return vma->file ? NULL : "/dev/zero (deleted)";
}

static const struct vm_ops shm_vm_ops = {
	.open = shm_open,
	.close = shm_close,
	.fault = shm_fault,
	.name = shm_name,
};

bool vma_is_shared_anon(const struct vma *vma)
{
	return vma->ops == &shm_vm_ops;
}

int mm_make_shared_anon(struct vma *vma)
{
	struct shm *shm = kzalloc(sizeof(*shm), GFP_KERNEL);

	if (!shm)
		return -ENOMEM;
	ref_init(&shm->refs);
	shm->size = (vma->pgoff << PAGE_SHIFT) + (vma->end - vma->start);
	page_cache_init(&shm->cache, NULL, &shm->size, NULL, true);
	vma->cache = &shm->cache;
	vma->ops = &shm_vm_ops;
	return 0;
}
