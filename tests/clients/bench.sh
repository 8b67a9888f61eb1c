# SPDX-License-Identifier: MIT
# tags: perf-bench
# timeout: 300
# perf's own benchmarks run to their end.
. /tests/clients/lib.sh

works "sched pipe" perf bench sched pipe -l 5000
works "sched messaging" perf bench sched messaging -g 1 -l 20
works "sched messaging, threads" perf bench sched messaging -t -g 1 -l 20
works "syscall basic" perf bench syscall basic -l 100000
works "mem memcpy" perf bench mem memcpy -s 1MB
works "mem memset" perf bench mem memset -s 1MB
works "futex hash" perf bench futex hash -r 1
works "futex wake" perf bench futex wake
works "epoll wait" perf bench epoll wait -r 1
works "futex wake-parallel" perf bench futex wake-parallel -t 4 -w 2
works "futex requeue" perf bench futex requeue -t 4
works "futex lock-pi" perf bench futex lock-pi -r 1 -t 4
works "epoll ctl" perf bench epoll ctl -r 1 -t 2
works "mem find_bit" perf bench mem find_bit -i 1 -j 1
works "internals synthesize" perf bench internals synthesize -i 2 -I 2
works "internals kallsyms-parse" perf bench internals kallsyms-parse -i 1
works "internals inject-build-id" perf bench internals inject-build-id \
	-i 1 -m 10 -n 10
works "breakpoint thread" perf bench breakpoint thread -p 2 -t 2
works "breakpoint enable" perf bench breakpoint enable -p 1 -a 1
