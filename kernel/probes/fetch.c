// SPDX-License-Identifier: MIT
/*
 * Running fetch arguments: from a register frame to bytes of a record.
 *
 * In any context, so memory is read by the no-fault copies only.  What cannot
 * be read leaves zero, or in a string the word that says so.
 */
#include "fetch.h"

#include <arch/mmu.h>
#include <arch/probes.h>
#include <kernel/page.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <lib/minmax.h>
#include <lib/printf.h>
#include <lib/string.h>

#include "kprobe_internal.h"

static const char fault_text[] = "(fault)";

const struct fetch_type_info fetch_types[FETCH_TYPES] = {
	[FETCH_U8] = { "u8", "u8", "%u", 1, false },
	[FETCH_U16] = { "u16", "u16", "%u", 2, false },
	[FETCH_U32] = { "u32", "u32", "%u", 4, false },
	[FETCH_U64] = { "u64", "u64", "%Lu", 8, false },
	[FETCH_S8] = { "s8", "s8", "%d", 1, true },
	[FETCH_S16] = { "s16", "s16", "%d", 2, true },
	[FETCH_S32] = { "s32", "s32", "%d", 4, true },
	[FETCH_S64] = { "s64", "s64", "%Ld", 8, true },
	[FETCH_X8] = { "x8", "u8", "0x%x", 1, false },
	[FETCH_X16] = { "x16", "u16", "0x%x", 2, false },
	[FETCH_X32] = { "x32", "u32", "0x%x", 4, false },
	[FETCH_X64] = { "x64", "u64", "0x%Lx", 8, false },
	[FETCH_SYMBOL] = { "symbol", "u64", "%pS", 8, false },
	[FETCH_STRING] = { "string", "", "\\\"%s\\\"", 4, true },
	[FETCH_USTRING] = { "ustring", "", "\\\"%s\\\"", 4, true },
};

void probe_args_free(struct probe_args *args)
{
	u32 i;

	if (!args)
		return;
	for (i = 0; i < args->nr; i++) {
		kfree(args->arg[i].comm);
		kfree(args->arg[i].text);
	}
	kfree(args);
}

void probe_args_layout(struct probe_args *args, u32 base)
{
	u32 i, at = base;

	for (i = 0; i < args->nr; i++) {
		struct probe_arg *arg = &args->arg[i];

		arg->size = fetch_types[arg->type].size *
			    (u16)(arg->count ? arg->count : 1);
		arg->offset = (u16)at;
		at += arg->size;
		if (!fetch_is_string(arg->type))
			continue;
		args->dynamic = true;
		if (arg->count)
			scnprintf(arg->loc, sizeof(arg->loc),
				  "__data_loc char[][%u]", arg->count);
		else
			strlcpy_k(arg->loc, "__data_loc char[]",
				  sizeof(arg->loc));
	}
	args->size = at - base;
}

/* A run of one argument: where its memory is, and the record it goes to. */
struct run {
	struct pt_regs *regs;
	u8 *record;
	u32 end, limit;		/* of the record: used, and room */
	bool is_user;
};

/* True: it could not be read. */
static bool read_memory(void *to, u64 addr, size_t size, bool user)
{
	if (user || addr < ARCH_USER_END)
		return copy_user_nofault(to, user_ptr(addr), size);
	return arch_copy_kernel_nofault(to, kprobe_text(addr), size);
}

static bool source_value(const struct probe_arg *arg, const struct run *r,
			 u64 *value)
{
	switch (arg->source) {
	case FETCH_REG:
		*value = arch_probe_register(r->regs, (u32)arg->value);
		return false;
	case FETCH_SP:
		*value = regs_sp(r->regs);
		return false;
	case FETCH_PC:
		*value = regs_ip(r->regs);
		return false;
	case FETCH_PSTATE:
		*value = arch_probe_state(r->regs);
		return false;
	case FETCH_STACK:
		*value = 0;
		return read_memory(value, regs_sp(r->regs) + arg->value * 8, 8,
				   r->is_user);
	case FETCH_IMMEDIATE:
		*value = arg->value;
		return false;
	default:
		*value = 0;
		return false;
	}
}

static bool derefs_user(const struct probe_arg *arg, u32 n, const struct run *r)
{
	return r->is_user || arg->user_derefs >> n & 1;
}

