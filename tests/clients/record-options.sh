# SPDX-License-Identifier: MIT
# tags: not-no-pmu
# timeout: 400
# perf record with its options, and the records that they ask for.
. /tests/clients/lib.sh
paranoid -1
echo 0 >/proc/sys/kernel/kptr_restrict
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
work=$T_BIN/work

# record OPTION...: a short program, with these options
record() {
	rm -rf r.data r.data.old
	works "record $*" perf record -o r.data "$@" -- $work share 60
}
# holds KIND: r.data has records of the kind
holds() {
	perf report -D -i r.data 2>/dev/null | grep -q "PERF_RECORD_$1\b"
	result $? "  has $1"
}
# attr PATTERN: an event of r.data was opened so
attr() {
	run perf evlist -v -i r.data
	ok "  opened with $1" has "$1"
}
refused() {
	run perf record -o x.data "$@" -- $work share 20
	ok "refused: $*" [ $rc != 0 ]
}

record --overwrite
holds SAMPLE
attr 'write_backward: 1'
record --tail-synthesize
holds SAMPLE
record -F max
holds SAMPLE
record -m 4
record --mmap-pages 8
record --aio
holds SAMPLE
record -z
ok "  is compressed" sh -c \
	'perf report --header-only -i r.data | grep -q "compressed : Zstd"'
record --data-page-size --code-page-size -d --phys-data
attr 'ADDR.*PHYS_ADDR.*DATA_PAGE_SIZE.*CODE_PAGE_SIZE'
record --switch-events
attr 'context_switch: 1'
record --switch-events -a
holds SWITCH_CPU_WIDE
record --namespaces
attr 'namespaces: 1'
ok "  has NAMESPACES" sh -c \
	'perf script --show-namespace-events -i r.data | grep -q NAMESPACES'
for clock in monotonic monotonic_raw; do
	record -k $clock
	attr 'use_clockid: 1'
done
refused -k nosuch
record --clockid monotonic
attr 'use_clockid: 1'
# Not from an interrupt that may hit the clock's writer.
refused -k realtime -e cycles
refused -k boottime -e cycles
record --no-inherit
record --all-user
attr 'exclude_kernel: 1'
record --all-kernel
attr 'exclude_user: 1'
record --delay 10
record --call-graph dwarf,1024
attr 'REGS_USER.*STACK_USER'
refused --call-graph lbr
refused -b
refused -j any,u
record --intr-regs=x0,pc
attr 'REGS_INTR'
record -g --user-callchains
attr 'exclude_callchain_kernel: 1'
record --sample-identifier --sample-cpu -W -T -P
attr 'IDENTIFIER'
record -s
attr 'inherit_stat: 1'
record -n
record --buildid-mmap
attr 'build_id: 1'
record --threads
ok "  is a folder" test -d r.data
record --per-thread
record -C 0
refused -C 99
record -u 0
refused --filter foo -e cycles
refused --all-cgroups -G foo -a
record -e cycles:u -e cycles:k
record -e '{cycles,cpu-clock}:S'
attr 'read_format: ID.GROUP'
record -e cycles/period=70000,call-graph=fp/
record -e cycles/max-stack=4/ -g
record -e cycles:D
attr 'pinned: 1'
record -e cycles:p
record -e cycles:e
attr 'exclusive: 1'
record -e context-switches -c 1 -a
record -e page-faults -c 1 -d

# -p is in record-more.
$work spin 60000 &
pid=$!
works "record -t" perf record -o r.data -t $pid -- sleep 0.5
kill $pid
holds SAMPLE

rm -rf r.data*
works "--switch-output=signal" perf record -o r.data --switch-output=signal \
	-- sh -c "kill -USR2 \$PPID; $work share 60; kill -USR2 \$PPID; sleep 1"
ok "three files" [ "$(ls -d r.data.2* | wc -l)" -ge 2 ]
rm -rf r.data*
works "--switch-output --overwrite" perf record -o r.data --switch-output \
	--overwrite -a -- sh -c "$work share 60; kill -USR2 \$PPID; sleep 1"
ok "a snapshot" [ "$(ls -d r.data.2* | wc -l)" -ge 1 ]
rm -rf r.data*
mkfifo ctl ack
(for c in enable ping snapshot evlist 'disable cycles' 'enable cycles' stop; do
	echo $c >&7
	read -r x <&8
	echo "$c: $x"
done) 7<>ctl 8<>ack >answers &
run perf record -o r.data --control fifo:ctl,ack -D -1 -e cycles -a -- sleep 30
wait
ok "--control" err_has 'Captured and wrote'
ok "an event by name" err_has 'Event cycles disabled'
ok "each command is answered" [ "$(count ': ack' answers)" = 7 ]
