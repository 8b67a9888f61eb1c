/* SPDX-License-Identifier: MIT */
/*
 * Events without a source here (quiet.h): softirqs, timers, work queues, ..
 */
#include "quiet.h"

#include <kernel/init.h>
#include <lib/compiler.h>

static const struct trace_field ipi_entry_fields[] = {
	{ "const char *", "reason", "", 8, 8, false },
};
static const char ipi_entry_print[] = {
	"\"(%s)\", REC->reason"
};

static const struct trace_field ipi_exit_fields[] = {
	{ "const char *", "reason", "", 8, 8, false },
};
static const char ipi_exit_print[] = {
	"\"(%s)\", REC->reason"
};

static const struct trace_field ipi_raise_fields[] = {
	{ "__data_loc unsigned long[]", "target_cpus", "", 8, 4, false },
	{ "const char *", "reason", "", 16, 8, false },
};
static const char ipi_raise_print[] = {
	"\"target_mask=%s (%s)\", "
	"__get_bitmask(target_cpus), REC->reason"
};

static const struct trace_field softirq_entry_fields[] = {
	{ "unsigned int", "vec", "", 8, 4, false },
};
static const char softirq_entry_print[] = {
	"\"vec=%u [action=%s]\", REC->vec, "
	"__print_symbolic(REC->vec, { 0, \"HI\" }, { 1, "
	"\"TIMER\" }, { 2, \"NET_TX\" }, { 3, \"NET_RX\" }, "
	"{ 4, \"BLOCK\" }, { 5, \"IRQ_POLL\" }, { 6, "
	"\"TASKLET\" }, { 7, \"SCHED\" }, { 8, \"HRTIMER\" "
	"}, { 9, \"RCU\" })"
};

static const struct trace_field softirq_exit_fields[] = {
	{ "unsigned int", "vec", "", 8, 4, false },
};
static const char softirq_exit_print[] = {
	"\"vec=%u [action=%s]\", REC->vec, "
	"__print_symbolic(REC->vec, { 0, \"HI\" }, { 1, "
	"\"TIMER\" }, { 2, \"NET_TX\" }, { 3, \"NET_RX\" }, "
	"{ 4, \"BLOCK\" }, { 5, \"IRQ_POLL\" }, { 6, "
	"\"TASKLET\" }, { 7, \"SCHED\" }, { 8, \"HRTIMER\" "
	"}, { 9, \"RCU\" })"
};

static const struct trace_field softirq_raise_fields[] = {
	{ "unsigned int", "vec", "", 8, 4, false },
};
static const char softirq_raise_print[] = {
	"\"vec=%u [action=%s]\", REC->vec, "
	"__print_symbolic(REC->vec, { 0, \"HI\" }, { 1, "
	"\"TIMER\" }, { 2, \"NET_TX\" }, { 3, \"NET_RX\" }, "
	"{ 4, \"BLOCK\" }, { 5, \"IRQ_POLL\" }, { 6, "
	"\"TASKLET\" }, { 7, \"SCHED\" }, { 8, \"HRTIMER\" "
	"}, { 9, \"RCU\" })"
};

static const struct trace_field tasklet_entry_fields[] = {
	{ "void *", "tasklet", "", 8, 8, false },
	{ "void *", "func", "", 16, 8, false },
};
static const char tasklet_entry_print[] = {
	"\"tasklet=%ps function=%ps\", REC->tasklet, "
	"REC->func"
};

static const struct trace_field tasklet_exit_fields[] = {
	{ "void *", "tasklet", "", 8, 8, false },
	{ "void *", "func", "", 16, 8, false },
};
static const char tasklet_exit_print[] = {
	"\"tasklet=%ps function=%ps\", REC->tasklet, "
	"REC->func"
};

static const struct trace_field cpu_frequency_fields[] = {
	{ "u32", "state", "", 8, 4, false },
	{ "u32", "cpu_id", "", 12, 4, false },
};
static const char cpu_frequency_print[] = {
	"\"state=%lu cpu_id=%lu\", (unsigned "
	"long)REC->state, (unsigned long)REC->cpu_id"
};

static const struct trace_field sched_pi_setprio_fields[] = {
	{ "char", "comm", "[16]", 8, 16, false },
	{ "pid_t", "pid", "", 24, 4, true },
	{ "int", "oldprio", "", 28, 4, true },
	{ "int", "newprio", "", 32, 4, true },
};
static const char sched_pi_setprio_print[] = {
	"\"comm=%s pid=%d oldprio=%d newprio=%d\", "
	"REC->comm, REC->pid, REC->oldprio, REC->newprio"
};

