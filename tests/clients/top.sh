# SPDX-License-Identifier: MIT
# timeout: 240
# perf top, which shows while it records, and its options.
. /tests/clients/lib.sh
paranoid -1
echo 0 >/proc/sys/kernel/kptr_restrict
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
work=$T_BIN/work
# perf may have ended before it is told to.
trap '' PIPE

$work spin 600000 &
pid=$!
trap 'kill $pid; cd /; rm -rf "$T_DIR"; echo "1..$T_N"
	exit $((T_BAD != 0))' EXIT

# top PATTERN OPTION...: until it shows the pattern, then q is pressed.
top() {
	pattern=$1
	shift
	rm -f keys
	mkfifo keys
	perf top --stdio -d 1 -e cpu-clock "$@" <keys >shown 2>errors &
	top_pid=$!
	exec 9>keys
	for i in $(seq 60); do
		grep -Eq -- "$pattern" shown && break
		kill -0 $top_pid 2>/dev/null || break
		sleep 1
	done
	echo q >&9
	wait $top_pid
	rc=$?
	exec 9>&-
	cp shown "$out"
	cp errors "$err"
	ok "top $*" [ $rc = 0 ]
	ok "  shows $pattern" has "$pattern"
}

# An entry of its table; the line above has percentages as well.
any='^ *[0-9.]+%  '
mine="${any}.*hot_small"
top "$mine" -p $pid
top "$mine" -t $pid
top "$mine" -a
top "$any" -C 0 -F 500
top "$any" -c 1000000 -m 8
top "$any" --call-graph fp -p $pid
top "$any" -g --namespaces -p $pid
top "$any" --overwrite --no-inherit
top "$mine" -K -p $pid
top "${any}.*\[k\]" -U -a
ok "  and no program" lacks hot_small
top "${any}.*work" -z --sort comm
run perf top --stdio -e nosuch
ok "an event that is not there is refused" [ $rc != 0 ]
run perf top --stdio -p 99999
ok "nobody is refused" [ $rc != 0 ]
