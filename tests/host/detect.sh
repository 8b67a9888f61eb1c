# SPDX-License-Identifier: MIT
# Every detector fires on a planted fault: `provoke=NAME` commits one at the
# end of boot, and the report has to say what it was, in which function, with
# registers and the locks held, and to end QEMU with the status of a panic.
#
# debug NAME WORDS [WHERE]: in the debug configuration; WORDS is an extended
# regular expression for the line of the panic, WHERE what names the culprit
# (a frame of the stack, unless said otherwise).  release: with the release
# configuration and planted faults.
#
#   tests/host/detect.sh [NAME...]     only these
only=" $* "
n=0 bad=0
log=$(mktemp)
initrd=$(mktemp)
trap 'rm -f "$log" "$initrd"' EXIT

kernel_of() {
	echo "build/arm64-$1/Image"
}
for config in debug provoke; do
	make --no-print-directory -j2 O=build/arm64-$config $config.config all \
		>"$log" 2>&1 || { cat "$log"; exit 1; }
done
# Nothing to run: the faults come before the first program.
scripts/mkrootfs none "$initrd" --add LICENSE=licence

result() {
	n=$((n + 1))
	if [ "$2" = 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		bad=1
		why="$why; $1"
	fi
}

wanted() {
	[ "$only" = "  " ] || case $only in *" $1 "*) ;; *) false ;; esac
}

boot() {
	local config=$1 name=$2
	shift 2
	scripts/run-qemu --kernel "$(kernel_of $config)" --loud --timeout 100 \
		--initrd "${root:-$initrd}" --mem 256M \
		--append "provoke=$name $more" "$@" >"$log" 2>&1
	status=$?
}

has() {
	local rc=1
	grep -Eq -- "$2" "$log" && rc=0
	result "$1" $rc
}

# CONFIG NAME WORDS WHERE [ARGUMENT OF QEMU...]
fires() {
	local config=$1 name=$2 words=$3 where=$4
	shift 4
	why=
	boot $config $name "$@"
	result "$config, $name: QEMU ends with the status of a panic" \
		$((status != 125))
	has "$config, $name: it says what happened" "Kernel panic: .*$words"
	has "$config, $name: and where" "$where"
	has "$config, $name: with registers" "x29: [0-9a-f]{16} x28: [0-9a-f]{16}"
	has "$config, $name: a stack, and an end" "call trace:"
	[ -z "$why" ] || tail -n 70 "$log"
}

debug() {
	local name=$1 words=$2 where=${3:-}
	shift $(($# < 3 ? $# : 3))
	wanted $name || return
	fires debug $name "$words" \
		"${where:- \[<[0-9a-f]+>\] provoke_${name//-/_}\\+}" "$@"
}

release() {
	local name=$1 words=$2 where=${3:-}
	wanted $name || return
	fires provoke $name "$words" \
		"${where:- \[<[0-9a-f]+>\] provoke_${name//-/_}\\+}"
}

debug panic "provoked"
debug check "check failed: OPAQUE\\(1\\) == 2 at kernel/debug/provoke.c:"
debug assert "check failed: OPAQUE\\(1\\) == 2 at kernel/debug/provoke.c:"
debug null "kernel fault at 0000000000000000, syndrome 96"
debug lock-order "lock rank: out of order: taking LOCK_RANK_FILES .*RECLAIM" \
	"holds spin lock LOCK_RANK_RECLAIM .*, taken at provoke_lock_order\\+"
debug lock-twice "lock rank: taken twice: taking LOCK_RANK_SYSFS" \
	"holds lock LOCK_RANK_SYSFS .*, taken at provoke_lock_twice\\+"
debug lock-unheld "lock rank: LOCK_RANK_FILES .* is let go but not held here"
debug lock-irq "lock rank: LOCK_RANK_FILES .* in interrupts and .* with interrupts on" \
	" \\[<[0-9a-f]+>\\] provoke_lock_in_timer\\+"
debug mutex-in-spin "sleeping" \
	"holds spin lock LOCK_RANK_FILES .*taken at provoke_mutex_in_spin\\+"
debug sleep "sleeping where nothing may sleep: preempt count 0x1"
debug list "list_del: .*entry"
debug list-twice "list_add: .*entry"
debug red-zone "slab .*: written past its end: .*offset 20, byte 01"
debug double-free "slab .*: freed twice: .*last by provoke_double_free\\+"
debug use-after-free "slab .*: written after free: .*offset 5, byte 01"
debug read-after-free "kernel fault at 6b6b6b6b6b6b6b6b|kernel fault at 006b6b"
debug page-after-free "page .* was written after free: offset 96 is 6b6b6b01"
debug stack-overflow "kernel stack overflow, fault address ffff8" \
	" \\[<[0-9a-f]+>\\] provoke_recursion\\+"
debug write-text "kernel fault at ffff8.*, syndrome 9600004f"
debug write-rodata "kernel fault at ffff8.*, syndrome 9600004f"
debug exec-data "kernel fault at ffff8.*, syndrome 8600000f" \
	"lr : provoke_exec_data\\+"
debug map-wx "check failed: .*PTE_EXEC.* at kernel/mm/vmalloc.c:"
# Sixty seconds, of a microsecond an instruction.
debug lockup "soft lockup: CPU 0 stuck for 6[0-9] s" "" --icount 10
if wanted lockup; then
	has "lockup: the stacks were printed after 30 s" \
		"soft lockup: CPU 0 stuck for 3[0-9] s"
fi
# Its interrupts are masked: the other CPU tells, and cannot stop it.
debug lockup-irq "soft lockup: CPU . stuck for 6[0-9] s" \
	"1 CPUs did not stop" --icount 10 --smp 2
more=panic_on_warn
debug warn "panic_on_warn"
debug ubsan "panic_on_warn" "UBSAN: addition overflows at kernel/debug/provoke.c:"
more=

# Found on the way to the first program.
root=busybox
debug lock-to-user "lock rank: return to user mode with 1 sleeping locks" \
	"holds lock LOCK_RANK_FILE_POS .*, taken at provoke_lock_to_user\\+"
root=

release panic "provoked"
release check "check failed: OPAQUE\\(1\\) == 2 at kernel/debug/provoke.c:"
release null "kernel fault at 0000000000000000, syndrome 96"
release stack-overflow "kernel stack overflow, fault address ffff8" \
	" \\[<[0-9a-f]+>\\] provoke_recursion\\+"
release write-text "kernel fault at ffff8.*, syndrome 9600004f"
release exec-data "kernel fault at ffff8.*, syndrome 8600000f" \
	"lr : provoke_exec_data\\+"

# The unit tests that run inside the kernel, that of the last switch too.
if wanted ktest; then
	why=
	more=ktest
	boot debug none
	has "ktest: all unit tests pass in the kernel" " [1-9][0-9]* passed, 0 failed"
	has "ktest: a preempted task is not dead" "ok .* preempted_before_last_switch"
	[ -z "$why" ] || tail -n 60 "$log"
fi
echo "1..$n"
exit $bad
