/* SPDX-License-Identifier: MIT */
/* A machine for the host test of kernel/mm: no clock. */
#include <lib/types.h>
