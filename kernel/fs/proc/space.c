/* SPDX-License-Identifier: MIT */
/*
 * /proc/PID files that read an address space: cmdline, environ, auxv, mem.
 * (maps and smaps are in maps.c.)
 *
 * Memory is read through mm_access(), which faults pages in and cannot fault
 * itself; the space is held by a users reference only while it is read.
 */
#include "internal.h"

#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

#define CHUNK PAGE_SIZE

/* Append [start, end) of the space; stops at the first hole. */
static int show_range(struct seq *s, struct mm *mm, u64 start, u64 end)
{
	char *buf = kmalloc(CHUNK, GFP_KERNEL);

	if (!buf)
		return -ENOMEM;
	while (start < end) {
		size_t n = min(end - start, (u64)CHUNK);
		size_t got = mm_access(mm, start, buf, n, false);

		seq_write(s, buf, got);
		start += got;
		if (got != n)
			break;
	}
	kfree(buf);
	return 0;
}

/* Anyone may read a command line, as on Linux. */
int proc_show_cmdline(struct seq *s, void *node)
{
	struct task *t = proc_task(node);
	struct mm *mm;
	int ret = 0;

	if (!t)
		return -ESRCH;
	mm = task_mm_get(t);
	task_put(t);
	if (!mm)
		return 0;
	if (mm->arg_end > mm->arg_start)
		ret = show_range(s, mm, mm->arg_start, mm->arg_end);
	/*
	 * A title that overwrote the final NUL runs on into the environment;
	 * it ends at its own NUL.
	 */
	if (!ret && s->len && s->buf[s->len - 1]) {
		size_t first = s->len;

		ret = show_range(s, mm, mm->env_start, mm->env_end);
		s->len = first + strnlen(s->buf + first, s->len - first);
	}
	mm_put(mm);
	return ret;
}

int proc_show_environ(struct seq *s, void *node)
{
	struct mm *mm = proc_mm(node);
	int ret;

	if (IS_ERR_OR_NULL(mm))
		return mm ? (int)PTR_ERR(mm) : 0;
	ret = show_range(s, mm, mm->env_start, mm->env_end);
	mm_put(mm);
	return ret;
}

int proc_show_auxv(struct seq *s, void *node)
{
	struct mm *mm = proc_mm(node);
	u32 n = 0;

	if (IS_ERR_OR_NULL(mm))
		return mm ? (int)PTR_ERR(mm) : 0;
	while (n + 2 < ARRAY_SIZE(mm->auxv) && mm->auxv[n])
		n += 2;
	seq_write(s, mm->auxv, (n + 2) * sizeof(mm->auxv[0]));
	mm_put(mm);
	return 0;
}

/*
 * mem: the space itself, by position.  The space is fixed at open, so that an
 * exec in between does not hand out another program's memory.
 */
static int mem_open(struct inode *inode, struct file *file)
{
	struct proc_node *node = proc_inode_node(inode);
	struct task *t = proc_task(node);
	struct mm *mm;

	if (!t)
		return -ESRCH;
	if (ptrace_may_access(t, true, false)) {
		task_put(t);
		return -EACCES;
	}
	mm = task_mm_get(t);
	task_put(t);
	if (mm) {
		mm_grab(mm);
		mm_put(mm);
	}
	file->private = mm;
	return 0;
}

static void mem_release(struct file *file)
{
	if (file->private)
		mm_drop(file->private);
}

static ssize_t mem_copy(struct file *file, struct uio *u, u64 *pos, bool write)
{
	struct mm *mm = file->private;
	ssize_t total = 0;
	char *buf;

	if (!mm || !mm_get_live(mm))
		return 0;
	buf = kmalloc(CHUNK, GFP_KERNEL);
	if (!buf) {
		mm_put(mm);
		return -ENOMEM;
	}
	while (u->left) {
		size_t n = min(u->left, (size_t)CHUNK), got;

		if (write)
			n = uio_get(u, buf, n);
		got = n ? mm_access(mm, *pos, buf, n, write) : 0;
		if (!write && got)
			got = uio_put(u, buf, got);
		if (!got) {
			total = total ? total : (n ? -EIO : -EFAULT);
			break;
		}
		*pos += got;
		total += (ssize_t)got;
		if (got != n)
			break;
	}
	kfree(buf);
	mm_put(mm);
	return total;
}

static ssize_t mem_read(struct file *file, struct uio *to, u64 *pos)
{
	return mem_copy(file, to, pos, false);
}

static ssize_t mem_write(struct file *file, struct uio *from, u64 *pos)
{
	return mem_copy(file, from, pos, true);
}

/* Positions are addresses: nothing but SEEK_SET and SEEK_CUR makes sense. */
static s64 mem_llseek(struct file *file, s64 off, int whence)
{
	if (whence == SEEK_CUR)
		off += (s64)file->pos;
	else if (whence != SEEK_SET)
		return -EINVAL;
	file->pos = (u64)off;
	return off;
}

const struct file_ops proc_mem_fops = {
	.open = mem_open,
	.release = mem_release,
	.read = mem_read,
	.write = mem_write,
	.llseek = mem_llseek,
};
