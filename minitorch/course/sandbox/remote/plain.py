"""Values that cross as they are, without a ref: numbers, slices, bytes, dtypes, NumPy's numbers, plain classes."""

from __future__ import annotations

import builtins
import sys

TYPE_CHECKING = False  # as in wire.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from minitorch.course.sandbox import wire
elif not __package__:
    import wire
else:
    from minitorch.course.sandbox import wire

MAX_BYTES = 1 << 20
STATE, WORD = 625, 1 << 32  # a `random.Random`'s state: its numbers, and what each of them is less than
PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, slice, range, object, type(None))
BUILTIN = {each.__name__: each for each in PLAIN} | {
    name: each for name, each in vars(builtins).items() if isinstance(each, type) and issubclass(each, BaseException)
}
NAMES = {each: name for name, each in BUILTIN.items()}
OF_NUMPY = frozenset(
    f"numpy.{name}"
    for name in (
        *("ndarray", "dtype", "generic", "number", "integer", "floating", "inexact", "bool", "float16", "float32"),
        *("float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "complex64"),
        *("complex128", "signedinteger", "unsignedinteger", "complexfloating"),
    )
)


def pack(value: Any, kind: type, inner: Callable[[Any], Any]) -> list[Any] | None:
    """A value as it stands in a message, or None when it is none of these; `inner` packs what it holds."""
    packer = PACKERS.get(kind)
    if packer is not None:
        return packer(value, inner)
    if kind is type and value in NAMES:
        return ["p", NAMES[value]]
    numpy = sys.modules.get("numpy")
    return None if numpy is None else _of_numpy(value, kind, numpy)


def is_never(kind: type) -> bool:
    """Whether no value of this kind crosses as it is."""
    if kind in PACKERS or kind is type:
        return False
    numpy = sys.modules.get("numpy")
    others = [getattr(numpy, name, None) for name in ("generic", "dtype")]
    return numpy is None or not any(isinstance(each, type) and issubclass(kind, each) for each in others)


def is_random(kind: type) -> bool:
    """Whether a thing of this kind is a `random.Random`, which both sides have: its state crosses, not each draw."""
    return kind is getattr(sys.modules.get("random"), "Random", None)


def state_of(generator: Any) -> list[Any]:
    """A generator's state, as it stands in a message."""
    _, numbers, next_gauss = generator.getstate()
    return [next_gauss, *numbers]


def set_state(generator: Any, state: list[Any]) -> None:
    """Give a generator a state. Raises WireError for what is none."""
    next_gauss, *numbers = state or [0]
    whole = len(numbers) == STATE and all(type(each) is int and 0 <= each < WORD for each in numbers)
    if not whole or type(next_gauss) not in (float, type(None)):
        raise wire.WireError("the state of a generator that is none")
    try:
        generator.setstate((3, tuple(numbers), next_gauss))
    except ValueError:
        raise wire.WireError("the state of a generator that is none") from None


def _of_numpy(value: Any, kind: type, numpy: Any) -> list[Any] | None:
    generic, dtype = getattr(numpy, "generic", None), getattr(numpy, "dtype", None)
    if not (isinstance(generic, type) and isinstance(dtype, type)):
        return None
    if issubclass(kind, generic):
        code = value.dtype.str
        if code not in wire.DTYPES or value.dtype.type is not kind:
            return None
        item = value.item()
        return ["g", code, item.real, item.imag] if type(item) is complex else ["g", code, item]
    if issubclass(kind, dtype):
        return ["y", value.str] if value.str in wire.DTYPES else None
    if kind is type and (name := f"numpy.{value.__name__}") in OF_NUMPY and value is _class(name):
        return ["p", name]
    return None


def _bytes(value: bytes, _: object) -> list[Any] | None:
    return ["b", value.hex()] if len(value) <= MAX_BYTES else None


PACKERS: dict[type, Callable[[Any, Callable[[Any], Any]], list[Any] | None]] = {
    complex: lambda value, _: ["c", value.real, value.imag],
    slice: lambda value, inner: ["s", inner(value.start), inner(value.stop), inner(value.step)],
    range: lambda value, inner: ["R", inner(value.start), inner(value.stop), inner(value.step)],
    type(...): lambda _, __: ["e"],
    type(NotImplemented): lambda _, __: ["N"],
    bytes: _bytes,
    tuple: lambda value, _: None if value else ["t"],  # there is only one empty tuple
}


def unpack(tree: list[Any], inner: Callable[[Any], Any]) -> Any:
    """The value that `pack` was given. Raises WireError for anything that `pack` would not have made."""
    kind, *rest = tree
    if kind in ("e", "N", "t") and not rest:
        return {"e": ..., "N": NotImplemented, "t": ()}[kind]
    if kind == "c" and len(rest) == 2 and all(type(part) is float for part in rest):
        return complex(*rest)
    if kind in ("s", "R") and len(rest) == 3:
        parts = [inner(part) for part in rest]
        if kind == "s":
            return slice(*parts)
        if all(type(part) is int for part in parts) and parts[2]:
            return range(*parts)
    if len(rest) == 1 and type(rest[0]) is str:
        if kind == "b" and len(rest[0]) <= 2 * MAX_BYTES:
            return bytes.fromhex(rest[0])
        if kind == "p":
            return _class(rest[0])
        if kind == "y" and rest[0] in wire.DTYPES:
            import numpy as np

            return np.dtype(rest[0])
    if kind == "g" and len(rest) in (2, 3) and type(rest[0]) is str and rest[0] in wire.DTYPES:
        return _number(rest[0], rest[1:])
    raise wire.WireError("a value of an unknown kind")


def _class(name: str) -> Any:
    """The plain class of a name; nothing else has a name here."""
    if name in BUILTIN:
        return BUILTIN[name]
    if name in OF_NUMPY:
        import numpy as np

        found = getattr(np, name.removeprefix("numpy."), None)
        if isinstance(found, type):
            return found
    raise wire.WireError("a class that is no plain one")


def _number(code: str, parts: list[Any]) -> Any:
    import numpy as np

    if any(type(part) not in (bool, int, float) for part in parts) or (len(parts) == 2) != ("c" in code):
        raise wire.WireError("a number of NumPy that is none")
    try:
        return np.dtype(code).type(complex(*parts) if len(parts) == 2 else parts[0])
    except (OverflowError, ValueError, TypeError):
        raise wire.WireError("a number of NumPy that is none") from None
