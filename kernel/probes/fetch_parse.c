// SPDX-License-Identifier: MIT
/*
 * Parsing fetch arguments: [NAME=]FETCH[:TYPE].
 *
 *   FETCH := %REG | $stack[N] | $retval | $comm | $argN | @ADDR | @SYM[+-N]
 *          | +|-[u]OFFSET(FETCH) | \NUMBER | \"TEXT"
 *   TYPE  := u8..x64 | string | ustring | symbol | b<w>@<o>/<c>, any with [N]
 *
 * Pure: no lock, no state.
 */
#include <arch/probes.h>
#include <kernel/page.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/printf.h>
#include <lib/string.h>

#include "parse.h"

#define NAME_MAX     32
#define TEXT_MAX     63
#define FETCH_DEPTH  PROBE_DEREFS_MAX
#define STACK_MAX    (16384 / 8)
#define ARGUMENT_MAX 128

struct parser {
	const char *start;		/* of the word */
	u32 word, skew;			/* skew: see parse_offset */
	const struct probe_def *def;
	struct probe_arg *arg;
	struct probe_error *err;
	const struct probe_symbols *syms;
};

static int fail(struct parser *p, const char *at, const char *text)
{
	p->err->text = text;
	p->err->word = p->word;
	p->err->offset = (u32)(at - p->start) - p->skew;
	return -EINVAL;
}

/* --- where the value comes from ---------------------------------------- */

static int parse_variable(struct parser *p, const char *text, size_t len)
{
	static const char bad[] = "Invalid $-variable specified";
	struct probe_arg *arg = p->arg;
	char name[16];

	if (len >= sizeof(name))
		return fail(p, text, bad);
	memcpy(name, text, len);
	name[len] = '\0';
	if (streq(name, "$retval")) {
		if (!p->def->is_return)
			return fail(p, text,
				    "$retval is not available on probe");
		arg->source = FETCH_REG;
		arg->value = ARCH_PROBE_RETURN_REGISTER;
		return 0;
	}
	if (streq(name, "$comm") || streq(name, "$COMM")) {
		arg->source = FETCH_COMM;
		return 0;
	}
	if (streq(name, "$stack")) {
		arg->source = FETCH_SP;
		return 0;
	}
	if (str_has_prefix(name, "$stack") && isdigit(name[6]) &&
	    !parse_u64(name + 6, 10, &arg->value)) {
		arg->source = FETCH_STACK;
		if (arg->value > STACK_MAX)
			return fail(p, text, "Invalid stack number");
		return 0;
	}
	if (str_has_prefix(name, "$arg") && !p->def->is_user &&
	    !p->def->is_return && p->def->is_entry &&
	    !parse_u64(name + 4, 10, &arg->value)) {
		arg->source = FETCH_REG;
		if (!arg->value || arg->value > ARGUMENT_MAX)
			return fail(p, text, "Invalid argument number");
		/* Those on the stack read as 0, as observed. */
		arg->value = arg->value <= ARCH_PROBE_ARGUMENTS ?
			arch_probe_argument((u32)arg->value - 1) : ~0ull;
		return 0;
	}
	return fail(p, text, bad);
}

static int parse_register(struct parser *p, const char *text, size_t len)
{
	struct probe_arg *arg = p->arg;
	char name[12];
	s32 number;

	if (len >= sizeof(name))
		return fail(p, text, "Invalid register name");
	memcpy(name, text + 1, len - 1);
	name[len - 1] = '\0';
	if (streq(name, "sp")) {
		arg->source = FETCH_SP;
	} else if (streq(name, "pc")) {
		arg->source = FETCH_PC;
	} else if (streq(name, "pstate")) {
		arg->source = FETCH_PSTATE;
	} else {
		number = arch_probe_register_number(name);
		if (number < 0)
			return fail(p, text, "Invalid register name");
		arg->source = FETCH_REG;
		arg->value = (u64)number;
	}
	return 0;
}

