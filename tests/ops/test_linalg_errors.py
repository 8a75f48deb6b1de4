"""Matrices beyond the table of operations: errors in plain words, dtypes, gradients where PyTorch has none."""

import math
from typing import Any

import numpy as np
import pytest

import minitorch
import minitorch.linalg
from minitorch import Tensor, gradcheck
from minitorch.linalg import LinAlgError


def ones(*shape: int, dtype: Any = np.float64) -> Tensor:
    return Tensor(np.ones(shape, dtype))


SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            lambda: minitorch.mm(ones(2, 3), ones(2, 3)),
            ValueError,
            r"^mm: shapes \(2, 3\) and \(2, 3\): the inner sizes",
        ),
        (
            lambda: minitorch.mm(ones(2, 2, 3), ones(3, 2)),
            ValueError,
            r"^mm: shapes \(2, 2, 3\) and \(3, 2\): it takes a matrix and a matrix; matmul takes all",
        ),
        (lambda: minitorch.bmm(ones(2, 3), ones(3, 2)), ValueError, "^bmm: .*a batch of matrices and a batch"),
        (lambda: minitorch.bmm(ones(1, 2, 3), ones(4, 3, 2)), ValueError, "^bmm: .*batches must have the same size"),
        (lambda: minitorch.mv(ones(2, 3), ones(2)), ValueError, r"^mv: .*the inner sizes 3 and 2 must be equal"),
        (lambda: minitorch.mv(ones(2, 3), ones(3, 1)), ValueError, "^mv: .*it takes a matrix and a vector"),
        (lambda: minitorch.dot(ones(2), ones(3)), ValueError, r"^dot: shapes \(2,\) and \(3,\): the inner sizes"),
        (lambda: minitorch.dot(ones(2, 2), ones(2)), ValueError, "^dot: .*it takes a vector and a vector"),
        (lambda: minitorch.inner(ones(2, 3), ones(2)), ValueError, r"^inner: .*the last sizes must be equal"),
        (lambda: minitorch.outer(ones(2, 2), ones(2)), ValueError, "^outer: .*it takes a vector and a vector"),
        (
            lambda: minitorch.addmm(ones(3), ones(2, 3), ones(3, 4)),
            ValueError,
            r"^addmm: input of shape \(3,\) does not broadcast to the product's shape \(2, 4\)",
        ),
        (lambda: minitorch.addmm(ones(1, 2, 4), ones(2, 3), ones(3, 4)), ValueError, "^addmm: input of shape"),
        (lambda: minitorch.addmm(ones(4), ones(2, 3), ones(2, 4)), ValueError, "^addmm: .*the inner sizes 3 and 2"),
        (lambda: minitorch.baddbmm(ones(4), ones(2, 3), ones(3, 4)), ValueError, "^baddbmm: .*a batch of matrices"),
        (lambda: minitorch.trace(ones(2, 2, 2)), ValueError, r"^trace: it takes a matrix, not shape \(2, 2, 2\)"),
    ],
)
def test_errors_of_products(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()


@pytest.mark.parametrize(
    "mixed",
    [
        lambda x, y: minitorch.matmul(x, y),
        lambda x, y: minitorch.mm(x, y),
        lambda x, y: minitorch.bmm(x[None], y[None]),
        lambda x, y: minitorch.mv(x, y[0]),
        lambda x, y: minitorch.dot(x[0], y[0]),
        lambda x, y: minitorch.inner(x, y),
        lambda x, y: minitorch.addmm(x, y, y),
        lambda x, y: minitorch.baddbmm(x, x[None], y[None]),
        lambda x, y: minitorch.tensordot(x, y, 1),
        lambda x, y: minitorch.einsum("ij,jk", x, y),
        lambda x, y: minitorch.linalg.solve(x, y),
    ],
)
@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_products_that_sum_do_not_mix_dtypes(mixed: Any, dtype: Any) -> None:
    x, y = Tensor(np.eye(2)), Tensor(np.eye(2, dtype=dtype))
    with pytest.raises(TypeError, match=r"^\w+: \w+ and \w+ do not mix: convert "):
        mixed(x, y)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ("ij,jk", ValueError, "^einsum: 'ij,jk' describes 2 operands, but 1 were given"),
        ("ijk", ValueError, r"^einsum: 'ijk' in 'ijk' names 3 axes, but operand 0 has shape \(2, 3\)$"),
        ("i", ValueError, r"^einsum: 'i' in 'i' names 1 axes, .*shape \(2, 3\): name them all or write \.\.\.$"),
        ("i1", ValueError, "^einsum: '1' in 'i1': only letters"),
        ("i..j", ValueError, r"^einsum: '\.' in"),
        ("......", ValueError, r"^einsum: '\.' in"),
        ("ij->i->j", ValueError, "^einsum: '-' in"),
        ("ij->ii", ValueError, "^einsum: the letter 'i' comes more than once in the output 'ii'"),
        ("ij->k", ValueError, "^einsum: the letter 'k' is in no operand, but in the output 'k'"),
        ("ii", ValueError, r"^einsum: 'i' has size 3 at axis 1 of operand 0, of shape \(2, 3\), but size 2 elsewhere"),
    ],
)
def test_errors_of_an_equation(wrong: str, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        minitorch.einsum(wrong, ones(2, 3))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            lambda: minitorch.einsum("i,i", ones(2), ones(3)),
            ValueError,
            "^einsum: 'i' has size 2 .*but size 3|size 3 at",
        ),
        (lambda: minitorch.einsum("ii", ones(1, 3)), ValueError, "^einsum: 'i' has size 3 at axis 1"),
        (lambda: minitorch.einsum("...i,...i", ones(2, 3), ones(4, 3)), ValueError, r"^einsum: \.\.\. has size"),
        (lambda: minitorch.einsum("i"), ValueError, "^einsum: 'i' describes 1 operands, but 0 were given"),
        (lambda: minitorch.einsum(ones(2), [60]), ValueError, "^einsum: 60 in a list of axes is not between 0 and 51"),
        (
            lambda: minitorch.tensordot(ones(2, 3), ones(2, 4), ([0, 1], [0])),
            ValueError,
            r"^tensordot: dims \[0, 1\] and \[0\] must name the same number",
        ),
        (lambda: minitorch.tensordot(ones(2, 3), ones(2, 4), ([0, 0], [0, 1])), ValueError, "^tensordot: .*twice"),
        (
            lambda: minitorch.tensordot(ones(2, 3), ones(2, 4), ([2], [0])),
            IndexError,
            "^tensordot: axis 2 does not exist",
        ),
        (lambda: minitorch.tensordot(ones(2, 3), ones(2, 4), 3), ValueError, "^tensordot: dims 3 of shapes"),
        (lambda: minitorch.tensordot(ones(2, 3), ones(2, 4), -1), ValueError, "^tensordot: dims -1 of shapes"),
        (
            lambda: minitorch.tensordot(ones(2, 3), ones(2, 4), 1),
            ValueError,
            r"^tensordot: axis 1 of shape \(2, 3\) and axis 0 of shape \(2, 4\) differ in size: 3 and 2",
        ),
    ],
)
def test_errors_of_sums_of_products(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()


def test_einsum_never_returns_its_operand_itself() -> None:
    x = ones(2, 3)
    assert minitorch.einsum("ij->ij", x) is not x


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: minitorch.linalg.inv(ones(2, 3)), ValueError, r"^inv: shape \(2, 3\) is no square matrix"),
        (lambda: minitorch.linalg.inv(ones(2)), ValueError, r"^inv: shape \(2,\) is no square matrix"),
        (
            lambda: minitorch.linalg.inv(ones(2, 2, dtype=int)),
            TypeError,
            "^inv: a matrix of floats is needed, not int64",
        ),
        (lambda: minitorch.linalg.inv(SINGULAR), LinAlgError, r"^inv: the matrix of shape \(2, 2\) is singular"),
        (
            lambda: minitorch.linalg.inv(SINGULAR[None]),
            LinAlgError,
            r"^inv: a matrix of the batch of shape \(1, 2, 2\)",
        ),
        (lambda: minitorch.linalg.det(ones(2, 3)), ValueError, r"^det: shape \(2, 3\) is no square matrix"),
        (lambda: minitorch.linalg.slogdet(ones(2, 3)), ValueError, r"^slogdet: shape \(2, 3\) is no square matrix"),
        (lambda: minitorch.linalg.solve(SINGULAR, np.ones(2)), LinAlgError, "^solve: the matrix .* is singular"),
        (
            lambda: minitorch.linalg.solve(np.eye(2), np.ones(3)),
            ValueError,
            r"^solve: A of shape \(2, 2\) and B of shape \(3,\) do not fit: B needs 2 rows",
        ),
        (lambda: minitorch.linalg.solve(np.eye(2), np.ones((3, 2))), ValueError, "^solve: .*B needs 2 rows"),
        (
            lambda: minitorch.linalg.solve(np.eye(2), np.ones((2, 3)), left=False),
            ValueError,
            "^solve: .*B needs 2 columns",
        ),
        (lambda: minitorch.linalg.solve(np.eye(2), np.ones(2), left=False), ValueError, "^solve: .*B needs 2 columns"),
        (
            lambda: minitorch.linalg.solve(np.stack([np.eye(2)] * 3), np.ones((2, 2, 1))),
            ValueError,
            "^solve: .*leading axes must be equal or 1",
        ),
        (
            lambda: minitorch.linalg.cholesky(-np.eye(2)),
            LinAlgError,
            r"^cholesky: the matrix .* is not positive definite",
        ),
        (lambda: minitorch.linalg.cholesky(ones(2, 3), upper=True), ValueError, "^cholesky: shape"),
    ],
)
def test_errors_of_decompositions(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()


@pytest.mark.parametrize(
    "matrix",
    [
        SINGULAR,
        [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]],
        np.zeros((3, 3)),
        [[[1.0, 2.0], [2.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]],
    ],
)
def test_the_gradient_of_det_is_the_cofactors_of_a_singular_matrix_too(matrix: Any) -> None:
    # PyTorch gives zeros for the first two, where elimination meets an exact zero
    assert gradcheck(minitorch.linalg.det, Tensor(np.array(matrix), requires_grad=True))


def test_slogdet_of_a_singular_matrix_has_a_value_but_no_gradient() -> None:
    x = Tensor(SINGULAR, requires_grad=True)
    sign, logabsdet = minitorch.linalg.slogdet(x)
    assert sign.item() == 0
    assert logabsdet.item() == -math.inf
    with pytest.raises(LinAlgError, match="singular"):
        logabsdet.backward()


def test_slogdet_neither_over_nor_underflows() -> None:
    x = Tensor(np.eye(400, dtype=np.float32) * 10, requires_grad=True)
    logabsdet = minitorch.linalg.slogdet(x).logabsdet
    assert logabsdet.item() == pytest.approx(400 * math.log(10))
    logabsdet.backward()
    np.testing.assert_allclose(x.grad, np.eye(400) / 10, rtol=1e-6)


def test_a_square_b_is_vectors_only_where_it_has_exactly_the_batch_of_a() -> None:
    one, batch, b = (
        Tensor(np.eye(2) * 2),
        Tensor(np.stack([np.eye(2), 2 * np.eye(2)])),
        Tensor([[1.0, 2.0], [3.0, 4.0]]),
    )
    b = Tensor(b.data.astype(float))
    assert minitorch.linalg.solve(one, b).equal([[0.5, 1.0], [1.5, 2.0]])
    assert minitorch.linalg.solve(batch, b).equal([[1.0, 2.0], [1.5, 2.0]])


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda m: m.matrix_norm(ones(3)), ValueError, r"^matrix_norm: shape \(3,\) has no matrix in it"),
        (lambda m: m.matrix_norm(ones(2, 3), dim=1), ValueError, "^matrix_norm: dim must be two axes, not 1"),
        (lambda m: m.matrix_norm(ones(2, 3), dim=(0, 2)), IndexError, "^matrix_norm: axis 2 does not exist"),
        (lambda m: m.matrix_norm(ones(2, 3), dim=(0, -2)), ValueError, r"^matrix_norm: dim \(0, -2\) names one axis"),
        (lambda m: m.matrix_norm(ones(2, 0), -2), ValueError, r"^amin: shape \(0,\) has nothing"),
        (lambda m: m.svdvals(ones(2)), ValueError, r"^svdvals: shape \(2,\) has no matrix in it"),
        (lambda m: m.svdvals(Tensor([[1, 2]])), TypeError, "^svdvals: a matrix of floats is needed, not int64"),
        (lambda m: m.matrix_norm(ones(2, 3), 3), ValueError, "^matrix_norm: ord 3 is not known: take 'fro'"),
        (lambda m: m.matrix_norm(ones(2, 0), -1), ValueError, r"^matrix_norm: shape \(2, 0\) has nothing along axis 1"),
        (lambda m: m.norm(ones(2, 3, 4), 1), ValueError, "^norm: ord 1 without dim needs a vector or a matrix"),
        (lambda m: m.norm(ones(2, 3, 4), dim=(0, 1, 2)), ValueError, "^norm: dim must be one axis or two"),
        (lambda m: m.norm(ones(2, 3), "fro", 1), ValueError, r"^norm: ord 'fro' is a norm of matrices"),
    ],
)
def test_errors_of_norms(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong(minitorch.linalg)


@pytest.mark.parametrize("ord", [1, math.inf, "fro"])
def test_the_norm_of_a_matrix_without_entries_is_zero(ord: Any) -> None:
    assert minitorch.linalg.matrix_norm(ones(0, 0), ord).item() == 0


def test_norms_take_numpys_names() -> None:
    x = ones(2, 2)
    assert minitorch.linalg.norm(x, axis=0, keepdims=True).equal(minitorch.linalg.norm(x, dim=0, keepdim=True))
    assert minitorch.linalg.matrix_norm(x, axis=(0, 1)).item() == 2


def test_linalg_errors_are_numpys_and_what_pytorch_programs_catch() -> None:
    assert issubclass(LinAlgError, np.linalg.LinAlgError)
    assert issubclass(LinAlgError, RuntimeError)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_integers_stay_integers_beside_factors_that_are_floats(dtype: str) -> None:
    x, a, b = (Tensor(np.full(shape, 3)).to(dtype) for shape in ((2, 2), (2, 1), (1, 2)))
    for out in (minitorch.addmm(x, a, b, beta=1.7, alpha=2.5), minitorch.baddbmm(x, a[None], b[None], 1.7, 2.5)[0]):
        assert out.dtype == np.dtype(dtype)
        assert out.tolist() == [[21, 21], [21, 21]]  # 1 · 3 + 2 · 9
