"""Plain values between the parent and the child that runs the learner's code: a JSON header and raw array bytes.

A frame is `magic, header length, body length, header, body`. Everything is bounded (bytes, items, depth, dtypes,
dimensions) before it is believed, and nothing in it can name code: there is no pickle and no .npy here.
Only exact plain types travel. A subclass, a NumPy scalar, an object of the learner's own: each arrives as `Opaque`,
which knows the name of the type and nothing else, so no method of the learner's ever runs in the parent.

The child loads this file by itself, without the rest of the package: it imports the standard library only, and NumPy
when an array comes along.
"""

from __future__ import annotations

import json
import struct
import sys

TYPE_CHECKING = False  # `typing` and `dataclasses` would take longer to import than all the rest of the child
if TYPE_CHECKING:
    from typing import IO, Any

MAGIC = b"mtw1"
HEAD = struct.Struct("<4sII")
MAX_HEADER = 2 << 20
MAX_BODY = 64 << 20
MAX_ITEMS = 20_000  # a judge may look at each more than once
MAX_DEPTH = 24
MAX_DIMS = 16
MAX_TEXT = 100_000
MAX_INT_BITS = 256
DTYPES = frozenset({"|b1", "|i1", "|u1", *(f"<{kind}{size}" for kind in "iu" for size in (2, 4, 8))})
DTYPES |= {"<f2", "<f4", "<f8", "<c8", "<c16"}
BETWEEN = b"\0|\0"  # stands in what was printed before each of several calls, and after the last
NUMBERS = ("float64", "float32", "float16", "int64", "int32", "int16", "int8", "bool_")  # NumPy's, sent with a value


AT_ONCE = 1 << 20  # bytes: no more is asked of a pipe at a time, whatever a frame says of its length
WRITTEN = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode  # what is written is a tree
READ = json.JSONDecoder().raw_decode


class WireError(Exception):
    """A value that does not fit on the wire, or a frame that is not what it should be."""


class Opaque:
    """Stands for an object that is not plain data: the name of its type is known and, of a NumPy number, its value."""

    __slots__ = ("type_name", "value")

    def __init__(self, type_name: str, value: float | None = None) -> None:
        self.type_name = type_name
        self.value = value

    def __repr__(self) -> str:
        return f"Opaque({self.type_name!r})"


class _Packer:
    """Turns a value into JSON-ready lists and collects the arrays' bytes beside them."""

    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self.items = 0
        self.bytes = 0

    def pack(self, value: Any, depth: int = 0) -> Any:
        self.items += 1
        if self.items > MAX_ITEMS:
            raise WireError(f"more than {MAX_ITEMS} items")
        if depth > MAX_DEPTH:
            raise WireError(f"nested more than {MAX_DEPTH} levels deep")
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if kind is int:
            return value if value.bit_length() <= MAX_INT_BITS else ["o", "int of more than 256 bits"]
        if kind is str:
            if len(value) > MAX_TEXT:
                raise WireError(f"a text of more than {MAX_TEXT} characters")
            return value
        if kind is list or kind is tuple:
            return ["l" if kind is list else "t", *[self.pack(item, depth + 1) for item in value]]
        if kind is dict:
            return ["d", *[[self.pack(k, depth + 1), self.pack(v, depth + 1)] for k, v in value.items()]]
        if kind is complex:
            return ["c", value.real, value.imag]
        if kind is Opaque:
            return ["o", value.type_name] if value.value is None else ["o", value.type_name, value.value]
        numpy = sys.modules.get("numpy")
        if numpy is not None and kind is getattr(numpy, "ndarray", None):
            return self._pack_array(value)
        if numpy is not None and any(kind is getattr(numpy, name, None) for name in NUMBERS):
            return ["o", _name(kind), value.item()]
        return ["o", _name(kind)]

    def _pack_array(self, array: Any) -> Any:
        dtype = array.dtype.newbyteorder("<")
        if dtype.str not in DTYPES:
            return ["o", f"array of {array.dtype}"]
        self.bytes += array.nbytes
        if self.bytes > MAX_BODY:
            raise WireError(f"arrays of more than {MAX_BODY >> 20} MiB")
        self.chunks.append(array.astype(dtype, order="C", copy=False).tobytes())
        return ["a", dtype.str, list(array.shape)]


def _name(kind: type) -> str:
    """`module.name` of a type without running any code of that type."""
    try:
        name = type.__dict__["__qualname__"].__get__(kind)
        module = type.__dict__["__module__"].__get__(kind)
    except AttributeError:
        return "object"
    if type(name) is not str or type(module) is not str:
        return "object"
    return name[:100] if module == "builtins" else f"{module}.{name}"[:100]


