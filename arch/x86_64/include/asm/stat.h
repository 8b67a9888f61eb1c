/* SPDX-License-Identifier: MIT */
/* struct stat as newfstatat fills it. */
#ifndef SONDE_ASM_STAT_H
#define SONDE_ASM_STAT_H

#include <linux/types.h>

struct stat {
	__u64 st_dev;
	__u64 st_ino;
	__u64 st_nlink;
	__u32 st_mode;
	__u32 st_uid;
	__u32 st_gid;
	__u32 pad0_;
	__u64 st_rdev;
	__s64 st_size;
	__s64 st_blksize;
	__s64 st_blocks;
	__s64 st_atime;
	__u64 st_atime_nsec;
	__s64 st_mtime;
	__u64 st_mtime_nsec;
	__s64 st_ctime;
	__u64 st_ctime_nsec;
	__s64 unused_[3];
};

#endif /* SONDE_ASM_STAT_H */
