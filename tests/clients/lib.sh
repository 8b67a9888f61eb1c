# SPDX-License-Identifier: MIT
# Checks for the client tests: sourced by each, in the guest, by sh.
#
#   run CMD...         run it; output in $out, errors in $err, status in $rc
#   ok WHAT CMD...     one result: CMD (a test) succeeds
#   works WHAT CMD...  run, and one result: status 0
#   has PATTERN        last run's output matches the extended expression
#   err_has PATTERN    the same for its errors
#   lacks PATTERN      output does not match
#
# A test works in a folder of its own under /tmp; $T_BIN has the programs of
# tests/guest.

T_N=0
T_BAD=0
T_DIR=$(mktemp -d /tmp/t.XXXXXX)
T_BIN=/tests/bin
cd "$T_DIR" || exit 1
out=$T_DIR/.out err=$T_DIR/.err rc=0
trap 'cd /; rm -rf "$T_DIR"; echo "1..$T_N"; exit $((T_BAD != 0))' EXIT

run() {
	"$@" >"$out" 2>"$err" </dev/null
	rc=$?
}

show() {
	echo "# status $rc; errors:"
	tail -n 12 "$err" 2>/dev/null | sed 's/^/# /'
	echo "# output:"
	tail -n 20 "$out" 2>/dev/null | sed 's/^/# /'
}

result() {
	T_N=$((T_N + 1))
	if [ "$1" = 0 ]; then
		echo "ok $T_N - $2"
	else
		echo "not ok $T_N - $2"
		T_BAD=$((T_BAD + 1))
		show
	fi
}

ok() {
	t_what=$1
	shift
	"$@"
	result $? "$t_what"
}

works() {
	t_what=$1
	shift
	run "$@"
	result $rc "$t_what"
}

has() { grep -Eq -- "$1" "$out"; }
err_has() { grep -Eq -- "$1" "$err"; }
lacks() { ! grep -Eq -- "$1" "$out"; }
# count PATTERN FILE: number of matching lines
count() { grep -Ec -- "$1" "${2:-$out}"; }
skip() {
	T_N=$((T_N + 1))
	echo "ok $T_N - $1 # SKIP $2"
}
paranoid() { echo "$1" >/proc/sys/kernel/perf_event_paranoid; }
# One of perf's own tests, by its number: all of it has to pass.
perf_test() {
	run perf test $1
	cat "$err" >>"$out"
	name=$(sed -n "s/^ *$1: \([^:]*[^ :]\) *:.*/\1/p" "$out")
	ok "perf test $1: $name" sh -c "grep -q ': Ok' $out &&
		! grep -qE 'FAILED|Skip' $out"
}
