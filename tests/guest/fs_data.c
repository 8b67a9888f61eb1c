// SPDX-License-Identifier: MIT
/*
 * Data: reading, writing, sparse files, seeking, vectors, sendfile, memfd,
 * descriptors and their flags, record locks.
 * tags: fs short
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

static void test_sparse(void)
{
	char buf[8192];
	struct stat st;
	int fd = open("sparse", O_CREAT | O_RDWR, 0600);

	EQ(pwrite(fd, "x", 1, 1 << 20), 1);
	EQ(fstat(fd, &st), 0);
	EQ(st.st_size, (1 << 20) + 1);
	EQ(st.st_blocks, 8);
	EQ(lseek(fd, 0, SEEK_DATA), 1 << 20);
	EQ(lseek(fd, 0, SEEK_HOLE), 0);
	EQ(lseek(fd, 1 << 20, SEEK_HOLE), (1 << 20) + 1);
	FAILS(lseek(fd, 2 << 20, SEEK_DATA), ENXIO);
	memset(buf, 1, sizeof(buf));
	EQ(pread(fd, buf, sizeof(buf), 4096), 8192);
	OK(buf[0] == 0 && buf[8191] == 0);
	EQ(ftruncate(fd, 100), 0);
	EQ(ftruncate(fd, 8192), 0);
	EQ(fallocate(fd, 0, 0, 65536), 0);
	EQ(fstat(fd, &st), 0);
	EQ(st.st_size, 65536);
	EQ(st.st_blocks, 128);
	EQ(fallocate(fd, 3, 4096, 4096), 0);
	EQ(fstat(fd, &st), 0);
	EQ(st.st_blocks, 120);
	FAILS(fallocate(fd, 8, 0, 4096), EOPNOTSUPP);
	FAILS(ftruncate(fd, -1), EINVAL);
	close(fd);
}

static void test_rw(void)
{
	char a[10], b[10], *ro;
	struct iovec iov[2] = { { a, 10 }, { b, 10 } };
	int fd = open("rw", O_CREAT | O_RDWR | O_TRUNC, 0600);

	EQ(write(fd, "0123456789abcdefghij", 20), 20);
	EQ(lseek(fd, 0, SEEK_SET), 0);
	EQ(readv(fd, iov, 2), 20);
	OK(!memcmp(a, "0123456789", 10) && !memcmp(b, "abcdefghij", 10));
	EQ(read(fd, a, 10), 0);
	EQ(lseek(fd, -5, SEEK_END), 15);
	EQ(read(fd, a, 10), 5);
	FAILS(lseek(fd, -1, SEEK_SET), EINVAL);
	FAILS(lseek(fd, 0, 99), EINVAL);
	lseek(fd, 0, SEEK_SET);
	FAILS(read(fd, (void *)16, 1), EFAULT);
	FAILS(write(fd, (void *)16, 1), EFAULT);
	FAILS(pread(fd, a, 1, -1), EINVAL);
	FAILS(readv(fd, iov, 1025), EINVAL);
	FAILS(readv(fd, iov, -1), EINVAL);
	/* A destination that ends in a bad page takes what fits. */
	ro = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(ro + 4096, 4096);
	EQ(pread(fd, ro + 4090, 20, 0), 6);
	close(fd);
	fd = open("rw", O_WRONLY | O_APPEND);
	EQ(pwrite(fd, "Z", 1, 0), 1);
	EQ(lseek(fd, 0, SEEK_END), 21);
	FAILS(read(fd, a, 1), EBADF);
	close(fd);
	FAILS(open("rw", O_RDONLY | O_DIRECT), EINVAL);
}

static void test_limits(void)
{
	struct rlimit old, rl = { 10, 10 };
	int fd, pid = fork(), status;

	if (pid == 0) {
		signal(SIGXFSZ, SIG_IGN);
		getrlimit(RLIMIT_FSIZE, &old);
		setrlimit(RLIMIT_FSIZE, &rl);
		fd = open("lim", O_CREAT | O_RDWR, 0600);
		if (write(fd, "0123456789ab", 12) != 10)
			_exit(1);
		if (write(fd, "x", 1) != -1 || errno != EFBIG)
			_exit(2);
		if (ftruncate(fd, 11) != -1 || errno != EFBIG)
			_exit(3);
		rl.rlim_cur = rl.rlim_max = 5;
		setrlimit(RLIMIT_NOFILE, &rl);
		while (open("lim", O_RDONLY) >= 0)
			;
		_exit(errno == EMFILE ? 0 : 4);
	}
	waitpid(pid, &status, 0);
	EQ(status, 0);
}

