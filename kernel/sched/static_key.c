/* SPDX-License-Identifier: MIT */
/*
 * Static branches: switching the sites of a key between NOP and branch.
 *
 * The text mutex guards counts and patching.  A key is switched on before its
 * count becomes visible as positive and off after it dropped, so a reader of
 * the count alone never sees "on" with the branches still off.
 */
#include <arch/text.h>
#include <kernel/ipi.h>
#include <kernel/lock.h>
#include <kernel/panic.h>
#include <kernel/static_key.h>

extern const struct static_key_site __start_static_keys[];
extern const struct static_key_site __stop_static_keys[];

struct mutex text_mutex = MUTEX_INIT(text_mutex, LOCK_RANK_TEXT);
static bool static_keys_ready;		/* [text_mutex] */

static const char *site_code(const struct static_key_site *site)
{
	return (const char *)&site->code + site->code;
}

static const char *site_target(const struct static_key_site *site)
{
	return (const char *)&site->target + site->target;
}

static const struct static_key *site_key(const struct static_key_site *site)
{
	const char *key = (const char *)&site->key + site->key;

	return (const struct static_key *)(const void *)key;
}

/* [text_mutex] */
static void static_key_patch(const struct static_key *key, bool on)
{
	const struct static_key_site *site;
	const char *code;
	u32 insn;

	if (!static_keys_ready)
		return;
	for (site = __start_static_keys; site < __stop_static_keys; site++) {
		if (site_key(site) != key)
			continue;
		code = site_code(site);
		insn = on ? arch_insn_branch((uintptr_t)code,
					     (uintptr_t)site_target(site)) :
			    arch_insn_nop();
		CHECK(!arch_text_patch((void *)code, insn));
	}
}

void static_key_inc(struct static_key *key)
{
	mutex_lock(&text_mutex);
	if (key->count == 0) {
		static_key_patch(key, true);
		/* Whoever raised it relies on the hook from here on. */
		ipi_sync_text();
		/*
		 * QEMU before 8.1 loses a write to code that another CPU
		 * translates at that moment, and keeps the old translation.
		 * By now none is under way: writing again drops what was made.
		 */
		static_key_patch(key, true);
	}
	store_release(&key->count, key->count + 1);
	mutex_unlock(&text_mutex);
}

void static_key_dec(struct static_key *key)
{
	mutex_lock(&text_mutex);
	ASSERT(key->count > 0);
	store_release(&key->count, key->count - 1);
	if (key->count == 0)
		static_key_patch(key, false);
	mutex_unlock(&text_mutex);
}

bool static_key_at(u64 addr)
{
	const struct static_key_site *site;

	for (site = __start_static_keys; site < __stop_static_keys; site++)
		if ((uintptr_t)site_code(site) == addr)
			return true;
	return false;
}

/* Keys that were raised before text could be patched catch up here. */
void static_keys_init(void)
{
	const struct static_key_site *site;

	mutex_lock(&text_mutex);
	static_keys_ready = true;
	for (site = __start_static_keys; site < __stop_static_keys; site++) {
		if (site_key(site)->count > 0)
			static_key_patch(site_key(site), true);
	}
	mutex_unlock(&text_mutex);
}
