/* SPDX-License-Identifier: MIT */
/*
 * The sysctls that no other subsystem registers itself: variables of the
 * layers below, and the constants that programs look up.
 *
 * A constant entry has bounds that admit only its value: a write of anything
 * else is EINVAL, so nobody believes to have changed what is not there.
 */
#include <arch/elf.h>
#include <kernel/cred.h>
#include <kernel/init.h>
#include <kernel/kptr.h>
#include <kernel/mm.h>
#include <kernel/panic.h>
#include <kernel/pid.h>
#include <kernel/printk.h>
#include <kernel/pseudo.h>
#include <kernel/random.h>
#include <kernel/task.h>
#include <kernel/utsname.h>
#include <lib/atomic.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/printf.h>
#include <lib/string.h>

static ssize_t text_handler(struct sysctl *ctl, bool write, char *buf,
			    size_t size)
{
	if (write)
		return -EPERM;
	return strlcpy_k(buf, ctl->private, size);
}

static ssize_t arch_handler(struct sysctl *ctl, bool write, char *buf,
			    size_t size)
{
	if (write)
		return -EPERM;
	return strlcpy_k(buf, arch_machine_name(), size);
}

/* "current default minimum boot" levels, tab separated. */
static ssize_t printk_handler(struct sysctl *ctl, bool write, char *buf,
			      size_t size)
{
	const char *p = buf;
	u64 level;

	if (!write)
		return scnprintf(buf, size, "%d\t4\t1\t7", console_loglevel);
	if (parse_prefix_u64(&p, 10, &level) || level > 15)
		return -EINVAL;
	console_loglevel = (int)level;
	return 0;
}

static ssize_t uuid_text(char *buf, size_t size, const u8 id[16])
{
	return scnprintf(buf, size,
			 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
			 "%02x%02x%02x%02x%02x%02x",
			 id[0], id[1], id[2], id[3], id[4], id[5], id[6],
			 id[7], id[8], id[9], id[10], id[11], id[12], id[13],
			 id[14], id[15]);
}

static void uuid_make(u8 id[16])
{
	random_bytes(id, 16);
	id[6] = (id[6] & 0x0f) | 0x40;
	id[8] = (id[8] & 0x3f) | 0x80;
}

static ssize_t uuid_handler(struct sysctl *ctl, bool write, char *buf,
			    size_t size)
{
	u8 id[16];

	if (write)
		return -EPERM;
	uuid_make(id);
	return uuid_text(buf, size, id);
}

static u8 boot_id[16];	/* [I] after boot */

static ssize_t boot_id_handler(struct sysctl *ctl, bool write, char *buf,
			       size_t size)
{
	return write ? -EPERM : uuid_text(buf, size, boot_id);
}

/* Root without CAP_SYSLOG or CAP_SYS_ADMIN may not change who sees what. */
static ssize_t kptr_handler(struct sysctl *ctl, bool write, char *buf,
			    size_t size)
{
	int v;

	if (!write)
		return scnprintf(buf, size, "%d",
				 load_relaxed(&sysctl_kptr_restrict));
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (parse_int(buf, 0, &v) || v < 0 || v > 2)
		return -EINVAL;
	store_relaxed(&sysctl_kptr_restrict, v);
	return 0;
}

static ssize_t schedstats_handler(struct sysctl *ctl, bool write, char *buf,
				  size_t size)
{
	int v;

	if (!write)
		return scnprintf(buf, size, "%d",
				 load_relaxed(&sysctl_sched_schedstats));
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (parse_int(buf, 0, &v) || v < 0 || v > 1)
		return -EINVAL;
	sched_stats_set(v);
	return 0;
}

#define INT_(path_, mode_, var_, min_, max_)                              \
	{ .path = path_, .mode = mode_, .value = var_, .min = min_,         \
	  .max = max_ }
#define TEXT_(path_, text_)                                               \
	{ .path = path_, .mode = 0444, .handler = text_handler,             \
	  .private = text_ }
#define CONST_(path_, mode_, text_)                                       \
	{ .path = path_, .mode = mode_, .handler = text_handler,            \
	  .private = text_ }

static struct sysctl table[] = {
	TEXT_("kernel/ostype", UTS_SYSNAME),
	TEXT_("kernel/osrelease", UTS_RELEASE),
	TEXT_("kernel/version", UTS_VERSION),
	{ .path = "kernel/arch", .mode = 0444, .handler = arch_handler },
	{ .path = "kernel/kptr_restrict", .mode = 0644,
	  .handler = kptr_handler },
	{ .path = "kernel/sched_schedstats", .mode = 0644,
	  .handler = schedstats_handler },
	INT_("kernel/dmesg_restrict", 0644, &sysctl_dmesg_restrict, 0, 1),
	INT_("kernel/pid_max", 0644, &pid_max, 301, PID_MAX_LIMIT),
	INT_("kernel/threads-max", 0644, &threads_max, 20, 0x3fffffff),
	INT_("kernel/panic", 0644, &panic_timeout, 0, 0),
	INT_("kernel/randomize_va_space", 0644, &sysctl_randomize_va_space, 0,
	     2),
	{ .path = "kernel/printk", .mode = 0644, .handler = printk_handler },
	TEXT_("kernel/cap_last_cap", "40"),
	TEXT_("kernel/ngroups_max", "65536"),
	CONST_("kernel/core_pattern", 0644, "core"),
	CONST_("kernel/core_uses_pid", 0644, "0"),
	CONST_("kernel/overflowuid", 0644, "65534"),
	CONST_("kernel/overflowgid", 0644, "65534"),
	CONST_("kernel/numa_balancing", 0644, "0"),
	{ .path = "kernel/random/uuid", .mode = 0444,
	  .handler = uuid_handler },
	{ .path = "kernel/random/boot_id", .mode = 0444,
	  .handler = boot_id_handler },
	TEXT_("kernel/random/entropy_avail", "256"),
	TEXT_("kernel/random/poolsize", "256"),
	INT_("vm/overcommit_memory", 0644, &sysctl_overcommit_memory, 0, 2),
	INT_("vm/overcommit_ratio", 0644, &sysctl_overcommit_ratio, 0, 1000),
	INT_("vm/max_map_count", 0644, &sysctl_max_map_count, 0, 0x7fffffff),
	INT_("vm/mmap_min_addr", 0644, &sysctl_mmap_min_addr, 0, 0x7fffffff),
	INT_("vm/oom_dump_tasks", 0644, &sysctl_oom_dump_tasks, 0, 1),
	INT_("vm/panic_on_oom", 0644, &sysctl_panic_on_oom, 0, 2),
	INT_("vm/oom_kill_allocating_task", 0644,
	     &sysctl_oom_kill_allocating_task, 0, 1),
	CONST_("vm/swappiness", 0644, "60"),
	CONST_("fs/nr_open", 0644, "1048576"),
	CONST_("fs/suid_dumpable", 0644, "0"),
	CONST_("fs/overflowuid", 0644, "65534"),
	CONST_("fs/overflowgid", 0644, "65534"),
};

static int sysctl_table_init(void)
{
	u32 i;

	uuid_make(boot_id);
	for (i = 0; i < ARRAY_SIZE(table); i++)
		sysctl_register(&table[i]);
	return 0;
}
INITCALL(INIT_FS, sysctl_table_init);
