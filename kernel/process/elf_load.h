/* SPDX-License-Identifier: MIT */
/* Between elf_load.c and elf_stack.c. */
#ifndef SONDE_KERNEL_PROCESS_ELF_LOAD_H
#define SONDE_KERNEL_PROCESS_ELF_LOAD_H

#include <lib/elf_parse.h>

struct exec;
struct file;

struct elf_image {
	struct file *file;	/* NULL: there is none */
	struct elf_info info;
	struct elf64_phdr *phdrs;
	u64 bias;		/* address minus p_vaddr */
};

/* Map the stack and write the strings. */
int elf_make_stack(struct exec *x, bool executable);
/* argc, pointers and the auxiliary vector; *sp is what the program gets. */
int elf_fill_stack(struct exec *x, const struct elf_image *main,
		   const struct elf_image *interp, u64 *sp);

#endif /* SONDE_KERNEL_PROCESS_ELF_LOAD_H */