static const struct trace_field sched_stat_blocked_fields[] = {
	{ "char", "comm", "[16]", 8, 16, false },
	{ "pid_t", "pid", "", 24, 4, true },
	{ "u64", "delay", "", 32, 8, false },
};
static const char sched_stat_blocked_print[] = {
	"\"comm=%s pid=%d delay=%Lu [ns]\", REC->comm, "
	"REC->pid, (unsigned long long)REC->delay"
};

static const struct trace_field sched_stat_iowait_fields[] = {
	{ "char", "comm", "[16]", 8, 16, false },
	{ "pid_t", "pid", "", 24, 4, true },
	{ "u64", "delay", "", 32, 8, false },
};
static const char sched_stat_iowait_print[] = {
	"\"comm=%s pid=%d delay=%Lu [ns]\", REC->comm, "
	"REC->pid, (unsigned long long)REC->delay"
};

static const struct trace_field sched_stat_sleep_fields[] = {
	{ "char", "comm", "[16]", 8, 16, false },
	{ "pid_t", "pid", "", 24, 4, true },
	{ "u64", "delay", "", 32, 8, false },
};
static const char sched_stat_sleep_print[] = {
	"\"comm=%s pid=%d delay=%Lu [ns]\", REC->comm, "
	"REC->pid, (unsigned long long)REC->delay"
};

static const struct trace_field sched_stat_wait_fields[] = {
	{ "char", "comm", "[16]", 8, 16, false },
	{ "pid_t", "pid", "", 24, 4, true },
	{ "u64", "delay", "", 32, 8, false },
};
static const char sched_stat_wait_print[] = {
	"\"comm=%s pid=%d delay=%Lu [ns]\", REC->comm, "
	"REC->pid, (unsigned long long)REC->delay"
};

static const struct trace_field hrtimer_cancel_fields[] = {
	{ "void *", "hrtimer", "", 8, 8, false },
};
static const char hrtimer_cancel_print[] = {
	"\"hrtimer=%p\", REC->hrtimer"
};

static const struct trace_field hrtimer_expire_entry_fields[] = {
	{ "void *", "hrtimer", "", 8, 8, false },
	{ "s64", "now", "", 16, 8, true },
	{ "void *", "function", "", 24, 8, false },
};
static const char hrtimer_expire_entry_print[] = {
	"\"hrtimer=%p function=%ps now=%llu\", REC->hrtimer, "
	"REC->function, (unsigned long long) REC->now"
};

static const struct trace_field hrtimer_expire_exit_fields[] = {
	{ "void *", "hrtimer", "", 8, 8, false },
};
static const char hrtimer_expire_exit_print[] = {
	"\"hrtimer=%p\", REC->hrtimer"
};

static const struct trace_field hrtimer_init_fields[] = {
	{ "void *", "hrtimer", "", 8, 8, false },
	{ "clockid_t", "clockid", "", 16, 4, true },
	{ "enum hrtimer_mode", "mode", "", 20, 4, false },
};
static const char hrtimer_init_print[] = {
	"\"hrtimer=%p clockid=%s mode=%s\", REC->hrtimer, "
	"__print_symbolic(REC->clockid, { 0, "
	"\"CLOCK_REALTIME\" }, { 1, \"CLOCK_MONOTONIC\" }, { "
	"7, \"CLOCK_BOOTTIME\" }, { 11, \"CLOCK_TAI\" }), "
	"__print_symbolic(REC->mode, { HRTIMER_MODE_ABS, "
	"\"ABS\" }, { HRTIMER_MODE_REL, \"REL\" }, { "
	"HRTIMER_MODE_ABS_PINNED, \"ABS|PINNED\" }, { "
	"HRTIMER_MODE_REL_PINNED, \"REL|PINNED\" }, { "
	"HRTIMER_MODE_ABS_SOFT, \"ABS|SOFT\" }, { "
	"HRTIMER_MODE_REL_SOFT, \"REL|SOFT\" }, { "
	"HRTIMER_MODE_ABS_PINNED_SOFT, \"ABS|PINNED|SOFT\" "
	"}, { HRTIMER_MODE_REL_PINNED_SOFT, "
	"\"REL|PINNED|SOFT\" }, { HRTIMER_MODE_ABS_HARD, "
	"\"ABS|HARD\" }, { HRTIMER_MODE_REL_HARD, "
	"\"REL|HARD\" }, { HRTIMER_MODE_ABS_PINNED_HARD, "
	"\"ABS|PINNED|HARD\" }, { "
	"HRTIMER_MODE_REL_PINNED_HARD, \"REL|PINNED|HARD\" })"
};

