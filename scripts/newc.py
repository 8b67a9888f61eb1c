# SPDX-License-Identifier: MIT
"""Write cpio archives in the newc format: what the kernels read as initramfs.

Owner and group are always 0 and times are 0, so that equal content gives
equal archives, and no privilege is needed, not even for device nodes.
Archives may be concatenated: a later one adds to the earlier ones.
"""
import os
import stat


class Archive:
    def __init__(self, out):
        self.out = out
        self.ino = 0
        self.dirs = set()
        self.links = {}

    def _pad(self, length):
        self.out.write(b"\0" * (-length % 4))

    def _entry(self, name, mode, data=b"", nlink=1, ino=None, rdev=(0, 0)):
        if ino is None:
            self.ino += 1
            ino = self.ino
        encoded = name.encode() + b"\0"
        fields = (ino, mode, 0, 0, nlink, 0, len(data), 0, 0,
                  rdev[0], rdev[1], len(encoded), 0)
        header = b"070701" + b"".join(b"%08X" % f for f in fields)
        self.out.write(header + encoded)
        self._pad(len(header) + len(encoded))
        self.out.write(data)
        self._pad(len(data))

    def dir(self, name, mode=0o755):
        name = name.strip("/")
        if not name or name in self.dirs:
            return
        self.dir(os.path.dirname(name))
        self.dirs.add(name)
        self._entry(name, stat.S_IFDIR | mode, nlink=2)

    def _parent(self, name):
        self.dir(os.path.dirname(name))
        return name.strip("/")

    def file(self, name, data, mode=0o644):
        name = self._parent(name)
        self._entry(name, stat.S_IFREG | mode, data)

    def symlink(self, name, target):
        name = self._parent(name)
        self._entry(name, stat.S_IFLNK | 0o777, target.encode())

    def node(self, name, major, minor, mode=0o600):
        name = self._parent(name)
        self._entry(name, stat.S_IFCHR | mode, rdev=(major, minor))

    def add_path(self, host, name):
        """Add one file, folder (itself only) or link of the host."""
        st = os.lstat(host)
        if stat.S_ISDIR(st.st_mode):
            self.dir(name, stat.S_IMODE(st.st_mode) | 0o700)
        elif stat.S_ISLNK(st.st_mode):
            self.symlink(name, os.readlink(host))
        elif stat.S_ISREG(st.st_mode):
            with open(host, "rb") as f:
                self.file(name, f.read(), stat.S_IMODE(st.st_mode))

    def add_tree(self, host, skip=lambda name: False):
        for folder, dirs, files in os.walk(host):
            inside = os.path.relpath(folder, host)
            inside = "" if inside == "." else inside + "/"
            dirs.sort()
            for name in list(dirs):
                path = inside + name
                if skip(path):
                    dirs.remove(name)
                else:
                    self.add_path(os.path.join(folder, name), path)
            for name in sorted(files):
                if not skip(inside + name):
                    self.add_path(os.path.join(folder, name), inside + name)

    def close(self):
        self._entry("TRAILER!!!", 0, ino=0)
        self.out.write(b"\0" * (-self.out.tell() % 512))
