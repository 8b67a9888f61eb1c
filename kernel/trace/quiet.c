/* SPDX-License-Identifier: MIT */
/*
 * Events without a source: their switches, which do nothing.
 */
#include "quiet.h"

static int quiet_enable(struct trace_event *ev)
{
	return 0;
}

static void quiet_disable(struct trace_event *ev)
{
}

const struct trace_event_ops trace_quiet_ops = {
	.enable = quiet_enable,
	.disable = quiet_disable,
};

int trace_quiet_register(struct trace_event *events, u32 nr)
{
	int err = 0;

	for (; nr && !err; nr--, events++)
		err = trace_event_register(events);
	return err;
}
