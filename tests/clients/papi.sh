# SPDX-License-Identifier: MIT
# only: tags
# tags: big
# timeout: 200
# PAPI, a library that opens, groups, reads and resets events by itself.
. /tests/clients/lib.sh
paranoid -1

works "papi_avail" papi_avail
ok "its library does not know this CPU" has '^Number Hardware Counters : 0'
# The nearest that it knows: the event numbers of PMUv3 are the same.
export LIBPFM_FORCE_PMU=arm_ac57
works "papi_component_avail" papi_component_avail
ok "perf_event is active" has 'Native: 82, Preset: 21, Counters: 6'
works "papi_avail -a" papi_avail -a
ok "presets" has '^Of 21 available events, 2 are derived'
works "papi_avail -e PAPI_TOT_CYC" papi_avail -e PAPI_TOT_CYC
ok "is CPU_CYCLES" has 'CPU_CYCLES'
works "papi_native_avail" papi_native_avail
ok "native events" has '^Total events reported: [1-9]'

works "papi_cost" papi_cost -t 100
for what in loop PAPI_start/stop PAPI_read PAPI_read_ts PAPI_accum PAPI_reset; do
	ok "  of $what" has "^Total cost for $what.* over 100 iterations"
done

# counted EVENT: what papi_command_line says
counted() { sed -n "s/^$1 :[ \t]*\([0-9]*\).*/\1/p" "$out"; }
works "papi_command_line" papi_command_line PAPI_TOT_CYC
ok "cycles of its work ($(counted PAPI_TOT_CYC))" \
	[ "$(counted PAPI_TOT_CYC)" -gt 100000 ]
works "papi_command_line of three" papi_command_line CPU_CYCLES \
	CPU_CYCLES:u=1:k=0 SW_INCR
ok "cycles ($(counted CPU_CYCLES))" [ "$(counted CPU_CYCLES)" -gt 100000 ]
ok "what nobody counts" [ "$(counted SW_INCR)" = 0 ]
works "papi_command_line of what is not there" papi_command_line NO_SUCH
ok "it says so" has '^Failed adding: NO_SUCH'
