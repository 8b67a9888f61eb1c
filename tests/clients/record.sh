# SPDX-License-Identifier: MIT
# tags: short
# timeout: 180
# perf record and what reads its file, with the default event (cycles, or
# cpu-clock where there is no PMU).
. /tests/clients/lib.sh
paranoid -1
echo 0 >/proc/sys/kernel/kptr_restrict
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
work=$T_BIN/work

dd if=/dev/zero of=blob bs=1M count=8 2>/dev/null
works "record -g" perf record -g -o a.data -- busybox md5sum blob
works "report" perf report -i a.data --stdio
ok "the report has samples" has '^# Samples: [1-9]'
ok "the command is named" has '[0-9]%.* busybox '
ok "a kernel symbol is named" has '\[k\] [a-z_]'
ok "nothing was lost" has 'Total Lost Samples: 0'
works "script" perf script -i a.data
ok "script shows kernel frames" has '\(\[kernel.kallsyms\]\)'
ok "script shows user frames" has '\((/usr)?/bin/busybox\)'
works "evlist" perf evlist -i a.data
ok "evlist names one" has 'cycles|cpu-clock'

works "record our own" perf record -o b.data -- $work share 300
works "report by symbol" perf report -i b.data --stdio --sort symbol
ok "hot_large" has '\[\.\] hot_large'
ok "hot_medium" has '\[\.\] hot_medium'
ok "hot_small" has '\[\.\] hot_small'
order=$(grep -oE 'hot_(large|medium|small)' "$out" | tr '\n' ' ')
ok "in their order ($order)" [ "$order" = "hot_large hot_medium hot_small " ]
works "diff" perf diff b.data b.data
ok "diff names the symbol" has hot_large

works "record in a library" perf record -e cpu-clock -o c.data -- \
	perf list
works "report of it" perf report -i c.data --stdio --sort dso
ok "a shared library has samples" has 'lib[a-z0-9_.+-]*\.so'
