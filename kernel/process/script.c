/* SPDX-License-Identifier: MIT */
/*
 * Programs that begin with `#!`: the rest of the first line is the path of
 * an interpreter and at most one argument, blanks around both cut off.  The
 * interpreter runs with [itself, the argument, the script, what the script's
 * own arguments were].
 */
#include <kernel/file.h>
#include <kernel/page.h>
#include <lib/err.h>
#include <lib/string.h>

#include "exec.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Cut head's first line in two; *arg NULL: there is none. */
static int split_line(char *head, char **interp, char **arg)
{
	char *end = memchr(head, '\n', EXEC_HEAD_BYTES - 1);
	char *last = head + EXEC_HEAD_BYTES - 1;
	char *p;

	if (!end) {
		/* The line is cut: fine if the path at least is whole. */
		end = memchr(head, '\0', EXEC_HEAD_BYTES - 1);
		if (!end)
			end = last;
		for (p = head + 2; p < end && is_blank(*p); p++)
			;
		for (; p < end && !is_blank(*p); p++)
			;
		if (p == last)
			return -ENOEXEC;
	}
	while (end > head + 2 && is_blank(end[-1]))
		end--;
	*end = '\0';
	for (p = head + 2; is_blank(*p); p++)
		;
	if (!*p)
		return -ENOEXEC;
	*interp = p;
	for (; *p && !is_blank(*p); p++)
		;
	*arg = NULL;
	if (*p) {
		*p++ = '\0';
		while (is_blank(*p))
			p++;
		if (*p)
			*arg = p;
	}
	return 0;
}

static int rebuild_argv(struct exec *x, const char *interp, const char *arg)
{
	const char *script = x->interp ? x->interp : x->name;
	int err;

	exec_text_drop_first(&x->argv);
	err = exec_text_prepend(&x->argv, script);
	if (!err && arg)
		err = exec_text_prepend(&x->argv, arg);
	if (!err)
		err = exec_text_prepend(&x->argv, interp);
	return err;
}

int exec_load_script(struct exec *x)
{
	char *interp, *arg, *copy;
	struct file *file;
	int err;

	if (x->head[0] != '#' || x->head[1] != '!')
		return -ENOEXEC;
	err = split_line((char *)x->head, &interp, &arg);
	if (err)
		return err;
	/* The interpreter could not open the script by that name. */
	if (x->name_closes)
		return -ENOENT;
	err = rebuild_argv(x, interp, arg);
	if (err)
		return err;
	copy = kstrdup(interp, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	kfree(x->interp);
	x->interp = copy;
	file = exec_open(AT_FDCWD, copy, true);
	if (IS_ERR(file))
		return (int)PTR_ERR(file);
	exec_put_file(x->file);
	x->file = file;
	return 0;
}
