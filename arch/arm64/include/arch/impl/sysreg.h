/* SPDX-License-Identifier: MIT */
/*
 * System registers of arm64: access by name, and the fields that more than
 * one file uses.  read_sysreg(midr_el1); registers that the assembler may not
 * know are named by SYS_REG(op0, op1, crn, crm, op2) as S3_0_C... text.
 */
#ifndef SONDE_ARM64_SYSREG_H
#define SONDE_ARM64_SYSREG_H

/* Syndrome: class, length bit and specific part. */
#define ESR_EC_SHIFT	  26
#define ESR_EC(esr)	  ((u32)((esr) >> ESR_EC_SHIFT) & 0x3f)
#define ESR_ISS_MASK	  0x1ffffffu
#define ESR_EC_UNKNOWN	  0x00
#define ESR_EC_WFX	  0x01
#define ESR_EC_FP_ACCESS  0x07
#define ESR_EC_PAC	  0x09
#define ESR_EC_BTI	  0x0d
#define ESR_EC_ILL	  0x0e
#define ESR_EC_SVC64	  0x15
#define ESR_EC_SYS64	  0x18
#define ESR_EC_SVE	  0x19
#define ESR_EC_FPAC	  0x1c
#define ESR_EC_SME	  0x1d
#define ESR_EC_IABT_LOW	  0x20
#define ESR_EC_IABT_CUR	  0x21
#define ESR_EC_PC_ALIGN	  0x22
#define ESR_EC_DABT_LOW	  0x24
#define ESR_EC_DABT_CUR	  0x25
#define ESR_EC_SP_ALIGN	  0x26
#define ESR_EC_MOPS	  0x27
#define ESR_EC_FP_EXC64	  0x2c
#define ESR_EC_SERROR	  0x2f
#define ESR_EC_BREAK_LOW  0x30
#define ESR_EC_BREAK_CUR  0x31
#define ESR_EC_STEP_LOW	  0x32
#define ESR_EC_STEP_CUR	  0x33
#define ESR_EC_WATCH_LOW  0x34
#define ESR_EC_WATCH_CUR  0x35
#define ESR_EC_BRK64	  0x3c

/* Aborts. */
#define ESR_FSC(esr)	  ((u32)(esr) & 0x3f)
#define ESR_FSC_TYPE(esr) ((u32)(esr) & 0x3c)
#define ESR_FSC_ADDR_SIZE 0x00
#define ESR_FSC_TRANS	  0x04
#define ESR_FSC_ACCESS	  0x08
#define ESR_FSC_PERM	  0x0c
#define ESR_FSC_EXTABT	  0x10
#define ESR_FSC_ALIGN	  0x21
#define ESR_WNR		  (1u << 6)
#define ESR_CM		  (1u << 8)
#define ESR_FNV		  (1u << 10)

/* SCTLR_EL1 */
#define SCTLR_M	      (1 << 0)
#define SCTLR_C	      (1 << 2)
#define SCTLR_SA      (1 << 3)
#define SCTLR_SA0     (1 << 4)
#define SCTLR_EOS     (1 << 11)
#define SCTLR_I	      (1 << 12)
#define SCTLR_DZE     (1 << 14)
#define SCTLR_UCT     (1 << 15)
#define SCTLR_NTWI    (1 << 16)
#define SCTLR_NTWE    (1 << 18)
#define SCTLR_WXN     (1 << 19)
#define SCTLR_TSCXT   (1 << 20)
#define SCTLR_EIS     (1 << 22)
#define SCTLR_SPAN    (1 << 23)
#define SCTLR_UCI     (1 << 26)
#define SCTLR_LSMAOE  (1 << 29)
#define SCTLR_NTLSMD  (1 << 28)
#define SCTLR_RES1    (SCTLR_LSMAOE | SCTLR_NTLSMD | SCTLR_TSCXT | \
		       SCTLR_EIS | SCTLR_EOS)
/* SPAN clear: every exception taken to EL1 sets PAN. */
#define SCTLR_EL1_ON                                                     \
	(SCTLR_RES1 | SCTLR_M | SCTLR_C | SCTLR_I | SCTLR_SA | SCTLR_SA0 | \
	 SCTLR_DZE | SCTLR_UCT | SCTLR_NTWI | SCTLR_NTWE | SCTLR_UCI)
#define SCTLR_EL1_OFF (SCTLR_RES1 | SCTLR_SPAN)

/* TCR_EL1: 48-bit halves, 4 KiB granule, inner shareable write-back walks. */
#define TCR_T0SZ(va)   (64 - (va))
#define TCR_T1SZ(va)   ((64 - (va)) << 16)
#define TCR_WALK_TTBR0 (1 << 8 | 1 << 10 | 3 << 12)
#define TCR_WALK_TTBR1 (1 << 24 | 1 << 26 | 3 << 28)
#define TCR_TG1_4K     (2 << 30)
#define TCR_IPS_SHIFT  32
#define TCR_AS16_SHIFT 36
#define TCR_TBI0_SHIFT 37
#define TCR_HA_SHIFT   39
#define TCR_HD_SHIFT   40

/* Memory attributes; the index is in the entry (see <arch/impl/mmu.h>). */
#define MAIR_NORMAL    0
#define MAIR_NORMAL_NC 1
#define MAIR_DEVICE    2
#define MAIR_DEVICE_NE 3
#define MAIR_EL1_VALUE 0x000444ff

#ifndef __ASSEMBLY__

#include <lib/compiler.h>
#include <lib/types.h>

#define read_sysreg(reg)                                                  \
	__extension__({                                                   \
		u64 sysreg_val_;                                          \
		__asm__ __volatile__("mrs %0, " __stringify(reg)          \
				     : "=r"(sysreg_val_));                \
		sysreg_val_;                                              \
	})

#define write_sysreg(val, reg)                                            \
	__asm__ __volatile__("msr " __stringify(reg) ", %x0"              \
			     :                                            \
			     : "rZ"((u64)(val))                           \
			     : "memory")

/* Names for what an older assembler does not know. */
#define SYS_ICC_IAR1_EL1    s3_0_c12_c12_0
#define SYS_ICC_EOIR1_EL1   s3_0_c12_c12_1
#define SYS_ICC_HPPIR1_EL1  s3_0_c12_c12_2
#define SYS_ICC_BPR1_EL1    s3_0_c12_c12_3
#define SYS_ICC_CTLR_EL1    s3_0_c12_c12_4
#define SYS_ICC_SRE_EL1	    s3_0_c12_c12_5
#define SYS_ICC_IGRPEN1_EL1 s3_0_c12_c12_7
#define SYS_ICC_DIR_EL1	    s3_0_c12_c11_1
#define SYS_ICC_RPR_EL1	    s3_0_c12_c11_3
#define SYS_ICC_SGI1R_EL1   s3_0_c12_c11_5
#define SYS_ICC_PMR_EL1	    s3_0_c4_c6_0
#define SYS_RNDR	    s3_3_c2_c4_0
#define SYS_ID_AA64ZFR0_EL1 s3_0_c0_c4_4
#define SYS_ID_AA64SMFR0_EL1 s3_0_c0_c4_5
#define SYS_ID_AA64ISAR2_EL1 s3_0_c0_c6_2
#define SYS_ID_AA64MMFR2_EL1 s3_0_c0_c7_2

#endif /* __ASSEMBLY__ */

#endif /* SONDE_ARM64_SYSREG_H */
