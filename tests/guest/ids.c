// SPDX-License-Identifier: MIT
/*
 * Credentials, limits, groups, sessions, names: what one may change.
 * tags: short
 */
#define _GNU_SOURCE
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

static void in_child(void (*fn)(void))
{
	int status = -1, before = ktap_failed;
	pid_t pid = fork();

	if (!pid) {
		fn();
		_exit(ktap_failed != before);
	}
	waitpid(pid, &status, 0);
	EQ(status, 0);
}

static void lose_root(void)
{
	struct rlimit limit = { 100, 200 };
	unsigned int header[2] = { 0x20080522, 0 }, data[6];

	WORKS(setresuid(1000, 1000, 1000));
	EQ(getuid(), 1000);
	EQ(geteuid(), 1000);
	WORKS(syscall(SYS_capget, header, data));
	EQ(data[0] | data[1] | data[3] | data[4], 0);
	FAILS(setuid(0), EPERM);
	FAILS(kill(1, 0), EPERM);
	FAILS(sethostname("x", 1), EPERM);
	WORKS(setrlimit(RLIMIT_NOFILE, &limit));
	limit.rlim_max = 300;
	FAILS(setrlimit(RLIMIT_NOFILE, &limit), EPERM);
	limit.rlim_cur = 400;
	FAILS(setrlimit(RLIMIT_NOFILE, &limit), EINVAL);
	FAILS(syscall(SYS_reboot, 0xfee1dead, 672274793, 0, 0), EPERM);
}

static void keep_caps(void)
{
	unsigned int header[2] = { 0x20080522, 0 }, data[6];

	WORKS(prctl(PR_SET_KEEPCAPS, 1));
	WORKS(setresuid(1000, 1000, 1000));
	syscall(SYS_capget, header, data);
	EQ(data[0], 0);
	OK(data[1] != 0);
	data[0] = data[1];
	data[3] = data[4];
	WORKS(syscall(SYS_capset, header, data));
	WORKS(setuid(0));
}

static void lead_session(void)
{
	EQ(setsid(), getpid());
	EQ(getsid(0), getpid());
	EQ(getpgid(0), getpid());
	FAILS(setsid(), EPERM);
	FAILS(setpgid(0, 0), EPERM);
}

static void lead_group(void)
{
	WORKS(setpgid(0, 0));
	EQ(getpgrp(), getpid());
	FAILS(setsid(), EPERM);
	FAILS(setpgid(0, 4000000), EPERM);
	FAILS(setpgid(0, -1), EINVAL);
	FAILS(setpgid(1, 0), ESRCH);
}

int main(void)
{
	gid_t groups[3] = { 5, 3, 9 };
	char name[16];

	WORKS(prctl(PR_SET_NAME, "abcdefghijklmnopqrst"));
	WORKS(prctl(PR_GET_NAME, name));
	OK(!strcmp(name, "abcdefghijklmno"));
	WORKS(setgroups(3, groups));
	EQ(getgroups(3, groups), 3);
	OK(groups[0] == 3 && groups[1] == 5 && groups[2] == 9);
	FAILS(getgroups(2, groups), EINVAL);
	setgroups(0, NULL);
	in_child(lose_root);
	in_child(keep_caps);
	in_child(lead_session);
	in_child(lead_group);
	FAILS(prctl(PR_SET_PDEATHSIG, 65), EINVAL);
	FAILS(prctl(PR_CAPBSET_READ, 64), EINVAL);
	EQ(prctl(PR_CAPBSET_READ, 0), 1);
	WORKS(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	EQ(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 1);
	FAILS(prctl(9999), EINVAL);
	return ktap_done();
}
