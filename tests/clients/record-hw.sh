# SPDX-License-Identifier: MIT
# tags: no-nmi not-no-pmu
# timeout: 120
# Recording with the PMU's own interrupt.
. /tests/clients/lib.sh
paranoid -1
echo 0 >/proc/sys/kernel/kptr_restrict
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
work=$T_BIN/work

works "-c 100000 -e cycles" perf record -c 100000 -e cycles -o a.data -- \
	$work share 200
works "report" perf report -i a.data --stdio
ok "samples of cycles" has "^# Samples: [1-9].* of event 'cycles'"
ok "nothing was lost" has 'Total Lost Samples: 0'
works "three events" perf record -e cycles,cpu-clock,page-faults -o b.data -- \
	$work share 100
works "evlist" perf evlist -i b.data
ok "three of them" [ "$(count 'cycles|cpu-clock|page-faults')" = 3 ]
works "-F 4000 -a" perf record -F 4000 -a -e cycles -o c.data -- sleep 1
works "report -a" perf report -i c.data --stdio
ok "the system has samples" has '^# Samples: [1-9]'
works "cycles:u" perf record -e cycles:u -o d.data -- $work share 200
works "report :u" perf report -i d.data --stdio --sort symbol
ok "a user function comes first" sh -c "grep -m1 % $out | grep -q hot_large"
works "cycles:k" perf record -e cycles:k -o e.data -- busybox find /sys /usr -maxdepth 3
works "report :k" perf report -i e.data --stdio --sort symbol
ok "kernel symbols" has '\[k\]'
works "a group" perf record -e '{cycles,cpu-clock}:S' -o f.data -- $work share 100
works "report --group" perf report --group -i f.data --stdio
