// SPDX-License-Identifier: MIT
/*
 * debugfs/kprobes: what is probed, what may not be, and one switch that takes
 * all breakpoints out and puts them back.  No state of its own.
 */
#include <kernel/cred.h>
#include <kernel/fs.h>
#include <kernel/init.h>
#include <kernel/kprobe.h>
#include <kernel/kptr.h>
#include <kernel/ksym.h>
#include <kernel/pseudo.h>
#include <lib/err.h>
#include <lib/parse.h>

#include "event.h"
#include "kprobe_internal.h"

static u64 shown(u64 addr)
{
	return kptr_may_show(current_cred()) ? addr : 0;
}

void kprobe_list_line(struct seq *s, u64 addr, bool is_return, bool disabled)
{
	char name[KSYM_NAME_MAX];
	u64 offset = 0, size;

	if (!ksym_lookup(addr, name, &offset, &size))
		name[0] = '\0';
	/* The gaps are where the name of a module would be. */
	seq_printf(s, "%016llx  %c  %s+0x%llx    %s\n", shown(addr),
		   is_return ? 'r' : 'k', name, offset,
		   disabled ? "[DISABLED]" : "");
}

static int list_show(struct seq *s, void *private)
{
	kprobe_for_each(s, kprobe_list_line);
	probe_events_list_idle(s, kprobe_list_line);
	return 0;
}

static int blacklist_show(struct seq *s, void *private)
{
	char name[KSYM_NAME_MAX];
	u64 start, end;
	u32 at = 0;

	while (kprobe_excluded(&at, &start, &end, name))
		seq_printf(s, "0x%016llx-0x%016llx\t%s\n", shown(start),
			   shown(end), name);
	return 0;
}

static int enabled_show(struct seq *s, void *private)
{
	seq_puts(s, kprobes_armed() ? "1\n" : "0\n");
	return 0;
}

static ssize_t enabled_store(const char *text, size_t len, void *private)
{
	bool on;
	int err = parse_bool(text, &on);

	if (!err)
		err = kprobes_arm(on);
	return err ? err : (ssize_t)len;
}

static int kprobe_files_boot(void)
{
	static const struct pseudo_file files[] = {
		{ .name = "list", .mode = 0400, .show = list_show },
		{ .name = "blacklist", .mode = 0400, .show = blacklist_show },
		{ .name = "enabled", .mode = 0600, .show = enabled_show,
		  .store = enabled_store },
	};

	return pseudo_create_all(pseudo_mkdir(debugfs_root, "kprobes"), files,
				 ARRAY_SIZE(files), NULL);
}
INITCALL(INIT_LATE, kprobe_files_boot);
