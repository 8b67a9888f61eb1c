// SPDX-License-Identifier: MIT
/*
 * ELF headers: a sound file, each rule broken once, and random damage, after
 * which whatever is accepted must still keep the promises of the header.
 * tests/guest/badelf.c asks exec for the same, on both kernels.
 */
#include <lib/elf_parse.h>
#include <lib/err.h>
#include <lib/ktest.h>
#include <lib/minmax.h>

#include "host.h"

#define PAGE  4096ULL
#define LIMIT (1ULL << 48)
#define COUNT 5

struct file {
	struct elf64_hdr h;
	struct elf64_phdr p[COUNT];
};

static void build(struct file *f)
{
	memset(f, 0, sizeof(*f));
	memcpy(f->h.e_ident, "\177ELF\2\1\1", 7);
	f->h.e_type = ET_DYN;
	f->h.e_machine = EM_AARCH64;
	f->h.e_entry = 0x1000;
	f->h.e_phoff = sizeof(f->h);
	f->h.e_phentsize = sizeof(struct elf64_phdr);
	f->h.e_phnum = COUNT;
	f->p[0] = (struct elf64_phdr){ .p_type = PT_INTERP,
				       .p_offset = 0x300,
				       .p_filesz = 20 };
	f->p[1] = (struct elf64_phdr){ .p_type = PT_LOAD,
				       .p_filesz = 0x2000,
				       .p_memsz = 0x2000,
				       .p_align = 0x10000 };
	f->p[2] = (struct elf64_phdr){ .p_type = PT_LOAD,
				       .p_offset = 0x2010,
				       .p_vaddr = 0x13010,
				       .p_filesz = 0x100,
				       .p_memsz = 0x5000,
				       .p_align = 0x1000 };
	f->p[3] = (struct elf64_phdr){ .p_type = PT_GNU_STACK,
				       .p_flags = PF_R | PF_W };
	f->p[4] = (struct elf64_phdr){ .p_type = PT_NOTE };
}

static int parse(const struct file *f, struct elf_info *info)
{
	int err = elf_parse_header(&f->h, sizeof(f->h), EM_AARCH64, info);
	struct elf64_phdr *exact;

	if (err)
		return err;
	if (info->phdr_count > COUNT)
		return -E2BIG; /* the copy below has no more */
	exact = host_alloc(elf_phdrs_bytes(info));
	memcpy(exact, f->p, elf_phdrs_bytes(info));
	err = elf_parse_phdrs(exact, PAGE, info);
	host_free(exact);
	return err;
}

KTEST(elf_sound_file)
{
	struct elf_info info;
	struct file f;

	build(&f);
	KT_REQUIRE(parse(&f, &info) == 0);
	KT_EXPECT(info.is_program && info.is_dyn);
	KT_EXPECT_EQ(info.entry, 0x1000);
	KT_EXPECT_EQ(info.nr_loads, 2);
	KT_EXPECT_EQ(info.load_start, 0);
	KT_EXPECT_EQ(info.load_bytes, 0x18010);
	KT_EXPECT_EQ(info.align, 0x10000);
	KT_EXPECT_EQ(info.phdr_vaddr, sizeof(f.h));
	KT_EXPECT_EQ(info.interp_offset, 0x300);
	KT_EXPECT_EQ(info.interp_size, 20);
	KT_EXPECT(info.has_stack && !info.stack_exec);
}

#define EXPECT_BROKEN(want, statement)                                         \
	do {                                                                   \
		build(&f);                                                     \
		statement;                                                     \
		KT_EXPECT_EQ(parse(&f, &info), want);                          \
	} while (0)

KTEST(elf_rules)
{
	struct elf_info info;
	struct file f;

	build(&f);
	KT_EXPECT_EQ(elf_parse_header(&f, sizeof(f.h) - 1, EM_AARCH64, &info),
		     -ENOEXEC);
	EXPECT_BROKEN(-ENOEXEC, f.h.e_ident[0] = 'E');
	EXPECT_BROKEN(-ENOEXEC, f.h.e_machine = EM_X86_64);
	EXPECT_BROKEN(-ENOEXEC, f.h.e_phentsize = 55);
	EXPECT_BROKEN(-ENOEXEC, f.h.e_phnum = 0);
	EXPECT_BROKEN(-ENOEXEC, f.h.e_phnum = ELF_MAX_PHDRS + 1);
	EXPECT_BROKEN(-ENOEXEC, f.h.e_phoff = U64_MAX);
	EXPECT_BROKEN(-ENOEXEC, f.p[0].p_filesz = 1);
	EXPECT_BROKEN(-ENOEXEC, f.p[0].p_filesz = ELF_PATH_MAX + 1);
	/* Nobody looks at these. */
	EXPECT_BROKEN(0, f.h.e_ident[EI_CLASS] = 1);
	EXPECT_BROKEN(0, f.h.e_ident[EI_DATA] = 2);
	EXPECT_BROKEN(0, f.h.e_version = 7);
	EXPECT_BROKEN(0, f.p[2].p_align = 3);
}

