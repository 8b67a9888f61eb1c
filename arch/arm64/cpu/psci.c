/* SPDX-License-Identifier: MIT */
/*
 * Calls to the firmware by the conduit that the device tree names (HVC or
 * SMC).  The conduit is found at the first call and never changes; any
 * context after arch_boot_info().
 */
#include <arch/boot.h>
#include <arch/impl/cpu.h>
#include <lib/err.h>
#include <lib/fdt.h>
#include <lib/string.h>

enum conduit {
	CONDUIT_UNKNOWN,
	CONDUIT_NONE,
	CONDUIT_HVC,
	CONDUIT_SMC,
};

static enum conduit conduit;

static enum conduit find_conduit(void)
{
	static const char *const names[] = { "arm,psci-1.0", "arm,psci-0.2" };
	const struct fdt *fdt = arch_fdt();
	const char *method;
	int node = -1;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(names) && node < 0 && fdt; i++)
		node = fdt_find_compatible(fdt, -1, names[i]);
	if (node < 0)
		return CONDUIT_NONE;
	method = fdt_prop_string(fdt, node, "method");
	if (method && streq(method, "hvc"))
		return CONDUIT_HVC;
	if (method && streq(method, "smc"))
		return CONDUIT_SMC;
	return CONDUIT_NONE;
}

#define FIRMWARE_CALL(insn)                                              \
	__asm__ __volatile__(insn " #0"                                  \
			     : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3)    \
			     :                                           \
			     : "x4", "x5", "x6", "x7", "x8", "x9", "x10", \
			       "x11", "x12", "x13", "x14", "x15", "x16", \
			       "x17", "memory")

long arm64_psci(u64 fn, u64 a1, u64 a2, u64 a3)
{
	register u64 x0 __asm__("x0");
	register u64 x1 __asm__("x1");
	register u64 x2 __asm__("x2");
	register u64 x3 __asm__("x3");

	if (conduit == CONDUIT_UNKNOWN)
		conduit = find_conduit();
	x0 = fn;
	x1 = a1;
	x2 = a2;
	x3 = a3;
	if (conduit == CONDUIT_HVC)
		FIRMWARE_CALL("hvc");
	else if (conduit == CONDUIT_SMC)
		FIRMWARE_CALL("smc");
	else
		return -EOPNOTSUPP;
	return (long)(s32)x0;
}
