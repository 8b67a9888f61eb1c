/* SPDX-License-Identifier: MIT */
/*
 * Sockets, seen by kernel/net alone.
 *
 * The system calls (socket.c, names.c, options.c, message.c) know struct sock
 * and its struct sock_ops; sock.c has what every kind shares: life, queue,
 * accounting, sleeping and waking.  unix*.c are the local sockets.
 *
 * Locks: read_lock (mutex) serialises those who take bytes off the queue, so
 * that user copies happen under it; lock (spin) guards state and the links of
 * the queue, adds at its tail included.  Two socks by spin_lock_two().
 * A sleeper looks at what it waits for again after queueing itself, and a
 * waker stores first and looks at the queue after a full barrier.
 */
#ifndef SONDE_NET_INTERNAL_H
#define SONDE_NET_INTERNAL_H

#include <kernel/file.h>
#include <kernel/fs.h>
#include <kernel/reclaim.h>
#include <kernel/uio.h>
#include <kernel/wait.h>
#include <lib/atomic.h>
#include <lib/err.h>
#include <linux/socket.h>

struct scm_files;
struct sock;
struct sock_msg;
struct user;

/* What a socket of one kind does.  Every entry is present. */
struct sock_ops {
	int (*bind)(struct sock *s, const struct sockaddr_un *addr, u32 len);
	int (*connect)(struct sock *s, const struct sockaddr_un *addr,
		       u32 len, u32 flags);
	int (*listen)(struct sock *s, s32 backlog);
	/* A referenced sock of the new connection, or ERR_PTR. */
	struct sock *(*accept)(struct sock *s, u32 flags);
	/* Bytes taken or a negative errno. */
	ssize_t (*send)(struct sock *s, struct sock_msg *m);
	ssize_t (*recv)(struct sock *s, struct sock_msg *m);
	u32 (*poll)(struct sock *s, struct poll_table *pt);
};

/* The name of a socket; shared by a listener and what it accepts. */
struct sock_name {
	struct ref refs;
	u32 len;			/* [I] of addr */
	u32 bucket;			/* [I] */
	struct path path;		/* [I] referenced; abstract: NULL */
	union {				/* [I] */
		struct sockaddr_un addr;
		char raw[112];		/* a full path and its NUL */
	};
};

enum sock_state { SOCK_CLOSED, SOCK_CONNECTED, SOCK_LISTENING };

#define SHUT_RCV  1u
#define SHUT_SEND 2u
#define SHUT_BOTH 3u

/* [L] lock  [T] unix_table_lock  [G] unix_gc_lock  [a] atomic */
struct sock {
	struct atomic charged;		/* [a] bytes queued elsewhere, plus 1 */
	struct ref refs;		/* file, peer, look-ups */
	u32 type;			/* [I] SOCK_* */
	u32 protocol;			/* [I] */
	u32 state;			/* [L] SOCK_*; read anywhere */
	u32 shutdown;			/* [L] SHUT_*; read anywhere */
	s32 err;			/* [a] to be told once, positive */
	bool dead;			/* [L] released */
	bool pass_cred;			/* [a] SO_PASSCRED */
	const struct sock_ops *ops;	/* [I] */
	struct sock *peer;		/* [L] referenced; streams: set once */
	struct sock_name *name;		/* [T] set once; read anywhere */

	struct spinlock lock;		/* LOCK_RANK_INODE_SPIN */
	u32 queued;			/* [L] messages, or connections */
	u32 backlog;			/* [L] limit of queued */
	struct list_head queue;		/* [L] adds, [read_lock + L] removes */
	struct mutex read_lock;		/* LOCK_RANK_SOCKET */
	struct wait_queue rd_wait;	/* something to read or accept */
	struct wait_queue wr_wait;	/* room for this one's messages */
	struct wait_queue space_wait;	/* room in this one's queue */
	struct fasync_list fasync;

	u32 send_limit, recv_limit;	/* [a] SO_SNDBUF, SO_RCVBUF */
	u64 recv_timeout, send_timeout;	/* [a] ns, ~0: none */
	u32 low_water;			/* [a] SO_RCVLOWAT */
	u32 flags;			/* [a] on/off options, 1 << SO_x */
	u32 priority;			/* [a] */
	struct linger linger;		/* [L] */
	struct ucred peer_cred;		/* [L] SO_PEERCRED */

	struct list_head senders;	/* [L] datagram socks connected here */
	struct list_head sender_link;	/* [peer's L] */
	struct list_head accept_link;	/* [listener's L] */
	struct list_head all_link;	/* [T] */
	struct hlist_node name_link;	/* [T] */
	struct file *file;		/* [G] of those in flight */
	u64 ino;			/* [I] once it has a file, else 0 */
	u32 in_flight;			/* [G] times queued in messages */
	s32 gc_left;			/* [G] during a collection */
	struct list_head flight_link;	/* [G] */
	struct list_head gc_link;	/* [G] during a collection */
	struct reclaim_node reclaim;
};

/* Descriptors and identity that travel with a message. */
struct scm {
	struct ucred cred;
	bool has_cred;
	struct scm_files *files;	/* owned, NULL: none */
};

struct scm_files {
	struct user *user;		/* [I] charged; NULL: not queued */
	u32 nr;				/* [I] */
	struct file *file[];		/* referenced */
};

