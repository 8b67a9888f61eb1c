// SPDX-License-Identifier: MIT
/*
 * The build id of an ELF file: where it may stand, what hides it, and random
 * damage, after which nothing outside the buffer may be read.
 */
#include <lib/elf_note.h>
#include <lib/ktest.h>
#include <linux/elf.h>

#include "host.h"

struct file {
	struct elf64_hdr h;
	struct elf64_phdr p[2];
	struct elf64_note other;
	char other_name[4];
	u8 other_desc[8];
	struct elf64_note note;
	char name[4];
	u8 id[ELF_BUILD_ID_MAX];
};

#define NOTES __builtin_offsetof(struct file, other)

static void build(struct file *f)
{
	memset(f, 0, sizeof(*f));
	memcpy(f->h.e_ident, "\177ELF\2\1\1", 7);
	f->h.e_phoff = sizeof(f->h);
	f->h.e_phentsize = sizeof(struct elf64_phdr);
	f->h.e_phnum = 2;
	f->p[0] = (struct elf64_phdr){ .p_type = PT_LOAD, .p_filesz = 99 };
	f->p[1] = (struct elf64_phdr){ .p_type = PT_NOTE,
				       .p_offset = NOTES,
				       .p_filesz = sizeof(*f) - NOTES };
	f->other = (struct elf64_note){ 3, 7, 1 };
	memcpy(f->other_name, "abc", 4);
	f->note = (struct elf64_note){ 4, ELF_BUILD_ID_MAX, NT_GNU_BUILD_ID };
	memcpy(f->name, "GNU", 4);
	for (u32 i = 0; i < ELF_BUILD_ID_MAX; i++)
		f->id[i] = (u8)(i + 1);
}

/* Of exactly len bytes, so that a step beyond is seen. */
static u32 find(const struct file *f, size_t len, u8 *id)
{
	void *exact = host_alloc(len);
	u32 size;

	memcpy(exact, f, len);
	memset(id, 0xee, ELF_BUILD_ID_MAX);
	size = elf_build_id(exact, len, id);
	host_free(exact);
	return size;
}

#define EXPECT_SIZE(size, ...)                                        \
	do {                                                          \
		build(&f);                                            \
		__VA_ARGS__;                                          \
		KT_EXPECT_EQ(find(&f, sizeof(f), id), (u32)(size));   \
	} while (0)

KTEST(build_id_rules)
{
	u8 id[ELF_BUILD_ID_MAX];
	struct file f;

	EXPECT_SIZE(20, (void)0);
	KT_EXPECT(!memcmp(id, f.id, ELF_BUILD_ID_MAX));
	EXPECT_SIZE(16, f.note.n_descsz = 16);
	KT_EXPECT(!memcmp(id, f.id, 16) && !id[16] && !id[19]);
	KT_EXPECT_EQ(find(&f, sizeof(f.h) - 1, id), 0);
	KT_EXPECT_EQ(find(&f, sizeof(f) - 1, id), 0);
	EXPECT_SIZE(0, f.h.e_ident[0] = 'E');
	EXPECT_SIZE(0, f.h.e_ident[EI_CLASS] = 1);
	EXPECT_SIZE(0, f.h.e_phnum = 1);
	EXPECT_SIZE(20, f.h.e_phnum = 0xffff);
	EXPECT_SIZE(0, f.h.e_phoff = U64_MAX - 50);
	EXPECT_SIZE(0, f.p[1].p_type = PT_LOAD);
	EXPECT_SIZE(0, f.p[1].p_filesz++);
	EXPECT_SIZE(0, f.p[1].p_filesz = U64_MAX);
	EXPECT_SIZE(0, f.p[1].p_offset = U64_MAX);
	EXPECT_SIZE(0, f.other.n_namesz = 0xffffffff);
	EXPECT_SIZE(0, f.other.n_descsz = 0xffffffff);
	EXPECT_SIZE(0, f.note.n_type = 1);
	EXPECT_SIZE(0, f.note.n_descsz = 0);
	EXPECT_SIZE(0, f.note.n_descsz = 21);
	EXPECT_SIZE(0, f.name[3] = 'X');
}

KTEST(build_id_hostile)
{
	u8 id[ELF_BUILD_ID_MAX];
	u64 seed = 7;

	for (int trial = 0; trial < 100000; trial++) {
		struct file f;

		build(&f);
		for (int k = kt_random(&seed) % 4; k >= 0; k--)
			((u8 *)&f)[kt_random(&seed) % sizeof(f)] =
				trial & 1 ? (u8)kt_random(&seed) : 0xff;
		KT_REQUIRE(find(&f, kt_random(&seed) % sizeof(f) + 1, id) <=
			   ELF_BUILD_ID_MAX);
	}
}
