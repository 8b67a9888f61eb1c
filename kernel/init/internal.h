/* SPDX-License-Identifier: MIT */
/* What the files of the boot share. */
#ifndef SONDE_KERNEL_INIT_INTERNAL_H
#define SONDE_KERNEL_INIT_INTERNAL_H

#include <lib/types.h>

#define INIT_MAX_ARGS 32	/* words and variables for init, each */

/* What the command line says; [I] after cmdline_parse. */
struct boot_options {
	const char *init;		/* init= or NULL */
	const char *rdinit;		/* rdinit=, else "/init" */
	u32 max_cpus;			/* maxcpus= */
	const char *argv[INIT_MAX_ARGS + 2];	/* [0] filled in later */
	const char *envp[INIT_MAX_ARGS + 2];
	bool rdinit_given;
};

extern struct boot_options boot_options;

/* Once, before anything but the early console. */
void cmdline_parse(const char *cmdline);

/* What the root holds even without an initramfs: /dev/console, /root. */
void make_first_names(void);

/* The last step of the init thread: returns into user mode, or panics. */
void run_init(void);

#endif /* SONDE_KERNEL_INIT_INTERNAL_H */
