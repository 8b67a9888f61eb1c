# SPDX-License-Identifier: MIT
# timeout: 240
# perf stat: how it aggregates, delays, modifies, is controlled and ends.
. /tests/clients/lib.sh
paranoid -1
work=$T_BIN/work
cpus=$(grep -c ^processor /proc/cpuinfo)
e="task-clock,page-faults"

# value EVENT [FIELD]: its count in the last `perf stat -x,` output
value() { awk -F, -v e="$1" '$3 == e { print $1; exit }' "$err"; }
# rows EVENT: how many lines it has
rows() { count ",$1," "$err"; }

works "--delay" perf stat -x, --delay 100 -e $e -- $work share 300
ok "is told" err_has 'Events enabled'
works "-D -1: never enabled" perf stat -x, -D -1 -e $e -- $work share 20
ok "nothing is counted" [ "$(value task-clock)" = '<not counted>' ]
works "--per-core" perf stat -x, --per-core -a -e $e sleep 0.1
ok "a row per core" [ "$(rows task-clock)" = "$cpus" ]
works "--per-socket" perf stat -x, --per-socket -a -e $e sleep 0.1
ok "one socket of all CPUs" err_has "^S0,$cpus,"
works "--per-die" perf stat -x, --per-die -a -e $e sleep 0.1
ok "one die" err_has "^S0-D0,$cpus,"
works "--per-node" perf stat -x, --per-node -a -e $e sleep 0.1
ok "one node" err_has "^N0,$cpus,"
works "--no-aggr" perf stat -x, --no-aggr -a -e $e sleep 0.1
ok "a row per CPU" err_has "^CPU$((cpus - 1)),"
works "--per-thread" perf stat -x, --per-thread -p $$ -e $e sleep 0.1
ok "named by its thread" err_has "^[a-z]+-$$,"
works "--no-inherit" perf stat -x, --no-inherit -e $e -- sh -c "$work share 50"
works "--all-user" perf stat -x, --all-user -e page-faults -- $work share 20
ok "as a modifier" err_has ',page-faults(:u)?,'
works "--all-kernel" perf stat -x, --all-kernel -e $e -- $work share 20
run perf stat -x, -G foo -a -e $e sleep 0.1
ok "-G of what is not there is refused" [ $rc != 0 ]
works "-I" perf stat -x, -I 100 --interval-count 3 -a -e $e
ok "as often as asked" [ "$(rows task-clock)" = 3 ]
works "--timeout" perf stat -x, --timeout 200 -a -e $e
works "--summary" perf stat --summary -I 100 --interval-count 1 -a -e $e
works "-t" perf stat -x, -t $$ -e $e sleep 0.1
run perf stat -x, -p 99999 -e $e sleep 0.1
ok "-p of nobody is refused" [ $rc != 0 ]
works "every software event" perf stat -x, -e cs,migrations,faults,\
minor-faults,major-faults,alignment-faults,emulation-faults,dummy,bpf-output,\
cgroup-switches true
ok "none is missing" [ "$(count '<not' "$err")" = 0 ]
works "tool events" perf stat -x, -e duration_time,user_time,system_time true
works "modifiers" perf stat -x, -e \
	'{task-clock,page-faults}:D,task-clock:u,task-clock:k,page-faults:e' true
works "--null" perf stat --null true
works "record" perf stat record -o s.data -e $e true
works "report" perf stat report -i s.data
ok "what was recorded" err_has task-clock
works "-j" perf stat -j -e task-clock true
ok "in JSON" err_has '^\{"counter-value" : "[0-9.]+'
works "--append" sh -c 'perf stat --append -o f -e task-clock true &&
	perf stat --append -o f -e task-clock true && grep -c task-clock f'
ok "twice" has '^2$'
works "--log-fd" sh -c 'perf stat --log-fd 3 -e task-clock true 3>f3; cat f3'
ok "there" has task-clock
run perf stat -e task-clock nosuchprogram
ok "a program that is not there" [ $rc != 0 ]

mkfifo ctl ack
(echo enable; read -r x <&8; sleep 0.3; echo disable; read -r x <&8) \
	>ctl 8<>ack &
a=$(cut -d. -f1 /proc/uptime)
works "--control" perf stat --control fifo:ctl,ack -D -1 -x, -a \
	-e task-clock sleep 3
b=$(cut -d. -f1 /proc/uptime)
wait
ok "enabled" err_has 'Events enabled'
ok "counted" sh -c "test '$(value task-clock)' != '<not counted>'"
ok "as long as its command runs ($((b - a)) s)" [ $((b - a)) -ge 2 ]
