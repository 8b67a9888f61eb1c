/* SPDX-License-Identifier: MIT */
/*
 * Reader of flattened device trees (kernel/lib/fdt.c).
 *
 * fdt_open() checks the header and walks the whole structure once; after that
 * the tree may be read, though every access is still bounded. A node is named
 * by its offset in the structure block; the root is 0; negative values are
 * errors (-ENOENT when there is no such thing, -EINVAL when it is malformed).
 * Nothing is written to the blob, nothing allocated; any context.
 */
#ifndef SONDE_LIB_FDT_H
#define SONDE_LIB_FDT_H

#include <lib/types.h>

#define FDT_ROOT      0
#define FDT_MAX_DEPTH 32

struct fdt {
	const u8 *structs;
	const u8 *strings;
	const u8 *reserved;
	u32 structs_size;
	u32 strings_size;
	u32 reserved_count;
	u32 total_size;
};

/* Bytes the header claims, or 0 when blob is no device tree. */
u32 fdt_total_size(const void *blob);

/* 0, or -EINVAL. Nothing beyond max bytes is read. */
int fdt_open(struct fdt *fdt, const void *blob, size_t max);

/* Document order; depth (may be NULL) is kept relative to where it started. */
int fdt_next(const struct fdt *fdt, int node, int *depth);
int fdt_child(const struct fdt *fdt, int node);
int fdt_sibling(const struct fdt *fdt, int node);
int fdt_parent(const struct fdt *fdt, int node);
const char *fdt_name(const struct fdt *fdt, int node);

#define fdt_for_each_child(child, fdt, node)                                   \
	for ((child) = fdt_child(fdt, node); (child) >= 0;                     \
	     (child) = fdt_sibling(fdt, child))

/* "/soc/uart@9000000"; a component may leave out its unit address. */
int fdt_find_path(const struct fdt *fdt, const char *path);
int fdt_find_phandle(const struct fdt *fdt, u32 phandle);

/* The first node after (or, with -1, from the root on) that is compatible. */
int fdt_find_compatible(const struct fdt *fdt, int after, const char *compat);
bool fdt_is_compatible(const struct fdt *fdt, int node, const char *compat);

/* No status, "okay" or "ok". */
bool fdt_is_enabled(const struct fdt *fdt, int node);

/* Properties: the bytes, or one number, or one terminated string. */
const void *fdt_prop(const struct fdt *fdt, int node, const char *name,
		     u32 *len);
int fdt_prop_u32(const struct fdt *fdt, int node, const char *name, u32 *out);
/* One or two cells. */
int fdt_prop_u64(const struct fdt *fdt, int node, const char *name, u64 *out);
const char *fdt_prop_string(const struct fdt *fdt, int node, const char *name);

/* The index-th property of a node in document order; 0 or -ENOENT. */
int fdt_prop_at(const struct fdt *fdt, int node, int index, const char **name,
		const void **data, u32 *len);

/*
 * The index-th reg entry as a CPU address (parents' ranges applied), or
 * -ENOENT. fdt_cpu_reg is for nodes without a size, like cpu@N.
 */
int fdt_reg(const struct fdt *fdt, int node, int index, u64 *addr, u64 *size);
int fdt_cpu_reg(const struct fdt *fdt, int node, u64 *hwid);

struct fdt_irq {
	int controller; /* node */
	u32 count;
	u32 cells[4];
};

/* interrupts-extended, or interrupts with the nearest interrupt-parent. */
int fdt_interrupt(const struct fdt *fdt, int node, int index,
		  struct fdt_irq *irq);

/* The memory reservation block. */
int fdt_reserved(const struct fdt *fdt, u32 index, u64 *addr, u64 *size);

#endif /* SONDE_LIB_FDT_H */
