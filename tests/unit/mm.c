/* SPDX-License-Identifier: MIT */
/*
 * kernel/mm as a whole on the host: allocators, mappings, faults, copy on
 * write, fork, truncation; last a long random run against a model of what
 * every page must hold.  Each case ends with every page back.
 */
#include <arch/regs.h>
#include <linux/mman.h>
#include <linux/signal.h>

#include "mm_fake_files.h"
#include "mm_fakes.h"

#define BASE	   0x10000000ull
#define NR_PAGES   96
#define FILE_PAGES 40

long sys_munmap(struct pt_regs *regs);
long sys_mprotect(struct pt_regs *regs);
long sys_mremap(struct pt_regs *regs);
long sys_madvise(struct pt_regs *regs);
long sys_brk(struct pt_regs *regs);
bool slab_shrink(void);

static u64 page_base; /* free pages once everything is set up */

static u64 free_now(void)
{
	struct page_stats s;

	slab_shrink();
	page_stats(&s);
	return s.free;
}

static void setup(void)
{
	static bool done;

	if (done)
		return;
	done = true;
	boot_info.memory[0].start = ARENA_PHYS;
	boot_info.memory[0].end = ARENA_PHYS + ARENA_BYTES;
	boot_info.nr_memory = 1;
	boot_info.reserved[0].start = ARENA_PHYS + 0x80000;
	boot_info.reserved[0].end = ARENA_PHYS + 0x93000;
	boot_info.nr_reserved = 1;
	unit_task.ti.resched_not_needed = 1;
	page_alloc_init();
	slab_init();
	mm_init();
	page_base = free_now();
}

static u32 rnd(u32 n)
{
	static u64 state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (u32)(state >> 20) % n;
}

static void live_in(struct mm *mm)
{
	unit_task.mm = mm;
}

/* What the hardware does: the byte at addr, NULL after a signal. */
static u8 *user_byte(struct mm *mm, u64 addr, bool write)
{
	struct pt_regs regs = { { 0 } };

	live_in(mm);
	for (int tries = 0; tries < 8; tries++) {
		u32 prot = 0;
		u64 pa;

		if (mm_walk_nofault(mm, addr, &pa, &prot) &&
		    prot & (write ? PTE_WRITE : PTE_READ))
			return arch_phys_to_virt(pa);
		last_signal = 0;
		mm_fault(&regs, addr, FAULT_USER | (write ? FAULT_WRITE : 0));
		if (last_signal)
			return NULL;
	}
	die();
}

static long call(long (*fn)(struct pt_regs *), u64 a, u64 b, u64 c, u64 d,
		 u64 e)
{
	struct pt_regs regs = { { a, b, c, d, e } };

	return fn(&regs);
}

static struct mm *fresh_mm(void)
{
	struct mm *mm = mm_alloc();

	live_in(mm);
	mm_layout_init(mm);
	return mm;
}

KTEST(buddy_gives_all_pages_back)
{
	static struct page *held[512];
	u64 before;

	setup();
	before = free_now();
	for (u32 round = 0; round < 20000; round++) {
		u32 i = rnd(ARRAY_SIZE(held));

		if (held[i]) {
			page_put(held[i]);
			held[i] = NULL;
			continue;
		}
		held[i] = page_alloc(rnd(5), rnd(2) ? GFP_ZERO : GFP_KERNEL);
		KT_REQUIRE(held[i]);
		memset(page_address(held[i]), (int)i,
		       PAGE_SIZE << held[i]->order);
	}
	for (u32 i = 0; i < ARRAY_SIZE(held); i++) {
		if (held[i])
			page_put(held[i]);
		held[i] = NULL;
	}
	KT_EXPECT_EQ(free_now(), before);
	/* Merged again: the largest blocks can be had. */
	for (u32 i = 0; i < 10; i++) {
		held[i] = page_alloc(MAX_ORDER - 1, GFP_KERNEL);
		KT_EXPECT(held[i]);
	}
	for (u32 i = 0; i < 10; i++)
		page_put(held[i]);
	KT_EXPECT_EQ(free_now(), before);
}

KTEST(buddy_reserved_frames_stay)
{
	struct page *page;
	u64 first = (ARENA_PHYS + 0x80000) >> PAGE_SHIFT;

	setup();
	for (u64 i = 0; i < 0x13; i++) {
		page = pfn_to_page(first + i);
		KT_EXPECT(page->flags & PG_RESERVED);
	}
	KT_EXPECT(!(pfn_to_page(first - 1)->flags & PG_RESERVED));
	KT_EXPECT(!(pfn_to_page(first + 0x13)->flags & PG_RESERVED));
}

