"""Masks: the gradient passes where a mask holds and is exactly 0 elsewhere, as the rules of kinks and steps need it."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.backend import xp

# The integer as wide as each float. Making a dtype of its name would take longer than a small array.
_WORDS = {np.dtype(f"f{width}"): np.dtype(f"u{width}") for width in (2, 4, 8)}


def bits_of(values: Any) -> Any:
    """Return the bits of floats, read as unsigned integers: a view."""
    return values.view(_WORDS[values.dtype])


@primitive
def mask_bits(input: Any, mask: Any) -> Any:
    """The floats of `input` where the mask holds, exactly 0 elsewhere. dL/dinput = mask_bits(g, mask).

    >>> mask_bits(Tensor([1.0, np.inf, 3.0]), Tensor([True, False, True]))
    tensor([1., 0., 3.])
    """
    # Plainly np.where(mask, input, 0). That branches at each number, and a step of the small MLP takes 1.2 times as
    # long, one of the CNN 1.3 times. input * mask would be as quick as this, but inf · 0 is nan. A float's bits, read
    # as an integer, stay what they are times 1, and times 0 they are those of 0.0.
    return (bits_of(input) * mask).view(input.dtype)  # g · mask on the bits, so that inf · 0 is 0


mask_bits.vjp(input=lambda g, mask: mask_bits.raw(g, mask))


def select(mask: Any, input: Any, other: Any) -> Any:
    """Return np.where(mask, input, other) of floats, as the sum of two masked arrays."""
    return mask_bits.raw(input, mask) + mask_bits.raw(other, np.logical_not(mask))


def zero_vjp(g: Any) -> Any:
    """Return the gradient of a step function: 0 everywhere, also where g is infinite."""
    return xp(g).zeros(g.shape, g.dtype)
