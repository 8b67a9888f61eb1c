/* SPDX-License-Identifier: MIT */
/*
 * execve: from a name to a running program.
 *
 * Everything that can fail happens while the old program exists: finding and
 * opening the file, its format, the strings, the new space, the new
 * credentials.  exec_commit() is the point of no return, called by the format
 * once it knows that it can load; an error behind it ends the process.
 *
 * Locks: proc->exec_lock from the credentials to the end, so that nobody
 * looks at the process with one half old.
 */
#include <arch/regs.h>
#include <kernel/file.h>
#include <kernel/fs.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/perf_event.h>
#include <kernel/trace_hooks.h>
#include <kernel/probe_hooks.h>
#include <kernel/recent.h>
#include <kernel/posix.h>
#include <kernel/ptrace.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/printf.h>
#include <lib/string.h>
#include <linux/ptrace.h>
#include <linux/resource.h>

#include "../signal/internal.h"
#include "exec.h"
#include "internal.h"

#define EXEC_MAX_DEPTH 5	/* interpreters of interpreters */

static struct file *open_path(const struct path *path)
{
	struct inode *inode = path->dentry->inode;
	struct file *file;
	int err;

	if (S_ISLNK(inode->mode))
		return ERR_PTR(-ELOOP);
	if (!S_ISREG(inode->mode) || path_noexec(path))
		return ERR_PTR(-EACCES);
	err = inode_permission(inode, MAY_EXEC);
	if (err)
		return ERR_PTR(err);
	err = inode_deny_write(inode);
	if (err)
		return ERR_PTR(err);
	file = file_open_path(path, O_RDONLY);
	if (IS_ERR(file))
		inode_allow_write(inode);
	return file;
}

/* A file to execute; nobody may write it until exec_put_file(). */
struct file *exec_open(int dfd, const char *name, bool follow)
{
	struct path path;
	struct file *file;
	int err;

	err = path_lookup(dfd, name, (follow ? LOOKUP_FOLLOW : 0) |
			  LOOKUP_EMPTY, &path);
	if (err)
		return ERR_PTR(err);
	file = open_path(&path);
	path_put(&path);
	return file;
}

void exec_put_file(struct file *file)
{
	if (!file)
		return;
	inode_allow_write(file->inode);
	file_put(file);
}

int exec_read_head(struct exec *x)
{
	ssize_t n;

	memset(x->head, 0, sizeof(x->head));
	n = file_read_kernel(x->file, x->head, sizeof(x->head), 0);
	return n < 0 ? (int)n : 0;
}

