# SPDX-License-Identifier: MIT
# timeout: 300
# The other ways to record.
. /tests/clients/lib.sh
paranoid -1
echo 0 >/proc/sys/kernel/kptr_restrict
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
work=$T_BIN/work

works "--call-graph dwarf" perf record --call-graph dwarf -o d.data -- \
	$work deep 100
works "script of dwarf" perf script --no-inline -i d.data
ok "the chain goes through outer" has '\bouter\b'
ok "the chain goes through inner" has '\binner\b'

works "--call-graph fp" perf record --call-graph fp -o f.data -- \
	$work deep 200
works "script of fp" perf script --no-inline -i f.data
ok "frames: middle" has '\bmiddle\b'
ok "frames: outer" has '\bouter\b'

works "-F 4000 -a" perf record -F 4000 -a -o a.data -- sleep 1
works "report -a" perf report -i a.data --stdio

works "-e cpu-clock" perf record -e cpu-clock -o c.data -- $work share 200
works "report cpu-clock" perf report -i c.data --stdio
ok "cpu-clock has samples" has '^# Samples: [1-9]'

works "-e page-faults -c 1" perf record -e page-faults -c 1 -o p.data -- \
	$work touch 500
n=$(perf script -i p.data -F ip 2>/dev/null | grep -c .)
ok "a sample per fault ($n)" [ "$n" -ge 500 ]

works "-e task-clock and page-faults" perf record \
	-e cpu-clock,page-faults -o m.data -- $work share 100
works "evlist" perf evlist -i m.data
ok "both events" [ "$(count 'cpu-clock|page-faults')" = 2 ]

$work spin 60000 &
pid=$!
works "-p PID" perf record -e cpu-clock -o t.data -p $pid -- sleep 0.5
kill $pid
wait $pid 2>/dev/null
works "report -p" perf report -i t.data --stdio
ok "the target's function" has 'hot_small'

works "threads" perf record -e cpu-clock -o h.data -- $work threads 4 100
works "report by thread" perf report -i h.data --stdio --sort pid
ok "four threads" [ "$(count '[0-9]%.*work')" -ge 4 ]

works "inherited children" perf record -e cpu-clock -o k.data -- \
	sh -c "$work share 100; $work share 100"
works "report of children" perf report -i k.data --stdio --sort comm
ok "the child's name" has ' work'

works "to a pipe" sh -c "perf record -e cpu-clock -o - -- \
	$work share 50 | perf report -i - --stdio"
works "bad event is refused" sh -c \
	'! perf record -e nosuch -o z.data true'
works "per thread only" perf record --per-thread -e cpu-clock -o y.data -- \
	$work share 50
works "with data addresses and weights" perf record -d -e cpu-clock \
	-o w.data -- $work share 50
works "with registers" perf record --user-regs=x0,pc,sp -e cpu-clock \
	-o r.data -- $work share 50
works "script of registers" perf script -i r.data -F ip,uregs
ok "registers are shown" has 'pc:0x'
