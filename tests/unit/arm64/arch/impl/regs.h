/* SPDX-License-Identifier: MIT */
/* The architecture's own, for its pure code on the host. */
#ifndef UNIT_ARM64_REGS_H
#define UNIT_ARM64_REGS_H
#include "../../../../../arch/arm64/include/arch/impl/regs.h"
#endif
