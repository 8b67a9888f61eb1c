/* SPDX-License-Identifier: MIT */
/* Open flags, fcntl commands and *at flags. */
#ifndef SONDE_UAPI_LINUX_FCNTL_H
#define SONDE_UAPI_LINUX_FCNTL_H

#include <linux/types.h>

#include <asm/fcntl.h>

#define O_ACCMODE  03
#define O_RDONLY   00
#define O_WRONLY   01
#define O_RDWR	   02
#define O_CREAT	   0100
#define O_EXCL	   0200
#define O_NOCTTY   0400
#define O_TRUNC	   01000
#define O_APPEND   02000
#define O_NONBLOCK 04000
#define O_NDELAY   O_NONBLOCK
#define O_DSYNC	   010000
#define O_ASYNC	   020000
#define FASYNC	   O_ASYNC
#define O_NOATIME  01000000
#define O_CLOEXEC  02000000
#define __O_SYNC   04000000
#define O_SYNC	   (__O_SYNC | O_DSYNC)
#define O_PATH	   010000000
#define __O_TMPFILE 020000000
#define O_TMPFILE  (__O_TMPFILE | O_DIRECTORY)

#define F_DUPFD	 0
#define F_GETFD	 1
#define F_SETFD	 2
#define F_GETFL	 3
#define F_SETFL	 4
#define F_GETLK	 5
#define F_SETLK	 6
#define F_SETLKW 7
#define F_SETOWN 8
#define F_GETOWN 9
#define F_SETSIG 10
#define F_GETSIG 11
#define F_SETOWN_EX	15
#define F_GETOWN_EX	16
#define F_GETOWNER_UIDS 17
#define F_OFD_GETLK	36
#define F_OFD_SETLK	37
#define F_OFD_SETLKW	38
#define F_SETLEASE	1024
#define F_GETLEASE	1025
#define F_NOTIFY	1026
#define F_CANCELLK	1029
#define F_DUPFD_CLOEXEC 1030
#define F_SETPIPE_SZ	1031
#define F_GETPIPE_SZ	1032
#define F_ADD_SEALS	1033
#define F_GET_SEALS	1034
#define F_GET_RW_HINT	1035
#define F_SET_RW_HINT	1036
#define F_GET_FILE_RW_HINT 1037
#define F_SET_FILE_RW_HINT 1038

#define FD_CLOEXEC 1

#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2

#define F_OWNER_TID  0
#define F_OWNER_PID  1
#define F_OWNER_PGRP 2

struct f_owner_ex {
	__s32 type;
	__s32 pid;
};

struct flock {
	__s16 l_type;
	__s16 l_whence;
	__s64 l_start;
	__s64 l_len;
	__s32 l_pid;
};

#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8

#define F_SEAL_SEAL	    0x0001
#define F_SEAL_SHRINK	    0x0002
#define F_SEAL_GROW	    0x0004
#define F_SEAL_WRITE	    0x0008
#define F_SEAL_FUTURE_WRITE 0x0010

#define AT_FDCWD	    -100
#define AT_SYMLINK_NOFOLLOW 0x100
#define AT_EACCESS	    0x200
#define AT_REMOVEDIR	    0x200
#define AT_SYMLINK_FOLLOW   0x400
#define AT_NO_AUTOMOUNT	    0x800
#define AT_EMPTY_PATH	    0x1000
#define AT_STATX_SYNC_TYPE  0x6000
#define AT_STATX_FORCE_SYNC 0x2000
#define AT_STATX_DONT_SYNC  0x4000
#define AT_RECURSIVE	    0x8000

#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0

#define SEEK_SET  0
#define SEEK_CUR  1
#define SEEK_END  2
#define SEEK_DATA 3
#define SEEK_HOLE 4

#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE	 2
#define RENAME_WHITEOUT	 4

#define FALLOC_FL_KEEP_SIZE	 0x01
#define FALLOC_FL_PUNCH_HOLE	 0x02
#define FALLOC_FL_COLLAPSE_RANGE 0x08
#define FALLOC_FL_ZERO_RANGE	 0x10
#define FALLOC_FL_INSERT_RANGE	 0x20
#define FALLOC_FL_UNSHARE_RANGE	 0x40

#define POSIX_FADV_NORMAL     0
#define POSIX_FADV_RANDOM     1
#define POSIX_FADV_SEQUENTIAL 2
#define POSIX_FADV_WILLNEED   3
#define POSIX_FADV_DONTNEED   4
#define POSIX_FADV_NOREUSE    5

#define SYNC_FILE_RANGE_WAIT_BEFORE 1
#define SYNC_FILE_RANGE_WRITE	    2
#define SYNC_FILE_RANGE_WAIT_AFTER  4

#define CLOSE_RANGE_UNSHARE (1u << 1)
#define CLOSE_RANGE_CLOEXEC (1u << 2)

#define SPLICE_F_MOVE	  0x01
#define SPLICE_F_NONBLOCK 0x02
#define SPLICE_F_MORE	  0x04
#define SPLICE_F_GIFT	  0x08

#define RWF_HIPRI  0x01
#define RWF_DSYNC  0x02
#define RWF_SYNC   0x04
#define RWF_NOWAIT 0x08
#define RWF_APPEND 0x10

#define MFD_CLOEXEC	  0x1
#define MFD_ALLOW_SEALING 0x2
#define MFD_HUGETLB	  0x4

#define EFD_SEMAPHORE 1

struct open_how {
	__u64 flags;
	__u64 mode;
	__u64 resolve;
};
#define RESOLVE_NO_XDEV	      0x01
#define RESOLVE_NO_MAGICLINKS 0x02
#define RESOLVE_NO_SYMLINKS   0x04
#define RESOLVE_BENEATH	      0x08
#define RESOLVE_IN_ROOT	      0x10
#define RESOLVE_CACHED	      0x20

#endif /* SONDE_UAPI_LINUX_FCNTL_H */
