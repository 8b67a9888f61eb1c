// SPDX-License-Identifier: MIT
/*
 * inotify: what happens to an open file is told to who watches its folder,
 * under its name, and to who watches the file itself, without one.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ktap.h"

static int in;

/* The next event is this one; a name of NULL: none. */
static bool next_is(unsigned int mask, const char *name)
{
	static char buf[4096];
	static ssize_t len, at;
	struct inotify_event *e;

	if (at >= len) {
		at = 0;
		len = read(in, buf, sizeof(buf));
		if (len <= 0)
			return false;
	}
	e = (struct inotify_event *)(buf + at);
	at += (ssize_t)sizeof(*e) + e->len;
	if (e->mask == mask && !e->len == !name &&
	    (!name || !strcmp(e->name, name)))
		return true;
	printf("# event %#x of \"%s\"\n", e->mask, e->len ? e->name : "");
	return false;
}

int main(void)
{
	char dir[] = "/tmp/inotify.XXXXXX";
	int fd, other;

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	in = inotify_init1(IN_NONBLOCK);
	inotify_add_watch(in, ".", IN_ALL_EVENTS);
	fd = open("a", O_RDWR | O_CREAT, 0600);
	OK(next_is(IN_CREATE, "a"));
	OK(next_is(IN_OPEN, "a"));
	EQ(write(fd, "text", 4), 4);
	OK(next_is(IN_MODIFY, "a"));
	EQ(pread(fd, dir, 1, 0), 1);
	OK(next_is(IN_ACCESS, "a"));
	fchmod(fd, 0640);
	OK(next_is(IN_ATTRIB, "a"));
	EQ(ftruncate(fd, 1), 0);
	OK(next_is(IN_MODIFY, "a"));
	close(fd);
	OK(next_is(IN_CLOSE_WRITE, "a"));
	close(open("a", O_RDONLY));
	OK(next_is(IN_OPEN, "a"));
	OK(next_is(IN_CLOSE_NOWRITE, "a"));
	/* The folder is told first, whoever watched first. */
	other = inotify_add_watch(in, "a", IN_CLOSE_WRITE);
	OK(other > 1);
	fd = open("a", O_WRONLY);
	OK(next_is(IN_OPEN, "a"));
	close(fd);
	OK(next_is(IN_CLOSE_WRITE, "a"));
	OK(next_is(IN_CLOSE_WRITE, NULL));
	mkdir("sub", 0700);
	OK(next_is(IN_CREATE | IN_ISDIR, "sub"));
	chmod("sub", 0755);
	OK(next_is(IN_ATTRIB | IN_ISDIR, "sub"));
	rename("a", "b");
	OK(next_is(IN_MOVED_FROM, "a"));
	OK(next_is(IN_MOVED_TO, "b"));
	close(open("b", O_RDONLY));
	OK(next_is(IN_OPEN, "b"));
	OK(next_is(IN_CLOSE_NOWRITE, "b"));
	OK(!next_is(0, NULL));
	/* What has lost its name is told unless that is not wanted. */
	inotify_rm_watch(in, other);
	OK(next_is(IN_IGNORED, NULL));
	other = open("b", O_WRONLY);
	unlink("b");
	OK(next_is(IN_OPEN, "b"));
	OK(next_is(IN_DELETE, "b"));
	EQ(write(other, "x", 1), 1);
	OK(next_is(IN_MODIFY, "b"));
	inotify_add_watch(in, ".", IN_ALL_EVENTS | IN_EXCL_UNLINK);
	EQ(write(other, "x", 1), 1);
	close(other);
	close(open("c", O_WRONLY | O_CREAT, 0600));
	OK(next_is(IN_CREATE, "c"));
	OK(next_is(IN_OPEN, "c"));
	OK(next_is(IN_CLOSE_WRITE, "c"));
	return ktap_done();
}
