/* SPDX-License-Identifier: MIT */
/*
 * kernel.kptr_restrict: the one place that decides who sees kernel addresses
 * in files (kallsyms, and what tracing will print).  The two variables are
 * plain words that sysctl writes atomically; no lock.
 */
#include <kernel/cred.h>
#include <kernel/kptr.h>
#include <lib/atomic.h>

s32 sysctl_kptr_restrict;
s32 sysctl_dmesg_restrict = 1;
s32 sysctl_perf_event_paranoid = 3;

bool kptr_may_show(const struct cred *cred)
{
	switch (load_relaxed(&sysctl_kptr_restrict)) {
	case 0:
		if (load_relaxed(&sysctl_perf_event_paranoid) <= 1)
			return true;
		return cred_has(cred, CAP_SYSLOG);
	case 1:
		return cred_has(cred, CAP_SYSLOG);
	default:
		return false;
	}
}
