/* SPDX-License-Identifier: MIT */
/* Open flags whose values differ between architectures. */
#ifndef SONDE_ASM_FCNTL_H
#define SONDE_ASM_FCNTL_H

#define O_DIRECTORY 040000
#define O_NOFOLLOW  0100000
#define O_DIRECT    0200000
#define O_LARGEFILE 0400000

#endif /* SONDE_ASM_FCNTL_H */
