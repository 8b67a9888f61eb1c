# SPDX-License-Identifier: MIT
# only: tags
# tags: pmus
# timeout: 200
# perf on a machine of two PMUs: each counts and samples on its CPUs alone.
. /tests/clients/lib.sh
paranoid -1
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
work=$T_BIN/work
first=armv8_cortex_a53/cpu_cycles/
second=armv8_cortex_a72/cpu_cycles/

value() { awk -F, -v e="$1" '$3 == e { print $1; exit }' "$err"; }
counts() { value "$1" | grep -Eq '^[1-9][0-9]*$'; }
idle() { [ "$(value "$1")" = '<not counted>' ]; }

works "on the first's CPUs" taskset 3 perf stat -x, -e $first,$second \
	$work share 50
ok "the first counts" counts $first
ok "the second does not" idle $second
works "on the second's CPUs" taskset c perf stat -x, -e $first,$second \
	$work share 50
ok "the second counts then" counts $second
works "on both" perf stat -x, -e $first,$second \
	sh -c "taskset 1 $work share 50; taskset 4 $work share 50"
ok "both count" sh -c "! grep -q '<not' $err"
works "of the whole system" perf stat -x, -a -A -e $first,$second sleep 0.5
for cpu in 0 1; do
	ok "CPU $cpu has the first" err_has "^CPU$cpu,[0-9]+,,$first"
	ok "and not the second" sh -c "! grep -q '^CPU$cpu,.*$second' $err"
done
for cpu in 2 3; do
	ok "CPU $cpu has the second" err_has "^CPU$cpu,[0-9]+,,$second"
	ok "and not the first" sh -c "! grep -q '^CPU$cpu,.*$first' $err"
done
works "a group of the second" perf stat -x, -e "{$second,$second}" \
	taskset c $work share 50
run perf stat -x, -e "{$first,$second}" taskset 3 $work share 50
ok "a group of both is none" sh -c "[ $rc != 0 ] || grep -q '<not' $err"
works "with software events" perf stat -x, -e "$first,$second,task-clock" \
	$work share 50
ok "which count" err_has '^[1-9][0-9.]*,msec,task-clock'
works "perf record of the second" perf record -q --sample-cpu \
	-e $second -c 100003 -o p.data -- taskset c $work share 200
works "perf script" perf script -i p.data -F cpu,ip
ok "has samples" has '^ *\[00[23]\]'
ok "of its CPUs alone" lacks '^ *\[00[01]\]'
works "perf record of both" perf record -q --sample-cpu \
	-e $first,$second -c 100003 -o q.data -- \
	sh -c "taskset 1 $work share 200; taskset 4 $work share 200"
works "perf script of both" perf script -i q.data -F cpu,event
ok "the first's" has '^ *\[000\] +armv8_cortex_a53'
ok "the second's" has '^ *\[002\] +armv8_cortex_a72'
ok "none elsewhere" sh -c "! grep -Eq \
	'\[00[23]\] +armv8_cortex_a53|\[00[01]\] +armv8_cortex_a72' $out"
