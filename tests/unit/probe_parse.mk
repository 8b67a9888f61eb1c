# SPDX-License-Identifier: MIT
# Definitions of probes as text.
SRCS_probe_parse := $(addprefix kernel/probes/,parse.c fetch_parse.c)
INC_probe_parse := -Iarm64
