/* SPDX-License-Identifier: MIT */
/* reboot(2): the end of the machine, for those who may. */
#include <arch/power.h>
#include <kernel/printk.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <linux/reboot.h>

#include "internal.h"

static bool is_magic(u32 magic2)
{
	return magic2 == LINUX_REBOOT_MAGIC2 ||
	       magic2 == LINUX_REBOOT_MAGIC2A ||
	       magic2 == LINUX_REBOOT_MAGIC2B ||
	       magic2 == LINUX_REBOOT_MAGIC2C;
}

static long restart_with(const void __user *arg)
{
	char command[256];

	if (strncpy_from_user(command, arg, sizeof(command) - 1) < 0)
		return -EFAULT;
	command[sizeof(command) - 1] = '\0';
	printk(LOG_EMERG, "reboot: Restarting system with command '%s'",
	       command);
	arch_reboot();
}

SYSCALL4(reboot, u32, magic1, u32, magic2, u32, cmd, const void __user *, arg)
{
	if (!capable(CAP_SYS_BOOT))
		return -EPERM;
	if (magic1 != LINUX_REBOOT_MAGIC1 || !is_magic(magic2))
		return -EINVAL;
	switch (cmd) {
	case LINUX_REBOOT_CMD_RESTART:
		printk(LOG_EMERG, "reboot: Restarting system");
		arch_reboot();
	case LINUX_REBOOT_CMD_RESTART2:
		return restart_with(arg);
	case LINUX_REBOOT_CMD_HALT:
		/* There is nothing to come back from: off is as good. */
		printk(LOG_EMERG, "reboot: System halted");
		arch_power_off(0);
	case LINUX_REBOOT_CMD_POWER_OFF:
		printk(LOG_EMERG, "reboot: Power down");
		arch_power_off(0);
	case LINUX_REBOOT_CMD_CAD_ON:
	case LINUX_REBOOT_CMD_CAD_OFF:
		/* No keyboard sends it. */
		return 0;
	}
	return -EINVAL;
}
