/* SPDX-License-Identifier: MIT */
/*
 * Loading ELF programs: fixed, position independent, and with an
 * interpreter (the dynamic linker).
 *
 * Entry point: exec_load_elf().  Headers are checked by <lib/elf_parse.h>
 * before the point of no return; behind it segments are mapped into current's
 * fresh space, then the stack is made (elf_stack.c).
 */
#include <arch/elf.h>
#include <arch/regs.h>
#include <arch/thread.h>
#include <kernel/file.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/uaccess.h>
#include <lib/elf_parse.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/mman.h>

#include "elf_load.h"
#include "exec.h"
#include "internal.h"

static int read_exact(struct file *file, void *buf, size_t n, u64 pos)
{
	ssize_t got = file_read_kernel(file, buf, n, pos);

	if (got < 0)
		return (int)got;
	return (size_t)got == n ? 0 : -ENOEXEC;
}

/* The headers of one file, checked. */
static int read_image(struct elf_image *im, struct file *file, const u8 *head,
		      size_t len)
{
	int err = elf_parse_header(head, len, ARCH_ELF_MACHINE, &im->info);

	if (err)
		return err;
	im->file = file;
	im->phdrs = kmalloc(elf_phdrs_bytes(&im->info), GFP_KERNEL);
	if (!im->phdrs)
		return -ENOMEM;
	err = read_exact(file, im->phdrs, elf_phdrs_bytes(&im->info),
			 im->info.phdr_offset);
	if (err)
		return err;
	return elf_parse_phdrs(im->phdrs, ARCH_USER_END, PAGE_SIZE, &im->info);
}

static int open_interp(struct elf_image *main, struct elf_image *interp)
{
	const struct elf_info *info = &main->info;
	struct file *file;
	u8 head[64];
	char *path;
	int err;

	if (info->interp_size < 2 || info->interp_size > ELF_PATH_MAX)
		return -ENOEXEC;
	path = kmalloc(info->interp_size, GFP_KERNEL);
	if (!path)
		return -ENOMEM;
	err = read_exact(main->file, path, info->interp_size,
			 info->interp_offset);
	if (!err && path[info->interp_size - 1])
		err = -ENOEXEC;
	if (err)
		goto free_path;
	file = exec_open(AT_FDCWD, path, true);
	err = PTR_ERR_OR_ZERO(file);
	if (err)
		goto free_path;
	interp->file = file;
	err = read_exact(file, head, sizeof(head), 0);
	if (!err)
		err = read_image(interp, file, head, sizeof(head));
	if (err == -ENOEXEC)
		err = -ELIBBAD;
free_path:
	kfree(path);
	return err;
}

static u32 prot_of(u32 p_flags)
{
	return (p_flags & PF_R ? PROT_READ : 0) |
	       (p_flags & PF_W ? PROT_WRITE : 0) |
	       (p_flags & PF_X ? PROT_EXEC : 0);
}

/* From the end of the file part to the end of the memory part. */
static int map_zero(const struct elf64_phdr *ph, u64 addr)
{
	u64 file_end = addr + ph->p_filesz, end = addr + ph->p_memsz;
	u64 page_end = PAGE_ALIGN(file_end);
	long ret;

	if (file_end < page_end && (ph->p_flags & PF_W) && ph->p_filesz &&
	    clear_user(user_ptr(file_end), page_end - file_end))
		return -EFAULT;
	if (!ph->p_filesz)
		page_end = PAGE_DOWN(addr);
	if (PAGE_ALIGN(end) <= page_end)
		return 0;
	ret = mm_map(NULL, page_end, PAGE_ALIGN(end) - page_end,
		     prot_of(ph->p_flags),
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, 0);
	return IS_ERR_VALUE((unsigned long)ret) ? (int)ret : 0;
}

static int map_segment(struct elf_image *im, const struct elf64_phdr *ph)
{
	u64 addr = im->bias + ph->p_vaddr;
	u64 in_page = addr & ~PAGE_MASK;
	long ret;

	if (ph->p_filesz) {
		ret = mm_map(im->file, addr - in_page,
			     PAGE_ALIGN(ph->p_filesz + in_page),
			     prot_of(ph->p_flags), MAP_PRIVATE | MAP_FIXED,
			     (ph->p_offset - in_page) >> PAGE_SHIFT);
		if (IS_ERR_VALUE((unsigned long)ret))
			return (int)ret;
	}
	return ph->p_memsz > ph->p_filesz ? map_zero(ph, addr) : 0;
}

