/* SPDX-License-Identifier: MIT */
/*
 * The vDSO image for exec, and where its trampoline is (see vdso/vdso.ld).
 */
#include <arch/elf.h>

#define SIGRETURN_OFFSET 0x800

extern const char arm64_vdso_start[], arm64_vdso_end[];

const void *arch_vdso_image(size_t *size)
{
	*size = (size_t)(arm64_vdso_end - arm64_vdso_start);
	return arm64_vdso_start;
}

u64 arch_vdso_sigreturn(void)
{
	return SIGRETURN_OFFSET;
}
