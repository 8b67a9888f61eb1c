/* SPDX-License-Identifier: MIT */
/*
 * Control messages: descriptors (SCM_RIGHTS) and identity (SCM_CREDENTIALS)
 * that travel with a message.
 *
 * Files in a queued message are counted per user against RLIMIT_NOFILE, and
 * sockets among them are known to the collector (unix_gc.c), from
 * scm_files_depart() to scm_files_arrive().
 */
#include "internal.h"

#include <kernel/cred.h>
#include <kernel/page.h>
#include <kernel/pid.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/resource.h>

#define CONTROL_MAX 20480u		/* Linux's net.core.optmem_max */

/* ---- Sending ---------------------------------------------------------- */

static int parse_rights(struct scm *scm, const s32 *fds, size_t n)
{
	struct scm_files *f = scm->files;

	if (!n)
		return 0;
	if (n > SCM_MAX_FD)
		return -EINVAL;
	if (!f) {
		/* Several messages of the kind add up: room for the most. */
		f = kmalloc(sizeof(*f) + SCM_MAX_FD * sizeof(f->file[0]),
			    GFP_KERNEL);
		if (!f)
			return -ENOMEM;
		f->user = NULL;
		f->nr = 0;
		scm->files = f;
	}
	if (f->nr + n > SCM_MAX_FD)
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		struct fdref r = fdget_raw(fds[i]);

		if (!r.file)
			return -EBADF;
		if (!r.put)
			file_get(r.file);
		f->file[f->nr++] = r.file;
	}
	return 0;
}

static int parse_cred(struct scm *scm, const struct ucred *want)
{
	const struct cred *c = current_cred();
	bool ok = (want->pid == (u32)task_tgid(current) ||
		   capable(CAP_SYS_ADMIN)) &&
		  (want->uid == c->uid || want->uid == c->euid ||
		   want->uid == c->suid || capable(CAP_SETUID)) &&
		  (want->gid == c->gid || want->gid == c->egid ||
		   want->gid == c->sgid || capable(CAP_SETGID));
	struct pid *pid;

	if (!ok)
		return -EPERM;
	if (want->pid != (u32)task_tgid(current)) {
		pid = pid_find_get((s32)want->pid);
		if (!pid)
			return -ESRCH;
		pid_put(pid);
	}
	if (want->uid == ~0u || want->gid == ~0u)
		return -EINVAL;
	scm->cred = *want;
	scm->has_cred = true;
	return 0;
}

static int parse_one(struct scm *scm, const struct cmsghdr *c)
{
	size_t n = c->cmsg_len - sizeof(*c);

	if (c->cmsg_level != SOL_SOCKET)
		return 0;
	switch (c->cmsg_type) {
	case SCM_RIGHTS:
		return parse_rights(scm, (const s32 *)(c + 1), n / 4);
	case SCM_CREDENTIALS:
		if (n != sizeof(struct ucred))
			return -EINVAL;
		return parse_cred(scm, (const struct ucred *)(c + 1));
	default:
		return -EINVAL;
	}
}

static int parse_all(struct scm *scm, const char *buf, u64 len)
{
	u64 at = 0;
	int ret;

	while (len - at >= sizeof(struct cmsghdr)) {
		const struct cmsghdr *c = (const void *)(buf + at);

		if (c->cmsg_len < sizeof(*c) || c->cmsg_len > len - at)
			return -EINVAL;
		ret = parse_one(scm, c);
		if (ret)
			return ret;
		if (CMSG_ALIGN(c->cmsg_len) >= len - at)
			break;
		at += CMSG_ALIGN(c->cmsg_len);
	}
	return 0;
}

int scm_parse(struct scm *scm, const void __user *control, u64 len)
{
	char small[64] __aligned(8), *buf = small;
	int ret;

	if (len > CONTROL_MAX)
		return -ENOBUFS;
	if (len > sizeof(small)) {
		buf = kmalloc(len, GFP_KERNEL);
		if (!buf)
			return -ENOBUFS;
	}
	ret = copy_from_user(buf, control, len);
	if (!ret)
		ret = parse_all(scm, buf, len);
	if (ret)
		scm_drop(scm);
	if (buf != small)
		kfree(buf);
	return ret;
}

/* ---- In a queued message ---------------------------------------------- */

struct scm_files *scm_files_copy(const struct scm_files *files)
{
	struct scm_files *f;

