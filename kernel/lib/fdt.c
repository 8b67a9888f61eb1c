// SPDX-License-Identifier: MIT
/*
 * Reader of flattened device trees.
 *
 * Entry points: <lib/fdt.h>. One function, read_token(), knows the encoding
 * and bounds everything; the walkers are loops over it. The blob comes from
 * the boot loader and may be anything: no offset or length of it is used
 * before it was compared with the block it lies in. Pure, no state.
 */
#include <lib/bytes.h>
#include <lib/err.h>
#include <lib/fdt.h>
#include <lib/minmax.h>
#include <lib/string.h>

#define FDT_MAGIC      0xd00dfeedU
#define FDT_HEADER_LEN 40
#define FDT_VERSION    17

enum {
	TOKEN_BEGIN = 1,
	TOKEN_END_NODE = 2,
	TOKEN_PROP = 3,
	TOKEN_NOP = 4,
	TOKEN_END = 9,
};

struct token {
	u32 kind;
	u32 next;	  /* offset of the token behind this one */
	const char *name; /* of a node or property */
	const u8 *data;	  /* of a property */
	u32 len;
};

static int read_prop(const struct fdt *fdt, u32 at, struct token *t)
{
	u32 room = fdt->structs_size - at;
	u32 name_at;

	if (room < 12)
		return -EINVAL;
	t->len = read_be32(fdt->structs + at + 4);
	name_at = read_be32(fdt->structs + at + 8);
	if (t->len > room - 12 || name_at >= fdt->strings_size)
		return -EINVAL;
	t->name = (const char *)fdt->strings + name_at;
	if (strnlen(t->name, fdt->strings_size - name_at) ==
	    fdt->strings_size - name_at)
		return -EINVAL;
	t->data = fdt->structs + at + 12;
	t->next = at + 12 + ALIGN_UP(t->len, 4U);
	return 0;
}

/* Decodes the token at an offset that is a multiple of four. */
static int read_token(const struct fdt *fdt, u32 at, struct token *t)
{
	u32 room, len;

	if (at > fdt->structs_size || fdt->structs_size - at < 4 || at % 4)
		return -EINVAL;
	room = fdt->structs_size - at;
	t->kind = read_be32(fdt->structs + at);
	t->next = at + 4;
	switch (t->kind) {
	case TOKEN_BEGIN:
		t->name = (const char *)fdt->structs + at + 4;
		len = (u32)strnlen(t->name, room - 4);
		if (len == room - 4)
			return -EINVAL;
		t->next = at + 4 + ALIGN_UP(len + 1, 4U);
		return 0;
	case TOKEN_PROP:
		return read_prop(fdt, at, t);
	case TOKEN_END_NODE:
	case TOKEN_NOP:
	case TOKEN_END:
		return 0;
	default:
		return -EINVAL;
	}
}

/* One pass over everything: balanced, bounded, one root. */
static int check_structure(const struct fdt *fdt)
{
	struct token t;
	int depth = 0;
	bool closed = false;

	for (u32 at = 0;; at = t.next) {
		if (read_token(fdt, at, &t))
			return -EINVAL;
		switch (t.kind) {
		case TOKEN_BEGIN:
			if (closed || ++depth > FDT_MAX_DEPTH)
				return -EINVAL;
			break;
		case TOKEN_END_NODE:
			if (--depth < 0)
				return -EINVAL;
			closed = depth == 0;
			break;
		case TOKEN_PROP:
			if (!depth)
				return -EINVAL;
			break;
		case TOKEN_END:
			return closed ? 0 : -EINVAL;
		default:
			if (at == 0)
				return -EINVAL;
			break;
		}
	}
}

static int check_reserved(struct fdt *fdt, u32 room)
{
	for (u32 n = 0; (n + 1) * 16 <= room; n++) {
		const u8 *entry = fdt->reserved + n * 16;

		if (!read_be64(entry) && !read_be64(entry + 8)) {
			fdt->reserved_count = n;
			return 0;
		}
	}
	return -EINVAL;
}

u32 fdt_total_size(const void *blob)
{
	const u8 *b = blob;

	return read_be32(b) == FDT_MAGIC ? read_be32(b + 4) : 0;
}

