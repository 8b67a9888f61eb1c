/* SPDX-License-Identifier: MIT */
/*
 * The names of local sockets: paths and abstract names.
 *
 * Both live in one hash table under unix_table_lock: a path by its inode, an
 * abstract name by its bytes and the type of socket.  A sock gets its name
 * once (s->name, published with release) and leaves the table in
 * unix_unname(); the name itself lives as long as its last user.
 */
#include "internal.h"

#include <kernel/page.h>
#include <kernel/task.h>
#include <lib/hash.h>
#include <lib/printf.h>
#include <lib/string.h>

#define NAME_BITS   6
#define ADDR_PREFIX OFFSET_OF(struct sockaddr_un, sun_path)

struct spinlock unix_table_lock = SPINLOCK_INIT(LOCK_RANK_INODE_SPIN);
struct list_head unix_all = LIST_HEAD_INIT(unix_all);
static struct hlist_head names[1 << NAME_BITS]; /* [unix_table_lock] */
/* One bind at a time, so that a sock cannot get two names. */
static struct mutex bind_mutex = MUTEX_INIT(bind_mutex, LOCK_RANK_BIND);

int unix_check_addr(const struct sockaddr_un *addr, u32 len)
{
	if (len <= ADDR_PREFIX || len > sizeof(*addr) ||
	    addr->sun_family != AF_UNIX)
		return -EINVAL;
	return 0;
}

static bool is_abstract(const struct sockaddr_un *addr)
{
	return !addr->sun_path[0];
}

static u32 abstract_bucket(const struct sockaddr_un *addr, u32 len, u32 type)
{
	return (u32)(hash_bytes(addr->sun_path, len - ADDR_PREFIX, type) >>
		     (64 - NAME_BITS));
}

static u32 inode_bucket(const struct inode *inode)
{
	return hash_ptr_bits(inode, NAME_BITS);
}

static struct sock_name *name_new(const struct sockaddr_un *addr, u32 len)
{
	struct sock_name *n = kzalloc(sizeof(*n), GFP_KERNEL);

	if (!n)
		return NULL;
	ref_init(&n->refs);
	n->len = len;
	memcpy(&n->addr, addr, len);
	return n;
}

void sock_name_put(struct sock_name *n)
{
	if (ref_put(&n->refs))
		kfree(n);
}

/* [T] */
static struct sock *find_abstract(const struct sockaddr_un *addr, u32 len,
				  u32 type, u32 bucket)
{
	struct sock *s;

	hlist_for_each_entry(s, &names[bucket], name_link)
		if (s->type == type && s->name->len == len &&
		    !memcmp(&s->name->addr, addr, len))
			return s;
	return NULL;
}

/* Enter n as the name of s: -EADDRINUSE for an abstract one that is taken. */
static int publish(struct sock *s, struct sock_name *n)
{
	int ret = 0;

	spin_lock(&unix_table_lock);
	if (!n->path.dentry &&
	    find_abstract(&n->addr, n->len, s->type, n->bucket)) {
		ret = -EADDRINUSE;
	} else {
		store_release(&s->name, n);
		hlist_add_head(&s->name_link, &names[n->bucket]);
	}
	spin_unlock(&unix_table_lock);
	return ret;
}

/* [bind_mutex] The first of 2^20 five-digit names that is free. */
static int autobind_locked(struct sock *s)
{
	static u32 next;
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct sock_name *n;
	int ret;

	n = name_new(&addr, ADDR_PREFIX + 6);
	if (!n)
		return -ENOMEM;
	for (u32 tries = 0; tries <= 0xfffff; tries++) {
		char text[8];

		next = (next + 1) & 0xfffff;
		scnprintf(text, sizeof(text), "%05x", next);
		memcpy(n->addr.sun_path + 1, text, 5);
		n->bucket = abstract_bucket(&n->addr, n->len, s->type);
		ret = publish(s, n);
		if (!ret)
			return 0;
	}
	kfree(n);
	return -ENOSPC;
}

int unix_autobind(struct sock *s)
{
	int ret = 0;

	mutex_lock(&bind_mutex);
	if (!s->name)
		ret = autobind_locked(s);
	mutex_unlock(&bind_mutex);
	return ret;
}

/* [bind_mutex] */
static int bind_abstract(struct sock *s, const struct sockaddr_un *addr,
			 u32 len)
{
	struct sock_name *n = name_new(addr, len);
	int ret;

	if (!n)
		return -ENOMEM;
	n->bucket = abstract_bucket(addr, len, s->type);
	ret = publish(s, n);
	if (ret)
		kfree(n);
	return ret;
}

/* A path with its NUL, whatever the caller sent behind it. */
static u32 path_from_addr(const struct sockaddr_un *addr, u32 len,
			  char out[UNIX_PATH_MAX + 1])
{
	memcpy(out, addr->sun_path, len - ADDR_PREFIX);
	out[len - ADDR_PREFIX] = '\0';
	return (u32)strlen(out);
}

