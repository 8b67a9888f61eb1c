/* SPDX-License-Identifier: MIT */
/*
 * What exec must know of an ELF64 file before it maps anything
 * (kernel/lib/elf_parse.c).
 *
 * Two steps, because the program headers need not lie in the first page:
 * elf_parse_header() checks the file header and says where they are;
 * elf_parse_phdrs() checks them and sums them up. After both, every segment
 * can be mapped without further checks of sizes: no address or offset of it
 * wraps, file size does not exceed memory size, segments are in ascending
 * order without overlap, and all lie below the limit given.
 */
#ifndef SONDE_LIB_ELF_PARSE_H
#define SONDE_LIB_ELF_PARSE_H

#include <lib/types.h>
#include <linux/elf.h>

#define ELF_MAX_PHDRS 73 /* those that fit one page */
#define ELF_PATH_MAX  4096

struct elf_info {
	bool is_dyn; /* ET_DYN: load anywhere */
	u64 entry;
	u64 phdr_offset; /* in the file */
	u32 phdr_count;

	/* Filled by elf_parse_phdrs. */
	u64 load_start; /* lowest page of a segment */
	u64 load_end;	/* end of the highest one, rounded up to a page */
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

/*
 * phdrs: elf_phdrs_bytes() bytes from phdr_offset. limit: first address that
 * user space cannot have. 0, -ENOEXEC, or -EINVAL for segments that are
 * malformed one by one.
 */
int elf_parse_phdrs(const struct elf64_phdr *phdrs, u64 limit, u64 page,
		    struct elf_info *info);

#endif /* SONDE_LIB_ELF_PARSE_H */
