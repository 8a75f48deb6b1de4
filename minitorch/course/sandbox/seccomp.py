"""Seccomp: the system calls that Python and NumPy make in an answer are let through, and all others fail with EPERM.

No socket, no new process, no new program, no tracing, no mounting, no other process's memory, nobody signalled but
this process itself. Threads are let through. A filter cannot be taken off, and what a process starts inherits it.
The file stands alone, as `worker.py` does.

Source: the Linux kernel's userspace API, "Seccomp BPF"; the tables of system calls of its x86-64 and generic headers.
"""

from __future__ import annotations

import functools
import os
import platform
import struct
import sys

NO_NEW_PRIVS, SET_FILTER, EVERY_THREAD = 38, 1, 1
KILL, FAIL, ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
EPERM, ENOSYS = 1, 38
LOAD, EQUAL, GREATER_EQUAL, AND, RETURN = 0x20, 0x15, 0x35, 0x54, 0x06  # the filter machine's instructions
NUMBER, MACHINE, ARGUMENTS = 0, 4, 16  # where a call's facts stand
X32 = 0x40000000  # x86-64 knows every call by a second number
THREAD = 0x00010000  # CLONE_THREAD
SPACES = 0x7E020000 | 0x00000080  # CLONE_NEW…: none of them
NAME_A_THREAD = 15  # PR_SET_NAME

# By machine: its mark in a filter; the number of its call `seccomp`; the calls that are let through whatever they ask
# for; and those of which an argument is looked at.
X86_64 = (
    "read 0 write 1 open 2 close 3 stat 4 fstat 5 lstat 6 poll 7 lseek 8 mmap 9 mprotect 10 munmap 11 brk 12"
    " rt_sigaction 13 rt_sigprocmask 14 rt_sigreturn 15 ioctl 16 pread64 17 pwrite64 18 readv 19 writev 20"
    " access 21 pipe 22 select 23 sched_yield 24 mremap 25 msync 26 mincore 27 madvise 28 dup 32 dup2 33 pause 34"
    " nanosleep 35 getitimer 36 setitimer 38 getpid 39 exit 60 wait4 61 uname 63 fcntl 72 flock 73 fsync 74"
    " fdatasync 75 truncate 76 ftruncate 77 getdents 78 getcwd 79 chdir 80 rename 82 mkdir 83 rmdir 84 unlink 87"
    " readlink 89 chmod 90 umask 95 gettimeofday 96 getrlimit 97 getrusage 98 sysinfo 99 times 100 getuid 102"
    " getgid 104 geteuid 107 getegid 108 getppid 110 getpgrp 111 getgroups 115 getresuid 118 getresgid 120"
    " getpgid 121 getsid 124 sigaltstack 131 sched_getparam 143 sched_getscheduler 145 arch_prctl 158 gettid 186"
    " time 201 futex 202 sched_getaffinity 204 epoll_create 213 getdents64 217 set_tid_address 218"
    " restart_syscall 219 clock_gettime 228 clock_getres 229 clock_nanosleep 230 exit_group 231 epoll_wait 232"
    " epoll_ctl 233 get_mempolicy 239 waitid 247 openat 257 mkdirat 258 newfstatat 262 unlinkat 263 renameat 264"
    " readlinkat 267 fchmodat 268 faccessat 269 pselect6 270 ppoll 271 set_robust_list 273 get_robust_list 274"
    " utimensat 280 epoll_pwait 281 eventfd2 290 epoll_create1 291 dup3 292 pipe2 293 preadv 295 pwritev 296"
    " getcpu 309 renameat2 316 getrandom 318 membarrier 324 statx 332 rseq 334 close_range 436 faccessat2 439"
)
AARCH64 = (
    "getcwd 17 eventfd2 19 epoll_create1 20 epoll_ctl 21 epoll_pwait 22 dup 23 dup3 24 fcntl 25 ioctl 29 flock 32"
    " mkdirat 34 unlinkat 35 renameat 38 truncate 45 ftruncate 46 faccessat 48 chdir 49 fchmodat 53 openat 56"
    " close 57 pipe2 59 getdents64 61 lseek 62 read 63 write 64 readv 65 writev 66 pread64 67 pwrite64 68"
    " preadv 69 pwritev 70 pselect6 72 ppoll 73 readlinkat 78 newfstatat 79 fstat 80 fsync 82 fdatasync 83"
    " utimensat 88 exit 93 exit_group 94 waitid 95 set_tid_address 96 futex 98 set_robust_list 99"
    " get_robust_list 100 nanosleep 101 getitimer 102 setitimer 103 clock_gettime 113 clock_getres 114"
    " clock_nanosleep 115 sched_getscheduler 120 sched_getparam 121 sched_getaffinity 123 sched_yield 124"
    " restart_syscall 128 sigaltstack 132 rt_sigaction 134 rt_sigprocmask 135 rt_sigreturn 139 getresuid 148"
    " getresgid 150 times 153 getpgid 155 getsid 156 getgroups 158 uname 160 getrlimit 163 getrusage 165"
    " umask 166 getcpu 168 gettimeofday 169 getpid 172 getppid 173 getuid 174 geteuid 175 getgid 176 getegid 177"
    " gettid 178 sysinfo 179 brk 214 munmap 215 mremap 216 mmap 222 mprotect 226 msync 227 mincore 232"
    " madvise 233 get_mempolicy 236 wait4 260 renameat2 276 getrandom 278 membarrier 283 statx 291 rseq 293"
    " close_range 436 faccessat2 439"
)
LOOKED_AT_X86_64 = {"clone": 56, "clone3": 435, "kill": 62, "tgkill": 234, "prctl": 157, "prlimit64": 302}
LOOKED_AT_AARCH64 = {"clone": 220, "clone3": 435, "kill": 129, "tgkill": 131, "prctl": 167, "prlimit64": 261}
MACHINES = {
    "x86_64": (0xC000003E, 317, X86_64, LOOKED_AT_X86_64),
    "aarch64": (0xC00000B7, 277, AARCH64, LOOKED_AT_AARCH64),
}


