#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A trace hook that is off costs one instruction: hooks.py SONDE.ELF

Looks at the image: every branch site of every hook's key is a NOP (the built-in
state), and each function that calls a hook's body has a site of its key, so that
no hook is reached by a question asked at run time.  Prints KTAP.
"""
import bisect
import re
import struct
import subprocess
import sys

PREFIX = sys.argv[2] if len(sys.argv) > 2 else "aarch64-linux-gnu-"
NOP = 0xD503201F
SITE = struct.Struct("<iiq")	# struct static_key_site
CALL = re.compile(r"\s(?:bl|b)\s+[0-9a-f]+ <trace_(\w+)_body>")
WHERE = re.compile(r"^\s*([0-9a-f]+):")


def tool(name, *args):
    return subprocess.check_output([PREFIX + name, *args], text=True)


def symbols(elf):
    """{name: address} of data, and functions sorted by address."""
    keys, functions = {}, []
    for line in tool("nm", "-n", elf).splitlines():
        where, kind, name = line.split()[-3:]
        if name.startswith("trace_key_"):
            keys[int(where, 16)] = name[len("trace_key_"):]
        if kind in "tTwW" and not name.startswith("$"):
            functions.append((int(where, 16), name))
    return keys, functions


class Image:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        self.parts = {}
        for line in tool("objdump", "-h", path).splitlines():
            w = line.split()
            if len(w) == 7 and w[0].isdigit():
                size, at, offset = int(w[2], 16), int(w[3], 16), int(w[5], 16)
                self.parts[w[1]] = (at, size, offset)

    def bytes(self, at, size):
        for start, length, offset in self.parts.values():
            if start and start <= at < start + length:
                offset += at - start
                return self.data[offset:offset + size]
        raise SystemExit(f"nothing at {at:#x}")


def main():
    elf = sys.argv[1]
    image, (keys, functions) = Image(elf), symbols(elf)
    starts = [at for at, _ in functions]

    def function(at):
        name = functions[bisect.bisect(starts, at) - 1][1]
        return re.sub(r"\.(cold|part|constprop|isra).*", "", name)

    start, size, _ = image.parts["static_keys"]
    sites, busy = {}, 0
    for at in range(start, start + size, SITE.size):
        code, _, key = SITE.unpack(image.bytes(at, SITE.size))
        hook = keys.get(at + 8 + key)
        if hook:
            sites.setdefault(hook, set()).add(function(at + code))
            insn, = struct.unpack("<I", image.bytes(at + code, 4))
            busy += insn != NOP
    calls, unasked = {}, 0
    for line in tool("objdump", "-d", "--no-show-raw-insn", elf).splitlines():
        call = CALL.search(line)
        if call:
            caller = function(int(WHERE.match(line)[1], 16))
            calls.setdefault(call[1], set()).add(caller)
    for hook, callers in calls.items():
        for caller in callers - sites.get(hook, set()):
            print(f"# {caller} calls trace_{hook}_body without its key")
            unasked += 1
    facts = [(f"all {len(keys)} hooks are called", set(calls) == set(keys.values())),
             (f"their {sum(map(len, sites.values()))} sites are NOPs", not busy),
             ("no body is called but behind a site", not unasked)]
    for n, (what, good) in enumerate(facts, 1):
        print(f"{'ok' if good else 'not ok'} {n} - {what}")
    print(f"1..{len(facts)}")
    return 0 if all(good for _, good in facts) else 1


if __name__ == "__main__":
    sys.exit(main())
