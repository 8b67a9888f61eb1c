# SPDX-License-Identifier: MIT
# timeout: 240
# What reads perf.data and the kernel's symbols.
. /tests/clients/lib.sh
paranoid -1
echo 0 >/proc/sys/kernel/kptr_restrict
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
work=$T_BIN/work

works "record" perf record -g -e cpu-clock -o a.data -- $work share 100
works "record again" perf record -e cpu-clock -o b.data -- $work share 100
works "record all" perf record -a -e cpu-clock,page-faults -o c.data -- \
	$work share 100
works "evlist -F" perf evlist -F -i a.data
ok "the frequency" has 'sample_freq=[1-9]'
works "evlist -v" perf evlist -v -i c.data
works "buildid-list" perf buildid-list -i a.data
ok "the program" has '/work$'
works "buildid-list -k" perf buildid-list -k
ok "is in sysfs" has '^[0-9a-f]{40}$'
works "buildid-cache -a" perf buildid-cache -a $work
works "buildid-cache -l" perf buildid-cache -l
ok "lists it" has '/work$'
works "buildid-cache -r" perf buildid-cache -r $work
for option in -b -s -j --buildid-all; do
	works "inject $option" perf inject $option -i a.data -o i.data
done
works "report of it" perf report -i i.data --stdio
ok "the function" has hot_large
works "diff" perf diff a.data b.data
ok "both" has '%.*hot_large'
works "diff by ratio" perf diff -c ratio a.data b.data
works "data convert --to-ctf" perf data convert -i a.data --to-ctf=ctf
ok "a trace" test -s ctf/metadata
works "kallsyms" perf kallsyms schedule
ok "where it is" has '^schedule: .*0xffff'
run perf kallsyms nosuch
ok "what is not there" has 'not found'
works "script of tasks" perf script -i a.data --show-task-events
ok "the end of it" has PERF_RECORD_EXIT
works "script of maps" perf script -i a.data --show-mmap-events
ok "the program's" has 'MMAP2.*/work$'
works "report --tasks" perf report -i c.data --stdio --tasks
ok "our program" has 'work$'
works "report --mmaps" perf report -i a.data --stdio --mmaps
ok "its text" has 'r-xp .*/work$'
works "report --stats" perf report -i a.data --stdio --stats
ok "samples are counted" has 'SAMPLE events: +[1-9]'
works "header" perf script -i c.data --header
ok "the command" has '^# cmdline : .*record -a'
