/* SPDX-License-Identifier: MIT */
/*
 * /proc/kallsyms: every symbol of the kernel, one line each.
 *
 * Who opened the file decides whether addresses are real: by kptr_restrict
 * (0: as perf_event_paranoid and CAP_SYSLOG say, 1: CAP_SYSLOG, 2: nobody), as
 * observed on the reference.  The file is read whole by every profiler, so
 * lines are formatted by hand, a buffer at a time, and the position of a read
 * is remembered as a symbol number: nothing is built twice.
 */
#include <kernel/cred.h>
#include <kernel/file.h>
#include <kernel/init.h>
#include <kernel/kptr.h>
#include <kernel/ksym.h>
#include <kernel/page.h>
#include <kernel/pseudo.h>
#include <lib/err.h>
#include <lib/string.h>

/* "0123456789abcdef t name\n" */
#define LINE_MAX (16 + 3 + KSYM_NAME_MAX + 1)

struct kallsyms_open {
	bool real;	/* [I] show addresses */
	u32 next;	/* [pos lock] the symbol to format next */
	u64 start;	/* [pos lock] file position of buf */
	u32 len;	/* [pos lock] bytes in buf */
	char buf[PAGE_SIZE - 32];
};

static u32 format_line(char *out, u64 addr, char type, const char *name)
{
	static const char digit[] = "0123456789abcdef";
	u32 n = (u32)strlen(name);
	int i;

	for (i = 15; i >= 0; i--) {
		out[i] = digit[addr & 15];
		addr >>= 4;
	}
	out[16] = ' ';
	out[17] = type;
	out[18] = ' ';
	memcpy(out + 19, name, n);
	out[19 + n] = '\n';
	return 20 + n;
}

/* Replace the buffer by the lines that follow it. */
static void fill(struct kallsyms_open *open)
{
	char name[KSYM_NAME_MAX];
	u64 addr;
	char type;

	open->start += open->len;
	open->len = 0;
	while (open->len + LINE_MAX <= sizeof(open->buf) &&
	       ksym_get(open->next, &addr, &type, name)) {
		open->len += format_line(open->buf + open->len,
					 open->real ? addr : 0, type, name);
		open->next++;
	}
}

static ssize_t kallsyms_read(struct file *file, struct uio *to, u64 *pos)
{
	struct kallsyms_open *open = file->private;
	ssize_t total = 0;

	if (*pos < open->start) {
		open->next = open->len = 0;
		open->start = 0;
	}
	while (to->left) {
		size_t skip, n;

		while (*pos >= open->start + open->len) {
			fill(open);
			if (!open->len)
				return total;
		}
		skip = *pos - open->start;
		n = open->len - skip;
		if (n > to->left)
			n = to->left;
		if (uio_put(to, open->buf + skip, n) != n)
			return total ? total : -EFAULT;
		*pos += n;
		total += (ssize_t)n;
	}
	return total;
}

static int kallsyms_open(struct inode *inode, struct file *file)
{
	struct kallsyms_open *open = kzalloc(sizeof(*open), GFP_KERNEL);

	if (!open)
		return -ENOMEM;
	open->real = kptr_may_show(current_cred());
	file->private = open;
	return 0;
}

static void kallsyms_release(struct file *file)
{
	kfree(file->private);
}

static const struct file_ops kallsyms_fops = {
	.open = kallsyms_open,
	.release = kallsyms_release,
	.read = kallsyms_read,
	.llseek = generic_llseek,
};

static int kallsyms_init(void)
{
	static const struct pseudo_file entry = {
		.name = "kallsyms", .mode = 0444, .fops = &kallsyms_fops,
	};

	return pseudo_create(proc_root, &entry);
}
INITCALL(INIT_FS, kallsyms_init);
