/* SPDX-License-Identifier: MIT */
/*
 * Ending the machine.  None returns.  arch_power_off(status) with a non-zero
 * status ends an emulator with a failing status where semihosting answers
 * (SYS_EXIT_EXTENDED), else it is a plain PSCI SYSTEM_OFF.  Any context.
 */
#ifndef SONDE_ARCH_POWER_H
#define SONDE_ARCH_POWER_H

#include <lib/compiler.h>

void arch_power_off(int status) __noreturn;
void arch_reboot(void) __noreturn;

#endif /* SONDE_ARCH_POWER_H */
