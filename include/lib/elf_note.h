/* SPDX-License-Identifier: MIT */
/*
 * The build id of an ELF file (kernel/lib/elf_note.c).
 */
#ifndef SONDE_LIB_ELF_NOTE_H
#define SONDE_LIB_ELF_NOTE_H

#include <lib/types.h>

#define ELF_BUILD_ID_MAX 20

/*
 * head: the first len bytes of any file.  The bytes of its GNU build id, which
 * is written to id and padded with zeros; 0 when there is none within len.
 */
u32 elf_build_id(const void *head, size_t len, u8 id[ELF_BUILD_ID_MAX]);

#endif /* SONDE_LIB_ELF_NOTE_H */
