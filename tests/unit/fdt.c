// SPDX-License-Identifier: MIT
/*
 * Device trees built here: walks, properties, addresses through ranges,
 * interrupts both ways; then every truncation and random damage.
 */
#include <lib/err.h>
#include <lib/fdt.h>
#include <lib/ktest.h>

#include "host.h"

struct builder {
	u8 structs[2048];
	char strings[512];
	u32 structs_len, strings_len;
	u8 blob[4096];
	u32 blob_len;
};

static void put32(u8 *p, u32 v)
{
	p[0] = (u8)(v >> 24);
	p[1] = (u8)(v >> 16);
	p[2] = (u8)(v >> 8);
	p[3] = (u8)v;
}

static void cell(struct builder *b, u32 v)
{
	put32(b->structs + b->structs_len, v);
	b->structs_len += 4;
}

static void bytes(struct builder *b, const void *data, u32 len)
{
	memcpy(b->structs + b->structs_len, data, len);
	b->structs_len += len;
	while (b->structs_len % 4)
		b->structs[b->structs_len++] = 0;
}

static void begin(struct builder *b, const char *name)
{
	cell(b, 1);
	bytes(b, name, (u32)strlen(name) + 1);
}

static void end(struct builder *b)
{
	cell(b, 2);
}

static void prop(struct builder *b, const char *name, const void *data, u32 len)
{
	cell(b, 3);
	cell(b, len);
	cell(b, b->strings_len);
	memcpy(b->strings + b->strings_len, name, strlen(name) + 1);
	b->strings_len += (u32)strlen(name) + 1;
	bytes(b, data, len);
}

static void prop_text(struct builder *b, const char *name, const char *text)
{
	prop(b, name, text, (u32)strlen(text) + 1);
}

static void prop_cells(struct builder *b, const char *name, u32 count,
		       const u32 *cells)
{
	u8 data[64];

	for (u32 i = 0; i < count; i++)
		put32(data + 4 * i, cells[i]);
	prop(b, name, data, count * 4);
}

#define PROP_CELLS(b, name, ...)                                               \
	prop_cells(b, name, sizeof((u32[]){ __VA_ARGS__ }) / 4,                \
		   (u32[]){ __VA_ARGS__ })

static void finish(struct builder *b)
{
	u32 structs = 40 + 32;
	u32 strings;

	cell(b, 9);
	strings = structs + b->structs_len;
	b->blob_len = strings + b->strings_len;
	memset(b->blob, 0, structs);
	put32(b->blob, 0xd00dfeed);
	put32(b->blob + 4, b->blob_len);
	put32(b->blob + 8, structs);
	put32(b->blob + 12, strings);
	put32(b->blob + 16, 40);
	put32(b->blob + 20, 17);
	put32(b->blob + 24, 16);
	put32(b->blob + 32, b->strings_len);
	put32(b->blob + 36, b->structs_len);
	put32(b->blob + 40 + 4, 0x48000000);
	put32(b->blob + 40 + 12, 0x1000);
	memcpy(b->blob + structs, b->structs, b->structs_len);
	memcpy(b->blob + strings, b->strings, b->strings_len);
}

static struct builder tree;

