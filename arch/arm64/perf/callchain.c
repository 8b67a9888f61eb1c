/* SPDX-License-Identifier: MIT */
/*
 * User call chains by frame pointers.  Memory is read only by the no-fault
 * copy: any context, the overflow interrupt included.  (Kernel chains are
 * arch_stack_walk's.)
 */
#include <arch/perf.h>
#include <arch/regs.h>
#include <kernel/uaccess.h>

/* The procedure call standard's frame record. */
struct frame_record {
	u64 fp;
	u64 lr;
};

void arch_perf_user_chain(const struct pt_regs *regs,
			  bool (*store)(void *cookie, u64 pc), void *cookie)
{
	struct frame_record record;
	u64 fp = regs_fp(regs);

	if (!store(cookie, regs_ip(regs)))
		return;
	while (fp && !(fp & 0xf)) {
		if (copy_user_nofault(&record, user_ptr(fp), sizeof(record)))
			return;
		if (!store(cookie, record.lr))
			return;
		/* Frames lie upwards: anything else is no chain. */
		if (record.fp <= fp)
			return;
		fp = record.fp;
	}
}
