/* SPDX-License-Identifier: MIT */
/*
 * Finding and starting the first program.
 *
 * The order is Linux's: the initramfs program (rdinit=, /init) if it is
 * there; then init=, which must work; then the usual places.  Runs in the
 * init thread, which becomes that program.
 */
#include <kernel/file.h>
#include <kernel/fs.h>
#include <kernel/panic.h>
#include <kernel/printk.h>
#include <kernel/process.h>
#include <kernel/pseudo.h>
#include <lib/err.h>
#include <linux/fcntl.h>
#include <linux/stat.h>

#include "internal.h"

static const char *const init_places[] = {
	"/sbin/init", "/etc/init", "/bin/init", "/bin/sh",
};

void make_first_names(void)
{
	if (fs_mkdir(AT_FDCWD, "/dev", 0755) ||
	    fs_mknod(AT_FDCWD, "/dev/console", S_IFCHR | 0600, MKDEV(5, 1)) ||
	    fs_mkdir(AT_FDCWD, "/root", 0700))
		pr_warn("the first names of the root could not be made");
}

/* Standard input, output and error of the first program. */
static void open_console(void)
{
	struct file *file = file_open("/dev/console", O_RDWR, 0);
	u32 i;
	int fd;

	if (IS_ERR(file)) {
		pr_err("Warning: unable to open an initial console.");
		return;
	}
	for (i = 0; i < 3; i++) {
		fd = fd_reserve(0, 0);
		if (fd < 0)
			break;
		fd_install(fd, file_get(file));
	}
	file_put(file);
}

static int try_init(const char *path)
{
	int ret;

	boot_options.argv[0] = path;
	pr_info("Run %s as init process", path);
	ret = process_exec_kernel(path, boot_options.argv, boot_options.envp);
	if (ret && ret != -ENOENT)
		pr_err("Starting init: %s exists but couldn't execute it (error %d)",
		       path, ret);
	return ret;
}

void run_init(void)
{
	const char *rdinit = boot_options.rdinit;
	u32 i;
	int ret;

	open_console();
	ret = try_init(rdinit);
	if (!ret)
		return;
	if (boot_options.rdinit_given || ret != -ENOENT)
		pr_err("Failed to execute %s (error %d)", rdinit, ret);
	if (boot_options.init) {
		ret = try_init(boot_options.init);
		if (!ret)
			return;
		panic("Requested init %s failed (error %d).",
		      boot_options.init, ret);
	}
	for (i = 0; i < ARRAY_SIZE(init_places); i++) {
		if (!try_init(init_places[i]))
			return;
	}
	panic("No working init found.  Try passing init= option to kernel.");
}
