/* SPDX-License-Identifier: MIT */
/*
 * signalfd: blocked signals of the reader, as records.
 *
 * The signals are those of whoever reads or polls, so that after a fork the
 * child sees its own.  The mask may be replaced at any time and is read as
 * one word.  An epoll may watch a process's queue longer than the process
 * lives, so the file keeps every process that ever polled it.
 */
#include "internal.h"

#include <arch/barrier.h>
#include <kernel/file.h>
#include <kernel/signal.h>
#include <kernel/syscall.h>
#include <kernel/wait.h>
#include <lib/printf.h>
#include <linux/signalfd.h>

#define UNBLOCKABLE ((1ull << (SIGKILL - 1)) | (1ull << (SIGSTOP - 1)))

struct poller_proc {
	struct poller_proc *next;
	struct process *proc;		/* referenced */
};

struct signalfd {
	struct sigset mask;		/* [a] wanted signals */
	struct mutex lock;		/* LOCK_RANK_SYSFS, a leaf */
	struct poller_proc *procs;	/* [lock] whose queues are watched */
};

static struct sigset wanted(struct file *f)
{
	struct signalfd *s = f->private;

	return (struct sigset){ READ_ONCE(s->mask.bits) };
}

/* Fields by what kind of signal it is; the rest stays zero. */
static void convert(const struct siginfo *info, struct signalfd_siginfo *out)
{
	memzero(out, sizeof(*out));
	out->ssi_signo = (u32)info->si_signo;
	out->ssi_errno = info->si_errno;
	out->ssi_code = info->si_code;
	if (info->si_code == SI_TIMER) {
		out->ssi_tid = (u32)info->si_timerid;
		out->ssi_overrun = (u32)info->si_overrun;
		out->ssi_ptr = info->si_value.sival_ptr;
		out->ssi_int = info->si_value.sival_int;
		return;
	}
	if (info->si_code > 0 && info->si_code != SI_KERNEL) {
		switch (info->si_signo) {
		case SIGIO:
			out->ssi_band = (u32)info->si_band;
			out->ssi_fd = info->si_fd;
			return;
		case SIGILL:
		case SIGFPE:
		case SIGSEGV:
		case SIGBUS:
		case SIGTRAP:
			out->ssi_addr = info->si_addr;
			return;
		case SIGCHLD:
			out->ssi_pid = (u32)info->si_pid;
			out->ssi_uid = info->si_uid;
			out->ssi_status = info->si_status;
			out->ssi_utime = (u64)info->si_utime;
			out->ssi_stime = (u64)info->si_stime;
			return;
		default:
			break;
		}
	}
	out->ssi_pid = (u32)info->si_pid;
	out->ssi_uid = info->si_uid;
	if (info->si_code < 0 && info->si_code != SI_TKILL) {
		out->ssi_ptr = info->si_value.sival_ptr;
		out->ssi_int = info->si_value.sival_int;
	}
}

/* One signal, waiting for it if need be. */
static int take_one(struct file *f, struct siginfo *info)
{
	struct sigset set = wanted(f);
	int sig;

	while (!(sig = signal_take(&set, info))) {
		int ret;

		if (f->flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(&current->proc->signal_wait,
					       signal_is_pending(&set));
		if (ret)
			return ret;
	}
	return 0;
}

static ssize_t signalfd_read(struct file *f, struct uio *to, u64 *pos)
{
	ssize_t done = 0;

	if (to->left < sizeof(struct signalfd_siginfo))
		return -EINVAL;
	while (to->left >= sizeof(struct signalfd_siginfo)) {
		struct signalfd_siginfo out;
		struct sigset set = wanted(f);
		struct siginfo info;

		/* Only the first one is waited for. */
		if (done) {
			if (!signal_take(&set, &info))
				break;
		} else {
			int ret = take_one(f, &info);

			if (ret)
				return ret;
		}
		convert(&info, &out);
		if (uio_put(to, &out, sizeof(out)) < sizeof(out))
			return done ? done : -EFAULT;
		done += (ssize_t)sizeof(out);
	}
	return done;
}

/* False: no memory to remember the process, so it must not queue. */
static bool keep_process(struct signalfd *s, struct process *proc)
{
	struct poller_proc *p;

	mutex_lock(&s->lock);
	for (p = s->procs; p && p->proc != proc; p = p->next)
		;
	if (!p) {
		p = kmalloc(sizeof(*p), GFP_KERNEL);
		if (p) {
			p->proc = process_get(proc);
			p->next = s->procs;
			s->procs = p;
		}
	}
	mutex_unlock(&s->lock);
	return p != NULL;
}

static u32 signalfd_poll(struct file *f, struct poll_table *pt)
{
	struct sigset set = wanted(f);

	if (pt && pt->queue && keep_process(f->private, current->proc))
		poll_wait(pt, &current->proc->signal_wait);
	arch_smp_mb();
	return signal_is_pending(&set) ? POLLIN : 0;
}

static void signalfd_release(struct file *f)
{
	struct signalfd *s = f->private;
	struct poller_proc *p, *next;

	for (p = s->procs; p; p = next) {
		next = p->next;
		process_put(p->proc);
		kfree(p);
	}
	kfree(s);
}

static void signalfd_fdinfo(struct file *f, char *buf, size_t size)
{
	scnprintf(buf, size, "sigmask:\t%016llx\n", wanted(f).bits);
}

static const struct file_ops signalfd_ops = {
	.read = signalfd_read,
	.poll = signalfd_poll,
	.release = signalfd_release,
	.fdinfo = signalfd_fdinfo,
	.llseek = no_llseek,
};

SYSCALL4(signalfd4, int, fd, const struct sigset __user *, umask, size_t,
	 size, u32, flags)
{
	struct signalfd *s;
	struct sigset mask;
	struct fdref r;

	if (size != sizeof(mask))
		return -EINVAL;
	if (copy_from_user(&mask, umask, sizeof(mask)))
		return -EFAULT;
	if (flags & ~(u32)(O_CLOEXEC | O_NONBLOCK))
		return -EINVAL;
	mask.bits &= ~UNBLOCKABLE;
	if (fd == -1) {
		s = kzalloc(sizeof(*s), GFP_KERNEL);
		if (!s)
			return -ENOMEM;
		s->mask = mask;
		mutex_init(&s->lock, LOCK_RANK_SYSFS);
		fd = anon_fd("signalfd", &signalfd_ops, s, O_RDWR | flags);
		if (fd < 0)
			kfree(s);
		return fd;
	}
	r = fdget(fd);
	if (!r.file)
		return -EBADF;
	if (r.file->ops != &signalfd_ops) {
		fdput(r);
		return -EINVAL;
	}
	s = r.file->private;
	WRITE_ONCE(s->mask.bits, mask.bits);
	fdput(r);
	wake_up_all(&current->proc->signal_wait);
	return fd;
}
