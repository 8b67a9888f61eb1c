/* SPDX-License-Identifier: MIT */
/*
 * ppoll and pselect6.
 *
 * A struct poller collects one wait node per queue that the polled files
 * name; each holds a reference on its file, so that the queue lives.  The
 * first pass over the files queues, later ones only look.  A wake sets
 * triggered before it wakes, and the sleeper looks at that after setting its
 * state, so none is lost.
 */
#include "internal.h"

#include <kernel/file.h>
#include <kernel/syscall.h>
#include <kernel/time.h>
#include <kernel/wait.h>
#include <linux/resource.h>
#include <linux/time.h>

#define POLL_INLINE	8
#define POLL_PER_CHUNK	60
#define POLL_FAST	16
#define SELECT_WORDS	16

struct poller;

struct poll_entry {
	struct wait_node node;
	struct wait_queue *wq;
	struct file *file;		/* referenced */
	struct poller *owner;
	u32 events;
};

struct poll_chunk {
	struct poll_chunk *next;
	u32 nr;
	struct poll_entry entries[POLL_PER_CHUNK];
};

struct poller {
	struct poll_table pt;
	struct task *task;
	bool triggered;			/* [a] */
	int err;
	struct file *file;		/* being polled now */
	u32 nr;
	struct poll_entry entries[POLL_INLINE];
	struct poll_chunk *more;
};

static bool poll_wake(struct wait_node *node, u32 mode, u64 key)
{
	struct poll_entry *e = container_of(node, struct poll_entry, node);
	struct task *task = e->owner->task;

	if (key && !(key & e->events))
		return false;
	store_release(&e->owner->triggered, true);
	return wake_up_task(task, mode);
}

static struct poll_entry *entry_new(struct poller *p)
{
	struct poll_chunk *c = p->more;

	if (p->nr < POLL_INLINE)
		return &p->entries[p->nr++];
	if (!c || c->nr == POLL_PER_CHUNK) {
		c = kmalloc(sizeof(*c), GFP_KERNEL);
		if (!c)
			return NULL;
		c->nr = 0;
		c->next = p->more;
		p->more = c;
	}
	return &c->entries[c->nr++];
}

static void poller_queue(struct poll_table *pt, struct wait_queue *wq)
{
	struct poller *p = container_of(pt, struct poller, pt);
	struct poll_entry *e = entry_new(p);

	if (!e) {
		p->err = -ENOMEM;
		return;
	}
	e->node = (struct wait_node){ .task = p->task, .fn = poll_wake };
	e->wq = wq;
	e->file = file_get(p->file);
	e->owner = p;
	e->events = pt->events | POLLERR | POLLHUP;
	wait_add(wq, &e->node);
}

static void poller_init(struct poller *p)
{
	p->pt.queue = poller_queue;
	p->task = current;
	p->triggered = false;
	p->err = 0;
	p->nr = 0;
	p->more = NULL;
}

static void entry_end(struct poll_entry *e)
{
	wait_remove(e->wq, &e->node);
	file_put(e->file);
}

static void poller_end(struct poller *p)
{
	struct poll_chunk *c, *next;

	for (u32 i = 0; i < p->nr; i++)
		entry_end(&p->entries[i]);
	for (c = p->more; c; c = next) {
		next = c->next;
		for (u32 i = 0; i < c->nr; i++)
			entry_end(&c->entries[i]);
		kfree(c);
	}
}

/* Sleep until a wake or the deadline; true: the deadline passed. */
static bool poller_sleep(struct poller *p, u64 deadline)
{
	bool late = false;

	set_current_state(TASK_INTERRUPTIBLE);
	if (!load_acquire(&p->triggered) && !signal_pending(current))
		late = !schedule_until(deadline);
	set_current_state(TASK_RUNNING);
	store_relaxed(&p->triggered, false);
	arch_smp_mb();
	return late;
}

/* One file: what it says, and queue where it wants while nothing is found. */
static u32 poll_one(struct poller *p, struct file *f, u32 events)
{
	p->file = f;
	p->pt.events = events;
	return file_poll(f, &p->pt);
}

/*
 * scan(arg) looks at all files once and returns how many are ready or a
 * negative errno.  -EINTR for a signal, 0 when the time is up.
 */
