# SPDX-License-Identifier: MIT
SRCS_perf_pure := $(addprefix kernel/perf/,ring_core.c layout.c period.c \
	attr_check.c)
DEFS_perf_pure := -DCONFIG_PERF=1
