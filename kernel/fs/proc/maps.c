/* SPDX-License-Identifier: MIT */
/*
 * /proc/PID/maps: one line a mapping, in address order.
 *
 * The whole text is made under one shared hold of mmap_lock, so that it is a
 * consistent picture.  Columns as on Linux: names start at column 73.
 */
#include "internal.h"

#include <kernel/mm.h>
#include <kernel/mm_file.h>
#include <kernel/page.h>
#include <lib/err.h>
#include <lib/string.h>

#define NAME_COLUMN 73

static void pad_to_name(struct seq *s, size_t line_start)
{
	do {
		seq_putc(s, ' ');
	} while (s->len - line_start < NAME_COLUMN && !s->err);
}

static const char *anonymous_name(const struct vma *vma)
{
	const struct mm *mm = vma->mm;

	if (vma->ops && vma->ops->name)
		return vma->ops->name((struct vma *)vma);
	if (vma->file)
		return NULL;
	if (vma->start <= mm->brk && vma->end >= mm->brk_start)
		return "[heap]";
	if (vma->start <= mm->stack_start && vma->end >= mm->stack_start)
		return "[stack]";
	return NULL;
}

void proc_show_vma(struct seq *s, const struct vma *vma, char *path)
{
	struct mm_file_id id = { 0 };
	size_t start = s->len;
	const char *name;

	if (vma->file)
		mm_file_identify(vma->file, &id);
	seq_printf(s, "%08llx-%08llx %c%c%c%c %08llx %02x:%02x %llu ",
		   vma->start, vma->end, vma->flags & VM_READ ? 'r' : '-',
		   vma->flags & VM_WRITE ? 'w' : '-',
		   vma->flags & VM_EXEC ? 'x' : '-',
		   vma->flags & VM_SHARED ? 's' : 'p',
		   vma->file ? vma->pgoff << PAGE_SHIFT : 0, id.major,
		   id.minor, id.ino);
	name = anonymous_name(vma);
	if (name) {
		pad_to_name(s, start);
		seq_puts(s, name);
	} else if (vma->file) {
		pad_to_name(s, start);
		seq_escape(s, mm_file_path(vma->file, path, PAGE_SIZE), "\n");
	}
	seq_putc(s, '\n');
}

int proc_show_maps(struct seq *s, void *node)
{
	struct mm *mm = proc_mm(node);
	struct vma *vma;
	char *path;

	if (IS_ERR_OR_NULL(mm))
		return mm ? (int)PTR_ERR(mm) : 0;
	path = kmalloc(PAGE_SIZE, GFP_KERNEL);
	if (!path) {
		mm_put(mm);
		return -ENOMEM;
	}
	rwsem_read_lock(&mm->mmap_lock);
	for (vma = vma_first(mm); vma; vma = vma_next(vma))
		proc_show_vma(s, vma, path);
	rwsem_read_unlock(&mm->mmap_lock);
	kfree(path);
	mm_put(mm);
	return 0;
}
