// SPDX-License-Identifier: MIT
/*
 * User memory reached through page tables rather than through the current
 * space: /proc/PID/mem, process_vm_readv, exec's initial stack, and pinned
 * pages.
 *
 * Entry points: mm_access, mm_copy_to, mm_get_page, process_vm_readv and
 * _writev.  A page is faulted in and referenced under the target's mmap_lock
 * (shared); bytes are copied through the linear map.  User buffers of current
 * are touched only when no mmap lock is held.
 */
#include <arch/cache.h>
#include <arch/string.h>
#include <kernel/cred.h>
#include <kernel/mm.h>
#include <kernel/panic.h>
#include <kernel/pid.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <kernel/uio.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

#include "fault.h"
#include "internal.h"
#include "pgtable.h"
#include "vma.h"

static bool vma_permits(const struct vma *vma, bool write, bool force)
{
	if (write) {
		return vma->flags & VM_WRITE ||
		       (force && vma->flags & VM_MAYWRITE &&
			!(vma->flags & VM_SHARED));
	}
	return vma->flags & VM_READ || (force && vma->flags & VM_MAYREAD);
}

/*
 * [pte_lock] May the frame be used as it is mapped now?  For a write the entry
 * must let user space write too: a futex operation tries again through it.
 */
static bool entry_serves(const struct vma *vma, u64 pte, bool write)
{
	struct page *page;

	if (!pte)
		return false;
	if (!write || (arch_pte_dirty(pte) && arch_pte_young(pte)))
		return true;
	/* A forced write has made a copy that is only this space's. */
	page = pte_page(pte);
	return !(vma->flags & VM_WRITE) && page && page->flags & PG_ANON &&
	       load_acquire(&page->refs) == 1;
}

/*
 * [mmap_lock read] The frame behind addr, faulted in: its kernel address, and
 * a reference in *page (NULL: a frame of the image).  NULL: -EFAULT.
 */
static void *pin_frame(struct vma *vma, u64 addr, bool write, bool force,
		       struct page **page)
{
	struct mm *mm = vma->mm;
	struct fault f = {
		.vma = vma,
		.addr = PAGE_DOWN(addr),
		.write = write,
		.force = force,
	};

	for (int tries = 0; tries < 16; tries++) {
		u64 *slot = pgtable_walk(mm, f.addr);
		int answer;

		if (slot) {
			u64 pte;

			spin_lock(&mm->pte_lock);
			pte = READ_ONCE(*slot);
			if (entry_serves(vma, pte, write)) {
				u64 pa = arch_pte_pa(pte);

				*page = pte_page(pte);
				if (*page)
					page_get(*page);
				spin_unlock(&mm->pte_lock);
				if (!pfn_valid(pa >> PAGE_SHIFT))
					return NULL;
				return arch_phys_to_virt(pa);
			}
			spin_unlock(&mm->pte_lock);
		}
		answer = fault_serve(&f);
		if (answer > VM_FAULT_MAJOR && answer != VM_FAULT_RETRY)
			return NULL;
	}
	return NULL;
}

/* The instruction cache must see what was put into code (breakpoints). */
static void wrote_code(struct vma *vma, void *kva, size_t n)
{
	if (vma->flags & VM_EXEC)
		arch_icache_sync(kva, n);
}

static size_t access_pages(struct mm *mm, u64 addr, void *buf, size_t len,
			   bool write, bool force)
{
	size_t done = 0;

	rwsem_read_lock(&mm->mmap_lock);
	while (done < len && addr < ARCH_USER_END) {
		u64 off = addr & (PAGE_SIZE - 1);
		size_t n = min_t(size_t, PAGE_SIZE - off, len - done);
		struct vma *vma = fault_find_vma(mm, addr);
		struct page *page;
		char *kva;

		if (!vma || !vma_permits(vma, write, force))
			break;
		kva = pin_frame(vma, addr, write, force, &page);
		if (!kva)
			break;
		if (write) {
			memcpy(kva + off, (char *)buf + done, n);
			wrote_code(vma, kva + off, n);
		} else {
			memcpy((char *)buf + done, kva + off, n);
		}
		if (page)
			page_put(page);
		done += n;
		addr += n;
	}
	rwsem_read_unlock(&mm->mmap_lock);
	return done;
}

size_t mm_access(struct mm *mm, u64 addr, void *buf, size_t len, bool write)
{
	return access_pages(mm, addr, buf, len, write, true);
}

