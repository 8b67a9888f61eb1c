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

/* The first of [p, last] that is no blank, or NULL. */
static char *next_word(char *p, char *last)
{
	for (; p <= last; p++) {
		if (!is_blank(*p))
			return p;
	}
	return NULL;
}

/* The first of [p, last] that ends a word, or NULL. */
static char *next_gap(char *p, char *last)
{
	for (; p <= last; p++) {
		if (is_blank(*p) || !*p)
			return p;
	}
	return NULL;
}

/* Cut head's first line in two; *arg NULL: there is none. */
static int split_line(char *head, char **interp, char **arg)
{
	char *last = head + EXEC_HEAD_BYTES - 1;
	char *end = head, *word, *gap;

	while (end < last && *end && *end != '\n')
		end++;
	if (*end != '\n') {
		/* The line is cut: fine if the path at least is whole. */
		word = next_word(head + 2, last);
		if (!word || !next_gap(word, last))
			return -ENOEXEC;
		end = last;
	}
	while (is_blank(end[-1]))
		end--;
	word = next_word(head + 2, end);
	if (!word || word == end)
		return -ENOEXEC;
	gap = next_gap(word, end);
	*arg = gap && *gap ? next_word(gap, end) : NULL;
	*end = '\0';
	if (*arg)
		*gap = '\0';
	*interp = word;
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