static int poll_loop(struct poller *p, u64 deadline,
		     int (*scan)(struct poller *p, void *arg), void *arg)
{
	bool late = deadline == 0;

	if (late)
		p->pt.queue = NULL;
	for (;;) {
		int n = scan(p, arg);

		p->pt.queue = NULL;
		if (n == 0)
			n = p->err;
		if (n || late)
			return n;
		if (signal_pending(current))
			return -EINTR;
		late = poller_sleep(p, deadline);
	}
}

/* ---- Time ------------------------------------------------------------- */

/* 0: at once; ~0: never; else mono ns. */
int poll_get_deadline(const struct kernel_timespec __user *uts, u64 *deadline)
{
	struct kernel_timespec ts;
	u64 now;

	*deadline = ~0ull;
	if (!uts)
		return 0;
	if (copy_from_user(&ts, uts, sizeof(ts)))
		return -EFAULT;
	if (ts.tv_sec < 0 || (u64)ts.tv_nsec >= NSEC_PER_SEC)
		return -EINVAL;
	if (!ts.tv_sec && !ts.tv_nsec) {
		*deadline = 0;
		return 0;
	}
	now = time_mono_ns();
	if ((u64)ts.tv_sec < (u64)S64_MAX / NSEC_PER_SEC - now / NSEC_PER_SEC)
		*deadline = now + (u64)ts.tv_sec * NSEC_PER_SEC +
			    (u64)ts.tv_nsec;
	return 0;
}

/* The remaining time goes back to the caller; a bad pointer is ignored. */
static long finish(long ret, struct kernel_timespec __user *uts, u64 deadline)
{
	struct kernel_timespec left = { 0, 0 };
	u64 now;

	signal_restore_user_mask(ret == -EINTR);
	if (ret == -EINTR)
		ret = -ERESTARTNOHAND;
	if (!uts || deadline == ~0ull)
		return ret;
	now = deadline ? time_mono_ns() : 0;
	if (now < deadline) {
		left.tv_sec = (s64)((deadline - now) / NSEC_PER_SEC);
		left.tv_nsec = (s64)((deadline - now) % NSEC_PER_SEC);
	}
	/* Without the time left written back a restart would wait too long. */
	if (copy_to_user(uts, &left, sizeof(left)) && ret == -ERESTARTNOHAND)
		ret = -EINTR;
	return ret;
}

/* ---- ppoll ------------------------------------------------------------ */

struct poll_call {
	struct pollfd *fds;
	u32 nr;
};

static int scan_pollfds(struct poller *p, void *arg)
{
	struct poll_call *c = arg;
	int ready = 0;

	for (u32 i = 0; i < c->nr; i++) {
		struct pollfd *pfd = &c->fds[i];
		u32 want = (u16)pfd->events | POLLERR | POLLHUP, got;
		struct fdref r;

		pfd->revents = 0;
		if (pfd->fd < 0)
			continue;
		r = fdget(pfd->fd);
		if (r.file) {
			got = poll_one(p, r.file, want) & want;
			fdput(r);
		} else {
			got = POLLNVAL;
		}
		pfd->revents = (s16)got;
		if (got) {
			ready++;
			p->pt.queue = NULL;
		}
	}
	return ready;
}

static long do_poll(struct pollfd __user *ufds, u32 nr, u64 deadline)
{
	struct pollfd fast[POLL_FAST];
	struct poll_call c = { fast, nr };
	struct poller p;
	long ret;

	if (nr > rlimit_cur(current, RLIMIT_NOFILE))
		return -EINVAL;
	if (nr > POLL_FAST) {
		c.fds = kmalloc(nr * sizeof(*c.fds), GFP_KERNEL);
		if (!c.fds)
			return -ENOMEM;
	}
	ret = -EFAULT;
	if (copy_from_user(c.fds, ufds, nr * sizeof(*c.fds)))
		goto free_fds;
	poller_init(&p);
	ret = poll_loop(&p, deadline, scan_pollfds, &c);
	poller_end(&p);
	if (ret < 0 && ret != -EINTR)
		goto free_fds;
	for (u32 i = 0; i < nr; i++) {
		if (put_user(c.fds[i].revents, user_field(&ufds[i], revents))) {
			ret = -EFAULT;
			break;
		}
	}
free_fds:
	if (c.fds != fast)
		kfree(c.fds);
	return ret;
}

SYSCALL5(ppoll, struct pollfd __user *, fds, u32, nr,
	 struct kernel_timespec __user *, uts,
	 const struct sigset __user *, mask, size_t, size)
{
	u64 deadline;
	int ret = poll_get_deadline(uts, &deadline);

	if (ret)
		return ret;
	ret = signal_set_user_mask(mask, size);
	if (ret)
		return ret;
	return finish(do_poll(fds, nr, deadline), uts, deadline);
}

