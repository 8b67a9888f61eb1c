// SPDX-License-Identifier: MIT
/*
 * Archives built here and read back in pieces of every size: hard links,
 * concatenation with padding, gzip after plain, and hostile input.
 */
#include <lib/cpio.h>
#include <lib/crc32.h>
#include <lib/err.h>
#include <lib/ktest.h>
#include <lib/minmax.h>

#include "gunzip_data.h"
#include "host.h"

struct archive {
	u8 data[8192];
	size_t len;
};

static void add_padded(struct archive *a, const void *data, size_t len)
{
	memcpy(a->data + a->len, data, len);
	a->len += len;
	while (a->len % 4)
		a->data[a->len++] = 0;
}

static void add(struct archive *a, const char *name, u32 mode, u32 ino,
		u32 nlink, const char *body)
{
	char header[CPIO_HEADER + 64];

	scnprintf(header, sizeof(header),
		  "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x",
		  ino, mode, 1, 2, nlink, 3, (u32)strlen(body), 4, 5, 6, 7,
		  (u32)strlen(name) + 1, 0);
	memcpy(a->data + a->len, header, CPIO_HEADER);
	a->len += CPIO_HEADER;
	add_padded(a, name, strlen(name) + 1);
	add_padded(a, body, strlen(body));
}

static void add_trailer(struct archive *a)
{
	add(a, "TRAILER!!!", 0, 0, 1, "");
}

/* Everything the callbacks saw, as text. */
struct trace {
	char text[4096];
	size_t len;
	int fail_after;
};

static void note(struct trace *t, const char *text, size_t len)
{
	len = min(len, sizeof(t->text) - 1 - t->len);
	memcpy(t->text + t->len, text, len);
	t->len += len;
	t->text[t->len] = '\0';
}

static int on_entry(void *ctx, const struct cpio_entry *e)
{
	struct trace *t = ctx;
	char line[128];

	if (t->fail_after-- == 0)
		return -ENOSPC;
	note(t, line,
	     scnprintf(line, sizeof(line), "%.20s %o %llu%s%.20s:", e->name,
		       e->mode, e->size, e->link_target ? " =" : "",
		       e->link_target ? e->link_target : ""));
	return 0;
}

static int on_data(void *ctx, const struct cpio_entry *e, const u8 *data,
		   size_t len)
{
	note(ctx, (const char *)data, len);
	return 0;
}

static int on_end(void *ctx, const struct cpio_entry *e)
{
	note(ctx, ";", 1);
	return 0;
}

static const struct cpio_ops ops = { on_entry, on_data, on_end, host_alloc,
				     host_free };

static int unpack(const u8 *data, size_t len, struct trace *t, size_t *at)
{
	struct initramfs *work = host_alloc(sizeof(*work));
	u8 *exact = host_alloc(len);
	int err;

	memcpy(exact, data, len);
	t->len = 0;
	t->text[0] = '\0';
	err = initramfs_read(work, exact, len, &ops, t, at);
	host_free(exact);
	host_free(work);
	return err;
}

static void build(struct archive *a)
{
	a->len = 0;
	add(a, ".", 040755, 1, 2, "");
	add(a, "a", 0100644, 7, 2, "");
	add(a, "link", 0120777, 8, 1, "target");
	add(a, "b", 0100644, 7, 2, "shared");
	add(a, "dev", 020600, 9, 1, "");
	add_trailer(a);
}

#define BUILT                                                                  \
	". 40755 0:;a 100644 0:;link 120777 6:target;b 100644 6 =a:shared;"    \
	"dev 20600 0:;"

KTEST(cpio_entries_and_links)
{
	struct archive a;
	struct trace t = { .fail_after = -1 };
	size_t at;

	build(&a);
	KT_EXPECT_EQ(unpack(a.data, a.len, &t, &at), 0);
	KT_EXPECT_STREQ(t.text, BUILT);
	KT_EXPECT_EQ(at, a.len);
	KT_EXPECT_EQ(host_alloc_live, 0);
}

KTEST(cpio_in_pieces)
{
	struct cpio_reader *r = host_alloc(sizeof(*r));
	struct archive a;

	build(&a);
	for (size_t piece = 1; piece < 140; piece++) {
		struct trace t = { .fail_after = -1 };
		int err = 0;

		cpio_init(r, &ops, &t);
		for (size_t at = 0; at < a.len;) {
			size_t used;

			err = cpio_feed(r, a.data + at, min(piece, a.len - at),
					&used);
			at += used;
		}
		KT_EXPECT_EQ(err, 1);
		KT_EXPECT_EQ(cpio_finish(r), 0);
		KT_EXPECT_STREQ(t.text, BUILT);
	}
	host_free(r);
	KT_EXPECT_EQ(host_alloc_live, 0);
}

KTEST(cpio_concatenated)
{
	struct archive a;
	struct trace t = { .fail_after = -1 };
	size_t at;

	/* Inode numbers mean nothing across archives. */
	a.len = 0;
	add(&a, "a", 0100644, 7, 2, "1");
	add_trailer(&a);
	memset(a.data + a.len, 0, 300);
	a.len += 300;
	add(&a, "b", 0100644, 7, 2, "2");
	add_trailer(&a);
	memset(a.data + a.len, 0, 512);
	a.len += 512;
	KT_EXPECT_EQ(unpack(a.data, a.len, &t, &at), 0);
	KT_EXPECT_STREQ(t.text, "a 100644 1:1;b 100644 1:2;");
	/* A gzip member behind it that holds no more than part of a header. */
	memcpy(a.data + a.len, gz_fixed, sizeof(gz_fixed));
	KT_EXPECT_EQ(unpack(a.data, a.len + sizeof(gz_fixed), &t, &at),
		     -ENODATA);
	KT_EXPECT_EQ(at, a.len + sizeof(gz_fixed));
	KT_EXPECT_STREQ(t.text, "a 100644 1:1;b 100644 1:2;");
	KT_EXPECT_EQ(host_alloc_live, 0);
}

