/* SPDX-License-Identifier: MIT */
/*
 * Events without a source here (quiet.h): allocations.
 */
#include "quiet.h"

#include <kernel/init.h>
#include <lib/compiler.h>

static const struct trace_field kfree_fields[] = {
	{ "unsigned long", "call_site", "", 8, 8, false },
	{ "const void *", "ptr", "", 16, 8, false },
};
static const char kfree_print[] = {
	"\"call_site=%pS ptr=%p\", (void *)REC->call_site, "
	"REC->ptr"
};

static const struct trace_field kmalloc_fields[] = {
	{ "unsigned long", "call_site", "", 8, 8, false },
	{ "const void *", "ptr", "", 16, 8, false },
	{ "size_t", "bytes_req", "", 24, 8, false },
	{ "size_t", "bytes_alloc", "", 32, 8, false },
	{ "unsigned long", "gfp_flags", "", 40, 8, false },
	{ "int", "node", "", 48, 4, true },
};
static const char kmalloc_print[] = {
	"\"call_site=%pS ptr=%p bytes_req=%zu "
	"bytes_alloc=%zu gfp_flags=%s node=%d "
	"accounted=%s\", (void *)REC->call_site, REC->ptr, "
	"REC->bytes_req, REC->bytes_alloc, (REC->gfp_flags) "
	"? __print_flags(REC->gfp_flags, \"|\", {( unsigned "
	"long)(((((((( gfp_t)(0x400u|0x800u)) | (( "
	"gfp_t)0x40u) | (( gfp_t)0x80u) | (( "
	"gfp_t)0x100000u)) | (( gfp_t)0x02u)) | (( "
	"gfp_t)0x08u) | (( gfp_t)0) | (( gfp_t)0)) | (( "
	"gfp_t)0x40000u) | (( gfp_t)0x80000u) | (( "
	"gfp_t)0x2000u)) & ~(( gfp_t)(0x400u|0x800u))) | (( "
	"gfp_t)0x400u)), \"GFP_TRANSHUGE\"}, {( unsigned "
	"long)((((((( gfp_t)(0x400u|0x800u)) | (( "
	"gfp_t)0x40u) | (( gfp_t)0x80u) | (( "
	"gfp_t)0x100000u)) | (( gfp_t)0x02u)) | (( "
	"gfp_t)0x08u) | (( gfp_t)0) | (( gfp_t)0)) | (( "
	"gfp_t)0x40000u) | (( gfp_t)0x80000u) | (( "
	"gfp_t)0x2000u)) & ~(( gfp_t)(0x400u|0x800u))), "
	"\"GFP_TRANSHUGE_LIGHT\"}, {( unsigned long)((((( "
	"gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( "
	"gfp_t)0x80u) | (( gfp_t)0x100000u)) | (( "
	"gfp_t)0x02u)) | (( gfp_t)0x08u) | (( gfp_t)0) | (( "
	"gfp_t)0)), \"GFP_HIGHUSER_MOVABLE\"}, {( unsigned "
	"long)(((( gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) "
	"| (( gfp_t)0x80u) | (( gfp_t)0x100000u)) | (( "
	"gfp_t)0x02u)), \"GFP_HIGHUSER\"}, {( unsigned "
	"long)((( gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | "
	"(( gfp_t)0x80u) | (( gfp_t)0x100000u)), "
	"\"GFP_USER\"}, {( unsigned long)(((( "
	"gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( "
	"gfp_t)0x80u)) | (( gfp_t)0x400000u)), "
	"\"GFP_KERNEL_ACCOUNT\"}, {( unsigned long)((( "
	"gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( "
	"gfp_t)0x80u)), \"GFP_KERNEL\"}, {( unsigned "
	"long)((( gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u)), "
	"\"GFP_NOFS\"}, {( unsigned long)((( gfp_t)0x20u)|(( "
	"gfp_t)0x200u)|(( gfp_t)0x800u)), \"GFP_ATOMIC\"}, "
	"{( unsigned long)((( gfp_t)(0x400u|0x800u))), "
	"\"GFP_NOIO\"}, {( unsigned long)((( gfp_t)0x800u)), "
	"\"GFP_NOWAIT\"}, {( unsigned long)(( gfp_t)0x01u), "
	"\"GFP_DMA\"}, {( unsigned long)(( gfp_t)0x02u), "
	"\"__GFP_HIGHMEM\"}, {( unsigned long)(( "
	"gfp_t)0x04u), \"GFP_DMA32\"}, {( unsigned long)(( "
	"gfp_t)0x20u), \"__GFP_HIGH\"}, {( unsigned long)(( "
	"gfp_t)0x200u), \"__GFP_ATOMIC\"}, {( unsigned "
	"long)(( gfp_t)0x40u), \"__GFP_IO\"}, {( unsigned "
	"long)(( gfp_t)0x80u), \"__GFP_FS\"}, {( unsigned "
	"long)(( gfp_t)0x2000u), \"__GFP_NOWARN\"}, {( "
	"unsigned long)(( gfp_t)0x4000u), "
	"\"__GFP_RETRY_MAYFAIL\"}, {( unsigned long)(( "
	"gfp_t)0x8000u), \"__GFP_NOFAIL\"}, {( unsigned "
	"long)(( gfp_t)0x10000u), \"__GFP_NORETRY\"}, {( "
	"unsigned long)(( gfp_t)0x40000u), \"__GFP_COMP\"}, "
	"{( unsigned long)(( gfp_t)0x100u), \"__GFP_ZERO\"}, "
	"{( unsigned long)(( gfp_t)0x80000u), "
	"\"__GFP_NOMEMALLOC\"}, {( unsigned long)(( "
	"gfp_t)0x20000u), \"__GFP_MEMALLOC\"}, {( unsigned "
	"long)(( gfp_t)0x100000u), \"__GFP_HARDWALL\"}, {( "
	"unsigned long)(( gfp_t)0x200000u), "
	"\"__GFP_THISNODE\"}, {( unsigned long)(( "
	"gfp_t)0x10u), \"__GFP_RECLAIMABLE\"}, {( unsigned "
	"long)(( gfp_t)0x08u), \"__GFP_MOVABLE\"}, {( "
	"unsigned long)(( gfp_t)0x400000u), "
	"\"__GFP_ACCOUNT\"}, {( unsigned long)(( "
	"gfp_t)0x1000u), \"__GFP_WRITE\"}, {( unsigned "
	"long)(( gfp_t)(0x400u|0x800u)), \"__GFP_RECLAIM\"}, "
	"{( unsigned long)(( gfp_t)0x400u), "
	"\"__GFP_DIRECT_RECLAIM\"}, {( unsigned long)(( "
	"gfp_t)0x800u), \"__GFP_KSWAPD_RECLAIM\"}, {( "
	"unsigned long)(( gfp_t)0x800000u), "
	"\"__GFP_ZEROTAGS\"} ) : \"none\", REC->node, (1 && "
	"(REC->gfp_flags & ( unsigned long)(( "
	"gfp_t)0x400000u))) ? \"true\" : \"false\""
};

