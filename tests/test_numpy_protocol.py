"""NumPy's functions on Tensors: the right operation, its gradient, and one clear sentence where there is none."""

import inspect
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, gradcheck, numpy_protocol

PAGE = Path(__file__).resolve().parent.parent / "docs" / "numpy.md"
X = np.array([[0.3, -0.7, 1.9], [1.1, 0.45, -1.3]])
POSITIVE = np.abs(X) + 1.1
SMALL = X / 4.0
BOOLS = X > 0

WHOLE = np.arange(6).reshape(2, 3) + 7
ONE = {
    **dict.fromkeys((np.sqrt, np.log, np.log2, np.log10, np.arccosh, np.reciprocal), POSITIVE),
    **dict.fromkeys((np.arcsin, np.arccos, np.arctanh, np.log1p), SMALL),
    **dict.fromkeys((np.logical_not, np.invert), BOOLS),
}
TWO = {
    **dict.fromkeys((np.power, np.float_power), (POSITIVE, X)),
    **dict.fromkeys((np.logical_and, np.logical_or, np.logical_xor), (BOOLS, ~BOOLS[:1])),
    **dict.fromkeys((np.bitwise_and, np.bitwise_or, np.bitwise_xor), (BOOLS, ~BOOLS[:1])),
    **dict.fromkeys((np.gcd, np.lcm, np.left_shift, np.right_shift), (WHOLE, WHOLE[:1] % 5)),
    np.matmul: (X, X.T),
    **dict.fromkeys((np.floor_divide, np.remainder, np.fmod), (X, POSITIVE)),
}


