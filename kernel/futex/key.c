/* SPDX-License-Identifier: MIT */
/*
 * From a user address to a key and a bucket, and user accesses that are legal
 * under a bucket's lock.
 *
 * A shared futex is looked up through its page: the same inode and index meet
 * whatever the mappings.  The look-up holds no reference afterwards; a waiter
 * keeps its mapping, and with it the inode, for as long as it sleeps.
 */
#include <kernel/init.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <lib/hash.h>

#include "internal.h"

#define BUCKET_BITS 8
#define NR_BUCKETS  (1u << BUCKET_BITS)
#define KEY_MM_SHARED (1u << PAGE_SHIFT)

static struct futex_bucket buckets[NR_BUCKETS];

struct futex_bucket *futex_bucket_at(u32 n)
{
	return n < NR_BUCKETS ? &buckets[n] : NULL;
}

struct futex_bucket *futex_bucket(const struct futex_key *key)
{
	u64 mix = key->space ^ hash_u64(key->page + key->offset);

	return &buckets[hash_u64_bits(mix, BUCKET_BITS)];
}

static int futex_key_shared(u32 __user *uaddr, u64 addr, struct futex_key *key)
{
	struct page_cache *cache;
	struct page *page;
	bool frozen;
	int ret;

	/* Write access, so that a private page is the process's own. */
	ret = mm_get_page(addr, true, &page);
	frozen = ret != 0;
	if (ret)
		ret = mm_get_page(addr, false, &page);
	if (ret)
		return -EFAULT;
	cache = READ_ONCE(page->flags) & PG_CACHE ? READ_ONCE(page->cache) :
						    NULL;
	/* Anonymous memory that nobody can write never changes. */
	if (!cache && frozen) {
		page_put(page);
		return -EFAULT;
	}
	if (cache) {
		key->space = (u64)(uintptr_t)cache;
		key->page = page->index;
	} else {
		key->offset |= KEY_MM_SHARED;
	}
	page_put(page);
	return 0;
}

int futex_key(u32 __user *uaddr, u32 flags, struct futex_key *key)
{
	u64 addr = ARCH_UNTAG(user_addr(uaddr));

	if (addr % sizeof(u32))
		return -EINVAL;
	if (!access_ok(uaddr, sizeof(u32)))
		return -EFAULT;
	key->space = (u64)(uintptr_t)current->mm;
	key->page = addr & PAGE_MASK;
	key->offset = addr & ~PAGE_MASK;
	if (flags & FUTEX_SHARED)
		return futex_key_shared(uaddr, addr, key);
	return 0;
}

int futex_peek(u32 *val, u32 __user *uaddr)
{
	return copy_user_nofault(val, uaddr, sizeof(*val)) ? -EFAULT : 0;
}

int futex_fault_in(u32 __user *uaddr)
{
	struct page *page;
	int ret = mm_get_page(ARCH_UNTAG(user_addr(uaddr)), true, &page);

	if (!ret)
		page_put(page);
	return ret;
}

int futex_swap(u32 __user *uaddr, u32 old, u32 fresh, u32 *seen)
{
	int ret;

	if (!access_ok(uaddr, sizeof(*uaddr)))
		return -EFAULT;
	current->faults_disabled++;
	ret = arch_user_cmpxchg32(uaddr, old, fresh, seen);
	current->faults_disabled--;
	return ret;
}

static __init int futex_init(void)
{
	u32 i;

	for (i = 0; i < NR_BUCKETS; i++) {
		spin_init(&buckets[i].lock, LOCK_RANK_FUTEX);
		list_init(&buckets[i].waiters);
	}
	return 0;
}
INITCALL(INIT_CORE, futex_init);