/* What is only found when the segments are mapped. */
KTEST(elf_late)
{
	struct elf_info info;
	struct file f;

	EXPECT_BROKEN(0, f.h.e_type = ET_REL);
	KT_EXPECT(!info.is_program);
	EXPECT_BROKEN(0, f.p[1].p_type = f.p[2].p_type = PT_NULL);
	KT_EXPECT_EQ(info.nr_loads, 0);
	KT_EXPECT_EQ(info.load_bytes, 0);
	EXPECT_BROKEN(0, f.p[1].p_type = PT_NULL);
	KT_EXPECT_EQ(info.load_start, 0x13000);
	KT_EXPECT_EQ(info.load_bytes, 0x5010);
	KT_EXPECT_EQ(info.phdr_vaddr, 0);
	EXPECT_BROKEN(0, f.p[2].p_vaddr = U64_MAX - 0xfef);
	KT_EXPECT_EQ(info.load_bytes, 0x4010);
	/* The first name counts, the second is not even looked at. */
	EXPECT_BROKEN(0, f.p[4] = f.p[0]; f.p[4].p_filesz = 0);
	KT_EXPECT_EQ(info.interp_size, 20);
}

KTEST(elf_segment_rule)
{
	struct elf64_phdr p = { .p_filesz = 0x10, .p_memsz = 0x20 };

	KT_EXPECT(elf_segment_fits(&p, 0, LIMIT));
	KT_EXPECT(elf_segment_fits(&p, LIMIT - 0x20, LIMIT));
	KT_EXPECT(!elf_segment_fits(&p, LIMIT - 0x1f, LIMIT));
	KT_EXPECT(!elf_segment_fits(&p, LIMIT, LIMIT));
	KT_EXPECT(!elf_segment_fits(&p, U64_MAX, LIMIT));
	p.p_filesz = 0x21;
	KT_EXPECT(!elf_segment_fits(&p, 0, LIMIT));
	p.p_memsz = p.p_filesz = LIMIT;
	KT_EXPECT(elf_segment_fits(&p, 0, LIMIT));
	KT_EXPECT(!elf_segment_fits(&p, 1, LIMIT));
	p.p_memsz = U64_MAX;
	KT_EXPECT(!elf_segment_fits(&p, 0, LIMIT));
	p.p_memsz = p.p_filesz = 0;
	KT_EXPECT(elf_segment_fits(&p, LIMIT - 1, LIMIT));
	KT_EXPECT(!elf_segment_fits(&p, LIMIT, LIMIT));
}

KTEST(elf_hostile)
{
	u64 seed = 13;

	for (int trial = 0; trial < 100000; trial++) {
		struct elf_info info;
		struct file f;
		u32 loads = 0;

		build(&f);
		for (int k = kt_random(&seed) % 4; k >= 0; k--)
			((u8 *)&f)[kt_random(&seed) % sizeof(f)] =
				trial & 1 ? (u8)kt_random(&seed) : 0xff;
		if (parse(&f, &info))
			continue;
		KT_REQUIRE(info.load_start % PAGE == 0);
		KT_REQUIRE(is_pow2(info.align) && info.align >= PAGE);
		KT_REQUIRE(!info.interp_size ||
			   (info.interp_size >= 2 &&
			    info.interp_size <= ELF_PATH_MAX));
		for (u32 i = 0; i < info.phdr_count; i++) {
			const struct elf64_phdr *p = &f.p[i];

			if (p->p_type != PT_LOAD)
				continue;
			loads++;
			KT_REQUIRE(info.load_start <= p->p_vaddr);
			if (!elf_segment_fits(p, p->p_vaddr, LIMIT))
				continue;
			KT_REQUIRE(p->p_vaddr + p->p_memsz <= LIMIT);
			KT_REQUIRE(p->p_filesz <= p->p_memsz);
		}
		KT_REQUIRE(info.nr_loads == loads);
	}
}
