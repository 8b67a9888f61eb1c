// SPDX-License-Identifier: MIT
/*
 * The set of mappings of a space: a tree by address, each node knowing the
 * free space right below it and the most free space in its subtree.
 *
 * Entry points: vma_find and friends (mmap_lock shared), vma_new, vma_insert,
 * vma_erase, vma_split, vma_set_range, vma_merge (mmap_lock exclusive),
 * vma_gap_down and vma_gap_up (shared).  The bounds of a mapping with a page
 * cache change under cache->imap_lock too, because truncation walks the
 * cache's mappings without the mmap lock.
 *
 * Nothing here touches page tables or accounts memory.
 */
#include <kernel/mm.h>
#include <kernel/mm_file.h>
#include <kernel/panic.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

#include "internal.h"
#include "vma.h"

static struct kmem_cache *vma_cache;

void vma_init(void)
{
	vma_cache = kmem_cache_create("vma", sizeof(struct vma), 16);
	CHECK(vma_cache != NULL);
}

struct vma *vma_new(struct mm *mm, u64 start, u64 end, u32 flags)
{
	struct vma *vma = kmem_cache_alloc(vma_cache, GFP_KERNEL);

	if (!vma)
		return NULL;
	memset(vma, 0, sizeof(*vma));
	vma->mm = mm;
	vma->start = start;
	vma->end = end;
	vma->flags = flags;
	vma->pgoff = start >> PAGE_SHIFT;
	list_init(&vma->imap_link);
	rb_node_clear(&vma->node);
	return vma;
}

/* A copy in another place or space, in no tree and on no list. */
struct vma *vma_dup(const struct vma *old)
{
	struct vma *vma = kmem_cache_alloc(vma_cache, GFP_KERNEL);

	if (!vma)
		return NULL;
	*vma = *old;
	list_init(&vma->imap_link);
	rb_node_clear(&vma->node);
	if (vma->file)
		file_get(vma->file);
	return vma;
}

/* Out of tree and lists; drops the file. */
void vma_free(struct vma *vma)
{
	if (vma->file)
		file_put_late(vma->file);
	kmem_cache_free(vma_cache, vma);
}

static inline struct vma *node_vma(const struct rb_node *n)
{
	return n ? container_of((struct rb_node *)n, struct vma, node) : NULL;
}

struct vma *vma_first(struct mm *mm)
{
	return node_vma(rb_first(&mm->vmas));
}

struct vma *vma_last(struct mm *mm)
{
	return node_vma(rb_last(&mm->vmas));
}

struct vma *vma_next(struct vma *vma)
{
	return node_vma(rb_next(&vma->node));
}

struct vma *vma_prev(struct vma *vma)
{
	return node_vma(rb_prev(&vma->node));
}

struct vma *vma_find(struct mm *mm, u64 addr)
{
	struct vma *vma = READ_ONCE(mm->cache);
	struct rb_node *n = mm->vmas.root;
	struct vma *best = NULL;

	if (vma && vma->start <= addr && addr < vma->end)
		return vma;
	while (n) {
		vma = node_vma(n);
		if (addr < vma->end) {
			best = vma;
			if (addr >= vma->start)
				break;
			n = n->left;
		} else {
			n = n->right;
		}
	}
	if (best && addr >= best->start)
		WRITE_ONCE(mm->cache, best);
	return best;
}

struct vma *vma_lookup(struct mm *mm, u64 addr)
{
	struct vma *vma = vma_find(mm, addr);

	return vma && vma->start <= addr ? vma : NULL;
}

/* Does anything lie in [start, end)? */
bool vma_any(struct mm *mm, u64 start, u64 end)
{
	struct vma *vma = vma_find(mm, start);

	return vma && vma->start < end;
}

static void gap_update(struct rb_node *n)
{
	struct vma *vma = node_vma(n);
	u64 most = vma->gap;

	if (n->left)
		most = max(most, node_vma(n->left)->max_gap);
	if (n->right)
		most = max(most, node_vma(n->right)->max_gap);
	vma->max_gap = most;
}

