/* SPDX-License-Identifier: MIT */
/* A machine for the host test of kernel/mm: one CPU. */
struct task;
extern struct task *unit_current;
static inline unsigned long arch_percpu_offset(void)
{
	return 0;
}
static inline struct task *arch_current(void)
{
	return unit_current;
}
