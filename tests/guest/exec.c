// SPDX-License-Identifier: MIT
/*
 * execve: what is refused and how, scripts, execveat, what a program finds.
 * tags: short
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

static char *one[] = { "x", NULL };

static void make(const char *path, const char *text)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0755);

	if (write(fd, text, strlen(text)) < 0)
		perror(path);
	close(fd);
}

static int run(const char *path, char **argv)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		execv(path, argv);
		_exit(errno);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void refusals(void)
{
	char *big = malloc(200000), *args[] = { "x", big, NULL };
	int fd;

	FAILS(execv("/nonexistent", one), ENOENT);
	FAILS(execv("", one), ENOENT);
	FAILS(execv("/", one), EACCES);
	FAILS(execv("/etc/passwd", one), EACCES);
	FAILS(execv("/etc/passwd/x", one), ENOTDIR);
	FAILS(syscall(SYS_execve, (char *)8, one, NULL), EFAULT);
	FAILS(syscall(SYS_execve, "/proc/self/exe", (char **)8, NULL), EFAULT);
	make("/tmp/exec-bad", "garbage");
	FAILS(execv("/tmp/exec-bad", one), ENOEXEC);
	fd = open("/tmp/exec-bad", O_WRONLY);
	FAILS(execv("/tmp/exec-bad", one), ETXTBSY);
	close(fd);
	memset(big, 'a', 199999);
	big[199999] = '\0';
	FAILS(execv("/proc/self/exe", args), E2BIG);
	free(big);
}

static void scripts(void)
{
	char *argv[] = { "called", "last", NULL };

	make("/tmp/exec-1", "#! \t/proc/self/exe  check script\n");
	EQ(run("/tmp/exec-1", argv), 77);
	make("/tmp/exec-loop", "#!/tmp/exec-loop\n");
	EQ(run("/tmp/exec-loop", argv), ELOOP);
	make("/tmp/exec-none", "#!\n");
	EQ(run("/tmp/exec-none", argv), ENOEXEC);
	make("/tmp/exec-lost", "#!/nonexistent\n");
	EQ(run("/tmp/exec-lost", argv), ENOENT);
}

static void through_descriptor(void)
{
	char *argv[] = { "x", "plain", NULL };
	int fd = open("/proc/self/exe", O_RDONLY), status = -1;
	pid_t pid = fork();

	if (!pid) {
		syscall(SYS_execveat, fd, "", argv, environ, AT_EMPTY_PATH);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	EQ(WEXITSTATUS(status), 76);
	FAILS(syscall(SYS_execveat, fd, "", argv, environ, 0), ENOENT);
	FAILS(syscall(SYS_execveat, -1, "x", argv, environ, 0), EBADF);
	close(fd);
}

static void vector(void)
{
	EQ(getauxval(AT_PAGESZ), 4096);
	EQ(getauxval(AT_CLKTCK), 100);
	EQ(getauxval(AT_SECURE), 0);
	EQ(getauxval(AT_UID), getuid());
	OK(getauxval(AT_SYSINFO_EHDR));
	OK(getauxval(AT_RANDOM));
	OK(getauxval(AT_PHDR) && getauxval(AT_PHNUM));
	OK(!strcmp((char *)getauxval(AT_PLATFORM), "aarch64"));
	OK(getauxval(AT_EXECFN));
}

/* As the interpreter of a script: [exe, "check script", script, last] */
static int check(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "plain"))
		return 76;
	return argc == 4 && !strcmp(argv[0], "/proc/self/exe") &&
	       !strcmp(argv[1], "check script") &&
	       !strcmp(argv[2], "/tmp/exec-1") &&
	       !strcmp(argv[3], "last") ? 77 : 78;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return check(argc, argv);
	refusals();
	scripts();
	through_descriptor();
	vector();
	return ktap_done();
}
