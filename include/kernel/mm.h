/* SPDX-License-Identifier: MIT */
/*
 * User address spaces: struct mm, its mappings (struct vma), faults, and the
 * calls that change them.
 *
 * mm->mmap_lock guards the set of vmas and their fields: writers exclusive,
 * faults and look-ups shared.  Page-table entries are guarded by
 * mm->pte_lock.  Order: mmap_lock, inode mapping list, page cache, pte_lock.
 */
#ifndef SONDE_KERNEL_MM_H
#define SONDE_KERNEL_MM_H

#include <arch/mmu.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <lib/list.h>
#include <lib/rbtree.h>
#include <lib/ref.h>
#include <lib/types.h>

struct file;
struct inode;
struct page_cache;
struct pt_regs;
struct task;
struct uprobe_area;
struct vma;

/* vma.flags */
#define VM_READ	       (1u << 0)
#define VM_WRITE       (1u << 1)
#define VM_EXEC	       (1u << 2)
#define VM_SHARED      (1u << 3)
#define VM_MAYREAD     (1u << 4)
#define VM_MAYWRITE    (1u << 5)
#define VM_MAYEXEC     (1u << 6)
#define VM_GROWSDOWN   (1u << 8)
#define VM_LOCKED      (1u << 9)
#define VM_DONTCOPY    (1u << 10)	/* not copied by fork */
#define VM_DONTEXPAND  (1u << 11)	/* mremap may not grow it: EFAULT */
#define VM_WIPEONFORK  (1u << 12)
#define VM_DONTDUMP    (1u << 13)
#define VM_SPECIAL     (1u << 14)	/* vdso, vvar: the kernel's frames */
#define VM_NORESERVE   (1u << 15)
#define VM_STACK       (1u << 16)	/* the initial stack, for maps */
#define VM_ACCOUNT     (1u << 17)
#define VM_LOCKONFAULT (1u << 18)
#define VM_SEQ_READ    (1u << 19)	/* madvise SEQUENTIAL, RANDOM */
#define VM_RAND_READ   (1u << 20)
#define VM_HUGEPAGE    (1u << 21)	/* accepted, for smaps */
#define VM_NOHUGEPAGE  (1u << 22)
#define VM_MERGEABLE   (1u << 23)

struct vm_fault {
	u64 addr;		/* faulting address, page aligned */
	u64 pgoff;		/* page offset in the object */
	bool write;
	struct page *page;	/* out: referenced page to map */
	u32 prot_extra;		/* out: PTE_* to add or 0 */
	bool readonly;		/* out: map without write now (page_mkwrite) */
};

/* A fault handler's and mm_fault's answer. */
#define VM_FAULT_OK	0
#define VM_FAULT_MAJOR	1	/* fine, but it was a major fault */
#define VM_FAULT_SIGBUS 2
#define VM_FAULT_SIGSEGV 3
#define VM_FAULT_OOM	4
#define VM_FAULT_RETRY	5

struct vm_ops {
	/* [mmap_lock write] a vma was copied (fork, split) or goes away */
	void (*open)(struct vma *vma);
	void (*close)(struct vma *vma);
	/* [mmap_lock write] 0 if the vma may be split at addr */
	int (*may_split)(struct vma *vma, u64 addr);
	/* [mmap_lock write] 0 if it may move or grow; NULL: yes */
	int (*mremap)(struct vma *vma);
	/* [mmap_lock read] supply a page */
	int (*fault)(struct vma *vma, struct vm_fault *vmf);
	/* [mmap_lock read] a first write to a readonly-mapped shared page */
	int (*page_mkwrite)(struct vma *vma, struct vm_fault *vmf);
	/* name for /proc/PID/maps or NULL */
	const char *(*name)(struct vma *vma);
};

struct vma {
	u64 start, end;			/* [mmap_lock] page aligned */
	u32 flags;			/* [mmap_lock] VM_* */
	struct mm *mm;			/* [I] */
	struct rb_node node;		/* [mmap_lock] by address */
	u64 pgoff;			/* [mmap_lock] in pages */
	struct file *file;		/* [I] referenced; NULL: anonymous */
	const struct vm_ops *ops;	/* [I] NULL: anonymous */
	void *private;			/* owner's */
	struct page_cache *cache;	/* [I] pages come from it, or NULL */
	struct list_head imap_link;	/* [cache->imap_lock] */
	u64 gap;			/* [mmap_lock] free bytes right below */
	u64 max_gap;			/* [mmap_lock] most in its subtree */
	bool has_anon;			/* [a] private copies may exist */
};

