# SPDX-License-Identifier: MIT
# only: tags
# tags: big debug-big
# timeout: 300
# stress-ng: processors, memory, forks, switches, pipes and mappings at once,
# alone and while perf records all of it.
. /tests/clients/lib.sh
paranoid -1

all="--cpu 2 --vm 2 --fork 2 --switch 2 --pipe 2 --mmap 2 -t 5 --verify"
# Memory in proportion to the machine would be the time's.
all="$all --vm-bytes 64M --mmap-bytes 64M"

works "stress-ng" stress-ng $all
ok "it says so" sh -c "cat $out $err | grep -q 'successful run completed'"
ok "nothing failed" sh -c "! cat $out $err | grep -qE 'fail:|error:'"
works "perf record -a of it" perf record -q -a -g -F 500 -o p -- stress-ng $all
works "perf script of that" sh -c 'perf script --no-inline -i p | grep -c stress-ng'
works "perf stat of it" perf stat -a -e \
	cycles,task-clock,context-switches,page-faults stress-ng $all
ok "switches are counted" err_has '[1-9][0-9,]* +context-switches'
