/* SPDX-License-Identifier: MIT */
/*
 * TRACE_EVENT: a static trace event in one place.
 *
 *	TRACE_EVENT(sched, sched_migrate_task, (struct task *t, u32 dest),
 *		    (t, dest),
 *		    ((A, char, comm, 16), (F, pid_t, pid)),
 *		    "comm=%s pid=%d", "REC->comm, REC->pid")
 *	{
 *		task_get_comm(t, r->comm);
 *		r->pid = task_tid(t);
 *	}
 *
 * makes the record's type, the field table, the key, the event and the body of
 * the hook that TRACE_HOOK declared; what follows fills the record r, which
 * was zeroed.  The kinds of rows are beside TRACE_MEMBER below.
 */
#ifndef SONDE_TRACE_EVENT_PRIVATE_H
#define SONDE_TRACE_EVENT_PRIVATE_H

#include <arch/perf.h>
#include <arch/regs.h>
#include <kernel/trace_event.h>
#include <kernel/trace_hooks.h>
#include <lib/compiler.h>
#include <lib/minmax.h>
#include <lib/string.h>

#define TRACE_TAIL_MAX 256	/* bytes of all strings of one record */

/* Types that Linux's formats name. */
typedef s32 pid_t;
typedef u32 gfp_t;

#define TRACE_UNP(...) __VA_ARGS__
#define TRACE_UNP_UNP(list) TRACE_UNP list
#define TRACE_CAT_(a, b) a##b
#define TRACE_CAT(a, b) TRACE_CAT_(a, b)
#define TRACE_NTH(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, n, ...) n
#define TRACE_COUNT(...) \
	TRACE_NTH(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
#define TRACE_EACH1(m, n, x) m(n, x)
#define TRACE_EACH2(m, n, x, ...) m(n, x) TRACE_EACH1(m, n, __VA_ARGS__)
#define TRACE_EACH3(m, n, x, ...) m(n, x) TRACE_EACH2(m, n, __VA_ARGS__)
#define TRACE_EACH4(m, n, x, ...) m(n, x) TRACE_EACH3(m, n, __VA_ARGS__)
#define TRACE_EACH5(m, n, x, ...) m(n, x) TRACE_EACH4(m, n, __VA_ARGS__)
#define TRACE_EACH6(m, n, x, ...) m(n, x) TRACE_EACH5(m, n, __VA_ARGS__)
#define TRACE_EACH7(m, n, x, ...) m(n, x) TRACE_EACH6(m, n, __VA_ARGS__)
#define TRACE_EACH8(m, n, x, ...) m(n, x) TRACE_EACH7(m, n, __VA_ARGS__)
#define TRACE_EACH9(m, n, x, ...) m(n, x) TRACE_EACH8(m, n, __VA_ARGS__)
#define TRACE_EACH10(m, n, x, ...) m(n, x) TRACE_EACH9(m, n, __VA_ARGS__)
#define TRACE_EACH11(m, n, x, ...) m(n, x) TRACE_EACH10(m, n, __VA_ARGS__)
#define TRACE_EACH12(m, n, x, ...) m(n, x) TRACE_EACH11(m, n, __VA_ARGS__)
#define TRACE_EACH(m, n, ...) \
	TRACE_CAT(TRACE_EACH, TRACE_COUNT(__VA_ARGS__))(m, n, __VA_ARGS__)

/*
 * Rows of fields:
 *	(F, type, name)		   a number or pointer
 *	(A, type, name, n)	   an array
 *	(T, "text", type, name)	   a number whose type is shown as text
 *	(S, name)		   a string in the tail (__data_loc char[]):
 *				   TRACE_TAIL stores it
 *	(B, name)		   a set of CPUs there: trace_tail_bytes
 */
#define TRACE_MEMBER(n, row) TRACE_MEMBER_(TRACE_UNP row)
#define TRACE_MEMBER_(...)   TRACE_MEMBER__(__VA_ARGS__)
#define TRACE_MEMBER__(kind, ...) TRACE_MEMBER_##kind(__VA_ARGS__)
#define TRACE_MEMBER_F(type, name) type name;
#define TRACE_MEMBER_A(type, name, n) type name[n];
#define TRACE_MEMBER_T(text, type, name) type name;
#define TRACE_MEMBER_S(name) u32 name;
#define TRACE_MEMBER_B(name) u32 name;

#define TRACE_ROW(n, row) TRACE_ROW_(n, TRACE_UNP row)
#define TRACE_ROW_(...)	  TRACE_ROW__(__VA_ARGS__)
#define TRACE_ROW__(n, kind, ...) TRACE_ROW_##kind(n, __VA_ARGS__)
#define TRACE_SIGNED(type) ((type)-1 < (type)1)
#define TRACE_FIELD(n, text, name_, array_, signed_)                    \
	{ .type = text, .name = #name_, .array = array_,                \
	  .offset = OFFSET_OF(struct trace_rec_##n, name_),             \
	  .size = sizeof(((struct trace_rec_##n *)0)->name_),           \
	  .is_signed = signed_ },
#define TRACE_ROW_F(n, type, name) \
	TRACE_FIELD(n, #type, name, "", TRACE_SIGNED(type))
/* The sign of characters is the compiler's; Linux's are unsigned. */
#define TRACE_ROW_A(n, type, name, nr) \
	TRACE_FIELD(n, #type, name, "[" #nr "]", false)
#define TRACE_ROW_T(n, text, type, name) \
	TRACE_FIELD(n, text, name, "", TRACE_SIGNED(type))
#define TRACE_ROW_S(n, name) \
	TRACE_FIELD(n, "__data_loc char[]", name, "", false)
#define TRACE_ROW_B(n, name) \
	TRACE_FIELD(n, "__data_loc unsigned long[]", name, "", false)

/* What the emitters keep on their stack. */
struct trace_tail {
	u32 used;
	char text[TRACE_TAIL_MAX];
};

/*
 * The body: frame of the hook's caller for samples, then out.  The record is
 * zeroed, because what lies between fields is seen by user space.
 */
#define TRACE_EMIT(ev, record, size, count, task)                       \
	do {                                                            \
		struct pt_regs *regs_ = NULL, here_;                    \
									\
		if (READ_ONCE((ev)->perf_samplers)) {                   \
			arch_perf_fetch_regs(&here_);                   \
			regs_ = &here_;                                 \
		}                                                       \
		trace_event_emit_for((ev), (record), (size), regs_,     \
				     (count), (task));                  \
	} while (0)

/* Record type, fields, key and event. */
#define TRACE_DEFINE(sys, nm, fields_, fmt, args_)                      \
	struct trace_rec_##nm {                                         \
		struct trace_common common;                             \
		TRACE_EACH(TRACE_MEMBER, nm, TRACE_UNP fields_)         \
	};                                                              \
	static const struct trace_field trace_fields_##nm[] = {         \
		TRACE_EACH(TRACE_ROW, nm, TRACE_UNP fields_)            \
	};                                                              \
	DEFINE_STATIC_KEY(trace_key_##nm);                              \
	static struct trace_event trace_event_##nm = {                  \
		.system = #sys, .name = #nm,                            \
		.fields = trace_fields_##nm,                            \
		.nr_fields = ARRAY_SIZE(trace_fields_##nm),             \
		.size = sizeof(struct trace_rec_##nm),                  \
		.print_fmt = "\"" fmt "\", " args_,                     \
		.key = &trace_key_##nm,                                 \
	};                                                              \
	LINKSET_ADD(trace_events, trace_event_##nm)

#define TRACE_EVENT(sys, nm, params, args, fields_, fmt, args_)         \
	TRACE_EVENT_FOR(sys, nm, params, args, fields_, fmt, args_, 1, NULL)

/* With how much the event stands for, and the task it also concerns. */
#define TRACE_EVENT_FOR(sys, nm, params, args, fields_, fmt, args_, count, \
			task)                                           \
	TRACE_DEFINE(sys, nm, fields_, fmt, args_);                     \
	static void trace_fill_##nm(struct trace_rec_##nm *r,           \
				    TRACE_UNP params);                  \
	void trace_##nm##_body params                                   \
	{                                                               \
		struct trace_rec_##nm r;                                \
									\
		memset(&r, 0, sizeof(r));                               \
		trace_fill_##nm(&r, TRACE_UNP args);                    \
		TRACE_EMIT(&trace_event_##nm, &r, sizeof(r), count, task); \
	}                                                               \
	static void trace_fill_##nm(struct trace_rec_##nm *r,           \
				    TRACE_UNP params)

/* With strings: the filler has a tail, too. */
#define TRACE_EVENT_TAIL(sys, nm, params, args, fields_, fmt, args_)    \
	TRACE_DEFINE(sys, nm, fields_, fmt, args_);                     \
	static void trace_fill_##nm(struct trace_rec_##nm *r,           \
				    struct trace_tail *tail,            \
				    TRACE_UNP params);                  \
	void trace_##nm##_body params                                   \
	{                                                               \
		struct {                                                \
			struct trace_rec_##nm r;                        \
			char text[TRACE_TAIL_MAX];                      \
		} x;                                                    \
		struct trace_tail tail = { .used = 0 };                 \
		u32 size;                                               \
									\
		memset(&x.r, 0, sizeof(x.r));                           \
		trace_fill_##nm(&x.r, &tail, TRACE_UNP args);           \
		size = ALIGN_UP(tail.used, 4u);                         \
		memset(tail.text + tail.used, 0, size - tail.used);     \
		memcpy((char *)&x + sizeof(x.r), tail.text, size);      \
		TRACE_EMIT(&trace_event_##nm, &x, sizeof(x.r) + size, 1, \
			   NULL);                                       \
	}                                                               \
	static void trace_fill_##nm(struct trace_rec_##nm *r,           \
				    struct trace_tail *tail,            \
				    TRACE_UNP params)

/* A string into the tail; the value of its field.  Cut to what is left. */
static inline u32 trace_tail_put(struct trace_tail *tail, u32 head,
				 const char *text)
{
	u32 at = tail->used, left = TRACE_TAIL_MAX - at;
	u32 len = (u32)strnlen(text, left - 1);

	memcpy(tail->text + at, text, len);
	tail->text[at + len] = '\0';
	tail->used += len + 1;
	return (head + at) | (len + 1) << 16;
}
/* The same for what is no string. */
static inline u32 trace_tail_bytes(struct trace_tail *tail, u32 head,
				   const void *from, u32 len)
{
	u32 at = tail->used;

	memcpy(tail->text + at, from, len);
	tail->used += len;
	return (head + at) | len << 16;
}
#define TRACE_TAIL(r, field, text) \
	((r)->field = trace_tail_put(tail, sizeof(*(r)), (text)))

#endif /* SONDE_TRACE_EVENT_PRIVATE_H */
