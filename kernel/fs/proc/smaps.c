/* SPDX-License-Identifier: MIT */
/*
 * /proc/PID/smaps and smaps_rollup: what the pages of each mapping, or of all
 * of them, amount to.  Numbers come from vma_usage(); field order and names
 * as the reference prints them.
 */
#include "internal.h"

#include <kernel/mm.h>
#include <kernel/page.h>
#include <lib/err.h>
#include <lib/string.h>

static void kib(struct seq *s, const char *name, u64 bytes)
{
	proc_show_kib(s, name, bytes >> 10);
}

/* What follows Pss_Dirty in both files. */
static void show_common(struct seq *s, const struct vma_usage *u)
{
	kib(s, "Shared_Clean:", u->shared_clean);
	kib(s, "Shared_Dirty:", u->shared_dirty);
	kib(s, "Private_Clean:", u->private_clean);
	kib(s, "Private_Dirty:", u->private_dirty);
	kib(s, "Referenced:", u->referenced);
	kib(s, "Anonymous:", u->anonymous);
	kib(s, "LazyFree:", 0);
	kib(s, "AnonHugePages:", 0);
	kib(s, "ShmemPmdMapped:", 0);
	kib(s, "FilePmdMapped:", 0);
	kib(s, "Shared_Hugetlb:", 0);
	kib(s, "Private_Hugetlb:", 0);
	kib(s, "Swap:", 0);
	kib(s, "SwapPss:", 0);
	kib(s, "Locked:", u->locked);
}

struct flag_name {
	u32 flag;
	char name[3];
};

static void show_flags(struct seq *s, u32 flags)
{
	static const struct flag_name names[] = {
		{ VM_READ, "rd" },	 { VM_WRITE, "wr" },
		{ VM_EXEC, "ex" },	 { VM_SHARED, "sh" },
		{ VM_MAYREAD, "mr" },	 { VM_MAYWRITE, "mw" },
		{ VM_MAYEXEC, "me" },	 { VM_GROWSDOWN, "gd" },
		{ VM_LOCKED, "lo" },	 { VM_SEQ_READ, "sr" },
		{ VM_RAND_READ, "rr" },	 { VM_DONTCOPY, "dc" },
		{ VM_DONTEXPAND, "de" }, { VM_LOCKONFAULT, "lf" },
		{ VM_ACCOUNT, "ac" },	 { VM_NORESERVE, "nr" },
		{ VM_WIPEONFORK, "wf" }, { VM_DONTDUMP, "dd" },
		{ VM_HUGEPAGE, "hg" },	 { VM_NOHUGEPAGE, "nh" },
		{ VM_MERGEABLE, "mg" },
	};
	u32 i;

	seq_puts(s, "VmFlags: ");
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (flags & names[i].flag)
			seq_printf(s, "%s ", names[i].name);
	seq_putc(s, '\n');
}

int proc_show_smaps(struct seq *s, void *node)
{
	struct mm *mm = proc_mm(node);
	struct vma_usage u;
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
	for (vma = vma_first(mm); vma; vma = vma_next(vma)) {
		vma_usage(vma, &u);
		proc_show_vma(s, vma, path);
		kib(s, "Size:", vma->end - vma->start);
		kib(s, "KernelPageSize:", PAGE_SIZE);
		kib(s, "MMUPageSize:", PAGE_SIZE);
		kib(s, "Rss:", u.rss);
		kib(s, "Pss:", u.pss);
		kib(s, "Pss_Dirty:", u.pss_dirty);
		show_common(s, &u);
		seq_puts(s, "THPeligible:    0\n");
		show_flags(s, vma->flags);
	}
	rwsem_read_unlock(&mm->mmap_lock);
	kfree(path);
	mm_put(mm);
	return 0;
}

/* Sums over every mapping; pss also by what the mapping is of. */
struct rollup {
	struct vma_usage all;
	u64 anon, file;
	u64 start, end;
};

static void rollup_add(struct rollup *r, struct vma *vma)
{
	struct vma_usage u;

	vma_usage(vma, &u);
	if (!r->end)
		r->start = vma->start;
	r->end = vma->end;
	r->all.rss += u.rss;
	r->all.pss += u.pss;
	r->all.pss_dirty += u.pss_dirty;
	r->all.shared_clean += u.shared_clean;
	r->all.shared_dirty += u.shared_dirty;
	r->all.private_clean += u.private_clean;
	r->all.private_dirty += u.private_dirty;
	r->all.referenced += u.referenced;
	r->all.anonymous += u.anonymous;
	r->all.locked += u.locked;
	if (vma->file)
		r->file += u.pss;
	else
		r->anon += u.pss;
}

int proc_show_smaps_rollup(struct seq *s, void *node)
{
	struct mm *mm = proc_mm(node);
	struct rollup r = { 0 };
	struct vma *vma;
	size_t line = s->len;

	if (IS_ERR_OR_NULL(mm))
		return mm ? (int)PTR_ERR(mm) : -ESRCH;
	rwsem_read_lock(&mm->mmap_lock);
	for (vma = vma_first(mm); vma; vma = vma_next(vma))
		rollup_add(&r, vma);
	rwsem_read_unlock(&mm->mmap_lock);
	mm_put(mm);
	seq_printf(s, "%08llx-%08llx ---p 00000000 00:00 0 ", r.start, r.end);
	while (s->len - line < 72 && !s->err)
		seq_putc(s, ' ');
	seq_puts(s, "[rollup]\n");
	kib(s, "Rss:", r.all.rss);
	kib(s, "Pss:", r.all.pss);
	kib(s, "Pss_Dirty:", r.all.pss_dirty);
	kib(s, "Pss_Anon:", r.anon);
	kib(s, "Pss_File:", r.file);
	kib(s, "Pss_Shmem:", 0);
	show_common(s, &r.all);
	return 0;
}
