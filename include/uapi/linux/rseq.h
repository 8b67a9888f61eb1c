/* SPDX-License-Identifier: MIT */
/* rseq(2): the area that a thread registers, and critical sections. */
#ifndef _UAPI_LINUX_RSEQ_H
#define _UAPI_LINUX_RSEQ_H

#include <linux/types.h>

#define RSEQ_CPU_ID_UNINITIALIZED	(-1)
#define RSEQ_CPU_ID_REGISTRATION_FAILED (-2)

#define RSEQ_FLAG_UNREGISTER 1

#define RSEQ_AREA_SIZE 32	/* of the first version, also its alignment */

struct rseq {
	__u32 cpu_id_start;
	__u32 cpu_id;
	__u64 rseq_cs;		/* pointer to struct rseq_cs or 0 */
	__u32 flags;
	__u32 node_id;
	__u32 mm_cid;
	__u32 __pad;
};

struct rseq_cs {
	__u32 version;
	__u32 flags;
	__u64 start_ip;
	__u64 post_commit_offset;
	__u64 abort_ip;
};

#endif /* _UAPI_LINUX_RSEQ_H */
