# SPDX-License-Identifier: MIT
# only: tags
# tags: big
# timeout: 400
# Debian's trace-cmd: recording, reports, streams, lists, buffers of its own,
# filters, triggers.
. /tests/clients/lib.sh
export HOME=$T_DIR
t=/sys/kernel/tracing

works "trace-cmd record -e sched -e syscalls" \
	trace-cmd record -e sched -e syscalls ls /
ok "the program's own output" has '^proc$'
ok "both CPUs' data is said" err_has '^CPU[0-9] data recorded at offset=0x'
works "trace-cmd report" trace-cmd report
ok "how many CPUs" has '^cpus=4$'
ok "calls of the program" has \
	' ls-[0-9]+ +\[00[0-3]\] +[0-9]+\.[0-9]{6}: sys_enter_getdents64: +fd: 0x'
ok "their ends" has ' sys_exit_getdents64: +0x'
ok "its exec" has 'sched_process_exec: +filename=[^ ]*/ls pid=[0-9]+ old_pid='
ok "switches" has \
	' sched_switch: +[^ ]+:[0-9]+ \[[0-9]+\] [A-Z]\+? ==> [^ ]+:[0-9]+ \['
ok "every record is known" lacks '\[UNKNOWN|unknown event|FAILED TO PARSE'
ok "in the order of time" awk '
	match($0, / [0-9]+\.[0-9]+: /) {
		now = substr($0, RSTART, RLENGTH) + 0
		if (now < last) bad = 1
		last = now
	}
	END { exit bad }' "$out"
works "trace-cmd report --stat" trace-cmd report --stat
ok "what was read from each CPU" has '^read events: [0-9]'
works "trace-cmd report -R" trace-cmd report -R
ok "raw fields" has 'sched_switch: .* prev_pid=[0-9]+ '
works "trace-cmd report -F" trace-cmd report -F 'sched_switch: prev_pid == 0'
ok "only what the filter lets through" [ \
	"$(count 'sched_switch: +swapper/')" = "$(count sched_switch:)" ]
works "trace-cmd dump --summary" trace-cmd dump --summary
ok "its clock" has '^\[buffer "", "local" clock|\[buffer "", "local" clock'

works "record -F" trace-cmd record -F -e syscalls:sys_enter_openat ls /
run trace-cmd report
ok "only the program itself" [ "$(count ' ls-[0-9]+ ')" = \
	"$(count sys_enter_openat)" ]
ok "there is something" has 'sys_enter_openat: +dfd: 0xf+9c, filename: 0x'
works "record -F -c" \
	trace-cmd record -F -c -e sched_process_exit sh -c 'ls /; true'
run trace-cmd report
ok "the program" has ' sched_process_exit: +comm=sh '
ok "and its child" has ' sched_process_exit: +comm=ls '
ok "and nobody else" [ "$(count sched_process_exit)" = 2 ]
works "record -f" \
	trace-cmd record -e sched_switch -f 'prev_pid != 0' ls /
run trace-cmd report
ok "the filter held" lacks 'sched_switch: +swapper/[0-9]:0 .* ==>'
works "record -P" trace-cmd record -P 1 -e sched_switch sleep 0.2
works "record -C mono" trace-cmd record -C mono -e sched_switch ls /
ok "the clock is put back" grep -q '\[local\]' $t/trace_clock
run trace-cmd report
ok "a report by that clock" has ' sched_switch: '
works "record -p nop" trace-cmd record -p nop -e sched_switch ls /
works "record -B: a buffer of its own" \
	trace-cmd record -B mine -e sched_switch ls /
ok "it is gone afterwards" [ ! -d $t/instances/mine ]
run trace-cmd report
ok "its records say so" has '^mine: +[^ ]+-[0-9]+ .* sched_switch: '
works "record -R traceoff" \
	trace-cmd record -e sched_switch -R traceoff ls /
echo '!traceoff' >$t/events/sched/sched_switch/trigger
works "trace-cmd reset" trace-cmd reset
works "record -T" trace-cmd record -e sched_switch -T ls /
run trace-cmd report
ok "stacks of the kernel" has '^=> [a-z_0-9]+ \(ffff'
for e in $t/events/sched/*; do
	[ ! -d "$e" ] || ! grep -q '^stacktrace' "$e/trigger" ||
		echo '!stacktrace' >"$e/trigger"
done
trace-cmd reset

works "trace-cmd start" trace-cmd start -e sched_switch
works "trace-cmd stat" trace-cmd stat
ok "what is on" has '^ +sched_switch$'
ok "tracing is on" has '^Tracing is enabled$'
sleep 0.1
works "trace-cmd stop" trace-cmd stop
works "trace-cmd show" trace-cmd show
ok "the text of the buffer" has ' sched_switch: prev_comm=[^ ]+ prev_pid='
works "trace-cmd extract" trace-cmd extract
works "its report" trace-cmd report
ok "has the same" has ' sched_switch: '
works "trace-cmd clear" trace-cmd clear
run trace-cmd show
ok "nothing is left" lacks 'sched_switch:'
works "trace-cmd restart" trace-cmd restart
ok "it is on" [ "$(cat $t/tracing_on)" = 1 ]
works "trace-cmd start -B" trace-cmd start -B mine -e sched_switch
works "trace-cmd list -B" trace-cmd list -B
ok "the buffer is listed" has '^mine$'
works "trace-cmd show -B" trace-cmd show -B mine
ok "and has records" has ' sched_switch: '
works "trace-cmd reset -a -d" trace-cmd reset -a -d
ok "all is off" [ -z "$(cat $t/set_event)" ]
ok "the buffer is gone" [ ! -d $t/instances/mine ]

works "trace-cmd stream" trace-cmd stream -e sched_switch sleep 0.3
works "trace-cmd set" trace-cmd set -e sched_switch
ok "it is set" [ "$(cat $t/events/sched/sched_switch/enable)" = 1 ]
trace-cmd reset

works "trace-cmd list -e -F" trace-cmd list -e sched:sched_switch -F
ok "a format" has 'field:pid_t prev_pid;	offset:24;'
works "trace-cmd list -e -R" trace-cmd list -e sched:sched_switch -R
ok "what triggers there are" has '^# traceon traceoff .*stacktrace'
for o in -s -t -p -o -C -P -O -c; do
	works "trace-cmd list $o" trace-cmd list $o
done
run trace-cmd list -t
ok "tracers" has '(^| )nop( |$)'
run trace-cmd list -C
ok "clocks" has '^\[local\] global counter uptime perf mono mono_raw boot tai'
run trace-cmd list
ok "everything" has '^sched:sched_switch$'
works "trace-cmd hist" sh -c "trace-cmd record -e sched_switch ls /; trace-cmd hist"
ok "a histogram" has '%[0-9.]+ +\([0-9]+\) '
