// SPDX-License-Identifier: MIT
/*
 * Parsing a probe's definition; grammar in parse.h, arguments in
 * fetch_parse.c.  The order of the checks, their errors and their words are
 * those that clients know.  Pure: no lock, no state.
 */
#include "parse.h"

#include <kernel/page.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/printf.h>
#include <lib/string.h>

#define RETURN_SUFFIX "%return"

static int fail(struct probe_error *err, u32 word, const char *at,
		const char *start, const char *text)
{
	err->text = text;
	err->word = word;
	err->offset = (u32)(at - start);
	return -EINVAL;
}

int probe_split(char *line, struct probe_words *words)
{
	words->nr = 0;
	for (;;) {
		while (isspace(*line))
			*line++ = '\0';
		if (!*line)
			return 0;
		if (words->nr == PROBE_WORDS_MAX)
			return -E2BIG;
		words->word[words->nr++] = line;
		while (*line && !isspace(*line))
			line++;
	}
}

bool probe_good_name(const char *name)
{
	if (!isalpha(*name) && *name != '_')
		return false;
	while (*++name)
		if (!isalnum(*name) && *name != '_')
			return false;
	return true;
}

/* A group may have dashes as well. */
static bool good_group(const char *name)
{
	if (isdigit(*name))
		return false;
	do {
		if (!isalnum(*name) && *name != '_' && *name != '-')
			return false;
	} while (*++name);
	return true;
}

/* Names in the first word, from at on. */
static int parse_names(const char *first, const char *at,
		       struct probe_def *def, struct probe_error *err)
{
	const char *slash = strchr(at, '/');

	if (!slash)
		slash = strchr(at, '.');
	if (slash) {
		size_t len = (size_t)(slash - at);

		if (!len)
			return fail(err, 0, at, first,
				    "Group name is not specified");
		if (len >= PROBE_NAME_MAX)
			return fail(err, 0, at, first,
				    "Group name is too long");
		memcpy(def->group, at, len);
		def->group[len] = '\0';
		if (!good_group(def->group))
			return fail(err, 0, at, first,
				    "Group name must follow the same rules as "
				    "C identifiers");
		at = slash + 1;
		if (!*at)
			return 0;
	}
	if (!*at)
		return fail(err, 0, at, first, "Event name is not specified");
	if (strlen(at) >= PROBE_NAME_MAX)
		return fail(err, 0, at, first, "Event name is too long");
	strlcpy_k(def->event, at, sizeof(def->event));
	if (!probe_good_name(def->event))
		return fail(err, 0, at, first,
			    "Event name must follow the same rules as C "
			    "identifiers");
	return 0;
}

static int parse_max_active(const char *word, const char *end,
			    struct probe_def *def, struct probe_error *err)
{
	const char *at = word + 1;
	char number[16];
	size_t len = (size_t)(end - at);

	if (!def->is_return)
		return fail(err, 0, at, word, "Maxactive is not for kprobe");
	if (len >= sizeof(number))
		return fail(err, 0, at, word, "Invalid maxactive number");
	memcpy(number, at, len);
	number[len] = '\0';
	if (parse_u32(number, 0, &def->max_active) || !def->max_active)
		return fail(err, 0, at, word, "Invalid maxactive number");
	if (def->max_active > PROBE_MAX_ACTIVE)
		return fail(err, 0, at, word, "Maxactive is too big");
	return 0;
}

/* What the first word says but for the names. */
static int parse_first(const char *word, struct probe_def *def,
		       struct probe_error *err)
{
	const char *colon = strchr(word, ':');

	if (*word != 'p' && *word != 'r')
		return -EINVAL;
	def->is_return = *word == 'r';
	if (!isdigit(word[1]) || def->is_user)
		return 0;
	return parse_max_active(word, colon ? colon : word + strlen(word), def,
				err);
}

static int parse_first_names(const char *word, struct probe_def *def,
			     struct probe_error *err)
{
	const char *colon = strchr(word, ':');