static const struct trace_field hrtimer_start_fields[] = {
	{ "void *", "hrtimer", "", 8, 8, false },
	{ "void *", "function", "", 16, 8, false },
	{ "s64", "expires", "", 24, 8, true },
	{ "s64", "softexpires", "", 32, 8, true },
	{ "enum hrtimer_mode", "mode", "", 40, 4, false },
	{ "bool", "was_armed", "", 44, 1, false },
};
static const char hrtimer_start_print[] = {
	"\"hrtimer=%p function=%ps expires=%llu "
	"softexpires=%llu mode=%s was_armed=%d\", "
	"REC->hrtimer, REC->function, (unsigned long long) "
	"REC->expires, (unsigned long long) "
	"REC->softexpires, __print_symbolic(REC->mode, { "
	"HRTIMER_MODE_ABS, \"ABS\" }, { HRTIMER_MODE_REL, "
	"\"REL\" }, { HRTIMER_MODE_ABS_PINNED, "
	"\"ABS|PINNED\" }, { HRTIMER_MODE_REL_PINNED, "
	"\"REL|PINNED\" }, { HRTIMER_MODE_ABS_SOFT, "
	"\"ABS|SOFT\" }, { HRTIMER_MODE_REL_SOFT, "
	"\"REL|SOFT\" }, { HRTIMER_MODE_ABS_PINNED_SOFT, "
	"\"ABS|PINNED|SOFT\" }, { "
	"HRTIMER_MODE_REL_PINNED_SOFT, \"REL|PINNED|SOFT\" "
	"}, { HRTIMER_MODE_ABS_HARD, \"ABS|HARD\" }, { "
	"HRTIMER_MODE_REL_HARD, \"REL|HARD\" }, { "
	"HRTIMER_MODE_ABS_PINNED_HARD, \"ABS|PINNED|HARD\" "
	"}, { HRTIMER_MODE_REL_PINNED_HARD, "
	"\"REL|PINNED|HARD\" }), REC->was_armed"
};

static const struct trace_field itimer_expire_fields[] = {
	{ "int", "which", "", 8, 4, true },
	{ "pid_t", "pid", "", 12, 4, true },
	{ "unsigned long long", "now", "", 16, 8, false },
};
static const char itimer_expire_print[] = {
	"\"which=%d pid=%d now=%llu\", REC->which, (int) "
	"REC->pid, REC->now"
};

static const struct trace_field itimer_state_fields[] = {
	{ "int", "which", "", 8, 4, true },
	{ "unsigned long long", "expires", "", 16, 8, false },
	{ "long", "value_sec", "", 24, 8, true },
	{ "long", "value_nsec", "", 32, 8, true },
	{ "long", "interval_sec", "", 40, 8, true },
	{ "long", "interval_nsec", "", 48, 8, true },
};
static const char itimer_state_print[] = {
	"\"which=%d expires=%llu it_value=%ld.%06ld "
	"it_interval=%ld.%06ld\", REC->which, REC->expires, "
	"REC->value_sec, REC->value_nsec / 1000L, "
	"REC->interval_sec, REC->interval_nsec / 1000L"
};

static const struct trace_field tick_stop_fields[] = {
	{ "int", "success", "", 8, 4, true },
	{ "int", "dependency", "", 12, 4, true },
};
static const char tick_stop_print[] = {
	"\"success=%d dependency=%s\", REC->success, "
	"__print_symbolic(REC->dependency, { 0, \"NONE\" }, "
	"{ (1 << 0), \"POSIX_TIMER\" }, { (1 << 1), "
	"\"PERF_EVENTS\" }, { (1 << 2), \"SCHED\" }, { (1 << "
	"3), \"CLOCK_UNSTABLE\" }, { (1 << 4), \"RCU\" }, { "
	"(1 << 5), \"RCU_EXP\" })"
};

static const struct trace_field timer_cancel_fields[] = {
	{ "void *", "timer", "", 8, 8, false },
};
static const char timer_cancel_print[] = {
	"\"timer=%p\", REC->timer"
};

static const struct trace_field timer_expire_entry_fields[] = {
	{ "void *", "timer", "", 8, 8, false },
	{ "unsigned long", "now", "", 16, 8, false },
	{ "void *", "function", "", 24, 8, false },
	{ "unsigned long", "baseclk", "", 32, 8, false },
};
static const char timer_expire_entry_print[] = {
	"\"timer=%p function=%ps now=%lu baseclk=%lu\", "
	"REC->timer, REC->function, REC->now, REC->baseclk"
};

static const struct trace_field timer_expire_exit_fields[] = {
	{ "void *", "timer", "", 8, 8, false },
};
static const char timer_expire_exit_print[] = {
	"\"timer=%p\", REC->timer"
};

