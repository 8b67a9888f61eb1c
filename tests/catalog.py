# SPDX-License-Identifier: MIT
"""What tests there are and on which machines they run.

A test names its tags in a comment, `tags: short icount`; its kind (guest or
client) is a tag too unless it says `only: tags`.  `not-NAME` keeps it off the
row NAME of tests/matrix.  `timeout: N` is its time in seconds on a machine with
little else to do; it is given PATIENCE times as much before it is killed.
`files: PATH..` are sources that it reads as /tests/files/PATH; the word `elf`
is the row's kernel with its debug information, /tests/files/sonde.elf.
"""
import glob
import os
import re

KERNELS = {"release": ("build/arm64", []),
           "debug": ("build/arm64-debug", ["debug.config"]),
           "clang": ("build/arm64-clang", []),
           # The release kernel with planted faults, for tests/host.
           "provoke": ("build/arm64-provoke", ["provoke.config"])}
PATIENCE = 3
OPTIONS = {"cpu", "smp", "mem", "gic", "dtb", "icount", "append"}


class Test:
    def __init__(self, kind, path):
        base = os.path.splitext(os.path.basename(path))[0]
        self.kind, self.path = kind, path
        self.name = {"guest": "guest/", "client": "clients/"}[kind] + base
        with open(path) as f:
            head = f.read(3000)
        self.tags = {kind}
        for words in re.findall(r"^[ */#]*tags: (.*)$", head, re.M):
            self.tags.update(words.split())
        m = re.search(r"^[ */#]*timeout: (\d+)", head, re.M)
        self.timeout = PATIENCE * (int(m.group(1)) if m else 60)
        self.files = set()
        for words in re.findall(r"^[ */#]*files: (.*)$", head, re.M):
            self.files.update(words.split())
        if re.search(r"^[ */#]*only: tags", head, re.M):
            self.tags.discard(kind)


class Row:
    def __init__(self, line):
        self.name, *words = line.split()
        self.values = dict(w.split("=", 1) if "=" in w else (w, True)
                           for w in words)
        self.kernel = self.values.get("kernel", "release")
        self.tags = set(self.values["run"].split(","))
        self.root = self.values.get("root", "busybox")

    def wants(self, test):
        return bool(self.tags & test.tags) and \
            "not-" + self.name not in test.tags

    def elf(self):
        """The kernel with its debug information, None for the reference."""
        if self.kernel == "reference":
            return None
        return KERNELS[self.kernel][0] + "/sonde.elf"

    def command(self):
        kernel = "reference"
        if self.kernel != "reference":
            kernel = KERNELS[self.kernel][0] + "/Image"
        out = ["scripts/run-qemu", "--kernel", kernel, "--initrd", self.root]
        for key, value in self.values.items():
            if key in OPTIONS:
                out += ["--" + key, value]
            elif key in ("el2", "no-pmu"):
                out.append("--" + key)
        return out


def find_tests(names):
    tests = [Test("guest", p) for p in sorted(glob.glob("tests/guest/*.c"))]
    tests += [Test("client", p) for p in sorted(glob.glob("tests/clients/*.sh"))
              if not p.endswith("/lib.sh")]
    return [t for t in tests if not names or t.name in names]


def find_rows():
    with open("tests/matrix") as f:
        return [Row(l) for l in f if l.strip() and not l.startswith("#")]
