"""Cases of linear, embedding, one_hot, attention and dropout."""

from __future__ import annotations

from typing import Any

from op_table.case import Case, Draw, case, exactly, index, indices, mask, positive, signed


def function(
    op: str, title: str, *draws: Draw, smooth: bool = True, fixed: tuple[int, ...] = (), **options: Any
) -> Case:
    return case(
        op, title, lambda m, *t: getattr(m.nn.functional, op)(*t, **options), *draws, smooth=smooth, fixed=fixed
    )


def attention(title: str, *draws: Draw, masked: bool = False, smooth: bool = True, **options: Any) -> Case:
    """query, key, value and, if masked, the mask."""

    def call(m: Any, query: Any, key: Any, value: Any, *rest: Any) -> Any:
        given = {"attn_mask": rest[0]} if masked else {}
        return m.nn.functional.scaled_dot_product_attention(query, key, value, **given, **options)

    return case("scaled_dot_product_attention", title, call, *draws, smooth=smooth)


TRIPLE = (signed(2, 3, 2), signed(2, 4, 2), signed(2, 4, 3))
SEEN = mask([True, True, False, True], [False, True, False, False], [True, True, True, True])
BLIND = mask([True, True, False, True], [False, False, False, False], [True, True, True, True])
# PyTorch's backward pass knows a mask that wants a gradient only where four axes are given
HEADS = (signed(1, 2, 3, 2), signed(1, 2, 4, 2), signed(1, 2, 4, 2))

CASES = [
    function("linear", "vector", signed(3), signed(2, 3), signed(2)),
    function("linear", "matrix", signed(4, 3), signed(2, 3), signed(2)),
    function("linear", "three axes", signed(2, 2, 3), signed(2, 3), signed(2)),
    function("linear", "without bias", signed(2, 2, 3), signed(2, 3)),
    function("linear", "vector without bias", signed(3), signed(2, 3)),
    function("linear", "one bias for all", signed(4, 3), signed(2, 3), signed(1)),
    function("linear", "a single number as the bias", signed(4, 3), signed(2, 3), signed()),
    function("linear", "a vector as the weight", signed(4, 3), signed(3)),
    function("linear", "two vectors", signed(3), signed(3)),
    function("linear", "no rows", signed(0, 3), signed(2, 3), signed(2)),
    function("linear", "no features", signed(4, 0), signed(2, 0), signed(2)),
    function("embedding", "vector", indices(2, 0, 2), signed(3, 2)),
    function("embedding", "matrix", indices([2, 0], [1, 1]), signed(3, 2)),
    function("embedding", "one number", index(1), signed(3, 2)),
    function("embedding", "no numbers", indices(), signed(3, 2)),
    # nudging the padding's row would tell a gradient that PyTorch leaves out
    function("embedding", "padding", indices([2, 0], [1, 2]), signed(3, 2), smooth=False, padding_idx=2),
    function("embedding", "padding from the end", indices(2, 0, 1), signed(3, 2), smooth=False, padding_idx=-3),
    function("one_hot", "indices of a vector", indices(2, 0, 1)),
    function("one_hot", "indices of a matrix, more classes", indices([2, 0], [1, 1]), num_classes=5),
    function("one_hot", "indices of one number", index(2)),
    function("one_hot", "indices of nothing", indices(), num_classes=3),
    attention("three axes", *TRIPLE),
    attention("matrices", signed(3, 2), signed(4, 2), signed(4, 3)),
    attention("heads", *HEADS),
    attention("causal", signed(2, 3, 2), signed(2, 3, 2), signed(2, 3, 2), is_causal=True),
    attention("causal, more queries", signed(4, 2), signed(3, 2), signed(3, 2), is_causal=True),
    attention("causal, more keys", signed(2, 2), signed(3, 2), signed(3, 2), is_causal=True),
    attention("another scale", *TRIPLE, scale=0.3),
    attention("a mask of bools", *TRIPLE, SEEN, masked=True),
    attention("a mask that hides all", *TRIPLE, BLIND, masked=True),
    attention("a mask of floats", *HEADS, signed(1, 2, 3, 4), masked=True),
    attention("a mask of floats, broadcast", *HEADS, signed(3, 4), masked=True),
    attention(
        "a mask with minus infinity",
        *HEADS,
        exactly([[0.0, -float("inf"), 1.0, 0.0], [-float("inf")] * 4, [0.0] * 4]),
        masked=True,
        smooth=False,
    ),
    attention("large", exactly([[1000.0], [-1000.0]]), exactly([[1.0], [0.0]]), signed(2, 2)),
    attention("one key of all heads", signed(1, 4, 3, 2), signed(1, 2, 3, 2), signed(1, 2, 3, 2), enable_gqa=True),
    attention("batches that broadcast", signed(2, 3, 2), signed(4, 2), signed(4, 2)),
    function("dropout", "not training", signed(2, 3), training=False),
    function("dropout", "of nothing", signed(2, 3), p=0.0),
    function("dropout", "of all", signed(2, 3), p=1.0),
    function("dropout2d", "not training", positive(2, 3, 2, 2), training=False),
    function("dropout2d", "of nothing", positive(2, 3, 2, 2), p=0.0),
    function("dropout2d", "of all", positive(2, 3, 2, 2), p=1.0),
]
