// SPDX-License-Identifier: MIT
/*
 * What <lib/list.h> calls when a list's links disagree (CONFIG_DEBUG_LIST).
 * Does not return: a broken list means that memory is already wrong.
 */
#include <kernel/panic.h>
#include <lib/list.h>

void list_corrupt(const char *what, const void *entry)
{
	panic("%s (entry %p)", what, entry);
}
