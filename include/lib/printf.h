/* SPDX-License-Identifier: MIT */
/*
 * Formatted text into a bounded buffer (kernel/lib/printf.c).
 *
 * Understands flags "-+ #0", width, precision, '*', lengths hh h l ll z t j
 * and conversions d i u x X o c s p %. "%pS" and "%pB" print an address as
 * symbol+offset through printf_symbol_hook (plain hexadecimal when unset);
 * "%pB" looks one byte lower, for return addresses. "%ph" with a precision of
 * n prints n bytes in hexadecimal. There is no %n and no floating point.
 *
 * vsnprintf returns the length the whole text would have and always terminates
 * when size > 0; scnprintf returns what is really in the buffer. No locks, no
 * allocation, any context.
 */
#ifndef SONDE_LIB_PRINTF_H
#define SONDE_LIB_PRINTF_H

#include <lib/types.h>

int vsnprintf(char *buf, size_t size, const char *fmt, va_list args)
	__printf(3, 0);
int snprintf(char *buf, size_t size, const char *fmt, ...) __printf(3, 4);
int vscnprintf(char *buf, size_t size, const char *fmt, va_list args)
	__printf(3, 0);
int scnprintf(char *buf, size_t size, const char *fmt, ...) __printf(3, 4);

/*
 * Writes addr as text (symbol+0x.../0x...) into buf of the given size and
 * returns the length written; zero when it knows no name. Set once at boot.
 */
extern int (*printf_symbol_hook)(char *buf, size_t size, uintptr_t addr);

#endif /* SONDE_LIB_PRINTF_H */
