// SPDX-License-Identifier: MIT
/*
 * The kernel's own symbols: lookup by address, by name, and in order.
 *
 * Entry points: <kernel/ksym.h>. The table is made at link time by
 * scripts/kallsyms (which documents its layout) and lies in read-only data:
 * any context, no lock. While the table is being made the image is linked with
 * an empty one, which must work here too.
 */
#include <kernel/ksym.h>
#include <lib/minmax.h>
#include <lib/printf.h>
#include <lib/string.h>

/* From scripts/kallsyms; ksym_offsets has one entry more than the count. */
extern const u32 ksym_table_count;
extern const u32 ksym_offsets[];
extern const u32 ksym_name_pos[];
extern const char ksym_names[];

extern const char _text[], _etext[], _end[];

static u64 base(void)
{
	return (uintptr_t)_text;
}

static const char *name_of(u32 n)
{
	return &ksym_names[ksym_name_pos[n] + 1];
}

/* The first of the symbols at the highest address not above offset. */
static u32 find(u32 offset)
{
	u32 low = 0;
	u32 high = ksym_table_count;

	while (high - low > 1) {
		u32 middle = low + (high - low) / 2;

		if (ksym_offsets[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	while (low && ksym_offsets[low - 1] == ksym_offsets[low])
		low--;
	return low;
}

bool ksym_lookup(u64 addr, char name[KSYM_NAME_MAX], u64 *offset, u64 *size)
{
	u32 n, end;

	if (!ksym_table_count || addr < base() || addr >= (uintptr_t)_end)
		return false;
	n = find((u32)(addr - base()));
	if (ksym_offsets[n] > addr - base())
		return false;
	for (end = n + 1; end < ksym_table_count; end++)
		if (ksym_offsets[end] != ksym_offsets[n])
			break;
	strlcpy_k(name, name_of(n), KSYM_NAME_MAX);
	*offset = addr - base() - ksym_offsets[n];
	*size = ksym_offsets[end] - ksym_offsets[n];
	return true;
}

u64 ksym_address(const char *name, u32 *count)
{
	u64 addr = 0;
	u32 found = 0;

	for (u32 n = 0; n < ksym_table_count; n++) {
		if (!streq(name_of(n), name))
			continue;
		if (!found++)
			addr = base() + ksym_offsets[n];
	}
	if (count)
		*count = found;
	return addr;
}

bool ksym_get(u32 n, u64 *addr, char *type, char name[KSYM_NAME_MAX])
{
	if (n >= ksym_table_count)
		return false;
	*addr = base() + ksym_offsets[n];
	*type = ksym_names[ksym_name_pos[n]];
	strlcpy_k(name, name_of(n), KSYM_NAME_MAX);
	return true;
}

u32 ksym_count(void)
{
	return ksym_table_count;
}

size_t ksym_format(char *buf, size_t size, u64 addr)
{
	char name[KSYM_NAME_MAX];
	u64 offset, length;

	if (!ksym_lookup(addr, name, &offset, &length))
		return 0;
	return scnprintf(buf, size, "%s+0x%llx/0x%llx", name, offset, length);
}

static int format_hook(char *buf, size_t size, uintptr_t addr)
{
	return (int)ksym_format(buf, size, addr);
}

void ksym_init(void)
{
	printf_symbol_hook = format_hook;
}

bool ksym_is_text(u64 addr)
{
	return addr >= base() && addr < (uintptr_t)_etext;
}
