/* SPDX-License-Identifier: MIT */
/*
 * mmap(2) of a perf descriptor: geometry, accounting, the mapping's life.
 *
 * Entry point: perf_mmap_file (mmap_lock held for writing) and the mapping's
 * operations.  mmap_mutex inside mmap_lock.  A ring lives as long as it is
 * mapped somewhere; when the last mapping goes, every event that writes into
 * it loses it.
 */
#include "door.h"
#include "ring.h"

#include <kernel/cred.h>
#include <kernel/file.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <lib/err.h>
#include <lib/minmax.h>

static struct perf_event *event_of(struct vma *vma)
{
	return vma->file->private;
}

static void vma_opened(struct vma *vma)
{
	struct perf_event *e = event_of(vma);

	mutex_lock(&e->mmap_mutex);
	e->mmap_count++;
	fetch_add_relaxed(&e->ring->mmap_count, 1);
	mutex_unlock(&e->mmap_mutex);
}

/* A reference on some event that still writes into ring, or NULL. */
static struct perf_event *some_writer(struct perf_ring *ring)
{
	struct perf_event *e, *found = NULL;
	unsigned long flags = spin_lock_irqsave(&ring->list_lock);

	list_for_each_entry(e, &ring->events, ring_link)
		if (ref_get_unless_zero(&e->refs)) {
			found = e;
			break;
		}
	spin_unlock_irqrestore(&ring->list_lock, flags);
	return found;
}

static void detach_writers(struct perf_ring *ring)
{
	struct perf_event *e;

	while ((e = some_writer(ring)) != NULL) {
		mutex_lock(&e->mmap_mutex);
		if (e->ring == ring)
			perf_ring_attach(e, NULL);
		mutex_unlock(&e->mmap_mutex);
		perf_event_put(e);
	}
}

static void uncharge(struct perf_ring *ring, struct mm *mm)
{
	perf_mlock_uncharge(ring->uid, ring->charged_user);
	fetch_add_relaxed(&mm->pinned_pages, -(u64)ring->charged_mm);
}

static void vma_closed(struct vma *vma)
{
	struct perf_event *e = event_of(vma);
	struct perf_ring *ring = perf_ring_of(e);
	bool last;

	if (!ring)
		return;
	last = fetch_add_acq_rel(&ring->mmap_count, -1u) == 1;
	mutex_lock(&e->mmap_mutex);
	if (!--e->mmap_count && e->ring == ring)
		perf_ring_attach(e, NULL);
	mutex_unlock(&e->mmap_mutex);
	if (last) {
		detach_writers(ring);
		uncharge(ring, vma->mm);
	}
	perf_ring_put(ring);
}

static int vma_may_split(struct vma *vma, u64 addr)
{
	return -EINVAL;
}

/* User code writes data_tail on the first page, and nothing else. */
static int vma_fault(struct vma *vma, struct vm_fault *vmf)
{
	struct perf_ring *ring = perf_ring_of(event_of(vma));
	int ret = VM_FAULT_SIGBUS;

	if (!ring)
		return ret;
	if (vmf->pgoff <= ring->nr_pages && !(vmf->pgoff && vmf->write)) {
		vmf->page = ring->pages[vmf->pgoff];
		page_get(vmf->page);
		vmf->readonly = vmf->pgoff != 0;
		ret = VM_FAULT_OK;
	}
	perf_ring_put(ring);
	return ret;
}

static int vma_mkwrite(struct vma *vma, struct vm_fault *vmf)
{
	return vmf->pgoff ? VM_FAULT_SIGBUS : VM_FAULT_OK;
}

static const struct vm_ops perf_vm_ops = {
	.open = vma_opened,
	.close = vma_closed,
	.may_split = vma_may_split,
	.fault = vma_fault,
	.page_mkwrite = vma_mkwrite,
};

/* A second mapping shares the ring; its size must agree.  mmap_mutex held. */
static int map_again(struct perf_event *e, u32 pages)
{
	u32 count;

	if (e->ring->nr_pages != pages)
		return -EINVAL;
	count = load_relaxed(&e->ring->mmap_count);
	do {
		if (!count)
			return -EAGAIN;	/* its last mapping is going */
	} while (!try_cmpxchg_acq_rel(&e->ring->mmap_count, &count, count + 1));
	e->mmap_count++;
	return 0;
}

static int map_new(struct perf_event *e, struct vma *vma, u32 pages)
{
	u64 watermark = e->attr.watermark ? e->attr.wakeup_watermark : 0;
	struct perf_ring *ring;
	u32 user, extra;
	int err;

	err = perf_mlock_charge(pages + 1, &user, &extra);
	if (err)
		return err;
	ring = perf_ring_alloc(pages, watermark, !(vma->flags & VM_WRITE));
	if (!ring) {
		perf_mlock_uncharge(current_cred()->uid, user);
		fetch_add_relaxed(&vma->mm->pinned_pages, -(u64)extra);
		return -ENOMEM;
	}
	ring->uid = current_cred()->uid;
	ring->charged_user = user;
	ring->charged_mm = extra;
	ring->mmap_count = 1;
	e->mmap_count = 1;
	perf_ring_attach(e, ring);
	perf_userpage_init(e);
	perf_userpage_refresh(e);
	return 0;
}

int perf_mmap_file(struct file *file, struct vma *vma)
{
	struct perf_event *e = file->private;
	u64 total = (vma->end - vma->start) >> PAGE_SHIFT;
	int err;

	/* One ring cannot have the writers of several CPUs. */
	if (e->c.cpu == -1 && e->attr.inherit)
		return -EINVAL;
	if (!(vma->flags & VM_SHARED))
		return -EINVAL;
	/* An offset means an AUX area, which no PMU here has. */
	if (vma->pgoff || total > U32_MAX || (total > 1 && !is_pow2(total - 1)))
		return -EINVAL;
	do {
		mutex_lock(&e->mmap_mutex);
		err = e->ring ? map_again(e, (u32)total - 1) :
				map_new(e, vma, (u32)total - 1);
		if (err == -EAGAIN)
			perf_ring_attach(e, NULL);
		mutex_unlock(&e->mmap_mutex);
	} while (err == -EAGAIN);
	if (err)
		return err;
	vma->flags |= VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP;
	vma->ops = &perf_vm_ops;
	return 0;
}

/* For SAMPLE_PHYS_ADDR and the page sizes: any context. */
static void look_up(u64 addr, u64 *phys, u64 *page_size)
{
	struct mm *mm = current_task()->mm;
	u64 pa;
	u32 prot;

	if (!addr || !mm || addr >= ARCH_USER_END ||
	    !mm_walk_nofault(mm, addr, &pa, &prot))
		return;
	/* The page of zeros is nobody's: as on the reference, no address. */
	if (pa >> PAGE_SHIFT != page_to_phys(zero_page) >> PAGE_SHIFT)
		*phys = pa;
	*page_size = PAGE_SIZE;
}

void perf_mmap_boot(void)
{
	perf_addr_hook = look_up;
}
