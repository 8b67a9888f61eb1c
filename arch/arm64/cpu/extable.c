/* SPDX-License-Identifier: MIT */
/*
 * The table of instructions that may fault on user memory.
 *
 * Entries {instruction, fix-up} are relative to their own place.  They are
 * sorted once at boot, while the table can still be written; look-up is by
 * bisection, in any context and without a lock.
 */
#include <arch/impl/cpu.h>
#include <arch/regs.h>
#include <arch/uaccess.h>
#include <lib/sort.h>

extern struct arm64_extable __start_ex_table[], __stop_ex_table[];

static int by_insn(const void *a, const void *b)
{
	const struct arm64_extable *x = a, *y = b;

	return x->insn < y->insn ? -1 : x->insn > y->insn;
}

/* For the sort all offsets count from the first entry. */
static void rebase(s32 sign)
{
	struct arm64_extable *entry;

	for (entry = __start_ex_table; entry < __stop_ex_table; entry++) {
		s32 at = (s32)((char *)entry - (char *)__start_ex_table);

		entry->insn += sign * at;
		entry->fixup += sign * at;
	}
}

void arm64_extable_sort(void)
{
	rebase(1);
	sort(__start_ex_table, (size_t)(__stop_ex_table - __start_ex_table),
	     sizeof(__start_ex_table[0]), by_insn);
	rebase(-1);
}

static const struct arm64_extable *find(u64 pc)
{
	const struct arm64_extable *low = __start_ex_table;
	size_t count = (size_t)(__stop_ex_table - __start_ex_table);

	while (count) {
		const struct arm64_extable *mid = low + count / 2;
		u64 insn = (uintptr_t)&mid->insn + (u64)(s64)mid->insn;

		if (insn == pc)
			return mid;
		if (insn < pc) {
			low = mid + 1;
			count -= count / 2 + 1;
		} else {
			count /= 2;
		}
	}
	return NULL;
}

bool arm64_in_extable(u64 pc)
{
	return find(pc);
}

bool arch_fixup_exception(struct pt_regs *regs)
{
	const struct arm64_extable *entry = find(regs->pc);

	if (!entry)
		return false;
	regs->pc = (uintptr_t)&entry->fixup + (u64)(s64)entry->fixup;
	return true;
}
