/* SPDX-License-Identifier: MIT */
/*
 * /proc/net/unix: one line for each local socket.
 *
 * References are gathered under unix_table_lock and printed without it, as
 * printing allocates.  Addresses are not shown to anybody.
 */
#include "internal.h"

#include <kernel/init.h>
#include <kernel/page.h>
#include <kernel/pseudo.h>

/* The states and the flag that Linux prints for them. */
#define SHOWN_UNCONNECTED 1u
#define SHOWN_CONNECTED	  3u
#define SHOWN_ACCEPTING	  0x10000u

static void show_one(struct seq *s, struct sock *k)
{
	u32 state = READ_ONCE(k->state);
	struct sock_name *n = load_acquire(&k->name);

	seq_printf(s, "%016llx: %08X %08X %08X %04X %02X %5llu",
		   0ull, (u32)ref_read(&k->refs) - 1, 0u,
		   state == SOCK_LISTENING ? SHOWN_ACCEPTING : 0u, k->type,
		   state == SOCK_CONNECTED ? SHOWN_CONNECTED :
					     SHOWN_UNCONNECTED, k->ino);
	if (n) {
		u32 len = n->len - 2;

		seq_putc(s, ' ');
		/* A path without its NUL; abstract names with @ for NUL. */
		if (n->addr.sun_path[0])
			len--;
		for (u32 i = 0; i < len; i++)
			seq_putc(s, n->raw[2 + i] ? n->raw[2 + i] : '@');
	}
	seq_putc(s, '\n');
}

/* [T] How many there are. */
static u32 count_locked(void)
{
	struct list_head *at;
	u32 n = 0;

	list_for_each(at, &unix_all)
		n++;
	return n;
}

/* References to at most max socks; the number of them. */
static u32 gather(struct sock **out, u32 max)
{
	struct sock *k;
	u32 n = 0;

	spin_lock(&unix_table_lock);
	list_for_each_entry(k, &unix_all, all_link) {
		if (n == max)
			break;
		out[n++] = sock_get(k);
	}
	spin_unlock(&unix_table_lock);
	return n;
}

static int show_unix(struct seq *s, void *private)
{
	struct sock **all;
	u32 n;

	spin_lock(&unix_table_lock);
	n = count_locked();
	spin_unlock(&unix_table_lock);
	all = kmalloc((n + 1) * sizeof(struct sock *), GFP_KERNEL);
	if (!all)
		return -ENOMEM;
	n = gather(all, n);
	seq_puts(s, "Num       RefCount Protocol Flags    "
		    "Type St Inode Path\n");
	for (u32 i = 0; i < n; i++) {
		show_one(s, all[i]);
		sock_put(all[i]);
	}
	kfree(all);
	return 0;
}

static int unix_proc_init(void)
{
	static const struct pseudo_file file = {
		.name = "unix", .mode = 0444, .show = show_unix,
	};

	return pseudo_create(proc_net, &file);
}
INITCALL(INIT_FS, unix_proc_init);
