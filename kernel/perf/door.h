/* SPDX-License-Identifier: MIT */
/*
 * Shared by the door: system call, descriptor operations, pseudo files.
 */
#ifndef SONDE_PERF_DOOR_H
#define SONDE_PERF_DOOR_H

#include "internal.h"

#include <lib/types.h>

struct file;
struct uio;
struct vma;

/* attr.c: copy in with size negotiation and validate.  0 or errno. */
int perf_attr_copy(struct perf_event_attr *attr, void __user *user);

/* access.c */
int perf_access_attr(const struct perf_event_attr *attr);
int perf_access_task(const struct perf_event_attr *attr, struct task *task);
/* Charge pages to the caller's budgets; splits them.  0 or -EPERM. */
int perf_mlock_charge(u32 pages, u32 *user, u32 *from_rlimit);
void perf_mlock_uncharge(u32 uid, u32 user);

/* file.c */
extern const struct file_ops perf_file_ops;
struct perf_event *perf_event_of_file(const struct file *file);

/* read.c */
ssize_t perf_read(struct file *file, struct uio *to, u64 *pos);

/* control.c */
long perf_ioctl(struct file *file, u32 cmd, u64 arg);
int perf_set_output(struct perf_event *e, struct perf_event *to);

/* mmap.c */
int perf_mmap_file(struct file *file, struct vma *vma);
void perf_mmap_boot(void);

/* sysfs.c */
void perf_sysfs_boot(void);

#endif /* SONDE_PERF_DOOR_H */
