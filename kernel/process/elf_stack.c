/* SPDX-License-Identifier: MIT */
/*
 * The first stack of a program: strings, random bytes, and the block of
 * argc, argv, envp and the auxiliary vector that a program finds at its
 * stack pointer.
 */
#include <arch/elf.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/random.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/auxvec.h>
#include <linux/mman.h>
#include <linux/resource.h>

#include "elf_load.h"
#include "exec.h"

#define STACK_AHEAD	(128u << 10)	/* mapped before it is asked for */
#define STACK_ALIGN	16
#define STACK_JITTER	8191		/* of the stack pointer in its page */

int elf_make_stack(struct exec *x, bool executable)
{
	struct mm *mm = current->mm;
	u64 top = PAGE_DOWN(ARCH_STACK_TOP - mm_random_stack());
	u64 strings = x->argv.len + x->envp.len + strlen(x->name) + 1 + 8;
	u64 block = (x->argv.count + x->envp.count + 64) * sizeof(u64);
	u64 size = PAGE_ALIGN(strings + block) + STACK_AHEAD;
	u32 prot = PROT_READ | PROT_WRITE | (executable ? PROT_EXEC : 0);
	struct vma *vma;
	long ret;

	size = min_t(u64, size, max_t(u64, PAGE_ALIGN(strings + block +
						      2 * PAGE_SIZE),
				      PAGE_DOWN(rlimit_cur(current,
							   RLIMIT_STACK))));
	ret = mm_map(NULL, top - size, size, prot,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_GROWSDOWN |
			     MAP_STACK, 0);
	if (IS_ERR_VALUE((unsigned long)ret))
		return (int)ret;
	rwsem_write_lock(&mm->mmap_lock);
	vma = vma_lookup(mm, top - size);
	if (vma)
		vma->flags |= VM_STACK;
	rwsem_write_unlock(&mm->mmap_lock);
	return exec_write_strings(x, top);
}

/* Pointers to `count` strings that lie one behind the other at addr. */
static u64 *put_pointers(u64 *at, const struct exec_text *t, u64 addr)
{
	const char *s = t->buf;

	for (u32 i = 0; i < t->count; i++) {
		size_t bytes = strlen(s) + 1;

		*at++ = addr;
		addr += bytes;
		s += bytes;
	}
	*at++ = 0;
	return at;
}

static u32 make_auxv(u64 *av, const struct exec *x,
		     const struct elf_image *main,
		     const struct elf_image *interp, u64 random, u64 platform)
{
	const struct cred *c = current->cred;
	struct mm *mm = current->mm;
	u64 *at = av;

#define AUX(type, value) (*at++ = (type), *at++ = (value))
	if (mm->vdso)
		AUX(AT_SYSINFO_EHDR, mm->vdso);
	AUX(AT_MINSIGSTKSZ, ARCH_SIGFRAME_BYTES);
	AUX(AT_HWCAP, arch_elf_hwcap());
	AUX(AT_PAGESZ, PAGE_SIZE);
	AUX(AT_CLKTCK, USER_HZ);
	AUX(AT_PHDR, main->info.phdr_vaddr ?
			     main->bias + main->info.phdr_vaddr : 0);
	AUX(AT_PHENT, sizeof(struct elf64_phdr));
	AUX(AT_PHNUM, main->info.phdr_count);
	AUX(AT_BASE, interp->file ? interp->bias : 0);
	AUX(AT_FLAGS, 0);
	AUX(AT_ENTRY, main->bias + main->info.entry);
	AUX(AT_UID, c->uid);
	AUX(AT_EUID, c->euid);
	AUX(AT_GID, c->gid);
	AUX(AT_EGID, c->egid);
	AUX(AT_SECURE, x->secure);
	AUX(AT_RANDOM, random);
	AUX(AT_HWCAP2, arch_elf_hwcap2());
	AUX(AT_EXECFN, mm->env_end);
	AUX(AT_PLATFORM, platform);
	AUX(AT_NULL, 0);
#undef AUX
	return (u32)(at - av);
}

int elf_fill_stack(struct exec *x, const struct elf_image *main,
		   const struct elf_image *interp, u64 *sp)
{
	static const char platform[] = ARCH_PLATFORM;
	struct mm *mm = current->mm;
	u64 jitter = mm_random_stack() ? random_u64() & STACK_JITTER : 0;
	u64 at = ALIGN_DOWN(x->strings - jitter, STACK_ALIGN);
	u64 platform_at, random_at, *block, *p;
	u8 random[16];
	u32 words, naux;
	int err;

	platform_at = at -= sizeof(platform);
	if (copy_to_user(user_ptr(at), platform, sizeof(platform)))
		return -EFAULT;
	random_bytes(random, sizeof(random));
	random_at = at -= sizeof(random);
	if (copy_to_user(user_ptr(at), random, sizeof(random)))
		return -EFAULT;

	BUILD_ASSERT(SIZEOF_FIELD(struct mm, auxv) >= 44 * sizeof(u64));
	naux = make_auxv(mm->auxv, x, main, interp, random_at, platform_at);
	words = 1 + x->argv.count + 1 + x->envp.count + 1 + naux;
	block = kmalloc(words * sizeof(u64), GFP_KERNEL);
	if (!block)
		return -ENOMEM;
	p = block;
	*p++ = x->argv.count;
	p = put_pointers(p, &x->argv, mm->arg_start);
	p = put_pointers(p, &x->envp, mm->env_start);
	memcpy(p, mm->auxv, naux * sizeof(u64));
	at = ALIGN_DOWN(at - words * sizeof(u64), STACK_ALIGN);
	err = copy_to_user(user_ptr(at), block, words * sizeof(u64));
	kfree(block);
	mm->stack_start = at;
	*sp = at;
	return err;
}