static int add_deref(struct parser *p, const char *at, s64 offset, bool user)
{
	struct probe_arg *arg = p->arg;

	if (arg->nr_derefs == PROBE_DEREFS_MAX)
		return fail(p, at, "Dereference is too much nested");
	if (user)
		arg->user_derefs |= (u16)(1u << arg->nr_derefs);
	arg->deref[arg->nr_derefs++] = offset;
	return 0;
}

static int parse_symbol(struct parser *p, const char *text, char *name)
{
	char *sign = strpbrk(name, "+-");
	s64 offset = 0;
	u64 addr;

	if (p->def->is_user)
		return fail(p, text, "Symbol is not available with uprobe");
	/* Symbols are looked up last: what else is wrong is said first. */
	if (sign && probe_parse_offset(sign, &offset)) {
		p->err->late = p->err->late ? p->err->late : -EINVAL;
		return 0;
	}
	if (sign)
		*sign = '\0';
	addr = *name ? p->syms->find(name) : 0;
	if (!addr && !p->err->late)
		p->err->late = -ENOENT;
	p->arg->value = addr + (u64)offset;
	return 0;
}

static int parse_memory(struct parser *p, const char *text, size_t len)
{
	struct probe_arg *arg = p->arg;
	char name[TEXT_MAX + 1];
	int ret = 0;

	memcpy(name, text + 1, len - 1);
	name[len - 1] = '\0';
	arg->source = FETCH_IMMEDIATE;
	if (isdigit(name[0])) {
		if (parse_u64(name, 0, &arg->value))
			return fail(p, text, "Invalid memory address");
	} else if (name[0] == '+') {
		return fail(p, text, p->def->is_user ?
			"Invalid file offset value" :
			"File offset is not available with kprobe");
	} else {
		ret = parse_symbol(p, text, name);
	}
	return ret ? ret : add_deref(p, text, 0, false);
}

static int parse_immediate(struct parser *p, const char *text, size_t len)
{
	struct probe_arg *arg = p->arg;
	char number[24];

	if (len >= 2 && text[1] == '"') {
		if (len < 3 || text[len - 1] != '"')
			return fail(p, text + len,
				    "String is not closed with '\"'");
		arg->source = FETCH_TEXT;
		arg->text = kzalloc(len, GFP_KERNEL);
		if (!arg->text)
			return -ENOMEM;
		memcpy(arg->text, text + 2, len - 3);
		return 0;
	}
	arg->source = FETCH_IMMEDIATE;
	if (len - 1 < sizeof(number)) {
		s64 value;

		memcpy(number, text + 1, len - 1);
		number[len - 1] = '\0';
		if (!parse_u64(number, 0, &arg->value))
			return 0;
		if (!parse_s64(number, 0, &value)) {
			arg->value = (u64)value;
			return 0;
		}
	}
	return fail(p, text + 1, "Invalid immediate value");
}

struct deref {
	s64 offset;
	bool user;
};

/*
 * Takes a "+8(", "-u8(" or the like and its brace off text, of len bytes.
 * Places inside are told as if there were no "u" and no second sign.
 */
static int parse_offset(struct parser *p, const char **text, size_t *len,
			struct deref *d)
{
	const char *at = *text, *end = at + *len, *digits = at + 1, *open;
	size_t n, sign = *at == '-';
	char number[24] = "-";

	d->user = digits < end && *digits == 'u';
	if (d->user)
		digits++;
	open = memchr(digits, '(', (size_t)(end - digits));
	if (!open)
		return fail(p, at, "Dereference needs a brace");
	n = (size_t)(open - digits);
	if (n >= sizeof(number) - sign)
		return fail(p, at, "Invalid dereference offset");
	memcpy(number + sign, digits, n);
	number[sign + n] = '\0';
	if (parse_s64(number, 0, &d->offset))
		return fail(p, at, "Invalid dereference offset");
	p->skew += d->user + (!sign && number[0] == '-');
	*text = open + 1;
	while (end > *text && end[-1] != ')')
		end--;
	if (end == *text)
		return fail(p, at + *len, "Dereference brace is not closed");
	*len = (size_t)(end - 1 - *text);
	return 0;
}

