/* SPDX-License-Identifier: MIT */
/*
 * Is memory back?  Free pages before and after, with what is only cached
 * dropped, and time for what is freed a little late.
 */
#ifndef TESTS_GUEST_FREEMEM_H
#define TESTS_GUEST_FREEMEM_H

#include "facts.h"

static char free_text[4096];

__attribute__((unused)) static long free_kb(void)
{
	char *at;
	ssize_t n;
	int fd;

	put_file("/proc/sys/vm/drop_caches", "3");
	fd = open("/proc/meminfo", O_RDONLY);
	n = read(fd, free_text, sizeof(free_text) - 1);
	close(fd);
	free_text[n > 0 ? n : 0] = '\0';
	at = strstr(free_text, "MemFree:");
	return at ? strtol(at + 8, NULL, 10) : 0;
}

/* The fact that no more is lost than lists of free objects explain: `most`. */
__attribute__((unused)) static void memory_is_back(long before, long most)
{
	long lost = 0;

	for (int i = 0; i < 300; i++) {
		lost = before - free_kb();
		if (lost < most) {
			fact("yes", "memory is back");
			return;
		}
		usleep(100000);
	}
	for (char *line = strtok(free_text, "\n"); line;
	     line = strtok(NULL, "\n"))
		printf("# %s\n", line);
	fact(text("no: %ld KiB less", lost), "memory is back");
}

#endif /* TESTS_GUEST_FREEMEM_H */
