// SPDX-License-Identifier: MIT
/*
 * Search of an ELF file's notes for its build id.
 *
 * Entry point: <lib/elf_note.h>.  The file comes from anybody: every offset is
 * checked against the bytes there are.  Pure.
 */
#include <lib/elf_note.h>
#include <lib/math64.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/elf.h>

/* n bytes at offset at of the file, or NULL. */
static const void *part(const void *head, size_t len, u64 at, u64 n)
{
	return at <= len && n <= len - at ? (const u8 *)head + at : NULL;
}

/* at: the notes of one segment. */
static u32 search(const u8 *at, u64 left, u8 id[ELF_BUILD_ID_MAX])
{
	struct elf64_note n;

	while (left >= sizeof(n)) {
		u64 name, desc;

		memcpy(&n, at, sizeof(n));
		at += sizeof(n);
		left -= sizeof(n);
		name = ALIGN_UP((u64)n.n_namesz, 4);
		desc = ALIGN_UP((u64)n.n_descsz, 4);
		if (name > left || n.n_descsz > left - name)
			return 0;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 &&
		    !memcmp(at, "GNU", 4) && n.n_descsz &&
		    n.n_descsz <= ELF_BUILD_ID_MAX) {
			memset(id, 0, ELF_BUILD_ID_MAX);
			memcpy(id, at + name, n.n_descsz);
			return n.n_descsz;
		}
		if (desc > left - name)
			return 0;
		at += name + desc;
		left -= name + desc;
	}
	return 0;
}

u32 elf_build_id(const void *head, size_t len, u8 id[ELF_BUILD_ID_MAX])
{
	struct elf64_hdr h;
	u32 i, size = 0;

	if (len < sizeof(h))
		return 0;
	memcpy(&h, head, sizeof(h));
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 ||
	    h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_phentsize != sizeof(struct elf64_phdr))
		return 0;
	for (i = 0; i < h.e_phnum && !size; i++) {
		struct elf64_phdr p;
		const void *at;

		at = part(head, len, h.e_phoff + (u64)i * sizeof(p), sizeof(p));
		if (!at)
			break;
		memcpy(&p, at, sizeof(p));
		at = part(head, len, p.p_offset, p.p_filesz);
		if (p.p_type == PT_NOTE && at)
			size = search(at, p.p_filesz, id);
	}
	return size;
}
