#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Boot with damaged archives behind a sound root: what the kernel made of them.

  tests/hostile_cpio.py [--learn] [--kernel IMAGE] [CASE...]

Each case is a boot; what does no harm to what follows shares one.  A fact is a
file below /h with its kind, mode, links, size, owner, time and content; it
passes if it is the reference's (tests/conformance/hostile_cpio.txt, --learn).  That
there are facts at all says that the boot went on.  At last everything of the
archives is deleted, and as much memory must be free as with sound ones.
"""
import argparse
import gzip
import os
import re
import subprocess
import sys
import tempfile

ANSWERS = "tests/conformance/hostile_cpio.txt"
MOST_LOST_KB = 1024
# A file that is cut has the time of the boot.
CUT = {"huge file: /h/two", "cut in data: /h/two", "cut gzip: /h/z",
       "gzip of half: /h/z"}
REG, DIR, LNK = 0o100644, 0o40755, 0o120777
SCRIPT = r"""
look() {
	find /h /up -xdev 2>/dev/null | sort | cut -c 1-200 | while read -r f; do
		[ -e "$f" -o -L "$f" ] || { echo "@@F $f|cut"; continue; }
		set -- $(stat -c '%f %h %s %u %g %Y %t %T' "$f")
		sum=-
		[ -f "$f" -a ! -L "$f" ] && [ "$3" -lt 10000000 ] &&
			sum=$(md5sum <"$f" | cut -c 1-8)
		[ -L "$f" ] && sum=$(readlink "$f" | cut -c 1-40)
		echo "@@F $f|$* $sum"
	done
}
look
rm -rf /h /up
for i in 1 2 3 4 5; do
	echo 3 >/proc/sys/vm/drop_caches 2>/dev/null
	sleep 0.2
