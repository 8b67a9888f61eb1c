/* SPDX-License-Identifier: MIT */
/*
 * Fetch arguments of probes: compiled from text, run on a register frame.
 *
 * An argument is a list of steps: where the value comes from, how often it is
 * followed as a pointer, and how it is stored in the record.
 */
#ifndef SONDE_PROBES_FETCH_H
#define SONDE_PROBES_FETCH_H

#include <lib/types.h>

struct pt_regs;

#define PROBE_ARGS_MAX	 128
#define PROBE_DEREFS_MAX 14
#define PROBE_ARRAY_MAX	 64
#define PROBE_STRING_MAX 1024	/* bytes of a string in a record */
#define PROBE_NAME_MAX	 64	/* of an event, group or argument, with NUL */

enum fetch_source {
	FETCH_REG,		/* value: number of the register */
	FETCH_SP,
	FETCH_PC,
	FETCH_PSTATE,
	FETCH_STACK,		/* value: word from the top */
	FETCH_COMM,
	FETCH_IMMEDIATE,	/* value */
	FETCH_TEXT,		/* text: an immediate string */
};

enum fetch_type {
	FETCH_U8, FETCH_U16, FETCH_U32, FETCH_U64,
	FETCH_S8, FETCH_S16, FETCH_S32, FETCH_S64,
	FETCH_X8, FETCH_X16, FETCH_X32, FETCH_X64,
	FETCH_SYMBOL, FETCH_STRING, FETCH_USTRING,
	FETCH_TYPES,
};

struct fetch_type_info {
	const char *name;	/* in a definition */
	const char *ctype;	/* in `format` */
	const char *printf;	/* in the print format */
	u8 size;
	bool is_signed;
};
extern const struct fetch_type_info fetch_types[FETCH_TYPES];

struct probe_arg {
	char name[PROBE_NAME_MAX];
	char *comm;		/* the definition's own text, owned */
	char *text;		/* owned; FETCH_TEXT */
	enum fetch_source source;
	enum fetch_type type;
	u64 value;
	s64 deref[PROBE_DEREFS_MAX];	/* offsets, outermost last */
	u8 nr_derefs;
	u16 user_derefs;	/* bit per dereference: of user memory */
	u8 bits, shift;		/* bit field: bits != 0 */
	u16 count;		/* elements of an array, 0: no array */
	char loc[32];		/* strings: the type in `format` */
	u16 offset;		/* in the record */
	u16 size;		/* of the fixed part */
};

struct probe_args {
	u32 nr;
	u32 size;		/* fixed bytes behind the addresses */
	bool dynamic;		/* strings follow */
	struct probe_arg arg[];
};

static inline bool fetch_is_string(enum fetch_type type)
{
	return type == FETCH_STRING || type == FETCH_USTRING;
}

void probe_args_free(struct probe_args *args);

/* Number the offsets from base on. */
void probe_args_layout(struct probe_args *args, u32 base);

/*
 * Store all into record, whose fixed part ends at end; strings go behind, up
 * to limit.  is_user: the frame is of user code, and so are addresses.
 * Returns the size used.  Any context, preemption off; memory that is not
 * there reads as zero.
 */
u32 probe_args_store(const struct probe_args *args, struct pt_regs *regs,
		     bool is_user, void *record, u32 end, u32 limit);

#endif /* SONDE_PROBES_FETCH_H */
