# SPDX-License-Identifier: MIT
# tags: short no-nmi not-no-pmu
# timeout: 120
# perf stat on a machine with a PMU: the emulated one counts cycles.
. /tests/clients/lib.sh
paranoid -1
value() { awk -F, -v e="$1" '$3 == e { print $1; exit }' "$err"; }
positive() { value "$1" | grep -Eq '^[0-9.]*[1-9]'; }

works "cycles" perf stat -x, -e cycles true
ok "cycles count" positive cycles
run perf stat -x, -e cycles,branch-misses,cache-references true
ok "cycles count beside what is not supported" positive cycles
for e in branch-misses cache-references; do
	ok "$e is not supported" [ "$(value $e)" = "<not supported>" ]
done
works "the wide command" perf stat -r 3 \
	-e cycles,task-clock,page-faults,context-switches,cpu-migrations \
	ls -R /usr
ok "cycles among five" err_has '[1-9][0-9]* +cycles'
works "-d" perf stat -d true
works "a group" perf stat -x, -e '{cycles,task-clock}' true
ok "the group counts" positive cycles
works "cycles:u" perf stat -x, -e cycles:u true
a=$(value cycles:u)
works "cycles:k" perf stat -x, -e cycles:k true
b=$(value cycles:k)
ok "user and kernel cycles ($a, $b)" \
	sh -c "[ $a -gt 0 ] && [ $b -gt 0 ]"
works "a raw event" perf stat -x, -e r11 true
ok "the raw event counts" positive r11
works "the PMU by its name" perf stat -x, -e armv8_pmuv3/cpu_cycles/ true ||
	true
works "inherited" perf stat -x, -e cycles sh -c '/bin/true; /bin/true'
ok "a missing event names itself" sh -c \
	'! perf stat -e nosuchevent true 2>/dev/null'
works "more events than counters" perf stat -x, -e cycles,cycles,cycles,cycles,cycles,cycles,cycles,cycles,cycles $T_BIN/work spin 300
ok "all have a time share" sh -c "! grep -q 'not counted' $err"