int fdt_open(struct fdt *fdt, const void *blob, size_t max)
{
	const u8 *b = blob;
	u32 total, structs, strings, reserved;

	if (max < FDT_HEADER_LEN || read_be32(b) != FDT_MAGIC)
		return -EINVAL;
	total = read_be32(b + 4);
	structs = read_be32(b + 8);
	strings = read_be32(b + 12);
	reserved = read_be32(b + 16);
	if (total > max || total < FDT_HEADER_LEN || total > S32_MAX ||
	    read_be32(b + 20) < FDT_VERSION || read_be32(b + 24) > FDT_VERSION)
		return -EINVAL;
	fdt->strings_size = read_be32(b + 32);
	fdt->structs_size = read_be32(b + 36);
	if (structs > total || fdt->structs_size > total - structs ||
	    strings > total || fdt->strings_size > total - strings ||
	    reserved > total || structs % 4)
		return -EINVAL;
	fdt->structs = b + structs;
	fdt->strings = b + strings;
	fdt->reserved = b + reserved;
	fdt->total_size = total;
	if (check_reserved(fdt, total - reserved))
		return -EINVAL;
	return check_structure(fdt);
}

int fdt_next(const struct fdt *fdt, int node, int *depth)
{
	struct token t;
	int level = depth ? *depth : 0;

	if (node < 0 || read_token(fdt, node, &t) || t.kind != TOKEN_BEGIN)
		return -EINVAL;
	for (;;) {
		u32 at = t.next;

		if (read_token(fdt, at, &t))
			return -EINVAL;
		if (t.kind == TOKEN_END)
			return -ENOENT;
		if (t.kind == TOKEN_END_NODE)
			level--;
		if (t.kind != TOKEN_BEGIN)
			continue;
		if (depth)
			*depth = level + 1;
		return (int)at;
	}
}

int fdt_child(const struct fdt *fdt, int node)
{
	int depth = 0;
	int next = fdt_next(fdt, node, &depth);

	return next >= 0 && depth < 1 ? -ENOENT : next;
}

int fdt_sibling(const struct fdt *fdt, int node)
{
	int depth = 0;

	do {
		node = fdt_next(fdt, node, &depth);
		if (node < 0)
			return node;
	} while (depth > 0);
	return depth == 0 ? node : -ENOENT;
}

/* Offsets of node's ancestors, root first; returns node's depth. */
static int ancestors(const struct fdt *fdt, int node, int way[FDT_MAX_DEPTH])
{
	int depth = 0;

	for (int at = FDT_ROOT; at >= 0; at = fdt_next(fdt, at, &depth)) {
		if (depth < 0 || depth >= FDT_MAX_DEPTH)
			return -EINVAL;
		way[depth] = at;
		if (at == node)
			return depth;
	}
	return -ENOENT;
}

int fdt_parent(const struct fdt *fdt, int node)
{
	int way[FDT_MAX_DEPTH];
	int depth = ancestors(fdt, node, way);

	if (depth < 0)
		return depth;
	return depth ? way[depth - 1] : -ENOENT;
}

const char *fdt_name(const struct fdt *fdt, int node)
{
	struct token t;

	if (node < 0 || read_token(fdt, node, &t) || t.kind != TOKEN_BEGIN)
		return "";
	return t.name;
}

int fdt_prop_at(const struct fdt *fdt, int node, int index, const char **name,
		const void **data, u32 *len)
{
	struct token t;

	if (node < 0 || read_token(fdt, node, &t) || t.kind != TOKEN_BEGIN)
		return -EINVAL;
	for (;;) {
		if (read_token(fdt, t.next, &t))
			return -EINVAL;
		if (t.kind == TOKEN_NOP)
			continue;
		if (t.kind != TOKEN_PROP)
			return -ENOENT;
		if (index-- == 0)
			break;
	}
	*name = t.name;
	*data = t.data;
	*len = t.len;
	return 0;
}

const void *fdt_prop(const struct fdt *fdt, int node, const char *name,
		     u32 *len)
{
	struct token t;

	if (node < 0 || read_token(fdt, node, &t) || t.kind != TOKEN_BEGIN)
		return NULL;
	for (;;) {
		if (read_token(fdt, t.next, &t))
			return NULL;
		if (t.kind == TOKEN_NOP)
			continue;
		if (t.kind != TOKEN_PROP)
			return NULL;
		if (streq(t.name, name)) {
			if (len)
				*len = t.len;
			return t.data;
		}
	}
}

