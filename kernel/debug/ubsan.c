// SPDX-License-Identifier: MIT
/*
 * Reports of undefined behaviour that the compiler found at run time
 * (CONFIG_UBSAN: -fsanitize=undefined and its relatives).
 *
 * Entry points: the __ubsan_handle_* names are the compiler's, with the layout
 * of their data: a source location first, then what the check knows. Each
 * prints where and what, and the stack, and goes on, since the value is
 * usable; unreachable code panics. At most REPORT_MAX reports, then silence.
 * Any context. This object itself is built without the checks.
 */
#include <kernel/panic.h>
#include <kernel/printk.h>
#include <lib/atomic.h>
#include <lib/types.h>

#define REPORT_MAX 32

struct source_location {
	const char *file; /* the compiler may zero nothing of this */
	u32 line;
	u32 column;
};

struct type_descriptor {
	u16 kind; /* 0: integer */
	u16 info; /* bit 0: signed; the rest: log2 of the width */
	char name[];
};

/* Every check's data begins with its location. */
struct ubsan_data {
	struct source_location where;
	const struct type_descriptor *type;
	const struct type_descriptor *type2;
};

struct type_mismatch_data {
	struct source_location where;
	const struct type_descriptor *type;
	u8 log_align;
	u8 kind;
};

static u32 reports; /* [a] */

static bool begin_report(const struct source_location *where, const char *what)
{
	if (READ_ONCE(panic_in_progress) ||
	    fetch_add_relaxed(&reports, 1u) >= REPORT_MAX)
		return false;
	printk(LOG_ERR, "UBSAN: %s at %s:%u:%u", what, where->file, where->line,
	       where->column);
	return true;
}

static void end_report(void)
{
	if (load_relaxed(&reports) == REPORT_MAX)
		printk(LOG_ERR, "UBSAN: no further reports");
	warn_end();
}

/* A value as the check passes it: inline when it fits a register. */
static s64 value_of(const struct type_descriptor *type, uintptr_t raw)
{
	int bits = 1 << (type->info >> 1);

	if (type->kind != 0 || bits > 64)
		return (s64)raw;
	if (bits == 64)
		return (s64)raw;
	raw &= (1UL << bits) - 1;
	if ((type->info & 1) && raw >> (bits - 1))
		return (s64)(raw | ~0UL << bits);
	return (s64)raw;
}

static void report_two(const struct ubsan_data *data, const char *what,
		       uintptr_t a, uintptr_t b)
{
	if (!begin_report(&data->where, what))
		return;
	printk(LOG_ERR, "  %lld and %lld of type %s", value_of(data->type, a),
	       value_of(data->type, b), data->type->name);
	end_report();
}

static void report_one(const struct ubsan_data *data, const char *what,
		       uintptr_t a)
{
	if (!begin_report(&data->where, what))
		return;
	printk(LOG_ERR, "  %lld of type %s", value_of(data->type, a),
	       data->type->name);
	end_report();
}

static void report_plain(const struct source_location *where, const char *what)
{
	if (begin_report(where, what))
		end_report();
}

/* The names that the compiler calls; nobody else does. */
void __ubsan_handle_add_overflow(struct ubsan_data *, uintptr_t, uintptr_t);
void __ubsan_handle_sub_overflow(struct ubsan_data *, uintptr_t, uintptr_t);
void __ubsan_handle_mul_overflow(struct ubsan_data *, uintptr_t, uintptr_t);
void __ubsan_handle_divrem_overflow(struct ubsan_data *, uintptr_t, uintptr_t);
void __ubsan_handle_negate_overflow(struct ubsan_data *, uintptr_t);
void __ubsan_handle_shift_out_of_bounds(struct ubsan_data *, uintptr_t,
					uintptr_t);
void __ubsan_handle_out_of_bounds(struct ubsan_data *, uintptr_t);
void __ubsan_handle_load_invalid_value(struct ubsan_data *, uintptr_t);
void __ubsan_handle_type_mismatch_v1(struct type_mismatch_data *, uintptr_t);
void __ubsan_handle_pointer_overflow(struct ubsan_data *, uintptr_t, uintptr_t);
void __ubsan_handle_vla_bound_not_positive(struct ubsan_data *, uintptr_t);
void __ubsan_handle_nonnull_arg(struct ubsan_data *);
void __ubsan_handle_nonnull_return_v1(struct ubsan_data *,
				      struct source_location *);
