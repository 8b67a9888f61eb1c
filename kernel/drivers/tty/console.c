/* SPDX-License-Identifier: MIT */
/*
 * /dev/console and /dev/tty: names for a terminal that is decided elsewhere.
 *
 * console= on the command line names the port (the last one wins, as on
 * Linux); without it the first registered port is the console.  Opening
 * /dev/console never takes a controlling terminal; /dev/tty is the one that
 * the caller already has, or ENXIO.
 */
#include "internal.h"

#include <kernel/fs.h>
#include <kernel/init.h>
#include <kernel/pseudo.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/printf.h>
#include <lib/string.h>

#define TTYAUX_MAJOR 5

static char console_name[16];		/* [I] after the command line */
static struct tty *console_tty;		/* [I] after INIT_DEVICE */

static void set_console(const char *value)
{
	size_t n = strcspn(value, ",");

	if (n >= sizeof(console_name))
		n = sizeof(console_name) - 1;
	memcpy(console_name, value, n);
	console_name[n] = 0;
}
BOOT_PARAM(console, "console=", set_console);

void tty_offer_console(struct tty *tty)
{
	if (!console_tty || !strcmp(console_name, tty->name))
		console_tty = tty;
}

static int console_open(struct inode *inode, struct file *file)
{
	if (!console_tty)
		return -ENODEV;
	ref_get(&console_tty->refs);
	tty_attach_file(console_tty, file, true);
	return 0;
}

static int devtty_open(struct inode *inode, struct file *file)
{
	struct tty *tty = tty_current_get();

	if (!tty)
		return -ENXIO;
	tty_attach_file(tty, file, false);
	return 0;
}

static const struct file_ops console_fops = { .open = console_open };
static const struct file_ops devtty_fops = { .open = devtty_open };

static int show_active(struct seq *s, void *private)
{
	if (console_tty)
		seq_printf(s, "%s\n", console_tty->name);
	return 0;
}

/* It takes output, is /dev/console, and may print from any context. */
static int show_consoles(struct seq *s, void *private)
{
	if (console_tty)
		seq_printf(s, "%-20s -W- (EC p a) %4u:%u\n",
			   console_tty->name, MAJOR(console_tty->rdev),
			   MINOR(console_tty->rdev));
	return 0;
}

static int console_init(void)
{
	static const struct pseudo_file consoles = {
		.name = "consoles", .mode = 0444, .show = show_consoles,
	};
	static const struct pseudo_file active = {
		.name = "active", .mode = 0444, .show = show_active,
	};
	int ret;

	chrdev_register("tty", TTYAUX_MAJOR, 0, 0666, &devtty_fops, NULL);
	chrdev_register("console", TTYAUX_MAJOR, 1, 0600, &console_fops, NULL);
	pseudo_create(proc_root, &consoles);
	ret = pseudo_create(pseudo_mkpath(sysfs_root,
					  "devices/virtual/tty/console"),
			    &active);
	return ret ? ret : pseudo_symlink(pseudo_mkpath(sysfs_root,
							"class/tty"),
					  "console",
					  "../../devices/virtual/tty/console");
}
INITCALL(INIT_LATE, console_init);