static int parse_source(struct parser *p, const char *text, size_t len)
{
	switch (len ? *text : '\0') {
	case '$':
		return parse_variable(p, text, len);
	case '%':
		return parse_register(p, text, len);
	case '@':
		return parse_memory(p, text, len);
	case '\\':
		return parse_immediate(p, text, len);
	default:
		return fail(p, text, "Invalid fetch argument");
	}
}

/* FETCH of len bytes; derefs are collected from the inside out. */
static int parse_fetch(struct parser *p, const char *text, size_t len)
{
	struct deref derefs[FETCH_DEPTH];
	u32 depth = 0;
	int ret;

	while (len && (*text == '+' || *text == '-')) {
		if (depth == FETCH_DEPTH)
			return fail(p, text, "Dereference is too much nested");
		ret = parse_offset(p, &text, &len, &derefs[depth++]);
		if (ret)
			return ret;
	}
	ret = parse_source(p, text, len);
	if (!ret && depth &&
	    (p->arg->source == FETCH_COMM || p->arg->source == FETCH_TEXT))
		return fail(p, text, "$comm can not be dereferenced");
	while (!ret && depth--)
		ret = add_deref(p, text, derefs[depth].offset,
				derefs[depth].user);
	p->skew = 0;
	return ret;
}

/* --- the type ---------------------------------------------------------- */

static int find_type(const char *name, enum fetch_type *out)
{
	u32 i;

	for (i = 0; i < FETCH_TYPES; i++) {
		if (streq(name, fetch_types[i].name)) {
			*out = (enum fetch_type)i;
			return 0;
		}
	}
	return -EINVAL;
}

/* b<width>@<offset>/<container>: what is behind the slash. */
static int find_container(const char *name, enum fetch_type *out)
{
	static const enum fetch_type of_size[] = { FETCH_U8, FETCH_U16,
						   FETCH_U32, FETCH_U64 };
	const char *slash = strchr(name, '/');
	u64 size;
	u32 i;

	if (!slash || parse_u64(slash + 1, 0, &size))
		return -EINVAL;
	for (i = 0; i < 4; i++) {
		if (size == 8u << i) {
			*out = of_size[i];
			return 0;
		}
	}
	return -EINVAL;
}

/* The rest of it. */
static int parse_bits(struct parser *p, const char *at)
{
	u64 size = 8 * fetch_types[p->arg->type].size, width, offset;
	const char *name = at + 1;

	if (parse_prefix_u64(&name, 0, &width) || !width || *name++ != '@' ||
	    parse_prefix_u64(&name, 0, &offset) || *name != '/' ||
	    width > size || offset > size - width)
		return fail(p, at, "Invalid bitfield");
	p->arg->bits = (u8)width;
	p->arg->shift = (u8)offset;
	return 0;
}

/* Cuts "[N]" off name. */
static int parse_array(struct parser *p, const char *at, char *name)
{
	char *open = strchr(name, '['), *close;
	u64 count;

	if (!open)
		return 0;
	at += open + 1 - name;
	*open++ = '\0';
	close = strchr(open, ']');
	if (!close)
		return fail(p, at + strlen(open), "Array is not closed");
	if (close[1])
		return fail(p, at + (close + 1 - open),
			    "Array has wrong suffix");
	*close = '\0';
	if (parse_u64(open, 0, &count) || !count)
		return fail(p, at, "Invalid array size");
	if (count > PROBE_ARRAY_MAX)
		return fail(p, at, "Array number is too big");
	p->arg->count = (u16)count;
	return 0;
}