def same(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for each, expected in zip(ours, theirs, strict=True):
            same(each, expected)
        return
    assert not isinstance(ours, np.ndarray), "the function left the graph"
    if isinstance(ours, Tensor):
        ours = ours.data
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@pytest.mark.parametrize("ufunc", numpy_protocol.ufuncs(), ids=lambda ufunc: ufunc.__name__)
def test_every_ufunc_of_the_table_gives_numpys_values(ufunc: np.ufunc) -> None:
    if ufunc.nin == 1:
        operand = ONE.get(ufunc, X)
        same(ufunc(Tensor(operand)), ufunc(operand))
        return
    left, right = TWO.get(ufunc, (X, POSITIVE))
    for a, b in ((Tensor(left), right), (left, Tensor(right)), (Tensor(left), Tensor(right))):
        same(ufunc(a, b), ufunc(left, right))


SQUARE = np.array([[2.0, 0.5, 0.1], [0.3, 1.5, 0.2], [0.4, 0.2, 1.1]])
CUBE = np.arange(12.0).reshape(2, 2, 3) - 4.5
SYMMETRIC = SQUARE @ SQUARE.T
WITH_NAN = np.where(X > 1.5, np.nan, X)
CALLS: dict[Any, list[tuple[Any, ...]]] = {
    np.full_like: [(X, 2.5)],
    np.sum: [(X,), (X, 0), (X, (0, 1))],
    np.prod: [(X,), (X, 1), (X, (0, 1))],
    np.mean: [(X,), (X, 1)],
    np.var: [(X,), (X, 1)],
    np.std: [(X,), (X, 1)],
    np.amax: [(X,), (X, 0)],
    np.amin: [(X,), (X, (0, 1))],
    np.max: [(X,), (X, 0)],
    np.min: [(X,), (X, (0, 1))],
    np.nansum: [(WITH_NAN,), (WITH_NAN, 1)],
    np.nanmean: [(WITH_NAN,), (WITH_NAN, 1)],
    np.all: [(BOOLS,), (BOOLS, 1)],
    np.any: [(BOOLS,), (BOOLS, 0)],
    np.count_nonzero: [(BOOLS,), (BOOLS, 1)],
    np.argmax: [(X,), (X, 1)],
    np.argmin: [(X,), (X, 0)],
    np.trace: [(SQUARE,), (X, 1), (CUBE, 0, 2, 1)],
    np.cumsum: [(X,), (X, 1)],
    np.cumprod: [(X,), (X, 0)],
    np.diff: [(X,), (X, 1, 0)],
    np.where: [(BOOLS, X, 0.0), (BOOLS,)],
    np.clip: [(X, -0.5, 1.0), (X, None, 1.0)],
    np.round: [(X,), (X, 1)],
    np.nan_to_num: [(WITH_NAN,)],
    np.isclose: [(X, X + 1e-9)],
    np.allclose: [(X, X + 1e-9), (X, X + 1)],
    np.array_equal: [(X, X), (X, X + 1)],
    np.reshape: [(X, (3, 2)), (X, -1)],
    np.transpose: [(X,), (X, (1, 0))],
    np.swapaxes: [(X, 0, 1)],
    np.moveaxis: [(X, 0, 1)],
    np.expand_dims: [(X, 1)],
    np.squeeze: [(X[:1],), (X[:1], 0)],
    np.broadcast_to: [(X, (4, 2, 3))],
    np.broadcast_arrays: [(X, X[:1])],
    np.tile: [(X, 2), (X, (2, 1, 2))],
    np.repeat: [(X, 2), (X, 2, 1)],
    np.flip: [(X,), (X, 0), (X, (0, 1))],
    np.roll: [(X, 1), (X, 1, 0)],
    np.diagonal: [(X,), (X, 1)],
    np.diag: [(SQUARE,), (X[0], 1)],
    np.tril: [(SQUARE,), (SQUARE, 1)],
    np.triu: [(SQUARE,), (SQUARE, 1)],
    np.concatenate: [((X, X),), ((X, X), 1)],
    np.stack: [((X, X),), ((X, X), 1)],
    np.hstack: [((X, X),)],
    np.vstack: [((X, X),)],
    np.split: [(X, 3, 1), (X, [1], 0)],
    np.array_split: [(X, 2, 1)],
    np.dot: [
        (X, X.T),
        (X[0], X[1]),
        (2.0, X),
        (X[:, :2], CUBE),
        (CUBE, SQUARE),
        (CUBE, CUBE.swapaxes(1, 2)),
        (X[0, :2], CUBE),
        (CUBE, X[0]),
    ],
    np.inner: [(X, X)],
    np.outer: [(X[0], X[1]), (X, X)],
    np.tensordot: [(X, X), (X, X.T, 1), (X, X, ([1], [1])), (X, X.T, (0, 1))],
    np.einsum: [("ij,kj->ik", X, X)],
    np.kron: [(X, X)],
    np.linalg.inv: [(SQUARE,)],
    np.linalg.det: [(SQUARE,)],
    np.linalg.slogdet: [(SQUARE,)],
    np.linalg.solve: [(SQUARE, SQUARE[:, :2])],
    np.linalg.cholesky: [(SYMMETRIC,)],
    np.linalg.norm: [(X,), (X, 2, 1), (X[0], 3)],
    np.take: [(X, [4, 0, 0]), (X, [2, 0], 1)],
    np.take_along_axis: [(X, np.array([[0], [2]]), 1)],
    np.nonzero: [(BOOLS,)],
    np.argwhere: [(BOOLS,)],
    np.sort: [(X,), (X, 0), (X, None)],
    np.argsort: [(X,), (X, 0)],
    np.unique: [(np.round(X),)],
    np.searchsorted: [(np.sort(X[0]), X[1])],
    np.bincount: [(np.array([0, 2, 2]),), (np.array([0, 2, 2]), None, 5)],
}


def lifted(value: Any) -> Any:
    """The float arrays among the arguments as Tensors."""
    if isinstance(value, np.ndarray):
        return Tensor(value)
    return type(value)(lifted(each) for each in value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("function", list(numpy_protocol.functions()), ids=lambda function: function.__name__)
def test_every_function_of_the_table_gives_numpys_values(function: Any) -> None:
    for arguments in CALLS.get(function, [(X,)]):
        same(function(*[lifted(each) for each in arguments]), function(*arguments))


def test_results_take_part_in_the_graph() -> None:
    def program(x: Tensor) -> Any:
        hidden = np.exp(np.tanh(x)) + np.concatenate([x, x])[:2]
        return np.sum(hidden * np.ones((2, 3)), axis=0) / np.sqrt(np.mean(x * x))

    assert gradcheck(program, Tensor(X))


def test_arrays_and_tensors_mix_in_operators_and_stay_tensors() -> None:
    t = Tensor(X, requires_grad=True)
    for result in (X * t, X + t, X - t, X / t, 2.0**t, np.float64(2.0) * t, t @ X.T, X.T @ t):
        assert isinstance(result, Tensor)
        assert result.requires_grad
    assert isinstance(t > X, Tensor)


def test_an_array_may_be_changed_by_a_constant_and_not_by_a_result() -> None:
    array = np.ones((2, 3))
    array += Tensor(np.ones(3))
    assert type(array) is np.ndarray
    np.testing.assert_array_equal(array, np.full((2, 3), 2.0))
    with pytest.raises(
        TypeError, match=r"np\.add cannot write a result that takes part .* a = a \+ t instead of a \+= t"
    ):
        array += Tensor(np.ones(3), requires_grad=True)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: np.percentile(t, 3), r"np\.percentile is not an operation on Tensors: use minitorch\.quantile"),
        (lambda t: np.linalg.svd(t), r"np\.linalg\.svd is not .*: leave the graph with np\.linalg\.svd\(t\.detach\(\)"),
        (lambda t: np.add.reduce(t), r"np\.add\.reduce is not an operation on Tensors: use minitorch\.sum"),
        (lambda t: np.spacing(t), r"np\.spacing is not .*: leave the graph with np\.spacing\("),
        (lambda t: np.pad(t, 1), r"np\.pad is not .*: use minitorch\.nn\.functional\.pad"),
        (lambda t: np.sum(t, where=True), r"np\.sum on a Tensor does not take where: leave it out"),
        (lambda t: np.exp(t, dtype=np.float32), r"np\.exp on a Tensor does not take dtype: leave it out"),
        (lambda t: np.fft.fft(t), r"np\.fft\.fft is not an operation on Tensors: leave the graph"),
    ],
)
def test_what_is_not_supported_names_the_way_out(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call(Tensor(X, requires_grad=True))


def test_the_named_alternatives_exist() -> None:
    for text in numpy_protocol.ALTERNATIVES.values():
        for name in text.split(" and "):
            found: Any = {"minitorch": minitorch, "Tensor": Tensor}[name.split(".")[0]]
            for part in name.split(".")[1:]:
                found = getattr(found, part)
            assert callable(found)


def test_a_wrong_call_of_a_supported_function_says_what_is_wrong() -> None:
    with pytest.raises(ValueError, match=r"reshape: cannot put 6 numbers"):
        np.reshape(Tensor(X), (4, 2))


def test_asarray_of_a_tensor_that_requires_grad_would_lose_the_gradient() -> None:
    np.testing.assert_array_equal(np.asarray(Tensor(X)), X)
    with pytest.raises(RuntimeError, match=r"write t\.detach\(\)\.numpy\(\) to leave the graph"):
        np.asarray(Tensor(X, requires_grad=True))


def table() -> list[str]:
    """The rows of the page, from the tables of the code."""
    ufuncs = {each: getattr(each, "declaration", None) for each in numpy_protocol.ufuncs().values()}
    rows = [
        f"| `np.{ufunc.__name__}` | `minitorch.{ufuncs[each].name if ufuncs[each] else each.__name__}` |"
        for ufunc, each in sorted(numpy_protocol.ufuncs().items(), key=lambda row: row[0].__name__)
    ]
    rows += ["", "| NumPy's function, and the arguments it takes here |", "|---|"]
    for function, adapter in numpy_protocol.functions().items():
        arguments = str(inspect.signature(adapter)).replace("m_", "m")
        rows.append(f"| `np.{numpy_protocol.name_of(function)}{arguments}` |")
    return rows


def test_the_page_shows_the_tables_of_the_code() -> None:
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition("<!-- the tables of numpy_protocol.py -->\n")
    shown, mark, tail = rest.partition("<!-- end of the tables -->")
    expected = "\n".join(["| NumPy's ufunc | the operation |", "|---|---|", *table()]) + "\n"
    if os.environ.get("MINITORCH_WRITE_GOLDEN"):
        PAGE.write_text(f"{head}<!-- the tables of numpy_protocol.py -->\n{expected}{mark}{tail}", encoding="utf-8")
    else:
        assert shown == expected, "run this test with MINITORCH_WRITE_GOLDEN=1"


def test_prod_over_several_axes_is_one_operation() -> None:
    x = Tensor(CUBE, requires_grad=True)
    out = np.prod(x, axis=(0, 2))
    assert out._prev == (x,)
    same(out, np.prod(CUBE, axis=(0, 2)))
