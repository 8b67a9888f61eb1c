/* SPDX-License-Identifier: MIT */
/*
 * Errors carried in pointers, and the codes that never reach user space.
 *
 * A function that returns a pointer may return ERR_PTR(-EXXX); the callers ask
 * IS_ERR before use. The last page of the address space is never mapped, so no
 * true pointer collides. The restart codes are consumed by signal delivery.
 */
#ifndef SONDE_LIB_ERR_H
#define SONDE_LIB_ERR_H

#include <lib/types.h>
#include <linux/errno.h>

/* Kernel-internal: what to do with an interrupted call (signal.c decides). */
#define ERESTARTSYS	      512 /* restart if SA_RESTART, else EINTR */
#define ERESTARTNOINTR	      513 /* always restart */
#define ERESTARTNOHAND	      514 /* restart unless a handler ran */
#define ERESTART_RESTARTBLOCK 516 /* restart through restart_syscall */
#define EPROBE_DEFER	      517 /* a driver's resource is not there yet */
/* Not in the ABI's list, but Linux lets programs see it in some places. */
#define ENOTSUPP	      524

#define MAX_ERRNO 4095

static inline void *ERR_PTR(long error)
{
	return (void *)(uintptr_t)error;
}

static inline long PTR_ERR(const void *ptr)
{
	return (long)(uintptr_t)ptr;
}

static inline bool IS_ERR_VALUE(unsigned long value)
{
	return unlikely(value >= (unsigned long)-MAX_ERRNO);
}

static inline bool IS_ERR(const void *ptr)
{
	return IS_ERR_VALUE((uintptr_t)ptr);
}

static inline bool IS_ERR_OR_NULL(const void *ptr)
{
	return !ptr || IS_ERR(ptr);
}

/* The error of a failed pointer with another pointer type. */
static inline void *ERR_CAST(const void *ptr)
{
	return (void *)(uintptr_t)ptr;
}

static inline int PTR_ERR_OR_ZERO(const void *ptr)
{
	return IS_ERR(ptr) ? (int)PTR_ERR(ptr) : 0;
}

#endif /* SONDE_LIB_ERR_H */