static const struct trace_field kmem_cache_alloc_fields[] = {
	{ "unsigned long", "call_site", "", 8, 8, false },
	{ "const void *", "ptr", "", 16, 8, false },
	{ "size_t", "bytes_req", "", 24, 8, false },
	{ "size_t", "bytes_alloc", "", 32, 8, false },
	{ "unsigned long", "gfp_flags", "", 40, 8, false },
	{ "int", "node", "", 48, 4, true },
	{ "bool", "accounted", "", 52, 1, false },
};
static const char kmem_cache_alloc_print[] = {
	"\"call_site=%pS ptr=%p bytes_req=%zu "
	"bytes_alloc=%zu gfp_flags=%s node=%d "
	"accounted=%s\", (void *)REC->call_site, REC->ptr, "
	"REC->bytes_req, REC->bytes_alloc, (REC->gfp_flags) "
	"? __print_flags(REC->gfp_flags, \"|\", {( unsigned "
	"long)(((((((( gfp_t)(0x400u|0x800u)) | (( "
	"gfp_t)0x40u) | (( gfp_t)0x80u) | (( "
	"gfp_t)0x100000u)) | (( gfp_t)0x02u)) | (( "
	"gfp_t)0x08u) | (( gfp_t)0) | (( gfp_t)0)) | (( "
	"gfp_t)0x40000u) | (( gfp_t)0x80000u) | (( "
	"gfp_t)0x2000u)) & ~(( gfp_t)(0x400u|0x800u))) | (( "
	"gfp_t)0x400u)), \"GFP_TRANSHUGE\"}, {( unsigned "
	"long)((((((( gfp_t)(0x400u|0x800u)) | (( "
	"gfp_t)0x40u) | (( gfp_t)0x80u) | (( "
	"gfp_t)0x100000u)) | (( gfp_t)0x02u)) | (( "
	"gfp_t)0x08u) | (( gfp_t)0) | (( gfp_t)0)) | (( "
	"gfp_t)0x40000u) | (( gfp_t)0x80000u) | (( "
	"gfp_t)0x2000u)) & ~(( gfp_t)(0x400u|0x800u))), "
	"\"GFP_TRANSHUGE_LIGHT\"}, {( unsigned long)((((( "
	"gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( "
	"gfp_t)0x80u) | (( gfp_t)0x100000u)) | (( "
	"gfp_t)0x02u)) | (( gfp_t)0x08u) | (( gfp_t)0) | (( "
	"gfp_t)0)), \"GFP_HIGHUSER_MOVABLE\"}, {( unsigned "
	"long)(((( gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) "
	"| (( gfp_t)0x80u) | (( gfp_t)0x100000u)) | (( "
	"gfp_t)0x02u)), \"GFP_HIGHUSER\"}, {( unsigned "
	"long)((( gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | "
	"(( gfp_t)0x80u) | (( gfp_t)0x100000u)), "
	"\"GFP_USER\"}, {( unsigned long)(((( "
	"gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( "
	"gfp_t)0x80u)) | (( gfp_t)0x400000u)), "
	"\"GFP_KERNEL_ACCOUNT\"}, {( unsigned long)((( "
	"gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( "
	"gfp_t)0x80u)), \"GFP_KERNEL\"}, {( unsigned "
	"long)((( gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u)), "
	"\"GFP_NOFS\"}, {( unsigned long)((( gfp_t)0x20u)|(( "
	"gfp_t)0x200u)|(( gfp_t)0x800u)), \"GFP_ATOMIC\"}, "
	"{( unsigned long)((( gfp_t)(0x400u|0x800u))), "
	"\"GFP_NOIO\"}, {( unsigned long)((( gfp_t)0x800u)), "
	"\"GFP_NOWAIT\"}, {( unsigned long)(( gfp_t)0x01u), "
	"\"GFP_DMA\"}, {( unsigned long)(( gfp_t)0x02u), "
	"\"__GFP_HIGHMEM\"}, {( unsigned long)(( "
	"gfp_t)0x04u), \"GFP_DMA32\"}, {( unsigned long)(( "
	"gfp_t)0x20u), \"__GFP_HIGH\"}, {( unsigned long)(( "
	"gfp_t)0x200u), \"__GFP_ATOMIC\"}, {( unsigned "
	"long)(( gfp_t)0x40u), \"__GFP_IO\"}, {( unsigned "
	"long)(( gfp_t)0x80u), \"__GFP_FS\"}, {( unsigned "
	"long)(( gfp_t)0x2000u), \"__GFP_NOWARN\"}, {( "
	"unsigned long)(( gfp_t)0x4000u), "
	"\"__GFP_RETRY_MAYFAIL\"}, {( unsigned long)(( "
	"gfp_t)0x8000u), \"__GFP_NOFAIL\"}, {( unsigned "
	"long)(( gfp_t)0x10000u), \"__GFP_NORETRY\"}, {( "
	"unsigned long)(( gfp_t)0x40000u), \"__GFP_COMP\"}, "
	"{( unsigned long)(( gfp_t)0x100u), \"__GFP_ZERO\"}, "
	"{( unsigned long)(( gfp_t)0x80000u), "
	"\"__GFP_NOMEMALLOC\"}, {( unsigned long)(( "
	"gfp_t)0x20000u), \"__GFP_MEMALLOC\"}, {( unsigned "
	"long)(( gfp_t)0x100000u), \"__GFP_HARDWALL\"}, {( "
	"unsigned long)(( gfp_t)0x200000u), "
	"\"__GFP_THISNODE\"}, {( unsigned long)(( "
	"gfp_t)0x10u), \"__GFP_RECLAIMABLE\"}, {( unsigned "
	"long)(( gfp_t)0x08u), \"__GFP_MOVABLE\"}, {( "
	"unsigned long)(( gfp_t)0x400000u), "
	"\"__GFP_ACCOUNT\"}, {( unsigned long)(( "
	"gfp_t)0x1000u), \"__GFP_WRITE\"}, {( unsigned "
	"long)(( gfp_t)(0x400u|0x800u)), \"__GFP_RECLAIM\"}, "
	"{( unsigned long)(( gfp_t)0x400u), "
	"\"__GFP_DIRECT_RECLAIM\"}, {( unsigned long)(( "
	"gfp_t)0x800u), \"__GFP_KSWAPD_RECLAIM\"}, {( "
	"unsigned long)(( gfp_t)0x800000u), "
	"\"__GFP_ZEROTAGS\"} ) : \"none\", REC->node, "
	"REC->accounted ? \"true\" : \"false\""
};

