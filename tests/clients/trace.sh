# SPDX-License-Identifier: MIT
# tags: short
# timeout: 180
# Tracepoints with perf: stat, record, script, filters, trace, sched.
. /tests/clients/lib.sh
paranoid -1
t=/sys/kernel/tracing

value() { awk -F, -v e="$1" '$3 == e { print $1; exit }' "$err"; }

works "perf list has tracepoints" perf list tracepoint
ok "sched_switch is one" has 'sched:sched_switch'
ok "a system call is one" has 'syscalls:sys_enter_openat'

works "perf stat of a system" perf stat -x, -e 'sched:*' sh -c 'cat /etc/passwd | cat'
ok "a fork is counted" [ "$(value sched:sched_process_fork)" -ge 1 ]
ok "an exec is counted" [ "$(value sched:sched_process_exec)" -ge 2 ]
works "perf stat of calls" perf stat -x, \
	-e syscalls:sys_enter_openat,raw_syscalls:sys_enter cat /etc/passwd
ok "they are counted" [ "$(value raw_syscalls:sys_enter)" -ge 5 ]

works "perf record of all switches" \
	perf record -q -a -e sched:sched_switch -o p sleep 0.3
works "perf script prints them" perf script -i p
ok "with their fields" has 'sched_switch: prev_comm=.* prev_state=[SRDIXZ].* ==> next_comm='

works "perf record with a filter" perf record -q -e raw_syscalls:sys_enter \
	--filter 'id == 56' -o p cat /etc/passwd
works "perf script of it" perf script -i p
ok "only openat is left" sh -c "! grep -v 'NR 56 ' $out | grep -q NR"
ok "and it is there" has 'sys_enter: NR 56 '
run perf record -q -e sched:sched_switch --filter 'nope == 1' -o p true
ok "a wrong filter is refused" [ $rc != 0 ]

works "perf record of a call, with its chain" \
	perf record -q -g -e syscalls:sys_exit_openat -o p cat /etc/passwd
works "perf script of chains" perf script -i p
ok "an answer is shown" has 'sys_exit_openat: 0x'

works "perf trace" perf trace -o p.txt cat /etc/passwd
cp p.txt "$out"
ok "openat with its arguments" has 'openat\(dfd: CWD, filename: .*\) += [0-9]'
ok "close with its answer" has 'close\(fd: [0-9]+\) += 0'
works "perf trace -s" perf trace -s -o p.txt cat /etc/passwd
cp p.txt "$out"
ok "calls are summed up" has 'openat +[0-9]+ +[0-9]+ '

works "perf sched record" perf sched record -q -o s sleep 0.2
for how in latency timehist script; do
	works "perf sched $how" perf sched $how -i s
	ok "it names the program" has sleep
done
works "perf sched map" perf sched map -i s
ok "it draws CPUs" has '\*[A-Z.][0-9 ]'
