/* SPDX-License-Identifier: MIT */
/*
 * Names of the machine: uname, sethostname, setdomainname, and their files
 * in /proc/sys/kernel.
 *
 * The release begins with a version of Linux (UTS_RELEASE), because clients
 * parse it to know what to expect.
 *
 * Locks: uts_lock for the two names that change.
 */
#include <arch/elf.h>
#include <generated/version.h>
#include <kernel/init.h>
#include <kernel/lock.h>
#include <kernel/pseudo.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <kernel/utsname.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/utsname.h>

#include "internal.h"

static struct spinlock uts_lock = SPINLOCK_INIT(LOCK_RANK_UTS);
static char names[2][NEW_UTS_LEN + 1] = { "(none)", "(none)" };
						/* [uts_lock] host, domain */

const char uts_version[] = UTS_VERSION " " BUILD_DATE;

void uts_get(bool domain, char *out)
{
	spin_lock(&uts_lock);
	memcpy(out, names[domain], NEW_UTS_LEN + 1);
	spin_unlock(&uts_lock);
}

int uts_set(bool domain, const char *name, size_t len)
{
	if (len > NEW_UTS_LEN)
		return -EINVAL;
	spin_lock(&uts_lock);
	memset(names[domain], 0, NEW_UTS_LEN + 1);
	memcpy(names[domain], name, len);
	spin_unlock(&uts_lock);
	return 0;
}

static ssize_t name_handler(struct sysctl *ctl, bool write, char *buf,
			    size_t size)
{
	bool domain = ctl->private != NULL;

	if (!write) {
		uts_get(domain, buf);
		return (ssize_t)strlen(buf);
	}
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	/* A longer name is cut, as Linux does here but not in the calls. */
	uts_set(domain, buf, min(size, (size_t)NEW_UTS_LEN));
	return 0;
}

static int uts_init(void)
{
	static struct sysctl names_ctl[] = {
		{ .path = "kernel/hostname", .mode = 0644,
		  .handler = name_handler },
		{ .path = "kernel/domainname", .mode = 0644,
		  .handler = name_handler, .private = names[1] },
	};

	sysctl_register(&names_ctl[0]);
	sysctl_register(&names_ctl[1]);
	return 0;
}
INITCALL(INIT_FS, uts_init);

SYSCALL1(uname, struct user_utsname __user *, uname)
{
	struct user_utsname u;

	memset(&u, 0, sizeof(u));
	strlcpy_k(u.sysname, UTS_SYSNAME, sizeof(u.sysname));
	uts_get(false, u.nodename);
	strlcpy_k(u.release, UTS_RELEASE, sizeof(u.release));
	strlcpy_k(u.version, uts_version, sizeof(u.version));
	strlcpy_k(u.machine, arch_machine_name(), sizeof(u.machine));
	uts_get(true, u.domainname);
	return copy_to_user(uname, &u, sizeof(u));
}

static int set_name(bool domain, const char __user *uname, int len)
{
	char name[NEW_UTS_LEN];

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (len < 0 || len > NEW_UTS_LEN)
		return -EINVAL;
	if (copy_from_user(name, uname, (size_t)len))
		return -EFAULT;
	return uts_set(domain, name, (size_t)len);
}

SYSCALL2(sethostname, const char __user *, name, int, len)
{
	return set_name(false, name, len);
}

SYSCALL2(setdomainname, const char __user *, name, int, len)
{
	return set_name(true, name, len);
}
