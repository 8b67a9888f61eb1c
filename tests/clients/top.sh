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

# top OPTION...: until it has shown something, then q is pressed
top() {
	rm -f keys
	mkfifo keys
	perf top --stdio -d 1 -e cpu-clock "$@" <keys >shown 2>errors &
	top_pid=$!
	exec 9>keys
	for i in $(seq 60); do
		grep -q '[0-9]%' shown && break
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
	ok "  shows samples" has '[0-9]%'
}

top -p $pid
ok "  of the target's function" has hot_small
top -t $pid
ok "  of the target's function" has hot_small
top -a
ok "  of the target's function" has hot_small
top -C 0
top -F 500
top -c 1000000
top -m 8
top --call-graph fp -p $pid
top -g -p $pid
top --overwrite
top --namespaces
top --no-inherit
top -K -p $pid
ok "  of the target's function" has hot_small
top -U -a
ok "  of no program" lacks hot_small
top -z --sort comm
ok "  by name" has work
run perf top --stdio -e nosuch
ok "an event that is not there is refused" [ $rc != 0 ]
run perf top --stdio -p 99999
ok "nobody is refused" [ $rc != 0 ]
