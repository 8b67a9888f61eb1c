# SPDX-License-Identifier: MIT
# tags: short
# timeout: 120
# perf stat: what counts, what does not, and that counts add up.
. /tests/clients/lib.sh
paranoid -1

# value EVENT: its count in the last `perf stat -x,` output
value() { awk -F, -v e="$1" '$3 == e { print $1; exit }' "$err"; }
number() { value "$1" | grep -Eq '^[0-9.]+$'; }
positive() { value "$1" | grep -Eq '^[0-9.]*[1-9]'; }

works "perf stat true" perf stat true
for e in task-clock context-switches cpu-migrations page-faults; do
	ok "$e is shown" err_has "[0-9] .*$e"
done
run perf stat -x, -e task-clock,page-faults,context-switches,cpu-migrations true
for e in task-clock page-faults; do
	ok "$e counts" positive $e
done
for e in context-switches cpu-migrations; do
	ok "$e is a number" number $e
done

# A program that touches 64 more pages has 64 more faults; where its stack and
# its libraries start must not change between the two.
faults() {
	perf stat -x, -o s -e page-faults $T_BIN/work touch $1
	awk -F, '/page-faults/ { print $1 }' s
}
random=$(cat /proc/sys/kernel/randomize_va_space)
echo 0 >/proc/sys/kernel/randomize_va_space
a=$(faults 01)
a=$(faults 01)
b=$(faults 65)
echo "$random" >/proc/sys/kernel/randomize_va_space
ok "64 pages are 64 faults ($a, $b)" [ $((b - a)) = 64 ]

works "perf stat -a" perf stat -a sleep 1
ok "-a sees every CPU" err_has 'CPUs utilized'
works "perf stat -r" perf stat -r 3 \
	-e task-clock,page-faults,context-switches,cpu-migrations ls -R /etc
ok "-r shows its runs" err_has '\( *\+- '
works "perf stat -I" perf stat -I 100 -e task-clock -a sleep 2
ok "-I shows intervals" [ "$(count task-clock "$err")" -ge 3 ]
$T_BIN/work spin 60000 &
pid=$!
works "perf stat -p" perf stat -x, -e task-clock -p $pid sleep 0.5
ok "-p counts the running one" positive task-clock
kill $pid
wait $pid 2>/dev/null
works "perf stat -C" perf stat -C 0 -e context-switches sleep 0.1
works "perf stat -A" perf stat -A -a -e task-clock sleep 0.1
works "perf stat --per-thread" perf stat --per-thread -a -e task-clock \
	sleep 0.1
works "user only" perf stat -x, -e page-faults:u true
ok "user faults count" positive page-faults:u
works "perf list" perf list
ok "perf list names page-faults" has page-faults
works "perf list sw" perf list sw
ok "perf list names cpu-clock" has cpu-clock
works "a group of software events" perf stat -x, \
	-e '{task-clock,page-faults}' true
ok "the group counts" positive page-faults