static const char *last_part(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

static int unshare_sighand(void)
{
	struct process *p = current->proc;
	struct sighand *old = p->sighand, *fresh;

	if (ref_read(&old->refs) == 1)
		return 0;
	fresh = sighand_alloc();
	if (!fresh)
		return -ENOMEM;
	spin_lock_irq(&p->siglock);
	memcpy(fresh->action, old->action, sizeof(fresh->action));
	p->sighand = fresh;
	spin_unlock_irq(&p->siglock);
	sighand_put(old);
	return 0;
}

static void reset_signals(void)
{
	struct process *p = current->proc;

	spin_lock_irq(&p->siglock);
	sighand_reset(p->sighand);
	spin_unlock_irq(&p->siglock);
	memset(&current->altstack, 0, sizeof(current->altstack));
	current->altstack.flags = SS_DISABLE;
	current->restart.fn = NULL;
}

/* Leave the old space for the new one. */
static void switch_mm(struct exec *x)
{
	struct mm *old = current->mm;
	struct mm_usage usage;

	exit_release_mm();
	exit_vfork_done();
	x->mm->exe = file_get(x->file);
	mm_activate(x->mm);
	x->mm = NULL;
	rseq_exec(current);
	uprobe_exec();
	if (!old)
		return;
	mm_usage(old, &usage);
	if (usage.rss_peak > current->proc->maxrss_pages)
		current->proc->maxrss_pages = usage.rss_peak;
	mm_put(old);
}

static void drop_privilege_leaks(struct exec *x)
{
	struct process *p = current->proc;
	struct rlimit *stack = &p->rlim[RLIMIT_STACK];

	if (!x->secure)
		return;
	current->pdeath_signal = 0;
	spin_lock_irq(&p->siglock);
	if (stack->cur > rlimit_boot[RLIMIT_STACK].cur)
		stack->cur = rlimit_boot[RLIMIT_STACK].cur;
	spin_unlock_irq(&p->siglock);
}

int exec_commit(struct exec *x)
{
	int err;

	err = exec_dethread();
	if (err)
		return err;
	x->committed = true;
	err = files_unshare();
	if (!err)
		err = unshare_sighand();
	if (err)
		return err;
	switch_mm(x);
	proc_timers_exec(current->proc);
	current->flags &= ~TASK_FORKNOEXEC;
	current->proc->did_exec = true;
	files_exec(current->files);
	drop_privilege_leaks(x);
	current->mm->dumpable = x->ids_changed || x->secure ? 0 : 1;
	recent_event(RECENT_EXEC, (u32)task_tgid(current), 0);
	perf_exec();
	task_set_comm(current, last_part(x->name), true);
	reset_signals();
	cred_commit(x->cred);
	x->cred = NULL;
	if (current->mm->dumpable != 1)
		perf_exec_secure();
	return 0;
}

static int load(struct exec *x)
{
	int err;

	for (u32 depth = 0;; depth++) {
		if (depth > EXEC_MAX_DEPTH)
			return -ELOOP;
		err = exec_read_head(x);
		if (err)
			return err;
		err = exec_load_script(x);
		if (!err)
			continue;
		return err == -ENOEXEC ? exec_load_elf(x) : err;
	}
}

static int run(struct exec *x)
{
	struct process *p = current->proc;
	int err;

	if (mutex_lock_killable(&p->exec_lock))
		return -ERESTARTNOINTR;
	err = exec_prepare_cred(x);
	if (err)
		goto unlock;
	err = -ENOMEM;
	x->mm = mm_alloc();
	if (!x->mm)
		goto unlock;
	mm_layout_init(x->mm);
	err = load(x);
	if (err && x->committed)
		signal_kill_process(p, SIGSEGV);
unlock:
	mutex_unlock(&p->exec_lock);
	return err;
}

static void exec_free(struct exec *x)
{
	exec_put_file(x->file);
	exec_text_free(&x->argv);
	exec_text_free(&x->envp);
	cred_put(x->cred);
	if (x->mm)
		mm_put(x->mm);
	kfree(x->interp);
	kfree(x->made_name);
	kfree(x);
}

/* x has its strings: open the file, run, free x. */
static int finish(struct exec *x, int dfd, const char *path, u32 flags)
{
	s32 old_pid = task_tid(current);
	struct file *file;
	int err;

	if (!x->argv.count) {
		/* Nobody expects argc 0. */
		err = exec_text_add(&x->argv, "");
		if (err)
			goto free;
	}
	file = exec_open(dfd, path, !(flags & AT_SYMLINK_NOFOLLOW));
	err = PTR_ERR_OR_ZERO(file);
	if (err)
		goto free;
	x->file = file;
	err = run(x);
	if (!err)
		trace_sched_process_exec(current, old_pid, x->name);
	if (!err && ptrace_wants(current, PTRACE_EVENT_EXEC))
		ptrace_event(PTRACE_EVENT_EXEC, (u64)task_tid(current));
	else if (!err && is_traced(current))
		ptrace_exec_trap();
free:
	exec_free(x);
	return err;
}

int process_exec_kernel(const char *path, const char *const *argv,
			const char *const *envp)
{
	struct exec *x = kzalloc(sizeof(*x), GFP_KERNEL);
	int err = 0;

	if (!x)
		return -ENOMEM;
	x->name = path;
	for (; !err && *argv; argv++)
		err = exec_text_add(&x->argv, *argv);
	for (; !err && *envp; envp++)
		err = exec_text_add(&x->envp, *envp);
	if (err) {
		exec_free(x);
		return err;
	}
	return finish(x, AT_FDCWD, path, 0);
}

static bool fd_closes_on_exec(int fd)
{
	struct file *file = NULL;
	bool cloexec = false;

	if (fd < 0 || task_next_fd(current, (u32)fd, &file, &cloexec) < 0)
		return false;
	file_put(file);
	return cloexec;
}

/* The name by which a program opened through dfd can be found again. */
static int name_through_fd(struct exec *x, int dfd, const char *path)
{
	size_t size = strlen(path) + 24;

	x->made_name = kmalloc(size, GFP_KERNEL);
	if (!x->made_name)
		return -ENOMEM;
	snprintf(x->made_name, size, *path ? "/dev/fd/%d/%s" : "/dev/fd/%d",
		 dfd, path);
	x->name = x->made_name;
	x->name_closes = fd_closes_on_exec(dfd);
	return 0;
}

static int exec_user(int dfd, const char __user *upath,
		     const u64 __user *argv, const u64 __user *envp, u32 flags)
{
	size_t limit = exec_args_limit();
	struct exec *x;
	char *path;
	int err;

	if (flags & ~(AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW))
		return -EINVAL;
	path = strdup_from_user(upath, PATH_MAX_LEN, -ENAMETOOLONG);
	if (IS_ERR(path))
		return (int)PTR_ERR(path);
	err = -ENOENT;
	if (!*path && !(flags & AT_EMPTY_PATH))
		goto free_path;
	err = -ENOMEM;
	x = kzalloc(sizeof(*x), GFP_KERNEL);
	if (!x)
		goto free_path;
	x->name = path;
	err = 0;
	if (dfd != AT_FDCWD && *path != '/')
		err = name_through_fd(x, dfd, path);
	if (!err)
		err = exec_text_add_user(&x->argv, argv, limit);
	if (!err)
		err = exec_text_add_user(&x->envp, envp,
					 limit - x->argv.len);
	if (err)
		exec_free(x);
	else
		err = finish(x, dfd, path, flags);
free_path:
	kfree(path);
	return err;
}

SYSCALL3(execve, const char __user *, path, const u64 __user *, argv,
	 const u64 __user *, envp)
{
	return exec_user(AT_FDCWD, path, argv, envp, 0);
}

SYSCALL5(execveat, int, dfd, const char __user *, path, const u64 __user *,
	 argv, const u64 __user *, envp, u32, flags)
{
	return exec_user(dfd, path, argv, envp, flags);
}
