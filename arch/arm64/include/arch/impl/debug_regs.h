/* SPDX-License-Identifier: MIT */
/*
 * Breakpoint and watchpoint registers of arm64 by number, and the bits of
 * their control registers.  Own CPU; the caller synchronises with an ISB.
 */
#ifndef SONDE_ARM64_DEBUG_REGS_H
#define SONDE_ARM64_DEBUG_REGS_H

#include <arch/impl/sysreg.h>

#define DBG_SLOTS_MAX	  16
#define DBG_E		  (1u << 0)
#define DBG_EL1		  (1u << 1)
#define DBG_EL0		  (2u << 1)
#define DBG_LSC_SHIFT	  3	/* 1: load, 2: store */
#define DBG_BAS_SHIFT	  5
#define DBG_BAS(ctrl)	  ((ctrl) >> DBG_BAS_SHIFT & 0xff)
#define DBG_LSC(ctrl)	  ((ctrl) >> DBG_LSC_SHIFT & 3)

#define MDSCR_SS	  (1u << 0)
#define MDSCR_KDE	  (1u << 13)
#define MDSCR_MDE	  (1u << 15)

#define DBG_CASE(reg, n)						\
	case n:								\
		write_sysreg(value, reg##n##_el1);			\
		break

/* dbg_write_bvr(n, value), ..._bcr, ..._wvr, ..._wcr */
#define DBG_WRITER(name, reg)						\
	static inline void name(u32 n, u64 value)			\
	{								\
		switch (n) {						\
		DBG_CASE(reg, 0);					\
		DBG_CASE(reg, 1);					\
		DBG_CASE(reg, 2);					\
		DBG_CASE(reg, 3);					\
		DBG_CASE(reg, 4);					\
		DBG_CASE(reg, 5);					\
		DBG_CASE(reg, 6);					\
		DBG_CASE(reg, 7);					\
		DBG_CASE(reg, 8);					\
		DBG_CASE(reg, 9);					\
		DBG_CASE(reg, 10);					\
		DBG_CASE(reg, 11);					\
		DBG_CASE(reg, 12);					\
		DBG_CASE(reg, 13);					\
		DBG_CASE(reg, 14);					\
		DBG_CASE(reg, 15);					\
		}							\
	}

DBG_WRITER(dbg_write_bvr, dbgbvr)
DBG_WRITER(dbg_write_bcr, dbgbcr)
DBG_WRITER(dbg_write_wvr, dbgwvr)
DBG_WRITER(dbg_write_wcr, dbgwcr)

static inline void dbg_isb(void)
{
	__asm__ __volatile__("isb" ::: "memory");
}

#endif /* SONDE_ARM64_DEBUG_REGS_H */
