"""Identity: `==` of Tensors asks whether both are the same Tensor. Elementwise comparison is `.eq(...)`.

So a Tensor can be a key in a dict, and `p in parameters` finds p. Nothing is silent where numbers were meant: `==`
with a number or an array, which is always False, warns, and the Python bool that such a comparison gives is refused
where a mask is meant.
"""

from __future__ import annotations

from typing import Any

from minitorch.autograd.tensor_base import as_array
from minitorch.errors import DtypeError

SENTENCES = {
    "==": "== compares Tensors by identity; elementwise is .eq(...)",
    "!=": "!= compares Tensors by identity; elementwise is .ne(...)",
}


def refuse_bool(name: str, what: str, value: Any) -> None:
    """Raise TypeError for a Python bool where many bools are meant: mostly it is what `==` of two Tensors gave."""
    if isinstance(value, bool):
        raise TypeError(
            f"{name}: {what} is the Python bool {value}: {SENTENCES['==']}. One bool for all is Tensor({value})"
        )


def as_values(name: str, value: Any) -> Any:
    """Return `value` as an array, unless it is a Python bool. Raises TypeError then."""
    refuse_bool(name, "the input", value)
    return as_array(value)


def as_mask(name: str, what: str, value: Any) -> Any:
    """Return a mask as an array of bools. Raises TypeError for anything else, and for a Python bool."""
    refuse_bool(name, what, value)
    array = as_array(value)
    if array.dtype.kind != "b":
        raise DtypeError(f"{name}: {what} must be made of bools, not {array.dtype}: compare, as in x > 0")
    return array
