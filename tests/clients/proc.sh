# SPDX-License-Identifier: MIT
# What /proc tells about the machine's parts.
. /tests/clients/lib.sh

# cell FILE ROW: sum of the numbers of the rows that match
cell() {
	awk -v row="$2" '$0 ~ row { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++)
		n += $i } END { print n + 0 }' "$1"
}
cpus=$(grep -c ^processor /proc/cpuinfo)

run cat /proc/interrupts
ok "a column per CPU" has "^ +CPU0( +CPU[0-9]+){$((cpus - 1))} *\$"
ok "the timer is there" has '^ *[0-9]+: .*GICv[23] +27 Level +arch_timer$'
a=$(cell /proc/interrupts arch_timer)
$T_BIN/work share 100
sleep 0.1
b=$(cell /proc/interrupts arch_timer)
ok "and ticks ($a, $b)" [ "$b" -gt "$a" ]
ok "errors are counted" has '^Err: +0'
run cat /proc/softirqs
ok "kinds of soft interrupts" [ "$(count ':( +[0-9]+)+$')" = 10 ]
run cat /proc/devices
ok "memory devices" has '^  1 mem$'
ok "the controlling terminal" has '^  5 /dev/tty$'
ok "the console" has '^  5 /dev/console$'
ok "serial ports" has '^204 ttyAMA$'
ok "no block device comes first" has '^Block devices:$'
run cat /proc/consoles
ok "the system's console" has '^ttyAMA0 +-W- \(EC p a\) +204:64$'
run cat /proc/buddyinfo
ok "free blocks by order" has '^Node 0, zone +DMA( +[0-9]+){11} *$'
pages=$(awk '{ size = 1; for (i = 5; i <= NF; i++) { n += $i * size
	size *= 2 } } END { print n }' /proc/buddyinfo)
free=$(awk '/^MemFree/ { print $2 / 4 }' /proc/meminfo)
ok "most of the free memory ($pages of $free)" [ $((pages * 10)) -gt \
	$((free * 9)) ]
run cat /proc/iomem
ok "RAM" has '^40000000-[0-9a-f]+ : System RAM$'
ok "the kernel in it" has '^  4[0-9a-f]+-4[0-9a-f]+ : Kernel code$'
ok "and its data" has '^  4[0-9a-f]+-4[0-9a-f]+ : Kernel data$'
for f in misc diskstats partitions swaps modules; do
	works "$f" cat /proc/$f
done

run cat /proc/self/sched
ok "who it is" has '^cat \([0-9]+, #threads: 1\)$'
ok "its run time" has '^se.sum_exec_runtime +: +[0-9]+\.[0-9]{6}$'
ok "its priority" has '^prio +: +120$'
ok "an older scale of oom_score_adj" [ "$(sh -c 'echo 500 \
	>/proc/self/oom_score_adj; cat /proc/self/oom_adj')" = 8 ]
old=$(cat /proc/sys/kernel/hostname)
echo some.name >/proc/sys/kernel/hostname
ok "the host's name can be written" [ "$(uname -n)" = some.name ]
hostname "$old"
ok "and read" [ "$(cat /proc/sys/kernel/hostname)" = "$old" ]
