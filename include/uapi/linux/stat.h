/* SPDX-License-Identifier: MIT */
/* File types, permission bits, stat, statx, statfs. */
#ifndef SONDE_UAPI_LINUX_STAT_H
#define SONDE_UAPI_LINUX_STAT_H

#include <linux/types.h>

#include <asm/stat.h>

#define S_IFMT	 00170000
#define S_IFSOCK 0140000
#define S_IFLNK	 0120000
#define S_IFREG	 0100000
#define S_IFBLK	 0060000
#define S_IFDIR	 0040000
#define S_IFCHR	 0020000
#define S_IFIFO	 0010000
#define S_ISUID	 0004000
#define S_ISGID	 0002000
#define S_ISVTX	 0001000

#define S_ISLNK(m)  (((m) & S_IFMT) == S_IFLNK)
#define S_ISREG(m)  (((m) & S_IFMT) == S_IFREG)
#define S_ISDIR(m)  (((m) & S_IFMT) == S_IFDIR)
#define S_ISCHR(m)  (((m) & S_IFMT) == S_IFCHR)
#define S_ISBLK(m)  (((m) & S_IFMT) == S_IFBLK)
#define S_ISFIFO(m) (((m) & S_IFMT) == S_IFIFO)
#define S_ISSOCK(m) (((m) & S_IFMT) == S_IFSOCK)

#define S_IRWXU 00700
#define S_IRUSR 00400
#define S_IWUSR 00200
#define S_IXUSR 00100
#define S_IRWXG 00070
#define S_IRGRP 00040
#define S_IWGRP 00020
#define S_IXGRP 00010
#define S_IRWXO 00007
#define S_IROTH 00004
#define S_IWOTH 00002
#define S_IXOTH 00001

#define DT_UNKNOWN 0
#define DT_FIFO	   1
#define DT_CHR	   2
#define DT_DIR	   4
#define DT_BLK	   6
#define DT_REG	   8
#define DT_LNK	   10
#define DT_SOCK	   12

struct statx_timestamp {
	__s64 tv_sec;
	__u32 tv_nsec;
	__s32 reserved_;
};

struct statx {
	__u32 stx_mask;
	__u32 stx_blksize;
	__u64 stx_attributes;
	__u32 stx_nlink;
	__u32 stx_uid;
	__u32 stx_gid;
	__u16 stx_mode;
	__u16 spare0_;
	__u64 stx_ino;
	__u64 stx_size;
	__u64 stx_blocks;
	__u64 stx_attributes_mask;
	struct statx_timestamp stx_atime;
	struct statx_timestamp stx_btime;
	struct statx_timestamp stx_ctime;
	struct statx_timestamp stx_mtime;
	__u32 stx_rdev_major;
	__u32 stx_rdev_minor;
	__u32 stx_dev_major;
	__u32 stx_dev_minor;
	__u64 stx_mnt_id;
	__u32 stx_dio_mem_align;
	__u32 stx_dio_offset_align;
	__u64 spare3_[12];
};

#define STATX_TYPE	  0x0001u
#define STATX_MODE	  0x0002u
#define STATX_NLINK	  0x0004u
#define STATX_UID	  0x0008u
#define STATX_GID	  0x0010u
#define STATX_ATIME	  0x0020u
#define STATX_MTIME	  0x0040u
#define STATX_CTIME	  0x0080u
#define STATX_INO	  0x0100u
#define STATX_SIZE	  0x0200u
#define STATX_BLOCKS	  0x0400u
#define STATX_BASIC_STATS 0x07ffu
#define STATX_BTIME	  0x0800u
#define STATX_MNT_ID	  0x1000u
#define STATX__RESERVED	  0x80000000u
#define STATX_ATTR_MOUNT_ROOT 0x2000u

struct statfs {
	__s64 f_type;
	__s64 f_bsize;
	__u64 f_blocks;
	__u64 f_bfree;
	__u64 f_bavail;
	__u64 f_files;
	__u64 f_ffree;
	__s32 f_fsid[2];
	__s64 f_namelen;
	__s64 f_frsize;
	__s64 f_flags;
	__s64 f_spare[4];
};

#define ST_RDONLY   0x0001
#define ST_NOSUID   0x0002
#define ST_NODEV    0x0004
#define ST_NOEXEC   0x0008
#define ST_SYNCHRONOUS 0x0010
#define ST_VALID    0x0020
#define ST_NOATIME  0x0400
#define ST_NODIRATIME 0x0800
#define ST_RELATIME 0x1000
#define ST_NOSYMFOLLOW 0x2000

#define UTIME_NOW  0x3fffffff
#define UTIME_OMIT 0x3ffffffe

#define XATTR_CREATE   1
#define XATTR_REPLACE  2
#define XATTR_NAME_MAX 255
#define XATTR_SIZE_MAX 65536
#define XATTR_LIST_MAX 65536

struct linux_dirent64 {
	__u64 d_ino;
	__s64 d_off;
	__u16 d_reclen;
	__u8 d_type;
	char d_name[];
};

#endif /* SONDE_UAPI_LINUX_STAT_H */
