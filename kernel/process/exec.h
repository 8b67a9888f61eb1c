/* SPDX-License-Identifier: MIT */
/*
 * One execve under way.  Private to the task that executes; no lock.
 */
#ifndef SONDE_KERNEL_PROCESS_EXEC_H
#define SONDE_KERNEL_PROCESS_EXEC_H

#include <lib/types.h>

struct cred;
struct file;
struct mm;

#define EXEC_HEAD_BYTES	  256		/* what is looked at to know a format */
#define EXEC_MAX_STRING	  (32 * 4096)	/* one argument, with its NUL */

/* Strings one behind the other, each with its NUL. */
struct exec_text {
	char *buf;
	size_t len, size;
	u32 count;
};

struct exec {
	struct file *file;		/* what is loaded now */
	const char *name;		/* as the caller said it: AT_EXECFN */
	char *made_name;		/* name, where it had to be made up */
	char *interp;			/* of the last script, else NULL */
	struct exec_text argv, envp;
	u8 head[EXEC_HEAD_BYTES];
	struct cred *cred;		/* what the program will run with */
	bool secure;			/* AT_SECURE */
	bool ids_changed;
	bool name_closes;		/* /dev/fd/N, and N closes on exec */
	bool committed;			/* past the point of no return */
	struct mm *mm;			/* the new space, until committed */
	u64 strings;			/* address of argv's first string */
};

/* exec_args.c */
int exec_text_add(struct exec_text *t, const char *s);
int exec_text_add_user(struct exec_text *t,
		       const u64 __user *array, size_t limit);
int exec_text_prepend(struct exec_text *t, const char *s);
void exec_text_drop_first(struct exec_text *t);
void exec_text_free(struct exec_text *t);
size_t exec_args_limit(void);
/* Write all strings below top: lowest address, or 0 for a fault. */
int exec_write_strings(struct exec *x, u64 top);

/* exec_cred.c */
int exec_prepare_cred(struct exec *x);

/* exec.c */
struct file *exec_open(int dfd, const char *name, bool follow);
void exec_put_file(struct file *file);
int exec_read_head(struct exec *x);
/* The old program goes; only a fatal signal can follow an error now. */
int exec_commit(struct exec *x);

/* dethread.c */
int exec_dethread(void);

/* elf_load.c, script.c: 0, -ENOEXEC: not that format, other errors */
int exec_load_elf(struct exec *x);
int exec_load_script(struct exec *x);

#endif /* SONDE_KERNEL_PROCESS_EXEC_H */
