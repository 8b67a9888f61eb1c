/* SPDX-License-Identifier: MIT */
/*
 * Filter expressions: from text to terms with exits.
 *
 * Entry points: trace_filter_compile, trace_filter_free.  Pure code but for
 * the allocator; no recursion, so that a page full of parentheses needs no
 * more stack than one.
 *
 * Whatever was parsed so far has two lists of exits that lead nowhere yet: one
 * for "it holds", one for "it does not".  `&&` sends the first to the next
 * term, `||` the second; the end sends both to the answers.  An exit is
 * written as term * 2 + (it holds), and until it is resolved, it names the next
 * of its list.
 */
#include "filter.h"

#include <kernel/page.h>
#include <kernel/trace_event.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/string.h>

#define NO_EXIT 0xffffu
#define MAX_TERMS 0x7ff0u	/* an exit fits 16 bits */

struct exits {
	u16 first, last;
};
#define NO_EXITS { NO_EXIT, NO_EXIT }

/* One level of parentheses. */
struct level {
	struct exits no;	/* of the terms joined by && so far */
	struct exits yes;	/* of those joined by || */
	bool negate;		/* a ! stood before the parenthesis */
};

struct parser {
	struct trace_filter *filter;
	struct level *levels;
	u32 depth;
	char *strings;		/* where the next one goes */
};

static u16 *exit_of(struct trace_filter *f, u16 which)
{
	return &f->terms[which / 2].exits[which % 2];
}

static struct exits join(struct trace_filter *f, struct exits a,
			 struct exits b)
{
	if (a.first == NO_EXIT)
		return b;
	if (b.first == NO_EXIT)
		return a;
	*exit_of(f, a.last) = b.first;
	a.last = b.last;
	return a;
}

static void resolve(struct trace_filter *f, struct exits *list, u32 to)
{
	u16 at = list->first, next;

	for (; at != NO_EXIT; at = next) {
		next = at == list->last ? NO_EXIT : *exit_of(f, at);
		*exit_of(f, at) = (u16)to;
	}
	list->first = list->last = NO_EXIT;
}

static void swap_if(bool negate, struct exits *a, struct exits *b)
{
	struct exits t = *a;

	if (negate) {
		*a = *b;
		*b = t;
	}
}

static int fail(struct trace_filter_error *err, const char *text, u32 pos,
		int code)
{
	err->text = text;
	err->pos = pos;
	return code;
}

/* --- first look: how many terms, how deep, are the pairs complete -------- */

struct shape {
	u32 terms, depth;
};

/* The last parenthesis that nobody closes. */
static u32 unclosed(const char *str, u32 len)
{
	u32 closed = 0;
	char quote = 0;

	while (len-- > 1) {
		char c = str[len];

		if (quote) {
			if (c == quote)
				quote = 0;
		} else if (c == '\'' || c == '"') {
			quote = c;
		} else if (c == ')') {
			closed++;
		} else if (c == '(' && !closed--) {
			return len;
		}
	}
	return 0;
}

/* The reference answers these three with -1, -2 and -3. */
static int survey(const char *str, struct shape *shape,
		  struct trace_filter_error *err)
{
	u32 i, open = 0, quoted_at = 0;
	bool in_term = false;
	char quote = 0;

	shape->terms = 0;
	shape->depth = 1;
	for (i = 0; str[i]; i++) {
		char c = str[i];

		if (isspace(c))
			continue;
		if (quote) {
			if (c == quote)
				quote = 0;
			continue;
		}
		if (c == '(' || c == ')' ||
		    ((c == '&' || c == '|') && str[i + 1] == c)) {
			in_term = false;
			if (c == '(' && ++open >= shape->depth)
				shape->depth = open + 1;
			else if (c == ')' && !open--)
				return fail(err, "Too few '('", i, -EPERM);
			continue;
		}
		if (c == '\'' || c == '"') {
			quote = c;
			quoted_at = i;
		}
		shape->terms += !in_term;
		in_term = true;
	}
	if (quote)
		return fail(err, "Missing matching quote", quoted_at, -ESRCH);
	if (open)
		return fail(err, "Too many '('", unclosed(str, i), -ENOENT);
	return shape->terms ? 0 : -EINVAL;
}

/* --- the expression ------------------------------------------------------ */

/* A ! that is not the beginning of an operator. */
static bool is_not(const char *str)
{
	return str[0] == '!' && str[1] != '=' && str[1] != '~';
}

/*
 * After a term or a closed parenthesis whose open exits are yes and no: close
 * more, join to what comes.  Moves *at behind what was taken.  1: the end was
 * reached; 0: another term follows; or a negative errno.
 */