	/* For programs, what is between is not looked at, as observed. */
	if (!colon || (def->is_user && colon != word + 1))
		return 0;
	return parse_names(word, colon + 1, def, err);
}

/* Cuts "%return" off text, where a percent sign may start nothing else. */
static int cut_return(char *word, char *text, struct probe_def *def,
		      struct probe_error *err)
{
	char *percent = strchr(text, '%');

	if (!percent)
		return 0;
	if (strcmp(percent, RETURN_SUFFIX))
		return fail(err, 1, percent, word,
			    "Invalid probed address suffix");
	*percent = '\0';
	def->is_return = true;
	return 0;
}

int probe_parse_offset(const char *sign, s64 *offset)
{
	if (!isdigit(sign[1]))
		return -EINVAL;
	return parse_s64(*sign == '+' ? sign + 1 : sign, 0, offset);
}

static int parse_kernel_place(char *word, struct probe_def *def,
			      struct probe_error *err,
			      const struct probe_symbols *syms)
{
	static const char bad[] = "Invalid probed address or symbol";
	char *sign;
	s64 offset = 0;
	u64 addr;
	int ret;

	if (!parse_u64(word, 0, &def->offset)) {
		def->is_entry = syms->on_entry(def->offset);
		return 0;
	}
	/* One for the other list. */
	if (strchr(word, '/') && strchr(word, ':'))
		return -EINVAL;
	ret = cut_return(word, word, def, err);
	if (ret)
		return ret;
	sign = strpbrk(word, "+-");
	if (sign) {
		if (probe_parse_offset(sign, &offset) || offset < 0 ||
		    offset > U32_MAX)
			return fail(err, 1, word, word, bad);
		*sign = '\0';
	}
	if (strlen(word) >= sizeof(def->place))
		return fail(err, 1, word, word, bad);
	strlcpy_k(def->place, word, sizeof(def->place));
	def->offset = (u64)offset;
	/* MODULE:SYMBOL may come later; here it never does. */
	if (strchr(word, ':')) {
		err->late = -ENOENT;
		return 0;
	}
	addr = *word ? syms->find(word) : 0;
	if (!addr) {
		fail(err, 1, word, word, bad);
		return -ENOENT;
	}
	def->is_entry = syms->on_entry(addr + def->offset);
	if (def->is_return && !def->is_entry)
		return fail(err, 1, word, word,
			    "Retprobe address must be an function entry");
	return 0;
}

static int parse_ref_ctr(char *word, char *open, struct probe_def *def,
			 struct probe_error *err)
{
	char *close = strchr(open, ')');

	if (!close)
		return fail(err, 1, open + strlen(open), word,
			    "Reference counter brace is not closed");
	if (close[1])
		return fail(err, 1, close + 1, word,
			    "Reference counter has wrong suffix");
	*close = '\0';
	if (parse_u64(open, 0, &def->ref_ctr))
		return fail(err, 1, open, word,
			    "Invalid reference counter offset");
	return 0;
}

static int check_file(const char *word, struct probe_def *def,
		      struct probe_error *err, const struct probe_symbols *syms)
{
	int ret = syms->file(def->place);

	if (ret)
		fail(err, 1, word, word, ret == -EINVAL ?
		     "Not a regular file" : "Failed to find the given file");
	return ret;
}

static int parse_user_place(char *word, struct probe_def *def,
			    struct probe_error *err,
			    const struct probe_symbols *syms)
{
	char *colon = strrchr(word, ':');
	char *open;
	int ret;

	if (!strchr(word, '/') || !colon || !isdigit(colon[1]))
		return -EINVAL;
	if ((size_t)(colon - word) >= sizeof(def->place))
		return -EINVAL;
	memcpy(def->place, word, (size_t)(colon - word));
	def->place[colon - word] = '\0';
	ret = check_file(word, def, err, syms);
	if (ret)
		return ret;
	open = strchr(colon, '(');
	if (open) {
		ret = parse_ref_ctr(word, open + 1, def, err);
		if (ret)
			return ret;
		*open = '\0';
	}
	ret = cut_return(word, colon, def, err);
	if (ret)
		return ret;
	if (parse_u64(colon + 1, 0, &def->offset))
		return fail(err, 1, colon + 1, word, "Invalid uprobe offset");
	return 0;
}

