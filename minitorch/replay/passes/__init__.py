"""The passes that make a program shorter and quicker, and leave every bit of its results as it was, in their order.

constants.py   what depends on no number of the step is computed once
dead_code.py   what nobody uses is left out
flat.py        the parameters of a group lie in one array: the first of all passes, made by the step itself
buffers.py     each result is written into memory that stays, and that is used again once it is free
views.py       views of memory that stays are made once
products.py    products of matrices take the shorter way into BLAS
numbers.py     Python's numbers are made arrays once
"""

from __future__ import annotations

from minitorch.replay.passes.buffers import with_buffers
from minitorch.replay.passes.constants import with_constants_folded
from minitorch.replay.passes.dead_code import without_dead_code
from minitorch.replay.passes.numbers import with_numbers_as_arrays
from minitorch.replay.passes.products import with_short_products
from minitorch.replay.passes.views import with_views_made_once

PASSES = (
    with_constants_folded,
    without_dead_code,
    with_buffers,
    with_views_made_once,
    with_short_products,
    with_numbers_as_arrays,
)
