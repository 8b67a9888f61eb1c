# SPDX-License-Identifier: MIT
SRCS_probe_parse := $(addprefix kernel/probes/,parse.c fetch_parse.c)
DEFS_probe_parse := -I../unit/arm64
