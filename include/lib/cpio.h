/* SPDX-License-Identifier: MIT */
/*
 * Reader of cpio archives in the newc format (kernel/lib/cpio.c), fed in
 * pieces of any size, so that a compressed initramfs never lies unpacked in
 * memory.
 *
 * For each entry the callbacks come in this order: entry, data (any number of
 * times, possibly none), end. Any of them may return a negative errno, which
 * stops the reader and is returned by whoever fed it; entry may return 1, and
 * nothing more is heard of this one. Names are as in the archive, terminated;
 * they may be empty, hold "..", be absolute, or be nonsense: the callback's
 * file system decides. An entry that cannot be (a name or a link's text of
 * more than CPIO_NAME_MAX bytes, data of a folder) is left out.
 *
 * Hard links: entries of one archive with the same inode number, device and
 * nlink above one. The first comes as a file; each later one comes with
 * link_target set to the first one's name, and its data (the archiver may put
 * it at any of them) is to be written to that same file.
 *
 * initramfs_read() takes a whole initramfs: archives plain or gzipped, one
 * after the other, with zero padding between them.
 */
#ifndef SONDE_LIB_CPIO_H
#define SONDE_LIB_CPIO_H

#include <lib/gunzip.h>
#include <lib/types.h>

#define CPIO_HEADER   110
#define CPIO_NAME_MAX 4096

struct cpio_entry {
	const char *name;
	const char *link_target; /* NULL unless a further hard link */
	u64 size;
	u32 ino;
	u32 mode;
	u32 uid;
	u32 gid;
	u32 nlink;
	u32 mtime;
	u32 dev_major, dev_minor;
	u32 rdev_major, rdev_minor;
};

struct cpio_ops {
	int (*entry)(void *ctx, const struct cpio_entry *e);
	int (*data)(void *ctx, const struct cpio_entry *e, const u8 *data,
		    size_t len);
	int (*end)(void *ctx, const struct cpio_entry *e);
	/* Memory for the names of hard links; alloc may return NULL. */
	void *(*alloc)(size_t size);
	void (*free)(void *p);
};

struct cpio_link; /* a name that further links may refer to */

struct cpio_reader {
	const struct cpio_ops *ops;
	void *ctx;
	int state;
	u64 left;      /* bytes still wanted in this state */
	u32 have;      /* bytes gathered of header or name */
	u64 pos;       /* of the stream, zeroes between members included */
	u32 name_size; /* as in the header, terminator included */
	bool summed;   /* magic 070702: the header has a sum of the data */
	u32 check;     /* that sum */
	u32 sum;       /* ... so far */
	u32 padding;   /* after the name or the data */
	struct cpio_entry entry;
	struct cpio_link *links; /* of this archive */
	u8 header[CPIO_HEADER];
	char name[CPIO_NAME_MAX];
};

void cpio_init(struct cpio_reader *r, const struct cpio_ops *ops, void *ctx);

/*
 * Takes data up to the end of the archive's trailer, or to the end of an entry
 * that no other follows, and says through *used how much that was. 1 when it
 * stopped there (feeding more starts the next archive), 0 when all was taken
 * and more is needed, or a negative errno.
 */
int cpio_feed(struct cpio_reader *r, const u8 *data, size_t len, size_t *used);

/* Frees what is remembered of links. 0, or -ENODATA inside an entry. */
int cpio_finish(struct cpio_reader *r);

/* Work space of initramfs_read, about 110 KiB: the caller places it. */
struct initramfs {
	struct cpio_reader cpio;
	struct gunzip gz;
};

/*
 * 0 when everything was unpacked; -EINVAL for what is no archive, -ENODATA for
 * a truncated one, -EILSEQ for one that does not begin at a multiple of four,
 * -EBADMSG for a wrong sum, or a callback's error. *at is where in data it
 * stopped.
 */
int initramfs_read(struct initramfs *work, const u8 *data, size_t len,
		   const struct cpio_ops *ops, void *ctx, size_t *at);

#endif /* SONDE_LIB_CPIO_H */
