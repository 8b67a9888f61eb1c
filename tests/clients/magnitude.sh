# SPDX-License-Identifier: MIT
# only: tags
# tags: icount
# timeout: 400
# Magnitudes, where virtual time counts instructions.
. /tests/clients/lib.sh
paranoid -1
echo 0 >/proc/sys/kernel/kptr_restrict
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
work=$T_BIN/work
value() { awk -F, -v e="$1" '$3 == e { print $1; exit }' "$err"; }
near() { awk -v a="$1" -v b="$2" -v t="$3" \
	'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= t) }'; }
share() { awk -v s="$1" '$0 ~ s"( |$)" { sub("%", "", $1); print $1; exit }' \
	"$out"; }

# A round is 10 * 20000 loops of 4 instructions: 800,000.
works "instructions" perf stat -x, -e instructions:u $work share 20
a=$(value instructions:u)
works "twice the work" perf stat -x, -e instructions:u $work share 40
b=$(value instructions:u)
ok "20 rounds are 16 million instructions ($a, $b)" \
	near $((b - a)) 16000000 200000

# A period that no round is a multiple of: samples fall all over it.
works "-c 92821" perf record -c 92821 -e cycles:u -o a.data -- \
	$work share 50
n=$(perf script -i a.data -F ip 2>/dev/null | grep -c .)
run perf stat -x, -e cycles:u $work share 50
c=$(value cycles:u)
ok "as many samples as the period says ($n of $c)" \
	near "$n" $((c / 92821)) $((c / 2000000 + 3))
works "report" perf report -i a.data --stdio --sort symbol
for want in hot_large:60 hot_medium:30 hot_small:10; do
	f=${want%:*} s=$(share "${want%:*}")
	ok "$f has ${want#*:} % ($s)" near "${s:-0}" "${want#*:}" 5
done

works "cpu-clock" perf record -F 1000 -e cpu-clock:u -o b.data -- \
	$work share 300
works "report cpu-clock" perf report -i b.data --stdio --sort symbol
for want in hot_large:60 hot_medium:30 hot_small:10; do
	f=${want%:*} s=$(share "${want%:*}")
	ok "cpu-clock: $f has ${want#*:} % ($s)" near "${s:-0}" "${want#*:}" 5
done
