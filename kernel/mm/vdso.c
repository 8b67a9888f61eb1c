// SPDX-License-Identifier: MIT
/*
 * The vDSO and its data page in a user space, and where exec puts things.
 *
 * Entry points: vdso_map (exec, before the first user instruction),
 * mm_layout_init and the random offsets.  The frames belong to the kernel's
 * image: they are mapped without reference and never freed.
 */
#include <arch/elf.h>
#include <kernel/mm.h>
#include <kernel/random.h>
#include <kernel/task.h>
#include <kernel/vdso.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <linux/resource.h>

#include "internal.h"
#include "vma.h"

#define ADDR_NO_RANDOMIZE 0x0040000u
#define MMAP_RND_BITS	  18
#define STACK_RND_PAGES	  (1ull << 18)

s32 sysctl_randomize_va_space = 2;

static int vvar_fault(struct vma *vma, struct vm_fault *vmf)
{
	if (vmf->pgoff)
		return VM_FAULT_SIGBUS;
	vmf->page = virt_to_page(&vdso_data_page);
	return VM_FAULT_OK;
}

static const char *vvar_name(struct vma *vma)
{
	return "[vvar]";
}

static int vdso_fault(struct vma *vma, struct vm_fault *vmf)
{
	size_t size;
	const char *image = arch_vdso_image(&size);

	if (vmf->pgoff << PAGE_SHIFT >= PAGE_ALIGN(size))
		return VM_FAULT_SIGBUS;
	vmf->page = virt_to_page(image + (vmf->pgoff << PAGE_SHIFT));
	return VM_FAULT_OK;
}

static const char *vdso_name(struct vma *vma)
{
	return "[vdso]";
}

/* The kernel's own pointers follow: the signal trampoline is in there. */
static int vdso_moved(struct vma *vma)
{
	vma->mm->vdso = vma->start;
	return 0;
}

static const struct vm_ops vvar_ops = {
	.fault = vvar_fault,
	.name = vvar_name,
};
static const struct vm_ops vdso_ops = {
	.fault = vdso_fault,
	.name = vdso_name,
	.mremap = vdso_moved,
};

int vdso_map(struct mm *mm)
{
	size_t size;
	u64 addr;
	int err;

	arch_vdso_image(&size);
	size = PAGE_ALIGN(size);
	rwsem_read_lock(&mm->mmap_lock);
	addr = mm_unmapped_area(mm, size + PAGE_SIZE);
	rwsem_read_unlock(&mm->mmap_lock);
	if (IS_ERR_VALUE((unsigned long)addr))
		return -ENOMEM;
	err = mm_map_special(mm, addr, PAGE_SIZE,
			     VM_READ | VM_MAYREAD | VM_DONTEXPAND | VM_DONTDUMP,
			     &vvar_ops, NULL);
	if (err)
		return err;
	err = mm_map_special(mm, addr + PAGE_SIZE, size,
			     VM_READ | VM_EXEC | VM_MAYREAD | VM_MAYWRITE |
				     VM_MAYEXEC,
			     &vdso_ops, NULL);
	if (!err)
		mm->vdso = addr + PAGE_SIZE;
	return err;
}

static bool randomize(s32 level)
{
	return READ_ONCE(sysctl_randomize_va_space) >= level &&
	       !(current->personality & ADDR_NO_RANDOMIZE);
}

u64 mm_random_stack(void)
{
	if (!randomize(1))
		return 0;
	return (random_u64() & (STACK_RND_PAGES - 1)) << PAGE_SHIFT;
}

u64 mm_random_brk(void)
{
	return randomize(2) ? PAGE_DOWN(random_u64() % (1ull << 30)) : 0;
}

u64 mm_random_pie(void)
{
	if (!randomize(1))
		return 0;
	return (random_u64() & ((1ull << MMAP_RND_BITS) - 1)) << PAGE_SHIFT;
}

/*
 * Below the stack: its limit, what its top may be moved by, and the guard gap
 * stay free.
 */
void mm_layout_init(struct mm *mm)
{
	u64 gap = rlimit_cur(current, RLIMIT_STACK);
	u64 pad = STACK_GUARD_GAP + (STACK_RND_PAGES << PAGE_SHIFT);

	if (gap + pad > gap)
		gap += pad;
	gap = clamp_t(u64, gap, 128ull << 20, ARCH_STACK_TOP / 6 * 5);
	mm->mmap_base = PAGE_DOWN(ARCH_STACK_TOP - gap) - mm_random_pie();
}
