# SPDX-License-Identifier: MIT
# tags: debug
# only: tags
# The example backend, which the debug configuration has: docs/perf tells the
# newcomer that it counts and samples.
. /tests/clients/lib.sh
paranoid -1

value() { awk -F, -v e="$1" '$3 == e { print $1; exit }' "$err"; }

# Beats of 1 ms: as many as there were milliseconds of running, give or take.
near() {
	awk -v n="$1" -v ms="$2" 'BEGIN { exit !(n > ms / 2 && n < ms * 2 + 5) }'
}

dd if=/dev/zero of=blob bs=1M count=8 2>/dev/null
works "perf stat -e example/ticks/" perf stat -x, \
	-e example/ticks/,example/ticks/u,task-clock busybox md5sum blob
ok "one beat each millisecond" \
	near "$(value example/ticks/)" "$(value task-clock)"
ok "those of user mode are some of them" \
	test "$(value example/ticks/u)" -le "$(value example/ticks/)"
run perf stat -e example/event=2/ true
ok "an unknown config is not supported" err_has "not supported"
works "perf record -e example/ticks/" \
	perf record -q -e example/ticks/ -c 1 -o data busybox md5sum blob
works "perf report" perf report -i data --stdio --sort dso
ok "it has samples of the program" has "busybox"
