# SPDX-License-Identifier: MIT
# only: tags
# tags: big
# timeout: 400
# The function tracers by their clients: perf ftrace and trace-cmd.
. /tests/clients/lib.sh
export HOME=$T_DIR
t=/sys/kernel/tracing
f=$(grep -m1 -E '^(__arm64_)?sys_read$' $t/available_filter_functions)
ok "the function is there" [ -n "$f" ]

works "perf ftrace -T" perf ftrace -T $f -- cat /proc/version
ok "the program's own output" has '^Linux version '
ok "the header" has '^# tracer: function$'
ok "a call and its caller" has \
	" cat-[0-9]+ +\[00[0-9]\] +[0-9]+\.[0-9]{6}: $f <-[a-z_0-9.]+$"
ok "of that program alone" [ "$(count '<-')" = "$(count ' (cat|<...>|perf)-')" ]
works "perf ftrace -G" perf ftrace -G $f -- cat /proc/version
ok "its header" has '^# tracer: function_graph$'
ok "its columns" has '^# CPU  DURATION                  FUNCTION CALLS$'
ok "calls that call" has "^ [0-9]+\)  [ ]+\|  $f\(\) \{$"
ok "what they call" has '^ [0-9]+\)[ +!#*@$]+[0-9.]+ us +\|    [ ]*[a-z_0-9.]+\(\);$'
ok "their ends" has '^ [0-9]+\)[ +!#*@$]+[0-9.]+ us +\|  \}'
works "perf ftrace --graph-opts depth" \
	perf ftrace -G $f --graph-opts depth=1 -- cat /proc/version
ok "nothing inside" lacks 'us +\|    '
ok "the call itself" has "us +\|  $f\(\);$"
works "perf ftrace --func-opts" \
	perf ftrace -t function -T $f --func-opts call-graph,irq-info \
	-- cat /proc/version
ok "stacks" has '^ => '
ok "flags" has '\] [d.][N.][hz.][0-9a-f.]. '
works "perf ftrace latency" perf ftrace latency -T $f -- cat /proc/version
ok "a histogram" has '^#   DURATION     \|      COUNT \| GRAPH'
ok "of some calls" awk -F'|' '/us|ms/ { n += $2 } END { exit !n }' "$out"
works "perf ftrace -F" perf ftrace -F "*$f*"
ok "that function" has "^$f$"
ok "what was set is put back" [ "$(cat $t/current_tracer)" = nop ]
ok "filters, too" grep -q '^#### all functions enabled' $t/set_ftrace_filter

works "trace-cmd record -p function" \
	trace-cmd record -p function -l $f cat /proc/version
works "trace-cmd report" trace-cmd report
ok "calls" has " cat-[0-9]+ .* function: +$f"
works "trace-cmd record -p function_graph" \
	trace-cmd record -p function_graph -g $f --max-graph-depth 2 \
	cat /proc/version
works "its report" trace-cmd report
ok "a call" has " cat-[0-9]+ .* funcgraph_entry: +\|  $f\(\) \{"
ok "what it calls" has ' funcgraph_entry: .* us +\|    [a-z_0-9.]+\(\);'
ok "its end" has ' funcgraph_exit: .* us +\|  \}'
works "trace-cmd list -t" trace-cmd list -t
ok "tracers" has 'function_graph function nop'
works "trace-cmd list -f" trace-cmd list -f "^$f$"
ok "functions" has "^$f$"
