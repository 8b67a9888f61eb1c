# SPDX-License-Identifier: MIT
# perf probe: places in the kernel and in programs, their lists, counts and
# records; what tracefs says of them.
# timeout: 240
. "$(dirname "$0")/lib.sh"

T=/sys/kernel/tracing
[ -e $T/kprobe_events ] || mount -t tracefs nodev $T

# The function behind getppid(2), which nobody else calls in the meantime.
F=$(sed -n 's/^[0-9a-f]* [tT] \(\(__arm64_\)\?sys_getppid\)$/\1/p' \
	/proc/kallsyms | head -n 1)
ok "there is a function to probe" [ -n "$F" ]

works "a kernel function" perf probe -q --add "called=$F"
works "its return" perf probe -q --add "back=$F%return \$retval"
works "the list" perf probe -l
ok "the list names both" has 'probe:called .*'"$F"
ok "kprobe_events has them" grep -q '^p:probe/called ' $T/kprobe_events
ok "and the return" grep -q '^r[0-9]*:probe/back.* arg1=\$retval' \
	$T/kprobe_events

works "counts" perf stat -x, -e probe:called,probe:back__return \
	sh -c 'i=0; while [ $i -lt 3 ]; do sh -c true; i=$((i+1)); done'
run perf stat -x, -e probe:called perf --version
works "records" perf record -q -e probe:called -e probe:back__return -a \
	-o p.data -- sh -c 'echo $PPID; sh -c "exit 0"'
works "script" perf script -i p.data
ok "probes show where they are" has 'probe:called: \([0-9a-f]+\)'
ok "returns show both ends" \
	has 'probe:back__return: \([0-9a-f]+ <- [0-9a-f]+\) arg1=0x'
works "removal" perf probe -q -d 'probe:*'
ok "nothing is left" [ ! -s $T/kprobe_events ]

L=/lib/aarch64-linux-gnu/libc.so.6
works "a library function" perf probe -q -x $L --add malloc
works "its return" perf probe -q -x $L --add 'got=malloc%return $retval'
ok "uprobe_events has them" grep -q "^p:probe_libc/malloc /.*libc.so.6:0x" \
	$T/uprobe_events
works "records of a program" perf record -q -e probe_libc:malloc \
	-e probe_libc:got__return -o u.data perf --version
works "script of it" perf script -i u.data
ok "many calls" [ "$(grep -c probe_libc:malloc: "$out")" -gt 20 ]
ok "as many returns" [ "$(grep -c probe_libc:malloc: "$out")" -eq \
	"$(grep -c probe_libc:got__return: "$out")" ]
works "removal" perf probe -q -d 'probe_libc:*'
ok "nothing is left" [ ! -s $T/uprobe_events ]

# Arguments of every kind.
echo "p:t/args $F a=%x0 b=\$stack c=\$comm d=\\7:u8 e=\\\"text\" f=+0(\$stack):x32 g=%pc:symbol" \
	>>$T/kprobe_events
ok "a definition" grep -q '^p:t/args ' $T/dynamic_events
works "records of it" perf record -q -e t:args -o a.data -a \
	-- sh -c 'echo $PPID; sh -c "exit 0"'
works "script of it" perf script -i a.data
ok "the arguments" has 't:args: .* c="?[a-z]+"? d=7 e="?text"? f=0x'
ok "the profile counts" [ "$(awk '$1 == "args" { print $2 }' \
	$T/kprobe_profile)" -gt 0 ]
run sh -c "echo 'p:t/args $F %zz' >>$T/kprobe_events"
ok "a bad one is refused" [ "$rc" != 0 ]
ok "and explained" grep -q 'Invalid register name' $T/error_log
ok "one is removed by name" sh -c "echo '-:t/args' >>$T/kprobe_events"
ok "nothing is left" [ ! -s $T/kprobe_events ]

# Records tell of the probed code, not of how a probe is made.
t=/sys/kernel/tracing
echo "p:at_entry $F" >$t/kprobe_events
echo "r:at_return $F" >>$t/kprobe_events
echo 1 >$t/events/kprobes/enable
perf bench syscall basic -l 3 >/dev/null 2>&1
echo 0 >$t/events/kprobes/enable
cp $t/trace "$out"
ok "a breakpoint masks interrupts" has '\] d[N.]\.[.0-9]\. .* at_entry: '
ok "a return is seen without one" has '\] \.[N.]\.[.0-9]\. .* at_return: '
echo >$t/kprobe_events
