/* SPDX-License-Identifier: MIT */
/*
 * The text that defines a probe: kprobe_events and uprobe_events.
 *
 *   p[:[GROUP/][EVENT]] PLACE [ARG...]		r[MAX][:...] PLACE [ARG...]
 *   -:[GROUP/][EVENT]
 *
 * Pure code: also compiled for the host.
 */
#ifndef SONDE_PROBES_PARSE_H
#define SONDE_PROBES_PARSE_H

#include "fetch.h"

#define PROBE_WORDS_MAX (2 + PROBE_ARGS_MAX)
#define PROBE_PLACE_MAX 256
#define PROBE_MAX_ACTIVE 4096

struct probe_def {
	bool is_user;			/* in: uprobe_events */
	bool is_return;
	bool is_entry;			/* kprobe: where a function starts */
	u32 max_active;			/* 0: not given */
	char group[PROBE_NAME_MAX];
	char event[PROBE_NAME_MAX];	/* "": to be made up */
	char place[PROBE_PLACE_MAX];	/* symbol or path; "": an address */
	u64 offset;			/* or the address */
	u64 ref_ctr;
	struct probe_args *args;	/* NULL: none */
};

/* What was wrong, as error_log says it, and where. */
struct probe_error {
	const char *text;	/* NULL: nothing is said */
	u32 word, offset;
	int late;	/* of a symbol: said if all else is well */
};

/* A definition, split at spaces in place; owned by the caller. */
struct probe_words {
	char *word[PROBE_WORDS_MAX];
	u32 nr;
};

/* What there is in the kernel. */
struct probe_symbols {
	u64 (*find)(const char *symbol);	/* 0: no such symbol */
	bool (*on_entry)(u64 addr);		/* is a function there */
	/* 0, -EINVAL: no regular file, or why it is not found. */
	int (*file)(const char *path);
};

/* 0 or -E2BIG. */
int probe_split(char *line, struct probe_words *words);

/*
 * 0 with *def filled in, whose args the caller owns; or a negative errno with
 * *err.
 */
int probe_parse(struct probe_words *words, struct probe_def *def,
		struct probe_error *err, const struct probe_symbols *syms);

/* Split "GROUP/EVENT" as a deletion names it; either may be left empty. */
int probe_parse_name(const char *text, char group[PROBE_NAME_MAX],
		     char event[PROBE_NAME_MAX]);

/* fetch_parse.c: one argument into *arg. */
int probe_parse_arg(const char *text, u32 word, const struct probe_def *def,
		    struct probe_args *args, struct probe_error *err,
		    const struct probe_symbols *syms);

/* "+8" or "-8", and no second sign.  0 or -EINVAL. */
int probe_parse_offset(const char *sign, s64 *offset);

/* A C identifier. */
bool probe_good_name(const char *name);

#endif /* SONDE_PROBES_PARSE_H */