int fdt_prop_u32(const struct fdt *fdt, int node, const char *name, u32 *out)
{
	u32 len;
	const void *data = fdt_prop(fdt, node, name, &len);

	if (!data)
		return -ENOENT;
	if (len != 4)
		return -EINVAL;
	*out = read_be32(data);
	return 0;
}

int fdt_prop_u64(const struct fdt *fdt, int node, const char *name, u64 *out)
{
	u32 len;
	const void *data = fdt_prop(fdt, node, name, &len);

	if (!data)
		return -ENOENT;
	if (len != 4 && len != 8)
		return -EINVAL;
	*out = len == 4 ? read_be32(data) : read_be64(data);
	return 0;
}

const char *fdt_prop_string(const struct fdt *fdt, int node, const char *name)
{
	u32 len;
	const char *s = fdt_prop(fdt, node, name, &len);

	return s && strnlen(s, len) < len ? s : NULL;
}

/* Is s one of the strings that lie end to end in a property? */
static bool list_has(const char *list, u32 len, const char *s)
{
	while (list && len) {
		u32 n = (u32)strnlen(list, len);

		if (n == len)
			return false;
		if (streq(list, s))
			return true;
		list += n + 1;
		len -= n + 1;
	}
	return false;
}

bool fdt_is_compatible(const struct fdt *fdt, int node, const char *compat)
{
	u32 len = 0;
	const char *list = fdt_prop(fdt, node, "compatible", &len);

	return list_has(list, len, compat);
}

bool fdt_is_enabled(const struct fdt *fdt, int node)
{
	const char *status = fdt_prop_string(fdt, node, "status");

	return !status || streq(status, "okay") || streq(status, "ok");
}

int fdt_find_compatible(const struct fdt *fdt, int after, const char *compat)
{
	int node = after < 0 ? FDT_ROOT : fdt_next(fdt, after, NULL);

	while (node >= 0 && !fdt_is_compatible(fdt, node, compat))
		node = fdt_next(fdt, node, NULL);
	return node;
}

int fdt_find_phandle(const struct fdt *fdt, u32 phandle)
{
	int node = FDT_ROOT;

	while (node >= 0) {
		u32 value;

		if (fdt_prop_u32(fdt, node, "phandle", &value) == 0 &&
		    value == phandle)
			return node;
		node = fdt_next(fdt, node, NULL);
	}
	return node;
}

/* Does the path component s[0..len) name this node, unit address or not? */
static bool names_node(const char *name, const char *s, size_t len)
{
	return strncmp(name, s, len) == 0 &&
	       (!name[len] || (name[len] == '@' && !memchr(s, '@', len)));
}

int fdt_find_path(const struct fdt *fdt, const char *path)
{
	int node = FDT_ROOT;

	while (*path) {
		size_t len;
		int child;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (!len)
			break;
		fdt_for_each_child(child, fdt,
				   node) if (names_node(fdt_name(fdt, child),
							path, len)) break;
		if (child < 0)
			return child;
		node = child;
		path += len;
	}
	return node;
}

static u32 cells_of(const struct fdt *fdt, int node, const char *name,
		    u32 fallback)
{
	u32 cells;

	return fdt_prop_u32(fdt, node, name, &cells) ? fallback : cells;
}

/* A number of 0 to 2 cells; wider ones keep their low 64 bits. */
static u64 read_cells(const u8 *data, u32 cells)
{
	u64 v = 0;

	for (u32 i = 0; i < cells; i++)
		v = v << 32 | read_be32(data + i * 4);
	return v;
}

/* Takes *addr from bus's child addresses to those of bus's parent. */
static int translate(const struct fdt *fdt, int bus, int parent, u64 *addr)
{
	u32 child_cells = cells_of(fdt, bus, "#address-cells", 2);
	u32 size_cells = cells_of(fdt, bus, "#size-cells", 1);
	u32 parent_cells = cells_of(fdt, parent, "#address-cells", 2);
	u32 len;
	const u8 *ranges = fdt_prop(fdt, bus, "ranges", &len);
	u32 step;

	if (!ranges)
		return -ENOENT;
	if (!len)
		return 0;
	if (child_cells > 4 || size_cells > 4 || parent_cells > 4)
		return -EINVAL;
	step = (child_cells + parent_cells + size_cells) * 4;
	for (; step && len >= step; ranges += step, len -= step) {
		u64 from = read_cells(ranges, child_cells);
		const u8 *to = ranges + child_cells * 4;
		u64 size = read_cells(to + parent_cells * 4, size_cells);

		if (*addr >= from && *addr - from < size) {
			*addr = read_cells(to, parent_cells) + (*addr - from);
			return 0;
		}
	}
	return -ENOENT;
}

