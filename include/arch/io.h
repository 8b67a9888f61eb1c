/* SPDX-License-Identifier: MIT */
/*
 * Device registers.  <arch/impl/io.h> supplies mmio_read8/16/32/64(addr) and
 * mmio_write8/16/32/64(addr, value) on `void __iomem *` from ioremap(), each
 * one access of that width, ordered against other device accesses and, for
 * writes, after earlier memory writes.  Any context.
 */
#ifndef SONDE_ARCH_IO_H
#define SONDE_ARCH_IO_H

#include <lib/types.h>

#include <arch/impl/io.h>

#endif /* SONDE_ARCH_IO_H */
