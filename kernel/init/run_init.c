/* SPDX-License-Identifier: MIT */
/*
 * Finding and starting the first program.
 *
 * The order is Linux's: the initramfs program (rdinit=, /init) if it is
 * there; then init=, which must work; then the usual places.  Runs in the
 * init thread, which becomes that program.
 */
#include <kernel/fs.h>
#include <kernel/panic.h>
#include <kernel/printk.h>
#include <kernel/process.h>
#include <lib/err.h>

#include "internal.h"

static const char *const init_places[] = {
	"/sbin/init", "/etc/init", "/bin/init", "/bin/sh",
};

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
