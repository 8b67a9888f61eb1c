/* SPDX-License-Identifier: MIT */
/*
 * Changing kernel text at run time, under W^X, through a writable alias.
 * <arch/impl/text.h>: ARCH_INSN_SIZE, u32 arch_insn_nop(void),
 * u32 arch_insn_branch(u64 from, u64 to), and the asm-goto inline
 *
 *   bool arch_static_branch(struct static_key *key)
 *
 * which emits one nop and an entry in the __static_keys section, which the
 * link bounds by __start_static_keys and __stop_static_keys.
 */
#ifndef SONDE_ARCH_TEXT_H
#define SONDE_ARCH_TEXT_H

#include <lib/types.h>

struct static_key;

#include <arch/impl/text.h>

/*
 * Replace one instruction at addr.  Only instruction pairs that the Arm ARM
 * (B2.2.5, concurrent modification and execution) allows live: B, BL, NOP,
 * BRK, HVC, SMC, SVC, ISB.  Task context, text mutex held.
 */
int arch_text_patch(void *addr, u32 insn);

struct arch_text_word {
	u64 addr;
	u32 insn;
};

/*
 * Any instructions, with every other CPU parked meanwhile.  0, or -EINVAL: one
 * is not in the text, none is written.  Task context, text mutex held.
 */
int arch_text_write_stopped(const struct arch_text_word *words, u32 n);

#endif /* SONDE_ARCH_TEXT_H */
