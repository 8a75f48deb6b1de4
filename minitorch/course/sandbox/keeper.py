"""The keeper: stands between the judge and the learner's code, outlives that code, and takes its whole family along.

On Linux `keep` leaves three things behind before any of the learner's code runs:

* a space of process ids of its own, where the system allows one: what runs inside can name nobody outside, so it can
  neither kill, stop, trace nor limit the judge, and all of it ends when the first of it does;
* where it does not, a keeper that every orphan comes back to, and that ends them one by one;
* a Landlock domain, where the system has them: nobody outside it can be traced or, since Linux 6.12, signalled.

Elsewhere it does nothing: the judge then ends the child's group of processes, and what left the group stays.
The file stands alone, as `worker.py` does.
"""

from __future__ import annotations

import os
import select
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING or __name__ != "keeper":
    import ctypes

    from minitorch.course.sandbox import family
else:
    import family

NEW_USER, NEW_PID = 0x10000000, 0x20000000  # <linux/sched.h>
SET_PDEATHSIG, SET_CHILD_SUBREAPER, SET_NO_NEW_PRIVS = 1, 36, 38  # <linux/prctl.h>
LANDLOCK_CREATE, LANDLOCK_RESTRICT = 444, 446  # the system calls' numbers, the same on every machine
LANDLOCK_VERSION = 1  # the flag that asks which one there is
SIGNALS_AND_SOCKETS = 3  # the scopes, since version 6
MAKE_BLOCK_DEVICE = 1 << 11  # a right that nobody misses: a domain of older versions must handle one
LOOKS_MS = 500  # how often orphans are buried, where nothing else wakes the keeper


def keep() -> None:
    """Return in a process that may run the learner's code; the ones that called it stay behind as its keepers."""
    if sys.platform != "linux":
        return
    try:
        import ctypes

        libc = ctypes.CDLL(None, use_errno=True)
    except (ImportError, OSError):
        return
    user, group = os.getuid(), os.getgid()
    alone = libc.unshare(NEW_USER | NEW_PID) == 0
    if alone:
        _keep_the_name(user, group)
    libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    told, tell = os.pipe()
    if pid := os.fork():
        os.close(tell)
        _guard(pid, told)
    os.close(told)
    if alone:
        libc.prctl(SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if pid := os.fork():
            _be_first(pid, tell)
    os.close(tell)
    libc.prctl(SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    _confine(libc)


def _keep_the_name(user: int, group: int) -> None:
    """Be the same user and group inside as outside, rather than nobody."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        try:
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:  # noqa: PTH123 - pathlib is slow
                file.write(text)
        except OSError:
            continue  # nobody, then: it owns the same files all the same


def _confine(libc: ctypes.CDLL) -> None:
    """Enter a Landlock domain, where there are such."""
    import ctypes

    libc.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    version = libc.syscall(LANDLOCK_CREATE, None, 0, LANDLOCK_VERSION)
    if version < 1:
        return
    words = (0, 0, SIGNALS_AND_SOCKETS) if version >= 6 else (MAKE_BLOCK_DEVICE,)
    rules = (ctypes.c_uint64 * len(words))(*words)
    domain = libc.syscall(LANDLOCK_CREATE, rules, ctypes.sizeof(rules), 0)
    if domain >= 0:
        libc.syscall(LANDLOCK_RESTRICT, domain, 0)
        os.close(domain)


def _be_first(pid: int, tell: int) -> None:
    """Be the first process of the space: bury the orphans; when `pid` ends, say how, and all the others end, too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the first process gets no signal from inside but those it handles
    _let_go(0, 1, 2)
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == pid:
            os.write(tell, status.to_bytes(4, "little"))
            os._exit(0)


def _guard(pid: int, told: int) -> None:
    """Wait for the end of `pid` or of the judge, end what is left, and end as the learner's process did."""
    _let_go(1, 2)
    status = _last_of(pid)
    family.end_below(os.getpid())
    said = os.read(told, 4)
    if len(said) == 4:
        status = int.from_bytes(said, "little")
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        _leave_no_core()
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) & 255)


def _last_of(pid: int) -> int:
    """Wait until `pid` has ended or the judge has gone; return how `pid` ended."""
    judge = select.poll()
    judge.register(0, 0)  # tells of nothing but a pipe whose other end is gone
    try:  # noqa: SIM105 - contextlib is slow to import
        judge.register(os.pidfd_open(pid), select.POLLIN)
    except OSError:
        pass  # an old system: the orphans' rounds will do
    while True:
        if any(
            event & (select.POLLHUP | select.POLLERR) for descriptor, event in judge.poll(LOOKS_MS) if not descriptor
        ):
            return signal.SIGKILL
        while True:
            try:
                ended, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return signal.SIGKILL
            if ended == pid:
                return status
            if not ended:
                break


def _leave_no_core() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _let_go(*descriptors: int) -> None:
    """Give up pipes, so that whoever reads them sees their end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nothing, descriptor)
    os.close(nothing)