KTEST(slab_objects_do_not_overlap)
{
	static u8 *held[1024];
	static u32 sizes[1024];
	u64 before;

	setup();
	before = free_now();
	for (u32 round = 0; round < 40000; round++) {
		u32 i = rnd(ARRAY_SIZE(held));

		if (held[i]) {
			for (u32 k = 0; k < sizes[i]; k++)
				KT_REQUIRE(held[i][k] == (u8)i);
			kfree(held[i]);
			held[i] = NULL;
			continue;
		}
		sizes[i] = 1 + rnd(rnd(8) ? 700 : 9000);
		held[i] = kmalloc(sizes[i], GFP_KERNEL);
		KT_REQUIRE(held[i] && !((uintptr_t)held[i] & 15));
		memset(held[i], (int)i, sizes[i]);
	}
	for (u32 i = 0; i < ARRAY_SIZE(held); i++) {
		kfree(held[i]);
		held[i] = NULL;
	}
	KT_EXPECT_EQ(free_now(), before);
}

KTEST(mmap_errors_come_in_order)
{
	struct mm *mm;
	u32 fixed = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
	u32 place = fixed | MAP_FIXED_NOREPLACE;

	setup();
	mm = fresh_mm();
	KT_EXPECT_EQ(mm_map(NULL, 0, 0, 3, fixed, 0), -EINVAL);
	KT_EXPECT_EQ(mm_map(NULL, BASE + 1, 4096, 3, fixed, 0), -EINVAL);
	KT_EXPECT_EQ(mm_map(NULL, 1ull << 48, 4096, 3, fixed, 0), -ENOMEM);
	KT_EXPECT_EQ(mm_map(NULL, 0, 4096, 3, MAP_ANONYMOUS, 0), -EINVAL);
	KT_EXPECT_EQ(mm_map(NULL, BASE, 8192, 3, fixed, 0), (long)BASE);
	KT_EXPECT_EQ(mm_map(NULL, BASE + 4096, 4096, 3, place, 0), -EEXIST);
	KT_EXPECT_EQ(mm_map(NULL, 0, 1ull << 47, 3, fixed & ~MAP_FIXED, 0),
		     -ENOMEM);
	KT_EXPECT_EQ(call(sys_munmap, BASE + 1, 4096, 0, 0, 0), -EINVAL);
	KT_EXPECT_EQ(call(sys_munmap, BASE, 0, 0, 0, 0), -EINVAL);
	KT_EXPECT_EQ(call(sys_mprotect, BASE, 12288, PROT_READ, 0, 0), -ENOMEM);
	mm_put(mm);
	KT_EXPECT_EQ(free_now(), page_base);
}

KTEST(neighbours_merge_and_split)
{
	struct mm *mm;
	u32 fixed = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;

	setup();
	mm = fresh_mm();
	mm_map(NULL, BASE, 4096, 3, fixed, 0);
	mm_map(NULL, BASE + 8192, 4096, 3, fixed, 0);
	KT_EXPECT_EQ(mm->nr_vmas, 2);
	mm_map(NULL, BASE + 4096, 4096, 3, fixed, 0);
	KT_EXPECT_EQ(mm->nr_vmas, 1);
	call(sys_mprotect, BASE + 4096, 4096, PROT_READ, 0, 0);
	KT_EXPECT_EQ(mm->nr_vmas, 3);
	call(sys_mprotect, BASE + 4096, 4096, PROT_READ | PROT_WRITE, 0, 0);
	KT_EXPECT_EQ(mm->nr_vmas, 1);
	KT_EXPECT_EQ(mm->total_pages, 3);
	mm_put(mm);
	KT_EXPECT_EQ(free_now(), page_base);
}

KTEST(gaps_are_found_top_down)
{
	struct mm *mm;
	long top, last = 0;

	setup();
	mm = fresh_mm();
	top = (long)mm->mmap_base;
	/* Different rights, so that nothing merges. */
	for (u32 i = 0; i < 200; i++) {
		last = mm_map(NULL, 0, 4096, i & 1 ? PROT_READ : PROT_NONE,
			      MAP_PRIVATE | MAP_ANONYMOUS, 0);
		KT_EXPECT_EQ(last, top - (long)(i + 1) * 4096);
	}
	call(sys_munmap, (u64)top - 50 * 4096, 3 * 4096, 0, 0, 0);
	KT_EXPECT_EQ(
		mm_map(NULL, 0, 4 * 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, 0),
		last - 4 * 4096);
	KT_EXPECT_EQ(
		mm_map(NULL, 0, 2 * 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, 0),
		top - 49 * 4096);
	mm_put(mm);
	KT_EXPECT_EQ(free_now(), page_base);
}

