/* SPDX-License-Identifier: MIT */
/*
 * Instructions of user mode that trap and are answered here: MRS of an
 * identification register, which AT_HWCAP promises with "cpuid".  A CPU with
 * FEAT_IDST reports it as a trapped system register, an older one as
 * undefined, so the instruction is read from the program.  Task context.
 */
#include <arch/impl/cpu.h>
#include <arch/impl/hwcap.h>
#include <arch/impl/sysreg.h>
#include <arch/regs.h>
#include <kernel/uaccess.h>

#define MRS_MASK  0xfff00000u
#define MRS_VALUE 0xd5300000u

static bool emulate_mrs(struct pt_regs *regs, u32 sys, u32 rt)
{
	u64 value;

	if (!arm64_id_register(sys, &value))
		return false;
	if (rt < 31)
		regs->regs[rt] = value;
	regs->pc += 4;
	return true;
}

bool arm64_emulate(struct pt_regs *regs, u64 esr)
{
	u32 insn;

	if (ESR_EC(esr) == ESR_EC_SYS64) {
		u32 iss = (u32)esr;

		if (!(iss & 1))
			return false;
		return emulate_mrs(regs,
				   SYS_REG(iss >> 20 & 3, iss >> 14 & 7,
					   iss >> 10 & 0xf, iss >> 1 & 0xf,
					   iss >> 17 & 7),
				   iss >> 5 & 31);
	}
	if (get_user(insn, (const u32 __user *)user_ptr(regs->pc)) ||
	    (insn & MRS_MASK) != MRS_VALUE)
		return false;
	/* op0 is 2 + bit 19, and the rest lies as in SYS_REG, shifted. */
	return emulate_mrs(regs, 2u << 14 | (insn >> 5 & 0x7fff), insn & 31);
}