/* Follow the first nr pointers; *value is then the address of the rest. */
static bool follow(const struct probe_arg *arg, u32 nr, const struct run *r,
		   u64 *value)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		u64 at = *value + (u64)arg->deref[i];

		*value = 0;
		if (read_memory(value, at, 8, derefs_user(arg, i, r)))
			return true;
	}
	return false;
}

static void store_number(const struct probe_arg *arg, u64 value, u8 *to)
{
	if (arg->bits)
		value = value >> arg->shift & (~0ull >> (64 - arg->bits));
	memcpy(to, &value, fetch_types[arg->type].size);
}

/* Copies up to a NUL, which is stored as well.  0: nothing was readable. */
static u32 copy_string(u8 *to, u64 addr, u32 room, bool user)
{
	u32 len = 0;

	room = min_t(u32, room, PROBE_STRING_MAX);
	while (len < room) {
		u32 n = min_t(u32, room - len, 64 - (u32)((addr + len) & 63));
		const u8 *nul;

		if (read_memory(to + len, addr + len, n, user)) {
			if (!len)
				return 0;
			break;
		}
		nul = memchr(to + len, 0, n);
		if (nul)
			return (u32)(nul - to) + 1;
		len += n;
	}
	if (len)
		to[len - 1] = 0;
	return len;
}

/* Note in the record where the len bytes at its end are. */
static void add_location(struct run *r, u8 *to, u32 len)
{
	u32 loc = len << 16 | r->end;

	memcpy(to, &loc, sizeof(loc));
	r->end += len;
}

static void store_text(struct run *r, u8 *to, const char *text)
{
	u32 len = (u32)strlen(text) + 1;

	if (len > r->limit - r->end)
		len = 0;
	memcpy(r->record + r->end, text, len);
	add_location(r, to, len);
}

static void store_string_at(struct run *r, u8 *to, u64 addr, bool user,
			    bool bad)
{
	u32 len = 0;

	if (!bad)
		len = copy_string(r->record + r->end, addr, r->limit - r->end,
				  user);
	if (len)
		add_location(r, to, len);
	else
		store_text(r, to, fault_text);
}

static void store_strings(const struct probe_arg *arg, struct run *r)
{
	u32 i, last = arg->nr_derefs ? arg->nr_derefs - 1u : 0;
	u8 *to = r->record + arg->offset;
	char comm[TASK_COMM_LEN];
	bool bad, user;
	u64 base;

	if (arg->source == FETCH_COMM) {
		task_get_comm(current, comm);
		store_text(r, to, comm);
		return;
	}
	if (arg->source == FETCH_TEXT) {
		store_text(r, to, arg->text);
		return;
	}
	user = derefs_user(arg, last, r) || arg->type == FETCH_USTRING;
	bad = source_value(arg, r, &base) || follow(arg, last, r, &base);
	base += (u64)arg->deref[last];
	if (!arg->count) {
		store_string_at(r, to, base, user, bad);
		return;
	}
	for (i = 0; i < arg->count; i++) {
		u64 addr = 0;
		bool gone = bad || read_memory(&addr, base + i * 8, 8, user);

		store_string_at(r, to + i * 4, addr, user, gone);
	}
}

static void store_numbers(const struct probe_arg *arg, const struct run *r)
{
	u32 i, size = fetch_types[arg->type].size;
	u8 *to = r->record + arg->offset;
	bool bad, user;
	u32 last;
	u64 base;

	memset(to, 0, arg->size);
	bad = source_value(arg, r, &base);
	if (!arg->nr_derefs) {
		if (!bad)
			store_number(arg, base, to);
		return;
	}
	last = arg->nr_derefs - 1u;
	user = derefs_user(arg, last, r);
	if (bad || follow(arg, last, r, &base))
		return;
	base += (u64)arg->deref[last];
	for (i = 0; i < (arg->count ? arg->count : 1); i++) {
		u64 value = 0;

		if (read_memory(&value, base + i * size, size, user))
			return;
		store_number(arg, value, to + i * size);
	}
}

u32 probe_args_store(const struct probe_args *args, struct pt_regs *regs,
		     bool is_user, void *record, u32 end, u32 limit)
{
	struct run r = { regs, record, end, limit, is_user };
	u32 i;

	for (i = 0; i < args->nr; i++) {
		const struct probe_arg *arg = &args->arg[i];

		if (fetch_is_string(arg->type))
			store_strings(arg, &r);
		else
			store_numbers(arg, &r);
	}
	return r.end;
}
