// SPDX-License-Identifier: MIT
/*
 * Facts about call chains: how long, which contexts, from which side.
 * only: tags
 * tags: facts
 * timeout: 100
 */
#define _GNU_SOURCE
#include "perf_work.h"

static __attribute__((noinline)) void deep(int n, int fd)
{
	if (n)
		deep(n - 1, fd);
	else
		touch(fd);
	asm volatile("" ::: "memory");
}

static __attribute__((noinline)) int spin_deep(int n, int fd, struct ring *r)
{
	if (n)
		spin_deep(n - 1, fd, r);
	else
		spin(fd, r, 100);
	asm volatile("" ::: "memory");
	return n;
}

static const char *chain_words(u64 *w, u64 ip)
{
	char out[300] = "";
	int at = 0, n = 0, inside = 0;

	for (u64 i = 1; i <= w[0]; i++) {
		if (w[i] >= (u64)PERF_CONTEXT_MAX) {
			if (n)
				at += sprintf(out + at, "%d ", n);
			n = 0;
			at += sprintf(out + at, "%s ",
				      w[i] == (u64)PERF_CONTEXT_USER ? "USER" :
				      w[i] == (u64)PERF_CONTEXT_KERNEL ?
				      "KERNEL" : "?");
			if (i < w[0])
				inside += w[i + 1] == ip;
			continue;
		}
		n++;
	}
	sprintf(out + at, "%d%s", n, inside ? ", ip first" : "");
	return text("%s", out);
}

static void chains(void)
{
	for (int max = 0; max < 140; max += max < 3 ? 1 : max < 60 ? 27 : 35)
		for (int how = 0; how < 4; how++) {
			struct perf_event_attr a = FAULTS(
				.sample_type = PERF_SAMPLE_IP |
					       PERF_SAMPLE_CALLCHAIN,
				.sample_max_stack = max,
				.exclude_callchain_kernel = how & 1,
				.exclude_callchain_user = how >> 1);
			struct perf_event_header *h;
			struct ring r;
			long fd = open_event(&a, 0, -1, -1, 0);

			if (fd < 0) {
				fact(answer_of(fd), "chain of %d, %d", max,
				     how);
				continue;
			}
			ring_map(&r, fd, 16);
			deep(150, fd);
			h = ring_next(&r);
			fact(h ? chain_words((u64 *)(h + 1) + 1,
					     *(u64 *)(h + 1)) : "no sample",
			     "chain of %d without kernel %d user %d", max,
			     how & 1, how >> 1);
			ring_unmap(&r);
			close(fd);
		}
}

/* Chains that begin in the kernel go on in the program. */
static void chains_in_kernel(void)
{
	for (int how = 0; how < 4; how++) {
		struct perf_event_attr a = SW(CPU_CLOCK, .disabled = 1,
			.sample_period = 1000000, .exclude_user = 1,
			.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN,
			.exclude_callchain_kernel = how & 1,
			.exclude_callchain_user = how >> 1);
		int fd = must_open(&a, 0, -1, -1, 0), n = 0, odd = 0;
		int kernel = 0, user = 0, both = 0, deepest = 0;
		struct perf_event_header *h;
		struct ring r;

		ring_map(&r, fd, 64);
		spin_deep(20, fd, &r);
		while ((h = ring_next(&r))) {
			u64 *w = (u64 *)(h + 1), users = 0;
			bool k = false, u = false;

			if (h->type != PERF_RECORD_SAMPLE)
				continue;
			for (u64 i = 2; i < 2 + w[1]; i++) {
				if (w[i] == (u64)PERF_CONTEXT_KERNEL)
					k = true;
				else if (w[i] == (u64)PERF_CONTEXT_USER)
					u = true;
				else if (u)
					users++;
				else
					odd += !(w[i] >> 63);
			}
			n++;
			kernel += k;
			user += u;
			both += k && u;
			deepest = users > deepest ? users : deepest;
		}
		fact(n > 5 ? "some" : "few", "chains in the kernel, %d", how);
		fact(text("%s with kernel, %s with user, %d odd, %s",
			  kernel == n ? "all" : kernel ? "some" : "none",
			  user == n ? "all" : user ? "some" : "none", odd,
			  deepest >= 20 ? "deep" : "flat"),
		     "of those without kernel %d user %d", how & 1, how >> 1);
		ring_unmap(&r);
		close(fd);
	}
}

int main(void)
{
	settle();
	bind_to(0, 0);
	make_fresh();
	chains();
	chains_in_kernel();
	return ktap_done();
}