int fdt_reg(const struct fdt *fdt, int node, int index, u64 *addr, u64 *size)
{
	int way[FDT_MAX_DEPTH];
	int depth = ancestors(fdt, node, way);
	u32 address_cells, size_cells, step, len;
	const u8 *reg = fdt_prop(fdt, node, "reg", &len);

	if (depth < 1)
		return depth < 0 ? depth : -ENOENT;
	if (!reg || index < 0)
		return -ENOENT;
	address_cells = cells_of(fdt, way[depth - 1], "#address-cells", 2);
	size_cells = cells_of(fdt, way[depth - 1], "#size-cells", 1);
	if (!address_cells || address_cells > 4 || size_cells > 4)
		return -EINVAL;
	step = (address_cells + size_cells) * 4;
	if ((u32)index >= len / step)
		return -ENOENT;
	reg += (u32)index * step;
	*addr = read_cells(reg, address_cells);
	*size = read_cells(reg + address_cells * 4, size_cells);
	for (int d = depth - 1; d > 0; d--) {
		int err = translate(fdt, way[d], way[d - 1], addr);

		if (err)
			return err;
	}
	return 0;
}

int fdt_cpu_reg(const struct fdt *fdt, int node, u64 *hwid)
{
	return fdt_prop_u64(fdt, node, "reg", hwid);
}

static int read_irq(const struct fdt *fdt, const u8 *data, u32 len,
		    int controller, struct fdt_irq *irq)
{
	u32 cells = cells_of(fdt, controller, "#interrupt-cells", 0);

	if (!cells || cells > ARRAY_SIZE(irq->cells))
		return -EINVAL;
	if (len < cells * 4)
		return -ENOENT;
	irq->controller = controller;
	irq->count = cells;
	for (u32 i = 0; i < cells; i++)
		irq->cells[i] = read_be32(data + i * 4);
	return 0;
}

static int interrupt_extended(const struct fdt *fdt, const u8 *data, u32 len,
			      int index, struct fdt_irq *irq)
{
	while (len >= 4) {
		int controller = fdt_find_phandle(fdt, read_be32(data));
		int err;

		if (controller < 0)
			return controller;
		err = read_irq(fdt, data + 4, len - 4, controller, irq);
		if (err || index-- == 0)
			return err;
		data += 4 + irq->count * 4;
		len -= 4 + irq->count * 4;
	}
	return -ENOENT;
}

int fdt_interrupt(const struct fdt *fdt, int node, int index,
		  struct fdt_irq *irq)
{
	int way[FDT_MAX_DEPTH];
	int depth = ancestors(fdt, node, way);
	int controller = -ENOENT;
	const u8 *data;
	u32 len, phandle, step;

	if (depth < 0 || index < 0)
		return depth < 0 ? depth : -ENOENT;
	data = fdt_prop(fdt, node, "interrupts-extended", &len);
	if (data)
		return interrupt_extended(fdt, data, len, index, irq);
	data = fdt_prop(fdt, node, "interrupts", &len);
	if (!data)
		return -ENOENT;
	for (; depth >= 0; depth--) {
		if (fdt_prop_u32(fdt, way[depth], "interrupt-parent",
				 &phandle) == 0) {
			controller = fdt_find_phandle(fdt, phandle);
			break;
		}
	}
	if (controller < 0)
		return controller;
	step = cells_of(fdt, controller, "#interrupt-cells", 0) * 4;
	if (!step || (u32)index >= len / step)
		return step ? -ENOENT : -EINVAL;
	return read_irq(fdt, data + (u32)index * step, len - (u32)index * step,
			controller, irq);
}

int fdt_reserved(const struct fdt *fdt, u32 index, u64 *addr, u64 *size)
{
	if (index >= fdt->reserved_count)
		return -ENOENT;
	*addr = read_be64(fdt->reserved + index * 16);
	*size = read_be64(fdt->reserved + index * 16 + 8);
	return 0;
}
