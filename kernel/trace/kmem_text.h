/* SPDX-License-Identifier: MIT */
/*
 * Long texts of the print formats of events_kmem.c, as clients of Linux 6.1
 * parse them: the names of allocation flags, and a frame's address by its
 * number (which is never computed here, print.c).
 */
#ifndef SONDE_TRACE_KMEM_TEXT_H
#define SONDE_TRACE_KMEM_TEXT_H

#define GFP_FLAGS_TEXT \
	"__print_flags(REC->gfp_flags, \"|\", {( unsigned long)(((((((( " \
	"gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( gfp_t)0x80u) | (( " \
	"gfp_t)0x100000u)) | (( gfp_t)0x02u)) | (( gfp_t)0x08u) | (( " \
	"gfp_t)0) | (( gfp_t)0)) | (( gfp_t)0x40000u) | (( gfp_t)0x80000u) " \
	"| (( gfp_t)0x2000u)) & ~(( gfp_t)(0x400u|0x800u))) | (( " \
	"gfp_t)0x400u)), \"GFP_TRANSHUGE\"}, {( unsigned long)((((((( " \
	"gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( gfp_t)0x80u) | (( " \
	"gfp_t)0x100000u)) | (( gfp_t)0x02u)) | (( gfp_t)0x08u) | (( " \
	"gfp_t)0) | (( gfp_t)0)) | (( gfp_t)0x40000u) | (( gfp_t)0x80000u) " \
	"| (( gfp_t)0x2000u)) & ~(( gfp_t)(0x400u|0x800u))), " \
	"\"GFP_TRANSHUGE_LIGHT\"}, {( unsigned long)((((( " \
	"gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( gfp_t)0x80u) | (( " \
	"gfp_t)0x100000u)) | (( gfp_t)0x02u)) | (( gfp_t)0x08u) | (( " \
	"gfp_t)0) | (( gfp_t)0)), \"GFP_HIGHUSER_MOVABLE\"}, {( unsigned " \
	"long)(((( gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( " \
	"gfp_t)0x80u) | (( gfp_t)0x100000u)) | (( gfp_t)0x02u)), " \
	"\"GFP_HIGHUSER\"}, {( unsigned long)((( gfp_t)(0x400u|0x800u)) | " \
	"(( gfp_t)0x40u) | (( gfp_t)0x80u) | (( gfp_t)0x100000u)), " \
	"\"GFP_USER\"}, {( unsigned long)(((( gfp_t)(0x400u|0x800u)) | (( " \
	"gfp_t)0x40u) | (( gfp_t)0x80u)) | (( gfp_t)0x400000u)), " \
	"\"GFP_KERNEL_ACCOUNT\"}, {( unsigned long)((( " \
	"gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u) | (( gfp_t)0x80u)), " \
	"\"GFP_KERNEL\"}, {( unsigned long)((( gfp_t)(0x400u|0x800u)) | (( " \
	"gfp_t)0x40u)), \"GFP_NOFS\"}, {( unsigned long)((( " \
	"gfp_t)0x20u)|(( gfp_t)0x200u)|(( gfp_t)0x800u)), \"GFP_ATOMIC\"}, " \
	"{( unsigned long)((( gfp_t)(0x400u|0x800u))), \"GFP_NOIO\"}, {( " \
	"unsigned long)((( gfp_t)0x800u)), \"GFP_NOWAIT\"}, {( unsigned " \
	"long)(( gfp_t)0x01u), \"GFP_DMA\"}, {( unsigned long)(( " \
	"gfp_t)0x02u), \"__GFP_HIGHMEM\"}, {( unsigned long)(( " \
	"gfp_t)0x04u), \"GFP_DMA32\"}, {( unsigned long)(( gfp_t)0x20u), " \
	"\"__GFP_HIGH\"}, {( unsigned long)(( gfp_t)0x200u), " \
	"\"__GFP_ATOMIC\"}, {( unsigned long)(( gfp_t)0x40u), " \
	"\"__GFP_IO\"}, {( unsigned long)(( gfp_t)0x80u), \"__GFP_FS\"}, " \
	"{( unsigned long)(( gfp_t)0x2000u), \"__GFP_NOWARN\"}, {( " \
	"unsigned long)(( gfp_t)0x4000u), \"__GFP_RETRY_MAYFAIL\"}, {( " \
	"unsigned long)(( gfp_t)0x8000u), \"__GFP_NOFAIL\"}, {( unsigned " \
	"long)(( gfp_t)0x10000u), \"__GFP_NORETRY\"}, {( unsigned long)(( " \
	"gfp_t)0x40000u), \"__GFP_COMP\"}, {( unsigned long)(( " \
	"gfp_t)0x100u), \"__GFP_ZERO\"}, {( unsigned long)(( " \
	"gfp_t)0x80000u), \"__GFP_NOMEMALLOC\"}, {( unsigned long)(( " \
	"gfp_t)0x20000u), \"__GFP_MEMALLOC\"}, {( unsigned long)(( " \
	"gfp_t)0x100000u), \"__GFP_HARDWALL\"}, {( unsigned long)(( " \
	"gfp_t)0x200000u), \"__GFP_THISNODE\"}, {( unsigned long)(( " \
	"gfp_t)0x10u), \"__GFP_RECLAIMABLE\"}, {( unsigned long)(( " \
	"gfp_t)0x08u), \"__GFP_MOVABLE\"}, {( unsigned long)(( " \
	"gfp_t)0x400000u), \"__GFP_ACCOUNT\"}, {( unsigned long)(( " \
	"gfp_t)0x1000u), \"__GFP_WRITE\"}, {( unsigned long)(( " \
	"gfp_t)(0x400u|0x800u)), \"__GFP_RECLAIM\"}, {( unsigned long)(( " \
	"gfp_t)0x400u), \"__GFP_DIRECT_RECLAIM\"}, {( unsigned long)(( " \
	"gfp_t)0x800u), \"__GFP_KSWAPD_RECLAIM\"}, {( unsigned long)(( " \
	"gfp_t)0x800000u), \"__GFP_ZEROTAGS\"} )"

#define PAGE_OF_PFN_TEXT \
	"(((struct page *)(-((((1UL))) << ((48) - (12 - (( " \
	"__builtin_constant_p(sizeof(struct page)) ? ( ((sizeof(struct " \
	"page)) == 0 || (sizeof(struct page)) == 1) ? 0 : ( " \
	"__builtin_constant_p((sizeof(struct page)) - 1) ? " \
	"(((sizeof(struct page)) - 1) < 2 ? 0 : 63 - " \
	"__builtin_clzll((sizeof(struct page)) - 1)) : " \
	"(sizeof((sizeof(struct page)) - 1) <= 4) ? " \
	"__ilog2_u32((sizeof(struct page)) - 1) : " \
	"__ilog2_u64((sizeof(struct page)) - 1) ) + 1) : " \
	"__order_base_2(sizeof(struct page)) )))))) - (memstart_addr >> " \
	"12)) + (REC->pfn))"

#endif /* SONDE_TRACE_KMEM_TEXT_H */