	f = kmalloc(sizeof(*f) + files->nr * sizeof(f->file[0]), GFP_KERNEL);
	if (!f)
		return NULL;
	f->user = NULL;
	f->nr = files->nr;
	for (u32 i = 0; i < f->nr; i++)
		f->file[i] = file_get(files->file[i]);
	return f;
}

/*
 * The puts are late ones: a socket put here may hold messages with sockets of
 * its own, and so on, deeper than a kernel stack is.
 */
void scm_files_free(struct scm_files *files)
{
	scm_files_arrive(files);
	for (u32 i = 0; i < files->nr; i++)
		file_put_late(files->file[i]);
	kfree(files);
}

void scm_drop(struct scm *scm)
{
	if (scm->files) {
		scm_files_free(scm->files);
		scm->files = NULL;
	}
}

void scm_attach(struct sock_buf *b, struct scm *scm)
{
	b->files = scm->files;
	scm->files = NULL;
}

/* The identity a message carries when either end has SO_PASSCRED. */
void sock_add_cred(struct sock *s, struct sock *to, struct sock_msg *m)
{
	const struct cred *c = current_cred();

	if (m->scm.has_cred)
		return;
	if (!READ_ONCE(s->pass_cred) && to && !READ_ONCE(to->pass_cred) &&
	    to->ino)
		m->scm.cred = (struct ucred){ 0, 65534, 65534 };
	else
		m->scm.cred = (struct ucred){ (u32)task_tgid(current), c->uid,
					      c->gid };
}

/* ---- Receiving -------------------------------------------------------- */

/* Move the header's control pointer past len bytes, as far as there is. */
static void advance(struct user_msghdr *h, u64 len)
{
	len = min(len, h->msg_controllen);
	h->msg_control += len;
	h->msg_controllen -= len;
}

static void put_cred(struct sock_msg *m, struct user_msghdr *h)
{
	struct {
		struct cmsghdr hdr;
		struct ucred cred;
	} out = {
		.hdr = { .cmsg_len = CMSG_LEN(sizeof(struct ucred)),
			 .cmsg_level = SOL_SOCKET,
			 .cmsg_type = SCM_CREDENTIALS },
		.cred = m->scm.cred,
	};

	if (!h->msg_control || h->msg_controllen < sizeof(out.hdr)) {
		m->out_flags |= MSG_CTRUNC;
		return;
	}
	if (h->msg_controllen < out.hdr.cmsg_len) {
		m->out_flags |= MSG_CTRUNC;
		out.hdr.cmsg_len = h->msg_controllen;
	}
	if (copy_to_user(user_ptr(h->msg_control), &out, out.hdr.cmsg_len))
		return;
	advance(h, CMSG_SPACE(sizeof(struct ucred)));
}

static int put_file(struct file *f, s32 __user *to, u32 flags)
{
	int fd = fd_reserve(0, flags);

	if (fd < 0)
		return fd;
	if (put_user(fd, to)) {
		fd_release(fd);
		return -EFAULT;
	}
	fd_install(fd, file_get(f));
	return 0;
}

static void put_rights(struct sock_msg *m, struct user_msghdr *h)
{
	struct scm_files *f = m->scm.files;
	u32 flags = m->flags & MSG_CMSG_CLOEXEC ? O_CLOEXEC : 0;
	struct cmsghdr hdr = { .cmsg_level = SOL_SOCKET,
			       .cmsg_type = SCM_RIGHTS };
	s32 __user *fds = user_ptr(h->msg_control + sizeof(hdr));
	u64 room = h->msg_controllen > sizeof(hdr) ?
			   (h->msg_controllen - sizeof(hdr)) / 4 : 0;
	u32 n = (u32)min_t(u64, room, f->nr), i;

	for (i = 0; i < n; i++)
		if (put_file(f->file[i], &fds[i], flags))
			break;
	if (i) {
		hdr.cmsg_len = CMSG_LEN(i * 4ul);
		if (!copy_to_user(user_ptr(h->msg_control), &hdr, sizeof(hdr)))
			advance(h, CMSG_SPACE(i * 4ul));
	}
	if (i < f->nr)
		m->out_flags |= MSG_CTRUNC;
}

void scm_deliver(struct sock *s, struct sock_msg *m, struct user_msghdr *h)
{
	bool cred = READ_ONCE(s->pass_cred);

	if (!h->msg_control) {
		if (cred || m->scm.files)
			m->out_flags |= MSG_CTRUNC;
		return;
	}
	if (cred && m->scm.has_cred)
		put_cred(m, h);
	if (m->scm.files)
		put_rights(m, h);
}
