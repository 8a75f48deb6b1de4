"""Prefetched: batches made ahead of time, in one thread."""

from __future__ import annotations

import contextvars
import threading
import weakref
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

__all__ = ["Prefetched"]


class Prefetched(Iterator[Any]):
    """The items of an iterator in their order, up to `ahead` of them made before they are asked for.

    An error of the iterator is raised here, in its place. The thread ends with the items, with `close`, or when
    nobody holds this object any longer: it knows the queue, not the object.
    """

    def __init__(self, items: Iterator[Any], ahead: int) -> None:
        self._made: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self._room = threading.Semaphore(ahead)
        stopped = threading.Event()
        context = contextvars.copy_context()  # no_grad, the default dtype: as where the loop is
        work = (_produce, items, self._made, self._room, stopped)
        self._thread = threading.Thread(target=context.run, args=work, name="minitorch-prefetch", daemon=True)
        self._over = False
        self.close = weakref.finalize(self, _stop, stopped, self._room)
        self._thread.start()

    def __next__(self) -> Any:
        if self._over:
            raise StopIteration
        kind, value = self._made.get()
        if kind == "item":
            self._room.release()
            return value
        self._over = True
        if kind == "error":
            raise value
        raise StopIteration


def _produce(
    items: Iterator[Any], made: SimpleQueue[tuple[str, Any]], room: threading.Semaphore, stopped: threading.Event
) -> None:
    try:
        while True:
            room.acquire()
            if stopped.is_set():
                return
            made.put(("item", next(items)))
    except StopIteration:
        made.put(("end", None))
    except BaseException as error:  # noqa: BLE001 (whatever it is, it belongs to whoever asks for the item)
        made.put(("error", error))


def _stop(stopped: threading.Event, room: threading.Semaphore) -> None:
    stopped.set()
    room.release()