static void build(void)
{
	struct builder *b = &tree;

	memset(b, 0, sizeof(*b));
	begin(b, "");
	PROP_CELLS(b, "#address-cells", 2);
	PROP_CELLS(b, "#size-cells", 2);
	PROP_CELLS(b, "interrupt-parent", 1);
	begin(b, "chosen");
	prop_text(b, "bootargs", "console=ttyAMA0");
	end(b);
	begin(b, "memory@40000000");
	PROP_CELLS(b, "reg", 0, 0x40000000, 1, 0);
	end(b);
	begin(b, "intc@8000000");
	PROP_CELLS(b, "phandle", 1);
	PROP_CELLS(b, "#interrupt-cells", 3);
	prop(b, "compatible", "arm,gic-v3\0arm,gic", 19);
	end(b);
	begin(b, "bus");
	PROP_CELLS(b, "#address-cells", 1);
	PROP_CELLS(b, "#size-cells", 1);
	PROP_CELLS(b, "ranges", 0x1000, 1, 0x9000000, 0x2000);
	cell(b, 4);
	begin(b, "uart@1100");
	PROP_CELLS(b, "reg", 0x1100, 0x100, 0x8000, 0x10);
	PROP_CELLS(b, "interrupts", 0, 1, 4, 0, 2, 4);
	prop_text(b, "status", "okay");
	end(b);
	begin(b, "timer");
	PROP_CELLS(b, "interrupts-extended", 1, 1, 13, 4, 1, 1, 14, 4);
	prop_text(b, "status", "disabled");
	end(b);
	end(b);
	end(b);
	finish(b);
}

KTEST(fdt_walk_and_find)
{
	struct fdt fdt;
	int node, child, count = 0;

	build();
	KT_REQUIRE(fdt_open(&fdt, tree.blob, tree.blob_len) == 0);
	KT_EXPECT_EQ(fdt_total_size(tree.blob), tree.blob_len);
	fdt_for_each_child(child, &fdt, FDT_ROOT) count++;
	KT_EXPECT_EQ(count, 4);
	node = fdt_find_path(&fdt, "/bus/uart@1100");
	KT_EXPECT_STREQ(fdt_name(&fdt, node), "uart@1100");
	KT_EXPECT_EQ(fdt_find_path(&fdt, "/bus/uart"), node);
	KT_EXPECT_EQ(fdt_find_path(&fdt, "/bus/uart@1101"), -ENOENT);
	KT_EXPECT_EQ(fdt_find_path(&fdt, "/"), FDT_ROOT);
	KT_EXPECT_STREQ(fdt_name(&fdt, fdt_parent(&fdt, node)), "bus");
	KT_EXPECT_EQ(fdt_parent(&fdt, FDT_ROOT), -ENOENT);
	KT_EXPECT(fdt_is_enabled(&fdt, node));
	node = fdt_sibling(&fdt, node);
	KT_EXPECT_STREQ(fdt_name(&fdt, node), "timer");
	KT_EXPECT(!fdt_is_enabled(&fdt, node));
	KT_EXPECT_EQ(fdt_sibling(&fdt, node), -ENOENT);
	KT_EXPECT_EQ(fdt_child(&fdt, node), -ENOENT);
	node = fdt_find_compatible(&fdt, -1, "arm,gic");
	KT_EXPECT_EQ(node, fdt_find_phandle(&fdt, 1));
	KT_EXPECT_EQ(fdt_find_compatible(&fdt, node, "arm,gic"), -ENOENT);
	KT_EXPECT(!fdt_is_compatible(&fdt, node, "arm,gi"));
}

KTEST(fdt_properties_and_addresses)
{
	struct fdt fdt;
	const char *name;
	const void *data;
	u64 addr, size;
	u32 len;
	int uart;

	build();
	KT_REQUIRE(fdt_open(&fdt, tree.blob, tree.blob_len) == 0);
	KT_EXPECT_STREQ(fdt_prop_string(&fdt, fdt_find_path(&fdt, "/chosen"),
					"bootargs"),
			"console=ttyAMA0");
	KT_EXPECT_EQ(
		fdt_reg(&fdt, fdt_find_path(&fdt, "/memory"), 0, &addr, &size),
		0);
	KT_EXPECT_EQ(addr, 0x40000000);
	KT_EXPECT_EQ(size, 1ULL << 32);
	uart = fdt_find_path(&fdt, "/bus/uart");
	KT_EXPECT_EQ(fdt_reg(&fdt, uart, 0, &addr, &size), 0);
	KT_EXPECT_EQ(addr, 0x109000100ULL);
	KT_EXPECT_EQ(size, 0x100);
	KT_EXPECT_EQ(fdt_reg(&fdt, uart, 1, &addr, &size), -ENOENT);
	KT_EXPECT_EQ(fdt_reg(&fdt, uart, 2, &addr, &size), -ENOENT);
	KT_EXPECT_EQ(fdt_prop_u64(&fdt, uart, "reg", &addr), -EINVAL);
	KT_EXPECT_EQ(fdt_prop_at(&fdt, uart, 1, &name, &data, &len), 0);
	KT_EXPECT_STREQ(name, "interrupts");
	KT_EXPECT_EQ(fdt_prop_at(&fdt, uart, 3, &name, &data, &len), -ENOENT);
	KT_EXPECT_EQ(fdt_reserved(&fdt, 0, &addr, &size), 0);
	KT_EXPECT(addr == 0x48000000 && size == 0x1000);
	KT_EXPECT_EQ(fdt_reserved(&fdt, 1, &addr, &size), -ENOENT);
}