static u64 gap_below(const struct vma *vma, const struct vma *prev)
{
	u64 floor = prev ? prev->end : 0;
	u64 ceiling = vma->start;

	if (vma->flags & VM_GROWSDOWN)
		ceiling -= min_t(u64, ceiling, STACK_GUARD_GAP);
	return ceiling > floor ? ceiling - floor : 0;
}

/* Its lower neighbour or its own start changed. */
static void gap_refresh(struct vma *vma)
{
	vma->gap = gap_below(vma, vma_prev(vma));
	rb_update_up(&vma->node, gap_update);
}

void vma_insert(struct mm *mm, struct vma *vma)
{
	struct rb_node **link = &mm->vmas.root;
	struct rb_node *parent = NULL;
	struct vma *below = NULL, *above = NULL;

	while (*link) {
		struct vma *at = node_vma(*link);

		parent = *link;
		if (vma->start < at->start) {
			above = at;
			link = &parent->left;
		} else {
			below = at;
			link = &parent->right;
		}
	}
	ASSERT(!below || below->end <= vma->start);
	ASSERT(!above || vma->end <= above->start);
	vma->gap = gap_below(vma, below);
	vma->max_gap = vma->gap;
	rb_insert_aug(&mm->vmas, &vma->node, parent, link, gap_update);
	mm->nr_vmas++;
	if (above)
		gap_refresh(above);
	if (vma->cache && list_empty(&vma->imap_link))
		imap_add(vma->cache, vma);
}

void vma_erase(struct mm *mm, struct vma *vma)
{
	struct vma *above = vma_next(vma);

	rb_erase_aug(&mm->vmas, &vma->node, gap_update);
	mm->nr_vmas--;
	mm->cache = NULL;
	if (above)
		gap_refresh(above);
	if (vma->cache)
		imap_remove(vma->cache, vma);
}

/* New bounds, which touch no neighbour. */
void vma_set_range(struct vma *vma, u64 start, u64 end, u64 pgoff)
{
	struct vma *above = vma_next(vma);

	if (vma->cache)
		mutex_lock(&vma->cache->imap_lock);
	vma->start = start;
	vma->end = end;
	vma->pgoff = pgoff;
	if (vma->cache)
		mutex_unlock(&vma->cache->imap_lock);
	vma->mm->cache = NULL;
	gap_refresh(vma);
	if (above)
		gap_refresh(above);
}

/* Cut at addr: vma keeps the lower part.  0 or a negative errno. */
int vma_split(struct vma *vma, u64 addr)
{
	struct mm *mm = vma->mm;
	struct vma *upper;
	u64 end = vma->end;
	int err;

	ASSERT(vma->start < addr && addr < end && !(addr & ~PAGE_MASK));
	if (vma->ops && vma->ops->may_split) {
		err = vma->ops->may_split(vma, addr);
		if (err)
			return err;
	}
	if (mm->nr_vmas >= (u32)READ_ONCE(sysctl_max_map_count))
		return -ENOMEM;
	upper = vma_dup(vma);
	if (!upper)
		return -ENOMEM;
	upper->start = addr;
	upper->pgoff += (addr - vma->start) >> PAGE_SHIFT;
	/* At no time does truncation see the upper part in no mapping. */
	if (upper->cache)
		imap_add(upper->cache, upper);
	vma_set_range(vma, vma->start, addr, vma->pgoff);
	vma_insert(mm, upper);
	if (upper->ops && upper->ops->open)
		upper->ops->open(upper);
	return 0;
}

/*
 * Make [start, end) begin and end at mapping bounds.  Returns the first
 * mapping in it (or above) in *first.
 */
