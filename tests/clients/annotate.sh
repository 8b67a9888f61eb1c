# SPDX-License-Identifier: MIT
# only: tags
# tags: big
# timeout: 180
# perf annotate, which needs objdump (of the kernel: /proc/kcore); and a
# day's work of bash and coreutils.
. /tests/clients/lib.sh
paranoid -1

works "record" perf record -e cpu-clock -o a.data -- $T_BIN/work share 200
works "annotate" perf annotate -i a.data --stdio -s hot_large
ok "instructions are shown" has '\badd\b'
ok "with their shares" has '^ +[1-9][0-9.]+ +'
works "record of the system" perf record -a -e cpu-clock -o k.data -- \
	find /sys /usr -maxdepth 3
sym=$(perf report -i k.data --stdio --sort sym 2>/dev/null |
	grep -m1 -o '\[k\] .*' | cut -c5-)
works "annotate $sym of the kernel" perf annotate -i k.data --stdio -s "$sym"
ok "its instructions" has '^ +[0-9.]+ +: +ffff[0-9a-f]+:'
ok "with their shares" has '^ +[1-9][0-9.]+ +:'
works "lsmem" lsmem
works "lscpu" lscpu
works "bash" bash -c 'a=(1 2 3); [[ ${#a[@]} = 3 ]] && echo <(true)'
works "sort of coreutils" sh -c 'seq 1 50000 | sort -R | sort -n | tail -n1'
works "tar" sh -c 'tar -cf - /usr/bin/perf | tar -tf -'
works "python" python3 -c 'import os; print(os.cpu_count())'
works "objdump" objdump -d /bin/true
works "grep" grep -c root /etc/passwd
works "find" find /usr/share -name '*.txt'
works "stress-ng" stress-ng --cpu 2 --timeout 2
works "ps" ps aux
