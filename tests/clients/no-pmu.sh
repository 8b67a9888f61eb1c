# SPDX-License-Identifier: MIT
# only: tags
# tags: no-pmu
# A machine without a PMU.
. /tests/clients/lib.sh
paranoid -1

works "stat true" perf stat true
ok "cycles are not supported" err_has '<not supported> +cycles'
works "record falls back" perf record -o a.data -- $T_BIN/work share 100
works "evlist" perf evlist -i a.data
ok "to cpu-clock" has 'cpu-clock'
works "report" perf report -i a.data --stdio
ok "with samples" has '^# Samples: [1-9]'
