# SPDX-License-Identifier: MIT
# tags: short
# timeout: 120
# The files of tracefs by hand: switching events, filters and their errors, the
# text of the buffer, its pages.
. /tests/clients/lib.sh
t=/sys/kernel/tracing
sw=$t/events/sched/sched_switch

ok "available_events" grep -q '^sched:sched_switch$' $t/available_events
ok "an event starts off" [ "$(cat $sw/enable)" = 0 ]
ok "without a filter" [ "$(cat $sw/filter)" = none ]
ok "tracing is on" [ "$(cat $t/tracing_on)" = 1 ]
ok "no tracer" [ "$(cat $t/current_tracer)" = nop ]

echo 1 >$sw/enable
ok "set_event lists what is on" [ "$(cat $t/set_event)" = sched:sched_switch ]
ok "some of a system" [ "$(cat $t/events/sched/enable)" = X ]
sleep 0.1
echo 0 >$t/tracing_on
cp $t/trace "$out"
ok "switches are in the trace" has ' sched_switch: prev_comm=[^ ]+ prev_pid='
ok "the header says how many" has '^# entries-in-buffer/entries-written: [1-9]'
echo >$t/set_event
ok "set_event switches off" [ "$(cat $sw/enable)" = 0 ]
echo >$t/trace
cp $t/trace "$out"
ok "the trace is emptied" lacks 'sched_switch:'

echo 1 >$t/tracing_on
echo 'id == 17' >$t/events/raw_syscalls/sys_exit/filter
echo syscalls:sys_enter_getcwd >$t/set_event
echo raw_syscalls:sys_exit >>$t/set_event
ok "two are on" [ "$(wc -l <$t/set_event)" = 2 ]
pwd -P >/dev/null
/bin/pwd >/dev/null
echo 0 >$t/tracing_on
cp $t/trace "$out"
ok "a call as text" has ' sys_getcwd\(buf: [0-9a-f]+, size: [0-9a-f]+\)'
ok "its end" has ' sys_exit: NR 17 = [0-9]+'
ok "others are filtered out" lacks ' NR (56|63|64) '
echo 0 >$t/events/raw_syscalls/sys_exit/filter
ok "0 takes a filter away" \
	[ "$(cat $t/events/raw_syscalls/sys_exit/filter)" = none ]
echo >$t/set_event

: >$t/error_log
run sh -c "echo 'prev_pid = 0' >$sw/filter"
ok "a wrong filter is refused" [ $rc != 0 ]
cp $sw/filter "$out"
ok "the filter says why" has '^parse_error: Invalid operator'
ok "and where" has '^          \^$'
cp $t/error_log "$out"
ok "error_log has it, too" has 'event filter parse error: error: Invalid operator'
ok "with the command" has '^  Command: prev_pid = 0$'
: >$t/error_log
ok "error_log is emptied" [ -z "$(cat $t/error_log)" ]
echo 0 >$sw/filter

echo >$t/trace
echo 1 >$t/tracing_on
echo hello >$t/trace_marker
cp $t/trace "$out"
ok "trace_marker" has ' tracing_mark_write: hello$'
run timeout 5 head -n 1 $t/trace_pipe
ok "trace_pipe takes it out" has 'tracing_mark_write: hello'
cp $t/trace "$out"
ok "it is gone" lacks 'hello'
ok "saved_cmdlines knows who" grep -Eq '^[0-9]+ [a-z]' $t/saved_cmdlines

echo page >$t/trace_marker
n=0
for c in $t/per_cpu/cpu*; do
	timeout 1 dd if=$c/trace_pipe_raw of=raw bs=4096 count=1 2>/dev/null
	grep -q page raw && n=$((n + $(wc -c <raw)))
	: >raw
done
ok "trace_pipe_raw gives a page ($n)" [ $n = 4096 ]

mkdir debug
mount -t debugfs none debug
ok "debugfs/tracing is the same tree" grep -q '^sched:sched_switch$' \
	debug/tracing/available_events
echo there >debug/tracing/trace_marker
ok "with the same buffer" grep -q 'tracing_mark_write: there' $t/trace
ok "it is a mount" grep -q ' [^ ]*/debug/tracing tracefs rw,relatime' \
	/proc/mounts
umount debug/tracing debug
