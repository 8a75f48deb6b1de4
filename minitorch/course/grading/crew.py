"""Who judges: processes of this machine, or the workers of a Dask cluster. Both are asked as an Executor is."""

from __future__ import annotations

import gc
import importlib
import ipaddress
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.queues import SimpleQueue
from typing import Any, Protocol
from urllib.parse import urlsplit

from minitorch.course.course_error import CourseError
from minitorch.course.grading.judged import Job, judge
from minitorch.course.grading.store import Result
from minitorch.language import Message

Judge = Callable[[Job], list[Result]]


GARBAGE = 50_000  # so many things more than there were are looked through for garbage: verdicts are none
GONE = ("closing", "closed")  # what a Dask client says of itself when it has tried in vain to reach its scheduler again


class NobodyLeftError(CourseError):
    """Who judged cannot be reached any more: what is out will not come back."""


class Crew(Protocol):
    """Those who judge."""

    width: int  # how many hand-ins are worth having out at a time

    def submit(self, job: Job) -> Future[list[Result]]:
        """Have a hand-in judged."""
        ...

    def check(self) -> None:
        """Raise NobodyLeftError when what is out will never come back."""
        ...

    def renew(self) -> None:
        """Go on after a worker has died."""
        ...

    def close(self) -> None:
        """End at once."""
        ...


class Processes:
    """Processes of this machine. They end when their parent does, however it ends.

    with closing(Processes(4)) as crew:
        results = crew.submit(job).result()
    """

    def __init__(self, workers: int, judge: Judge = judge) -> None:
        self.workers = workers
        self.width = 2 * workers
        self._judge = judge
        self._pool: Executor | None = None
        self._leash: Connection | None = None

    def submit(self, job: Job) -> Future[list[Result]]:
        """Have a hand-in judged; a pool is started for the first one."""
        if self._pool is None:
            held, self._leash = multiprocessing.Pipe(duplex=False)
            context = multiprocessing.get_context("spawn")
            places = context.SimpleQueue()
            for place in range(self.workers):
                places.put(place)
            self._pool = ProcessPoolExecutor(self.workers, context, initializer=_begin, initargs=(held, places))
        try:
            return self._pool.submit(self._judge, job)
        except BrokenExecutor as error:  # it broke since it was last asked
            failed: Future[list[Result]] = Future()
            failed.set_exception(error)
            return failed

    def check(self) -> None:
        """Do nothing: a pool tells of its end by itself."""

    def renew(self) -> None:
        """End these processes; the next hand-in starts others."""
        self.close()

    def close(self) -> None:
        """End the processes, whatever they are at."""
        if self._leash is not None:
            self._leash.close()
            self._leash = None
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


class Cluster:
    """The workers of a Dask cluster, by its scheduler's address. They have this version of minitorch installed.

    Raises CourseError where Dask is not installed, where the address is open to others, or where nobody answers.
    """

    def __init__(self, address: str, *, insecure: bool = False, judge: Judge = judge) -> None:
        if not insecure and not is_safe(address):
            raise CourseError(
                "{address} is open to everybody on the network, and submissions would travel in the "
                "clear: use tls://, or add --insecure",
                address=address,
            )
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise CourseError('a cluster needs one more package: pip install "minitorch-course[cluster]"') from None
        try:
            self._client = distributed.Client(address, timeout="15s", set_as_default=False)
        except (OSError, ValueError) as error:
            raise CourseError(
                "no Dask scheduler answers at {address} ({why})", address=address, why=type(error).__name__
            ) from None
        self._pool: Executor = self._client.get_executor(pure=False, retries=1)
        self._address, self._judge = address, judge
        self.width = max(2, 2 * sum(self._client.nthreads().values()))

    def submit(self, job: Job) -> Future[list[Result]]:
        """Have a hand-in judged. Raises NobodyLeftError."""
        self.check()
        return self._pool.submit(self._judge, job)

    def check(self) -> None:
        """Raise NobodyLeftError when the scheduler is gone: its futures are then never done."""
        if self._client.status in GONE:
            raise NobodyLeftError(
                Message(
                    "the Dask scheduler at {address} is gone. What was judged is kept: start a scheduler "
                    "and give the same command with its address, and it goes on from there",
                    address=self._address,
                )
            )

    def renew(self) -> None:
        """Do nothing: the scheduler replaces its workers."""

    def close(self) -> None:
        """Take back what is not done, and leave the cluster as it is."""
        if self._client.status not in GONE:
            self._pool.shutdown(wait=False)
        self._client.close()


def is_safe(address: str) -> bool:
    """Whether nobody else can listen: the address speaks TLS, or stays on this machine."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if parts.scheme in ("tls", "inproc"):
        return True
    try:
        return parts.hostname == "localhost" or ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return False


def _begin(leash: Connection, places: SimpleQueue[int]) -> None:
    """Begin as a worker: Ctrl-C is the parent's business, and when the parent lets go this process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stay_at(places.get())
    gc.set_threshold(GARBAGE)
    threading.Thread(target=_end_with, args=(leash,), daemon=True).start()


def _stay_at(place: int) -> None:
    """Keep this worker, and all that it will start, on one processor.

    Judge, driver and child take turns, and never work at the same time. Spread over several processors, each message
    would wait until another one wakes up.
    """
    if sys.platform == "linux":
        processors = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {processors[place % len(processors)]})


def _end_with(leash: Connection) -> None:
    leash.poll(None)  # nothing is ever sent: this returns when the other end is closed
    os._exit(1)