/* len bytes of FETCH, then at: the text behind the colon, or NULL. */
static int parse_type(struct parser *p, const char *fetch, size_t len,
		      const char *at)
{
	bool is_text = str_has_prefix(fetch, "\\\"") ||
		       (len == 5 && (str_has_prefix(fetch, "$comm") ||
				     str_has_prefix(fetch, "$COMM")));
	enum fetch_type *type = &p->arg->type;
	char name[TEXT_MAX + 1] = "";
	int ret;

	*type = is_text ? FETCH_STRING : FETCH_X64;
	if (!at)
		return 0;
	strlcpy_k(name, at, sizeof(name));
	ret = parse_array(p, at, name);
	if (ret)
		return ret;
	/* As observed, nothing is said about it. */
	if (is_text)
		return p->arg->count || !streq(name, "string") ? -EINVAL : 0;
	if (name[0] == 'b' ? find_container(name, type) : find_type(name, type))
		return fail(p, at, "Unknown type is specified");
	return 0;
}

/* Only memory has strings and arrays; an immediate may be an address. */
static int check_type(struct parser *p, const char *body, const char *at)
{
	const struct probe_arg *arg = p->arg;
	bool is_text = arg->source == FETCH_COMM || arg->source == FETCH_TEXT;
	bool is_memory = arg->nr_derefs || is_text;
	int ret;

	if (!is_memory && fetch_is_string(arg->type) &&
	    arg->source != FETCH_IMMEDIATE)
		return fail(p, at ? at : body,
			    "String accepts only memory argument");
	if (at && *at == 'b') {
		ret = parse_bits(p, at);
		if (ret)
			return ret;
	}
	if (!is_memory && arg->count)
		return fail(p, at ? at : body,
			    "String accepts only memory argument");
	return 0;
}

/* --- the whole --------------------------------------------------------- */

static bool is_reserved(const char *name)
{
	static const char *const names[] = {
		"common_type", "common_flags", "common_preempt_count",
		"common_pid", "common_tgid", "__probe_ip", "__probe_ret_ip",
		"__probe_func",
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (streq(name, names[i]))
			return true;
	return false;
}

static int take_name(struct parser *p, const struct probe_args *args,
		     const char **body)
{
	const char *equals = strchr(p->start, '=');
	u32 i;

	*body = p->start;
	if (!equals) {
		scnprintf(p->arg->name, sizeof(p->arg->name), "arg%u",
			  args->nr + 1);
	} else {
		size_t len = (size_t)(equals - p->start);

		if (len > NAME_MAX)
			return fail(p, p->start, "Argument name is too long");
		if (!len)
			return fail(p, p->start,
				    "Argument name is not specified");
		memcpy(p->arg->name, p->start, len);
		p->arg->name[len] = '\0';
		*body = equals + 1;
	}
	if (!probe_good_name(p->arg->name))
		return fail(p, p->start, "Argument name must follow the same "
					 "rules as C identifiers");
	if (is_reserved(p->arg->name))
		return fail(p, p->start, "This argument name is already used");
	for (i = 0; i < args->nr; i++)
		if (streq(args->arg[i].name, p->arg->name))
			return fail(p, p->start,
				    "This argument name is already used");
	return 0;
}

int probe_parse_arg(const char *text, u32 word, const struct probe_def *def,
		    struct probe_args *args, struct probe_error *err,
		    const struct probe_symbols *syms)
{
	struct probe_arg *arg = &args->arg[args->nr];
	struct parser p = { text, word, 0, def, arg, err, syms };
	const char *body, *colon;
	size_t len;
	int ret;

	ret = take_name(&p, args, &body);
	if (ret)
		return ret;
	args->nr++;	/* what it owns goes with args */
	if (strlen(body) > TEXT_MAX)
		return fail(&p, body, "Argument expression is too long");
	if (!*body)
		return fail(&p, body, "No argument expression");
	arg->comm = kstrdup(body, GFP_KERNEL);
	if (!arg->comm)
		return -ENOMEM;
	colon = strchr(body, ':');
	len = colon ? (size_t)(colon - body) : strlen(body);
	ret = parse_type(&p, body, len, colon ? colon + 1 : NULL);
	if (!ret)
		ret = parse_fetch(&p, body, len);
	if (!ret)
		ret = check_type(&p, body, colon ? colon + 1 : NULL);
	return ret;
}
