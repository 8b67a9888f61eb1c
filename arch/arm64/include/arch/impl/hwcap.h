/* SPDX-License-Identifier: MIT */
/*
 * Capabilities that user programs are told of; the table is in
 * cpu/features.c.  Also the numbering of identification registers.
 */
#ifndef SONDE_ARM64_HWCAP_H
#define SONDE_ARM64_HWCAP_H

#include <lib/types.h>

/* {op0 3, op1 0, CRn 0, CRm, op2} as one number. */
#define SYS_REG(op0, op1, crn, crm, op2) \
	((op0) << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))
#define SYS_ID(crm, op2) SYS_REG(3u, 0u, 0u, (u32)(crm), (u32)(op2))

enum arm64_id {
	ID_NONE,
	ID_PFR0,
	ID_PFR1,
	ID_ISAR0,
	ID_ISAR1,
	ID_ISAR2,
	ID_MMFR0,
	ID_MMFR1,
	ID_MMFR2,
	ID_COUNT,
};

struct arm64_hwcap {
	u8 id;		/* enum arm64_id; ID_NONE: always present */
	u8 shift;
	s8 min;
	bool is_signed;
	u8 word;	/* 0: AT_HWCAP, 1: AT_HWCAP2 */
	u8 bit;
	const char *name;
};

extern const struct arm64_hwcap arm64_hwcaps[];
extern const u32 arm64_nr_hwcaps;

#endif /* SONDE_ARM64_HWCAP_H */
