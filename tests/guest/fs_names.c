// SPDX-License-Identifier: MIT
/*
 * Names: look-up, links, making, moving, removing, and the errors of each.
 * tags: fs short
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "ktap.h"

static char cwd[4096];

static void touch(const char *name)
{
	int fd = open(name, O_CREAT | O_WRONLY, 0644);

	OK_MSG(fd >= 0, "made %s", name);
	close(fd);
}

static void test_errors(void)
{
	char longname[300], longpath[5000];

	memset(longname, 'x', 256);
	longname[256] = 0;
	memset(longpath, 'y', sizeof(longpath) - 1);
	longpath[sizeof(longpath) - 1] = 0;
	FAILS(open("", O_RDONLY), ENOENT);
	FAILS(open("nothing", O_RDONLY), ENOENT);
	FAILS(open("f/x", O_RDONLY), ENOTDIR);
	FAILS(open("f/", O_RDONLY), ENOTDIR);
	FAILS(open("f", O_RDONLY | O_DIRECTORY), ENOTDIR);
	FAILS(open("f", O_CREAT | O_EXCL | O_RDWR, 0600), EEXIST);
	FAILS(open("d", O_RDWR), EISDIR);
	FAILS(open("d", O_CREAT | O_RDONLY, 0600), EISDIR);
	FAILS(open("new/", O_CREAT | O_RDWR, 0600), EISDIR);
	FAILS(open(longname, O_RDONLY), ENAMETOOLONG);
	FAILS(open(longpath, O_RDONLY), ENAMETOOLONG);
	FAILS(open((char *)1, O_RDONLY), EFAULT);
	FAILS(mkdir("d", 0755), EEXIST);
	FAILS(mkdir(".", 0755), EEXIST);
	FAILS(mkdir("nothing/x", 0755), ENOENT);
	FAILS(rmdir("f"), ENOTDIR);
	FAILS(rmdir("."), EINVAL);
	FAILS(rmdir("d/.."), ENOTEMPTY);
	FAILS(unlink("d"), EISDIR);
	FAILS(unlink("f/"), ENOTDIR);
	FAILS(link("d", "d2"), EPERM);
	FAILS(readlink("f", longname, 10), EINVAL);
	FAILS(rename("d", "d/e"), EINVAL);
	FAILS(rename("nothing", "x"), ENOENT);
	FAILS(symlink("", "l"), ENOENT);
	FAILS(openat(99, "f", O_RDONLY), EBADF);
	FAILS(chdir("f"), ENOTDIR);
}

static void test_links(void)
{
	char buf[64], name[16];
	struct stat st, st2;
	int i;

	EQ(symlink("f", "s1"), 0);
	EQ(readlink("s1", buf, sizeof(buf)), 1);
	EQ(readlink("s1", buf, 0) == -1 && errno == EINVAL, 1);
	EQ(lstat("s1", &st), 0);
	EQ(st.st_size, 1);
	OK(S_ISLNK(st.st_mode));
	EQ(stat("s1", &st), 0);
	OK(S_ISREG(st.st_mode));
	EQ(symlink("loop", "loop"), 0);
	FAILS(open("loop", O_RDONLY), ELOOP);
	FAILS(open("s1", O_RDONLY | O_NOFOLLOW), ELOOP);
	EQ(symlink("d", "sd"), 0);
	EQ(stat("sd/", &st), 0);
	EQ(symlink("made-by-link", "dangling"), 0);
	touch("dangling");
	EQ(access("made-by-link", F_OK), 0);
	/* Forty links in a row are followed, one more is not. */
	EQ(symlink("../names", "c0"), 0);
	for (i = 1; i <= 40; i++) {
		snprintf(name, sizeof(name), "c%d", i);
		snprintf(buf, sizeof(buf), "c%d", i - 1);
		EQ(symlink(buf, name), 0);
	}
	EQ(access("c39", F_OK), 0);
	FAILS(access("c40", F_OK), ELOOP);
	EQ(link("f", "f2"), 0);
	EQ(stat("f", &st), 0);
	EQ(stat("f2", &st2), 0);
	EQ(st.st_nlink, 2);
	EQ(st.st_ino, st2.st_ino);
	EQ(unlink("f2"), 0);
	EQ(stat("f", &st), 0);
	EQ(st.st_nlink, 1);
}