class _Unpacker:
    """Turns JSON lists and raw bytes back into values, checking every bound."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.offset = 0
        self.items = 0

    def unpack(self, tree: Any, depth: int = 0) -> Any:
        self.items += 1
        if self.items > MAX_ITEMS or depth > MAX_DEPTH:
            raise WireError("a value that is too large")
        if tree is None or type(tree) in (bool, float, str):
            return tree
        if type(tree) is int:
            if tree.bit_length() > MAX_INT_BITS:
                raise WireError("an int that is too large")
            return tree
        if type(tree) is not list or not tree or type(tree[0]) is not str:
            raise WireError("a value without its kind")
        kind, rest = tree[0], tree[1:]
        if kind == "l":
            return [self.unpack(item, depth + 1) for item in rest]
        if kind == "t":
            return tuple(self.unpack(item, depth + 1) for item in rest)
        if kind == "d":
            return dict(self._pair(pair, depth + 1) for pair in rest)
        if kind == "c" and len(rest) == 2 and all(type(part) is float for part in rest):
            return complex(*rest)
        if kind == "o" and 1 <= len(rest) <= 2 and type(rest[0]) is str:
            return Opaque(rest[0][:100], self._number(rest[1]) if len(rest) == 2 else None)
        if kind == "a" and len(rest) == 2:
            return self._array(rest[0], rest[1])
        raise WireError("a value of an unknown kind")

    def _number(self, number: Any) -> float:
        if type(number) not in (bool, int, float) or (type(number) is int and number.bit_length() > MAX_INT_BITS):
            raise WireError("a NumPy number that is none")
        return float(number)

    def _pair(self, pair: Any, depth: int) -> tuple[Any, Any]:
        if type(pair) is not list or len(pair) != 2:
            raise WireError("a dict entry that is not a pair")
        key = self.unpack(pair[0], depth)
        if not isinstance(key, (str, int, float, tuple, Opaque, type(None))):
            raise WireError("a dict key that is not plain")
        try:
            hash(key)
        except TypeError:
            raise WireError("a dict key that cannot be hashed") from None
        return key, self.unpack(pair[1], depth)

    def _array(self, dtype: Any, shape: Any) -> Any:
        if type(dtype) is not str or dtype not in DTYPES:
            raise WireError("an array of an unknown dtype")
        if type(shape) is not list or len(shape) > MAX_DIMS:
            raise WireError("an array with a shape that is not one")
        count = 1
        for length in shape:
            if type(length) is not int or not 0 <= length <= MAX_BODY:
                raise WireError("an array with an impossible axis")
            count *= length
        size = count * int(dtype[2:])
        if size > len(self.body) - self.offset:
            raise WireError("an array that is longer than its frame")
        import numpy as np

        array = np.frombuffer(self.body, dtype=dtype, count=count, offset=self.offset)
        self.offset += size
        try:
            return array.reshape(shape).astype(array.dtype.newbyteorder("="), copy=True)
        except ValueError:
            raise WireError("an array with an impossible shape") from None


def encode(value: Any) -> tuple[Any, bytes]:
    """A value as a JSON tree and the bytes of its arrays. Raises WireError when it is too large."""
    packer = _Packer()
    tree = packer.pack(value)
    return tree, b"".join(packer.chunks)


def decode(tree: Any, body: bytes) -> Any:
    """The value that `encode` was given. Raises WireError for anything that `encode` would not have made."""
    unpacker = _Unpacker(body)
    value = unpacker.unpack(tree)
    if unpacker.offset != len(body):
        raise WireError("bytes that belong to no array")
    return value


def frame(header: dict[str, Any], body: bytes = b"") -> bytes:
    """One frame. Raises WireError when it is too large."""
    text = WRITTEN(header).encode("ascii")
    if len(text) > MAX_HEADER:
        raise WireError(f"more than {MAX_HEADER >> 20} MiB of values")
    return HEAD.pack(MAGIC, len(text), len(body)) + text + body


def read_frame(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """The next frame as `(header, body)`, or None at the end of the stream.

    Raises WireError when the bytes are no frame; the bytes that were read instead are the error's second argument.
    """
    head = _read(stream, HEAD.size)
    if not head:
        return None
    if len(head) < HEAD.size or not head.startswith(MAGIC):
        raise WireError("not a frame", head)
    _, header_size, body_size = HEAD.unpack(head)
    if header_size > MAX_HEADER or body_size > MAX_BODY:
        raise WireError("a frame that is too large", b"")
    data = _read(stream, header_size + body_size)
    if len(data) < header_size + body_size:
        raise WireError("half a frame", b"")
    text, body = (data[:header_size], data[header_size:]) if body_size else (data, b"")
    try:
        header, end = READ(text.decode("ascii"))
    except (ValueError, RecursionError):
        raise WireError("a frame whose header is not JSON", b"") from None
    if type(header) is not dict or end != header_size:
        raise WireError("a frame without a header", b"")
    return header, body


def end_of_prints(request_id: str) -> bytes:
    """What stands in the learner's output where the output of one request ends."""
    return b"\0" + request_id.encode("ascii") + b"\0"


def _read(stream: IO[bytes], size: int) -> bytes:
    part = stream.read(min(size, AT_ONCE))
    if not part or len(part) == size:
        return part or b""
    parts = [part]
    size -= len(part)
    while size > 0:
        part = stream.read(min(size, AT_ONCE))
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