/* One queued message, or a piece of a stream. */
struct sock_buf {
	struct list_head link;		/* [receiver's L] */
	struct sock *from;		/* [I] charged, and so kept */
	u32 charge;			/* [I] */
	u32 len;			/* [I] */
	u32 off;			/* [read_lock] taken already */
	struct ucred cred;		/* [I] */
	struct scm_files *files;	/* [read_lock] */
	char data[];
};

/* A message on its way through a system call. */
struct sock_msg {
	struct uio *uio;
	u32 flags;			/* MSG_* from the caller */
	u32 out_flags;			/* MSG_* for msg_flags */
	u32 name_len;			/* 0: none */
	struct scm scm;
	union {
		struct sockaddr_un un;
		char raw[128];
	} name;
};

/* sock.c */
#define SOCK_BUF_DEFAULT 212992u
struct sock *sock_new(u32 type, const struct sock_ops *ops);
struct sock *sock_get(struct sock *s);
void sock_put(struct sock *s);
struct file *sock_file(struct sock *s, u32 flags);
struct sock *file_sock(const struct file *f);	/* NULL: not a socket */
int sock_take_error(struct sock *s);		/* 0 or -errno, once */
void sock_set_error(struct sock *s, s32 err);
u64 sock_deadline(u64 timeout, u32 flags);	/* 0: do not wait */
int sock_wait_error(int ret, u64 deadline);
struct sock_buf *sock_buf_new(struct sock *s, size_t len, u32 flags);
void sock_buf_free(struct sock_buf *b);
void sock_wake_readers(struct sock *s);
void sock_wake_state(struct sock *s);
static inline bool sock_can_write(struct sock *s)
{
	return (u64)(u32)(atomic_read(&s->charged) - 1) * 4 <=
	       READ_ONCE(s->send_limit);
}
static inline struct sock_buf *sock_first(struct sock *s)
{
	struct list_head *first = load_acquire(&s->queue.next);

	return first == &s->queue ? NULL :
				    list_entry(first, struct sock_buf, link);
}
static inline bool sock_is_empty(struct sock *s)
{
	return load_acquire(&s->queue.next) == &s->queue;
}
void sock_unlink_buf(struct sock *s, struct sock_buf *b);

/* socket.c */
extern const struct file_ops socket_fops;
struct sock *sock_from_fd(int fd, struct fdref *r);	/* ERR_PTR */

/* names.c */
int sock_name_from_user(void *to, const void __user *from, s32 len);
int sock_name_to_user(const void *name, u32 len, void __user *to,
		      s32 __user *len_ptr);

/* options.c */
void sock_options_init(struct sock *s);

/* message.c */
void sock_msg_init(struct sock_msg *m, struct uio *uio, u32 flags);
ssize_t sock_send(struct file *f, struct sock *s, struct sock_msg *m);
ssize_t sock_recv(struct file *f, struct sock *s, struct sock_msg *m);

/* scm.c */
int scm_parse(struct scm *scm, const void __user *control, u64 len);
/* Move to user memory what came; the rest is dropped. */
void scm_deliver(struct sock *s, struct sock_msg *m,
		 struct user_msghdr *hdr);
void scm_drop(struct scm *scm);
struct scm_files *scm_files_copy(const struct scm_files *files);
void scm_files_free(struct scm_files *files);
/* Before and after files are inside a queued message. */
int scm_files_depart(struct scm_files *files);
void scm_files_arrive(struct scm_files *files);
void scm_attach(struct sock_buf *b, struct scm *scm);
void sock_add_cred(struct sock *s, struct sock *to, struct sock_msg *m);

/* unix.c */
struct sock *unix_create(u32 type, u32 protocol);
void unix_pair(struct sock *a, struct sock *b);
void unix_release(struct sock *s);
void unix_shutdown(struct sock *s, u32 how);
long unix_ioctl(struct sock *s, u32 cmd, u64 arg);
struct sock *unix_peer_get(struct sock *s);
bool unix_is_full(const struct sock *s);
bool unix_has_room(const struct sock *s);
void unix_current_cred(struct ucred *out);
static inline bool unix_is_connection(const struct sock *s)
{
	return s->type != SOCK_DGRAM;
}

/* unix_name.c */
extern struct spinlock unix_table_lock;
extern struct list_head unix_all;	/* [unix_table_lock] */
int unix_check_addr(const struct sockaddr_un *addr, u32 len);
int unix_autobind(struct sock *s);
int unix_bind(struct sock *s, const struct sockaddr_un *addr, u32 len);
struct sock *unix_find(struct sock *s, const struct sockaddr_un *addr,
		       u32 len);
void unix_unname(struct sock *s);
void sock_name_put(struct sock_name *n);

/* unix_connect.c */
int unix_stream_connect(struct sock *s, const struct sockaddr_un *addr,
			u32 len, u32 flags);
int unix_dgram_connect(struct sock *s, const struct sockaddr_un *addr,
		       u32 len, u32 flags);
int unix_listen(struct sock *s, s32 backlog);
struct sock *unix_accept(struct sock *s, u32 flags);
int unix_no_listen(struct sock *s, s32 backlog);
struct sock *unix_no_accept(struct sock *s, u32 flags);
void unix_dgram_unlink(struct sock *s, struct sock *peer);
bool unix_dgram_set_peer(struct sock *s, struct sock *to, struct sock *only);

/* unix_stream.c, unix_dgram.c */
extern const struct sock_ops unix_stream_ops, unix_dgram_ops,
	unix_seqpacket_ops;

/* unix_gc.c */
extern struct spinlock unix_gc_lock;
void unix_collect(void);

#endif /* SONDE_NET_INTERNAL_H */
