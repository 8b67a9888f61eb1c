# SPDX-License-Identifier: MIT
# A panic says what happened, ends QEMU, and with a failing status.
kernel=${KERNEL:-build/arm64/Image}
n=0 bad=0
check() {
	n=$((n + 1))
	if eval "$2"; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		bad=1
		tail -n 30 "$log"
	fi
}
log=$(mktemp)
initrd=$(mktemp)
trap 'rm -f "$log" "$initrd"' EXIT

# An archive in which there is no init.
scripts/mkrootfs none "$initrd" --add LICENSE=licence
scripts/run-qemu --kernel "$kernel" --loud --timeout 60 --initrd "$initrd" \
	--mem 256M >"$log" 2>&1
rc=$?
check "QEMU ends with the status of a panic ($rc)" '[ $rc = 125 ]'
check "the reason is printed" 'grep -q "Kernel panic: " "$log"'
check "a stack is printed" 'grep -q "call trace:" "$log"'
check "and the last events" 'grep -q "The last events of this CPU" "$log"'
check "with names" 'grep -Eq "^.* [a-z_0-9]+\+0x[0-9a-f]+/0x[0-9a-f]+" "$log"'

# The first process ends.
scripts/run-qemu --kernel "$kernel" --loud --timeout 60 --initrd busybox \
	--mem 256M --append rdinit=/bin/true >"$log" 2>&1
rc=$?
check "init's end is a panic ($rc)" '[ $rc = 125 ]'
check "and says so" 'grep -q "Attempted to kill init" "$log"'

# The same with a probe wherever one may be: a panic runs through many.
make --no-print-directory -s -C tests/guest
scripts/run-qemu --kernel "$kernel" --loud --timeout 300 --initrd busybox \
	--mem 512M --add build/tests/guest/probe_storm=init-probes \
	--append rdinit=/init-probes >"$log" 2>&1
rc=$?
check "the probes are placed" 'grep -Eq "[0-9]{4} probes are placed" "$log"'
check "with them, a panic ends QEMU ($rc)" '[ $rc = 125 ]'
check "it says why" 'grep -q "Kernel panic: Attempted to kill init" "$log"'
check "and all of it" 'grep -q "end of panic: Attempted to kill init" "$log"'
check "and is the only one" '! grep -q "Panic in the panic" "$log"'
echo "1..$n"
exit $bad
