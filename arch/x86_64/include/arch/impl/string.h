/* SPDX-License-Identifier: MIT */
/*
 * x86_64 takes the portable memory primitives of kernel/lib as long as it has
 * none of its own; contract in <arch/string.h>.
 */
#ifndef SONDE_X86_STRING_H
#define SONDE_X86_STRING_H

#endif /* SONDE_X86_STRING_H */
