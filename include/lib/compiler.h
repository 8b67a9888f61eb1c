/* SPDX-License-Identifier: MIT */
/*
 * Compiler vocabulary: attributes, branch hints, access-once, container_of.
 *
 * Owns every spelling that differs between gcc, clang and sparse, and the only
 * uses of volatile outside memory-mapped I/O. Includes nothing, so that any
 * header may include it first. READ_ONCE and WRITE_ONCE order nothing: use
 * <lib/atomic.h> where order between two locations matters.
 */
#ifndef SONDE_LIB_COMPILER_H
#define SONDE_LIB_COMPILER_H

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#undef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#define noinline	__attribute__((__noinline__))
#define __noreturn	__attribute__((__noreturn__))
#define __packed	__attribute__((__packed__))
#define __aligned(n)	__attribute__((__aligned__(n)))
#define __section(name) __attribute__((__section__(name)))
#define __printf(f, a)	__attribute__((__format__(__printf__, f, a)))
#define __must_check	__attribute__((__warn_unused_result__))
#define __used		__attribute__((__used__))
#define __unused	__attribute__((__unused__))
#define __maybe_unused	__attribute__((__unused__))
#define __cold		__attribute__((__cold__))
#define __hot		__attribute__((__hot__))
#define __pure		__attribute__((__pure__))
#define __malloc	__attribute__((__malloc__))
#define __const __attribute__((__const__))
#define __weak	    __attribute__((__weak__))
#define fallthrough __attribute__((__fallthrough__))

/* Not instrumented by the compiler: runs while checkers are unsafe. */
#if defined(__clang__)
#define __no_sanitize __attribute__((__no_sanitize__("undefined", "address")))
#else
#define __no_sanitize                                                          \
	__attribute__((__no_sanitize_undefined__, __no_sanitize_address__))
#endif

/* Entry code: no probe may be placed here and no checker may run here. */
#define __noinstr noinline __no_sanitize __section(".noinstr.text")
/* Run by the function tracers, which therefore cannot trace it. */
#define __notrace __section(".notrace.text")

/* Data that is given back to the page allocator after boot. */
#define __initdata __section(".init.data")

/* Written at boot only; the page tables make it read-only afterwards. */
#define __ro_after_init __section(".data..ro_after_init")

/* Pads hot data of different CPUs apart; 64 bytes fits every target we know. */
#define CACHE_LINE_BYTES    64
#define __cacheline_aligned __aligned(CACHE_LINE_BYTES)

/* Nothing may be moved across this point by the compiler. */
#define barrier() __asm__ __volatile__("" ::: "memory")

#define __stringify_1(...) #__VA_ARGS__
#define __stringify(...)   __stringify_1(__VA_ARGS__)
#define __paste_1(a, b)	   a##b
#define __paste(a, b)	   __paste_1(a, b)
#define __unique_id(base)  __paste(base, __COUNTER__)

/*
 * One access, of the object's own width, neither torn, repeated nor elided.
 * Objects wider than a register are refused.
 */
#define __once_fits(x)                                                         \
	_Static_assert(sizeof(x) <= sizeof(long), "access-once is too wide")

#define READ_ONCE(x)                                                           \
	__extension__({                                                        \
		__once_fits(x);                                                \
		*(const volatile __typeof__(x) *)&(x);                         \
	})

#define WRITE_ONCE(x, val)                                                     \
	do {                                                                   \
		__once_fits(x);                                                \
		*(volatile __typeof__(x) *)&(x) = (val);                       \
	} while (0)

/* A number that travels as an opaque `void *private`; never followed. */
static inline void *number_ptr(__UINTPTR_TYPE__ n)
{
	return (void *)n;
}

/* Hides a value's origin from the optimiser. */
#define OPAQUE(x)                                                              \
	__extension__({                                                        \
		__typeof__(x) __opaque = (x);                                  \
		__asm__("" : "+r"(__opaque));                                  \
		__opaque;                                                      \
	})

#define OFFSET_OF(type, member)	   __builtin_offsetof(type, member)
#define SIZEOF_FIELD(type, member) sizeof(((type *)0)->member)
#define OFFSET_END(type, member)                                               \
	(OFFSET_OF(type, member) + SIZEOF_FIELD(type, member))

#define __same_type(a, b)                                                      \
	__builtin_types_compatible_p(__typeof__(a), __typeof__(b))

/* The struct of which ptr is the given member; the member's type is checked. */
#define container_of(ptr, type, member)                                        \
	__extension__({                                                        \
		_Static_assert(__same_type(*(ptr), ((type *)0)->member) ||     \
				       __same_type(*(ptr), void),              \
			       "container_of: pointer and member differ");     \
		(type *)((char *)(ptr)-OFFSET_OF(type, member));               \
	})

#define BUILD_ASSERT(cond) _Static_assert(cond, #cond)

/* Zero, or an error when the argument is a pointer rather than an array. */
#define __must_be_array(a)                                                     \
	(sizeof(struct {                                                       \
		 int not_an_array : !__same_type(a, &(a)[0]) ? 1 : -1;         \
	 }) *                                                                  \
	 0)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]) + __must_be_array(a))

/* Lock annotations for sparse; see lock.h for who uses them. */
#ifdef __CHECKER__
#define __user	       __attribute__((noderef, address_space(1)))
#define __iomem	       __attribute__((noderef, address_space(2)))
#define __percpu_space __attribute__((noderef, address_space(3)))
#define __force	       __attribute__((force))
#define __acquires(x)  __attribute__((context(x, 0, 1)))
#define __releases(x)  __attribute__((context(x, 1, 0)))
#define __must_hold(x) __attribute__((context(x, 1, 1)))
#define __acquire(x)   __context__(x, 1)
#define __release(x)   __context__(x, -1)
#else
#define __user
#define __iomem
#define __percpu_space
#define __force
#define __acquires(x)
#define __releases(x)
#define __must_hold(x)
#define __acquire(x) (void)0
#define __release(x) (void)0
#endif

#endif /* SONDE_LIB_COMPILER_H */