int mm_copy_to(struct mm *mm, u64 addr, const void *buf, size_t len)
{
	size_t n = access_pages(mm, addr, (void *)buf, len, true, false);

	return n == len ? 0 : -EFAULT;
}

int mm_get_page(u64 addr, bool write, struct page **out)
{
	struct mm *mm = current->mm;
	struct vma *vma;
	void *kva = NULL;

	addr = ARCH_UNTAG(addr);
	if (!mm || addr >= ARCH_USER_END)
		return -EFAULT;
	*out = NULL;
	rwsem_read_lock(&mm->mmap_lock);
	vma = fault_find_vma(mm, addr);
	if (vma && vma_permits(vma, write, false))
		kva = pin_frame(vma, addr, write, false, out);
	rwsem_read_unlock(&mm->mmap_lock);
	return kva && *out ? 0 : -EFAULT;
}

/* [mmap_lock] Does vma map that byte of the file at addr, and privately? */
static bool maps_byte(const struct vma *vma, u64 addr,
		      const struct page_cache *cache, u64 offset)
{
	return vma && vma->start <= addr && vma->cache == cache &&
	       !(vma->flags & VM_SHARED) &&
	       addr - vma->start + (vma->pgoff << PAGE_SHIFT) == offset;
}

/*
 * [mmap_lock write] One try to exchange a word of code.  Other threads may
 * execute it meanwhile, and few instructions may be replaced under them (Arm
 * ARM B2.2.5); so the page is replaced by a changed copy, break before make.
 * Only what the program itself may write is changed where it is.
 */
static int exchange_word(struct vma *vma, u64 addr, u32 old, u32 new)
{
	struct fault f = { .vma = vma, .addr = PAGE_DOWN(addr) };
	u64 off = addr & (PAGE_SIZE - 1);
	struct page *page, *copy;
	char *kva;
	int err;

	kva = pin_frame(vma, addr, false, true, &page);
	if (!kva)
		return -EFAULT;
	f.slot = pgtable_walk(vma->mm, f.addr);
	f.pte = READ_ONCE(*f.slot);
	err = -EAGAIN;
	if (arch_pte_pa(f.pte) + off != arch_virt_to_phys(kva + off))
		goto put_page;
	err = -ENOENT;
	if (READ_ONCE(*(u32 *)(void *)(kva + off)) != old)
		goto put_page;
	if (pte_writable(f.pte)) {
		WRITE_ONCE(*(u32 *)(void *)(kva + off), new);
		wrote_code(vma, kva + off, sizeof(new));
		err = 0;
		goto put_page;
	}
	err = -ENOMEM;
	copy = page_alloc(0, GFP_KERNEL);
	if (!copy)
		goto put_page;
	arch_copy_page(page_address(copy), kva);
	memcpy((char *)page_address(copy) + off, &new, sizeof(new));
	err = fault_install_copy(&f, copy) == VM_FAULT_OK ? 0 : -EAGAIN;
put_page:
	if (page)
		page_put(page);
	return err;
}

int mm_patch_word(struct mm_site site, struct page_cache *cache, u64 offset,
		  u32 old, u32 new)
{
	int tries, err = -ENOENT;
	struct vma *vma;

	/* Nobody else writes by force between the copy and its place. */
	rwsem_write_lock(&site.mm->mmap_lock);
	vma = vma_find(site.mm, site.addr);
	if (maps_byte(vma, site.addr, cache, offset)) {
		/* The file may be cut meanwhile, and the page with it. */
		err = -EAGAIN;
		for (tries = 0; tries < 16 && err == -EAGAIN; tries++)
			err = exchange_word(vma, site.addr, old, new);
	}
	rwsem_write_unlock(&site.mm->mmap_lock);
	return err == -EAGAIN ? -EFAULT : err;
}

int mm_patch_counter(struct mm_site site, struct page_cache *cache, u64 offset,
		     s16 add)
{
	int err = -ENOENT;
	struct page *page;
	struct vma *vma;
	char *kva;
	u16 *at;

	rwsem_read_lock(&site.mm->mmap_lock);
	vma = vma_find(site.mm, site.addr);
	if (maps_byte(vma, site.addr, cache, offset)) {
		err = -EFAULT;
		kva = pin_frame(vma, site.addr, true, true, &page);
		if (kva) {
			at = (u16 *)(void *)(kva +
					     (site.addr & (PAGE_SIZE - 1)));
			WRITE_ONCE(*at, (u16)(READ_ONCE(*at) + (u16)add));
			if (page)
				page_put(page);
			err = 0;
		}
	}
	rwsem_read_unlock(&site.mm->mmap_lock);
	return err;
}