struct mm {
	struct ref users;		/* tasks that live in it */
	struct ref refs;		/* users plus lazy references */
	struct rwsem mmap_lock;
	struct rb_root vmas;		/* [mmap_lock] */
	u32 nr_vmas;			/* [mmap_lock] */
	struct vma *cache;		/* [a] last hit */
	u64 *pgd;			/* [I] top table, kernel address */
	struct spinlock pte_lock;	/* LOCK_RANK_PTE */
	struct arch_mm arch;

	u64 mmap_base;			/* [mmap_lock] top-down search start */
	u64 brk_start, brk;		/* [mmap_lock] */
	u64 code_start, code_end, data_start, data_end; /* [I] after exec */
	u64 stack_start, arg_start, arg_end, env_start, env_end;
	u64 vdso;			/* [I] address of the vDSO */
	u64 total_pages, locked_pages, pinned_pages; /* [a] */
	u64 total_peak;			/* [mmap_lock] */
	u64 exec_pages, data_pages, stack_pages;     /* [mmap_lock] */
	s64 rss_anon, rss_file, rss_shmem;	     /* [a] pages */
	u64 rss_peak;				     /* [a] */
	u64 pgtable_pages;			     /* [a] */
	struct file *exe;		/* [mmap_lock] /proc/PID/exe */
	u8 dumpable;			/* [a] SUID_DUMP_*: 0, 1, 2 */
	u64 auxv[48];			/* [I] after exec, /proc/PID/auxv */
	u32 membarrier;			/* [a] registrations */
	struct uprobe_area *uprobes;	/* [a] set once, NULL before */
	struct mm *late_next;		/* [mm_put_late] no user is left */
	u32 def_flags;			/* [mmap_lock] of mlockall */
};

struct mm *mm_alloc(void);			/* empty; NULL: no memory */
struct mm *mm_fork(struct mm *old);		/* copy on write; ERR_PTR */
void mm_get(struct mm *mm);			/* users */
void mm_put(struct mm *mm);			/* last user: unmap all */
void mm_put_late(struct mm *mm);		/* under any mutex */
void mm_grab(struct mm *mm);			/* refs */
void mm_drop(struct mm *mm);
/* A users reference through a refs one; false: the space is gone. */
static inline bool mm_get_live(struct mm *mm)
{
	return ref_get_unless_zero(&mm->users);
}
struct mm *task_mm_get(struct task *t);		/* users reference or NULL */
void mm_init(void);

/*
 * Make mm current's address space, task->mm and active_mm included; NULL:
 * kernel only (exit).  The caller keeps the old space's users reference and
 * puts it afterwards.  Task context.
 */
void mm_activate(struct mm *mm);
/* exec: choose mmap_base for a fresh space from the stack limit. */
void mm_layout_init(struct mm *mm);
/* Bytes of random offset: of the stack top, of the brk behind the program,
 * of a PIE's load address; 0 when randomisation is off for current. */
u64 mm_random_stack(void);
u64 mm_random_brk(void);
u64 mm_random_pie(void);
/* exec: map the vDSO and its data page; sets mm->vdso.  0 or -errno. */
int vdso_map(struct mm *mm);

/* Look-ups; mmap_lock held at least shared. */
struct vma *vma_find(struct mm *mm, u64 addr);	/* first with end > addr */
struct vma *vma_lookup(struct mm *mm, u64 addr);/* the one covering addr */
struct vma *vma_first(struct mm *mm);
struct vma *vma_next(struct vma *vma);

/*
 * Faults.  flags: FAULT_*.  Called by arch with the cause decoded; serves,
 * or posts the signal for a user frame, or for a kernel frame uses the
 * exception table.  Counts min_flt/maj_flt and the software perf events.
 * Task context, interrupts on.
 */
#define FAULT_WRITE 1u
#define FAULT_EXEC  2u
#define FAULT_USER  4u		/* the frame is a user frame */
void mm_fault(struct pt_regs *regs, u64 addr, u32 flags);
/* Serve without a frame (get_user_pages style): VM_FAULT_*.  mmap_lock read
 * held by the caller. */
