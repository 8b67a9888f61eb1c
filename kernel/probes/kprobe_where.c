// SPDX-License-Identifier: MIT
/*
 * Where in kernel text a probe may be: symbols, and what is excluded.
 *
 * Excluded are the section of entry code and of the probes themselves, the
 * functions marked NOPROBE (and the pieces a compiler made of them), the
 * slots of static branches, and everything before the kernel proper.  All
 * constant after the link: any context, no lock.
 */
#include <arch/probes.h>
#include <kernel/init.h>
#include <kernel/kprobe.h>
#include <kernel/ksym.h>
#include <kernel/static_key.h>
#include <lib/bitmap.h>
#include <lib/err.h>
#include <lib/hash.h>
#include <lib/noprobe.h>
#include <lib/string.h>

#include "kprobe_internal.h"

LINKSET(const char, noprobe);
extern const char _stext[], _etext[], __noinstr_start[], __noinstr_end[];

static bool is_noinstr(u64 addr)
{
	return addr >= (uintptr_t)__noinstr_start &&
	       addr < (uintptr_t)__noinstr_end;
}

/* The name in the source: without .part.0, .constprop.0 and the like. */
static void strip(char *name)
{
	char *dot = strchr(name, '.');

	if (dot && dot != name)
		*dot = '\0';
}

/* One bit for the names of some marks: most functions share it with none. */
#define SIEVE_BITS 10
static unsigned long sieve[(1 << SIEVE_BITS) / 64];	/* [I] after boot */

static size_t sieve_bit(const char *name)
{
	return hash_string(name) >> (64 - SIEVE_BITS);
}

static bool mark_name(const char *fn, char name[KSYM_NAME_MAX])
{
	u64 offset, size;

	if (!ksym_lookup((uintptr_t)fn, name, &offset, &size))
		return false;
	strip(name);
	return true;
}

static bool is_marked(const char *name)
{
	const char *const *fn;
	char other[KSYM_NAME_MAX];

	if (!bitmap_test(sieve, sieve_bit(name)))
		return false;
	linkset_for_each(fn, noprobe)
		if (mark_name(*fn, other) && streq(name, other))
			return true;
	return false;
}

static int kprobe_where_boot(void)
{
	const char *const *fn;
	char name[KSYM_NAME_MAX];

	linkset_for_each(fn, noprobe)
		if (mark_name(*fn, name))
			bitmap_set(sieve, sieve_bit(name));
	return 0;
}
INITCALL(INIT_CORE, kprobe_where_boot);

bool kprobe_allowed(u64 addr)
{
	char name[KSYM_NAME_MAX];
	u64 offset, size;

	if (addr < (uintptr_t)_stext || addr >= (uintptr_t)_etext ||
	    is_noinstr(addr) || static_key_at(addr))
		return false;
	if (!ksym_lookup(addr, name, &offset, &size))
		return false;
	strip(name);
	return !is_marked(name);
}

bool kprobe_excluded(u32 *at, u64 *start, u64 *end, char *name)
{
	u32 count = ksym_count();

	while (*at < count) {
		char type, plain[KSYM_NAME_MAX];
		u64 offset, size;

		if (!ksym_get((*at)++, start, &type, name) ||
		    (type != 't' && type != 'T') ||
		    *start < (uintptr_t)_stext || *start >= (uintptr_t)_etext)
			continue;
		strlcpy_k(plain, name, sizeof(plain));
		strip(plain);
		if (!is_noinstr(*start) && !is_marked(plain))
			continue;
		if (!ksym_lookup(*start, plain, &offset, &size))
			continue;
		*end = *start + size;
		return true;
	}
	return false;
}

bool kprobe_on_entry(u64 addr)
{
	char name[KSYM_NAME_MAX];
	u64 offset, size;

	return ksym_lookup(addr, name, &offset, &size) && !offset;
}

int kprobe_resolve(const char *symbol, u64 offset, u64 *addr)
{
	char name[KSYM_NAME_MAX];
	u64 at, size;
	u32 count;

	*addr = ksym_address(symbol, &count);
	if (!count)
		return -ENOENT;
	if (count > 1)
		return -EADDRNOTAVAIL;
	if (!ksym_lookup(*addr, name, &at, &size))
		return -ENOENT;
	*addr += offset;
	return 0;
}
