// SPDX-License-Identifier: MIT
/*
 * The least a static program needs: it starts, writes, and ends.
 * tags: boot short
 */
#include <unistd.h>

#include "ktap.h"

int main(int argc, char **argv)
{
	EQ(argc, 1);
	OK(argv[argc] == NULL);
	OK(getpid() > 1);
	FAILS(close(-1), EBADF);
	return ktap_done();
}
