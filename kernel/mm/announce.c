// SPDX-License-Identifier: MIT
/*
 * Mappings described for profilers: MMAP and MMAP2 records.
 *
 * Entry point: vma_announce, mmap_lock held exclusively, after merging: a
 * record tells of the whole mapping that the new range has become part of.
 * Nothing is looked up unless some event asks.
 */
#include <kernel/mm.h>
#include <kernel/mm_file.h>
#include <kernel/page.h>
#include <kernel/pagecache.h>
#include <kernel/perf_event.h>
#include <kernel/task.h>
#include <lib/elf_note.h>
#include <linux/mman.h>

#include "vma.h"

/* Only the first page is looked at, and only if it is there. */
static void find_build_id(struct vma *vma, struct perf_map_info *info)
{
	struct page *page = page_cache_lookup(vma->cache, 0);

	if (!page)
		return;
	info->build_id_size = (u8)elf_build_id(page_address(page), PAGE_SIZE,
					       info->build_id);
	page_put(page);
}

static void describe_file(struct vma *vma, struct perf_map_info *info,
			  char *path)
{
	struct mm_file_id id;

	mm_file_identify(vma->file, &id);
	info->major = id.major;
	info->minor = id.minor;
	info->ino = id.ino;
	info->ino_generation = id.generation;
	info->name = path ? mm_file_path(vma->file, path, PAGE_SIZE) :
			    "//enomem";
	if (vma->cache && perf_mmap_wants_build_id())
		find_build_id(vma, info);
}

static const char *name_of(struct vma *vma)
{
	struct mm *mm = vma->mm;

	if (vma->ops && vma->ops->name && vma->ops->name(vma))
		return vma->ops->name(vma);
	if (vma->start <= mm->brk_start && vma->end >= mm->brk)
		return "[heap]";
	if (vma->start <= mm->stack_start && vma->end >= mm->stack_start)
		return "[stack]";
	return "//anon";
}

void vma_announce(struct vma *vma)
{
	struct perf_map_info info = { 0 };
	char *path = NULL;

	if (!perf_mmap_wanted() || vma->mm != current->mm)
		return;
	info.addr = vma->start;
	info.len = vma->end - vma->start;
	info.offset = vma->pgoff << PAGE_SHIFT;
	info.prot = vma->flags & (VM_READ | VM_WRITE | VM_EXEC);
	info.flags = vma->flags & VM_SHARED ? MAP_SHARED : MAP_PRIVATE;
	if (vma->flags & VM_LOCKED)
		info.flags |= MAP_LOCKED;
	if (vma->file) {
		path = kmalloc(PAGE_SIZE, GFP_KERNEL);
		describe_file(vma, &info, path);
	} else {
		info.name = name_of(vma);
	}
	perf_mmap(&info);
	kfree(path);
}
