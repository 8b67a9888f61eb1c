/* SPDX-License-Identifier: MIT */
/* Between mount.c and mount_calls.c: see mount.c. */
#ifndef SONDE_FS_MOUNT_H
#define SONDE_FS_MOUNT_H

#include "internal.h"

struct mount *mount_new(struct super *sb, struct dentry *root,
			const char *source, u32 flags);
struct mount *mount_make(struct fs_type *type, const char *source, u32 flags,
			 const char *data);
void mount_attach_locked(struct mount *m, const struct path *at);
void mount_detach_locked(struct mount *m);

#endif /* SONDE_FS_MOUNT_H */
