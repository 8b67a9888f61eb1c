/* SPDX-License-Identifier: MIT */
/* The architecture's own, for its pure code on the host. */
#ifndef UNIT_ARM64_LAYOUT_H
#define UNIT_ARM64_LAYOUT_H
#include "../../../../../arch/arm64/include/arch/impl/layout.h"
#endif
