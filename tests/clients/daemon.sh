# SPDX-License-Identifier: MIT
# timeout: 240
# perf daemon: sessions that run on their own, over a local socket.
. /tests/clients/lib.sh
paranoid -1

mkdir base
cat >conf <<X
[daemon]
base=$T_DIR/base
[session-one]
run = -e cpu-clock -a -m 8
[session-two]
run = -e page-faults -a -m 8
X
# Wait until the last command's output matches.
until_has() {
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		run perf daemon --config conf
		has "$1" && return 0
		sleep 1
	done
	return 1
}
works "start" perf daemon start --config conf
ok "the daemon is listed" until_has '^\[[0-9]+:daemon\]'
ok "session one" until_has '^\[[0-9]+:one\]'
ok "session two" until_has '^\[[0-9]+:two\]'
works "verbose" perf daemon -v --config conf
ok "files of a session" has 'one/control$'
works "ping" perf daemon ping --config conf
ok "both answer" [ "$(count '^OK ')" = 2 ]
works "ping one" perf daemon ping --session one --config conf
ok "it answers" [ "$(count '^OK ')" = 1 ]
works "signal" perf daemon signal --config conf
ok "signals are sent" [ "$(count '^signal 12 sent to session')" = 2 ]
run perf daemon start --config conf
ok "a second one is refused" err_has 'another perf daemon .* owns'
grep -v two conf | grep -v page-faults >conf.new
cat conf.new >conf
ok "the change of its file is seen" sh -c '
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		perf daemon --config conf | grep -q :two || exit 0
		sleep 1
	done
	exit 1'
works "stop" perf daemon stop --config conf
ok "it is gone" sh -c '
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		perf daemon --config conf 2>/dev/null | grep -q . || exit 0
		sleep 1
	done
	exit 1'