/* A gzip member of one stored block around any data. */
static size_t store_gzip(u8 *out, const u8 *data, u16 len, u32 crc)
{
	static const u8 head[11] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1 };
	u8 tail[8] = { (u8)crc,		(u8)(crc >> 8), (u8)(crc >> 16),
		       (u8)(crc >> 24), (u8)len,	(u8)(len >> 8) };

	memcpy(out, head, sizeof(head));
	out[11] = (u8)len;
	out[12] = (u8)(len >> 8);
	out[13] = (u8)~len;
	out[14] = (u8)(~len >> 8);
	memcpy(out + 15, data, len);
	memcpy(out + 15 + len, tail, sizeof(tail));
	return 15 + len + sizeof(tail);
}

KTEST(cpio_plain_then_gzip)
{
	struct archive a, all;
	struct trace t = { .fail_after = -1 };
	size_t at;

	build(&a);
	memcpy(all.data, a.data, a.len);
	all.len = a.len;
	all.len += store_gzip(all.data + all.len, a.data, (u16)a.len,
			      crc32(0, a.data, a.len));
	KT_EXPECT_EQ(unpack(all.data, all.len, &t, &at), 0);
	KT_EXPECT_STREQ(t.text, BUILT BUILT);
	KT_EXPECT_EQ(host_alloc_live, 0);
}

KTEST(cpio_refuses)
{
	struct archive a;
	struct trace t = { .fail_after = 2 };
	size_t at;

	build(&a);
	KT_EXPECT_EQ(unpack(a.data, a.len, &t, &at), -ENOSPC);
	t.fail_after = -1;
	a.data[0] = '1';
	KT_EXPECT_EQ(unpack(a.data, a.len, &t, &at), -EINVAL);
	build(&a);
	memcpy(a.data + 94, "ffffffff", 8); /* a name longer than the rest */
	KT_EXPECT_EQ(unpack(a.data, a.len, &t, &at), -ENODATA);
	build(&a);
	a.data[CPIO_HEADER + 1] = 'x'; /* ... and one that does not end */
	KT_EXPECT_EQ(unpack(a.data, a.len, &t, &at), -EINVAL);
	build(&a);
	memmove(a.data + 1, a.data, a.len); /* not at a multiple of four */
	a.data[0] = 0;
	KT_EXPECT_EQ(unpack(a.data, a.len + 1, &t, &at), -EILSEQ);
	build(&a);
	memcpy(a.data, "070702", 6); /* no data, and no sum of it */
	KT_EXPECT_EQ(unpack(a.data, a.len, &t, &at), 0);
	a.len = 0;
	add(&a, "a", 0100644, 7, 1, "sum");
	memcpy(a.data, "070702", 6);
	add_trailer(&a);
	KT_EXPECT_EQ(unpack(a.data, a.len, &t, &at), -EBADMSG);
	memcpy(a.data + 102, "00000155", 8); /* 's' + 'u' + 'm' */
	KT_EXPECT_EQ(unpack(a.data, a.len, &t, &at), 0);
	build(&a);
	host_alloc_budget = 2; /* the work space and the copy; no link */
	KT_EXPECT_EQ(unpack(a.data, a.len, &t, &at), -ENOMEM);
	host_alloc_budget = -1;
	KT_EXPECT_EQ(host_alloc_live, 0);
}

/* What makes no sense is left out; what follows is not. */
KTEST(cpio_left_out)
{
	struct archive a;
	struct trace t = { .fail_after = -1 };
	size_t at;

	a.len = 0;
	add(&a, "", 040755, 1, 1, "");
	memcpy(a.data + 94, "00000000", 8);
	add(&a, "dir", 040755, 2, 1, "data");
	add(&a, "none", 0, 3, 1, "data");
	memset(a.data + a.len, 0, 8);
	a.len += 8;
	add(&a, "a", 0100644, 4, 1, "text");
	memcpy(a.data + a.len - 116 + 54, "0x04zz04", 8); /* its size */
	add(&a, "TRAILER!!!", 0100644, 5, 1, "of some data");
	memset(a.data + a.len, 0, 4);
	a.len += 4;
	add(&a, "b", 0100644, 6, 1, "");
	add_trailer(&a);
	KT_EXPECT_EQ(unpack(a.data, a.len, &t, &at), 0);
	KT_EXPECT_STREQ(t.text, "a 100644 4:text;b 100644 0:;");
	KT_EXPECT_EQ(at, a.len);
	KT_EXPECT_EQ(host_alloc_live, 0);
}

KTEST(cpio_hostile)
{
	struct archive a, copy;
	struct trace t = { .fail_after = -1 };
	u64 seed = 9;
	size_t at;

	build(&a);
	for (size_t n = 1; n < a.len; n++) {
		int err = unpack(a.data, n, &t, &at);

		KT_EXPECT(err == -ENODATA || err == 0);
	}
	for (int trial = 0; trial < 20000; trial++) {
		copy = a;
		for (int k = kt_random(&seed) % 3; k >= 0; k--)
			copy.data[kt_random(&seed) % a.len] =
				trial & 1
					? (u8)kt_random(&seed)
					: "0123456789abcdef"[kt_random(&seed) &
							     15];
		(void)unpack(copy.data, copy.len, &t, &at);
	}
	KT_EXPECT_EQ(host_alloc_live, 0);
}