void __ubsan_handle_invalid_builtin(struct ubsan_data *);
void __ubsan_handle_alignment_assumption(struct ubsan_data *, uintptr_t,
					 uintptr_t, uintptr_t);
void __ubsan_handle_builtin_unreachable(struct ubsan_data *);
void __ubsan_handle_missing_return(struct ubsan_data *);

void __ubsan_handle_add_overflow(struct ubsan_data *data, uintptr_t a,
				 uintptr_t b)
{
	report_two(data, "addition overflows", a, b);
}

void __ubsan_handle_sub_overflow(struct ubsan_data *data, uintptr_t a,
				 uintptr_t b)
{
	report_two(data, "subtraction overflows", a, b);
}

void __ubsan_handle_mul_overflow(struct ubsan_data *data, uintptr_t a,
				 uintptr_t b)
{
	report_two(data, "multiplication overflows", a, b);
}

void __ubsan_handle_divrem_overflow(struct ubsan_data *data, uintptr_t a,
				    uintptr_t b)
{
	report_two(data, "division by zero or overflow", a, b);
}

void __ubsan_handle_negate_overflow(struct ubsan_data *data, uintptr_t a)
{
	report_one(data, "negation overflows", a);
}

void __ubsan_handle_shift_out_of_bounds(struct ubsan_data *data, uintptr_t a,
					uintptr_t b)
{
	if (!begin_report(&data->where, "shift out of bounds"))
		return;
	printk(LOG_ERR, "  %lld of type %s by %lld", value_of(data->type, a),
	       data->type->name, value_of(data->type2, b));
	end_report();
}

void __ubsan_handle_out_of_bounds(struct ubsan_data *data, uintptr_t index)
{
	if (!begin_report(&data->where, "array index out of bounds"))
		return;
	printk(LOG_ERR, "  index %lld of %s", value_of(data->type2, index),
	       data->type->name);
	end_report();
}

void __ubsan_handle_load_invalid_value(struct ubsan_data *data, uintptr_t v)
{
	report_one(data, "load of an invalid value", v);
}

void __ubsan_handle_type_mismatch_v1(struct type_mismatch_data *data,
				     uintptr_t ptr)
{
	uintptr_t align = 1UL << data->log_align;
	const char *what = "pointer to too little space";

	if (!ptr)
		what = "null pointer used";
	else if (ptr & (align - 1))
		what = "misaligned pointer used";
	if (!begin_report(&data->where, what))
		return;
	printk(LOG_ERR, "  %#lx of type %s, alignment %lu", ptr,
	       data->type->name, align);
	end_report();
}

void __ubsan_handle_pointer_overflow(struct ubsan_data *data, uintptr_t a,
				     uintptr_t b)
{
	if (!begin_report(&data->where, "pointer arithmetic wraps"))
		return;
	printk(LOG_ERR, "  from %#lx to %#lx", a, b);
	end_report();
}

void __ubsan_handle_vla_bound_not_positive(struct ubsan_data *data, uintptr_t a)
{
	report_one(data, "array of no positive length", a);
}

void __ubsan_handle_nonnull_arg(struct ubsan_data *data)
{
	report_plain(&data->where, "null where it is forbidden");
}

void __ubsan_handle_nonnull_return_v1(struct ubsan_data *data,
				      struct source_location *where)
{
	report_plain(where, "null returned where it is forbidden");
}

void __ubsan_handle_invalid_builtin(struct ubsan_data *data)
{
	report_plain(&data->where, "zero passed to a bit count");
}

void __ubsan_handle_alignment_assumption(struct ubsan_data *data, uintptr_t ptr,
					 uintptr_t align, uintptr_t offset)
{
	report_plain(&data->where, "assumed alignment does not hold");
}

void __ubsan_handle_builtin_unreachable(struct ubsan_data *data)
{
	panic("UBSAN: unreachable code reached at %s:%u", data->where.file,
	      data->where.line);
}

void __ubsan_handle_missing_return(struct ubsan_data *data)
{
	panic("UBSAN: no value returned at %s:%u", data->where.file,
	      data->where.line);
}