/* [bind_mutex] */
static int bind_path(struct sock *s, const struct sockaddr_un *addr, u32 len)
{
	u32 mode = S_IFSOCK | (0777 & ~READ_ONCE(current->fs->umask));
	char text[UNIX_PATH_MAX + 1];
	u32 text_len = path_from_addr(addr, len, text);
	struct sock_name *n;
	int ret;

	/* The NUL counts, even where it is one more than the struct holds. */
	n = name_new(addr, ADDR_PREFIX);
	if (!n)
		return -ENOMEM;
	n->len = ADDR_PREFIX + text_len + 1;
	memcpy(n->raw + ADDR_PREFIX, text, text_len + 1);
	ret = fs_mknod(AT_FDCWD, text, mode, 0);
	if (ret == -EEXIST)
		ret = -EADDRINUSE;
	if (!ret)
		ret = path_lookup(AT_FDCWD, text, 0, &n->path);
	if (ret) {
		kfree(n);
		return ret;
	}
	n->bucket = inode_bucket(n->path.dentry->inode);
	return publish(s, n);
}

/* A name that is taken comes before the sock that has one, as on Linux. */
static int bind_again(const struct sockaddr_un *addr, u32 len)
{
	char text[UNIX_PATH_MAX + 1];
	struct path path;

	if (is_abstract(addr))
		return -EINVAL;
	path_from_addr(addr, len, text);
	if (path_lookup(AT_FDCWD, text, 0, &path))
		return -EINVAL;
	path_put(&path);
	return -EADDRINUSE;
}

int unix_bind(struct sock *s, const struct sockaddr_un *addr, u32 len)
{
	int ret;

	if (len == ADDR_PREFIX && addr->sun_family == AF_UNIX)
		return unix_autobind(s);
	ret = unix_check_addr(addr, len);
	if (ret)
		return ret;
	mutex_lock(&bind_mutex);
	if (s->name)
		ret = bind_again(addr, len);
	else if (is_abstract(addr))
		ret = bind_abstract(s, addr, len);
	else
		ret = bind_path(s, addr, len);
	mutex_unlock(&bind_mutex);
	return ret;
}

/* ---- Look-up ---------------------------------------------------------- */

static struct sock *find_inode(const struct inode *inode)
{
	struct sock *s;

	spin_lock(&unix_table_lock);
	hlist_for_each_entry(s, &names[inode_bucket(inode)], name_link) {
		if (s->name->path.dentry &&
		    s->name->path.dentry->inode == inode) {
			sock_get(s);
			spin_unlock(&unix_table_lock);
			return s;
		}
	}
	spin_unlock(&unix_table_lock);
	return NULL;
}

static struct sock *find_path(const struct sockaddr_un *addr, u32 len,
			      u32 type)
{
	char text[UNIX_PATH_MAX + 1];
	struct sock *s = ERR_PTR(-ECONNREFUSED);
	struct path path;
	int ret;

	path_from_addr(addr, len, text);
	ret = path_lookup(AT_FDCWD, text, LOOKUP_FOLLOW, &path);
	if (ret)
		return ERR_PTR(ret);
	ret = inode_permission(path.dentry->inode, MAY_WRITE);
	if (ret) {
		s = ERR_PTR(ret);
	} else if (S_ISSOCK(path.dentry->inode->mode)) {
		s = find_inode(path.dentry->inode);
		if (!s) {
			s = ERR_PTR(-ECONNREFUSED);
		} else if (s->type != type) {
			sock_put(s);
			s = ERR_PTR(-EPROTOTYPE);
		}
	}
	path_put(&path);
	return s;
}

/* Who has this name, referenced, or ERR_PTR. */
struct sock *unix_find(struct sock *s, const struct sockaddr_un *addr,
		       u32 len)
{
	struct sock *found;

	if (!is_abstract(addr))
		return find_path(addr, len, s->type);
	spin_lock(&unix_table_lock);
	found = find_abstract(addr, len, s->type,
			      abstract_bucket(addr, len, s->type));
	if (found)
		sock_get(found);
	spin_unlock(&unix_table_lock);
	return found ? found : ERR_PTR(-ECONNREFUSED);
}

/* Out of every table; the last owner of a path lets go of it. */
void unix_unname(struct sock *s)
{
	struct path path = { 0 };

	spin_lock(&unix_table_lock);
	list_del_init(&s->all_link);
	if (s->name && !hlist_unhashed(&s->name_link)) {
		hlist_del_init(&s->name_link);
		path = s->name->path;
	}
	spin_unlock(&unix_table_lock);
	if (path.dentry)
		path_put(&path);
}
