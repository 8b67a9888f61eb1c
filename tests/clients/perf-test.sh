# SPDX-License-Identifier: MIT
# tags: not-no-pmu
# timeout: 400
# perf's own tests: those that pass on the reference with this root and need
# neither tracepoints nor probes.
. /tests/clients/lib.sh
paranoid -1
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent

for n in 5 7 9 10 11 12 13 14 18 22 23 27 28 29 30 31 32 33 34 36 37 38 39 \
	41 43 44 45 46 47 48 49 50 52 53 55 56 57 59 60 61 62 64 65 66 67 68 \
	70 71; do
	perf_test $n
done
