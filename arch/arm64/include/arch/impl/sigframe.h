/* SPDX-License-Identifier: MIT */
/*
 * The signal frame of arm64, as programs and unwinders know it: siginfo, then
 * a user context whose machine part ends in 4096 bytes of tagged records.
 * Above it on the stack lies a frame record of the interrupted code.
 */
#ifndef SONDE_ARM64_SIGFRAME_H
#define SONDE_ARM64_SIGFRAME_H

#include <lib/types.h>
#include <linux/signal.h>

#define FPSIMD_MAGIC 0x46508001u
#define ESR_MAGIC    0x45535201u
#define EXTRA_MAGIC  0x45585401u

struct sig_record {
	u32 magic;
	u32 size;
};

struct sig_fpsimd {
	struct sig_record head;
	u32 fpsr;
	u32 fpcr;
	u64 v[64];
};

struct sig_esr {
	struct sig_record head;
	u64 esr;
};

#define SIG_RECORD_BYTES 4096

/* Everything up to the records. */
struct sig_context {
	u64 uc_flags;
	u64 uc_link;
	struct user_stack uc_stack;
	u64 uc_sigmask;
	u8 unused[128];
	u64 fault_address;
	u64 regs[31];
	u64 sp;
	u64 pc;
	u64 pstate;
	u64 pad;
};

struct sig_frame {
	struct siginfo info;
	struct sig_context uc;
	u8 records[SIG_RECORD_BYTES];
};

struct sig_frame_record {
	u64 fp;
	u64 lr;
};

BUILD_ASSERT(sizeof(struct siginfo) == 128);
BUILD_ASSERT(OFFSET_OF(struct sig_context, fault_address) == 176);
BUILD_ASSERT(sizeof(struct sig_context) == 464);
BUILD_ASSERT(sizeof(struct sig_frame) == 4688);
BUILD_ASSERT(sizeof(struct sig_fpsimd) == 528);

#endif /* SONDE_ARM64_SIGFRAME_H */
