# SPDX-License-Identifier: MIT
# What tests/guestrun.py makes of fact programs that end early: one failed line,
# however many facts are missing.
cd "$(dirname "$0")/../.." || exit 1
PYTHONPATH=tests exec python3 - <<'EOF'
import sys

import guestrun

guestrun.known_facts = lambda name: {f"fact {i}": "ok" for i in range(1000)}
told = 0
bad = 0


def failures(why=None, status=None, answered=500, half=True, answer="ok"):
    """The failed lines of a program that told so many facts."""
    o = guestrun.Outcome("guest/none")
    o.why, o.status = why, status
    o.lines = [f"ok {i} - fact {i} = {answer}" for i in range(answered)]
    if half:
        o.lines.append(f"ok {answered} - fact {answered} = o")
    return [what for good, what in o.results() if not good]


def check(good, what):
    global told, bad
    told += 1
    bad += not good
    print(f"{'ok' if good else 'not ok'} {told} - {what}")


check(failures(why="the kernel panicked") ==
      ["the kernel panicked; 500 facts without an answer, the first: "
       "fact 500"], "a panic is one line")
check(len(failures(status=137)) == 1, "a program over its time is one line")
check(len(failures(answered=0, half=False)) == 1,
      "a program that did not run is one line")
check(len(failures(status=1, half=False)) == 1,
      "a program that ended early is one line")
check(len(failures(status=0, half=False, answered=1000)) == 0,
      "all facts are none")
check(len(failures(status=0, half=False, answered=1000, answer="x")) == 1000,
      "each wrong answer is a line")
print(f"1..{told}")
sys.exit(bad != 0)
EOF