static void test_copy(void)
{
	int in = open("rw", O_RDONLY), out, p[2];
	off_t off = 2;
	loff_t o1 = 0, o2 = 0;
	char buf[64];

	out = open("copy", O_CREAT | O_RDWR | O_TRUNC, 0600);
	EQ(sendfile(out, in, &off, 5), 5);
	EQ(off, 7);
	EQ(copy_file_range(in, &o1, out, &o2, 100, 0), 21);
	EQ(pipe(p), 0);
	EQ(splice(in, NULL, p[1], NULL, 10, 0), 10);
	EQ(splice(p[0], NULL, out, NULL, 4, 0), 4);
	EQ(read(p[0], buf, sizeof(buf)), 6);
	FAILS(splice(in, NULL, out, NULL, 4, 0), EINVAL);
	FAILS(splice(p[0], &o1, out, NULL, 4, 0), ESPIPE);
	close(p[0]);
	close(p[1]);
	close(in);
	close(out);
}

static void test_fds(void)
{
	int fd = open("rw", O_RDONLY), n;

	n = fcntl(fd, F_DUPFD_CLOEXEC, 50);
	EQ(n, 50);
	EQ(fcntl(50, F_GETFD), FD_CLOEXEC);
	EQ(dup2(fd, 60), 60);
	EQ(fcntl(60, F_GETFD), 0);
	EQ(dup2(fd, fd), fd);
	FAILS(dup3(fd, fd, 0), EINVAL);
	FAILS(dup2(999, 3), EBADF);
	EQ(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	EQ(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	OK(fcntl(60, F_GETFL) & O_NONBLOCK);
	EQ(syscall(SYS_close_range, 50, ~0u, 0), 0);
	FAILS(fcntl(60, F_GETFD), EBADF);
	FAILS(close(60), EBADF);
	FAILS(fcntl(fd, 9999), EINVAL);
	close(fd);
	fd = open("rw", O_PATH);
	FAILS(read(fd, &n, 1), EBADF);
	OK(fcntl(fd, F_GETFL) & O_PATH);
	close(fd);
}

static void test_locks(void)
{
	struct flock fl = { .l_type = F_WRLCK, .l_start = 10, .l_len = 10 };
	int fd = open("rw", O_RDWR), pid, status;

	EQ(fcntl(fd, F_SETLK, &fl), 0);
	pid = fork();
	if (pid == 0) {
		struct flock q = { .l_type = F_WRLCK, .l_len = 11 };
		int mine = open("rw", O_RDWR);

		if (fcntl(mine, F_SETLK, &q) != -1 || errno != EAGAIN)
			_exit(1);
		if (fcntl(mine, F_GETLK, &q) || q.l_type != F_WRLCK ||
		    q.l_pid != getppid() || q.l_start != 10 || q.l_len != 10)
			_exit(2);
		q = (struct flock){ .l_type = F_WRLCK, .l_len = 10 };
		if (fcntl(mine, F_SETLK, &q))
			_exit(3);
		if (flock(mine, LOCK_EX | LOCK_NB))
			_exit(4);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	EQ(status, 0);
	EQ(flock(fd, LOCK_EX), 0);
	/* The middle of a range goes: two remain. */
	fl.l_type = F_UNLCK;
	fl.l_start = 13;
	fl.l_len = 2;
	EQ(fcntl(fd, F_SETLK, &fl), 0);
	close(fd);
}

static void test_memfd(void)
{
	int fd = memfd_create("mine", MFD_ALLOW_SEALING);
	char link[64] = "", name[64];
	char *p;

	OK(fd >= 0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (readlink(name, link, sizeof(link) - 1) > 0)
		OK(!strcmp(link, "/memfd:mine (deleted)"));
	EQ(ftruncate(fd, 8192), 0);
	p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	OK(p != MAP_FAILED);
	p[5000] = 'q';
	EQ(pread(fd, name, 1, 5000), 1);
	EQ(name[0], 'q');
	EQ(pwrite(fd, "r", 1, 5001), 1);
	EQ(p[5001], 'r');
	FAILS(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), EBUSY);
	munmap(p, 8192);
	EQ(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK), 0);
	FAILS(write(fd, "x", 1), EPERM);
	FAILS(ftruncate(fd, 1), EPERM);
	EQ(fcntl(fd, F_GET_SEALS), F_SEAL_WRITE | F_SEAL_SHRINK);
	close(fd);
	fd = memfd_create("plain", 0);
	FAILS(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW), EPERM);
	close(fd);
}

int main(void)
{
	mkdir("/tmp", 01777);
	mount("t", "/tmp", "tmpfs", 0, NULL);
	OK(chdir("/tmp") == 0);
	test_sparse();
	test_rw();
	test_limits();
	test_copy();
	test_fds();
	test_locks();
	test_memfd();
	return ktap_done();
}
