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
