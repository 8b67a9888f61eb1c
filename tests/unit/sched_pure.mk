# SPDX-License-Identifier: MIT
# The arithmetic of the fair class and the order of the timer queue.
SRCS_sched_pure := kernel/sched/fair_math.c
