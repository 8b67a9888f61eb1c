// SPDX-License-Identifier: MIT
/*
 * Facts about types and configs: which open, and how the rest are refused.
 * only: tags
 * tags: facts not-debug
 * The debug kernel has one PMU more, so the first free type is another.
 */
#define _GNU_SOURCE
#include <dirent.h>

#include "facts.h"

static void configs(void)
{
	struct perf_event_attr attr;

	for (int config = 0; config < 16; config++) {
		attr = ATTR(PERF_TYPE_HARDWARE, config);
		fact(tried(&attr), "hardware %d", config);
		attr.sample_period = 100000;
		fact(tried(&attr), "hardware %d sampling", config);
		attr = ATTR(PERF_TYPE_SOFTWARE, config);
		fact(tried(&attr), "software %d", config);
		attr.sample_period = 100000;
		fact(tried(&attr), "software %d sampling", config);
		attr = ATTR(PERF_TYPE_SOFTWARE, config);
		fact(tried_at(&attr, -1, 0, -1, 0), "software %d on cpu 0",
		     config);
		attr = ATTR(PERF_TYPE_SOFTWARE, config, .freq = 1,
			    .sample_freq = 1000);
		fact(tried(&attr), "software %d with a frequency", config);
	}
	for (int bit = 4; bit < 64; bit++) {
		attr = ATTR(PERF_TYPE_HARDWARE, 1ull << bit);
		if (bit != 33) /* names type 2 */
			fact(tried(&attr), "hardware bit %d", bit);
		attr = ATTR(PERF_TYPE_SOFTWARE, 1ull << bit | 2);
		fact(tried(&attr), "software bit %d", bit);
		attr = ATTR(PERF_TYPE_HW_CACHE, 1ull << bit);
		fact(tried(&attr), "cache bit %d", bit);
		attr = ATTR(PERF_TYPE_RAW, 1ull << bit);
		fact(tried(&attr), "raw bit %d", bit);
	}
}

static void caches(void)
{
	struct perf_event_attr attr;

	for (int cache = 0; cache < 9; cache++)
		for (int op = 0; op < 4; op++)
			for (int result = 0; result < 3; result++) {
				attr = ATTR(PERF_TYPE_HW_CACHE,
					    cache | op << 8 | result << 16);
				fact(tried(&attr), "cache %d op %d result %d",
				     cache, op, result);
			}
}

static void raws(void)
{
	static const u64 list[] = { 0, 1, 8, 0x11, 0x1b, 0x1e, 0x3f, 0xff,
				    0x100, 0xfff, 0x4000, 0x8000, 0xffff,
				    0x10011, 0xfffff, ~0ull };
	struct perf_event_attr attr;

	for (int i = 0; i < sizeof(list) / sizeof(*list); i++) {
		attr = ATTR(PERF_TYPE_RAW, list[i]);
		fact(tried(&attr), "raw %#llx", (unsigned long long)list[i]);
		attr.sample_period = 1000;
		fact(tried(&attr), "raw %#llx sampling",
		     (unsigned long long)list[i]);
	}
	for (int flag = 0; flag < 16; flag++) {
		attr = ATTR(PERF_TYPE_RAW, 0x11, .config1 = flag);
		fact(tried(&attr), "raw 0x11 config1 %d", flag);
		fact(tried_at(&attr, -1, 1, -1, 0), "raw 0x11 config1 %d on "
		     "cpu 1", flag);
	}
}

/* Types 2, 6 and 7 are tracing's, 5 that of the debug registers. */
static void types(void)
{
	static const u32 list[] = { 8, 9, 10, 11, 12, 100, 0x7fffffff,
				    0x80000000, 0xffffffff };
	struct perf_event_attr attr;

	for (int i = 0; i < sizeof(list) / sizeof(*list); i++) {
		attr = ATTR(list[i], 0x11);
		fact(tried(&attr), "type %u config 0x11", list[i]);
		attr = ATTR(list[i], 0);
		fact(tried(&attr), "type %u config 0", list[i]);
		attr = ATTR(PERF_TYPE_HARDWARE, (u64)list[i] << 32);
		fact(tried(&attr), "cycles of type %u", list[i]);
		attr = ATTR(PERF_TYPE_HW_CACHE, (u64)list[i] << 32);
		fact(tried(&attr), "cache of type %u", list[i]);
	}
	for (u64 type = 0; type < 8; type++) {
		if (type == 2 || (type >= 5 && type < 8))
			continue;
		attr = ATTR(PERF_TYPE_HARDWARE, type << 32);
		fact(tried(&attr), "cycles of type %u", (u32)type);
		attr = ATTR(PERF_TYPE_HARDWARE, type << 32 | 10);
		fact(tried(&attr), "hardware 10 of type %u", (u32)type);
		attr = ATTR(PERF_TYPE_SOFTWARE, type << 32);
		fact(tried(&attr), "cpu-clock of type %u", (u32)type);
	}
}

#define BUS "/sys/bus/event_source/devices/"

static void sysfs_file(const char *pmu, const char *group, const char *name)
{
	char path[256], value[512];
	int fd, n;

	snprintf(path, sizeof(path), BUS "%s/%s%s%s", pmu, group,
		 *group ? "/" : "", name);
	fd = open(path, O_RDONLY);
	if (fd < 0) {
		fact(strerrorname_np(errno), "sysfs %s", path + strlen(BUS));
		return;
	}
	n = read(fd, value, sizeof(value) - 1);
	value[n > 0 ? n : 0] = 0;
	value[strcspn(value, "\n")] = 0;
	fact(n < 0 ? strerrorname_np(errno) : value, "sysfs %s",
	     path + strlen(BUS));
	close(fd);
}

static void sysfs_folder(const char *pmu, const char *group)
{
	struct dirent **list;
	int n;

	n = scandir(text(BUS "%s/%s", pmu, group), &list, NULL, alphasort);
	for (int i = 0; i < n; i++)
		if (list[i]->d_name[0] != '.')
			sysfs_file(pmu, group, list[i]->d_name);
}

static void sysfs(void)
{
	static const char *const pmus[] = { "software", "armv8_pmuv3",
					    "armv8_pmuv3_0" };

	for (int i = 0; i < sizeof(pmus) / sizeof(*pmus); i++) {
		sysfs_file(pmus[i], "", "type");
		sysfs_file(pmus[i], "", "cpus");
		sysfs_file(pmus[i], "", "perf_event_mux_interval_ms");
		sysfs_folder(pmus[i], "format");
		sysfs_folder(pmus[i], "events");
		sysfs_folder(pmus[i], "caps");
	}
	for (int ms = -1; ms < 3; ms++)
		fact(put_file(BUS "armv8_pmuv3/perf_event_mux_interval_ms",
			      text("%d\n", ms)) ? "ok" : strerrorname_np(errno),
		     "mux interval %d ms", ms);
	put_file(BUS "armv8_pmuv3/perf_event_mux_interval_ms", "4\n");
}

int main(void)
{
	settle();
	configs();
	caches();
	raws();
	types();
	sysfs();
	return ktap_done();
}