/* ---- pselect6 --------------------------------------------------------- */

#define SEL_IN	(POLLRDNORM | POLLRDBAND | POLLIN | POLLHUP | POLLERR)
#define SEL_OUT (POLLWRBAND | POLLWRNORM | POLLOUT | POLLERR)
#define SEL_EX	POLLPRI

struct select_call {
	u32 nr;				/* descriptors */
	u32 words;
	u64 *want[3], *got[3];		/* NULL: not asked */
};

static int select_fd(struct poller *p, struct select_call *c, u32 fd)
{
	static const u32 sets[3] = { SEL_IN, SEL_OUT, SEL_EX };
	u32 word = fd / 64, events = 0, mask;
	u64 bit = 1ull << (fd % 64);
	struct fdref r;
	int ready = 0;

	for (u32 s = 0; s < 3; s++)
		if (c->want[s] && (c->want[s][word] & bit))
			events |= sets[s];
	if (!events)
		return 0;
	r = fdget((int)fd);
	if (!r.file)
		return -EBADF;
	mask = poll_one(p, r.file, events);
	fdput(r);
	for (u32 s = 0; s < 3; s++) {
		if (c->want[s] && (c->want[s][word] & bit) &&
		    (mask & sets[s])) {
			c->got[s][word] |= bit;
			ready++;
			p->pt.queue = NULL;
		}
	}
	return ready;
}

static int scan_sets(struct poller *p, void *arg)
{
	struct select_call *c = arg;
	int ready = 0;

	for (u32 s = 0; s < 3; s++)
		if (c->got[s])
			memzero(c->got[s], c->words * 8);
	for (u32 w = 0; w < c->words; w++) {
		u64 any = 0;

		for (u32 s = 0; s < 3; s++)
			any |= c->want[s] ? c->want[s][w] : 0;
		for (; any; any &= any - 1) {
			u32 fd = w * 64 + (u32)__builtin_ctzll(any);
			int n;

			if (fd >= c->nr)
				break;
			n = select_fd(p, c, fd);
			if (n < 0)
				return n;
			ready += n;
		}
	}
	return ready;
}

static long do_select(int n, u64 __user *const sets[3], u64 deadline)
{
	u64 fast[6 * SELECT_WORDS], *mem = fast;
	struct select_call c = { .nr = (u32)n };
	struct poller p;
	long ret;

	if (n < 0)
		return -EINVAL;
	c.nr = min(c.nr, task_fd_table_size(current));
	c.words = DIV_ROUND_UP(c.nr, 64);
	if (c.words > SELECT_WORDS) {
		mem = kmalloc(6 * c.words * 8ul, GFP_KERNEL);
		if (!mem)
			return -ENOMEM;
	}
	ret = -EFAULT;
	for (u32 s = 0; s < 3; s++) {
		if (!sets[s])
			continue;
		c.want[s] = mem + s * c.words;
		c.got[s] = mem + (3 + s) * c.words;
		if (copy_from_user(c.want[s], sets[s], c.words * 8ul))
			goto free_sets;
	}
	poller_init(&p);
	ret = poll_loop(&p, deadline, scan_sets, &c);
	poller_end(&p);
	for (u32 s = 0; ret >= 0 && s < 3; s++)
		if (c.got[s] && copy_to_user(sets[s], c.got[s], c.words * 8ul))
			ret = -EFAULT;
free_sets:
	if (mem != fast)
		kfree(mem);
	return ret;
}

struct select_mask {
	const struct sigset __user *mask;
	size_t size;
};

SYSCALL6(pselect6, int, n, u64 __user *, in, u64 __user *, out, u64 __user *,
	 ex, struct kernel_timespec __user *, uts,
	 const struct select_mask __user *, umask)
{
	u64 __user *const sets[3] = { in, out, ex };
	struct select_mask m = { NULL, 0 };
	u64 deadline;
	int ret;

	if (umask && copy_from_user(&m, umask, sizeof(m)))
		return -EFAULT;
	ret = poll_get_deadline(uts, &deadline);
	if (ret)
		return ret;
	ret = signal_set_user_mask(m.mask, m.size);
	if (ret)
		return ret;
	return finish(do_select(n, sets, deadline), uts, deadline);
}
