# SPDX-License-Identifier: MIT
# Which A64 instructions may be probed, and the effect of the simulated ones.
SRCS_arm64_probes := $(addprefix arch/arm64/probes/,decode.c simulate.c)
INC_arm64_probes := -Iarm64
