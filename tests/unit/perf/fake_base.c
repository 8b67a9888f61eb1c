/* SPDX-License-Identifier: MIT */
/*
 * The lowest parts of the fake kernel of fake.h: memory and locks.  A lock that
 * is taken twice, by the one thread there is, ends the test.
 */
#include "fake.h"

#include <kernel/page.h>
#include <lib/err.h>
#include <lib/ktest.h>

#include "../host.h"

/* --- memory ------------------------------------------------------------ */

#define POOL 256
static u8 pool[POOL][4096] __aligned(4096);
static struct page map[POOL];
static bool taken[POOL];
struct page *mem_map = map;
u64 mem_map_base, mem_map_pages = POOL;

struct page *page_alloc(u32 order, u32 gfp)
{
	u32 i;

	mem_map_base = (u64)(uintptr_t)pool >> PAGE_SHIFT;
	for (i = 0; i < POOL && taken[i]; i++)
		;
	if (i == POOL)
		return NULL;
	taken[i] = true;
	memset(pool[i], 0, sizeof(pool[i]));
	return &map[i];
}

void page_put(struct page *page)
{
	taken[page - map] = false;
}

void *kmalloc(size_t size, u32 gfp)
{
	void *p = host_alloc(size);

	if (p)
		memset(p, gfp & GFP_ZERO ? 0 : 0xa5, size);
	return p;
}

void *kzalloc(size_t size, u32 gfp)
{
	return kmalloc(size, gfp | GFP_ZERO);
}

void kfree(const void *p)
{
	host_free((void *)(uintptr_t)p);
}

struct kmem_cache {
	size_t size;
};

struct kmem_cache *kmem_cache_create(const char *name, size_t size,
				     size_t align)
{
	static struct kmem_cache cache;

	cache.size = size;
	return &cache;
}

void *kmem_cache_alloc(struct kmem_cache *c, u32 gfp)
{
	return kmalloc(c->size, gfp);
}

void kmem_cache_free(struct kmem_cache *c, void *p)
{
	kfree(p);
}

/* --- locks, waiting ---------------------------------------------------- */

void spin_init_named(struct spinlock *lock, enum lock_rank rank,
		     const char *name)
{
	lock->locked = 0;
}

void spin_lock_slow(struct spinlock *lock)
{
	kt_print("# deadlock: spin lock");
	__builtin_trap();
}

void spin_lock_two(struct spinlock *a, struct spinlock *b)
{
	spin_lock(a);
	spin_lock(b);
}

void spin_unlock_two(struct spinlock *a, struct spinlock *b)
{
	spin_unlock(b);
	spin_unlock(a);
}

void mutex_init_named(struct mutex *lock, enum lock_rank rank,
		     const char *name)
{
	lock->owner = 0;
}

void mutex_lock(struct mutex *lock)
{
	if (lock->owner) {
		kt_print("# deadlock: mutex");
		__builtin_trap();
	}
	lock->owner = 1;
}

void mutex_unlock(struct mutex *lock)
{
	lock->owner = 0;
}
