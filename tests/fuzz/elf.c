// SPDX-License-Identifier: MIT
/*
 * Any bytes as an ELF file: header, then as many program headers as it claims
 * and the input has; what is accepted keeps its promises.
 */
#include <lib/elf_parse.h>

#include "fuzz.h"

#define LIMIT (1ULL << 48)

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	struct elf_info info;
	struct elf64_phdr *phdrs;
	size_t bytes;

	if (elf_parse_header(data, len, EM_AARCH64, &info))
		return 0;
	bytes = elf_phdrs_bytes(&info);
	if (info.phdr_offset > len || bytes > len - info.phdr_offset)
		return 0;
	phdrs = fuzz_alloc(bytes);
	__builtin_memcpy(phdrs, data + info.phdr_offset, bytes);
	if (elf_parse_phdrs(phdrs, 4096, &info) == 0) {
		fuzz_require(info.load_start % 4096 == 0 &&
			     info.align >= 4096 &&
			     info.interp_size <= ELF_PATH_MAX &&
			     info.interp_size != 1);
		for (u32 i = 0; i < info.phdr_count; i++) {
			const struct elf64_phdr *p = &phdrs[i];

			if (elf_segment_fits(p, p->p_vaddr, LIMIT))
				fuzz_require(p->p_filesz <= p->p_memsz &&
					     p->p_vaddr < LIMIT &&
					     p->p_vaddr + p->p_memsz <= LIMIT);
		}
	}
	fuzz_free(phdrs);
	return 0;
}
