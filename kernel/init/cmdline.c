/* SPDX-License-Identifier: MIT */
/*
 * The kernel command line.
 *
 * Words are parted by blanks; double quotes keep blanks together.  Each word
 * goes to every BOOT_PARAM that matches it.  What neither this kernel nor
 * Linux knows goes to init: name=value into its environment, a plain word
 * among its arguments, and everything after "--" among its arguments, as on
 * Linux.  Words with a dot are module parameters there and go nowhere.
 *
 * Runs once on the boot CPU, before allocators: it cuts a copy of the line
 * into pieces that stay.
 */
#include <kernel/init.h>
#include <kernel/printk.h>
#include <lib/ctype.h>
#include <lib/parse.h>
#include <lib/string.h>

#include "internal.h"

extern const struct boot_param __start_boot_params[];
extern const struct boot_param __stop_boot_params[];

struct boot_options boot_options = {
	.rdinit = "/init",
	.max_cpus = ~0u,
	.envp = { "HOME=/", "TERM=linux" },
};

static char cmdline_copy[2048];

/* Words that Linux takes for itself and this kernel has no use for. */
static const char *const foreign_words[] = {
	"ro", "rw", "rootwait", "nosmp", "nokaslr", "nohlt", "noinitrd",
	"earlycon", "keep_bootcon", "ignore_loglevel", "initcall_debug",
	"nosoftlockup", "nowatchdog", "norandmaps", "no_console_suspend",
	"kpti", "nopti", "nmi_watchdog", "acpi", "reboot", "threadirqs",
	"mitigations", "root", "rootfstype", "rootflags", "rootdelay",
	"earlyprintk", "nr_cpus", "possible_cpus", "isolcpus", "nohz",
	"nohz_full", "rcu_nocbs", "irqaffinity", "hugepages", "hugepagesz",
	"default_hugepagesz", "transparent_hugepage", "mem", "memmap",
	"vmalloc", "cma", "crashkernel", "slub_debug", "init_on_alloc",
	"init_on_free", "page_poison", "audit", "selinux", "apparmor",
	"security", "lsm", "clocksource", "lpj", "log_buf_len", "printk",
	"ftrace", "trace_event", "trace_buf_size", "kvm-arm", "numa",
	"workqueue", "sched_verbose", "maxcpus", "quiet", "debug", "loglevel",
	"panic", "console", "init", "rdinit", "initrd", "cgroup_disable",
	"random", "ip", "nfsroot", "swiotlb", "iommu", "pci", "fw_devlink",
};

static void set_max_cpus(const char *value)
{
	u32 nr;

	if (!parse_u32(value, 0, &nr))
		boot_options.max_cpus = nr ? nr : 1;
}
BOOT_PARAM(maxcpus, "maxcpus=", set_max_cpus);

static void set_nosmp(const char *value)
{
	boot_options.max_cpus = 1;
}
BOOT_PARAM(nosmp, "nosmp", set_nosmp);

/* What came before does not count for the program that is named here. */
static void forget_args(void)
{
	u32 i;

	for (i = 1; i <= INIT_MAX_ARGS; i++)
		boot_options.argv[i] = NULL;
}

static void set_init(const char *value)
{
	boot_options.init = value;
	forget_args();
}
BOOT_PARAM(init, "init=", set_init);

static void set_rdinit(const char *value)
{
	boot_options.rdinit = value;
	boot_options.rdinit_given = true;
	forget_args();
}
BOOT_PARAM(rdinit, "rdinit=", set_rdinit);

static void add_arg(const char *word)
{
	u32 i;

	for (i = 1; i <= INIT_MAX_ARGS; i++) {
		if (!boot_options.argv[i]) {
			boot_options.argv[i] = word;
			return;
		}
	}
}

/* A later value of the same name replaces the earlier one. */
static void add_env(const char *word)
{
	size_t name = (size_t)(strchr(word, '=') - word) + 1;
	u32 i;

	for (i = 0; i <= INIT_MAX_ARGS; i++) {
		if (!boot_options.envp[i] ||
		    !strncmp(boot_options.envp[i], word, name)) {
			boot_options.envp[i] = word;
			return;
		}
	}
}

static bool give_to_params(const char *word)
{
	const struct boot_param *p;
	bool known = false;
	size_t len;

	for (p = __start_boot_params; p < __stop_boot_params; p++) {
		len = strlen(p->name);
		if (len && p->name[len - 1] == '=') {
			if (strncmp(word, p->name, len))
				continue;
			p->fn(word + len);
		} else if (streq(word, p->name)) {
			p->fn("");
		} else {
			continue;
		}
		known = true;
	}
	return known;
}

static bool is_foreign(const char *word)
{
	const char *end = strchrnul(word, '=');
	size_t len = (size_t)(end - word);
	u32 i;

	if (memchr(word, '.', len))
		return true;
	for (i = 0; i < ARRAY_SIZE(foreign_words); i++) {
		if (strlen(foreign_words[i]) == len &&
		    !strncmp(foreign_words[i], word, len))
			return true;
	}
	return false;
}

/*
 * Cut the next word off *line and take its quotes away: around the whole word
 * or around the value.
 */
static char *next_word(char **line)
{
	char *word, *from, *to;
	bool quoted = false;

	while (isspace(**line))
		(*line)++;
	if (!**line)
		return NULL;
	word = from = to = *line;
	for (; *from && (quoted || !isspace(*from)); from++) {
		if (*from == '"')
			quoted = !quoted;
		else
			*to++ = *from;
	}
	*line = *from ? from + 1 : from;
	*to = 0;
	return word;
}

void cmdline_parse(const char *cmdline)
{
	char *line = cmdline_copy, *word;
	bool rest = false;

	strlcpy_k(cmdline_copy, cmdline, sizeof(cmdline_copy));
	while ((word = next_word(&line))) {
		if (rest)
			add_arg(word);
		else if (streq(word, "--"))
			rest = true;
		else if (give_to_params(word) || is_foreign(word))
			continue;
		else if (strchr(word, '='))
			add_env(word);
		else
			add_arg(word);
	}
}
