/* SPDX-License-Identifier: MIT */
/*
 * What exec must know of an ELF64 file before it maps anything
 * (kernel/lib/elf_parse.c).
 *
 * Two steps, because the program headers need not lie in the first page:
 * elf_parse_header() checks the file header and says where they are;
 * elf_parse_phdrs() sums them up. What it refuses, exec refuses. Segments it
 * does not judge: a bad one is found when it is mapped, behind the point of no
 * return, and ends the process, as the ABI has it. So the sums are what the
 * file makes of them, wrapped if it likes, and elf_segment_fits() has to be
 * asked for each segment once its address is known.
 */
#ifndef SONDE_LIB_ELF_PARSE_H
#define SONDE_LIB_ELF_PARSE_H

#include <lib/types.h>
#include <linux/elf.h>

#define ELF_MAX_PHDRS 73 /* those that fit one page */
#define ELF_PATH_MAX  4096

struct elf_info {
	bool is_program; /* ET_EXEC or ET_DYN */
	bool is_dyn;	 /* ET_DYN: load anywhere */
	u64 entry;
	u64 phdr_offset; /* in the file */
	u32 phdr_count;

	/* Filled by elf_parse_phdrs. */
	u32 nr_loads;
	u64 load_start; /* lowest page of a segment */
	u64 load_bytes; /* from there to the highest end of one; may be 0 */
	u64 align;	/* largest p_align of a segment, at least a page */
	u64 phdr_vaddr; /* where the headers are mapped; 0: nowhere */
	u64 interp_offset;
	u64 interp_size; /* with its terminator; 0: no interpreter */
	bool has_stack;	 /* PT_GNU_STACK present */
	bool stack_exec;
	u64 property_offset, property_size; /* PT_GNU_PROPERTY; 0: none */
};

/* The bytes of the program headers. */
static inline size_t elf_phdrs_bytes(const struct elf_info *info)
{
	return info->phdr_count * sizeof(struct elf64_phdr);
}

/* buf: the first len bytes of the file. 0 or -ENOEXEC. */
int elf_parse_header(const void *buf, size_t len, u16 machine,
		     struct elf_info *info);

/* phdrs: elf_phdrs_bytes() bytes from phdr_offset. 0 or -ENOEXEC. */
int elf_parse_phdrs(const struct elf64_phdr *phdrs, u64 page,
		    struct elf_info *info);

/* Segment p can be at this address, below limit, the first address that user
 * space cannot have. */
bool elf_segment_fits(const struct elf64_phdr *p, u64 at, u64 limit);

#endif /* SONDE_LIB_ELF_PARSE_H */
