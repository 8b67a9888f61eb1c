# SPDX-License-Identifier: MIT
# only: tags
# tags: big
# timeout: 400
# perf's own tests that need objdump, python, bash, coreutils or tracepoints.
. /tests/clients/lib.sh
paranoid -1
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent

for n in 2 3 8 15 16 19 26 35 51 94 95 96 97; do
	perf_test $n
done
