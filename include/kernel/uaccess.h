/* SPDX-License-Identifier: MIT */
/*
 * The only door to user memory.  Each call checks the range, may fault and
 * sleep (task context, no spin lock, mmap lock not held), and returns 0 or
 * -EFAULT unless said otherwise.
 */
#ifndef SONDE_KERNEL_UACCESS_H
#define SONDE_KERNEL_UACCESS_H

#include <arch/mmu.h>
#include <arch/uaccess.h>
#include <lib/compiler.h>
#include <lib/err.h>
#include <lib/types.h>

static inline void __user *user_ptr(u64 addr)
{
	return (void __user *)(unsigned long)addr;
}
static inline u64 user_addr(const void __user *p)
{
	return (u64)(unsigned long)p;
}
/*
 * The address of a member. A user's pointer need not be aligned or point to
 * anything, and `&p->member` promises the compiler that it does.
 */
#define user_field(p, member)                                                \
	((__typeof__(&(p)->member))((char __user *)(p) +                     \
				    OFFSET_OF(__typeof__(*(p)), member)))
/*
 * access_ok: [p, p+n) lies in user space.  A pointer with a tag in its top
 * byte does not: the CPU ignores tags, the ABI has them refused unless a
 * process asked for them by prctl(2), which none here can.
 */
static inline bool access_ok(const void __user *p, size_t n)
{
	u64 a = user_addr(p);

	return n <= ARCH_USER_END && a <= ARCH_USER_END - n;
}

/* Bytes NOT copied. */
static inline size_t copy_from_user_partial(void *to, const void __user *from,
					    size_t n)
{
	return access_ok(from, n) ? arch_copy_from_user(to, from, n) : n;
}
static inline size_t copy_to_user_partial(void __user *to, const void *from,
					  size_t n)
{
	return access_ok(to, n) ? arch_copy_to_user(to, from, n) : n;
}

static inline __must_check int copy_from_user(void *to,
					      const void __user *from, size_t n)
{
	return copy_from_user_partial(to, from, n) ? -EFAULT : 0;
}
static inline __must_check int copy_to_user(void __user *to, const void *from,
					    size_t n)
{
	return copy_to_user_partial(to, from, n) ? -EFAULT : 0;
}
static inline __must_check int clear_user(void __user *to, size_t n)
{
	return !access_ok(to, n) || arch_clear_user(to, n) ? -EFAULT : 0;
}

/* One naturally sized value. */
#define get_user(dst, ptr) \
	(access_ok((ptr), sizeof(*(ptr))) ? arch_get_user(dst, ptr) : -EFAULT)
#define put_user(val, ptr) \
	(access_ok((ptr), sizeof(*(ptr))) ? arch_put_user(val, ptr) : -EFAULT)

/* Length without NUL, -EFAULT, or n when there is no NUL within n bytes. */
static inline long strncpy_from_user(char *to, const char __user *from,
				     size_t n)
{
	return access_ok(from, 1) ? arch_strncpy_from_user(to, from, n) :
				    -EFAULT;
}

/*
 * A struct whose size the caller states: copies min(usize, ksize), zero-fills
 * the rest, -E2BIG when user bytes beyond ksize are not zero.
 */
int copy_struct_from_user(void *dst, size_t ksize, const void __user *src,
			  size_t usize);
/* kmalloc'ed copy of a string up to max bytes with NUL: ERR_PTR(-EFAULT,
 * -ENAMETOOLONG or -E2BIG is the caller's choice: too_long). */
char *strdup_from_user(const char __user *s, size_t max, int too_long);
void *memdup_from_user(const void __user *p, size_t n);

/* Never faults in; any context: bytes not copied. */
static inline size_t copy_user_nofault(void *to, const void __user *from,
				       size_t n)
{
	return access_ok(from, n) ? arch_copy_user_nofault(to, from, n) : n;
}

#endif /* SONDE_KERNEL_UACCESS_H */
