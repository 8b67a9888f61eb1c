/* SPDX-License-Identifier: MIT */
/*
 * Events of allocations: layouts and print formats as Linux 6.1's.
 *
 * Flags are shown as those of Linux that mean the same.  There is one node
 * (shown as none asked for), nothing is charged to a group, and pages have no
 * mobility: their type is 0.
 */
#include "event.h"
#include "kmem_text.h"

#include <kernel/page.h>

#define LINUX_GFP_KERNEL  0xcc0ul	/* may sleep, may write pages out */
#define LINUX_GFP_ATOMIC  0xa20ul
#define LINUX_GFP_ZERO	  0x100ul
#define LINUX_GFP_NORETRY 0x10000ul

static unsigned long flags_of(u32 gfp)
{
	unsigned long v = gfp & GFP_ATOMIC ? LINUX_GFP_ATOMIC :
					     LINUX_GFP_KERNEL;

	if (gfp & GFP_ZERO)
		v |= LINUX_GFP_ZERO;
	if (gfp & GFP_NOOOM)
		v |= LINUX_GFP_NORETRY;
	return v;
}

#define GFP_TEXT "(REC->gfp_flags) ? " GFP_FLAGS_TEXT " : \"none\""

/* What both kinds of allocation begin with; their records differ behind it. */
#define FILL_ALLOC(r, site, p, asked, got, gfp)         \
	do {                                            \
		(r)->call_site = (uintptr_t)(site);     \
		(r)->ptr = (p);                         \
		(r)->bytes_req = (asked);               \
		(r)->bytes_alloc = (got);               \
		(r)->gfp_flags = flags_of(gfp);         \
		(r)->node = -1;                         \
	} while (0)

TRACE_EVENT(kmem, kmalloc,
	    (const void *site, const void *p, size_t asked, size_t got,
	     u32 gfp),
	    (site, p, asked, got, gfp),
	    ((F, unsigned long, call_site), (F, const void *, ptr),
	     (F, size_t, bytes_req), (F, size_t, bytes_alloc),
	     (F, unsigned long, gfp_flags), (F, int, node)),
	    "call_site=%pS ptr=%p bytes_req=%zu bytes_alloc=%zu "
	    "gfp_flags=%s node=%d accounted=%s",
	    "(void *)REC->call_site, REC->ptr, REC->bytes_req, "
	    "REC->bytes_alloc, " GFP_TEXT ", REC->node, "
	    "(1 && (REC->gfp_flags & ( unsigned long)(( "
	    "gfp_t)0x400000u))) ? \"true\" : \"false\"")
{
	FILL_ALLOC(r, site, p, asked, got, gfp);
}

TRACE_EVENT(kmem, kmem_cache_alloc,
	    (const void *site, const void *p, size_t size, u32 gfp),
	    (site, p, size, gfp),
	    ((F, unsigned long, call_site), (F, const void *, ptr),
	     (F, size_t, bytes_req), (F, size_t, bytes_alloc),
	     (F, unsigned long, gfp_flags), (F, int, node),
	     (T, "bool", bool, accounted)),
	    "call_site=%pS ptr=%p bytes_req=%zu bytes_alloc=%zu "
	    "gfp_flags=%s node=%d accounted=%s",
	    "(void *)REC->call_site, REC->ptr, REC->bytes_req, "
	    "REC->bytes_alloc, " GFP_TEXT ", REC->node, "
	    "REC->accounted ? \"true\" : \"false\"")
{
	FILL_ALLOC(r, site, p, size, size, gfp);
}

TRACE_EVENT(kmem, kfree, (const void *site, const void *p), (site, p),
	    ((F, unsigned long, call_site), (F, const void *, ptr)),
	    "call_site=%pS ptr=%p", "(void *)REC->call_site, REC->ptr")
{
	r->call_site = (uintptr_t)site;
	r->ptr = p;
}

TRACE_EVENT_TAIL(kmem, kmem_cache_free,
		 (const void *site, const void *p, const char *cache),
		 (site, p, cache),
		 ((F, unsigned long, call_site), (F, const void *, ptr),
		  (S, name)),
		 "call_site=%pS ptr=%p name=%s",
		 "(void *)REC->call_site, REC->ptr, __get_str(name)")
{
	r->call_site = (uintptr_t)site;
	r->ptr = p;
	TRACE_TAIL(r, name, cache);
}

TRACE_EVENT(kmem, mm_page_alloc,
	    (const struct page *page, u32 order, u32 gfp), (page, order, gfp),
	    ((F, unsigned long, pfn), (F, unsigned int, order),
	     (F, unsigned long, gfp_flags), (F, int, migratetype)),
	    "page=%p pfn=0x%lx order=%d migratetype=%d gfp_flags=%s",
	    "REC->pfn != -1UL ? " PAGE_OF_PFN_TEXT " : ((void *)0), "
	    "REC->pfn != -1UL ? REC->pfn : 0, REC->order, "
	    "REC->migratetype, " GFP_TEXT)
{
	r->pfn = page ? page_to_pfn(page) : ~0ul;
	r->order = order;
	r->gfp_flags = flags_of(gfp);
}

TRACE_EVENT(kmem, mm_page_free, (const struct page *page, u32 order),
	    (page, order),
	    ((F, unsigned long, pfn), (F, unsigned int, order)),
	    "page=%p pfn=0x%lx order=%d",
	    PAGE_OF_PFN_TEXT ", REC->pfn, REC->order")
{
	r->pfn = page_to_pfn(page);
	r->order = order;
}