KTEST(stack_grows_to_its_limit)
{
	struct mm *mm;
	u64 top = 0x7fff00000000ull;

	setup();
	mm = fresh_mm();
	mm_map(NULL, top - 8192, 8192, 3,
	       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_GROWSDOWN, 0);
	KT_EXPECT(user_byte(mm, top - 100 * 4096, true));
	KT_EXPECT_EQ(vma_first(mm)->start, top - 100 * 4096);
	KT_EXPECT(!user_byte(mm, top - (9ull << 20), true));
	KT_EXPECT_EQ(last_signal, SIGSEGV);
	mm_put(mm);
	KT_EXPECT_EQ(free_now(), page_base);
}

/* ---- The random run --------------------------------------------------- */

enum kind { NONE, ANON, FILE_PRIVATE, FILE_SHARED };

struct model {
	struct mm *mm;
	struct {
		enum kind kind;
		u32 prot;
		u32 index;   /* of the file's page */
		bool copied; /* private content of its own */
		u8 value;
	} page[NR_PAGES];
};

static struct file file;
static u8 file_value[FILE_PAGES];
static struct model models[3];

static bool beyond_end(const struct model *m, u32 i)
{
	return (m->page[i].kind == FILE_PRIVATE ||
		m->page[i].kind == FILE_SHARED) &&
	       m->page[i].index >= file.size / PAGE_SIZE;
}

static u8 expected(const struct model *m, u32 i)
{
	if (m->page[i].kind == FILE_SHARED ||
	    (m->page[i].kind == FILE_PRIVATE && !m->page[i].copied))
		return file_value[m->page[i].index];
	return m->page[i].value;
}

static bool check_page(struct kt_state *kt, struct model *m, u32 i)
{
	u8 *byte = user_byte(m->mm, BASE + i * PAGE_SIZE + i, false);
	bool readable = m->page[i].kind != NONE &&
			m->page[i].prot & PROT_READ && !beyond_end(m, i);

	KT_EXPECT_EQ(byte != NULL, readable);
	if (byte)
		KT_EXPECT_EQ(*byte, expected(m, i));
	return !kt->failures;
}

static void random_map(struct model *m)
{
	u32 i = rnd(NR_PAGES), n = 1 + rnd(min(20u, NR_PAGES - i));
	static const u32 prots[] = { 3, 3, 3, 1, 0 };
	u32 prot = prots[rnd(5)], index = rnd(FILE_PAGES - 19);
	enum kind kind = ANON + rnd(3);
	u32 flags = MAP_FIXED;
	long ret;

	flags |= kind == FILE_SHARED ? MAP_SHARED : MAP_PRIVATE;
	if (kind == ANON)
		flags |= MAP_ANONYMOUS;
	live_in(m->mm);
	ret = mm_map(kind == ANON ? NULL : &file, BASE + i * PAGE_SIZE,
		     n * PAGE_SIZE, prot, flags, index);
	CHECK(ret == (long)(BASE + i * PAGE_SIZE));
	for (u32 k = 0; k < n; k++) {
		m->page[i + k].kind = kind;
		m->page[i + k].prot = prot;
		m->page[i + k].index = index + k;
		m->page[i + k].copied = false;
		m->page[i + k].value = 0;
	}
}

static void random_write(struct kt_state *kt, struct model *m)
{
	u32 i = rnd(NR_PAGES);
	u8 value = (u8)(1 + rnd(255));
	u8 *byte = user_byte(m->mm, BASE + i * PAGE_SIZE + i, true);
	bool ok = m->page[i].kind != NONE && m->page[i].prot & PROT_WRITE;

	/* A private copy outlives nothing: truncation takes it too. */
	ok = ok && !beyond_end(m, i);
	KT_EXPECT_EQ(byte != NULL, ok);
	if (!byte)
		return;
	if (m->page[i].kind == FILE_SHARED) {
		/* All offsets of a page carry the model's one value. */
		memset((u8 *)((uintptr_t)byte & PAGE_MASK), value, PAGE_SIZE);
		file_value[m->page[i].index] = value;
		return;
	}
	*byte = value;
	m->page[i].copied = true;
	m->page[i].value = value;
}

static void random_protect(struct model *m)
{
	u32 i = rnd(NR_PAGES), n = 1 + rnd(min(8u, NR_PAGES - i));
	u32 prot = rnd(3) ? 3 : rnd(2);
	bool whole = true;

	for (u32 k = 0; k < n; k++)
		whole = whole && m->page[i + k].kind != NONE;
	if (!whole)
		return;
	live_in(m->mm);
	CHECK(call(sys_mprotect, BASE + i * PAGE_SIZE, n * PAGE_SIZE, prot, 0,
		   0) == 0);
	for (u32 k = 0; k < n; k++)
		m->page[i + k].prot = prot;
}

