/* SPDX-License-Identifier: MIT */
/*
 * The kernel around kernel/mm, for its host test: one task, one CPU, locks
 * that only check their use, files that are a page cache.
 */
#ifndef SONDE_UNIT_MM_FAKES_H
#define SONDE_UNIT_MM_FAKES_H

#include <arch/boot.h>
#include <arch/cache.h>
#include <arch/elf.h>
#include <arch/mmu.h>
#include <arch/string.h>
#include <arch/tlb.h>
#include <arch/uaccess.h>
#include <kernel/cpu.h>
#include <kernel/cred.h>
#include <kernel/mm.h>
#include <kernel/mm_file.h>
#include <kernel/pagecache.h>
#include <kernel/panic.h>
#include <kernel/pid.h>
#include <kernel/printk.h>
#include <kernel/random.h>
#include <kernel/reclaim.h>
#include <kernel/sched.h>
#include <kernel/signal.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <kernel/uio.h>
#include <kernel/vdso.h>
#include <lib/err.h>
#include <lib/ktest.h>
#include <lib/minmax.h>
#include <lib/string.h>

unsigned char arena[ARENA_BYTES] __aligned(4096);
struct boot_info boot_info;
unsigned long per_cpu_offset[CONFIG_NR_CPUS];
struct cpumask cpu_possible_mask = { { 1 } };
struct cpumask cpu_online_mask = { { 1 } };
static struct process unit_process;
static struct task unit_task = { .proc = &unit_process };
struct task *unit_current = &unit_task;
struct spinlock tasklist_lock = SPINLOCK_INIT(LOCK_RANK_TASKLIST);
struct list_head all_processes = LIST_HEAD_INIT(all_processes);
union vdso_data_page vdso_data_page __aligned(4096);
int console_loglevel;

#define UNIT_WRITER 0x80000000u

static int last_signal;
static u64 unit_now;
static u32 flushes;

/* An abort that the sanitizers show with its stack. */
static void die(void) __noreturn;
static void die(void)
{
	__builtin_trap();
}
void panic(const char *fmt, ...)
{
	kt_print(fmt);
	die();
}
void panic_regs(struct pt_regs *regs, const char *fmt, ...)
{
	kt_print(fmt);
	die();
}
void assert_fail(const char *expr, const char *file, int line)
{
	kt_print(expr);
	kt_print(file);
	die();
}
void printk(enum log_level level, const char *fmt, ...)
{
}

void spin_init_named(struct spinlock *lock, enum lock_rank rank,
		     const char *name)
{
	lock->locked = 0;
}
void spin_lock_slow(struct spinlock *lock)
{
	die();
}
void preempt_schedule(void)
{
}
void mutex_init_named(struct mutex *lock, enum lock_rank rank,
		     const char *name)
{
	lock->owner = 0;
}
void mutex_lock(struct mutex *lock)
{
	CHECK(!lock->owner);
	lock->owner = 1;
}
void mutex_unlock(struct mutex *lock)
{
	CHECK(lock->owner);
	lock->owner = 0;
}
void rwsem_init_named(struct rwsem *lock, enum lock_rank rank,
		     const char *name)
{
	lock->count = 0;
}
void rwsem_read_lock(struct rwsem *lock)
{
	CHECK(lock->count != UNIT_WRITER);
	lock->count++;
}
void rwsem_read_unlock(struct rwsem *lock)
{
	CHECK(lock->count && lock->count != UNIT_WRITER);
	lock->count--;
}
void rwsem_write_lock(struct rwsem *lock)
{
	CHECK(lock->count == 0);
	lock->count = UNIT_WRITER;
}
int rwsem_write_lock_killable(struct rwsem *lock)
{
	rwsem_write_lock(lock);
	return 0;
}
void rwsem_write_unlock(struct rwsem *lock)
{
	CHECK(lock->count == UNIT_WRITER);
	lock->count = 0;
}
void rwsem_downgrade(struct rwsem *lock)
{
	CHECK(lock->count == UNIT_WRITER);
	lock->count = 1;
}

u64 time_mono_ns(void)
{
	return unit_now;
}
/* The thread of spaces that end late is never made here. */
struct task *kthread_create(void (*fn)(void *), void *arg, const char *name,
			    s32 cpu)
{
	return NULL;
}

void wait_prepare(struct wait_queue *wq, struct wait_node *node, u32 state)
{
}

void wait_finish(struct wait_queue *wq, struct wait_node *node)
{
}

void wait_wake(struct wait_queue *wq, u32 state_mask, u32 nr, u64 key)
{
}

bool signal_pending_state(u32 state)
{
	return false;
}

bool schedule_until(u64 ns)
{
	unit_now = ns;
	return false;
}
void set_current_state(u32 state)
{
}
bool fatal_signal_pending(const struct task *t)
{
	return false;
}
void signal_force(int sig, int code, u64 addr)
{
	last_signal = sig;
}
void signal_kill_process(struct process *p, int sig)
{
}
u64 rlimit_cur(struct task *t, u32 which)
{
	return which == 3 ? 8ull << 20 : ~0ull;
}
bool capable(int cap)
{
	return true;
}
int ptrace_may_access(struct task *target, bool attach, bool real)
{
	return 0;
}
struct task *task_find_get(s32 tid)
{
	return NULL;
}
void task_put(struct task *t)
{
}
struct process *process_get(struct process *p)
{
	return p;
}
void process_put(struct process *p)
{
}
void task_get_comm(struct task *t, char out[TASK_COMM_LEN])
{
	out[0] = 0;
}
u64 random_u64(void)
{
	return 0x123456789abcdefull;
}

/* Freed at once: no other CPU reads. */
void reclaim_after(struct reclaim_node *node,
		   void (*fn)(struct reclaim_node *node))
{
	fn(node);
}

int arch_mm_init(struct mm *mm)
{
	return 0;
}
void arch_mm_destroy(struct mm *mm)
{
}
void arch_mm_switch(struct mm *prev, struct mm *next)
{
}
int arch_kernel_map(u64 va, u64 pa, size_t size, u32 prot)
{
	return 0;
}
void arch_kernel_unmap(u64 va, size_t size)
{
}
void arch_tlb_flush_page(struct mm *mm, u64 va)
{
	flushes++;
}
void arch_tlb_flush_range(struct mm *mm, u64 start, u64 end)
{
	flushes++;
}
void arch_tlb_flush_mm(struct mm *mm)
{
	flushes++;
}
void arch_icache_sync(void *kva, size_t size)
{
}
bool arch_fixup_exception(struct pt_regs *regs)
{
	return true;
}
const void *arch_vdso_image(size_t *size)
{
	*size = PAGE_SIZE;
	return page_address(zero_page);
}
size_t arch_copy_from_user(void *to, const void *from, size_t n)
{
	return n;
}
size_t arch_copy_to_user(void *to, const void *from, size_t n)
{
	return n;
}
size_t arch_clear_user(void *to, size_t n)
{
	return n;
}
long arch_strncpy_from_user(char *to, const char *from, size_t n)
{
	return -EFAULT;
}

#endif /* SONDE_UNIT_MM_FAKES_H */
