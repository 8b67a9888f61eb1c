# SPDX-License-Identifier: MIT
SRCS_trace_filter := $(addprefix kernel/trace/,filter.c filter_term.c \
	filter_parse.c)
