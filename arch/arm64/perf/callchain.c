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

u32 arch_perf_user_chain(const struct pt_regs *regs, u64 *pc, u32 max)
{
	struct frame_record record;
	u64 fp = regs_fp(regs);
	u32 nr = 0;

	if (!max)
		return 0;
	pc[nr++] = regs_ip(regs);
	while (nr < max && fp && !(fp & 0xf)) {
		if (copy_user_nofault(&record, user_ptr(fp), sizeof(record)))
			break;
		pc[nr++] = record.lr;
		/* Frames lie upwards: anything else is no chain. */
		if (record.fp <= fp)
			break;
		fp = record.fp;
	}
	return nr;
}
