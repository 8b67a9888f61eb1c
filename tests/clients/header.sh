# SPDX-License-Identifier: MIT
# tags: not-no-pmu
# timeout: 120
# What the header of perf.data tells about the machine, and the kernel's own
# memory as a file that perf reads code from.
. /tests/clients/lib.sh
paranoid -1
echo 0 >/proc/sys/kernel/kptr_restrict

works "record" perf record -a -o a.data -- busybox find /sys /usr -maxdepth 3
works "header" perf report --header-only -I -i a.data
blocks=$(ls -d /sys/devices/system/memory/memory[0-9]* | wc -l)
ok "the memory's blocks ($blocks)" has '^# memory nodes \(nr 1, block size 0x8000000\)'
ok "which they are" has "^# +0 \[.*\]: 8-$((blocks + 7))\$"
ok "the node" has '^# node0 cpu list : 0-'
ok "sockets" has '^# sibling sockets : 0-'
ok "the PMU" has '^# pmu mappings: .*armv8_pmuv3 = 8'
ok "kcore has a size" sh -c 'test $(stat -c %s /proc/kcore) -gt 1000000000'
works "report" perf report -i a.data --stdio --sort sym
works "build ids" perf buildid-list -H -i a.data
ok "symbols of the kernel come with its code" has '/proc/kcore$'
works "a copy of the kernel's code" perf buildid-cache -k /proc/kcore
ok "is made" sh -c 'ls -R $HOME/.debug | grep -q "^kcore$"'
