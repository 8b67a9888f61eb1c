# SPDX-License-Identifier: MIT
# Drive an interactive session on the console; sourced by the other scripts.
# KERNEL in the environment is the kernel to boot.

set count 0
set failed 0
set kernel build/arm64/Image
if {[info exists env(KERNEL)]} { set kernel $env(KERNEL) }
log_user 0
# The whole session, for who looks into a failure.
log_file -a -noappend build/tests/console-[file rootname [file tail $argv0]].log

proc start {args} {
	global kernel spawn_id
	eval spawn scripts/run-qemu --interactive --kernel $kernel $args
	set spawn_id $spawn_id
}

proc result {good what} {
	global count failed
	incr count
	if {$good} {
		puts "ok $count - $what"
	} else {
		puts "not ok $count - $what"
		incr failed
	}
}

# One result: PATTERN (a glob) is seen within the time.
proc see {what pattern {seconds 120}} {
	set timeout $seconds
	global spawn_id
	expect {
		-ex $pattern { result 1 $what; return 1 }
		timeout { result 0 "$what (timeout)" }
		eof { result 0 "$what (the machine ended)" }
	}
	return 0
}

# Send a line.  The echo is told from the answer by quotes in the line.
proc line {text} {
	global spawn_id
	send -- "$text\r"
}

# Power off, and one result: QEMU ends.
proc finish {} {
	global spawn_id count failed
	set timeout 120
	line "poweroff -f"
	expect {
		eof { result 1 "power off" }
		timeout { result 0 "power off"; exec kill [exp_pid] }
	}
	catch wait
	puts "1..$count"
	exit [expr {$failed != 0}]
}
