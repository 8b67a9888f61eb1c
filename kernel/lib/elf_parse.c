// SPDX-License-Identifier: MIT
/*
 * Validation of ELF64 file and program headers for exec.
 *
 * Entry points: <lib/elf_parse.h>. The file comes from anybody, and much of
 * what is wrong with it only shows when it is mapped: sums may wrap here,
 * nothing is refused for that, and elf_segment_fits() has the last word on
 * each segment. Pure; reads only the two buffers it is given.
 */
#include <lib/elf_parse.h>
#include <lib/err.h>
#include <lib/math64.h>
#include <lib/minmax.h>
#include <lib/string.h>

int elf_parse_header(const void *buf, size_t len, u16 machine,
		     struct elf_info *info)
{
	struct elf64_hdr h;

	if (len < sizeof(h))
		return -ENOEXEC;
	memcpy(&h, buf, sizeof(h));
	/* Class and byte order follow from the machine: nobody looks. */
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_machine != machine)
		return -ENOEXEC;
	if (h.e_phentsize != sizeof(struct elf64_phdr) || !h.e_phnum ||
	    h.e_phnum > ELF_MAX_PHDRS || h.e_phoff > (u64)S64_MAX)
		return -ENOEXEC;
	memset(info, 0, sizeof(*info));
	info->is_dyn = h.e_type == ET_DYN;
	info->is_program = h.e_type == ET_EXEC || h.e_type == ET_DYN;
	info->entry = h.e_entry;
	info->phdr_offset = h.e_phoff;
	info->phdr_count = h.e_phnum;
	return 0;
}

bool elf_segment_fits(const struct elf64_phdr *p, u64 at, u64 limit)
{
	return at < limit && p->p_filesz <= p->p_memsz && p->p_memsz <= limit &&
	       at <= limit - p->p_memsz;
}

static void take_load(const struct elf64_phdr *p, u64 page, u64 *end,
		      struct elf_info *info)
{
	u64 start = ALIGN_DOWN(p->p_vaddr, page);

	info->load_start = info->nr_loads ? min(info->load_start, start) :
					    start;
	*end = max(*end, p->p_vaddr + p->p_memsz);
	info->nr_loads++;
	/* An alignment that is none is a wish that cannot be met: ignored. */
	if (is_pow2(p->p_align))
		info->align = max(info->align, p->p_align);
	if (p->p_offset <= info->phdr_offset &&
	    info->phdr_offset - p->p_offset < p->p_filesz)
		info->phdr_vaddr =
			p->p_vaddr + (info->phdr_offset - p->p_offset);
}

static int take_interp(const struct elf64_phdr *p, struct elf_info *info)
{
	if (info->interp_size)
		return 0;	/* the first one counts */
	if (p->p_filesz < 2 || p->p_filesz > ELF_PATH_MAX)
		return -ENOEXEC;
	info->interp_offset = p->p_offset;
	info->interp_size = p->p_filesz;
	return 0;
}

/* What is not loaded but matters. */
static void take_other(const struct elf64_phdr *p, struct elf_info *info)
{
	switch (p->p_type) {
	case PT_GNU_STACK:
		info->has_stack = true;
		info->stack_exec = p->p_flags & PF_X;
		break;
	case PT_GNU_PROPERTY:
		info->property_offset = p->p_offset;
		info->property_size = p->p_filesz;
		break;
	}
}

int elf_parse_phdrs(const struct elf64_phdr *phdrs, u64 page,
		    struct elf_info *info)
{
	u64 end = 0;

	info->align = page;
	for (u32 i = 0; i < info->phdr_count; i++) {
		struct elf64_phdr p;
		int err = 0;

		memcpy(&p, &phdrs[i], sizeof(p));
		if (p.p_type == PT_LOAD)
			take_load(&p, page, &end, info);
		else if (p.p_type == PT_INTERP)
			err = take_interp(&p, info);
		else
			take_other(&p, info);
		if (err)
			return err;
	}
	info->load_bytes = info->nr_loads ? end - info->load_start : 0;
	return 0;
}
