// SPDX-License-Identifier: MIT
/*
 * Reader of newc cpio archives, and of a whole initramfs.
 *
 * Entry points: <lib/cpio.h>. A small state machine gathers header and name,
 * hands data on as it comes, and steps over padding. Header and name together
 * are padded to four bytes, and so is the data; the trailer ends an archive
 * and with it the meaning of inode numbers. Every field is checked before use;
 * names are bounded by CPIO_NAME_MAX. Pure: callbacks do the rest.
 */
#include <lib/cpio.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

#define TRAILER	  "TRAILER!!!"
#define MODE_TYPE 0170000
#define MODE_DIR  0040000

enum {
	ST_HEADER,
	ST_NAME,
	ST_NAME_PAD,
	ST_DATA,
	ST_DATA_PAD,
};

struct cpio_link {
	struct cpio_link *next;
	u32 ino, dev_major, dev_minor;
	u32 type;
	char name[];
};

static void expect(struct cpio_reader *r, int state, u64 left)
{
	r->state = state;
	r->left = left;
}

static void expect_header(struct cpio_reader *r)
{
	r->have = 0;
	expect(r, ST_HEADER, CPIO_HEADER);
}

void cpio_init(struct cpio_reader *r, const struct cpio_ops *ops, void *ctx)
{
	r->ops = ops;
	r->ctx = ctx;
	r->links = NULL;
	expect_header(r);
}

static void forget_links(struct cpio_reader *r)
{
	while (r->links) {
		struct cpio_link *link = r->links;

		r->links = link->next;
		r->ops->free(link);
	}
}

/* Field n of the header: eight hexadecimal digits. */
static int field(const struct cpio_reader *r, int n, u32 *out)
{
	const u8 *p = r->header + 6 + n * 8;
	u32 v = 0;

	for (int i = 0; i < 8; i++) {
		int digit = hex_value(p[i]);

		if (digit < 0)
			return -EINVAL;
		v = v << 4 | (u32)digit;
	}
	*out = v;
	return 0;
}

static int parse_header(struct cpio_reader *r)
{
	struct cpio_entry *e = &r->entry;
	u32 size, check;
	u32 *const fields[13] = { &e->ino,	  &e->mode,	  &e->uid,
				  &e->gid,	  &e->nlink,	  &e->mtime,
				  &size,	  &e->dev_major,  &e->dev_minor,
				  &e->rdev_major, &e->rdev_minor, &r->name_size,
				  &check };

	if (memcmp(r->header, "070701", 6) != 0 &&
	    memcmp(r->header, "070702", 6) != 0)
		return -EINVAL;
	for (int i = 0; i < 13; i++) {
		int err = field(r, i, fields[i]);

		if (err)
			return err;
	}
	if (!r->name_size || r->name_size > CPIO_NAME_MAX)
		return -EINVAL;
	e->size = size;
	e->name = r->name;
	e->link_target = NULL;
	r->padding = -(CPIO_HEADER + r->name_size) & 3;
	r->have = 0;
	expect(r, ST_NAME, r->name_size);
	return 0;
}

/* Finds the first link of this entry's inode, or remembers it as the first. */
static int resolve_link(struct cpio_reader *r)
{
	struct cpio_entry *e = &r->entry;
	struct cpio_link *link;

	if (e->nlink < 2 || (e->mode & MODE_TYPE) == MODE_DIR)
		return 0;
	for (link = r->links; link; link = link->next) {
		if (link->ino == e->ino && link->dev_major == e->dev_major &&
		    link->dev_minor == e->dev_minor &&
		    link->type == (e->mode & MODE_TYPE)) {
			e->link_target = link->name;
			return 0;
		}
	}
	link = r->ops->alloc(sizeof(*link) + r->name_size);
	if (!link)
		return -ENOMEM;
	link->ino = e->ino;
	link->dev_major = e->dev_major;
	link->dev_minor = e->dev_minor;
	link->type = e->mode & MODE_TYPE;
	memcpy(link->name, r->name, r->name_size);
	link->next = r->links;
	r->links = link;
	return 0;
}

/* The name is complete: 1 for the trailer, else the entry begins. */
static int begin_entry(struct cpio_reader *r)
{
	int err;

	if (streq(r->name, TRAILER)) {
		forget_links(r);
		expect_header(r);
		return 1;
	}
	err = resolve_link(r);
	if (!err)
		err = r->ops->entry(r->ctx, &r->entry);
	if (err)
		return err;
	r->padding = -(u32)r->entry.size & 3;
	expect(r, ST_DATA, r->entry.size);
	return 0;
}

static int end_entry(struct cpio_reader *r)
{
	expect_header(r);
	return r->ops->end(r->ctx, &r->entry);
}

/* Everything that the state waited for is there. */
static int advance(struct cpio_reader *r)
{
	switch (r->state) {
	case ST_HEADER:
		return parse_header(r);
	case ST_NAME:
		if (r->name[r->name_size - 1] || !r->name[0])
			return -EINVAL;
		expect(r, ST_NAME_PAD, r->padding);
		return 0;
	case ST_NAME_PAD:
		return begin_entry(r);
	case ST_DATA:
		expect(r, ST_DATA_PAD, r->padding);
		return 0;
	default:
		return end_entry(r);
	}
}

/* Takes n bytes, of which the state wants at least as many. */
static int consume(struct cpio_reader *r, const u8 *data, size_t n)
{
	switch (r->state) {
	case ST_HEADER:
		memcpy(r->header + r->have, data, n);
		r->have += n;
		return 0;
	case ST_NAME:
		memcpy(r->name + r->have, data, n);
		r->have += n;
		return 0;
	case ST_DATA:
		return r->ops->data(r->ctx, &r->entry, data, n);
	default:
		return 0;
	}
}

int cpio_feed(struct cpio_reader *r, const u8 *data, size_t len, size_t *used)
{
	size_t at = 0;
	int err = 0;

	while (!err && (at < len || !r->left)) {
		size_t n = min_t(u64, r->left, len - at);

		if (n) {
			err = consume(r, data + at, n);
			r->left -= n;
			at += n;
		}
		if (!err && !r->left)
			err = advance(r);
	}
	*used = at;
	return err;
}

int cpio_finish(struct cpio_reader *r)
{
	forget_links(r);
	return r->state == ST_HEADER && !r->have ? 0 : -ENODATA;
}

/* What a gzip member unpacks to: archives, and zeroes between them. */
static int feed_unpacked(void *ctx, const u8 *data, size_t len)
{
	struct cpio_reader *r = ctx;

	while (len) {
		size_t used;
		int err;

		if (r->state == ST_HEADER && !r->have && !*data) {
			data++;
			len--;
			continue;
		}
		err = cpio_feed(r, data, len, &used);
		if (err < 0)
			return err;
		data += used;
		len -= used;
	}
	return 0;
}

int initramfs_read(struct initramfs *work, const u8 *data, size_t len,
		   const struct cpio_ops *ops, void *ctx, size_t *at)
{
	struct cpio_reader *r = &work->cpio;
	size_t used;
	int err = 0;
	int end;

	cpio_init(r, ops, ctx);
	*at = 0;
	while (err >= 0 && *at < len) {
		bool between = r->state == ST_HEADER && !r->have;

		used = 0;
		if (between && !data[*at])
			used = 1;
		else if (between && is_gzip(data + *at, len - *at))
			err = gunzip(&work->gz, data + *at, len - *at, &used,
				     feed_unpacked, r);
		else
			err = cpio_feed(r, data + *at, len - *at, &used);
		*at += used;
	}
	end = cpio_finish(r);
	return err < 0 ? err : end;
}
