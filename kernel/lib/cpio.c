// SPDX-License-Identifier: MIT
/*
 * Reader of newc cpio archives, and of a whole initramfs.
 *
 * Entry points: <lib/cpio.h>. A small state machine gathers header and name,
 * hands data on as it comes, and steps over padding. Header and name together
 * are padded to four bytes, and so is the data; the trailer ends an archive
 * and with it the meaning of inode numbers. Names are bounded by
 * CPIO_NAME_MAX; an entry with a longer one, or with data that its kind cannot
 * have, is stepped over. Pure: callbacks do the rest.
 */
#include <lib/cpio.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

#define TRAILER	  "TRAILER!!!"
#define MODE_TYPE 0170000
#define MODE_DIR  0040000
#define MODE_REG  0100000
#define MODE_LNK  0120000

enum {
	ST_HEADER,
	ST_NAME,
	ST_NAME_PAD,
	ST_DATA,
	ST_DATA_PAD,
	ST_SKIP,
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

/* Zeroes, another archive or the end may come. */
static bool is_between(const struct cpio_reader *r)
{
	return r->state == ST_HEADER && !r->have;
}

static u32 type_of(const struct cpio_reader *r)
{
	return r->entry.mode & MODE_TYPE;
}

void cpio_init(struct cpio_reader *r, const struct cpio_ops *ops, void *ctx)
{
	r->ops = ops;
	r->ctx = ctx;
	r->links = NULL;
	r->pos = 0;
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

/*
 * Field n of the header: eight hexadecimal digits, or as many as there are
 * behind 0x or nothing.
 */
static u32 field(const struct cpio_reader *r, int n)
{
	const u8 *p = r->header + 6 + n * 8;
	int i = p[0] == '0' && (p[1] | 0x20) == 'x' && hex_value(p[2]) >= 0 ?
			2 : 0;
	u32 v = 0;

	for (; i < 8; i++) {
		int digit = hex_value(p[i]);

		if (digit < 0)
			break;
		v = v << 4 | (u32)digit;
	}
	return v;
}

/* The entry has a name and data that make sense for its kind. */
static bool is_usable(const struct cpio_reader *r)
{
	if (!r->name_size || r->name_size > CPIO_NAME_MAX)
		return false;
	if (type_of(r) == MODE_LNK)
		return r->entry.size <= CPIO_NAME_MAX;
	return type_of(r) == MODE_REG || !r->entry.size;
}

static int parse_header(struct cpio_reader *r)
{
	struct cpio_entry *e = &r->entry;
	u32 size;
	u32 *const fields[13] = { &e->ino,	  &e->mode,	  &e->uid,
				  &e->gid,	  &e->nlink,	  &e->mtime,
				  &size,	  &e->dev_major,  &e->dev_minor,
				  &e->rdev_major, &e->rdev_minor, &r->name_size,
				  &r->check };

	r->summed = memcmp(r->header, "070702", 6) == 0;
	if (!r->summed && memcmp(r->header, "070701", 6) != 0)
		return -EINVAL;
	for (int i = 0; i < 13; i++)
		*fields[i] = field(r, i);
	e->size = size;
	e->name = r->name;
	e->link_target = NULL;
	r->sum = 0;
	r->padding = -(CPIO_HEADER + r->name_size) & 3;
	r->have = 0;
	if (is_usable(r))
		expect(r, ST_NAME, r->name_size);
	else
		expect(r, ST_SKIP, (u64)r->name_size + r->padding +
					   ALIGN_UP(e->size, 4));
	return 0;
}

/* Finds the first link of this entry's inode, or remembers it as the first. */
static int resolve_link(struct cpio_reader *r)
{
	struct cpio_entry *e = &r->entry;
	struct cpio_link *link;

	if (e->nlink < 2 || type_of(r) == MODE_DIR || type_of(r) == MODE_LNK)
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

	if (type_of(r) != MODE_LNK && streq(r->name, TRAILER)) {
		forget_links(r);
		expect(r, ST_SKIP, ALIGN_UP(r->entry.size, 4));
		if (!r->left)
			expect_header(r);
		return 1;
	}
	err = resolve_link(r);
	if (!err)
		err = r->ops->entry(r->ctx, &r->entry);
	if (err < 0)
		return err;
	if (err) {
		expect(r, ST_SKIP, ALIGN_UP(r->entry.size, 4));
		return 0;
	}
	r->padding = -(u32)r->entry.size & 3;
	expect(r, ST_DATA, r->entry.size);
	return 0;
}

static int end_entry(struct cpio_reader *r)
{
	int err;

	expect_header(r);
	err = r->ops->end(r->ctx, &r->entry);
	if (!err && r->summed && type_of(r) == MODE_REG && r->sum != r->check)
		err = -EBADMSG;
	return err;
}

/* Everything that the state waited for is there. */
static int advance(struct cpio_reader *r)
{
	switch (r->state) {
	case ST_HEADER:
		return parse_header(r);
	case ST_NAME:
		if (r->name[r->name_size - 1])
			return -EINVAL;
		expect(r, ST_NAME_PAD, r->padding);
		return 0;
	case ST_NAME_PAD:
		return begin_entry(r);
	case ST_DATA:
		expect(r, ST_DATA_PAD, r->padding);
		return 0;
	case ST_SKIP:
		expect_header(r);
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
		if (r->summed) {
			for (size_t i = 0; i < n; i++)
				r->sum += data[i];
		}
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
			r->pos += n;
			at += n;
		}
		if (err || r->left)
			continue;
		err = advance(r);
		/* Something else than the next entry: whoever feeds looks. */
		if (!err && is_between(r) && at < len &&
		    (data[at] != '0' || (r->pos & 3)))
			err = 1;
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

		if (is_between(r) && !*data) {
			r->pos++;
			data++;
			len--;
			continue;
		}
		if (is_between(r) && (r->pos & 3))
			return -EILSEQ;
		err = cpio_feed(r, data, len, &used);
		if (err < 0)
			return err;
		data += used;
		len -= used;
	}
	return 0;
}

/* A gzip member is a stream of its own, which ends where an archive may. */
static int read_gzip(struct initramfs *work, const u8 *data, size_t len,
		     size_t *used)
{
	struct cpio_reader *r = &work->cpio;
	u64 pos = r->pos;
	int err;

	r->pos = 0;
	err = gunzip(&work->gz, data, len, used, feed_unpacked, r);
	if (err == -EBADMSG)
		err = 0;	/* what came is taken, as the ABI has it */
	r->pos = pos + *used;
	return err || is_between(r) ? err : -ENODATA;
}

int initramfs_read(struct initramfs *work, const u8 *data, size_t len,
		   const struct cpio_ops *ops, void *ctx, size_t *at)
{
	struct cpio_reader *r = &work->cpio;
	bool plain = false;
	size_t used;
	int err = 0;
	int end;

	cpio_init(r, ops, ctx);
	*at = 0;
	while (err >= 0 && *at < len) {
		bool gzip = is_between(r) && is_gzip(data + *at, len - *at);

		used = 0;
		if (is_between(r) && !data[*at]) {
			used = 1;
			r->pos++;
		} else if (is_between(r) && (r->pos & 3) && (plain || !gzip)) {
			err = -EILSEQ;
		} else if (gzip) {
			err = read_gzip(work, data + *at, len - *at, &used);
			plain = false;
		} else {
			err = cpio_feed(r, data + *at, len - *at, &used);
			plain = true;
		}
		*at += used;
	}
	end = cpio_finish(r);
	return err < 0 ? err : end;
}
