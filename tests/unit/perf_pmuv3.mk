# SPDX-License-Identifier: MIT
# The PMUv3 backend on an array of registers.
SRCS_perf_pmuv3 := $(addprefix arch/arm64/perf/,pmuv3.c pmuv3_events.c) \
	kernel/perf/period.c
DEFS_perf_pmuv3 := -DCONFIG_PERF=1
