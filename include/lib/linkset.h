/* SPDX-License-Identifier: MIT */
/*
 * Linker sets: tables that grow by linking an object file.
 *
 * LINKSET_ADD(set, object) drops a pointer to the object into the section
 * set_<set>; the linker provides its bounds because the section's name is a C
 * identifier. The reader declares LINKSET(type, set) once at file level and
 * walks with linkset_for_each(), where the cursor points at the pointers. The
 * order is the link's: sort where order matters.
 */
#ifndef SONDE_LIB_LINKSET_H
#define SONDE_LIB_LINKSET_H

#include <lib/compiler.h>

#define LINKSET_ADD(set, object)                                               \
	static const void *const __unique_id(__linkset_##set##_) __used        \
	__section(__stringify(set_##set)) = &(object)

/* Weak bounds: an empty set is a set of none, not a link error. */
#define LINKSET(type, set)                                                     \
	extern type *const __start_set_##set[] __weak;                         \
	extern type *const __stop_set_##set[] __weak

#define linkset_for_each(pos, set)                                             \
	for ((pos) = __start_set_##set; (pos) < __stop_set_##set; (pos)++)

#endif /* SONDE_LIB_LINKSET_H */