int mm_handle_fault(struct mm *mm, struct vma *vma, u64 addr, bool write);

/*
 * Mapping.  mm_map is mmap(2)'s core: returns the address or a negative
 * errno; prot is PROT_*, flags MAP_*.  Takes mmap_lock itself.
 */
long mm_map(struct file *file, u64 addr, u64 len, u32 prot, u32 flags,
	    u64 pgoff);
/* Kernel-made mapping at a fixed place (exec, vdso); lock taken inside. */
int mm_map_special(struct mm *mm, u64 addr, u64 len, u32 vm_flags,
		   const struct vm_ops *ops, void *private);
int mm_unmap(struct mm *mm, u64 addr, u64 len);	/* lock taken inside */
u64 mm_unmapped_area(struct mm *mm, u64 len);	/* [mmap_lock] or -ENOMEM */
/* A file's mmap operation that wants shared anonymous memory (/dev/zero).
 * [mmap_lock write] 0 or a negative errno. */
int mm_make_shared_anon(struct vma *vma);
bool vma_is_shared_anon(const struct vma *vma);
/* Zap entries of a vma range; mmap_lock held. */
void vma_zap(struct vma *vma, u64 start, u64 end);

/* Read or write another space's memory (/proc/PID/mem, process_vm_readv);
 * bytes done.  Force ignores write protection of private maps (ptrace). */
size_t mm_access(struct mm *mm, u64 addr, void *buf, size_t len, bool write);

/*
 * Where a byte of a file is mapped, in all spaces: mappings whose flags under
 * mask are want.  Each comes with a users reference on its space.  0 and *out
 * (kmalloc'ed) and *nr, or -ENOMEM.  Task context.
 */
struct mm_site {
	struct mm *mm;
	u64 addr;
};
int mm_sites(struct page_cache *cache, u64 offset, u32 mask, u32 want,
	     struct mm_site **out, u32 *nr);
/* Put the references and free the list. */
void mm_sites_put(struct mm_site *sites, u32 nr);

/*
 * Exchange an instruction word of a private mapping of that byte, or add to a
 * 16-bit counter there, whatever its protection; the file stays as it is.  0;
 * -ENOENT: not mapped there any more, or it is not old; -EFAULT.
 */
int mm_patch_word(struct mm_site site, struct page_cache *cache, u64 offset,
		  u32 old, u32 new);
int mm_patch_counter(struct mm_site site, struct page_cache *cache, u64 offset,
		     s16 add);

/* Build the initial stack page by page: exec only. */
int mm_copy_to(struct mm *mm, u64 addr, const void *buf, size_t len);

/* A referenced page behind a user address of current, faulted in; futex keys,
 * perf.  0 or -EFAULT.  Task context, mmap_lock not held. */
int mm_get_page(u64 addr, bool write, struct page **out);

/* Physical address and prot behind va, no locks, never faults: false when
 * not present.  Any context with the space pinned. */
bool mm_walk_nofault(struct mm *mm, u64 va, u64 *pa, u32 *prot);

/* Free memory is gone: kill one process and say so.  Task context. */
void oom_kill(void);

/* Numbers for /proc/PID/statm and status, in pages. */
struct mm_usage {
	u64 total, peak_total, rss, rss_anon, rss_file, rss_shmem, rss_peak;
	u64 locked, pinned, data, stack, exec, pgtable;
};
void mm_usage(struct mm *mm, struct mm_usage *out);

/* The pages of one mapping for smaps, in bytes; mmap_lock held shared. */
struct vma_usage {
	u64 rss, pss, pss_dirty;
	u64 shared_clean, shared_dirty, private_clean, private_dirty;
	u64 referenced, anonymous, locked;
};
void vma_usage(struct vma *vma, struct vma_usage *out);

/* Committed_AS and CommitLimit of /proc/meminfo, in pages. */
void mm_commit_stats(s64 *committed, u64 *limit);

/* /proc/sys/vm and kernel/randomize_va_space */
extern s32 sysctl_overcommit_memory, sysctl_overcommit_ratio;
extern s32 sysctl_max_map_count, sysctl_mmap_min_addr;
extern s32 sysctl_randomize_va_space, sysctl_oom_dump_tasks;
extern s32 sysctl_panic_on_oom, sysctl_oom_kill_allocating_task;

#endif /* SONDE_KERNEL_MM_H */
