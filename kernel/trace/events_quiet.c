/* SPDX-License-Identifier: MIT */
/*
 * Events without a source here (quiet.h): softirqs, coarse timers, ..
 */
#include "quiet.h"

#include <kernel/init.h>
#include <lib/compiler.h>

static const struct trace_field file_check_and_advance_wb_err_fields[] = {
	{ "struct file *", "file", "", 8, 8, false },
	{ "unsigned long", "i_ino", "", 16, 8, false },
	{ "dev_t", "s_dev", "", 24, 4, false },
	{ "errseq_t", "old", "", 28, 4, false },
	{ "errseq_t", "new", "", 32, 4, false },
};
static const char file_check_and_advance_wb_err_print[] = {
	"\"file=%p dev=%d:%d ino=0x%lx old=0x%x new=0x%x\", "
	"REC->file, ((unsigned int) ((REC->s_dev) >> 20)), "
	"((unsigned int) ((REC->s_dev) & ((1U << 20) - 1))), "
	"REC->i_ino, REC->old, REC->new"
};

static const struct trace_field filemap_set_wb_err_fields[] = {
	{ "unsigned long", "i_ino", "", 8, 8, false },
	{ "dev_t", "s_dev", "", 16, 4, false },
	{ "errseq_t", "errseq", "", 20, 4, false },
};
static const char filemap_set_wb_err_print[] = {
	"\"dev=%d:%d ino=0x%lx errseq=0x%x\", "
	"((unsigned int) ((REC->s_dev) >> 20)), "
	"((unsigned int) ((REC->s_dev) & ((1U << 20) - 1))), "
	"REC->i_ino, REC->errseq"
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

static const struct trace_field sched_stat_iowait_fields[] = {
	{ "char", "comm", "[16]", 8, 16, false },
	{ "pid_t", "pid", "", 24, 4, true },
	{ "u64", "delay", "", 32, 8, false },
};
static const char sched_stat_iowait_print[] = {
	"\"comm=%s pid=%d delay=%Lu [ns]\", REC->comm, "
	"REC->pid, (unsigned long long)REC->delay"
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
	QUIET(filemap, file_check_and_advance_wb_err, 36),
	QUIET(filemap, filemap_set_wb_err, 24),
	QUIET(irq, softirq_entry, 12),
	QUIET(irq, softirq_exit, 12),
	QUIET(irq, softirq_raise, 12),
	QUIET(irq, tasklet_entry, 24),
	QUIET(irq, tasklet_exit, 24),
	QUIET(power, cpu_frequency, 16),
	QUIET(sched, sched_stat_iowait, 40),
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