static int parse_args(struct probe_words *words, struct probe_def *def,
		      struct probe_error *err,
		      const struct probe_symbols *syms)
{
	u32 i, nr = words->nr - 2;
	int ret;

	if (!nr)
		return 0;
	def->args = kzalloc(sizeof(*def->args) +
				    nr * sizeof(def->args->arg[0]),
			    GFP_KERNEL);
	if (!def->args)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		ret = probe_parse_arg(words->word[i + 2], i + 2, def, def->args,
				      err, syms);
		if (ret)
			return ret;
	}
	return 0;
}

/* p_function_8, r_function_0, p_program_0x1000 */
static void make_name(struct probe_def *def)
{
	const char *base = strrchr(def->place, '/');
	char *at;

	if (def->is_user) {
		char tail[48];

		strlcpy_k(tail, base ? base + 1 : def->place, sizeof(tail));
		at = strpbrk(tail, ".-_");
		if (at)
			*at = '\0';
		scnprintf(def->event, sizeof(def->event), "p_%s_0x%llx", tail,
			  def->offset);
	} else if (def->place[0]) {
		scnprintf(def->event, sizeof(def->event), "%c_%.40s_%llu",
			  def->is_return ? 'r' : 'p', def->place, def->offset);
	} else {
		scnprintf(def->event, sizeof(def->event), "%c_0x%llx",
			  def->is_return ? 'r' : 'p', def->offset);
	}
	for (at = def->event; *at; at++)
		if (!isalnum(*at))
			*at = '_';
}

int probe_parse(struct probe_words *words, struct probe_def *def,
		struct probe_error *err, const struct probe_symbols *syms)
{
	bool is_user = def->is_user;
	int ret;

	memset(def, 0, sizeof(*def));
	memset(err, 0, sizeof(*err));
	def->is_user = is_user;
	if (words->nr < 2)
		return -EINVAL;
	strlcpy_k(def->group, is_user ? "uprobes" : "kprobes",
		  sizeof(def->group));
	ret = parse_first(words->word[0], def, err);
	if (ret)
		return ret;
	if (is_user)
		ret = parse_user_place(words->word[1], def, err, syms);
	else
		ret = parse_kernel_place(words->word[1], def, err, syms);
	if (!ret)
		ret = parse_first_names(words->word[0], def, err);
	if (!ret)
		ret = parse_args(words, def, err, syms);
	if (!ret && err->late) {
		fail(err, 1, "", "", err->late == -ENOENT ?
		     "Invalid probed address or symbol" :
		     "Failed to register probe event");
		ret = err->late;
	}
	if (ret) {
		probe_args_free(def->args);
		def->args = NULL;
		return ret;
	}
	if (!def->event[0])
		make_name(def);
	return 0;
}

int probe_parse_name(const char *text, char group[PROBE_NAME_MAX],
		     char event[PROBE_NAME_MAX])
{
	const char *slash = strchr(text, '/');

	group[0] = event[0] = '\0';
	if (slash) {
		if ((size_t)(slash - text) >= PROBE_NAME_MAX)
			return -ENOENT;
		memcpy(group, text, (size_t)(slash - text));
		group[slash - text] = '\0';
		text = slash + 1;
	}
	if (strlen(text) >= PROBE_NAME_MAX)
		return -ENOENT;
	strlcpy_k(event, text, PROBE_NAME_MAX);
	return group[0] || event[0] ? 0 : -EINVAL;
}
