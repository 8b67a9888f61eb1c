/* SPDX-License-Identifier: MIT */
/*
 * Shared inside kernel/time only: conversion for arming, the vDSO mirror, and
 * the per-CPU pieces that the start and stop of a CPU set up.
 */
#ifndef SONDE_KERNEL_TIME_INTERNAL_H
#define SONDE_KERNEL_TIME_INTERNAL_H

#include <lib/types.h>

/* Counter value at which mono_ns has been reached. */
u64 time_ns_to_counter(u64 mono_ns);

/* Publish the conversion and the wall-clock offset to user space. */
void time_vdso_update(u64 real_offset_ns);

void tick_init_cpu(void);

#endif /* SONDE_KERNEL_TIME_INTERNAL_H */
