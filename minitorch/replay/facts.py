"""Facts: what stood in each place that a step sees, to ask for, and to put back."""

from __future__ import annotations

import keyword
import math
import warnings
from contextvars import Context, ContextVar
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

PLAIN = (bool, int, float, str, bytes, type(None))
_ACTION = itemgetter(0)
_LOUD = frozenset(("raise", "call"))
ABSENT = object()
"""What stands where nothing does."""


class Fact(NamedTuple):
    """In `holder` stands `value` under `key`.

    kind: "item" (of a list), "entry" (of a dict), "absent" (no such key in what the object or class has of its own, or
    in the globals), "attribute", "size" (of a list), "keys" (of a dict, in their order), "members" (of a set), or
    "bits" (of an array).
    """

    kind: str
    holder: Any
    key: Any
    value: Any
    name: str

    def now(self) -> Any:
        """What stands there now."""
        if self.kind in _WHOLE:
            return _WHOLE[self.kind](self.holder)
        if self.kind == "absent":
            return _space(self.holder).get(self.key, ABSENT)
        if self.kind == "entry":
            return self.holder.get(self.key, ABSENT)
        if self.kind == "item":
            return self.holder[self.key] if self.key < len(self.holder) else ABSENT
        return _attribute(self.holder, self.key)

    def holds(self) -> bool:
        """The same still stands there; an equal number will do."""
        now = self.now()
        if self.kind == "absent":
            return now is ABSENT
        return now is self.value or (
            type(now) is type(self.value)
            and (type(now) in PLAIN or self.kind in _WHOLE)
            and bool(now == self.value)
            and repr(now) == repr(self.value)  # of -0.0 and 0.0, too
        )

    def restore(self) -> None:
        """Puts it back."""
        if self.kind == "absent":
            if isinstance(self.holder, dict):
                self.holder.pop(self.key, None)
            elif not self.holds():
                delattr(self.holder, self.key)
        elif not self.holds():
            self.put(self.value)

    def put(self, value: Any) -> None:
        """Puts something in the place."""
        if self.kind == "bits" or self.key == "__mro__":  # put back otherwise: from a copy, and by the bases
            return
        if self.kind == "attribute" and value is ABSENT:
            delattr(self.holder, self.key)
        elif self.kind == "attribute":
            setattr(self.holder, self.key, value)
        elif hasattr(type(self.holder), "__setitem__"):
            self.holder[self.key] = value

    def can_be_put(self) -> bool:
        """Something else can stand there for a while."""
        try:
            self.put(self.value)
        except (AttributeError, TypeError):  # of a frozen dataclass, of a property
            return False
        return self.kind == "attribute" or hasattr(type(self.holder), "__setitem__")

    def question(self, named: Any) -> str:
        """The text that asks whether it holds, where `named` gives a value its name in that text."""
        holder, known = named(self.holder), named(self.value)
        if self.kind in _WHOLE:
            text = f"{_TEXTS[self.kind].format(holder)} == {known}"
            if self.kind in ("keys", "members") and any(type(each) is not str for each in self.value):
                text += f" and repr({_TEXTS[self.kind].format(holder)}) == {repr(self.value)!r}"  # of 1 and True
            return text
        if self.value is ABSENT:
            return f"attribute({holder}, {self.key!r}) is {known}"
        key = repr(self.key) if type(self.key) in (str, int) else named(self.key)
        if self.kind == "absent":
            return f"{key} not in {named(_space(self.holder))}"
        if self.kind == "attribute":
            place = f"{holder}.{self.key}" if _can_follow_a_dot(self.key) else f"getattr({holder}, {key})"
        else:
            place = entry(holder, key, self.holder) if self.kind == "entry" else f"{holder}[{key}]"
        if type(self.value) is np.ndarray:  # whose shape can be set
            dtype = named(self.value.dtype)
            return f"(seen := {place}) is {known} and seen.shape == {self.value.shape} and seen.dtype == {dtype}"
        if type(self.value) not in PLAIN:
            return f"{place} is {known}"
        same = "" if self.value or type(self.value) is not float else f" and copysign(1, seen) == {_sign(self.value)}"
        return f"((seen := {place}) is {known} or type(seen) is type({known}) and seen == {known}{same})"


def _can_follow_a_dot(name: str) -> bool:
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name)


def entry(name: str, key: str, holder: Any) -> str:
    """The text for what stands in a dict under a key. To ask for an entry by [] makes it in a dict with defaults."""
    return f"{name}[{key}]" if type(holder) is dict else f"{name}.get({key})"


def _attribute(holder: Any, name: str) -> Any:
    try:
        return getattr(holder, name)
    except (AttributeError, ValueError):  # ValueError: a variable of a closure that is empty
        return ABSENT


_WHOLE: dict[str, Any] = {"size": len, "keys": list, "members": frozenset, "bits": lambda holder: bits_of(holder)}
_TEXTS = {"size": "len({})", "keys": "[*{}]", "members": "frozenset({})", "bits": "bits({})"}


def _space(holder: Any) -> Any:
    """What an object or a class has of its own."""
    return holder if isinstance(holder, dict) else vars(holder)


def _sign(value: float) -> float:
    return math.copysign(1, value)


def bits_of(holder: Any) -> bytes:
    """The bits of an array, of NumPy's or of Python's."""
    if isinstance(holder, np.ma.MaskedArray):
        return bits_of(holder.data) + bits_of(np.ma.getmaskarray(holder))
    bits: bytes = holder.tobytes() if hasattr(holder, "tobytes") else bytes(holder)
    return bits


QUESTIONS: dict[str, Any] = {
    "attribute": _attribute,
    "bits": bits_of,
    "copysign": math.copysign,
    "frozenset": frozenset,
    "getattr": getattr,
    "len": len,
    "list": list,
    "type": type,
}
"""What the texts of questions call."""


def numpy_raises() -> bool:
    """Whether NumPy is told, by `np.errstate` or `np.seterr`, to raise an error or to call somebody."""
    return not _LOUD.isdisjoint(np.geterr().values())


def numpy_settings() -> ContextVar[Any] | None:
    """Where NumPy keeps what it is told of errors; None if it cannot be found. To ask NumPy takes ten times as long."""
    context = Context()
    context.run(np.seterr, all="ignore")
    found = list(context)
    return found[0] if len(found) == 1 else None


def warnings_raise() -> bool:
    """Whether Python is told to raise the warning that NumPy gives when a number grows too large."""
    return "error" in map(_ACTION, warnings.filters) and any(
        each[0] == "error" and issubclass(RuntimeWarning, each[2]) for each in warnings.filters
    )


def is_number_array(value: Any) -> bool:
    """Whether it is an array that a trace can follow."""
    return type(value) is np.ndarray and value.dtype.kind in "biufc"
