/* SPDX-License-Identifier: MIT */
/*
 * The slab allocator's own structures, and the checks that the debug
 * configuration adds (slab_debug.c); empty inlines otherwise.
 *
 * With CONFIG_DEBUG_KMALLOC every object is followed by a struct slab_trailer;
 * the bytes between what was asked for and the trailer are a red zone, and a
 * free object is filled with poison.
 */
#ifndef SONDE_MM_SLAB_H
#define SONDE_MM_SLAB_H

#include <kernel/lock.h>
#include <lib/list.h>
#include <lib/types.h>

/* One run of pages cut into objects. */
struct slab {
	struct list_head link;	  /* [cache->lock] partial or empty */
	struct kmem_cache *cache; /* [I] */
	void *free;		  /* [cache->lock] objects, linked */
	void *base;		  /* [I] first object */
	struct page *page;	  /* [I] head of the run */
	u32 inuse;		  /* [cache->lock] objects handed out */
	u32 order;		  /* [I] */
};

/* [own CPU, ordinary interrupts masked] */
struct slab_cpu {
	void *free;
	u32 nr;
};

struct kmem_cache {
	const char *name; /* [I] all of these */
	u32 size;	  /* what callers get */
	u32 stride;	  /* distance of objects */
	u32 link_off;	  /* where a free object keeps its link */
	u32 header;	  /* bytes before the first object */
	u32 order;
	u32 batch;
	bool off_slab;		  /* struct slab is allocated apart */
	struct spinlock lock;	  /* LOCK_RANK_SLAB */
	struct list_head partial; /* [lock] some free, some not */
	struct list_head empty;	  /* [lock] nothing handed out */
	u32 nr_empty;		  /* [lock] */
	struct list_head link;	  /* [slab_list_lock] all caches */
	struct slab_cpu cpu[CONFIG_NR_CPUS];
};

#ifdef CONFIG_DEBUG_KMALLOC
struct slab_trailer {
	void *link;
	u64 state;
	u64 asked;
	const void *who; /* caller of the last alloc or free */
};
#define SLAB_TRAILER sizeof(struct slab_trailer)

/* A fresh object joins the free list. */
void slab_debug_fresh(struct kmem_cache *c, void *obj);
/* Leaving and entering the free list: panic when something is wrong. */
void slab_debug_alloc(struct kmem_cache *c, void *obj, size_t asked,
		      const void *who);
void slab_debug_free(struct kmem_cache *c, void *obj, const void *who);
#else
#define SLAB_TRAILER 0
static inline void slab_debug_fresh(struct kmem_cache *c, void *obj)
{
}
static inline void slab_debug_alloc(struct kmem_cache *c, void *obj,
				    size_t asked, const void *who)
{
}
static inline void slab_debug_free(struct kmem_cache *c, void *obj,
				   const void *who)
{
}
#endif

/* The return address of the public entry point, for reports. */
#define SLAB_CALLER __builtin_return_address(0)

void *slab_alloc(struct kmem_cache *c, u32 gfp, size_t asked, const void *who);
void slab_free(struct kmem_cache *c, void *obj, const void *who);
void slab_cache_setup(struct kmem_cache *c, const char *name, size_t size,
		      size_t align, bool off_slab);

#endif /* SONDE_MM_SLAB_H */
