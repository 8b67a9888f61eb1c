/* SPDX-License-Identifier: MIT */
/*
 * Functions in which no probe may be placed although they are ordinary text:
 * what runs between an exception and the moment when a nested one is safe
 * again, or while this CPU is taken for idle.  Entry code and what a probe
 * itself runs lies in the section of __noinstr instead.
 */
#ifndef SONDE_LIB_NOPROBE_H
#define SONDE_LIB_NOPROBE_H

#include <lib/linkset.h>

/* At file level, behind the function. */
#define NOPROBE(fn) LINKSET_ADD(noprobe, fn)

#endif /* SONDE_LIB_NOPROBE_H */
