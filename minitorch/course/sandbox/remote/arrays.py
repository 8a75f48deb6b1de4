"""Arrays that two processes share: the memory crosses once, then only what was written; a view stays a view.

An array that owns its memory is a root. A view is told by its root, offset and strides, so what is written through one
of them is seen through all of them on the other side too, and `np.shares_memory` says the same there.
"""

from __future__ import annotations

import math
import sys

TYPE_CHECKING = False  # as in wire.py
if TYPE_CHECKING:
    from typing import Any

    from minitorch.course.sandbox import wire
    from minitorch.course.sandbox.remote.space import Space
elif not __package__:
    import wire
else:
    from minitorch.course.sandbox import wire

LARGE = 4096  # bytes: of a larger array only the part that was written is sent
MAX_BASES = 64


class Known:
    """What the other side knows of an array."""

    __slots__ = ("array", "content", "root", "shape", "writeable")

    def __init__(self, array: Any, root: bool) -> None:
        self.array = array
        self.root = root
        self.content = array.tobytes() if root else b""
        self.shape, self.writeable = array.shape, array.flags.writeable


class Arrays:
    """One side's table of the arrays that both sides know."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.known: dict[int, Known] = {}
        self.chunks: dict[int, bytes] = {}  # of the message that is being read, by ref
        self.notes: list[tuple[Known, Any]] = []

    def describe(self, ref: int, array: Any) -> tuple[list[Any], bytes]:
        """What is said of an array that the other side has not met, and its bytes if it is a root."""
        root, code, writeable = _root(array), array.dtype.str, bool(array.flags.writeable)
        known = self.known[ref] = Known(array, root is array)
        if root is array:
            if len(known.content) > wire.MAX_BODY:
                raise wire.WireError(f"arrays of more than {wire.MAX_BODY >> 20} MiB")
            return [ref, "a", code, list(array.shape), _axes(array) or [], writeable, len(known.content)], known.content
        _, its_ref = self.space.pack(root)
        offset = _address(array) - _address(root)
        if not _is_inside(array, offset, root.nbytes):
            raise wire.WireError("a view of more memory than its array has")
        return [ref, "v", code, list(array.shape), its_ref, offset, list(array.strides), writeable], b""

    def share_out(self, new: list[Any], body: bytes) -> bytes:
        """Cut a message's bytes into those of each new root; return what is left."""
        self.chunks.clear()
        at = 0
        for definition in new:
            if type(definition) is list and len(definition) == 7 and definition[1] == "a":
                size = definition[6]
                if type(size) is not int or not 0 <= size <= len(body) - at:
                    raise wire.WireError("an array that is longer than its frame")
                self.chunks[definition[0]] = body[at : at + size]
                at += size
        return body[at:]

    def make(self, ref: int, definition: list[Any]) -> Any:
        """The array that the other side described."""
        if len(definition) == 7:
            code, shape, axes, writeable = definition[2:6]
            array = _made_root(code, shape, axes, writeable, self.chunks.pop(ref, b""))
        elif len(definition) == 8:
            array = self._made_view(*definition[2:])
        else:
            raise wire.WireError("an array that is none")
        self.known[ref] = Known(array, definition[1] == "a")
        return array

    def _made_view(self, code: Any, shape: Any, root: Any, offset: Any, strides: Any, writeable: Any) -> Any:
        import numpy as np

        base: Any = self.space.at(root) if type(root) is int else None
        whole = type(shape) is list and type(strides) is list and len(shape) == len(strides) <= wire.MAX_DIMS
        if not (is_array(base) and whole and code in wire.DTYPES and _are_ints(shape, strides, [offset])):
            raise wire.WireError("a view that is none")
        was = base.flags.writeable
        try:
            base.flags.writeable = base.flags.writeable or writeable is True
            memory = _memory(base)
            array = np.ndarray(shape, code, buffer=memory, offset=offset, strides=strides)
            array.flags.writeable = writeable is True
            base.flags.writeable = was
        except (ValueError, TypeError, OverflowError, MemoryError):
            raise wire.WireError("a view that does not fit its array") from None
        return array

    def changes(self) -> tuple[list[list[Any]], list[bytes]]:
        """What was written to or changed since the last message, and the bytes of it."""
        rows: list[list[Any]] = []
        chunks = []
        self.notes = []
        for ref, known in self.known.items():
            array = known.array
            other_shape = array.shape != known.shape
            if other_shape or array.flags.writeable is not known.writeable:
                rows.append([ref, "m", list(array.shape), bool(array.flags.writeable)])
                self.notes.append((known, None))
            if known.root and ((now := array.tobytes()) != known.content or other_shape):
                start, end = (0, len(now)) if other_shape else _written(known.content, now)
                rows.append([ref, "c", start, end - start])
                chunks.append(now[start:end])
                self.notes.append((known, now))
        return rows, chunks

    def noted(self) -> None:
        """The changes have been sent: the other side knows them."""
        for known, content in self.notes:
            known.shape, known.writeable = known.array.shape, known.array.flags.writeable
            if content is not None:
                known.content = content
        self.notes = []

    def change(self, ref: int, change: list[Any], body: bytes) -> bytes:
        """Carry out a change that the other side has made; return the bytes that are left."""
        known = self.known[ref]
        array = known.array
        if len(change) != 4:
            raise wire.WireError("a change that is none")
        try:
            if change[1] == "m":
                _reshape(array, change[2], change[3])
            elif change[1] == "c" and known.root and _are_ints([change[2], change[3]]):
                start, size = change[2], change[3]
                if start < 0 or not 0 <= size <= len(body):
                    raise wire.WireError("a change that is longer than its frame")
                content, body = known.content[:start] + body[:size] + known.content[start + size :], body[size:]
                content = content[: array.nbytes]
                _write(array, content)
                known.content = content
            else:
                raise wire.WireError("a change of an array that is none")
        except (ValueError, TypeError, OverflowError, MemoryError):
            raise wire.WireError("a change that does not fit its array") from None
        known.shape, known.writeable = array.shape, array.flags.writeable
        return body