int vma_isolate(struct mm *mm, u64 start, u64 end, struct vma **first)
{
	struct vma *vma = vma_find(mm, start);
	struct vma *last;
	int err;

	*first = vma;
	if (!vma || vma->start >= end)
		return 0;
	if (vma->start < start) {
		err = vma_split(vma, start);
		if (err)
			return err;
		vma = vma_next(vma);
		*first = vma;
	}
	last = vma_find(mm, end - 1);
	if (last && last->start < end && end < last->end)
		return vma_split(last, end);
	return 0;
}

static bool mergeable(const struct vma *a, const struct vma *b)
{
	if (a->end != b->start || a->flags != b->flags || a->file != b->file ||
	    a->ops != b->ops || a->private != b->private)
		return false;
	if (a->flags & (VM_SPECIAL | VM_DONTEXPAND) ||
	    (a->ops && a->ops->close))
		return false;
	return !a->ops ||
	       a->pgoff + ((a->end - a->start) >> PAGE_SHIFT) == b->pgoff;
}

/* Join b, which follows a, into a. */
static void absorb(struct vma *a, struct vma *b)
{
	u64 end = b->end;

	if (READ_ONCE(b->has_anon))
		WRITE_ONCE(a->has_anon, true);
	/* First the longer one, for truncation's sake as in vma_split(). */
	vma_set_range(a, a->start, end, a->pgoff);
	vma_erase(a->mm, b);
	vma_free(b);
}

/* Join a mapping with equal neighbours; the mapping that now covers it. */
struct vma *vma_merge(struct vma *vma)
{
	struct vma *other = vma_next(vma);

	if (other && mergeable(vma, other))
		absorb(vma, other);
	other = vma_prev(vma);
	if (other && mergeable(other, vma)) {
		absorb(other, vma);
		vma = other;
	}
	return vma;
}

/* The highest fitting place in the gap right below vma, 0: none. */
static u64 fit_down(const struct vma *vma, u64 len, u64 low, u64 high)
{
	u64 ceiling = vma->start, floor;

	if (vma->gap < len)
		return 0;
	if (vma->flags & VM_GROWSDOWN)
		ceiling -= min_t(u64, ceiling, STACK_GUARD_GAP);
	floor = max(ceiling - vma->gap, low);
	ceiling = min(ceiling, high);
	return ceiling >= floor && ceiling - floor >= len ? ceiling - len : 0;
}

static u64 gap_down(const struct rb_node *n, u64 len, u64 low, u64 high)
{
	while (n) {
		const struct vma *vma = node_vma(n);
		u64 addr = 0;

		if (vma->max_gap < len)
			return 0;
		if (vma->start < high)
			addr = gap_down(n->right, len, low, high);
		if (!addr)
			addr = fit_down(vma, len, low, high);
		if (addr)
			return addr;
		if (vma->start <= low)
			return 0;
		n = n->left;
	}
	return 0;
}

/* The highest free place for len bytes in [low, high), or 0. */
u64 vma_gap_down(struct mm *mm, u64 len, u64 low, u64 high)
{
	const struct vma *top = node_vma(rb_last(&mm->vmas));
	u64 floor = max(top ? top->end : 0, low);

	if (floor < high && high - floor >= len)
		return high - len;
	return gap_down(mm->vmas.root, len, low, high);
}

/* The lowest one at or above low, or 0; slow, for when the top is full. */
u64 vma_gap_up(struct mm *mm, u64 len, u64 low, u64 high)
{
	struct vma *vma = vma_find(mm, low);
	u64 addr = low;

	if (vma && vma->start < low)
		addr = vma->end;
	for (vma = vma_find(mm, addr); vma; vma = vma_next(vma)) {
		u64 ceiling = vma->start;

		if (vma->flags & VM_GROWSDOWN)
			ceiling -= min_t(u64, ceiling, STACK_GUARD_GAP);
		if (ceiling > addr && ceiling - addr >= len)
			return addr + len <= high ? addr : 0;
		addr = vma->end;
	}
	return addr < high && high - addr >= len ? addr : 0;
}
