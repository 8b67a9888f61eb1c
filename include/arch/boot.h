/* SPDX-License-Identifier: MIT */
/*
 * What early boot hands to generic code.  Arch assembly turns the MMU on,
 * maps the image and all memory linearly, and calls kernel_start().  Boot CPU
 * only, one call each, interrupts masked.
 */
#ifndef SONDE_ARCH_BOOT_H
#define SONDE_ARCH_BOOT_H

#include <lib/types.h>

struct fdt;

struct boot_range {
	u64 start;
	u64 end;
};

#define BOOT_MAX_RANGES 32

/* Filled by arch_boot_info; physical addresses, page aligned outwards. */
struct boot_info {
	struct boot_range memory[BOOT_MAX_RANGES];	/* sorted RAM */
	u32 nr_memory;
	struct boot_range reserved[BOOT_MAX_RANGES]; /* image, dtb */
	u32 nr_reserved;
	struct boot_range initrd;			/* exact; 0,0: none */
	const void *fdt;				/* mapped; NULL: none */
	char cmdline[2048];
};

extern struct boot_info boot_info;

/* The opened device tree, NULL when there is none.  After arch_boot_info. */
const struct fdt *arch_fdt(void);

/* Parse what the loader passed.  Linear map of RAM is up on return. */
void arch_boot_info(struct boot_info *info);

/*
 * Once the page allocator is up: final kernel tables with W^X, vmap tables
 * preallocated, CPU features found, errata chosen.
 */
void arch_setup(void);

/* After the last initcall: __ro_after_init data becomes read-only.  Once. */
void arch_seal(void);

/* The console that works before drivers (PL011 from the device tree). */
void arch_early_console_write(const char *text, size_t size);

#endif /* SONDE_ARCH_BOOT_H */
