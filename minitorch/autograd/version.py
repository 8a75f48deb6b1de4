"""Version: when memory was last written to, so that backward knows which saved numbers are no longer what they were.

Every view of an array, every detach() and every node that saved a part of it leads to the one array that owns the
memory. What is known of writes stands there, once and for all of them, by the clock that numbers the nodes:

    write      version of the owner = now
    backward   is a saved array's version newer than its node? then the gradient would be wrong, and an error says so

What NumPy writes into an array that a program holds (`t.data[0] = 1`) passes unseen; detect_anomaly sees that, too.

A recorded change leaves the memory as it is, for the graph, and the Tensor moves on. Another Tensor that shows the old
memory, such as a view that was taken before, would not see the change: the memory counts as left, and using it raises.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from minitorch.autograd.node import Node, next_uid
from minitorch.backend import StandIn, is_array, on_gpu

if TYPE_CHECKING:
    from minitorch.autograd.locks import Locked

Region = tuple[int, tuple[int, ...], tuple[int, ...]]
Written = tuple[int, str]


class Version(weakref.ref[Any]):
    """What is known of one piece of memory; it *is* the weak reference to the array that owns it.

    written: when it was last written to, 0 for never, and by what. left: what moved on from here, which part of the
    memory it showed, and the number of its new place; None for memory that nobody left. locked: what detect_anomaly has
    made read-only (locks.py), None for nothing.
    """

    __slots__ = ("key", "left", "locked", "written")

    key: int
    left: tuple[str, Region, int] | None
    locked: Locked | None
    written: Written


class Versions(dict[int, Version]):
    """The version of each owner by its identity, for as long as it lives. last: when anything was written to."""

    __slots__ = ("last",)

    def __init__(self) -> None:
        super().__init__()
        self.last = 0


# Facts about memory, as the clock is one about time, and no settings.
_versions = Versions()
LEFT: dict[int, Version] = {}
find: Callable[[int], Version | None] = _versions.get


def owner(array: Any) -> Any:
    """The array that owns the memory which this one shows: itself, or the end of its chain of bases.

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


def version_of(array: Any) -> Version:
    """What is known of the memory that the array shows."""
    if array.base is not None:
        array = owner(array)
    version = _versions.get(id(array))
    if version is None:
        version = Version(array, _forget)
        version.key, version.left, version.locked, version.written = id(array), None, None, (0, "")
        _versions[version.key] = version
    return version


def _forget(version: Version) -> None:
    _versions.pop(version.key, None)
    LEFT.pop(version.key, None)


def writing(by: str) -> Written:
    """What is put down in the version of all memory that is written to now: when, and by what."""
    _versions.last = now = next_uid()
    return now, by


def stamp(array: Any, by: str) -> None:
    """Says that the memory which the array shows is written to now, and by what."""
    version_of(array).written = writing(by)


def require_unchanged(nodes: Iterable[Node]) -> None:
    """Raises RuntimeError if one of the nodes, which come oldest first, saved numbers that were written to since."""
    last = _versions.last
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
    """What wrote into one of the values after number `uid`, and that value's shape."""
    for value in values:
        if isinstance(value, (tuple, list, dict)):
            found = _written_since(uid, value.values() if isinstance(value, dict) else value)
            if found is not None:
                return found
            continue
        array = getattr(value, "_data", value)
        if is_array(array):
            version = _versions.get(id(array if array.base is None else owner(array)))
            if version is not None and version.written[0] > uid:
                return version.written[1], array.shape
    return None


# -- memory that a Tensor has left -------------------------------------------------------------------------------------


def leave(version: Version, by: str, region: Region, place: int) -> None:
    """Says that a Tensor which showed `region` of this memory has moved on to the place of that number.

    Nothing is noted if nobody else holds the memory.
    """
    if version() is not None:
        version.left = (by, region, place)
        LEFT[version.key] = version


def come_back(part: Any, place: int) -> bool:
    """Says that the Tensor which moved on to `place` is written back to the part of memory that it was taken from.

    False if it was another part, or another Tensor.
    """
    version = LEFT.get(id(owner(part)))
    if version is None or version.left is None or version.left[1:] != (region(part), place):
        return False
    del LEFT[version.key]
    return True


def require_here(name: str, values: Iterable[Any]) -> None:
    """Raises RuntimeError if a Tensor among the values shows memory that was left. Asked where LEFT has entries."""
    for value in values:
        array: Any = getattr(value, "_data", None)
        version = LEFT.get(id(owner(array))) if is_array(array) else None
        if version is not None and version.left is not None:
            raise RuntimeError(
                f"{name}: a Tensor of shape {array.shape} is out of date: {version.left[0]} has changed, recorded, "
                f"another that shared its memory: take the view, or detach(), again after the change, or change a "
                f"clone()"
            )


def out_of_date(array: Any) -> bool:
    """True for an array that shows memory which was left."""
    return bool(LEFT) and id(owner(array)) in LEFT


def region(array: Any) -> Region:
    """Which part of its memory an array shows."""
    if isinstance(array, StandIn):
        array = array.value
    start: int = array.data.ptr if on_gpu(array) else array.__array_interface__["data"][0]
    return start, array.shape, array.strides
