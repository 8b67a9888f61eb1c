/* SPDX-License-Identifier: MIT */
/*
 * Random numbers: one ChaCha20 key, replaced after every request so that an
 * output never tells the earlier ones (fast key erasure), stirred by the boot
 * loader's seed, hardware entropy where there is some, and the counter.
 *
 * Entry points: random_bytes and random_mix (any context), getrandom(2).
 * pool_lock guards the key and is innermost; a request copies a fresh key out
 * and generates without the lock.
 */
#include <arch/boot.h>
#include <arch/random.h>
#include <arch/time.h>
#include <kernel/init.h>
#include <kernel/lock.h>
#include <kernel/random.h>
#include <kernel/signal.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <lib/chacha.h>
#include <lib/err.h>
#include <lib/fdt.h>
#include <lib/minmax.h>
#include <lib/string.h>

#define KEY_WORDS 8
#define BLOCK_BYTES 64

static struct spinlock pool_lock = SPINLOCK_INIT(LOCK_RANK_RECLAIM);
static u32 pool_key[KEY_WORDS];		/* [pool_lock] */
static u64 pool_count;			/* [pool_lock] requests so far */

/* One block under key; its first half becomes the next key of the pool. */
static void next_key(u32 key[KEY_WORDS])
{
	static const u32 nonce[3];
	u8 block[BLOCK_BYTES];
	u64 stir[2] = { arch_clock_read(), 0 };
	unsigned long flags = spin_lock_irqsave(&pool_lock);

	arch_random_u64(&stir[1]);
	pool_key[0] ^= (u32)stir[0];
	pool_key[1] ^= (u32)(stir[0] >> 32);
	pool_key[2] ^= (u32)stir[1];
	pool_key[3] ^= (u32)(stir[1] >> 32);
	chacha20_block(pool_key, (u32)pool_count++, nonce, block);
	memcpy(pool_key, block, sizeof(pool_key));
	memcpy(key, block + sizeof(pool_key), sizeof(pool_key));
	spin_unlock_irqrestore(&pool_lock, flags);
	memzero_explicit(block, sizeof(block));
}

void random_bytes(void *buf, size_t n)
{
	static const u32 nonce[3];
	u32 key[KEY_WORDS];
	u8 block[BLOCK_BYTES];
	u32 counter = 0;
	u8 *out = buf;

	next_key(key);
	while (n) {
		size_t part = min(n, sizeof(block));

		chacha20_block(key, counter++, nonce, block);
		memcpy(out, block, part);
		out += part;
		n -= part;
	}
	memzero_explicit(key, sizeof(key));
	memzero_explicit(block, sizeof(block));
}

u64 random_u64(void)
{
	u64 v;

	random_bytes(&v, sizeof(v));
	return v;
}

void random_mix(const void *buf, size_t n)
{
	const u8 *in = buf;

	while (n) {
		u32 words[KEY_WORDS] = { 0 };
		u32 unused[KEY_WORDS];
		size_t part = min(n, sizeof(words));
		unsigned long flags;
		int i;

		memcpy(words, in, part);
		flags = spin_lock_irqsave(&pool_lock);
		for (i = 0; i < KEY_WORDS; i++)
			pool_key[i] ^= words[i];
		spin_unlock_irqrestore(&pool_lock, flags);
		/* Absorb: what was mixed in goes through the permutation. */
		next_key(unused);
		memzero_explicit(unused, sizeof(unused));
		in += part;
		n -= part;
	}
}

void random_init(void)
{
	const struct fdt *fdt = arch_fdt();
	const void *seed;
	u32 len = 0;
	int chosen;

	if (!fdt)
		return;
	chosen = fdt_find_path(fdt, "/chosen");
	if (chosen < 0)
		return;
	seed = fdt_prop(fdt, chosen, "rng-seed", &len);
	if (seed)
		random_mix(seed, len);
	seed = fdt_prop(fdt, chosen, "kaslr-seed", &len);
	if (seed)
		random_mix(seed, len);
}

#define GRND_NONBLOCK 1u
#define GRND_RANDOM   2u
#define GRND_INSECURE 4u

SYSCALL3(getrandom, void __user *, buf, size_t, count, u32, flags)
{
	u8 chunk[256];
	size_t done = 0;
	long ret = 0;

	if (flags & ~(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE))
		return -EINVAL;
	if ((flags & GRND_INSECURE) && (flags & GRND_RANDOM))
		return -EINVAL;
	count = min(count, (size_t)0x7ffff000);
	while (done < count) {
		size_t part = min(count - done, sizeof(chunk)), lost;

		random_bytes(chunk, part);
		lost = copy_to_user_partial((char __user *)buf + done, chunk,
					    part);
		done += part - lost;
		if (lost) {
			ret = -EFAULT;
			break;
		}
		if (signal_pending(current))
			break;
	}
	memzero_explicit(chunk, sizeof(chunk));
	return done ? (long)done : ret;
}