/* One remote segment, through a page of our own. */
static ssize_t vm_segment(struct mm *mm, u64 addr, u64 len, struct uio *local,
			  char *bounce, bool write)
{
	size_t done = 0;

	while (done < len && local->left) {
		size_t n = min_t(size_t, PAGE_SIZE, len - done);
		size_t got;

		n = min(n, local->left);
		/* One page at most, so that a bad one stops at its edge. */
		n = min_t(size_t, n,
			  PAGE_SIZE - ((addr + done) & (PAGE_SIZE - 1)));
		if (write) {
			size_t have = uio_get(local, bounce, n);

			got = access_pages(mm, addr + done, bounce, have, true,
					   false);
			if (got < have)
				uio_revert(local, have - got);
		} else {
			got = access_pages(mm, addr + done, bounce, n, false,
					   false);
			got = uio_put(local, bounce, got);
		}
		done += got;
		if (got < n)
			return done ? (ssize_t)done : -EFAULT;
	}
	return (ssize_t)done;
}

static ssize_t vm_transfer(struct mm *mm, const struct iovec *remote, u64 nr,
			   struct uio *local, bool write)
{
	char *bounce = kmalloc(PAGE_SIZE, GFP_KERNEL);
	ssize_t total = 0;

	if (!bounce)
		return -ENOMEM;
	for (u64 i = 0; i < nr && local->left; i++) {
		u64 at = ARCH_UNTAG(user_addr(remote[i].base));
		ssize_t n = vm_segment(mm, at, remote[i].len, local, bounce,
				       write);

		if (n < 0) {
			if (!total)
				total = n;
			break;
		}
		total += n;
		if ((u64)n < remote[i].len && local->left)
			break;
	}
	kfree(bounce);
	return total;
}

static ssize_t vm_access(s32 pid, struct uio *local, const struct iovec *remote,
			 u64 nr, bool write)
{
	struct task *t = task_find_get(pid);
	struct mm *mm;
	ssize_t ret;

	if (!t)
		return -ESRCH;
	ret = -EPERM;
	if (ptrace_may_access(t, true, true))
		goto put_task;
	ret = -ESRCH;
	mm = task_mm_get(t);
	if (!mm)
		goto put_task;
	ret = vm_transfer(mm, remote, nr, local, write);
	mm_put(mm);
put_task:
	task_put(t);
	return ret;
}

static ssize_t process_vm(s32 pid, const struct iovec __user *lvec, u64 lnr,
			  const struct iovec __user *rvec, u64 rnr, u64 flags,
			  bool write)
{
	struct iovec fast[8], *heap = NULL, *remote = NULL;
	struct uio local;
	ssize_t ret;

	if (flags)
		return -EINVAL;
	ret = uio_import(&local, lvec, lnr, fast, ARRAY_SIZE(fast), &heap);
	if (ret < 0)
		return ret;
	ret = 0;
	if (!local.left || !rnr)
		goto free_local;
	ret = -EINVAL;
	if (rnr > UIO_MAXIOV)
		goto free_local;
	remote = memdup_from_user(rvec, rnr * sizeof(*remote));
	if (IS_ERR(remote)) {
		ret = PTR_ERR(remote);
		remote = NULL;
		goto free_local;
	}
	for (u64 i = 0; i < rnr; i++) {
		if ((s64)remote[i].len < 0)
			goto free_local;
	}
	ret = vm_access(pid, &local, remote, rnr, write);
free_local:
	kfree(remote);
	kfree(heap);
	return ret;
}

SYSCALL6(process_vm_readv, s32, pid, const struct iovec __user *, lvec, u64,
	 lnr, const struct iovec __user *, rvec, u64, rnr, u64, flags)
{
	return process_vm(pid, lvec, lnr, rvec, rnr, flags, false);
}

SYSCALL6(process_vm_writev, s32, pid, const struct iovec __user *, lvec, u64,
	 lnr, const struct iovec __user *, rvec, u64, rnr, u64, flags)
{
	return process_vm(pid, lvec, lnr, rvec, rnr, flags, true);
}