done
echo "@@F free|$(sed -n 's/^MemFree: *\([0-9]*\).*/\1/p' /proc/meminfo)"
"""


def entry(name, mode=REG, data=b"", ino=0, nlink=1, magic=b"070701", **fields):
    """One member; a field given by name replaces what would be right."""
    if isinstance(name, str):
        name = name.encode() + b"\0"
    if isinstance(data, str):
        data = data.encode()
    values = {"ino": ino, "mode": mode, "uid": 0, "gid": 0, "nlink": nlink,
              "mtime": 7, "filesize": len(data), "major": 0, "minor": 0,
              "rmajor": 0, "rminor": 0, "namesize": len(name), "check": 0}
    values.update(fields)
    head = magic + b"".join(
        v if isinstance(v, bytes) else b"%08X" % v for v in values.values())
    body = head + name
    body += b"\0" * (-len(body) % 4) + data
    return body + b"\0" * (-len(body) % 4)


def archive(*members):
    return b"".join(members) + entry("TRAILER!!!", 0)


def sound(name="h/sound"):
    return archive(entry(name, data="sound"))


TOP = archive(entry("h", DIR))
BIG = bytes(range(256)) * 4096


def harmless():
    names = [
        entry("h/../up", data="up"), entry("h/sub/../../h/way", data="x"),
        entry("/h/absolute", data="abs"), entry("//h/double", data="dbl"),
        entry("./h/dot", data="dot"), entry("h//empty", data="e"),
        entry("h/slash/", DIR), entry("h/fslash/", data="f"),
        entry("h/none/file", data="lost"), entry("h/dot/x", data="lost"),
        entry("h/" + "a" * 255, data="255"), entry("h/" + "b" * 256, data="x"),
        entry(b"h/nul\0tail\0", data="nul"), entry(".", DIR),
        entry("h/" + "d/" * 2046 + "e", data="deep"),
        entry("", data="noname"), entry("h/after", data="after"),
    ]
    kinds = [
        entry("h/type0", 0o644, "t"), entry("h/type17", 0o170644, "t"),
        entry("h/empty0", 0o644), entry("h/dirdata", DIR, "data"),
        entry("h/fifo", 0o10644), entry("h/socket", 0o140755),
        entry("h/null", 0o20666, rmajor=1, rminor=3),
        entry("h/block", 0o60600, rmajor=7, rminor=300),
        entry("h/suid", 0o104755, "s"), entry("h/sticky", 0o41777),
        entry("h/owner", data="o", uid=0xfffffffe, gid=4000000000),
        entry("h/time", data="t", mtime=0xffffffff),
        entry("h/bits", 0xffff81ff, "bits"),
    ]
    links = [
        entry("h/l-empty", LNK), entry("h/l-long", LNK, "y" * 4095),
        entry("h/l-longest", LNK, "y" * 4096),
        entry("h/l-over", LNK, "y" * 4097), entry("h/l-nul", LNK, b"a\0b"),
        entry("h/l-out", LNK, "/tmp"), entry("h/l-out/through", data="t"),
        entry("h/l-loop", LNK, "l-loop"), entry("h/l-loop/x", data="x"),
    ]
    over = [
        entry("h/o1", data="a long first text"), entry("h/o1", data="short"),
        entry("h/o2", data="file"), entry("h/o2", DIR),
        entry("h/o3", DIR), entry("h/o3", data="was a folder"),
        entry("h/o4", DIR), entry("h/o4/x", data="x"),
        entry("h/o4", data="was a full folder"),
        entry("h/o5", LNK, "o1"), entry("h/o5", data="was a link"),
        entry("h/o6", data="was a file"), entry("h/o6", LNK, "o1"),
        entry("h/o7", DIR, mtime=9), entry("h/o7", 0o40700),
        entry("h/o8", data="keeps"), entry("h/o8"),
    ]
    return [TOP, archive(*names), archive(*kinds), archive(*links),
            archive(*over)]


def hardlinks():
    first = archive(
        entry("h/h1", ino=1, nlink=2), entry("h/h2", data="x", ino=1, nlink=2),
        entry("h/h3", data="both", ino=2, nlink=2),
        entry("h/h4", data="other", ino=2, nlink=2),
        entry("h/h5", data="alone", ino=3, nlink=9),
        entry("h/none/h6", data="lost", ino=4, nlink=2),
        entry("h/h7", data="to what is lost", ino=4, nlink=2),
        entry("h/h8", data="file", ino=5, nlink=2),
        entry("h/h9", 0o10644, ino=5, nlink=2),
        entry("h/h10", ino=6, nlink=2), entry("h/h10", ino=6, nlink=2),
        entry("h/h11", data="device", ino=7, nlink=2),
        entry("h/h12", ino=7, nlink=2, minor=1),
        entry("h/h13", LNK, "t", ino=8, nlink=2),
        entry("h/h14", LNK, "u", ino=8, nlink=2),
        entry("h/h15", DIR, ino=9, nlink=2), entry("h/h16", DIR, ino=9, nlink=2),
        entry("h/h17", 0o20666, ino=10, nlink=2, rmajor=1, rminor=3),
        entry("h/h18", 0o20666, ino=10, nlink=2, rmajor=1, rminor=3))
    # Another archive: numbers begin anew.
    second = archive(entry("h/h20", data="y", ino=3, nlink=2),
                     entry("h/TRAILER!!!", data="no trailer"))
    return [first, b"\0" * 64, second]


def headers():
    """Odd headers that are no error."""
    return [
        archive(entry("h/m1", data="crc", magic=b"070702",
                      check=sum(b"crc")),
                entry("h/m2", data="lower", nlink=b"0000000a"),
                entry("h/m3", data="no digit", mtime=b"0000zz12"),
                entry("h/m4", data="blank", mtime=b"      12"),
                entry("h/m5", data="plus", mtime=b"0x000012")),
        archive(entry(b"h/n1" + b"n" * 5000 + b"\0", data="long name"),
                entry("h/n2", data="behind it")),
        archive(entry(b"", data="no name at all"),
                entry("h/n3", data="behind it")),
        archive(entry("h/n4", data="x")) + b"\0" * 8,
        entry("TRAILER!!!", 0, "data of a trailer"),
        entry("TRAILER!!!", REG, "data of a file"),
        b"\0" * 4, sound("h/n5"),
        gzip.compress(sound("h/n6"), mtime=0),
        gzip.compress(TOP + b"\0" * 100, mtime=0),
        sound("h/n7"),
    ]


def bad_crc():
    z = bytearray(gzip.compress(archive(entry("h/z", data=BIG)), mtime=0))
    z[-8] ^= 1
    return bytes(z)


CASES = {
    "sound": lambda: [TOP, sound(), BIG and archive(entry("h/big", data=BIG))],
    "harmless": lambda: harmless() + [sound()],
    "hard links": lambda: [TOP] + hardlinks() + [sound()],
    "headers": lambda: [TOP] + headers() + [sound()],
    "bad magic": lambda: [TOP, archive(
        entry("h/one", data="1"), entry("h/two", data="2", magic=b"070709"),
        entry("h/three", data="3")), sound()],
    "old magic": lambda: [TOP, archive(
        entry("h/one", data="1"), entry("h/two", data="2", magic=b"070707")),
        sound()],
    "other bytes": lambda: [TOP, b"JUNK" * 16, sound()],
    "padding": lambda: [TOP, b"\0" * 3, sound()],
    "huge name": lambda: [TOP, archive(
        entry("h/one", data="1"), entry("h/two", namesize=0x7fffffff),
        entry("h/three", data="3")), sound()],
    "name of 4 GiB": lambda: [TOP, archive(
        entry("h/one", data="1"), entry("h/two", namesize=0xffffffff),
        entry("h/three", data="3")), sound()],
    "huge file": lambda: [TOP, archive(
        entry("h/one", data="1"),
        entry("h/two", data=BIG, filesize=0xffffffff),
        entry("h/three", data="3")), sound()],
    "cut in data": lambda: [TOP, archive(
        entry("h/one", data="1"), entry("h/two", data=BIG))[:700000]],
    "cut in name": lambda: [TOP, archive(
        entry("h/one", data="1"), entry("h/two-and-more", data="2"))[:340]],
    "cut in header": lambda: [TOP, entry("h/one", data="1"),
                              entry("h/two", data="2")[:60]],
    "no trailer": lambda: [TOP, entry("h/one", data="1"), sound()],
    "bad sum": lambda: [TOP, archive(
        entry("h/one", data="sum", magic=b"070702", check=1),
        entry("h/two", data="2")), sound()],
    "bad crc": lambda: [TOP, bad_crc(), sound()],
    "cut gzip": lambda: [TOP, gzip.compress(
        archive(entry("h/z", data=os_random())), mtime=0)[:200000]],
    "bad gzip": lambda: [TOP, b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xff\xff",
                         sound()],
    "gzip of junk": lambda: [TOP, gzip.compress(b"junk" * 50, mtime=0),
                             sound()],
    "gzip of half": lambda: [TOP, gzip.compress(entry("h/z", data=BIG)[:9000],
                                                mtime=0), sound()],
    "no NUL": lambda: [TOP, archive(entry("h/one", data="1"),
                                    entry(b"h/two123", data="2"),
                                    entry("h/three", data="3")), sound()],
}


def os_random():
    """Bytes that do not compress, the same each time."""
    x, out = 1, bytearray()
    while len(out) < 400000:
        x = x * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        out += (x >> 32).to_bytes(4, "little")
    return bytes(out)


def boot(kernel, name, folder):
    """{file: what it is} of one boot, or a string: why there is none."""
    root = os.path.join(folder, "root")
    subprocess.check_call(["scripts/mkrootfs", "busybox", root, "--cmd",
                           SCRIPT])
    with open(root, "ab") as f:
        f.write(b"\0" * (-f.tell() % 4))
        for part in CASES[name]():
            f.write(part)
    done = subprocess.run(
        ["scripts/run-qemu", "--kernel", kernel, "--initrd", root, "--mem",
         "256M" if kernel != "reference" else "512M", "--timeout", "200"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    text = done.stdout.decode(errors="replace").replace("\r", "")
    os.makedirs("build/tests", exist_ok=True)
    with open("build/tests/hostile-cpio.log", "a") as f:
        f.write(f"== {name}\n{text}\n")
    if done.returncode:
        return f"the boot ended with {done.returncode}"
    return dict(re.findall(r"^@@F (.*)\|(.*)$", text, re.M))


def shorten(name):
    """A name of many letters by its length."""
    return re.sub(r"(.)\1{50,}", lambda m: f"{m[1]}*{len(m[0])}",
                  re.sub(r"(/d){50,}", "/d...", name))


def facts_of(kernel, name, clean):
    with tempfile.TemporaryDirectory(prefix="sonde-cpio-") as folder:
        found = boot(kernel, name, folder)
    if isinstance(found, str):
        return {f"{name}: the boot": found}
    free = int(found.pop("free", 0))
    clean.setdefault("free", free)
    facts = {f"{name}: {shorten(k)}": v for k, v in found.items()}
    for fact in CUT & set(facts):
        words = facts[fact].split()
        facts[fact] = " ".join(words[:5] + ["now"] + words[6:])
    lost = clean["free"] - free
    facts[f"{name}: memory is back"] = "yes" if lost < MOST_LOST_KB else \
        f"no: {lost} KiB less"
    return facts


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("--kernel", default=os.environ.get(
        "KERNEL", "build/arm64/Image"))
    p.add_argument("--learn", action="store_true")
    p.add_argument("cases", nargs="*")
    args = p.parse_args()
    names = [n for n in CASES if not args.cases or n in args.cases]
    clean = {}
    if args.learn:
        with open(ANSWERS, "w") as f:
            f.write("# What the reference makes of hostile archives; "
                    "tests/hostile_cpio.py --learn\n")
            for name in names:
                for fact, answer in facts_of("reference", name, clean).items():
                    f.write(f"{fact} = {answer}\n")
        return 0
    with open(ANSWERS) as f:
        known = dict(l.rstrip("\n").split(" = ", 1) for l in f if " = " in l)
    told = bad = 0
    for name in names:
        facts = facts_of(args.kernel, name, clean)
        wanted = {k: v for k, v in known.items() if k.startswith(name + ": ")}
        for fact in {**wanted, **facts}:
            told += 1
            good = facts.get(fact) == wanted.get(fact)
            bad += not good
            print(f"ok {told} - {fact}" if good else
                  f"not ok {told} - {fact}: {facts.get(fact)}, the "
                  f"reference: {wanted.get(fact)}", flush=True)
    print(f"1..{told}")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