static void random_drop(struct model *m, bool unmap)
{
	u32 i = rnd(NR_PAGES), n = 1 + rnd(min(12u, NR_PAGES - i));

	live_in(m->mm);
	call(unmap ? sys_munmap : sys_madvise, BASE + i * PAGE_SIZE,
	     n * PAGE_SIZE, MADV_DONTNEED, 0, 0);
	for (u32 k = 0; k < n; k++) {
		m->page[i + k].copied = false;
		m->page[i + k].value = 0;
		if (unmap)
			m->page[i + k].kind = NONE;
	}
}

/* Away and back: what was there must come along. */
static void random_move(struct model *m)
{
	u32 i = rnd(NR_PAGES - 4), n = 1 + rnd(4);
	u64 from = BASE + i * PAGE_SIZE;
	u64 aside = 0x7000000000ull + rnd(64) * PAGE_SIZE;
	struct vma *vma;

	live_in(m->mm);
	vma = vma_lookup(m->mm, from);
	if (!vma || vma->end < from + n * PAGE_SIZE)
		return;
	CHECK(call(sys_mremap, from, n * PAGE_SIZE, n * PAGE_SIZE, 3, aside) ==
	      (long)aside);
	CHECK(!vma_lookup(m->mm, from));
	CHECK(call(sys_mremap, aside, n * PAGE_SIZE, n * PAGE_SIZE, 3, from) ==
	      (long)from);
}

static void random_truncate(void)
{
	u32 pages = rnd(FILE_PAGES + 1);
	u32 old = (u32)(file.size / PAGE_SIZE);

	file.size = pages * PAGE_SIZE;
	page_cache_truncate(&file.cache);
	for (u32 i = min(pages, old); i < FILE_PAGES; i++)
		file_value[i] = 0;
	for (u32 k = 0; k < ARRAY_SIZE(models); k++) {
		for (u32 i = 0; models[k].mm && i < NR_PAGES; i++) {
			if (models[k].page[i].kind == FILE_PRIVATE &&
			    models[k].page[i].index >= pages)
				models[k].page[i].copied = false;
		}
	}
}

static void random_file_write(void)
{
	u32 i = rnd(FILE_PAGES);
	static u8 buf[PAGE_SIZE];
	u64 size = file.size;

	if (i >= size / PAGE_SIZE)
		return;
	memset(buf, (int)i + 100, sizeof(buf));
	CHECK(page_cache_write_buf(&file.cache, buf, PAGE_SIZE,
				   i * PAGE_SIZE) == PAGE_SIZE);
	file_value[i] = (u8)(i + 100);
	CHECK(file.size == size);
}

static void random_fork(struct model *m)
{
	struct model *child = &models[rnd(ARRAY_SIZE(models))];
	struct mm *mm;

	if (child == m)
		return;
	if (child->mm) {
		mm_put(child->mm);
		child->mm = NULL;
		return;
	}
	live_in(m->mm);
	mm = mm_fork(m->mm);
	CHECK(!IS_ERR(mm));
	*child = *m;
	child->mm = mm;
}

KTEST(random_run_agrees_with_the_model)
{
	setup();
	file.refs = 1;
	file.size = FILE_PAGES * PAGE_SIZE;
	page_cache_init(&file.cache, NULL, &file.size, NULL, true);
	memset(file_value, 0, sizeof(file_value));
	memset(models, 0, sizeof(models));
	models[0].mm = fresh_mm();
	for (u32 round = 0; round < 60000 && !kt->failures; round++) {
		struct model *m = &models[rnd(ARRAY_SIZE(models))];

		if (!m->mm)
			m = models[0].mm ? &models[0] : m;
		if (!m->mm) {
			m->mm = fresh_mm();
			memset(m->page, 0, sizeof(m->page));
		}
		switch (rnd(16)) {
		case 0:
			random_map(m);
			break;
		case 1:
			random_drop(m, true);
			break;
		case 2:
			random_drop(m, false);
			break;
		case 3:
			random_protect(m);
			break;
		case 4:
			random_move(m);
			break;
		case 5:
			random_fork(m);
			break;
		case 6:
			if (!rnd(8))
				random_truncate();
			break;
		case 7:
			random_file_write();
			break;
		case 8 ... 11:
			random_write(kt, m);
			break;
		default:
			check_page(kt, m, rnd(NR_PAGES));
			break;
		}
	}
	for (u32 k = 0; k < ARRAY_SIZE(models); k++) {
		for (u32 i = 0; models[k].mm && i < NR_PAGES; i++)
			check_page(kt, &models[k], i);
	}
	for (u32 k = 0; k < ARRAY_SIZE(models); k++) {
		if (models[k].mm)
			mm_put(models[k].mm);
	}
	KT_EXPECT_EQ(file.refs, 1);
	page_cache_destroy(&file.cache);
	KT_EXPECT_EQ(free_now(), page_base);
}
