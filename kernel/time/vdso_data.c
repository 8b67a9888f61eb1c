/* SPDX-License-Identifier: MIT */
/*
 * The data page of the vDSO: the clock's conversion and the wall-clock offset.
 *
 * Written at boot and when the wall clock is set, by one writer at a time
 * (kernel/time's lock).  The page holds nothing else, so mapping it shows user
 * space nothing that is not its business.
 */
#include <kernel/time.h>
#include <kernel/vdso.h>
#include <lib/atomic.h>

#include "internal.h"

union vdso_data_page vdso_data_page __aligned(4096);

void time_vdso_update(u64 real_offset_ns)
{
	struct vdso_data *d = &vdso_data_page.data;

	WRITE_ONCE(d->seq, d->seq + 1);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	WRITE_ONCE(d->mult, time_conv.mult);
	WRITE_ONCE(d->shift, time_conv.shift);
	WRITE_ONCE(d->coarse_ns, TICK_NS);
	WRITE_ONCE(d->base_cycles, time_conv.base_cycles);
	WRITE_ONCE(d->real_offset_ns, real_offset_ns);
	store_release(&d->seq, d->seq + 1);
}