static const struct trace_field timer_init_fields[] = {
	{ "void *", "timer", "", 8, 8, false },
};
static const char timer_init_print[] = {
	"\"timer=%p\", REC->timer"
};

static const struct trace_field timer_start_fields[] = {
	{ "void *", "timer", "", 8, 8, false },
	{ "void *", "function", "", 16, 8, false },
	{ "unsigned long", "expires", "", 24, 8, false },
	{ "unsigned long", "now", "", 32, 8, false },
	{ "unsigned int", "flags", "", 40, 4, false },
};
static const char timer_start_print[] = {
	"\"timer=%p function=%ps expires=%lu [timeout=%ld] "
	"cpu=%u idx=%u flags=%s\", REC->timer, "
	"REC->function, REC->expires, (long)REC->expires - "
	"REC->now, REC->flags & 0x0003FFFF, REC->flags >> "
	"22, __print_flags(REC->flags & (0x00040000 | "
	"0x00080000 | 0x00100000 | 0x00200000), \"|\", { "
	"0x00040000, \"M\" }, { 0x00080000, \"D\" }, { "
	"0x00100000, \"P\" }, { 0x00200000, \"I\" })"
};

static const struct trace_field workqueue_activate_work_fields[] = {
	{ "void *", "work", "", 8, 8, false },
};
static const char workqueue_activate_work_print[] = {
	"\"work struct %p\", REC->work"
};

static const struct trace_field workqueue_execute_end_fields[] = {
	{ "void *", "work", "", 8, 8, false },
	{ "void *", "function", "", 16, 8, false },
};
static const char workqueue_execute_end_print[] = {
	"\"work struct %p: function %ps\", REC->work, "
	"REC->function"
};

static const struct trace_field workqueue_execute_start_fields[] = {
	{ "void *", "work", "", 8, 8, false },
	{ "void *", "function", "", 16, 8, false },
};
static const char workqueue_execute_start_print[] = {
	"\"work struct %p: function %ps\", REC->work, "
	"REC->function"
};

static const struct trace_field workqueue_queue_work_fields[] = {
	{ "void *", "work", "", 8, 8, false },
	{ "void *", "function", "", 16, 8, false },
	{ "__data_loc char[]", "workqueue", "", 24, 4, false },
	{ "int", "req_cpu", "", 28, 4, true },
	{ "int", "cpu", "", 32, 4, true },
};
static const char workqueue_queue_work_print[] = {
	"\"work struct=%p function=%ps workqueue=%s "
	"req_cpu=%d cpu=%d\", REC->work, REC->function, "
	"__get_str(workqueue), REC->req_cpu, REC->cpu"
};

static struct trace_event events[] = {
	QUIET(ipi, ipi_entry, 16),
	QUIET(ipi, ipi_exit, 16),
	QUIET(ipi, ipi_raise, 24),
	QUIET(irq, softirq_entry, 12),
	QUIET(irq, softirq_exit, 12),
	QUIET(irq, softirq_raise, 12),
	QUIET(irq, tasklet_entry, 24),
	QUIET(irq, tasklet_exit, 24),
	QUIET(power, cpu_frequency, 16),
	QUIET(sched, sched_pi_setprio, 36),
	QUIET(sched, sched_stat_blocked, 40),
	QUIET(sched, sched_stat_iowait, 40),
	QUIET(sched, sched_stat_sleep, 40),
	QUIET(sched, sched_stat_wait, 40),
	QUIET(timer, hrtimer_cancel, 16),
	QUIET(timer, hrtimer_expire_entry, 32),
	QUIET(timer, hrtimer_expire_exit, 16),
	QUIET(timer, hrtimer_init, 24),
	QUIET(timer, hrtimer_start, 48),
	QUIET(timer, itimer_expire, 24),
	QUIET(timer, itimer_state, 56),
	QUIET(timer, tick_stop, 16),
	QUIET(timer, timer_cancel, 16),
	QUIET(timer, timer_expire_entry, 40),
	QUIET(timer, timer_expire_exit, 16),
	QUIET(timer, timer_init, 16),
	QUIET(timer, timer_start, 44),
	QUIET(workqueue, workqueue_activate_work, 16),
	QUIET(workqueue, workqueue_execute_end, 24),
	QUIET(workqueue, workqueue_execute_start, 24),
	QUIET(workqueue, workqueue_queue_work, 36),
};

static int quiet_boot(void)
{
	return trace_quiet_register(events, ARRAY_SIZE(events));
}
INITCALL(INIT_FS, quiet_boot);
