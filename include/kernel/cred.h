/* SPDX-License-Identifier: MIT */
/*
 * Credentials: immutable, reference counted, replaced as a whole.
 * current's are read without a lock; another task's under reclaim_read_lock
 * or through task_cred_get().
 */
#ifndef SONDE_KERNEL_CRED_H
#define SONDE_KERNEL_CRED_H

#include <kernel/reclaim.h>
#include <lib/ref.h>
#include <lib/types.h>

#define NGROUPS_INLINE_MAX 65536

#define CAP_CHOWN	     0
#define CAP_DAC_OVERRIDE     1
#define CAP_DAC_READ_SEARCH  2
#define CAP_FOWNER	     3
#define CAP_FSETID	     4
#define CAP_KILL	     5
#define CAP_SETGID	     6
#define CAP_SETUID	     7
#define CAP_SETPCAP	     8
#define CAP_LINUX_IMMUTABLE  9
#define CAP_NET_BIND_SERVICE 10
#define CAP_NET_ADMIN	     12
#define CAP_NET_RAW	     13
#define CAP_IPC_LOCK	     14
#define CAP_SYS_RAWIO	     17
#define CAP_SYS_CHROOT	     18
#define CAP_SYS_PTRACE	     19
#define CAP_SYS_ADMIN	     21
#define CAP_SYS_BOOT	     22
#define CAP_SYS_NICE	     23
#define CAP_SYS_RESOURCE     24
#define CAP_SYS_TIME	     25
#define CAP_SYS_TTY_CONFIG   26
#define CAP_MKNOD	     27
#define CAP_SETFCAP	     31
#define CAP_SYSLOG	     34
#define CAP_WAKE_ALARM	     35
#define CAP_BLOCK_SUSPEND    36
#define CAP_AUDIT_READ	     37
#define CAP_PERFMON	     38
#define CAP_BPF		     39
#define CAP_CHECKPOINT_RESTORE 40
#define CAP_LAST	     40
#define CAP_FULL	     ((1ull << (CAP_LAST + 1)) - 1)

/*
 * What a real user id has in use, for the limits that count per user.
 * Found by number; counts are atomic.
 */
struct user {
	struct ref refs;
	u32 uid;			/* [I] */
	u32 nproc;			/* [a] RLIMIT_NPROC */
	u32 sigpending;			/* [a] RLIMIT_SIGPENDING */
	u32 in_flight;			/* [a] files inside queued messages */
	u64 locked_pages;		/* [a] perf rings and the like */
	struct user *next;		/* [user lock] hash chain */
};
extern struct user root_user;
struct user *user_find_get(u32 uid);	/* NULL: no memory */
struct user *user_get(struct user *u);
void user_put(struct user *u);

struct group_list {
	struct ref refs;
	u32 nr;
	u32 gid[];			/* sorted */
};

struct cred {
	struct ref refs;
	u32 uid, euid, suid, fsuid;	/* [I] all, once published */
	u32 gid, egid, sgid, fsgid;
	u64 cap_inheritable, cap_permitted, cap_effective;
	u64 cap_bounding, cap_ambient;
	u32 securebits;
	struct group_list *groups;	/* NULL: none */
	struct user *user;		/* of uid */
	struct reclaim_node reclaim;
};

struct task;

extern struct cred init_cred;

static inline bool cred_has(const struct cred *c, int cap)
{
	return c->cap_effective & (1ull << cap);
}

struct cred *cred_get(const struct cred *c);
void cred_put(const struct cred *c);
struct cred *cred_copy(const struct cred *c);	/* NULL: no memory */
/* While a copy is private: its groups (consumed), the user of its uid. */
void cred_set_groups(struct cred *c, struct group_list *groups);
int cred_set_user(struct cred *c, u32 uid);
/* Make next current's credentials (consumes the reference). */
void cred_commit(struct cred *next);
const struct cred *current_cred(void);
const struct cred *task_cred_get(struct task *t);

bool capable(int cap);			/* of current, effective */
bool cred_capable(const struct cred *c, int cap);
bool in_group(const struct cred *c, u32 gid);	/* fsgid or supplementary */
bool in_egroup(const struct cred *c, u32 gid);	/* egid or supplementary */

/*
 * Ptrace-style access of current to target: 0 or -EPERM (callers turn it into
 * -EACCES where Linux does).  attach false: read only.  Takes no lock; callers
 * that need it stable hold target's proc->exec_lock.
 */
int ptrace_may_access(struct task *target, bool attach, bool real_creds);

#endif /* SONDE_KERNEL_CRED_H */
