/* SPDX-License-Identifier: MIT */
/*
 * Loading ELF programs: fixed, position independent, and with an
 * interpreter (the dynamic linker).
 *
 * Entry point: exec_load_elf().  File headers and the interpreter's name are
 * checked by <lib/elf_parse.h> before the point of no return.  Behind it the
 * stack is made (elf_stack.c) and the segments are mapped into current's fresh
 * space; what is wrong with one of them shows only then and ends the process.
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

/* All n bytes: -EIO if the file has fewer. */
static int read_exact(struct file *file, void *buf, size_t n, u64 pos)
{
	ssize_t got;

	if (pos > (u64)S64_MAX - n)
		return -EINVAL;
	got = file_read_kernel(file, buf, n, pos);
	if (got < 0)
		return (int)got;
	return (size_t)got == n ? 0 : -EIO;
}

/* The headers of one file, checked; -ENOEXEC whatever is wrong with them. */
static int read_image(struct elf_image *im, struct file *file, const u8 *head,
		      size_t len)
{
	int err = elf_parse_header(head, len, ARCH_ELF_MACHINE, &im->info);

	if (err)
		return err;
	im->file = file;
	im->phdrs = kmalloc(elf_phdrs_bytes(&im->info), GFP_KERNEL);
	if (!im->phdrs ||
	    read_exact(file, im->phdrs, elf_phdrs_bytes(&im->info),
		       im->info.phdr_offset))
		return -ENOEXEC;
	return elf_parse_phdrs(im->phdrs, PAGE_SIZE, &im->info);
}

