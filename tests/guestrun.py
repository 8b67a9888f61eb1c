# SPDX-License-Identifier: MIT
"""Run many tests in one boot.

The tests travel in an archive appended to the root: programs in /tests/bin,
client scripts in /tests/clients.  A driver script in the guest runs each in
turn between marks on the console; what stands between two marks is that
test's output.  A test that takes the kernel down or hangs it fails, and the
rest run in another boot.
"""
import os
import re
import select
import shutil
import signal
import subprocess
import time

MARK = re.compile(rb"^@@(BEGIN|END) (\S+)(?: (\d+))?@@\r?$")
FACT = re.compile(r"^(not ok|ok)\b\s*\d*\s*-\s*(.*) = (.*)$")
ANSWERS = "tests/conformance"
RESULT = re.compile(r"^(not ok|ok)\b\s*\d*\s*-?\s*(.*)$")
# What the kernel says when it has found a fault of its own and goes on. Lines
# of the kernel's log begin with a time; what a program prints does not.
SPLAT = re.compile(rb"\[ *\d+\.\d{6}\] (UBSAN: .*|WARNING: .*|"
                   rb"soft lockup: .*|initcall .* returned .*)")
BOOT_SECONDS = 90
MOST_BOOTS = 8
OUTPUT_LIMIT = 16 << 20

DRIVER = """
ulimit -c 0
for t in %s; do
	name=${t%%%%=*} limit=${t##*=}
	case $name in
	clients/*) set -- sh /tests/$name.sh ;;
	*) set -- /tests/bin/${name#guest/} ;;
	esac
	echo "@@BEGIN $name@@"
	timeout -s KILL $limit "$@" </dev/null 2>&1
	printf '\\n@@END %%s %%d@@\\n' $name $?
done
"""


def read_facts(lines):
    """{fact: answer}; one asked twice is numbered."""
    facts, seen = {}, {}
    for line in lines:
        m = FACT.match(line)
        if not m:
            continue
        name = m.group(2)
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            name += f" ({seen[name]})"
        facts[name] = m.group(3) if m.group(1) == "ok" else "not ok"
    return facts


def answers_path(test_name):
    return f"{ANSWERS}/{test_name.split('/')[-1]}.txt"


def known_facts(test_name):
    """The reference's answers, or None for a test that has none."""
    path = answers_path(test_name)
    if not os.path.exists(path):
        return None
    with open(path) as f:
        return dict(l.rstrip("\n").rsplit(" = ", 1) for l in f
                    if " = " in l and not l.startswith("#"))


class Outcome:
    """What one test did: result lines, status (None: never ended), time."""

    def __init__(self, name):
        self.name, self.lines, self.status, self.seconds = name, [], None, 0.0
        self.why = None

    def bad_end(self):
        """Why it did not end by itself, or None."""
        if self.why:
            return self.why
        if self.status is None:
            return "did not run"
        return "killed: over its time" if self.status == 137 else None

    def results(self):
        """Yield (passed, what); skips yield nothing."""
        seen = bad = 0
        known = known_facts(self.name)
        end, without = self.bad_end(), ""
        if known is not None:
            # What was being printed when it ended is half a line.
            facts = read_facts(self.lines[:-1] if end else self.lines)
            for fact, answer in known.items():
                got = facts.get(fact)
                if got is None:
                    continue
                seen += 1
                bad += got != answer
                yield got == answer, fact if got == answer else \
                    f"{fact}: {got}, the reference: {answer}"
            lost = [fact for fact in known if fact not in facts]
            if lost:
                without = f"{len(lost)} facts without an answer, the " \
                    f"first: {lost[0]}"
                bad += not end
                if not end:
                    yield False, without
        for line in self.lines:
            m = RESULT.match(line)
            if not m or (known is not None and m.group(1) == "ok"):
                continue
            seen += 1
            if re.search(r"#\s*(SKIP|TODO)\b", line, re.I):
                continue
            bad += m.group(1) != "ok"
            yield m.group(1) == "ok", m.group(2)
        if end:
            yield False, f"{end}; {without}" if without else end
        elif self.status and not bad:
            yield False, f"ended with status {self.status}"
        elif not seen and not bad:
            yield False, "printed no result"


