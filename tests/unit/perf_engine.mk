# SPDX-License-Identifier: MIT
# The engine whole, on a fake kernel of one CPU.
SRCS_perf_engine := $(addprefix kernel/perf/,pmu.c event.c hooks.c context.c \
	group.c sched.c cpu.c freq.c overflow.c limits.c output.c ring.c \
	userpage.c callchain.c sideband.c inherit.c ring_core.c layout.c \
	period.c backends/software.c backends/clock.c) tests/unit/perf/fake.c \
	tests/unit/perf/fake_base.c
DEFS_perf_engine := -DCONFIG_PERF=1
