# SPDX-License-Identifier: MIT
# perf probe with debug information: variables, lines and arguments of this
# kernel and of a program, markers with a counter.
# only: tags
# tags: big
# timeout: 300
# files: elf kernel/fs/pipe.c tests/guest/probed.c
. "$(dirname "$0")/lib.sh"
paranoid -1
T=/sys/kernel/tracing
K=/tests/files/sonde.elf
P=$T_BIN/probed

# The reference has no debug information of its own here.
if [ -e $K ]; then
	S=/tests/files
	works "variables of a kernel function" perf probe -k $K -V pipe_write
	ok "its arguments" has 'struct uio\*[[:space:]]+from'
	works "its lines" perf probe -k $K -s $S -L pipe_write:0-10
	ok "the source beside them" \
		has ' 0  static ssize_t pipe_write\(struct file \*f'
	works "a line in it" perf probe -q -k $K \
		--add 'line=pipe_write:8 f->flags:x32'
	works "named arguments" perf probe -q -k $K \
		--add 'entry=pipe_write from->left pos'
	works "a return" perf probe -q -k $K --add 'end=pipe_write%return $retval'
	works "the list" perf probe -k $K -l
	ok "it knows the line" has 'probe:line .*\(on pipe_write:8@.*pipe.c'
	ok "and the arguments" has 'probe:entry .*with left pos'
	works "records" perf record -q -a -e 'probe:*' -o k.data \
		-- sh -c 'echo hello | cat'
	works "script" perf script -i k.data
	ok "what was written, and where" has 'probe:entry: .* left=0x6 pos=0x0'
	ok "the line is executed" has 'probe:line: \([0-9a-f]+\) flags=0x'
	ok "the answer" has 'probe:end__return: \([0-9a-f]+ <- .* arg1=0x6'
	works "removal" perf probe -q -d 'probe:*'
	run perf probe -q -k $K --add 'kprobe_hit'
	ok "the engine itself is refused" [ $rc != 0 ]
fi

works "variables of a program" perf probe -x $P -V weigh
ok "its arguments" has 'struct item\*[[:space:]]+item'
works "its lines" perf probe -x $P -s /tests/files -L weigh
ok "the source beside them" has ' 0  long weigh\(const struct item \*item'
works "named arguments" perf probe -q -x $P \
	--add 'entry=weigh count item->grams name=item->name:string'
works "a line" perf probe -q -x $P --add 'step=weigh:6 total'
works "a return" perf probe -q -x $P --add 'end=weigh%return $retval'
works "the list" perf probe -l
ok "it knows the line" has 'probe_probed:step .*\(on weigh:6@.*probed.c'
works "records" perf record -q -e 'probe_probed:*' -o u.data $P 3
works "script" perf script -i u.data
ok "the arguments" \
	has 'probe_probed:entry: .* count=2 grams=100 name="apple"'
ok "a line, once for each item" \
	[ "$(grep -c probe_probed:step: "$out")" = 6 ]
ok "the answer" has 'probe_probed:end__return: .* arg1=0x1f4'
works "removal" perf probe -q -d 'probe_probed:*'

works "markers of the program" perf buildid-cache --add $P
works "their list" perf list sdt
ok "it is in there" has 'sdt_sonde:weighed'
works "a marker" perf probe -q sdt_sonde:weighed
ok "with its counter" grep -q '^p:sdt_sonde/weighed .*(0x[0-9a-f]*)' \
	$T/uprobe_events
works "without an event" $P 3
ok "nobody wants it" has 'wanted 0 of 3'
works "records of it" perf record -q -e sdt_sonde:weighed -o m.data $P 3
ok "somebody wants it" has 'wanted 3 of 3'
works "script" perf script -i m.data
ok "its arguments" has 'sdt_sonde:weighed: .* arg1=3 arg2=750'
works "afterwards" $P 3
ok "nobody wants it" has 'wanted 0 of 3'
works "removal" perf probe -q -d 'sdt_sonde:*'
ok "nothing is left" sh -c "! cat $T/kprobe_events $T/uprobe_events | grep ."
