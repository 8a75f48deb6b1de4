"""Cases of minitorch.linalg."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from op_table.case import Case, Draw, case, exactly, signed


def regular(*shape: int) -> Draw:
    """A matrix, or a batch of them, near three times the identity: far from singular."""
    return lambda stream: 3 * np.eye(shape[-1]) + stream.uniform(-1.0, 1.0, shape)


def of_matrices(op: str, call: Callable[[Any, Any], Any], note: str = "") -> list[Case]:
    """call(m, x) for a matrix, batches, one number and nothing."""
    shapes = {
        "matrix": (3, 3),
        "larger matrix": (4, 4),
        "batch": (2, 2, 2),
        "two batch axes": (2, 1, 2, 2),
        "one number": (1, 1),
        "nothing": (0, 0),
        "empty batch": (0, 2, 2),
    }
    return [case(op, title + note, call, regular(*shape)) for title, shape in shapes.items()]


def solve(title: str, shape: tuple[int, ...], right: tuple[int, ...], **options: Any) -> Case:
    return case(
        "linalg.solve",
        title,
        lambda m, x, y: m.linalg.solve(x, y, **options),
        regular(*shape),
        signed(*right),
    )


def with_itself_transposed(x: Any) -> Any:
    return x + x.mT


SHAPES = {"square": (3, 3), "tall": (4, 2), "wide": (2, 4), "batch": (2, 3, 2)}

# Vectors are found but for their signs, which differ between libraries: their squares do not.
FACTORS = [
    *[
        case(f"linalg.{op}", f"{part}, {title}", call, signed(*shape))
        for title, shape in SHAPES.items()
        for op, part, call in [
            ("qr", "Q", lambda m, x: m.linalg.qr(x).Q.square()),
            ("qr", "R", lambda m, x: m.linalg.qr(x)[1].square()),
            ("svd", "U", lambda m, x: m.linalg.svd(x, full_matrices=False).U.square()),
            ("svd", "S", lambda m, x: m.linalg.svd(x).S),
            ("svd", "Vh", lambda m, x: m.linalg.svd(x, False)[2].square()),
            ("svd", "two of the three", lambda m, x: (lambda u, _, vt: u @ vt)(*m.linalg.svd(x, False))),
        ]
    ],
    case("linalg.qr", "complete, wide", lambda m, x: m.linalg.qr(x, "complete").Q.square(), signed(2, 3)),
    case("linalg.qr", "complete, tall", lambda m, x: m.linalg.qr(x.detach(), "complete").Q.square(), signed(3, 2)),
    *[
        case(
            f"linalg.{op}",
            f"{title}, {half}",
            lambda m, x, call=call, half=half: call(m, with_itself_transposed(x), half),
            signed(*shape),
        )
        for title, shape in {"matrix": (3, 3), "batch": (2, 2, 2), "empty batch": (0, 2, 2)}.items()
        for half in ("L", "U")
        for op, call in [
            ("eigvalsh", lambda m, x, half: m.linalg.eigvalsh(x, half)),
            ("eigh", lambda m, x, half: m.linalg.eigh(x, half).eigenvectors.square()),
        ]
    ],
    case("linalg.eigh", "values", lambda m, x: m.linalg.eigh(with_itself_transposed(x))[0], signed(3, 3)),
]

EQUATIONS = [
    *of_matrices("logdet", lambda m, x: m.logdet(x @ x.mT)),
    case(
        "logdet",
        "negative and 0",
        lambda m, x: m.logdet(x),
        exactly([[[0.0, 1], [1, 0]], [[1, 1], [1, 1]]]),
        fixed=(0,),
    ),
    case("det", "at the top", lambda m, x: m.det(x), regular(2, 3, 3)),
    case("slogdet", "at the top", lambda m, x: m.slogdet(x).logabsdet, regular(2, 3, 3)),
    case("inverse", "at the top", lambda m, x: m.inverse(x), regular(2, 3, 3)),
    *[
        case(op, f"to the power of {n}", lambda m, x, n=n, find=find: find(m).matrix_power(x, n), regular(2, 2, 2))
        for op, find in [("matrix_power", lambda m: m), ("linalg.matrix_power", lambda m: m.linalg)]
        for n in (1, 2, 3, 6, -2)
    ],
    case("matrix_power", "to the power of 0", lambda m, x: m.matrix_power(x, 0), regular(2, 2, 2), fixed=(0,)),
    *[
        case(
            "linalg.solve_triangular",
            f"{'upper' if upper else 'lower'}{'' if left else ', from the right'}{', unitriangular' if unit else ''}",
            lambda m, x, y, upper=upper, left=left, unit=unit: m.linalg.solve_triangular(
                x, y, upper=upper, left=left, unitriangular=unit
            ),
            regular(2, 3, 3),
            signed(3, 3),
        )
        for upper in (True, False)
        for left in (True, False)
        for unit in (True, False)
    ],
    case("cholesky_solve", "lower", lambda m, x, y: m.cholesky_solve(x, y.tril()), signed(3, 2), regular(2, 3, 3)),
    case("cholesky_solve", "upper", lambda m, x, y: m.cholesky_solve(x, y.triu(), True), signed(3, 2), regular(3, 3)),
    *[case("linalg.pinv", title, lambda m, x: m.linalg.pinv(x), signed(*shape)) for title, shape in SHAPES.items()],
    case(
        "linalg.pinv",
        "some count as 0",
        lambda m, x: m.linalg.pinv(x, atol=1.0),
        exactly(np.diag([3.0, 0.5])),
        fixed=(0,),
    ),
    *[
        case("linalg.lstsq", title, lambda m, x, y: m.linalg.lstsq(x, y).solution, signed(*shape), signed(*right))
        for title, shape, right in [
            ("square", (3, 3), (3, 2)),
            ("tall", (4, 2), (4, 3)),
            ("wide", (2, 4), (2, 1)),
            ("batch", (2, 3, 2), (2, 3, 2)),
        ]
    ],
    case(
        "linalg.lstsq",
        "residuals",
        lambda m, x, y: m.linalg.lstsq(x, y, driver="gelsd").residuals,
        signed(4, 2),
        signed(4, 3),
    ),
    case(
        "linalg.matrix_rank",
        "indices of it",
        lambda m, x: m.linalg.matrix_rank(x),
        exactly([[1.0, 2], [2, 4]]),
        fixed=(0,),
    ),
    *[case("linalg.cond", f"{p}", lambda m, x, p=p: m.linalg.cond(x, p), regular(2, 3, 3)) for p in (None, 2, -2)],
    *[  # PyTorch's backward refuses these: it has changed its own inverse in place
        case("linalg.cond", f"{p}", lambda m, x, p=p: m.linalg.cond(x, p), regular(2, 3, 3), fixed=(0,))
        for p in ("fro", 1, -math.inf)
    ],
]

DISTANCES = [
    *[
        case("cdist", f"{p}", lambda m, x, y, p=p: m.cdist(x, y, p), signed(2, 3, 2), signed(4, 2))
        for p in (2.0, 1.0, 3.0)
    ],
    case("cdist", "from itself", lambda m, x: m.cdist(x, x), signed(3, 2), smooth=False),
    *[case("dist", f"{p}", lambda m, x, y, p=p: m.dist(x, y, p), signed(2, 3), signed(3)) for p in (2, 3)],
]

ORDERS = ("fro", 1, -1, math.inf, -math.inf)

CASES = [
    *of_matrices("linalg.inv", lambda m, x: m.linalg.inv(x)),
    case("linalg.inv", "not symmetric", lambda m, x: m.linalg.inv(x), exactly([[1.0, 2.0], [3.0, 5.0]])),
    *of_matrices("linalg.det", lambda m, x: m.linalg.det(x)),
    case("linalg.det", "negative", lambda m, x: m.linalg.det(x), exactly([[1.0, 2.0], [3.0, 4.0]])),
    *of_matrices("linalg.slogdet", lambda m, x: m.linalg.slogdet(x).logabsdet),
    case("linalg.slogdet", "negative", lambda m, x: m.linalg.slogdet(x)[1], exactly([[1.0, 2.0], [3.0, 4.0]])),
    case(
        "linalg.slogdet",
        "sign",
        lambda m, x: m.linalg.slogdet(x).sign.detach(),
        exactly([[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [2.0, 4.0]]]),
        smooth=False,
    ),
    solve("matrix, matrix", (3, 3), (3, 2)),
    solve("matrix, vector", (3, 3), (3,)),
    solve("batch, batch", (2, 2, 2), (2, 2, 3)),
    solve("batch, vector", (2, 2, 2), (2,)),
    solve("batch, batch of vectors", (3, 2, 2), (3, 2)),
    solve("two by two by two: vectors", (2, 2, 2), (2, 2)),
    solve("matrix, batch", (2, 2), (3, 2, 1)),
    solve("batch, matrix", (3, 2, 2), (2, 2)),
    solve("batches that broadcast", (2, 1, 2, 2), (2, 2, 1)),
    solve("from the right", (2, 2), (3, 2), left=False),
    solve("from the right, batch", (2, 2, 2), (2, 3, 2), left=False),
    solve("no columns", (2, 2), (2, 0)),
    solve("nothing", (0, 0), (0, 2)),
    *of_matrices("linalg.cholesky", lambda m, x: m.linalg.cholesky(x @ x.mT)),
    *of_matrices("linalg.cholesky", lambda m, x: m.linalg.cholesky(x @ x.mT, upper=True), ", upper"),
    case(
        "linalg.cholesky",
        "reads the lower half, sends a symmetric gradient",
        lambda m, x: m.linalg.cholesky(x),
        exactly([[2.0, 1.0], [5.0, 30.0]]),
        smooth=False,
    ),
    case(
        "linalg.cholesky",
        "reads the upper half, sends a symmetric gradient",
        lambda m, x: m.linalg.cholesky(x, upper=True),
        exactly([[2.0, 5.0], [1.0, 30.0]]),
        smooth=False,
    ),
    *[
        case("linalg.matrix_norm", f"{ord}", lambda m, x, order=ord: m.linalg.matrix_norm(x, order), signed(2, 3))
        for ord in ORDERS
    ],
    *[
        case(
            "linalg.matrix_norm",
            f"{ord} over axes {dim}, kept" if keepdim else f"{ord} over axes {dim}",
            lambda m, x, order=ord, dim=dim, keepdim=keepdim: m.linalg.matrix_norm(x, order, dim, keepdim),
            signed(2, 3, 2),
        )
        for ord in ORDERS
        for dim, keepdim in [((0, 1), False), ((2, 0), False), ((-1, 1), True)]
    ],
    case("linalg.matrix_norm", "the default", lambda m, x: m.linalg.matrix_norm(x), signed(2, 2, 3)),
    case("linalg.matrix_norm", "nothing", lambda m, x: m.linalg.matrix_norm(x), signed(0, 3), smooth=False),
    case(
        "linalg.matrix_norm",
        "ties share",
        lambda m, x: m.linalg.matrix_norm(x, 1),
        exactly(np.ones((2, 2))),
        smooth=False,
    ),
    case(
        "linalg.matrix_norm", "of zeros", lambda m, x: m.linalg.matrix_norm(x), exactly(np.zeros((2, 2))), smooth=False
    ),
    *[
        case("linalg.matrix_norm", f"{ord}", lambda m, x, order=ord: m.linalg.matrix_norm(x, order), signed(3, 2))
        for ord in (2, -2, "nuc")
    ],
    case("linalg.matrix_norm", "nuc, square", lambda m, x: m.linalg.matrix_norm(x, "nuc"), signed(3, 3)),
    case(
        "linalg.matrix_norm",
        "2, of the middle axes, kept",
        lambda m, x: m.linalg.matrix_norm(x, 2, (2, 0), True),
        signed(2, 2, 3),
    ),
    case("linalg.matrix_norm", "2 of nothing", lambda m, x: m.linalg.matrix_norm(x, 2), signed(0, 3), fixed=(0,)),
    case("linalg.matrix_norm", "nuc of nothing", lambda m, x: m.linalg.matrix_norm(x, "nuc"), signed(2, 0)),
    case("linalg.svdvals", "tall", lambda m, x: m.linalg.svdvals(x), signed(4, 2)),
    case("linalg.svdvals", "wide", lambda m, x: m.linalg.svdvals(x), signed(2, 3)),
    case("linalg.svdvals", "batch of squares", lambda m, x: m.linalg.svdvals(x), signed(2, 3, 3)),
    case("linalg.svdvals", "empty batch", lambda m, x: m.linalg.svdvals(x), signed(0, 2, 3)),
    case("norm", "nuc", lambda m, x: m.norm(x, "nuc"), signed(2, 3)),
    case("norm", "nuc, two axes, kept", lambda m, x: m.norm(x, "nuc", (0, -1), True), signed(2, 2, 3)),
    case("linalg.norm", "matrix, nuc", lambda m, x: m.linalg.norm(x, "nuc"), signed(2, 3)),
    case("linalg.norm", "vector", lambda m, x: m.linalg.norm(x), signed(3)),
    case("linalg.norm", "single number", lambda m, x: m.linalg.norm(x), signed()),
    case("linalg.norm", "all of three axes", lambda m, x: m.linalg.norm(x), signed(2, 2, 2)),
    case("linalg.norm", "all of three axes, kept", lambda m, x: m.linalg.norm(x, keepdim=True), signed(2, 2, 2)),
    case("linalg.norm", "one axis", lambda m, x: m.linalg.norm(x, dim=1), signed(2, 3)),
    case("linalg.norm", "two axes without ord", lambda m, x: m.linalg.norm(x, dim=(0, 2)), signed(2, 2, 2)),
    case("linalg.norm", "vector, 3", lambda m, x: m.linalg.norm(x, 3), signed(3)),
    case("linalg.norm", "vector, -inf", lambda m, x: m.linalg.norm(x, -math.inf), signed(3)),
    case("linalg.norm", "matrix, 1", lambda m, x: m.linalg.norm(x, 1), signed(2, 3)),
    case("linalg.norm", "matrix, inf, kept", lambda m, x: m.linalg.norm(x, math.inf, keepdim=True), signed(2, 3)),
    case("linalg.norm", "matrix, fro", lambda m, x: m.linalg.norm(x, "fro"), signed(2, 3)),
    case("linalg.norm", "fro over two axes", lambda m, x: m.linalg.norm(x, "fro", (0, -1)), signed(2, 2, 2)),
    case("linalg.norm", "1 over one axis, kept", lambda m, x: m.linalg.norm(x, 1, -1, True), signed(2, 3)),
    case("linalg.norm", "1 over a tuple of one axis", lambda m, x: m.linalg.norm(x, 1, (0,)), signed(2, 3)),
    case("linalg.norm", "of zeros", lambda m, x: m.linalg.norm(x), exactly([0.0, 0.0]), smooth=False),
    case("linalg.vector_norm", "all", lambda m, x: m.linalg.vector_norm(x), signed(2, 3)),
    case("linalg.vector_norm", "3, one axis, kept", lambda m, x: m.linalg.vector_norm(x, 3, 1, True), signed(2, 3)),
    *FACTORS,
    *EQUATIONS,
    *DISTANCES,
]