def is_array(thing: Any) -> bool:
    """Whether a thing crosses as an array: exactly NumPy's class, and numbers that the wire knows."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and type(thing) is getattr(numpy, "ndarray", None) and thing.dtype.str in wire.DTYPES


def _root(array: Any) -> Any:
    """The array whose memory this one shows; itself, where that memory has gaps or belongs to something else."""
    root = array
    for _ in range(MAX_BASES):
        base = root.base
        if type(base).__name__ == "DummyArray":  # as_strided puts one in between
            base = base.base
        if not is_array(base):
            break
        root = base
    inside = root is not array and _axes(root) is not None
    return root if inside else array


def _axes(array: Any) -> list[int] | None:
    """The axes in the order in which memory has them, the slowest first; None where there are gaps."""
    if array.flags.c_contiguous:
        return list(range(array.ndim))
    axes = sorted(range(array.ndim), key=lambda axis: (-array.strides[axis], axis))
    return axes if array.transpose(axes).flags.c_contiguous else None


def _address(array: Any) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def _is_inside(view: Any, offset: int, size: int) -> bool:
    """Whether a view shows its root's memory and nothing before or behind it, as one of `as_strided` may."""
    steps = [(length - 1) * stride for length, stride in zip(view.shape, view.strides)]
    low, high = (offset + sum(step for step in steps if (step > 0) is up) for up in (False, True))
    return not view.size or (low >= 0 and high + view.itemsize <= size)


def _memory(root: Any) -> Any:
    """A root's memory as a row of bytes."""
    import numpy as np

    axes = _axes(root)
    if axes is None:
        raise wire.WireError("a view of an array with gaps")
    return root.transpose(axes).reshape(-1).view(np.uint8)


def _made_root(code: Any, shape: Any, axes: Any, writeable: Any, content: bytes) -> Any:
    import numpy as np

    if type(shape) is not list or type(axes) is not list or len(shape) > wire.MAX_DIMS or code not in wire.DTYPES:
        raise wire.WireError("an array that is none")
    if not _are_ints(shape, axes) or any(length < 0 for length in shape):
        raise wire.WireError("an array with an impossible axis")
    if math.prod(shape) * int(code[2:]) != len(content) or max(shape, default=0) > wire.MAX_BODY:
        raise wire.WireError("an array that is not as long as it says")
    if sorted(axes) != list(range(len(shape))):
        axes = list(range(len(shape)))
    try:
        if axes == list(range(len(shape)))[::-1]:
            array = np.empty(shape, code, order="F")
        else:
            array = np.empty([shape[axis] for axis in axes], code)
            if axes != sorted(axes):
                array = array.transpose([axes.index(axis) for axis in range(len(axes))])
        array[...] = np.frombuffer(content, code).reshape(shape)
        array.flags.writeable = writeable is True
    except (ValueError, MemoryError):
        raise wire.WireError("an array with an impossible shape") from None
    return array


def _reshape(array: Any, shape: Any, writeable: Any) -> None:
    if type(shape) is not list or not _are_ints(shape) or any(length < 0 for length in shape):
        raise wire.WireError("a shape that is none")
    if tuple(shape) != array.shape and array.flags.owndata:
        if math.prod(shape) * array.itemsize > wire.MAX_BODY:
            raise wire.WireError("a shape that is too large")
        array.resize(shape, refcheck=False)  # memory stays; the numbers are told in the order of the new shape
    elif tuple(shape) != array.shape:
        array.shape = tuple(shape)
    array.flags.writeable = writeable is True


def _write(array: Any, content: bytes) -> None:
    import numpy as np

    was = array.flags.writeable
    array.flags.writeable = True
    array[...] = np.frombuffer(content, array.dtype).reshape(array.shape)
    array.flags.writeable = was


def _written(old: bytes, new: bytes) -> tuple[int, int]:
    """Where the bytes differ: from, to."""
    if len(old) != len(new) or len(new) <= LARGE:
        return 0, len(new)
    import numpy as np

    places = np.flatnonzero(np.frombuffer(old, np.uint8) != np.frombuffer(new, np.uint8))
    return int(places[0]), int(places[-1]) + 1


def _are_ints(*lists: Any) -> bool:
    return all(type(each) is int for row in lists for each in row)
