"""Version counters: when memory was last written to, and which views of it are stale.

Every view of an array, every detach() and every node that saved a part of it leads to the one array that owns the
memory. Its version counter holds what is known of writes, by the clock that numbers the nodes:

    write      version of the owner = now
    backward   is a saved array's version newer than its node? then the gradient would be wrong, and an error says so

What NumPy writes into an array that a program holds (`t.data[0] = 1`) passes unseen; detect_anomaly sees that, too.

A recorded change in place leaves the memory as it is, for the graph, and gives the Tensor new memory. Another Tensor
that shows the old memory, such as a view that was taken before, would not see the change: it is stale, and using it
raises.

    mark_stale       a Tensor has moved on from this memory
    revalidate       it was written back to where it was taken from, as `t[0] += 1` does
    require_current  raise where a stale Tensor is used
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any

from minitorch.autograd.node import Node, next_uid
from minitorch.backend import StandIn, is_array, on_gpu

Region = tuple[int, tuple[int, ...], tuple[int, ...]]
Written = tuple[int, str]


class VersionCounter(weakref.ref[Any]):
    """The version of one piece of memory; it *is* the weak reference to the array that owns it.

    written: when it was last written to, 0 for never, and by what. stale: what moved on from here, which part of the
    memory it showed, and the number of its new node; None for memory that is current. holders, read_only: how many
    nodes hold this memory under detect_anomaly, and which of its arrays were made read-only for them.
    """

    __slots__ = ("holders", "key", "read_only", "stale", "written")

    key: int
    stale: tuple[str, Region, int] | None
    holders: int
    read_only: tuple[Any, ...]
    written: Written


class _Counters(dict[int, VersionCounter]):
    """The counter of each owner by its identity, for as long as it lives. last: when anything was written to."""

    last = 0


# Global, as memory is: no setting of a thread or task.
_counters = _Counters()
STALE: dict[int, VersionCounter] = {}
find: Callable[[int], VersionCounter | None] = _counters.get


def owner(array: Any) -> Any:
    """Return the array that owns the memory which this one shows: itself, or the end of its chain of bases.

    >>> numbers = np.zeros(6)
    >>> owner(numbers.reshape(2, 3)[0]) is numbers
    True
    """
    base = array.base
    while base is not None:
        if is_array(base):
            array = base
        base = getattr(base, "base", None)  # as_strided puts an object of its own between two arrays
    return array


def version_of(array: Any) -> VersionCounter:
    """Return the version counter of the memory that the array shows."""
    if array.base is not None:
        array = owner(array)
    version = _counters.get(id(array))
    if version is None:
        version = VersionCounter(array, _forget)
        version.key, version.stale, version.written = id(array), None, (0, "")
        version.holders, version.read_only = 0, ()
        _counters[version.key] = version
    return version


def _forget(version: VersionCounter) -> None:
    _counters.pop(version.key, None)
    STALE.pop(version.key, None)


def writing(by: str) -> Written:
    """Return a new version for all memory that is written to now: when, and by what."""
    _counters.last = now = next_uid()
    return now, by


def stamp(array: Any, by: str) -> None:
    """Give the memory that the array shows a new version: it is written to now."""
    version_of(array).written = writing(by)


def require_unchanged(nodes: Iterable[Node]) -> None:
    """Raise RuntimeError if one of the nodes, which come oldest first, saved numbers that were written to since."""
    last = _counters.last
    for node in nodes:
        if node.uid > last:
            return
        found = _written_since(node.uid, node.saved) if node.saved else None
        if found is not None:
            by, shape = found
            raise RuntimeError(
                f"{node.op} saved numbers of shape {shape} for its gradient, which {by} has changed in place since: "
                f"call backward() before the change, compute the result again after it, or change a clone()"
            )


def _written_since(uid: int, values: Iterable[Any]) -> tuple[str, tuple[int, ...]] | None:
    """Return what wrote into one of the values after number `uid`, and that value's shape."""
    for value in values:
        if isinstance(value, (tuple, list, dict)):
            found = _written_since(uid, value.values() if isinstance(value, dict) else value)
            if found is not None:
                return found
            continue
        array = getattr(value, "_data", value)
        if is_array(array):
            version = find(id(array if array.base is None else owner(array)))
            if version is not None and version.written[0] > uid:
                return version.written[1], array.shape
    return None


def mark_stale(version: VersionCounter, by: str, region: Region, uid: int) -> None:
    """Make what shows this memory stale: a Tensor that showed `region` of it has moved on to the node of that number.

    Nothing is noted if nobody else holds the memory.
    """
    if version() is not None:
        version.stale = (by, region, uid)
        STALE[version.key] = version


def revalidate(part: Any, uid: int) -> bool:
    """Make memory current again: the Tensor that moved on to node `uid` is written back to the part it came from.

    Returns False if it was another part, or another Tensor.
    """
    version = _stale_version(part)
    if version is None or version.stale is None or version.stale[1:] != (region(part), uid):
        return False
    del STALE[version.key]
    return True


def require_current(name: str, values: Iterable[Any]) -> None:
    """Raise RuntimeError if a Tensor among the values is stale.

    Callers ask `if STALE:` first, which is nearly always empty: calls for each operation slow a chain by a quarter.
    """
    for value in values:
        array: Any = getattr(value, "_data", None)
        version = _stale_version(array) if is_array(array) else None
        if version is not None and version.stale is not None:
            raise RuntimeError(
                f"{name}: a Tensor of shape {array.shape} is out of date: {version.stale[0]} has changed, recorded, "
                f"another that shared its memory: take the view, or detach(), again after the change, or change a "
                f"clone()"
            )


def is_stale(array: Any) -> bool:
    """Return True for an array that shows stale memory."""
    return bool(STALE) and _stale_version(array) is not None


def _stale_version(array: Any) -> VersionCounter | None:
    return STALE.get(id(owner(array)))


def region(array: Any) -> Region:
    """Return which part of its memory an array shows: address, shape and strides."""
    if isinstance(array, StandIn):
        array = array.value
    start: int = array.data.ptr if on_gpu(array) else array.__array_interface__["data"][0]
    return start, array.shape, array.strides