class Unfiltered(Exception):  # noqa: N818 - it says what the process is
    """This process could not be given a filter."""


def is_known() -> bool:
    """Whether there is a table for this machine."""
    return sys.platform == "linux" and platform.machine() in MACHINES


def program(machine: str, process: int) -> bytes:
    """The filter for a kind of machine and the number of the process that it is put on."""
    looked_at = MACHINES[machine][3]
    filters: list[tuple[int, int, int, int]] = []
    for name in ("kill", "tgkill"):
        filters += _only(looked_at[name], 0, process)
    filters += _only(looked_at["prctl"], 0, NAME_A_THREAD)
    filters += _only(looked_at["prlimit64"], 2, 0, whole=True)  # asks for a limit, and sets none
    filters += [
        (EQUAL, 0, 7, looked_at["clone"]),
        (LOAD, 0, 0, ARGUMENTS),
        (AND, 0, 0, SPACES),
        (EQUAL, 0, 4, 0),
        (LOAD, 0, 0, ARGUMENTS),
        (AND, 0, 0, THREAD),
        (EQUAL, 0, 1, THREAD),
        (RETURN, 0, 0, ALLOW),
    ]
    filters.append((RETURN, 0, 0, FAIL | EPERM))
    return first_part(machine) + _packed(filters)


@functools.cache
def first_part(machine: str) -> bytes:
    """The part of the filter that is the same for every process: a fork server makes it once for all its copies."""
    mark, _, table, looked_at = MACHINES[machine]
    numbers = sorted(int(word) for word in table.split()[1::2])
    filters = [(LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, mark), (RETURN, 0, 0, KILL), (LOAD, 0, 0, NUMBER)]
    if machine == "x86_64":
        filters += [(GREATER_EQUAL, 0, 1, X32), (RETURN, 0, 0, FAIL | ENOSYS)]
    for number in numbers:
        filters += [(EQUAL, 0, 1, number), (RETURN, 0, 0, ALLOW)]
    filters += [(EQUAL, 0, 1, looked_at["clone3"]), (RETURN, 0, 0, FAIL | ENOSYS)]  # the older call can be looked at
    return _packed(filters)


def _packed(filters: list[tuple[int, int, int, int]]) -> bytes:
    return b"".join(struct.pack("=HBBI", *each) for each in filters)


def confine() -> None:
    """Put the filter on this process. Raises Unfiltered where that is not possible."""
    machine = platform.machine()
    if not is_known():
        raise Unfiltered(f"there is no table of system calls for {machine}")
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    text = program(machine, os.getpid())
    held = ctypes.create_string_buffer(text, len(text))
    head = struct.pack("@HxxxxxxP", len(text) // 8, ctypes.addressof(held))
    libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.syscall(MACHINES[machine][1], SET_FILTER, EVERY_THREAD, head):
        raise Unfiltered(f"the system takes no filter: {os.strerror(ctypes.get_errno())}")


def _only(number: int, argument: int, value: int, *, whole: bool = False) -> list[tuple[int, int, int, int]]:
    """Let a call through if an argument has one value: its lower half, or the whole of it."""
    at = ARGUMENTS + 8 * argument
    low, high = (at, at + 4) if sys.byteorder == "little" else (at + 4, at)
    more = [(LOAD, 0, 0, high), (EQUAL, 0, 3, 0)] if whole else []
    # After its arguments were loaded, a number is not there any more: what does not fit fails at once.
    test = [*more, (LOAD, 0, 0, low), (EQUAL, 0, 1, value), (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, FAIL | EPERM)]
    return [(EQUAL, 0, len(test), number), *test]
