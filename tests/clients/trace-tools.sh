# SPDX-License-Identifier: MIT
# only: tags
# tags: big
# timeout: 900
# perf's tools that stand on tracepoints: sched, kmem, lock, timechart, kwork,
# trace.
. /tests/clients/lib.sh
paranoid -1
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent

cat >work.sh <<'EOF'
for i in 1 2 3; do cat /etc/passwd | wc -l; sleep 0.05; done
dd if=/dev/zero of=/tmp/work.data bs=1M count=2 2>/dev/null
cat /tmp/work.data >/dev/null
rm /tmp/work.data
EOF

# What perf says goes to either.
both() {
	works "$@"
	cat "$err" >>"$out"
}

# --- sched
works "perf sched record" perf sched record -q -o s sh work.sh
works "perf sched latency" perf sched latency -i s
for name in sleep cat wc; do
	ok "$name with its switches" has "$name:.* ms \| +[1-9][0-9]* \| avg: +[0-9.]+ ms"
done
ok "and a sum" has 'TOTAL: +\| +[0-9.]+ ms \| +[1-9]'
works "perf sched timehist" perf sched timehist -i s
ok "times of one that slept" has 'sleep\[[0-9]+\] +[0-9.]+ +[0-9.]+ +[0-9.]+'
works "perf sched timehist -MVw" perf sched timehist -MVw -i s
ok "wake-ups" has 'awakened: '
works "perf sched timehist --summary" perf sched timehist -s -i s
ok "run times by task" has 'sleep\[[0-9]+\] +[0-9]+ +[1-9]'
works "perf sched map" perf sched map -i s
ok "a letter for one of them" has '[A-Z][0-9] => (cat|wc|sleep|sh):[0-9]+'
works "perf sched script" perf sched script -i s
ok "all of its events" has 'sched:sched_stat_runtime: comm=(cat|sh|wc)'
ok "a wake-up names its CPU" has 'sched:sched_wakeup(_new)?: comm=.* target_cpu=00[0-3]'
both "perf sched replay" perf sched replay -r 1 -i s
ok "it found what to play" has 'nr_wakeup_events: +[1-9]'
ok "and played it" has '^#1 +: [0-9.]+'

# --- kmem
works "perf kmem record" perf kmem record -q -o k sh work.sh
both "perf kmem stat" perf kmem -i k --caller --alloc --slab stat
ok "a call site" has '^ [a-z_]+\+[0-9a-f]+ +\| +[0-9]+/[0-9]+ +\| +[0-9]+/[0-9]+ +\| +[1-9]'
ok "a sum of what was given" has 'Total bytes allocated: [1-9]'
ok "and of what came back" has 'Total bytes freed: +[1-9]'
works "perf kmem --page record" perf kmem --page record -q -o kp sh work.sh
ok "it leaves a file" [ -s kp ]
# Its stat fails on either kernel: perf cannot read the formats of pages.

# --- lock
works "perf lock record" perf lock record -q -o l \
	perf bench sched messaging -g 2 -l 20
both "perf lock report" perf lock report -i l
ok "a lock that was waited for" has ' [1-9][0-9]* +[0-9]+ +[0-9.]+ [mun]s '
both "perf lock contention" perf lock contention -i l
ok "with its kind and caller" has ' [1-9][0-9]* +[0-9.]+ [mun]s +.*(spinlock|mutex|rwlock:[RW]|rwsem:[RW]) +[a-z_.]+\+0x'

# --- timechart
works "perf timechart record" perf timechart record sh work.sh
ok "it leaves perf.data" [ -s perf.data ]
works "perf timechart" perf timechart -o chart.svg
ok "a picture" grep -q '<svg ' chart.svg
ok "with the programs" grep -q 'sleep' chart.svg
works "perf timechart record -I" perf timechart record -I sh work.sh
works "perf timechart -I" perf timechart -o io.svg
ok "a picture of files" grep -q '<svg ' io.svg

# --- kwork
works "perf kwork record" perf kwork record -q -o w sh work.sh
for how in report latency timehist; do
	works "perf kwork $how" perf kwork -k irq $how -i w
done
works "perf kwork report" perf kwork -k irq report -i w
ok "the timer's interrupt" has 'arch_timer:[0-9]+ +\| +000[0-3] +\| +[0-9.]+ ms \| +[1-9]'
for how in report latency timehist; do
	works "perf kwork $how of all" perf kwork $how -i w
done

# --- trace
both "perf trace ls" perf trace ls /
ok "an opened folder" has 'openat\(dfd: CWD, filename: .*\) += [0-9]'
ok "how long each took" has ' \( *[0-9.]+ ms\): ls/[0-9]+ getdents64\(fd: '
ok "the end" has 'exit_group\(\) +='
both "perf trace -s" perf trace -s ls /
ok "a table by call" has '^ +(mmap|close|openat) +[1-9][0-9]* +[0-9]+ +[0-9.]+ '
sh -c 'while :; do sleep 0.3; done' &
pid=$!
both "perf trace -p" perf trace -p $pid sleep 1
ok "its calls" has "sh/$pid|\\( *[0-9.]+ ms\\): "
kill $pid
wait $pid 2>/dev/null
both "perf trace -a" perf trace -a sleep 0.2
ok "the calls of sleep" has 'sleep/[0-9]+ clock_nanosleep\('
both "perf trace --call-graph fp" perf trace --call-graph fp -e openat ls /
ok "who called" has '^ +(\[0x[0-9a-f]+\]|[a-z_0-9.]+) \(.*(libc|ld-linux|/ls).*\)'
both "perf trace -F all" perf trace -F all --no-syscalls ls /
ok "faults with their places" has 'minfault \[.*\] => .*@0x[0-9a-f]+ \([d.x]'
both "perf trace -e of an event" perf trace --no-syscalls \
	-e sched:sched_switch,kmem:kmalloc ls /
ok "its record" has 'kmem:kmalloc\(call_site: '

# --- all calls counted; a filter
both "perf stat of all calls" perf stat -e 'syscalls:sys_enter_*' ls /
ok "one of them" has ' [1-9][0-9]* +syscalls:sys_enter_getdents64'
works "perf record --filter" perf record -q -o f -a -e sched:sched_switch \
	--filter 'prev_pid != 0' sh work.sh
works "perf script of it" perf script -i f
ok "nothing of the idle tasks" lacks 'prev_pid=0 '
ok "but of others" has 'prev_pid=[1-9]'
