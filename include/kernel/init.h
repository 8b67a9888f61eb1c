/* SPDX-License-Identifier: MIT */
/*
 * Boot order and boot parameters.
 *
 * Each INITCALL(level, fn) is a pointer in a linker section per level; init
 * runs the levels in order on the boot CPU in task context with interrupts
 * on, all allocators and the scheduler up.  What must come earlier has an
 * explicit call in kernel/init/main.c.
 */
#ifndef SONDE_KERNEL_INIT_H
#define SONDE_KERNEL_INIT_H

#include <lib/compiler.h>
#include <lib/types.h>

#define INIT_CORE   1	/* tables and registries */
#define INIT_FS	    2	/* file-system types */
#define INIT_DEVICE 3	/* drivers, PMUs */
#define INIT_LATE   4	/* whatever needs all of the above */

typedef int initcall_fn(void);

#define INITCALL(level, fn) INITCALL_(level, fn)
#define INITCALL_(level, fn)                                   \
	static initcall_fn *const initcall_##fn __used         \
		__section(".initcall." #level) = fn

/* setup("name=", fn): fn(value) for each match on the command line, early. */
struct boot_param {
	const char *name;		/* "quiet" or "loglevel=" */
	void (*fn)(const char *value);
};
#define BOOT_PARAM(tag, name_, fn_)                                     \
	static const struct boot_param boot_param_##tag __used          \
		__section(".boot_params") = { .name = name_, .fn = fn_ }

/* Code that only the boot runs. */
#define __init __cold __section(".init.text")

/* Called by arch assembly: MMU on, boot stack, interrupts masked. */
void kernel_start(void) __noreturn;

#endif /* SONDE_KERNEL_INIT_H */
