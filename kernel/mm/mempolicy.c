// SPDX-License-Identifier: MIT
/*
 * NUMA policy on a machine with one node: get_mempolicy, set_mempolicy, mbind.
 *
 * Node 0 holds all memory, so no policy has an effect; the calls validate as
 * Linux does and report the default policy.  No state is kept.
 */
#include <kernel/mm.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/minmax.h>

#include "vma.h"

#define MPOL_DEFAULT	    0
#define MPOL_PREFERRED	    1
#define MPOL_BIND	    2
#define MPOL_INTERLEAVE	    3
#define MPOL_LOCAL	    4
#define MPOL_PREFERRED_MANY 5
#define MPOL_MAX	    6
#define MPOL_MODE_FLAGS	    ((1 << 15) | (1 << 14) | (1 << 13))

#define MPOL_F_NODE	    1
#define MPOL_F_ADDR	    2
#define MPOL_F_MEMS_ALLOWED 4

#define MPOL_MF_VALID 7	   /* STRICT, MOVE, MOVE_ALL */
#define MAX_NUMNODES  1024 /* bits of a node mask that user space sees */

/* Read a mask of maxnode bits.  0 and *nodes, or a negative errno. */
static int get_nodes(const u64 __user *mask, u64 maxnode, u64 *nodes)
{
	u64 word, bits;

	*nodes = 0;
	if (!maxnode || --maxnode == 0 || !mask)
		return 0;
	if (maxnode > PAGE_SIZE * 8)
		return -EINVAL;
	for (u64 i = 0; i < maxnode; i += 64) {
		if (get_user(word, mask + i / 64))
			return -EFAULT;
		bits = min_t(u64, 64, maxnode - i);
		if (bits < 64)
			word &= (1ull << bits) - 1;
		if (i)
			/* Nodes that do not exist. */
			*nodes |= word ? 1ull << 63 : 0;
		else
			*nodes |= word;
	}
	return 0;
}

static int check_policy(int mode, u64 nodes)
{
	int flags = mode & MPOL_MODE_FLAGS;

	mode &= ~MPOL_MODE_FLAGS;
	if (mode < 0 || mode >= MPOL_MAX)
		return -EINVAL;
	if ((flags & (1 << 15)) && (flags & (1 << 14)))
		return -EINVAL;
	if ((flags & (1 << 13)) && mode != MPOL_BIND)
		return -EINVAL;
	switch (mode) {
	case MPOL_DEFAULT:
	case MPOL_LOCAL:
		return nodes || (mode == MPOL_LOCAL && flags) ? -EINVAL : 0;
	case MPOL_PREFERRED:
		if (!nodes)
			return flags & ((1 << 15) | (1 << 14)) ? -EINVAL : 0;
		break;
	default:
		break;
	}
	return nodes & 1 ? 0 : -EINVAL;
}

SYSCALL3(set_mempolicy, int, mode, const u64 __user *, mask, u64, maxnode)
{
	u64 nodes;
	int err = get_nodes(mask, maxnode, &nodes);

	return err ? err : check_policy(mode, nodes);
}

SYSCALL6(mbind, u64, start, u64, len, int, mode, const u64 __user *, mask, u64,
	 maxnode, u32, flags)
{
	struct mm *mm = current->mm;
	u64 nodes, end;
	int err;

	start = ARCH_UNTAG(start);
	err = get_nodes(mask, maxnode, &nodes);
	if (err)
		return err;
	if (flags & ~MPOL_MF_VALID || start & ~PAGE_MASK)
		return -EINVAL;
	err = check_policy(mode, nodes);
	if (err)
		return err;
	end = start + PAGE_ALIGN(len);
	if (end < start)
		return -EINVAL;
	if (end == start)
		return 0;
	rwsem_read_lock(&mm->mmap_lock);
	while (start < end) {
		struct vma *vma = vma_lookup(mm, start);

		if (!vma) {
			err = -EFAULT;
			break;
		}
		start = vma->end;
	}
	rwsem_read_unlock(&mm->mmap_lock);
	return err;
}

/* Write maxnode bits, of which only the first may be set. */
static int put_nodes(u64 __user *mask, u64 maxnode, u64 nodes)
{
	u64 bytes = ALIGN_UP(maxnode - 1, 64) / 8;

	if (bytes > MAX_NUMNODES / 8) {
		if (bytes > PAGE_SIZE)
			return -EINVAL;
		if (clear_user((char __user *)mask + MAX_NUMNODES / 8,
			       bytes - MAX_NUMNODES / 8))
			return -EFAULT;
		bytes = MAX_NUMNODES / 8;
	}
	if (!bytes)
		return 0;
	if (put_user(nodes, mask))
		return -EFAULT;
	return clear_user((char __user *)mask + 8, bytes - 8);
}

SYSCALL5(get_mempolicy, int __user *, policy, u64 __user *, mask, u64, maxnode,
	 u64, addr, u64, flags)
{
	struct mm *mm = current->mm;
	u64 nodes = 0;
	int value = MPOL_DEFAULT;

	addr = ARCH_UNTAG(addr);
	if (mask && maxnode < 1)
		return -EINVAL;
	if (flags & ~(u64)(MPOL_F_NODE | MPOL_F_ADDR | MPOL_F_MEMS_ALLOWED))
		return -EINVAL;
	if (flags & MPOL_F_MEMS_ALLOWED) {
		if (flags & (MPOL_F_NODE | MPOL_F_ADDR))
			return -EINVAL;
		nodes = 1;
	} else if (flags & MPOL_F_ADDR) {
		bool mapped;

		rwsem_read_lock(&mm->mmap_lock);
		mapped = vma_lookup(mm, addr) != NULL;
		rwsem_read_unlock(&mm->mmap_lock);
		if (!mapped)
			return -EFAULT;
		if (flags & MPOL_F_NODE) {
			struct page *page;
			int err = mm_get_page(addr, false, &page);

			if (err)
				return err;
			page_put(page);
			value = 0;
		}
	} else if (addr || flags & MPOL_F_NODE) {
		return -EINVAL;
	}
	if (policy && put_user(value, policy))
		return -EFAULT;
	return mask ? put_nodes(mask, maxnode, nodes) : 0;
}
