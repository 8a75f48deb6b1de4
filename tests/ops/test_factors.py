"""Factors and equations beyond the table of operations: what they are, what is refused, and in which words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import minitorch
from minitorch import Tensor, linalg

WRONG = [
    (lambda x: linalg.qr(x[0]), ValueError, r"^qr: shape \(2,\) has no matrix in it"),
    (lambda x: linalg.qr(x, "full"), ValueError, "^qr: mode must be 'reduced', 'complete' or 'r', not 'full'"),
    (lambda x: linalg.qr(x, "complete"), RuntimeError, "^qr: mode 'complete' has no gradient .*take mode='reduced'"),
    (lambda x: linalg.svd(x[0]), ValueError, "^svd: .*no matrix"),
    (lambda x: linalg.eigh(x), ValueError, r"^eig.*: shape \(3, 2\) is no square matrix"),
    (lambda x: linalg.eigvalsh(x.mT @ x, "l"), ValueError, "^eigvalsh: UPLO is 'L' for the lower"),
    (lambda x: linalg.pinv(x.long()), TypeError, "^pinv: a matrix of floats is needed, not int64"),
    (lambda x: linalg.lstsq(x, x[:2]), ValueError, "^lstsq: .*B needs 3 rows"),
    (lambda x: linalg.lstsq(x, x, driver="best"), ValueError, "^lstsq: driver 'best' is not known"),
    (lambda x: linalg.solve_triangular(x[:2], x, upper=True), ValueError, "^solve_triangular: .*B needs 2 rows"),
    (lambda x: linalg.matrix_power(x, 2), ValueError, "^matrix_power: .*no square matrix"),
    (lambda x: minitorch.cdist(x, x.mT), ValueError, r"^cdist: shapes \(3, 2\) and \(2, 3\) do not fit"),
    (lambda x: minitorch.diag_embed(x[0, 0]), ValueError, "^diag_embed: a single number"),
    (lambda x: minitorch.quantile(x, 1.5), ValueError, "^quantile: q must be a number from 0 to 1"),
    (lambda x: minitorch.quantile(x, 0.5, interpolation="cubic"), ValueError, "^quantile: interpolation 'cubic'"),
    (lambda x: minitorch.quantile(x[:0], 0.5), ValueError, "^quantile: .*no numbers to choose from"),
    (lambda x: minitorch.quantile(x, 0.5, 2), IndexError, "^quantile: axis 2 does not exist"),
]


@pytest.mark.parametrize(("wrong", "error", "message"), WRONG)
def test_what_cannot_be_is_refused_in_plain_words(wrong, error, message):  # type: ignore[no-untyped-def]
    x = Tensor(np.arange(1.0, 7.0).reshape(3, 2), requires_grad=True)
    with pytest.raises(error, match=message):
        wrong(x)


MATRICES = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-9, 9).map(float))
)


@given(MATRICES)
def test_factors_make_their_matrix_again_and_are_orthogonal(values: np.ndarray) -> None:
    a = Tensor(values)
    u, s, vh = linalg.svd(a)
    k = min(values.shape)
    np.testing.assert_allclose((u[:, :k] * s) @ vh[:k], values, atol=1e-9)
    q, r = linalg.qr(a, "complete")
    np.testing.assert_allclose(q @ r, values, atol=1e-9)
    for each in (u, vh, q):
        np.testing.assert_allclose(each.mT @ each, np.eye(len(each)), atol=1e-9)
    values_of_both, v = linalg.eigh(a @ a.mT)
    np.testing.assert_allclose(v @ minitorch.diag_embed(values_of_both) @ v.mT, a @ a.mT, atol=1e-8)


@given(MATRICES)
def test_a_pseudo_inverse_keeps_the_four_equations_of_penrose(values: np.ndarray) -> None:
    a = Tensor(values)
    p = linalg.pinv(a)
    assert linalg.matrix_rank(a).item() == np.linalg.matrix_rank(values)
    for left, right in [(a @ p @ a, a), (p @ a @ p, p), ((a @ p).mT, a @ p), ((p @ a).mT, p @ a)]:
        np.testing.assert_allclose(left, right, atol=1e-6)


def test_r_alone_and_residuals_come_when_asked_for() -> None:
    a, b = Tensor([[1.0], [1.0]], requires_grad=True), Tensor([[1.0], [3.0]])
    assert linalg.qr(a, "r").Q.shape == (0,)
    assert linalg.qr(a.detach(), "complete").Q.shape == (2, 2)
    assert linalg.lstsq(a, b).residuals.shape == (0,)
    found = linalg.lstsq(a, b, driver="gelsd")
    assert (found.residuals.tolist(), found.rank.item(), found.singular_values.shape) == ([2.0], 1, (1,))
