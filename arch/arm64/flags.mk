# SPDX-License-Identifier: MIT
# Compiler and linker flags of this architecture, for all kernel code.

CFLAGS += -mgeneral-regs-only -mno-outline-atomics -mcmodel=small \
	-mbranch-protection=none -mstrict-align
AFLAGS += -mbranch-protection=none
LDFLAGS += -m aarch64elf