static int after_term(struct parser *p, const char *str, u32 *at,
		      struct exits yes, struct exits no,
		      struct trace_filter_error *err)
{
	struct trace_filter *f = p->filter;

	for (;; (*at)++) {
		struct level *l = &p->levels[p->depth];
		char c = str[*at];

		if (isspace(c))
			continue;
		if (c && c != ')' &&
		    !((c == '&' || c == '|') && str[*at + 1] == c))
			return fail(err, "Too many terms in predicate expression",
				    *at, -EPERM);
		if (c == '&') {
			resolve(f, &yes, f->nr);
			l->no = join(f, l->no, no);
			*at += 2;
			return 0;
		}
		no = join(f, l->no, no);
		l->no = (struct exits)NO_EXITS;
		if (c == '|') {
			resolve(f, &no, f->nr);
			l->yes = join(f, l->yes, yes);
			*at += 2;
			return 0;
		}
		yes = join(f, l->yes, yes);
		l->yes = (struct exits)NO_EXITS;
		if (!c) {
			resolve(f, &yes, FILTER_YES);
			resolve(f, &no, FILTER_NO);
			return 1;
		}
		swap_if(l->negate, &yes, &no);
		p->depth--;
	}
}

static void open_level(struct parser *p, bool negate)
{
	struct level *l = &p->levels[++p->depth];

	l->no = l->yes = (struct exits)NO_EXITS;
	l->negate = negate;
}

static int parse(struct parser *p, const struct trace_event *ev,
		 const char *str, u32 max, struct trace_filter_error *err)
{
	struct trace_filter *f = p->filter;
	bool negate = false, joined = false;
	u32 i = 0;
	int ret;

	while (str[i]) {
		struct exits yes, no;

		if (isspace(str[i])) {
			i++;
			continue;
		}
		if (str[i] == '(' || is_not(str + i)) {
			if (str[i] == '(') {
				open_level(p, negate);
				negate = false;
			} else {
				negate = !negate;
			}
			i++;
			continue;
		}
		if (f->nr >= max)
			return fail(err, "Too many terms in predicate expression",
				    i, -EPERM);
		ret = filter_term_parse(ev, str + i, i + 1, &f->terms[f->nr],
					&p->strings, err);
		if (ret < 0)
			return ret;
		i += (u32)ret;
		no.first = no.last = (u16)(f->nr * 2);
		yes.first = yes.last = (u16)(f->nr * 2 + 1);
		f->nr++;
		swap_if(negate, &yes, &no);
		negate = false;
		joined = true;
		ret = after_term(p, str, &i, yes, no, err);
		if (ret)
			return ret < 0 ? ret : 0;
	}
	if (!joined)
		return fail(err, "No filter found", i, -EINVAL);
	return fail(err, "Meaningless filter expression", i, -EINVAL);
}

static struct trace_filter *filter_alloc(u32 terms, const char *text)
{
	size_t size = sizeof(struct trace_filter) +
		      terms * sizeof(struct filter_term);
	struct trace_filter *f = kzalloc(size, GFP_KERNEL);

	if (!f)
		return NULL;
	/* A string in it is shorter by its quotes than in the text. */
	f->strings = kmalloc(strlen(text) + 1, GFP_KERNEL);
	if (f->strings)
		return f;
	kfree(f);
	return NULL;
}

int trace_filter_compile(const struct trace_event *ev, const char *text,
			 struct trace_filter **out,
			 struct trace_filter_error *err)
{
	struct trace_filter_error unused;
	struct parser p = { 0 };
	struct shape shape;
	int ret;

	if (!err)
		err = &unused;
	err->text = NULL;
	err->pos = 0;
	ret = survey(text, &shape, err);
	if (ret)
		return ret;
	if (shape.terms > MAX_TERMS)
		return -EINVAL;
	ret = -ENOMEM;
	p.levels = kmalloc(sizeof(*p.levels) * shape.depth, GFP_KERNEL);
	p.filter = filter_alloc(shape.terms, text);
	if (p.levels && p.filter) {
		p.strings = p.filter->strings;
		p.levels[0] = (struct level){ NO_EXITS, NO_EXITS, false };
		ret = parse(&p, ev, text, shape.terms, err);
	}
	kfree(p.levels);
	if (ret)
		trace_filter_free(p.filter);
	else
		*out = p.filter;
	return ret;
}

void trace_filter_free(struct trace_filter *f)
{
	if (!f)
		return;
	kfree(f->strings);
	kfree(f);
}