KTEST(fdt_interrupts)
{
	struct fdt_irq irq;
	struct fdt fdt;
	int uart, timer;

	build();
	KT_REQUIRE(fdt_open(&fdt, tree.blob, tree.blob_len) == 0);
	uart = fdt_find_path(&fdt, "/bus/uart");
	timer = fdt_find_path(&fdt, "/bus/timer");
	KT_EXPECT_EQ(fdt_interrupt(&fdt, uart, 1, &irq), 0);
	KT_EXPECT(irq.count == 3 && irq.cells[1] == 2 && irq.cells[2] == 4);
	KT_EXPECT_EQ(irq.controller, fdt_find_phandle(&fdt, 1));
	KT_EXPECT_EQ(fdt_interrupt(&fdt, uart, 2, &irq), -ENOENT);
	KT_EXPECT_EQ(fdt_interrupt(&fdt, timer, 1, &irq), 0);
	KT_EXPECT_EQ(irq.cells[1], 14);
	KT_EXPECT_EQ(fdt_interrupt(&fdt, timer, 2, &irq), -ENOENT);
}

/* Everything a boot would ask; the answers do not matter, the reads do. */
static void exercise(const struct fdt *fdt)
{
	int depth = 0;

	for (int node = FDT_ROOT; node >= 0;
	     node = fdt_next(fdt, node, &depth)) {
		struct fdt_irq irq;
		u64 addr, size;

		for (int i = 0; i < 3; i++) {
			(void)fdt_reg(fdt, node, i, &addr, &size);
			(void)fdt_interrupt(fdt, node, i, &irq);
		}
		(void)fdt_parent(fdt, node);
		(void)fdt_is_compatible(fdt, node, "arm,gic");
		(void)fdt_prop_string(fdt, node, "bootargs");
		(void)strlen(fdt_name(fdt, node));
	}
	(void)fdt_find_path(fdt, "/bus/uart@1100");
}

KTEST(fdt_hostile)
{
	u64 seed = 17;

	build();
	for (u32 n = 0; n < tree.blob_len; n++) {
		u8 *exact = host_alloc(n);
		struct fdt fdt;

		memcpy(exact, tree.blob, n);
		KT_EXPECT_EQ(fdt_open(&fdt, exact, n), -EINVAL);
		host_free(exact);
	}
	for (int trial = 0; trial < 30000; trial++) {
		u8 *exact = host_alloc(tree.blob_len);
		struct fdt fdt;

		memcpy(exact, tree.blob, tree.blob_len);
		for (int k = kt_random(&seed) % 3; k >= 0; k--)
			exact[kt_random(&seed) % tree.blob_len] =
				trial & 1 ? (u8)kt_random(&seed)
					  : (u8)(kt_random(&seed) & 15);
		if (fdt_open(&fdt, exact, tree.blob_len) == 0)
			exercise(&fdt);
		host_free(exact);
	}
}