def overlay(folder, tests, elf):
    """Lay out the tests' files for the archive."""
    for sub in ("bin", "clients"):
        os.makedirs(os.path.join(folder, "tests", sub), exist_ok=True)
    files = [("tests/clients/lib.sh", "tests/clients/lib.sh")]
    programs = "build/tests/guest"
    for name in os.listdir(programs):
        files.append((f"{programs}/{name}", "tests/bin/" + name))
    for test in tests:
        if test.kind == "client":
            files.append((test.path, f"tests/{test.name}.sh"))
        for path in test.files - {"elf"}:
            files.append((path, "tests/files/" + path))
        if "elf" in test.files and elf:
            files.append((elf, "tests/files/sonde.elf"))
    for source, target in files:
        target = os.path.join(folder, target)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target):
            shutil.copy(source, target)


class Boot:
    """One run of QEMU: feeds lines to the outcomes of its tests."""

    def __init__(self, command, tests, log):
        self.tests = {t.name: t for t in tests}
        self.outcomes, self.current = {}, None
        self.splats = Outcome("kernel")
        self.log, self.pending = log, b""
        self.deadline = time.monotonic() + BOOT_SECONDS
        self.started = time.monotonic()
        self.proc = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT)

    def line(self, raw):
        splat = SPLAT.search(raw)
        if splat:
            text = splat.group(1).decode(errors="replace").strip()
            if f"not ok - {text}" not in self.splats.lines:
                self.splats.lines.append(f"not ok - {text}")
            self.splats.status = 0
        # A kernel message may share the line with the mark.
        m = MARK.match(raw[max(raw.find(b"@@"), 0):])
        if not m:
            if self.current:
                text = raw.decode(errors="replace").rstrip("\r")
                self.current.lines.append(text)
            return
        name = m.group(2).decode()
        if m.group(1) == b"BEGIN":
            self.current = self.outcomes[name] = Outcome(name)
            self.started = time.monotonic()
            limit = self.tests[name].timeout
            self.deadline = self.started + limit * 1.5 + 15
        elif self.current and self.current.name == name:
            self.current.status = int(m.group(3))
            self.current.seconds = time.monotonic() - self.started
            self.current = None
            self.deadline = time.monotonic() + 30

    def run(self):
        """Until QEMU ends; return why if it ended badly."""
        fd, total, why = self.proc.stdout.fileno(), 0, None
        while why is None:
            left = self.deadline - time.monotonic()
            if left <= 0:
                why = "the kernel hung" if self.current or self.outcomes \
                    else "the kernel did not boot"
                break
            if not select.select([fd], [], [], left)[0]:
                continue
            data = os.read(fd, 65536)
            if not data:
                break
            self.log.write(data)
            total += len(data)
            if total > OUTPUT_LIMIT:
                why = "too much output"
            *lines, self.pending = (self.pending + data).split(b"\n")
            for raw in lines:
                self.line(raw)
        if why:
            self.proc.send_signal(signal.SIGTERM)
        status = self.proc.wait()
        if not why and status:
            why = {125: "the kernel panicked", 123: "no power off"}.get(
                status, f"QEMU's run ended with status {status}")
        if self.current:
            self.current.seconds = time.monotonic() - self.started
            self.current.why = why or "the machine ended"
        return why


def run_row(row, tests, folder, log):
    """All tests in as few boots as it takes; yield each Outcome."""
    if not tests:
        return
    overlay(folder, tests, row.elf())
    left = list(tests)
    for _ in range(MOST_BOOTS):
        names = " ".join(f"{t.name}={t.timeout}" for t in left)
        command = row.command() + ["--overlay", folder, "--timeout", "3000",
                                   "--cmd", DRIVER % names]
        boot = Boot(command, left, log)
        why = boot.run()
        yield from boot.outcomes.values()
        if boot.splats.lines:
            yield boot.splats
        left = [t for t in left if t.name not in boot.outcomes]
        if not boot.outcomes or (why and not left):
            extra = Outcome("boot")
            extra.why = why or "no test began"
            if not left or not boot.outcomes:
                crashed = any(o.why for o in boot.outcomes.values())
                if not crashed:
                    yield extra
        if not left or not boot.outcomes:
            break
    for test in left:
        yield Outcome(test.name)
