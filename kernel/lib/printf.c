// SPDX-License-Identifier: MIT
/*
 * Formatted text into a bounded buffer; <lib/printf.h> lists what it knows.
 *
 * One pass over the format: a conversion is parsed into struct spec, rendered
 * by one function per kind, and put into the buffer by put(), which counts
 * beyond the end without writing there. No locks, no allocation, no recursion;
 * usable from the overflow handler and from a dying kernel.
 */
#include <lib/bits.h>
#include <lib/ctype.h>
#include <lib/minmax.h>
#include <lib/printf.h>
#include <lib/string.h>

int (*printf_symbol_hook)(char *buf, size_t size, uintptr_t addr);

struct out {
	char *buf;
	size_t size;
	size_t pos; /* may exceed size */
	va_list args;
};

enum {
	F_LEFT = 1 << 0,
	F_PLUS = 1 << 1,
	F_SPACE = 1 << 2,
	F_ALT = 1 << 3,
	F_ZERO = 1 << 4,
	F_UPPER = 1 << 5,
	F_SIGNED = 1 << 6,
};

struct spec {
	int flags;
	int width;
	int precision; /* negative: none given */
	int length;    /* bytes of the integer argument */
};

#define NUMBER_MAX 24 /* octal digits of 2^64, and room */
#define SYMBOL_MAX 160

static void put(struct out *o, char c)
{
	if (o->pos < o->size)
		o->buf[o->pos] = c;
	o->pos++;
}

static void pad(struct out *o, char c, int count)
{
	while (count-- > 0)
		put(o, c);
}

/* Text of known length, padded to the field's width. */
static void put_text(struct out *o, const struct spec *sp, const char *s,
		     int len)
{
	if (!(sp->flags & F_LEFT))
		pad(o, ' ', sp->width - len);
	for (int i = 0; i < len; i++)
		put(o, s[i]);
	if (sp->flags & F_LEFT)
		pad(o, ' ', sp->width - len);
}

static void put_string(struct out *o, const struct spec *sp, const char *s)
{
	size_t max = sp->precision < 0 ? (size_t)INT_MAX : sp->precision;

	if (!s)
		s = "(null)";
	put_text(o, sp, s, (int)strnlen(s, max));
}

/* Digits of v, last first; returns how many. */
static int render(char *digits, u64 v, unsigned int base, bool upper)
{
	const char *set = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	int n = 0;

	do {
		digits[n++] = set[v % base];
		v /= base;
	} while (v);
	return n;
}

static void put_number(struct out *o, const struct spec *sp, u64 v,
		       unsigned int base)
{
	char digits[NUMBER_MAX];
	char prefix[3];
	int prefix_len = 0;
	int len, zeros, spaces;

	if (sp->flags & F_SIGNED) {
		if ((s64)v < 0) {
			prefix[prefix_len++] = '-';
			v = -v;
		} else if (sp->flags & F_PLUS) {
			prefix[prefix_len++] = '+';
		} else if (sp->flags & F_SPACE) {
			prefix[prefix_len++] = ' ';
		}
	}
	if ((sp->flags & F_ALT) && base == 16 && v) {
		prefix[prefix_len++] = '0';
		prefix[prefix_len++] = sp->flags & F_UPPER ? 'X' : 'x';
	}
	/* A zero with precision zero has no digits at all. */
	len = v || sp->precision != 0
		      ? render(digits, v, base, sp->flags & F_UPPER)
		      : 0;
	zeros = max(sp->precision - len, 0);
	if ((sp->flags & F_ALT) && base == 8 && !zeros &&
	    (!len || digits[len - 1] != '0'))
		zeros = 1;
	spaces = sp->width - prefix_len - zeros - len;
	if ((sp->flags & F_ZERO) && !(sp->flags & F_LEFT) &&
	    sp->precision < 0 && spaces > 0) {
		zeros += spaces;
		spaces = 0;
	}
	if (!(sp->flags & F_LEFT))
		pad(o, ' ', spaces);
	for (int i = 0; i < prefix_len; i++)
		put(o, prefix[i]);
	pad(o, '0', zeros);
	while (len)
		put(o, digits[--len]);
	if (sp->flags & F_LEFT)
		pad(o, ' ', spaces);
}

/* Bytes of memory, "de ad be ef". */
static void put_bytes(struct out *o, const struct spec *sp, const u8 *bytes)
{
	static const char set[] = "0123456789abcdef";
	int count = sp->precision < 0 ? sp->width : sp->precision;

	for (int i = 0; bytes && i < count; i++) {
		if (i)
			put(o, ' ');
		put(o, set[bytes[i] >> 4]);
		put(o, set[bytes[i] & 15]);
	}
}

