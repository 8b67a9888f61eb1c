/* SPDX-License-Identifier: MIT */
/* Between the files of tmpfs, devtmpfs and memfd: see tmpfs.c. */
#ifndef SONDE_FS_TMPFS_H
#define SONDE_FS_TMPFS_H

#include "internal.h"

#include <kernel/panic.h>

struct tmpfs {
	u64 max_blocks, used_blocks;	/* [a] pages; max 0: no limit */
	u64 max_inodes, used_inodes;	/* [a] max 0: no limit */
	u32 mode, uid, gid;		/* [I] of the root, as given */
	bool size_given, inodes_given;	/* [mount_mutex] for show_options */
	bool nr_given_mode;		/* [I] mode= was given */
};

extern const struct file_ops tmpfs_dir_ops;
int tmpfs_fill_super(struct super *sb, struct tmpfs *fs);
void tmpfs_umount(struct super *sb);
int tmpfs_statfs(struct super *sb, struct kstatfs *out);

#endif /* SONDE_FS_TMPFS_H */
