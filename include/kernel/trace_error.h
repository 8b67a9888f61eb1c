/* SPDX-License-Identifier: MIT */
/*
 * tracefs/error_log: what was wrong with the last texts that were refused.
 */
#ifndef SONDE_KERNEL_TRACE_ERROR_H
#define SONDE_KERNEL_TRACE_ERROR_H

#include <lib/types.h>

/*
 * where: "trace_kprobe"; command: the text, copied; pos: where in it.  Task
 * context.
 */
void trace_error_log(const char *where, const char *command, const char *text,
		     u32 pos);

#endif /* SONDE_KERNEL_TRACE_ERROR_H */
