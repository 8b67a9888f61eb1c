/* SPDX-License-Identifier: MIT */
/*
 * What exec asks of the architecture.  <arch/impl/elf.h>: ARCH_ELF_MACHINE,
 * ARCH_PLATFORM ("aarch64"), ARCH_ELF_DYN_BASE (load bias of a PIE before
 * randomisation), ARCH_STACK_TOP, ARCH_SIGFRAME_BYTES (AT_MINSIGSTKSZ: the most
 * that a signal frame takes), ARCH_MINSIGSTKSZ (smallest alternate stack).
 */
#ifndef SONDE_ARCH_ELF_H
#define SONDE_ARCH_ELF_H

#include <lib/types.h>

#include <arch/impl/elf.h>

/* AT_HWCAP and AT_HWCAP2: only what switch and signal frame carry. */
u64 arch_elf_hwcap(void);
u64 arch_elf_hwcap2(void);

/* The text of /proc/cpuinfo for one CPU; returns bytes written. */
size_t arch_cpuinfo(u32 cpu, char *buf, size_t size);

/* uname -m */
const char *arch_machine_name(void);

/*
 * The vDSO image (code pages) and its size; the data page before it belongs
 * to kernel/time.  arch_vdso_sigreturn is the trampoline's offset in it.
 */
const void *arch_vdso_image(size_t *size);
u64 arch_vdso_sigreturn(void);

#endif /* SONDE_ARCH_ELF_H */