static void test_rename(void)
{
	struct stat st;
	int fd;

	touch("a");
	touch("b");
	EQ(stat("a", &st), 0);
	EQ(rename("a", "b"), 0);
	FAILS(access("a", F_OK), ENOENT);
	EQ(mkdir("r1", 0755), 0);
	EQ(mkdir("r2", 0755), 0);
	touch("r2/x");
	FAILS(rename("r1", "r2"), ENOTEMPTY);
	FAILS(rename("b", "r1"), EISDIR);
	FAILS(rename("r1", "b"), ENOTDIR);
	EQ(rename("r2", "r1"), 0);
	EQ(access("r1/x", F_OK), 0);
	EQ(syscall(SYS_renameat2, AT_FDCWD, "r1", AT_FDCWD, "b", 2), 0);
	EQ(stat("r1", &st), 0);
	OK(S_ISREG(st.st_mode));
	EQ(access("b/x", F_OK), 0);
	FAILS(syscall(SYS_renameat2, AT_FDCWD, "r1", AT_FDCWD, "b", 1),
	      EEXIST);
	/* An open file and a working directory go on without their names. */
	fd = open("b/x", O_RDONLY);
	EQ(unlink("b/x"), 0);
	EQ(fstat(fd, &st), 0);
	EQ(st.st_nlink, 0);
	close(fd);
	EQ(chdir("b"), 0);
	EQ(rmdir("../b"), 0);
	FAILS(open("y", O_CREAT | O_WRONLY, 0600), ENOENT);
	FAILS(syscall(SYS_getcwd, cwd, sizeof(cwd)), ENOENT);
	EQ(chdir("/tmp/names"), 0);
}

static void test_dirs(void)
{
	struct dirent *de;
	int n = 0, dots = 0;
	char name[32];
	struct stat st;
	DIR *dir;
	long at = 0;

	EQ(mkdir("many", 0755), 0);
	for (int i = 0; i < 500; i++) {
		snprintf(name, sizeof(name), "many/%d", i);
		close(open(name, O_CREAT | O_WRONLY, 0600));
	}
	dir = opendir("many");
	while ((de = readdir(dir)) != NULL) {
		n++;
		dots += de->d_name[0] == '.';
		if (n == 100)
			at = telldir(dir);
		if (de->d_name[0] != '.' && de->d_type != DT_REG)
			n += 1000;
	}
	EQ(n, 502);
	EQ(dots, 2);
	seekdir(dir, at);
	for (n = 0; readdir(dir) != NULL;)
		n++;
	EQ(n, 402);
	rewinddir(dir);
	/* Removing while reading shows each name once. */
	for (n = 0; (de = readdir(dir)) != NULL;) {
		if (de->d_name[0] == '.')
			continue;
		n++;
		unlinkat(dirfd(dir), de->d_name, 0);
	}
	EQ(n, 500);
	closedir(dir);
	EQ(stat("many", &st), 0);
	EQ(st.st_nlink, 2);
	EQ(rmdir("many"), 0);
}

static int how_open(const char *name, unsigned long flags,
		    unsigned long resolve)
{
	struct open_how how = { .flags = flags, .resolve = resolve };
	int fd = (int)syscall(SYS_openat2, AT_FDCWD, name, &how, sizeof(how));

	if (fd >= 0)
		close(fd);
	return fd;
}

static void test_openat2(void)
{
	FAILS(how_open("/tmp/names/f", O_RDONLY, RESOLVE_BENEATH), EXDEV);
	FAILS(how_open("../names/f", O_RDONLY, RESOLVE_BENEATH), EXDEV);
	OK(how_open("d/../f", O_RDONLY, RESOLVE_BENEATH) >= 0);
	OK(how_open("/f", O_RDONLY, RESOLVE_IN_ROOT) >= 0);
	OK(how_open("../../f", O_RDONLY, RESOLVE_IN_ROOT) >= 0);
	FAILS(how_open("s1", O_RDONLY, RESOLVE_NO_SYMLINKS), ELOOP);
	FAILS(how_open("/proc/self/exe", O_RDONLY, RESOLVE_NO_MAGICLINKS),
	      ELOOP);
	FAILS(how_open("f", O_RDONLY | (1ul << 40), 0), EINVAL);
	FAILS(how_open("f", O_RDONLY, 1ul << 20), EINVAL);
}

/*
 * Entries of /proc that are in use while they are looked up again: right as
 * long as what they stand for, whatever their directory is.
 */