/* %p and its kernel suffixes; returns how many suffix characters it used. */
static int put_pointer(struct out *o, struct spec *sp, const char *suffix,
		       const void *p)
{
	char text[SYMBOL_MAX];
	uintptr_t addr = (uintptr_t)p;
	int used = 0;
	int len = 0;

	if (*suffix == 'h') {
		put_bytes(o, sp, p);
		return 1;
	}
	if (*suffix == 'S' || *suffix == 'B') {
		int back = *suffix == 'B' && addr;

		used = 1;
		if (printf_symbol_hook)
			len = printf_symbol_hook(text, sizeof(text),
						 addr - back);
	}
	if (len > 0) {
		put_text(o, sp, text, min(len, SYMBOL_MAX - 1));
		return used;
	}
	if (!used && sp->precision < 0)
		sp->precision = 2 * sizeof(void *);
	else if (used)
		sp->flags |= F_ALT;
	put_number(o, sp, addr, 16);
	return used;
}

static const char *parse_flags(const char *f, struct spec *sp)
{
	sp->flags = 0;
	for (;; f++) {
		if (*f == '-')
			sp->flags |= F_LEFT;
		else if (*f == '+')
			sp->flags |= F_PLUS;
		else if (*f == ' ')
			sp->flags |= F_SPACE;
		else if (*f == '#')
			sp->flags |= F_ALT;
		else if (*f == '0')
			sp->flags |= F_ZERO;
		else
			return f;
	}
}

static const char *parse_digits(const char *f, int *value)
{
	*value = 0;
	while (isdigit(*f) && *value < 1000000)
		*value = *value * 10 + (*f++ - '0');
	return f;
}

static const char *parse_length(const char *f, struct spec *sp)
{
	sp->length = sizeof(int);
	switch (*f) {
	case 'h':
		sp->length = f[1] == 'h' ? sizeof(char) : sizeof(short);
		return f + (f[1] == 'h' ? 2 : 1);
	case 'l':
		sp->length = f[1] == 'l' ? sizeof(long long) : sizeof(long);
		return f + (f[1] == 'l' ? 2 : 1);
	case 'z':
	case 't':
		sp->length = sizeof(long);
		return f + 1;
	case 'j':
		sp->length = sizeof(long long);
		return f + 1;
	default:
		return f;
	}
}

/* Cuts a promoted argument back to the width its conversion names. */
static u64 narrow(u64 v, const struct spec *sp)
{
	int bits = sp->length * 8;

	if (bits == 64)
		return v;
	return sp->flags & F_SIGNED ? (u64)sign_extend(v, bits)
				    : v & ((1ULL << bits) - 1);
}

static unsigned int base_of(char conversion)
{
	switch (conversion) {
	case 'x':
	case 'X':
		return 16;
	case 'o':
		return 8;
	default:
		return 10;
	}
}

/* A count of the format: digits, or '*' for an argument. */
static const char *parse_count(struct out *o, const char *f, int *value)
{
	if (*f != '*')
		return parse_digits(f, value);
	*value = va_arg(o->args, int);
	return f + 1;
}

static void put_integer(struct out *o, struct spec *sp, char conversion)
{
	u64 v;

	if (conversion == 'd' || conversion == 'i')
		sp->flags |= F_SIGNED;
	if (conversion == 'X')
		sp->flags |= F_UPPER;
	if (sp->length == sizeof(u64))
		v = va_arg(o->args, u64);
	else
		v = va_arg(o->args, unsigned int);
	put_number(o, sp, narrow(v, sp), base_of(conversion));
}

/* One conversion, from behind its '%'; returns what follows it. */
static const char *convert(struct out *o, const char *f)
{
	struct spec sp = { .precision = -1 };
	char c;

	f = parse_flags(f, &sp);
	f = parse_count(o, f, &sp.width);
	if (sp.width < 0) {
		sp.flags |= F_LEFT;
		sp.width = -sp.width;
	}
	if (*f == '.')
		f = parse_count(o, f + 1, &sp.precision);
	f = parse_length(f, &sp);
	c = *f;
	if (!c)
		return f;
	f++;
	switch (c) {
	case 'd':
	case 'i':
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		put_integer(o, &sp, c);
		break;
	case 'c':
		c = (char)va_arg(o->args, int);
		put_text(o, &sp, &c, 1);
		break;
	case 's':
		put_string(o, &sp, va_arg(o->args, const char *));
		break;
	case 'p':
		f += put_pointer(o, &sp, f, va_arg(o->args, void *));
		break;
	default:
		put(o, c);
		break;
	}
	return f;
}

int vsnprintf(char *buf, size_t size, const char *fmt, va_list args)
{
	struct out o = { .buf = buf, .size = size };

	va_copy(o.args, args);
	while (*fmt) {
		char c = *fmt++;

		if (c == '%')
			fmt = convert(&o, fmt);
		else
			put(&o, c);
	}
	va_end(o.args);
	if (size)
		buf[min(o.pos, size - 1)] = '\0';
	return (int)min_t(size_t, o.pos, INT_MAX);
}

int snprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(buf, size, fmt, args);
	va_end(args);
	return len;
}

int vscnprintf(char *buf, size_t size, const char *fmt, va_list args)
{
	int len = vsnprintf(buf, size, fmt, args);

	if ((size_t)len < size)
		return len;
	return size ? (int)(size - 1) : 0;
}

int scnprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vscnprintf(buf, size, fmt, args);
	va_end(args);
	return len;
}
