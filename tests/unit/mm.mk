# SPDX-License-Identifier: MIT
# All of kernel/mm on a machine made of an arena (mm_arch/, mm_fakes.h).
SRCS_mm := $(filter-out kernel/mm/%_debug.c,$\
	$(patsubst $(ROOT)/%,%,$(wildcard $(ROOT)/kernel/mm/*.c)))
INC_mm := -Imm_arch
DEFS_mm := -DCONFIG_DEBUG_ASSERT=1 -D__KERNEL__
