// SPDX-License-Identifier: MIT
/*
 * Validation of ELF64 file and program headers for exec.
 *
 * Entry points: <lib/elf_parse.h>. The file comes from anybody: all sums are
 * checked for wrapping, all sizes against limits, before anything is derived
 * from them. Pure; reads only the two buffers it is given.
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
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 ||
	    h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_ident[EI_DATA] != ELFDATA2LSB || h.e_machine != machine)
		return -ENOEXEC;
	if (h.e_type != ET_EXEC && h.e_type != ET_DYN)
		return -ENOEXEC;
	if (h.e_phentsize != sizeof(struct elf64_phdr) || !h.e_phnum ||
	    h.e_phnum > ELF_MAX_PHDRS || h.e_phoff > (u64)S64_MAX)
		return -ENOEXEC;
	memset(info, 0, sizeof(*info));
	info->is_dyn = h.e_type == ET_DYN;
	info->entry = h.e_entry;
	info->phdr_offset = h.e_phoff;
	info->phdr_count = h.e_phnum;
	return 0;
}

/* One PT_LOAD; end is where the one before it ended. */
static int check_load(const struct elf64_phdr *p, u64 limit, u64 page, u64 end)
{
	u64 last, file_end;

	if (p->p_filesz > p->p_memsz ||
	    add_overflows(p->p_vaddr, p->p_memsz, &last) || last > limit)
		return -EINVAL;
	if (add_overflows(p->p_offset, p->p_filesz, &file_end) ||
	    file_end > (u64)S64_MAX - page)
		return -EINVAL;
	if ((p->p_vaddr ^ p->p_offset) & (page - 1))
		return -EINVAL;
	/* Ascending, as the format asks; two may share a page. */
	return p->p_vaddr < end ? -EINVAL : 0;
}

static void take_load(const struct elf64_phdr *p, u64 page, bool first,
		      struct elf_info *info)
{
	u64 bytes = elf_phdrs_bytes(info);

	if (first)
		info->load_start = ALIGN_DOWN(p->p_vaddr, page);
	info->load_end = ALIGN_UP(p->p_vaddr + p->p_memsz, page);
	/* An alignment that is none is a wish that cannot be met: ignored. */
	if (is_pow2(p->p_align))
		info->align = max(info->align, p->p_align);
	if (!info->phdr_vaddr && p->p_filesz >= bytes &&
	    info->phdr_offset >= p->p_offset &&
	    info->phdr_offset - p->p_offset <= p->p_filesz - bytes)
		info->phdr_vaddr =
			p->p_vaddr + (info->phdr_offset - p->p_offset);
}

/* What is not loaded but matters. */
static int take_other(const struct elf64_phdr *p, struct elf_info *info)
{
	switch (p->p_type) {
	case PT_INTERP:
		if (info->interp_size)
			return 0;
		if (p->p_filesz < 2 || p->p_filesz > ELF_PATH_MAX ||
		    p->p_offset > (u64)S64_MAX - ELF_PATH_MAX)
			return -ENOEXEC;
		info->interp_offset = p->p_offset;
		info->interp_size = p->p_filesz;
		return 0;
	case PT_GNU_STACK:
		info->has_stack = true;
		info->stack_exec = p->p_flags & PF_X;
		return 0;
	case PT_GNU_PROPERTY:
		info->property_offset = p->p_offset;
		info->property_size = p->p_filesz;
		return 0;
	default:
		return 0;
	}
}

int elf_parse_phdrs(const struct elf64_phdr *phdrs, u64 limit, u64 page,
		    struct elf_info *info)
{
	bool first = true;
	u64 end = 0;

	info->align = page;
	for (u32 i = 0; i < info->phdr_count; i++) {
		struct elf64_phdr p;
		int err;

		memcpy(&p, &phdrs[i], sizeof(p));
		if (p.p_type != PT_LOAD) {
			err = take_other(&p, info);
			if (err)
				return err;
			continue;
		}
		if (!p.p_memsz)
			continue;
		err = check_load(&p, limit, page, end);
		if (err)
			return err;
		take_load(&p, page, first, info);
		first = false;
		end = p.p_vaddr + p.p_memsz;
	}
	/* A file that loads nothing cannot run. */
	return first ? -ENOEXEC : 0;
}
