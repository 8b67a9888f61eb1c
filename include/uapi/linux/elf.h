/* SPDX-License-Identifier: MIT */
/* The 64-bit little-endian ELF that the kernel loads and writes. */
#ifndef _UAPI_LINUX_ELF_H
#define _UAPI_LINUX_ELF_H

#include <linux/types.h>

#define EI_NIDENT     16
#define EI_CLASS      4
#define EI_DATA	      5
#define EI_VERSION    6
#define EI_OSABI      7
#define ELFMAG	      "\177ELF"
#define SELFMAG	      4
#define ELFCLASS64    2
#define ELFDATA2LSB   1
#define EV_CURRENT    1
#define ELFOSABI_NONE 0

#define ET_REL	1
#define ET_EXEC 2
#define ET_DYN	3
#define ET_CORE 4

#define EM_X86_64  62
#define EM_AARCH64 183

#define PT_NULL		0
#define PT_LOAD		1
#define PT_DYNAMIC	2
#define PT_INTERP	3
#define PT_NOTE		4
#define PT_SHLIB	5
#define PT_PHDR		6
#define PT_TLS		7
#define PT_GNU_STACK	0x6474e551
#define PT_GNU_PROPERTY 0x6474e553

#define PF_X 1
#define PF_W 2
#define PF_R 4

#define NT_PRSTATUS	  1
#define NT_PRFPREG	  2
#define NT_PRPSINFO	  3
#define NT_TASKSTRUCT	  4
#define NT_AUXV		  6
#define NT_GNU_BUILD_ID	  3
#define NT_ARM_TLS	  0x401
#define NT_ARM_SYSTEM_CALL 0x404

typedef __u64 Elf64_Addr;
typedef __u16 Elf64_Half;
typedef __u64 Elf64_Off;
typedef __u32 Elf64_Word;
typedef __u64 Elf64_Xword;

struct elf64_hdr {
	__u8 e_ident[EI_NIDENT];
	__u16 e_type;
	__u16 e_machine;
	__u32 e_version;
	__u64 e_entry;
	__u64 e_phoff;
	__u64 e_shoff;
	__u32 e_flags;
	__u16 e_ehsize;
	__u16 e_phentsize;
	__u16 e_phnum;
	__u16 e_shentsize;
	__u16 e_shnum;
	__u16 e_shstrndx;
};

struct elf64_phdr {
	__u32 p_type;
	__u32 p_flags;
	__u64 p_offset;
	__u64 p_vaddr;
	__u64 p_paddr;
	__u64 p_filesz;
	__u64 p_memsz;
	__u64 p_align;
};

struct elf64_note {
	__u32 n_namesz;
	__u32 n_descsz;
	__u32 n_type;
};

#endif /* _UAPI_LINUX_ELF_H */
