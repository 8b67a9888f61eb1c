// SPDX-License-Identifier: MIT
/*
 * Checks of the debug configuration on every slab object: an overrun is found
 * when the object is freed, a write after free when it is handed out again, a
 * second free at once.
 *
 * Called by slab.c with the object in nobody else's hands; no locks.  A
 * finding is reported with the last caller and is the end: panic().
 */
#include <kernel/panic.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

#include "slab.h"

#define POISON_FREE  0x6b
#define POISON_FRESH 0x5a
#define RED_ZONE     0xbb
#define STATE_FREE   0xf4ee0b7ec7f4ee00ull
#define STATE_USED   0x05edab7ec705ed00ull

static struct slab_trailer *trailer(struct kmem_cache *c, void *obj)
{
	return (struct slab_trailer *)((char *)obj + c->link_off);
}

void slab_debug_fresh(struct kmem_cache *c, void *obj)
{
	struct slab_trailer *t = trailer(c, obj);

	memset(obj, POISON_FREE, c->link_off);
	t->state = STATE_FREE;
	t->asked = 0;
	t->who = NULL;
}

static void __cold complain(struct kmem_cache *c, void *obj, const char *what,
			    const u8 *where)
{
	struct slab_trailer *t = trailer(c, obj);

	panic("slab %s: %s: object %p, offset %ld, byte %02x, asked %llu, "
	      "last by %pS",
	      c->name, what, obj, (long)(where - (u8 *)obj), *where, t->asked,
	      t->who);
}

void slab_debug_alloc(struct kmem_cache *c, void *obj, size_t asked,
		      const void *who)
{
	struct slab_trailer *t = trailer(c, obj);
	const u8 *bad;

	if (t->state != STATE_FREE)
		complain(c, obj, "free list is damaged", (u8 *)&t->state);
	bad = memchr_inv(obj, POISON_FREE, c->link_off);
	if (bad)
		complain(c, obj, "written after free", bad);
	t->state = STATE_USED;
	t->asked = asked;
	t->who = who;
	memset(obj, POISON_FRESH, asked);
	memset((u8 *)obj + asked, RED_ZONE, c->link_off - asked);
}

void slab_debug_free(struct kmem_cache *c, void *obj, const void *who)
{
	struct slab_trailer *t = trailer(c, obj);
	const u8 *bad;

	if (t->state == STATE_FREE)
		complain(c, obj, "freed twice", (u8 *)&t->state);
	if (t->state != STATE_USED)
		complain(c, obj, "written past its end", (u8 *)&t->state);
	if (t->asked > c->link_off)
		complain(c, obj, "written past its end", (u8 *)&t->asked);
	bad = memchr_inv((u8 *)obj + t->asked, RED_ZONE,
			 c->link_off - t->asked);
	if (bad)
		complain(c, obj, "written past its end", bad);
	memset(obj, POISON_FREE, c->link_off);
	t->state = STATE_FREE;
	t->who = who;
}
