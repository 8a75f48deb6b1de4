"""Landlock: this process reads what an answer needs, writes in its scratch folder, and reaches nothing else.

The reference, the solutions, the checks and other people's files are not on that list: what cannot be opened cannot be
copied. No program can be started, no TCP port reached. A process cannot leave its domain, and all that it starts is in
it. The file stands alone, as `worker.py` does: it imports the standard library, and that before the domain is entered.

Source: the Linux kernel's userspace API, "Landlock: unprivileged access control".
"""

from __future__ import annotations

import functools
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ctypes
    from collections.abc import Iterable

CREATE, ADD, RESTRICT = 444, 445, 446  # the system calls' numbers, the same on every machine
ASK_VERSION = 1
PATH_BENEATH = 1  # the kind of a rule
NO_NEW_PRIVS = 38  # <linux/prctl.h>
LEAST = 3  # the version that knows of cutting a file short: an older one would let a reader empty what it reads

WRITE_FILE, READ_FILE, READ_DIR = 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_FILE = 1 << 4, 1 << 5, 1 << 7, 1 << 8
TRUNCATE = 1 << 14
LOOK = READ_FILE | READ_DIR
WORK = LOOK | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_FILE | TRUNCATE
OF_FILES = WRITE_FILE | READ_FILE | TRUNCATE
HANDLED = {3: (1 << 15) - 1, 5: (1 << 16) - 1}  # by version: every right on files that it knows of
TCP, TCP_SINCE = 3, 4
SCOPES, SCOPES_SINCE = 3, 6  # signals and abstract sockets

DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
FOREIGN = ("site-packages", "dist-packages")  # what is installed there is nobody's to read: it may be the reference


class Unconfined(Exception):  # noqa: N818 - it says what the process is
    """This process could not be confined."""


def version() -> int:
    """Which Landlock the system has; 0 where it has none."""
    if sys.platform != "linux":
        return 0
    have: int = _libc().syscall(CREATE, None, 0, ASK_VERSION)
    return max(have, 0)


def readable(packages: Iterable[str]) -> list[str]:
    """What an answer needs to read: the standard library, the libraries it is linked with, and folders of packages."""
    return [*dict.fromkeys([*standard(), *packages])]


@functools.cache
def standard() -> tuple[str, ...]:
    """The standard library, and the libraries that this process was linked with when it was asked first.

    A fork server asks once what all its copies may read; they have loaded nothing since.
    """
    import ctypes  # noqa: F401 - and with it what it needs, while that can be found
    import sysconfig

    found: list[str] = []
    for kind in ("stdlib", "platstdlib"):
        folder = sysconfig.get_path(kind)
        found += [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name not in FOREIGN]  # noqa: PTH118, PTH208
    return (*found, *_libraries())


def confine(look: Iterable[str], work: str | None = None) -> None:
    """Enter a domain that reads what is at `look` and below, and works in the folder `work`.

    Raises Unconfined where that is not possible. The process must have one thread: a domain is a thread's.
    """
    have = version()
    if have < LEAST:
        raise Unconfined(f"Landlock {LEAST} or newer is needed, and this is {have}")
    import ctypes

    libc = _libc()
    files = HANDLED[5 if have >= 5 else 3]
    words = [files, TCP if have >= TCP_SINCE else 0, SCOPES if have >= SCOPES_SINCE else 0]
    words = words[: 3 if have >= SCOPES_SINCE else 2 if have >= TCP_SINCE else 1]
    rules = (ctypes.c_uint64 * len(words))(*words)
    domain = libc.syscall(CREATE, rules, ctypes.sizeof(rules), 0)
    if domain < 0:
        raise Unconfined(f"Landlock made no domain: {os.strerror(ctypes.get_errno())}")
    for path in look:
        _allow(libc, domain, path, LOOK)
    for path in DEVICES:
        _allow(libc, domain, path, READ_FILE | WRITE_FILE)
    if work is not None:
        _allow(libc, domain, work, WORK)
    libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.syscall(RESTRICT, domain, 0):
        raise Unconfined(f"Landlock let nobody in: {os.strerror(ctypes.get_errno())}")
    os.close(domain)


def _allow(libc: ctypes.CDLL, domain: int, path: str, rights: int) -> None:
    """Allow `rights` at a path and below; what is not there needs no rule."""
    import stat

    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rights &= ~0 if stat.S_ISDIR(os.fstat(place).st_mode) else OF_FILES
        rule = rights.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder)
        if libc.syscall(ADD, domain, PATH_BENEATH, rule, 0):
            raise Unconfined(f"Landlock takes no rule on {path}")
    finally:
        os.close(place)


def _libraries() -> list[str]:
    """The shared libraries that this process has loaded, and the folders of those that hold libraries alone."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:  # noqa: PTH123
        files = {line.split(maxsplit=5)[5].strip() for line in maps if ".so" in line}
    folders = {os.path.dirname(file) for file in files}  # noqa: PTH120
    alone = [
        each
        for each in folders
        if os.path.basename(each) != "lib-dynload" and not any(name.startswith("python") for name in _names(each))  # noqa: PTH119
    ]
    return ["/etc/ld.so.cache", *sorted(files), *sorted(alone)]


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208
    except OSError:
        return []


def _libc() -> ctypes.CDLL:
    import ctypes

    return ctypes.CDLL(None, use_errno=True)
