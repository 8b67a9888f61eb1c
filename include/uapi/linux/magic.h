/* SPDX-License-Identifier: MIT */
/* File-system magic numbers as statfs shows them. */
#ifndef SONDE_UAPI_LINUX_MAGIC_H
#define SONDE_UAPI_LINUX_MAGIC_H

#define TMPFS_MAGIC	    0x01021994
#define RAMFS_MAGIC	    0x858458f6
#define PROC_SUPER_MAGIC    0x9fa0
#define SYSFS_MAGIC	    0x62656572
#define DEBUGFS_MAGIC	    0x64626720
#define TRACEFS_MAGIC	    0x74726163
#define DEVPTS_SUPER_MAGIC  0x1cd1
#define PIPEFS_MAGIC	    0x50495045
#define SOCKFS_MAGIC	    0x534f434b
#define ANON_INODE_FS_MAGIC 0x09041934
#define NSFS_MAGIC	    0x6e736673

#endif /* SONDE_UAPI_LINUX_MAGIC_H */