static int open_interp(struct elf_image *main, struct elf_image *interp)
{
	const struct elf_info *info = &main->info;
	struct file *file;
	u8 head[64];
	char *path;
	int err;

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
	if (!err && read_image(interp, file, head, sizeof(head)))
		err = -ELIBBAD;
	/* An interpreter that names one gets none. */
	interp->info.interp_size = 0;
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

/*
 * The part of a segment that is in the file: where it came to be, or an error.
 * total: map so much and keep what is asked, so that the segments to come fit
 * behind it.
 */
static long map_file(struct elf_image *im, const struct elf64_phdr *ph,
		     u64 addr, u32 flags, u64 total)
{
	u64 in_page = ph->p_vaddr & ~PAGE_MASK;
	u64 size = PAGE_ALIGN(ph->p_filesz + in_page);
	u64 off = ph->p_offset - in_page;
	u64 len = total ? PAGE_ALIGN(total) : size;
	long at;

	addr = PAGE_DOWN(addr);
	if (!size)
		return (long)addr;
	if (off & ~PAGE_MASK || off + len < off)
		return -EINVAL;
	at = mm_map(im->file, addr, len, prot_of(ph->p_flags),
		    MAP_PRIVATE | flags, off >> PAGE_SHIFT);
	if (!IS_ERR_VALUE((unsigned long)at) && len > size)
		mm_unmap(current->mm, (u64)at + size, len - size);
	return at;
}

/* Zeroes from start to end, whole pages; they can always be written. */
static int map_zeroes(const struct elf64_phdr *ph, u64 start, u64 end)
{
	u32 exec = ph->p_flags & PF_X ? PROT_EXEC : 0;
	long ret;

	start = PAGE_ALIGN(start);
	end = PAGE_ALIGN(end);
	if (start == end)
		return 0;
	ret = mm_map(NULL, start, end - start, PROT_READ | PROT_WRITE | exec,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, 0);
	return IS_ERR_VALUE((unsigned long)ret) ? (int)ret : 0;
}

/* From addr to the end of its page, which belongs to the file's last part. */
static int clear_rest(u64 addr)
{
	u64 rest = PAGE_ALIGN(addr) - addr;

	return rest ? clear_user(user_ptr(addr), rest) : 0;
}

/* One segment with its zeroes: where its page came to be, or an error. */
static long map_segment(struct elf_image *im, const struct elf64_phdr *ph,
			u32 flags, u64 total)
{
	u64 addr = im->bias + ph->p_vaddr;
	u64 in_page = ph->p_vaddr & ~PAGE_MASK;
	u64 zero_start = PAGE_DOWN(addr);
	long at = (long)zero_start;
	int err;

	if (ph->p_filesz) {
		at = map_file(im, ph, addr, flags, total);
		if (IS_ERR_VALUE((unsigned long)at))
			return at;
		zero_start = (u64)at + in_page + ph->p_filesz;
		/* A page that cannot be written keeps what it has. */
		if (ph->p_memsz > ph->p_filesz)
			(void)!clear_rest(zero_start);
	}
	if (ph->p_memsz <= ph->p_filesz)
		return at;
	err = map_zeroes(ph, zero_start, (u64)at + in_page + ph->p_memsz);
	return err ? err : at;
}

/*
 * The program: the first segment anywhere or where nothing is, the others
 * where they belong, whatever was there.
 */
static int map_main(struct elf_image *im, bool has_interp)
{
	u64 total = 0, base = 0;
	u32 flags = MAP_FIXED_NOREPLACE;

	if (im->info.is_dyn) {
		/* Without an interpreter it may be one itself: out of the
		 * way of what it loads. */
		if (has_interp)
			base = ALIGN_DOWN(ARCH_ELF_DYN_BASE + mm_random_pie(),
					  im->info.align);
		else
			flags = 0;
		total = im->info.load_bytes;
		if (im->info.nr_loads && !total)
			return -EINVAL;
	}
	for (u32 i = 0; i < im->info.phdr_count; i++) {
		const struct elf64_phdr *ph = &im->phdrs[i];
		long at;

		if (ph->p_type != PT_LOAD)
			continue;
		if (im->info.is_dyn && flags != MAP_FIXED)
			im->bias = PAGE_DOWN(base - ph->p_vaddr);
		at = map_segment(im, ph, flags, total);
		if (at < 0 || (u64)at >= ARCH_USER_END)
			return at < 0 ? (int)at : -EINVAL;
		if (im->info.is_dyn && flags != MAP_FIXED)
			im->bias += (u64)at - PAGE_DOWN(im->bias + ph->p_vaddr);
		if (!elf_segment_fits(ph, ph->p_vaddr, ARCH_USER_END))
			return -EINVAL;
		flags = MAP_FIXED;
		total = 0;
	}
	return im->bias + im->info.entry >= ARCH_USER_END && !has_interp ?
		       -EINVAL : 0;
}

/* The zeroes of an interpreter are one piece behind its last segment. */
static int interp_zeroes(struct elf_image *im)
{
	const struct elf64_phdr *last = NULL;
	u64 file_end = 0, end = 0;

	for (u32 i = 0; i < im->info.phdr_count; i++) {
		const struct elf64_phdr *ph = &im->phdrs[i];
		u64 addr = im->bias + ph->p_vaddr;

		if (ph->p_type != PT_LOAD)
			continue;
		file_end = max(file_end, addr + ph->p_filesz);
		if (addr + ph->p_memsz > end) {
			end = addr + ph->p_memsz;
			last = ph;
		}
	}
	if (clear_rest(file_end))
		return -EFAULT;
	if (!last || PAGE_ALIGN(end) <= PAGE_ALIGN(file_end))
		return 0;
	return map_zeroes(last, file_end, end);
}

static int map_interp(struct elf_image *im, const struct elf_image *main)
{
	u64 total = im->info.load_bytes;
	bool placed = false;

	if (!im->info.is_program || !total)
		return -EINVAL;
	for (u32 i = 0; i < im->info.phdr_count; i++) {
		const struct elf64_phdr *ph = &im->phdrs[i];
		u32 flags = !im->info.is_dyn || placed ? MAP_FIXED : 0;
		long at;

		if (ph->p_type != PT_LOAD)
			continue;
		/* Beside a program at a fixed address its own is a wish. */
		if (im->info.is_dyn && !placed)
			im->bias = main->bias ? -ph->p_vaddr : 0;
		at = map_file(im, ph, im->bias + ph->p_vaddr, flags, total);
		if (at < 0 || (u64)at >= ARCH_USER_END)
			return at < 0 ? (int)at : -EINVAL;
		total = 0;
		if (im->info.is_dyn && !placed)
			im->bias = (u64)at - PAGE_DOWN(ph->p_vaddr);
		placed = true;
		if (!elf_segment_fits(ph, im->bias + ph->p_vaddr,
				      ARCH_USER_END))
			return -ENOMEM;
	}
	if (im->bias + im->info.entry >= ARCH_USER_END)
		return -EINVAL;
	return interp_zeroes(im);
}

/* What /proc says of code, data and heap. */
static void describe(struct mm *mm, const struct elf_image *im)
{
	u64 code_start = ~0ull, code_end = 0, data_start = 0, data_end = 0;
	u64 brk = 0;

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
		brk = max(brk, start + ph->p_memsz);
	}
	mm->code_start = code_start == ~0ull ? 0 : code_start;
	mm->code_end = code_end;
	mm->data_start = data_start;
	mm->data_end = data_end;
	rwsem_write_lock(&mm->mmap_lock);
	mm->brk_start = mm->brk = PAGE_ALIGN(PAGE_ALIGN(brk) +
					     mm_random_brk());
	rwsem_write_unlock(&mm->mmap_lock);
}

/* Behind the point of no return: map everything and aim at the entry. */
static int map_all(struct exec *x, struct elf_image *main,
		   struct elf_image *interp)
{
	struct mm *mm = current->mm;
	u64 entry, sp;
	int err;

	err = elf_make_stack(x, main->info.stack_exec);
	if (!err)
		err = map_main(main, interp->file != NULL);
	if (!err && interp->file)
		err = map_interp(interp, main);
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
	if (!err && !main.info.is_program)
		err = -ENOEXEC;
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
