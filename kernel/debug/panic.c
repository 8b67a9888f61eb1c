// SPDX-License-Identifier: MIT
/*
 * The end of the kernel, failed checks, and stacks on the console.
 *
 * Entry points: <kernel/panic.h>. panic() masks everything, makes sure that it
 * is the only one, stops the other CPUs, prints what is known and ends the
 * machine with a failing status. It takes no lock and waits only a bounded
 * time for anybody. A panic inside the panic says one line more and ends the
 * machine; one inside that just ends it.  From its first instruction on no
 * probe is told of anything: what runs for one could be what is broken, and
 * has no room on the spare stack of an overflow.
 */
#include <arch/barrier.h>
#include <arch/irq.h>
#include <arch/irqflags.h>
#include <arch/power.h>
#include <arch/regs.h>
#include <arch/thread.h>
#include <kernel/cpu.h>
#include <kernel/init.h>
#include <kernel/irq.h>
#include <kernel/ksym.h>
#include <kernel/lockrank.h>
#include <kernel/panic.h>
#include <kernel/printk.h>
#include <kernel/recent.h>
#include <kernel/time.h>
#include <lib/atomic.h>
#include <lib/noprobe.h>
#include <lib/parse.h>
#include <lib/printf.h>

#define PANIC_STATUS	  101
#define STACK_LINES	  48
#define STOP_WAIT_NS	  NSEC_PER_SEC
#define STOP_WAIT_LOOPS	  50000000ULL
#define BACKTRACE_WAIT_NS (2 * NSEC_PER_SEC)

int panic_timeout = -1;
static bool panic_on_warn; /* set at boot */
bool panic_in_progress;
void (*panic_describe_task)(char *buf, size_t size);

static u32 panic_owner; /* [a] CPU number + 1 of the one that panics */
static u32 parked;	/* [a] CPUs that obeyed the stop */
static u32 trace_turn;	/* [a] one stack at a time on the console */

struct stack_lines {
	enum log_level level;
	u32 left;
	bool exact; /* the next one is an address, not a return address */
};

/* Works before there is a current task. */
static u32 this_cpu_number(void)
{
	return arch_current() ? cpu_id() : 0;
}

/*
 * A return address belongs to the call before it, which may be the last
 * instruction of its function: look one byte lower.
 */
static bool print_frame(void *cookie, u64 pc)
{
	struct stack_lines *lines = cookie;
	char name[KSYM_NAME_MAX];
	u64 back = !lines->exact;
	u64 offset, size;

	lines->exact = false;
	if (ksym_lookup(pc - back, name, &offset, &size))
		printk(lines->level, "  [<%016llx>] %s+0x%llx/0x%llx", pc, name,
		       offset + back, size);
	else
		printk(lines->level, "  [<%016llx>] ?", pc);
	return --lines->left > 0;
}

static void print_stack(enum log_level level, const struct pt_regs *regs)
{
	struct stack_lines lines = { level, STACK_LINES, regs != NULL };
	char task[48] = "";

	if (panic_describe_task && arch_current())
		panic_describe_task(task, sizeof(task));
	printk(level, "CPU %u%s, call trace:", this_cpu_number(), task);
	arch_stack_walk(regs, NULL, print_frame, &lines);
}

void dump_stack(const struct pt_regs *regs)
{
	print_stack(LOG_ERR, regs);
}

/* Every online CPU but this one. */
static bool others_mask(struct cpumask *mask)
{
	bitmap_copy(mask->bits, cpu_online_mask.bits, NR_CPUS);
	bitmap_clear(mask->bits, cpu_id());
	return !bitmap_empty(mask->bits, NR_CPUS);
}

void panic_ipi_stop(void)
{
	arch_irq_save_all();
	fetch_add_relaxed(&parked, 1u);
	for (;;)
		arch_cpu_halt();
}

void panic_ipi_backtrace(const struct pt_regs *regs)
{
	/* Stacks come one after the other, not interleaved. */
	u64 give_up = time_mono_ns() + BACKTRACE_WAIT_NS;

	while (xchg_acquire(&trace_turn, 1u) && time_mono_ns() < give_up)
		arch_cpu_relax();
	print_stack(LOG_ERR, regs);
	store_release(&trace_turn, 0u);
}

void dump_all_stacks(void)
{
	struct cpumask others;

	if (others_mask(&others))
		arch_ipi_send(others.bits, ARCH_IPI_BACKTRACE);
	panic_ipi_backtrace(irq_regs());
}

