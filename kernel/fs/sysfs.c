/* SPDX-License-Identifier: MIT */
/*
 * sysfs, debugfs and tracefs: three file systems that are nothing but
 * registered pseudo files (kernel/fs/pseudo.c), and the fixed directories that
 * others are mounted on or that programs expect to exist.
 */
#include <kernel/fs.h>
#include <kernel/fs_pseudo.h>
#include <kernel/init.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/pseudo.h>
#include <lib/err.h>
#include <linux/magic.h>

static int sysfs_mount(struct super *sb, const char *source, const char *data)
{
	return pseudo_mount(sb, sysfs_root, 0555);
}

static int debugfs_mount(struct super *sb, const char *source, const char *data)
{
	return pseudo_mount(sb, debugfs_root, 0700);
}

static int tracefs_mount(struct super *sb, const char *source, const char *data)
{
	return pseudo_mount(sb, tracefs_root, 0700);
}

static struct fs_type sysfs_type = {
	.name = "sysfs", .nodev = true, .magic = SYSFS_MAGIC,
	.mount = sysfs_mount, .single = true,
};
static struct fs_type debugfs_type = {
	.name = "debugfs", .nodev = true, .magic = DEBUGFS_MAGIC,
	.mount = debugfs_mount, .single = true,
};
static struct fs_type tracefs_type = {
	.name = "tracefs", .nodev = true, .magic = TRACEFS_MAGIC,
	.mount = tracefs_mount, .single = true,
};

/* The GNU build id note, as the linker laid it. */
extern const char __start_notes[], __stop_notes[];

static ssize_t notes_read(struct file *file, struct uio *to, u64 *pos)
{
	size_t size = (size_t)(__stop_notes - __start_notes), n;

	if (*pos >= size)
		return 0;
	n = size - *pos < to->left ? size - *pos : to->left;
	if (uio_put(to, __start_notes + *pos, n) != n)
		return -EFAULT;
	*pos += n;
	return (ssize_t)n;
}

static int sysfs_init(void)
{
	static const struct file_ops notes_fops = {
		.read = notes_read, .llseek = generic_llseek,
	};
	const struct pseudo_file notes = {
		.name = "notes", .mode = 0444, .fops = &notes_fops,
		.size = (u64)(__stop_notes - __start_notes),
	};
	static const char *const dirs[] = {
		"kernel/debug", "kernel/tracing", "kernel/security", "fs/bpf",
		"fs/cgroup", "firmware", "module", "class", "bus", "dev/char",
		"dev/block", "block", "devices/virtual", "power", "hypervisor",
	};
	u32 i;

	fs_register(&sysfs_type);
	fs_register(&debugfs_type);
	fs_register(&tracefs_type);
	for (i = 0; i < ARRAY_SIZE(dirs); i++)
		CHECK(!IS_ERR(pseudo_mkpath(sysfs_root, dirs[i])));
	/* The old place of tracefs. */
	CHECK(!pseudo_automount(debugfs_root, "tracing", "tracefs"));
	return pseudo_create(pseudo_mkpath(sysfs_root, "kernel"), &notes);
}
INITCALL(INIT_CORE, sysfs_init);
