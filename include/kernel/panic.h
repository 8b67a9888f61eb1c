/* SPDX-License-Identifier: MIT */
/*
 * The end, and the checks that lead there.
 *
 * panic() stops the other CPUs, prints registers, the symbolised stack, held
 * locks and the last events, and powers off with a failing status (or waits
 * panic= seconds; panic=0 halts, panic=-1 at once).
 *
 * ASSERT(): an invariant; debug config only.  CHECK(): stays in release, off
 * the hot paths.  WARN_ONCE-style reports: warn_once().
 */
#ifndef SONDE_KERNEL_PANIC_H
#define SONDE_KERNEL_PANIC_H

#include <lib/compiler.h>
#include <lib/types.h>

struct pt_regs;

void panic(const char *fmt, ...) __printf(1, 2) __noreturn;
void panic_regs(struct pt_regs *regs, const char *fmt, ...) __printf(2, 3)
	__noreturn;
void assert_fail(const char *expr, const char *file, int line) __noreturn;
void warn_report(const char *what, const char *file, int line);
/* The last thing a report that is no panic does: the stack, or the end if the
 * command line says panic_on_warn.  Any context. */
void warn_end(void);

#define CHECK_TEXT(x, text)                                            \
	do {                                                           \
		if (unlikely(!(x)))                                    \
			assert_fail(text, __FILE__, __LINE__);         \
	} while (0)
#define CHECK(x) CHECK_TEXT(x, #x)

#ifdef CONFIG_DEBUG_ASSERT
#define ASSERT(x) CHECK_TEXT(x, #x)
#else
#define ASSERT(x)                      \
	do {                           \
		(void)sizeof((x) != 0); \
	} while (0)
#endif

#define warn_once(x)                                                         \
	({                                                                   \
		static bool warned_;                                         \
		bool hit_ = (x);                                             \
		if (unlikely(hit_) && !__atomic_exchange_n(&warned_, true,   \
							   __ATOMIC_RELAXED)) \
			warn_report(#x, __FILE__, __LINE__);                 \
		hit_;                                                        \
	})

/* Print the stack of the caller, or from regs.  Any context. */
void dump_stack(const struct pt_regs *regs);

/*
 * What arch does on ARCH_IPI_STOP (parks for good) and ARCH_IPI_BACKTRACE
 * (prints this CPU's stack).  Hard interrupt.
 */
void panic_ipi_stop(void) __noreturn;
void panic_ipi_backtrace(const struct pt_regs *regs);

/*
 * Set by the task core: writes ", task 12 \"name\"" for the current task.
 * Any context.
 */
extern void (*panic_describe_task)(char *buf, size_t size);

/* Print the stack of every online CPU.  Any context. */
void dump_all_stacks(void);

#ifdef CONFIG_DEBUG_SLEEP
void might_sleep(void);
#else
static inline void might_sleep(void)
{
}
#endif

extern int panic_timeout;	/* panic=; seconds, negative: at once */
extern bool panic_in_progress;	/* [a] set once */

#endif /* SONDE_KERNEL_PANIC_H */
