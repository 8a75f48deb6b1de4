"""Special functions against the standard library and against each other, to twelve digits; and what has no gradient."""

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from op_table import CASES, run

import minitorch as mt
from minitorch import Tensor, gradcheck, special

X = np.array([1e-9, 1e-3, 0.2, 0.47, 0.9, 1.0, 1.4616, 1.99, 2.5, 3.99, 4.01, 9.9, 17.3, 29.9, 30.1, 140.0])
NEAR = {"rtol": 1e-12, "atol": 1e-15}


def of(function: Callable[..., Any], *values: Any) -> np.ndarray:
    return function(*[Tensor(np.asarray(each)) for each in values]).data


# The operations that SciPy computes, as the op table calls them. All others need NumPy alone, gradients too.
OF_SCIPY = {
    *("i0", "i0_", "igamma", "igamma_", "igammac", "igammac_", "polygamma", "polygamma_"),
    "special.polygamma",
    *("special.gammainc", "special.gammaincc", "special.zeta", "special.i0", "special.i0e", "special.i1"),
    *("special.i1e", "special.bessel_j0", "special.bessel_j1", "special.bessel_y0", "special.bessel_y1"),
    *(f"special.modified_bessel_{name}" for name in ("i0", "i1", "k0", "k1")),
    *(f"special.scaled_modified_bessel_{name}" for name in ("k0", "k1")),
}


def test_what_needs_scipy_says_so_and_nothing_else_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    needing, said = set(), []
    for case in CASES:
        try:
            with np.errstate(all="ignore"):
                run(case, mt, Tensor, np.float64)
        except ImportError as error:
            needing.add(case.op)
            said.append(str(error))
    assert all(each.endswith(' needs SciPy: pip install "minitorch-course[scipy]"') for each in said)
    assert needing == OF_SCIPY
    with pytest.raises(ImportError, match=r"^minitorch\.special\.bessel_j0 needs SciPy: pip install"):
        special.bessel_j0(Tensor([1.0]))


def test_digamma_and_its_gradient_need_no_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    x = Tensor(np.array([0.7, -2.3, 9.0]), requires_grad=True)
    assert gradcheck(mt.digamma, [x])
    np.testing.assert_allclose(of(lambda x: mt.polygamma(1, x), [1.0, 0.5]), [math.pi**2 / 6, math.pi**2 / 2], **NEAR)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_standard_library_agrees(sign: float) -> None:
    x = X * sign
    np.testing.assert_allclose(of(special.erfc, x), [math.erfc(each) for each in x], **NEAR)
    inside = x[np.abs(x - np.rint(x)) > 1e-6]
    np.testing.assert_allclose(of(mt.lgamma, inside), [math.lgamma(each) for each in inside], rtol=1e-11, atol=1e-13)


def test_inverses_undo() -> None:
    p = np.array([1e-300, 1e-20, 1e-5, 0.01, 0.3, 0.5, 0.77, 0.999])
    np.testing.assert_allclose(of(special.ndtr, of(special.ndtri, p)), p, rtol=1e-12)
    y = np.array([-0.99999, -0.6, -0.5, -1e-12, 0.0, 1e-7, 0.3, 0.5, 0.9])
    np.testing.assert_allclose(of(mt.erf, of(mt.erfinv, y)), y, **NEAR)
    np.testing.assert_allclose(of(mt.sigmoid, of(mt.logit, p[2:])), p[2:], **NEAR)


def test_digammas_recurrence_holds() -> None:
    shifted = of(mt.digamma, X[1:]) + 1 / X[1:]
    np.testing.assert_allclose(of(mt.digamma, X[1:] + 1), shifted, rtol=1e-11, atol=1e-12)


