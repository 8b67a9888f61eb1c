// SPDX-License-Identifier: MIT
/*
 * The life of an address space.
 *
 * Two counts: `users` are the tasks (and others) that need its mappings, and
 * the last of them unmaps everything; `refs` keep struct mm and the top table
 * for whoever has them loaded lazily, all users together holding one.
 * task->mm changes under task->wake_lock, so that task_mm_get() of another
 * task never meets a space that is being freed.
 *
 * Entry points: mm_init, mm_alloc, mm_get, mm_put, mm_put_late, mm_grab,
 * mm_drop, task_mm_get, mm_activate.  mm_put may sleep.
 */
#include <arch/irqflags.h>
#include <arch/mmu.h>
#include <kernel/init.h>
#include <kernel/mm.h>
#include <kernel/probe_hooks.h>
#include <kernel/mm_file.h>
#include <kernel/panic.h>
#include <kernel/sched.h>
#include <kernel/task.h>
#include <kernel/wait.h>
#include <lib/err.h>
#include <lib/string.h>

#include "internal.h"
#include "pgtable.h"
#include "vma.h"

static struct kmem_cache *mm_cache;

void mm_init(void)
{
	mm_cache = kmem_cache_create("mm", sizeof(struct mm), 64);
	CHECK(mm_cache != NULL);
	vma_init();
	radix_init();
}

static void mm_init_locks(struct mm *mm)
{
	ref_init(&mm->users);
	ref_init(&mm->refs);
	rwsem_init(&mm->mmap_lock, LOCK_RANK_MMAP);
	spin_init(&mm->pte_lock, LOCK_RANK_PTE);
	rb_init(&mm->vmas);
}

/* Give a space whose other fields are set its top table and ASID. */
static int mm_init_tables(struct mm *mm)
{
	int err;

	mm->pgtable_pages = 0;
	mm->pgd = pgtable_new(mm);
	if (!mm->pgd)
		return -ENOMEM;
	err = arch_mm_init(mm);
	if (err)
		pgtable_free_now(mm, virt_to_page(mm->pgd));
	return err;
}

struct mm *mm_alloc(void)
{
	struct mm *mm = kmem_cache_alloc(mm_cache, GFP_KERNEL | GFP_ZERO);

	if (!mm)
		return NULL;
	mm_init_locks(mm);
	mm->dumpable = 1;
	if (mm_init_tables(mm)) {
		kmem_cache_free(mm_cache, mm);
		return NULL;
	}
	return mm;
}

/* For fork: the same layout and limits, no mappings.  old is locked. */
struct mm *mm_clone_empty(struct mm *old)
{
	struct mm *mm = kmem_cache_alloc(mm_cache, GFP_KERNEL);

	if (!mm)
		return NULL;
	memcpy(mm, old, sizeof(*mm));
	memset(&mm->arch, 0, sizeof(mm->arch));
	mm_init_locks(mm);
	mm->nr_vmas = 0;
	mm->cache = NULL;
	mm->total_pages = mm->total_peak = 0;
	mm->locked_pages = mm->pinned_pages = 0;
	mm->exec_pages = mm->data_pages = mm->stack_pages = 0;
	mm->rss_anon = mm->rss_file = mm->rss_shmem = 0;
	mm->rss_peak = 0;
	mm->def_flags = 0;
	mm->uprobes = NULL;
	if (mm_init_tables(mm)) {
		kmem_cache_free(mm_cache, mm);
		return NULL;
	}
	if (mm->exe)
		file_get(mm->exe);
	return mm;
}

void mm_get(struct mm *mm)
{
	ref_get(&mm->users);
}

void mm_grab(struct mm *mm)
{
	ref_get(&mm->refs);
}

void mm_drop(struct mm *mm)
{
	if (!ref_put(&mm->refs))
		return;
	ASSERT(virt_to_page(mm->pgd)->mapcount == 0);
	arch_mm_destroy(mm);
	pgtable_free_now(mm, virt_to_page(mm->pgd));
	kmem_cache_free(mm_cache, mm);
}

/* The last user is gone: nobody can fault, look or map any more. */
static void unmap_everything(struct mm *mm)
{
	struct tlb_gather g;
	struct vma *vma, *next;
	LIST_HEAD(doomed);

	tlb_gather_init(&g, mm, GATHER_DEAD);
	for (vma = vma_first(mm); vma; vma = vma_next(vma)) {
		if (vma->cache)
			imap_remove(vma->cache, vma);
		if (vma->flags & VM_ACCOUNT)
			vm_uncharge(vma_pages(vma));
		zap_range(&g, vma->start, vma->end, false);
		list_add_tail(&vma->imap_link, &doomed);
	}
	tlb_gather_finish(&g);
	list_for_each_entry_safe(vma, next, &doomed, imap_link) {
		if (vma->ops && vma->ops->close)
			vma->ops->close(vma);
		vma_free(vma);
	}
}

static void last_user_gone(struct mm *mm)
{
	might_sleep();
	unmap_everything(mm);
	uprobe_mm_free(mm);
	if (mm->exe)
		file_put(mm->exe);
	mm_drop(mm);
}

void mm_put(struct mm *mm)
{
	if (ref_put(&mm->users))
		last_user_gone(mm);
}

/*
 * Spaces whose last user held a mutex.  They end in a thread of their own, not
 * in that of reclaim: a mapping may hold the last reference on a file whose
 * release waits for a grace period, as that of a probe's event does.
 */
static struct mm *late_spaces;		/* [a] linked by late_next */
static struct wait_queue late_wq = WAIT_QUEUE_INIT(late_wq);

static void late_main(void *arg)
{
	struct mm *mm, *next;

	for (;;) {
		wait_event_state(&late_wq, READ_ONCE(late_spaces),
				 TASK_INTERRUPTIBLE, ~0ull);
		for (mm = xchg_acquire(&late_spaces, NULL); mm; mm = next) {
			next = mm->late_next;
			last_user_gone(mm);
		}
	}
}

static int late_init(void)
{
	struct task *t = kthread_create(late_main, NULL, "mm_late", -1);

	return IS_ERR(t) ? (int)PTR_ERR(t) : 0;
}
INITCALL(INIT_CORE, late_init);

void mm_put_late(struct mm *mm)
{
	struct mm *first;

	if (!ref_put(&mm->users))
		return;
	first = load_relaxed(&late_spaces);
	do {
		mm->late_next = first;
	} while (!try_cmpxchg_release(&late_spaces, &first, mm));
	wake_up_all(&late_wq);
}

struct mm *task_mm_get(struct task *t)
{
	unsigned long flags = spin_lock_irqsave(&t->wake_lock);
	struct mm *mm = t->mm;

	if (mm && !ref_get_unless_zero(&mm->users))
		mm = NULL;
	spin_unlock_irqrestore(&t->wake_lock, flags);
	return mm;
}

void mm_activate(struct mm *mm)
{
	struct task *t = current;
	unsigned long flags = spin_lock_irqsave(&t->wake_lock);
	struct mm *prev = t->active_mm;

	t->mm = mm;
	t->active_mm = mm;
	if (prev != mm)
		arch_mm_switch(prev, mm);
	spin_unlock_irqrestore(&t->wake_lock, flags);
}