static void test_proc_entries(void)
{
	int entry = open("/proc/self/net/unix", O_RDONLY), fd, dir;
	char name[64], info[64];
	struct stat st;
	pid_t child;

	OK(entry >= 0);
	EQ(stat("/proc/self/net/unix", &st), 0);
	close(entry);

	fd = open("/dev/null", O_RDONLY);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	snprintf(info, sizeof(info), "/proc/self/fdinfo/%d", fd);
	entry = open(name, O_PATH | O_NOFOLLOW);
	dir = open(info, O_PATH);
	OK(entry >= 0 && dir >= 0);
	EQ(lstat(name, &st), 0);
	EQ(stat(info, &st), 0);
	close(fd);
	FAILS(lstat(name, &st), ENOENT);
	FAILS(stat(info, &st), ENOENT);
	close(entry);
	close(dir);

	child = fork();
	if (!child)
		for (;;)
			pause();
	snprintf(name, sizeof(name), "/proc/%d", child);
	dir = open(name, O_PATH);
	OK(dir >= 0);
	EQ(stat(name, &st), 0);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	FAILS(stat(name, &st), ENOENT);
	FAILS(fstatat(dir, "stat", &st, 0), ESRCH);
	close(dir);
}

static void test_attrs(void)
{
	struct timespec ts[2] = { { 100, 5 }, { 200, 6 } };
	struct statfs sf;
	struct stat st;
	char buf[64];

	EQ(chmod("f", 04755), 0);
	EQ(stat("f", &st), 0);
	EQ(st.st_mode & 07777, 04755);
	EQ(chown("f", 1000, 1000), 0);
	EQ(stat("f", &st), 0);
	EQ(st.st_mode & 07777, 0755);
	EQ(st.st_uid, 1000);
	EQ(utimensat(AT_FDCWD, "f", ts, 0), 0);
	EQ(stat("f", &st), 0);
	EQ(st.st_atim.tv_sec, 100);
	EQ(st.st_mtim.tv_nsec, 6);
	FAILS(getxattr("f", "security.selinux", buf, sizeof(buf)), ENODATA);
	FAILS(getxattr("f", "user.x", buf, sizeof(buf)), EOPNOTSUPP);
	FAILS(getxattr("f", "system.posix_acl_access", buf, sizeof(buf)),
	      ENODATA);
	EQ(setxattr("f", "trusted.a", "12", 2, 0), 0);
	EQ(getxattr("f", "trusted.a", buf, sizeof(buf)), 2);
	EQ(listxattr("f", buf, sizeof(buf)), 10);
	EQ(removexattr("f", "trusted.a"), 0);
	EQ(statfs(".", &sf), 0);
	EQ(sf.f_type, 0x01021994);
	EQ(sf.f_namelen, 255);
}

static void test_mounts(void)
{
	struct stat st;

	EQ(mkdir("m", 0755), 0);
	EQ(mount("mine", "m", "tmpfs", 0, "size=64k,mode=700"), 0);
	EQ(stat("m", &st), 0);
	EQ(st.st_mode & 0777, 0700);
	touch("m/in");
	FAILS(rmdir("m"), EBUSY);
	FAILS(rename("f", "m/f"), EXDEV);
	EQ(mount(NULL, "m", NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
	FAILS(open("m/new", O_CREAT | O_WRONLY, 0600), EROFS);
	FAILS(mkdir("m/in", 0755), EEXIST);
	FAILS(unlink("m/in"), EROFS);
	EQ(mkdir("m2", 0755), 0);
	EQ(mount("m", "m2", NULL, MS_BIND, NULL), 0);
	EQ(access("m2/in", F_OK), 0);
	EQ(umount("m2"), 0);
	EQ(chdir("m"), 0);
	FAILS(umount2("../m", 0), EBUSY);
	EQ(umount2("../m", MNT_DETACH), 0);
	EQ(access("in", F_OK), 0);
	EQ(chdir("/tmp/names"), 0);
	FAILS(access("m/in", F_OK), ENOENT);
	FAILS(mount("x", "m", "nosuchfs", 0, NULL), ENODEV);
	FAILS(umount("m"), EINVAL);
	rmdir("m");
	rmdir("m2");
}

int main(void)
{
	mkdir("/tmp", 01777);
	mount("t", "/tmp", "tmpfs", 0, NULL);
	OK(mkdir("/tmp/names", 0755) == 0);
	OK(chdir("/tmp/names") == 0);
	touch("f");
	OK(mkdir("d", 0755) == 0);
	test_errors();
	test_links();
	test_rename();
	test_dirs();
	test_openat2();
	test_proc_entries();
	test_attrs();
	test_mounts();
	return ktap_done();
}