def test_recurrences_hold() -> None:
    for n in (1, 2, 5):
        step = (-1) ** n * math.factorial(n) * X ** -(n + 1)
        ours = of(lambda x, n=n: mt.polygamma(n, x), X)
        np.testing.assert_allclose(of(lambda x, n=n: mt.polygamma(n, x), X + 1)[2:], (ours + step)[2:], rtol=1e-9)
    np.testing.assert_allclose(of(special.zeta, 2.0, X), of(lambda x: mt.polygamma(1, x), X), rtol=1e-13)
    np.testing.assert_allclose(of(special.zeta, [2.0, 4.0], [1.0, 1.0]), [math.pi**2 / 6, math.pi**4 / 90], rtol=1e-14)


@pytest.mark.parametrize("a", [0.1, 1.0, 7.5, 40.0, 900.0])
def test_the_parts_of_the_gamma_integral_add_up(a: float) -> None:
    x = a * np.array([0.01, 0.5, 0.9, 1.0, 1.1, 2.0])
    lower, upper = of(special.gammainc, a, x), of(special.gammaincc, a, x)
    np.testing.assert_allclose(lower + upper, 1, rtol=1e-14)
    density = np.exp(a * np.log(x) - x - math.lgamma(a + 1))
    np.testing.assert_allclose(of(special.gammainc, a + 1, x), lower - density, rtol=1e-9, atol=1e-14)


def test_bessel_functions_keep_wronskis_determinants() -> None:
    j0, j1, y0, y1 = (of(getattr(special, f"bessel_{name}"), X) for name in ("j0", "j1", "y0", "y1"))
    np.testing.assert_allclose((j1 * y0 - j0 * y1) * X * math.pi / 2, 1, rtol=1e-12)
    i0, i1 = of(special.i0e, X), of(special.i1e, X)
    k0, k1 = (of(getattr(special, f"scaled_modified_bessel_{name}"), X) for name in ("k0", "k1"))
    np.testing.assert_allclose((i0 * k1 + i1 * k0) * X, 1, rtol=1e-12)


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_polynomials_are_what_they_are_by_angles(n: int) -> None:
    t = np.array([0.3, 1.1, 2.0])
    x = np.cos(t)
    np.testing.assert_allclose(of(lambda x: special.chebyshev_polynomial_t(x, n), x), np.cos(n * t), atol=1e-13)
    np.testing.assert_allclose(
        of(lambda x: special.chebyshev_polynomial_u(x, n), x), np.sin((n + 1) * t) / np.sin(t), atol=1e-13
    )


def test_small_floats_stay_small() -> None:
    x = Tensor([0.5, 1.5])
    for function in (mt.lgamma, mt.digamma, mt.erfinv, special.ndtri, mt.sinc, mt.logit):
        with np.errstate(invalid="ignore"):
            assert function(x).dtype == np.float32
    assert special.chebyshev_polynomial_t(x, 3).dtype == np.float32
    assert mt.lgamma(Tensor([1, 2])).dtype == np.float32


def test_small_floats_stay_small_in_scipy() -> None:
    x = Tensor([0.5, 1.5])
    for function in (special.i0e, special.bessel_y0, lambda x: mt.polygamma(2, x), lambda x: special.zeta(2.0, x)):
        assert function(x).dtype == np.float32
    assert mt.igamma(x, x).dtype == np.float32
    assert special.bessel_j0(Tensor([1, 2])).dtype == np.float32


def test_zeta_has_a_gradient_for_its_second_operand_alone() -> None:
    s, q = Tensor(np.array([2.0, 3.5])), Tensor(np.array([0.7, 2.0]), requires_grad=True)
    assert gradcheck(lambda q: special.zeta(s, q), [q])
    with pytest.raises(TypeError, match="zeta has no gradient rule for 'input'"):
        special.zeta(q, s)


@pytest.mark.parametrize("name", ["bessel_j0", "modified_bessel_k1", "spherical_bessel_j0"])
def test_what_has_no_gradient_says_so(name: str) -> None:
    x = Tensor([1.0], requires_grad=True)
    with pytest.raises(TypeError, match=f"{name} has no gradient rule, here as in PyTorch"):
        getattr(special, name)(x)
    with mt.no_grad():
        assert not getattr(special, name)(x).requires_grad
