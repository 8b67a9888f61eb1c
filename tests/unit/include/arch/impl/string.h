/* SPDX-License-Identifier: MIT */
/*
 * The host as an architecture: nothing in assembly, so that the portable
 * memory functions are what is tested.
 */
#ifndef SONDE_UNIT_ARCH_STRING_H
#define SONDE_UNIT_ARCH_STRING_H
#endif