static const struct trace_field kmem_cache_free_fields[] = {
	{ "unsigned long", "call_site", "", 8, 8, false },
	{ "const void *", "ptr", "", 16, 8, false },
	{ "__data_loc char[]", "name", "", 24, 4, false },
};
static const char kmem_cache_free_print[] = {
	"\"call_site=%pS ptr=%p name=%s\", (void "
	"*)REC->call_site, REC->ptr, __get_str(name)"
};

static const struct trace_field mm_page_alloc_fields[] = {
	{ "unsigned long", "pfn", "", 8, 8, false },
	{ "unsigned int", "order", "", 16, 4, false },
	{ "unsigned long", "gfp_flags", "", 24, 8, false },
	{ "int", "migratetype", "", 32, 4, true },
};
static const char mm_page_alloc_print[] = {
	"\"page=%p pfn=0x%lx order=%d migratetype=%d "
	"gfp_flags=%s\", REC->pfn != -1UL ? (((struct page "
	"*)(-((((1UL))) << ((48) - (12 - (( "
	"__builtin_constant_p(sizeof(struct page)) ? ( "
	"((sizeof(struct page)) == 0 || (sizeof(struct "
	"page)) == 1) ? 0 : ( "
	"__builtin_constant_p((sizeof(struct page)) - 1) ? "
	"(((sizeof(struct page)) - 1) < 2 ? 0 : 63 - "
	"__builtin_clzll((sizeof(struct page)) - 1)) : "
	"(sizeof((sizeof(struct page)) - 1) <= 4) ? "
	"__ilog2_u32((sizeof(struct page)) - 1) : "
	"__ilog2_u64((sizeof(struct page)) - 1) ) + 1) : "
	"__order_base_2(sizeof(struct page)) )))))) - "
	"(memstart_addr >> 12)) + (REC->pfn)) : ((void *)0), "
	"REC->pfn != -1UL ? REC->pfn : 0, REC->order, "
	"REC->migratetype, (REC->gfp_flags) ? "
	"__print_flags(REC->gfp_flags, \"|\", {( unsigned "
	"long)(((((((( gfp_t)(0x400u|0x800u)) | (( "
	"gfp_t)0x40u) | (( gfp_t)0x80u) | (( "
	"gfp_t)0x100000u)) | (( gfp_t)0x02u)) | (( "
	"gfp_t)0x08u) | (( gfp_t)0) | (( gfp_t)0)) | (( "
	"gfp_t)0x40000u) | (( gfp_t)0x80000u) | (( "
	"gfp_t)0x2000u)) & ~(( gfp_t)(0x400u|0x800u))) | (( "
	"gfp_t)0x400u)), \"GFP_TRANSHUGE\"}, {( unsigned "
	"long)((((((( gfp_t)(0x400u|0x800u)) | (( "
	"gfp_t)0x40u) | (( gfp_t)0x80u) | (( "
	"gfp_t)0x100000u)) | (( gfp_t)0x02u)) | (( "
	"gfp_t)0x08u) | (( gfp_t)0) | (( gfp_t)0)) | (( "
	"gfp_t)0x40000u) | (( gfp_t)0x80000u) | (( "
	"gfp_t)0x2000u)) & ~(( gfp_t)(0x400u|0x800u))), "
	"\"GFP_TRANSHUGE_LIGHT\"}, {( unsigned long)((((( "
	"gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( "
	"gfp_t)0x80u) | (( gfp_t)0x100000u)) | (( "
	"gfp_t)0x02u)) | (( gfp_t)0x08u) | (( gfp_t)0) | (( "
	"gfp_t)0)), \"GFP_HIGHUSER_MOVABLE\"}, {( unsigned "
	"long)(((( gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) "
	"| (( gfp_t)0x80u) | (( gfp_t)0x100000u)) | (( "
	"gfp_t)0x02u)), \"GFP_HIGHUSER\"}, {( unsigned "
	"long)((( gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | "
	"(( gfp_t)0x80u) | (( gfp_t)0x100000u)), "
	"\"GFP_USER\"}, {( unsigned long)(((( "
	"gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( "
	"gfp_t)0x80u)) | (( gfp_t)0x400000u)), "
	"\"GFP_KERNEL_ACCOUNT\"}, {( unsigned long)((( "
	"gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( "
	"gfp_t)0x80u)), \"GFP_KERNEL\"}, {( unsigned "
	"long)((( gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u)), "
	"\"GFP_NOFS\"}, {( unsigned long)((( gfp_t)0x20u)|(( "
	"gfp_t)0x200u)|(( gfp_t)0x800u)), \"GFP_ATOMIC\"}, "
	"{( unsigned long)((( gfp_t)(0x400u|0x800u))), "
	"\"GFP_NOIO\"}, {( unsigned long)((( gfp_t)0x800u)), "
	"\"GFP_NOWAIT\"}, {( unsigned long)(( gfp_t)0x01u), "
	"\"GFP_DMA\"}, {( unsigned long)(( gfp_t)0x02u), "
	"\"__GFP_HIGHMEM\"}, {( unsigned long)(( "
	"gfp_t)0x04u), \"GFP_DMA32\"}, {( unsigned long)(( "
	"gfp_t)0x20u), \"__GFP_HIGH\"}, {( unsigned long)(( "
	"gfp_t)0x200u), \"__GFP_ATOMIC\"}, {( unsigned "
	"long)(( gfp_t)0x40u), \"__GFP_IO\"}, {( unsigned "
	"long)(( gfp_t)0x80u), \"__GFP_FS\"}, {( unsigned "
	"long)(( gfp_t)0x2000u), \"__GFP_NOWARN\"}, {( "
	"unsigned long)(( gfp_t)0x4000u), "
	"\"__GFP_RETRY_MAYFAIL\"}, {( unsigned long)(( "
	"gfp_t)0x8000u), \"__GFP_NOFAIL\"}, {( unsigned "
	"long)(( gfp_t)0x10000u), \"__GFP_NORETRY\"}, {( "
	"unsigned long)(( gfp_t)0x40000u), \"__GFP_COMP\"}, "
	"{( unsigned long)(( gfp_t)0x100u), \"__GFP_ZERO\"}, "
	"{( unsigned long)(( gfp_t)0x80000u), "
	"\"__GFP_NOMEMALLOC\"}, {( unsigned long)(( "
	"gfp_t)0x20000u), \"__GFP_MEMALLOC\"}, {( unsigned "
	"long)(( gfp_t)0x100000u), \"__GFP_HARDWALL\"}, {( "
	"unsigned long)(( gfp_t)0x200000u), "
	"\"__GFP_THISNODE\"}, {( unsigned long)(( "
	"gfp_t)0x10u), \"__GFP_RECLAIMABLE\"}, {( unsigned "
	"long)(( gfp_t)0x08u), \"__GFP_MOVABLE\"}, {( "
	"unsigned long)(( gfp_t)0x400000u), "
	"\"__GFP_ACCOUNT\"}, {( unsigned long)(( "
	"gfp_t)0x1000u), \"__GFP_WRITE\"}, {( unsigned "
	"long)(( gfp_t)(0x400u|0x800u)), \"__GFP_RECLAIM\"}, "
	"{( unsigned long)(( gfp_t)0x400u), "
	"\"__GFP_DIRECT_RECLAIM\"}, {( unsigned long)(( "
	"gfp_t)0x800u), \"__GFP_KSWAPD_RECLAIM\"}, {( "
	"unsigned long)(( gfp_t)0x800000u), "
	"\"__GFP_ZEROTAGS\"} ) : \"none\""
};