/* A free place for an image that can go anywhere. */
static int choose_bias(struct elf_image *im, u64 wanted)
{
	u64 span = im->info.load_end - im->info.load_start;
	u64 align = im->info.align;
	u64 base = wanted;

	if (!base) {
		struct mm *mm = current->mm;

		rwsem_write_lock(&mm->mmap_lock);
		base = mm_unmapped_area(mm, span + align - PAGE_SIZE);
		rwsem_write_unlock(&mm->mmap_lock);
		if (IS_ERR_VALUE(base))
			return -ENOMEM;
		base = ALIGN_UP(base, align);
	} else {
		base = ALIGN_DOWN(base, align);
	}
	if (base > ARCH_USER_END - span)
		return -ENOMEM;
	im->bias = base - im->info.load_start;
	return 0;
}

static int map_image(struct elf_image *im)
{
	int err = 0;

	for (u32 i = 0; !err && i < im->info.phdr_count; i++) {
		if (im->phdrs[i].p_type == PT_LOAD)
			err = map_segment(im, &im->phdrs[i]);
	}
	return err;
}

/* What /proc says of code, data and heap. */
static void describe(struct mm *mm, const struct elf_image *im)
{
	u64 code_start = ~0ull, code_end = 0, data_start = 0, data_end = 0;
	u64 brk;

	for (u32 i = 0; i < im->info.phdr_count; i++) {
		const struct elf64_phdr *ph = &im->phdrs[i];
		u64 start = im->bias + ph->p_vaddr;
		u64 end = start + ph->p_filesz;

		if (ph->p_type != PT_LOAD)
			continue;
		if (ph->p_flags & PF_X) {
			code_start = min(code_start, start);
			code_end = max(code_end, end);
		}
		data_start = max(data_start, start);
		data_end = max(data_end, end);
	}
	mm->code_start = code_start == ~0ull ? 0 : code_start;
	mm->code_end = code_end;
	mm->data_start = data_start;
	mm->data_end = data_end;
	brk = im->bias + im->info.load_end + mm_random_brk();
	rwsem_write_lock(&mm->mmap_lock);
	mm->brk_start = mm->brk = PAGE_ALIGN(brk);
	rwsem_write_unlock(&mm->mmap_lock);
}

/* Behind the point of no return: map everything and aim at the entry. */
static int map_all(struct exec *x, struct elf_image *main,
		   struct elf_image *interp)
{
	struct mm *mm = current->mm;
	u64 entry, wanted = 0, sp;
	int err;

	err = elf_make_stack(x, main->info.stack_exec);
	if (err)
		return err;
	if (main->info.is_dyn) {
		/* Without an interpreter it may be one itself: out of the
		 * way of what it loads. */
		if (interp->file)
			wanted = ARCH_ELF_DYN_BASE + mm_random_pie();
		err = choose_bias(main, wanted);
	}
	if (!err)
		err = map_image(main);
	if (!err && interp->file && interp->info.is_dyn)
		err = choose_bias(interp, 0);
	if (!err && interp->file)
		err = map_image(interp);
	if (!err)
		err = vdso_map(mm);
	if (err)
		return err;
	describe(mm, main);
	err = elf_fill_stack(x, main, interp, &sp);
	if (err)
		return err;
	entry = interp->file ? interp->bias + interp->info.entry :
			       main->bias + main->info.entry;
	arch_thread_exec(task_pt_regs(current), entry, sp);
	return 0;
}

int exec_load_elf(struct exec *x)
{
	struct elf_image main, interp;
	int err;

	memset(&main, 0, sizeof(main));
	memset(&interp, 0, sizeof(interp));
	err = read_image(&main, x->file, x->head, sizeof(x->head));
	if (!err && main.info.interp_size)
		err = open_interp(&main, &interp);
	if (!err)
		err = exec_commit(x);
	if (!err)
		err = map_all(x, &main, &interp);
	exec_put_file(interp.file);
	kfree(interp.phdrs);
	kfree(main.phdrs);
	return err;
}
