# SPDX-License-Identifier: MIT
# Compiler and linker flags of this architecture, for all kernel code.

CFLAGS += -m64 -mno-red-zone -mgeneral-regs-only -mcmodel=kernel \
	-fcf-protection=none
AFLAGS += -m64
LDFLAGS += -m elf_x86_64