/* Returns how many did not obey. */
static u32 stop_others(void)
{
	struct cpumask others;
	u64 start = time_mono_ns();
	u32 expected;

	if (!others_mask(&others))
		return 0;
	expected = (u32)bitmap_weight(others.bits, NR_CPUS);
	arch_ipi_send(others.bits, ARCH_IPI_STOP);
	/* Both bounds: the clock may be what is broken. */
	for (u64 i = 0; i < STOP_WAIT_LOOPS; i++) {
		if (load_relaxed(&parked) >= expected ||
		    time_mono_ns() - start > STOP_WAIT_NS)
			break;
		arch_cpu_relax();
	}
	return expected - load_relaxed(&parked);
}

/* Only the first one goes on; false: the same CPU was here before. */
static bool become_owner(void)
{
	u32 me = this_cpu_number() + 1;
	u32 expected = 0;

	if (try_cmpxchg_acquire(&panic_owner, &expected, me))
		return true;
	if (expected != me)
		panic_ipi_stop();
	return false;
}

/* What broke the report is worth a line, if that much still works. */
static void __noreturn __printf(2, 0)
	again(const struct pt_regs *shown, const char *fmt, va_list args)
{
	static bool was_here; /* only the owner's */
	char text[128];

	if (!was_here) {
		was_here = true;
		log_break_console();
		vscnprintf(text, sizeof(text), fmt, args);
		printk(LOG_EMERG, "Panic in the panic, at %016llx: %s",
		       regs_ip(shown), text);
	}
	arch_power_off(PANIC_STATUS);
}

static void __noreturn end_machine(void)
{
	if (panic_timeout == 0) {
		printk(LOG_EMERG, "---[ halted after panic ]---");
		for (;;)
			arch_cpu_halt();
	}
	for (int s = 0; s < panic_timeout; s++)
		for (int ms = 0; ms < 1000; ms++)
			time_udelay(1000);
	arch_power_off(PANIC_STATUS);
}

/* The registers shown are the fault's, or the caller's: then no fault's. */
static void __noreturn __printf(3, 0)
	vpanic(const struct pt_regs *shown, const struct pt_regs *fault,
	       const char *fmt, va_list args)
{
	char text[256];
	u32 running;

	arch_irq_save_all();
	if (!become_owner())
		again(shown, fmt, args);
	console_loglevel = LOG_DEBUG + 1;
	ksym_init();
	vscnprintf(text, sizeof(text), fmt, args);
	/* First, so that one that is printing may finish its line. */
	running = stop_others();
	log_break_console();
	printk(LOG_EMERG, "Kernel panic: %s", text);
	if (running)
		printk(LOG_EMERG, "%u CPUs did not stop", running);
	arch_show_regs(shown);
	print_stack(LOG_EMERG, fault);
	lockrank_show();
	if (arch_current())
		recent_show();
	printk(LOG_EMERG, "---[ end of panic: %s ]---", text);
	end_machine();
}
NOPROBE(vpanic);

void panic(const char *fmt, ...)
{
	struct pt_regs here = { 0 };
	va_list args;

	WRITE_ONCE(panic_in_progress, true);
	arch_regs_here(&here);
	va_start(args, fmt);
	vpanic(&here, NULL, fmt, args);
}
NOPROBE(panic);

void panic_regs(struct pt_regs *regs, const char *fmt, ...)
{
	va_list args;

	WRITE_ONCE(panic_in_progress, true);
	va_start(args, fmt);
	vpanic(regs, regs, fmt, args);
}
NOPROBE(panic_regs);

void assert_fail(const char *expr, const char *file, int line)
{
	panic("check failed: %s at %s:%d", expr, file, line);
}

void warn_end(void)
{
	dump_stack(NULL);
	if (panic_on_warn && !READ_ONCE(panic_in_progress))
		panic("panic_on_warn");
}

void warn_report(const char *what, const char *file, int line)
{
	printk(LOG_ERR, "WARNING: %s at %s:%d", what, file, line);
	warn_end();
}

static void set_panic_timeout(const char *value)
{
	int seconds;

	if (parse_int(value, 10, &seconds) == 0)
		panic_timeout = seconds;
}
BOOT_PARAM(panic, "panic=", set_panic_timeout);

static void set_panic_on_warn(const char *value)
{
	panic_on_warn = true;
}
BOOT_PARAM(panic_on_warn, "panic_on_warn", set_panic_on_warn);