static const struct trace_field mm_page_free_fields[] = {
	{ "unsigned long", "pfn", "", 8, 8, false },
	{ "unsigned int", "order", "", 16, 4, false },
};
static const char mm_page_free_print[] = {
	"\"page=%p pfn=0x%lx order=%d\", (((struct page "
	"*)(-((((1UL))) << ((48) - (12 - (( "
	"__builtin_constant_p(sizeof(struct page)) ? ( "
	"((sizeof(struct page)) == 0 || (sizeof(struct "
	"page)) == 1) ? 0 : ( "
	"__builtin_constant_p((sizeof(struct page)) - 1) ? "
	"(((sizeof(struct page)) - 1) < 2 ? 0 : 63 - "
	"__builtin_clzll((sizeof(struct page)) - 1)) : "
	"(sizeof((sizeof(struct page)) - 1) <= 4) ? "
	"__ilog2_u32((sizeof(struct page)) - 1) : "
	"__ilog2_u64((sizeof(struct page)) - 1) ) + 1) : "
	"__order_base_2(sizeof(struct page)) )))))) - "
	"(memstart_addr >> 12)) + (REC->pfn)), REC->pfn, "
	"REC->order"
};

static struct trace_event events[] = {
	QUIET(kmem, kfree, 24),
	QUIET(kmem, kmalloc, 52),
	QUIET(kmem, kmem_cache_alloc, 56),
	QUIET(kmem, kmem_cache_free, 28),
	QUIET(kmem, mm_page_alloc, 36),
	QUIET(kmem, mm_page_free, 20),
};

static int quiet_boot(void)
{
	return trace_quiet_register(events, ARRAY_SIZE(events));
}
INITCALL(INIT_FS, quiet_boot);
