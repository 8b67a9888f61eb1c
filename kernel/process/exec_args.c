/* SPDX-License-Identifier: MIT */
/*
 * The argument and environment strings of an execve: gathered in kernel
 * memory while the old program still exists, then written to the top of the
 * new stack.
 *
 * On the stack, from low to high: argv's strings, envp's, the name of the
 * program, eight zero bytes.
 */
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/resource.h>

#include "exec.h"

#define ARGS_MIN_BYTES (128u << 10)	/* always allowed */
#define ARGS_MAX_BYTES (6u << 20)	/* never more */

size_t exec_args_limit(void)
{
	u64 quarter = rlimit_cur(current, RLIMIT_STACK) / 4;

	return max_t(u64, min_t(u64, quarter, ARGS_MAX_BYTES),
		     ARGS_MIN_BYTES);
}

static int reserve(struct exec_text *t, size_t more)
{
	size_t size = t->size ? t->size : PAGE_SIZE;
	char *buf;

	if (t->size - t->len >= more)
		return 0;
	while (size - t->len < more)
		size *= 2;
	buf = krealloc(t->buf, size, GFP_KERNEL);
	if (!buf)
		return -ENOMEM;
	t->buf = buf;
	t->size = size;
	return 0;
}

int exec_text_add(struct exec_text *t, const char *s)
{
	size_t bytes = strlen(s) + 1;
	int err = reserve(t, bytes);

	if (err)
		return err;
	memcpy(t->buf + t->len, s, bytes);
	t->len += bytes;
	t->count++;
	return 0;
}

static int add_one_user(struct exec_text *t, const char __user *s)
{
	int err = reserve(t, 64);

	while (!err) {
		size_t room = min_t(size_t, t->size - t->len, EXEC_MAX_STRING);
		long n = strncpy_from_user(t->buf + t->len, s, room);

		if (n < 0)
			return -EFAULT;
		if ((size_t)n < room) {
			t->len += (size_t)n + 1;
			t->count++;
			return 0;
		}
		if (room == EXEC_MAX_STRING)
			return -E2BIG;
		err = reserve(t, t->size - t->len + 1);
	}
	return err;
}

/* limit: bytes left for these strings and their pointers. */
int exec_text_add_user(struct exec_text *t, const u64 __user *array,
		       size_t limit)
{
	u64 addr;
	int err;

	if (!array)
		return 0;
	for (u32 i = 0;; i++) {
		if (get_user(addr, array + i))
			return -EFAULT;
		if (!addr)
			return 0;
		err = add_one_user(t, (const char __user *)user_ptr(addr));
		if (err)
			return err;
		if (t->len + t->count * sizeof(u64) > limit)
			return -E2BIG;
		if (fatal_signal_pending(current))
			return -ERESTARTNOHAND;
	}
}

int exec_text_prepend(struct exec_text *t, const char *s)
{
	size_t bytes = strlen(s) + 1;
	int err = reserve(t, bytes);

	if (err)
		return err;
	memmove(t->buf + bytes, t->buf, t->len);
	memcpy(t->buf, s, bytes);
	t->len += bytes;
	t->count++;
	return 0;
}

void exec_text_drop_first(struct exec_text *t)
{
	size_t bytes;

	if (!t->count)
		return;
	bytes = strlen(t->buf) + 1;
	memmove(t->buf, t->buf + bytes, t->len - bytes);
	t->len -= bytes;
	t->count--;
}

void exec_text_free(struct exec_text *t)
{
	kfree(t->buf);
	t->buf = NULL;
}

int exec_write_strings(struct exec *x, u64 top)
{
	size_t name = strlen(x->name) + 1;
	u64 at = top - sizeof(u64) - name;

	if (copy_to_user(user_ptr(at), x->name, name))
		return -EFAULT;
	at -= x->envp.len;
	current->mm->env_start = at;
	current->mm->env_end = at + x->envp.len;
	if (copy_to_user(user_ptr(at), x->envp.buf, x->envp.len))
		return -EFAULT;
	current->mm->arg_end = at;
	at -= x->argv.len;
	current->mm->arg_start = at;
	x->strings = at;
	return copy_to_user(user_ptr(at), x->argv.buf, x->argv.len);
}
