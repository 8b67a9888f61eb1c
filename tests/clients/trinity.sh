# SPDX-License-Identifier: MIT
# only: tags
# tags: big debug-big
# timeout: 1200
# trinity opens events at random, as nobody: the kernel complains of nothing
# (the row fails if it does) and has its memory back.
. /tests/clients/lib.sh

mkdir files
chmod 777 . files

# Sockets: it takes families by dozens for granted.
# By the whole path: the shell has a smaller setpriv inside.
fuzz() {
	run sh -c "cd files && exec /usr/bin/setpriv --reuid=65534 --regid=65534 \
		--clear-groups trinity -q -l off \
		--disable-fds=sockets -C 2 -c perf_event_open $*"
}
# Free memory in KiB, with what is only cached dropped.
free_kb() {
	echo 3 >/proc/sys/vm/drop_caches
	awk '/^MemFree/ { print $2 }' /proc/meminfo
} 2>/dev/null

for level in 3 1 -1; do
	paranoid $level
	fuzz -N 500
	rm -rf files/*
	before=$(free_kb)
	fuzz -N 20000
	ok "20000 calls, paranoid $level" [ $rc = 0 ]
	ok "  are made" has 'Ran 20[0-9]{3} syscalls'
	rm -rf files/*
	lost=0
	for i in $(seq 60); do
		lost=$((before - $(free_kb)))
		[ $lost -gt 2048 ] || break
		sleep 0.5
	done
	ok "  memory is back ($lost KiB less)" [ $lost -le 2048 ]
done
