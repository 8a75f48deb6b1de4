"""Cases of special functions: of the gamma function's family, of the normal curve's, Bessel's, and polynomials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from op_table.case import Case, Draw, case, exactly, positive, signed
from op_table.unary import at, between, of_integers, unary

INF, NAN = float("inf"), float("nan")


def reach(m: Any, name: str) -> Any:
    """What stands at a name with dots."""
    for part in name.split("."):
        m = getattr(m, part)
    return m


def of_one(op: str, draw: Callable[..., Draw], *edges: float) -> list[Case]:
    """A function of one variable of `special`, which has no method."""
    return [
        case(op, "matrix", lambda m, x: reach(m, op)(x), draw(2, 3)),
        case(op, "single number", lambda m, x: reach(m, op)(x), draw()),
        case(op, "size 0", lambda m, x: reach(m, op)(x), draw(2, 0)),
        *([case(op, "edges", lambda m, x: reach(m, op)(x), exactly(edges), smooth=False)] if edges else []),
    ]


def of_two(op: str, left: Draw, right: Draw, **options: Any) -> list[Case]:
    return [
        case(op, "broadcast", lambda m, x, y: reach(m, op)(x, y), left(2, 1), right(3), **options),
        case(op, "single numbers", lambda m, x, y: reach(m, op)(x, y), left(), right(), **options),
    ]


def constant(op: str, draw: Callable[..., Draw], *rest: Any) -> list[Case]:
    """Without a gradient, in PyTorch as here: beside a float that the result is multiplied with."""
    return [
        case(op, "matrix", lambda m, x: x * reach(m, op)(x.detach(), *rest), draw(2, 3), twice=False, smooth=False),
        case(op, "size 0", lambda m, x: x * reach(m, op)(x.detach(), *rest), draw(0), smooth=False),
    ]


GAMMA = [
    *unary("lgamma", positive),
    at("lgamma", "edges", 0.0, -1.0, -2.5, 1.0, 2.0, 170.5, 1e-8, INF),
    case("lgamma", "below 0", lambda m, x: m.lgamma(x), exactly([-0.5, -2.3, -7.7])),
    of_integers("lgamma", 3, 5),
    *unary("digamma", positive),
    at("digamma", "edges", 0.0, -0.5, -2.5, 1.0, 100.5, 1e-8),
    of_integers("digamma", 3, 5),
    *[
        case("polygamma", f"order {n}", lambda m, x, n=n: m.polygamma(n, x), exactly([0.9, 1.3, 7.5]))
        for n in (0, 1, 2, 3)
    ],
    case("polygamma", "below 0", lambda m, x: m.polygamma(2, x), exactly([-0.5, -1.3])),
    case("polygamma", "single number", lambda m, x: m.polygamma(1, x), positive()),
    case("polygamma", "size 0", lambda m, x: m.polygamma(1, x), positive(0)),
    *[
        case("mvlgamma", f"of {p}", lambda m, x, p=p: m.mvlgamma(x, p), exactly([[2.4, 3.3], [7.5, 2.9]]))
        for p in (1, 3)
    ],
    *[
        each
        for op in ("igamma", "igammac", "special.gammainc", "special.gammaincc")
        for each in (
            case(op, "broadcast", lambda m, a, x, op=op: reach(m, op)(a, x), positive(2, 1), positive(3), fixed=(0,)),
            case(
                op,
                "large and small",
                lambda m, a, x, op=op: reach(m, op)(a, x),
                exactly([0.1, 9.0, 9.0, 2.0]),
                exactly([7.0, 9.5, 2.0, 1e-3]),
                fixed=(0,),
                smooth=False,
            ),
            case(
                op,
                "edges",
                lambda m, a, x, op=op: reach(m, op)(a, x),
                exactly([1.0, 0.0, 2.0, -1.0, 1.0]),
                exactly([0.0, 1.0, INF, 1.0, -1.0]),
                fixed=(0, 1),
                smooth=False,
            ),
        )
    ],
    case(
        "special.zeta",
        "broadcast",
        lambda m, s, q: m.special.zeta(s, q),
        exactly([[2.0], [3.5], [11.0]]),
        exactly([0.3, 1.0, 7.5]),
        fixed=(0, 1),
    ),
    case(
        "special.zeta",
        "edges",
        lambda m, s, q: m.special.zeta(s, q),
        exactly([1.0, 0.5, 2.0, 3.0, 2.5]),
        exactly([1.0, 1.0, 0.0, -1.5, -0.5]),
        fixed=(0, 1),
        smooth=False,
    ),
    *of_one("special.gammaln", positive),
    *of_one("special.digamma", positive),
    *of_one("special.psi", positive),
    case("special.polygamma", "order 1", lambda m, x: m.special.polygamma(1, x), positive(3)),
    case("special.multigammaln", "of 2", lambda m, x: m.special.multigammaln(x, 2), exactly([2.4, 3.3])),
]

CURVE = [
    *unary("erfc", signed),
    at("erfc", "tails", 6.0, 26.0, -6.0, 0.0, INF, -INF, NAN),
    case("erfc", "both sides of where its formula changes", lambda m, x: m.erfc(x), exactly([0.46, 0.48, 3.99, 4.01])),
    of_integers("erfc", 1, -2),
    *unary("erfinv", between(-0.9, 0.9)),
    case("erfinv", "both halves", lambda m, x: m.erfinv(x), exactly([0.49, 0.51, -0.999, 1e-9])),
    at("erfinv", "edges", 1.0, -1.0, 1.5, 0.0),
    of_integers("erfinv", 0, 0),
    *of_one("special.erfc", signed),
    *of_one("special.erfinv", between(-0.9, 0.9)),
    *of_one("special.erfcx", signed, 100.0, -3.0, 0.0),
    *of_one("special.ndtr", signed, 5.0, -5.0, 0.0),
    *of_one("special.ndtri", between(0.05, 0.95), 0.0, 1.0, 0.5, 1e-12, -0.5),
    *of_one("special.log_ndtr", signed, 8.0, -40.0, 0.0),
]

BESSEL = [
    *unary("i0", signed),
    case("i0", "large", lambda m, x: m.i0(x), exactly([29.0, 31.0, -40.0])),
    of_integers("i0", 0, 2),
    *of_one("special.i0", signed),
    *of_one("special.i0e", signed, 31.0, -700.0),
    *of_one("special.i1", signed, 0.0, 1e-9, 31.0),
    *of_one("special.i1e", signed, 0.0, 1e-9, -700.0),
    *[
        each
        for name in ("bessel_j0", "bessel_j1", "modified_bessel_i0", "modified_bessel_i1", "spherical_bessel_j0")
        for each in constant(f"special.{name}", signed)
    ],
    *[
        each
        for name in ("bessel_y0", "bessel_y1", "modified_bessel_k0", "modified_bessel_k1")
        for each in constant(f"special.{name}", positive)
    ],
    *[
        each
        for name in ("scaled_modified_bessel_k0", "scaled_modified_bessel_k1")
        for each in constant(f"special.{name}", positive)
    ],
]

POLYNOMIALS = [
    each
    for name in (
        *[f"{shift}chebyshev_polynomial_{kind}" for shift in ("", "shifted_") for kind in "tuvw"],
        *("hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"),
    )
    for each in (
        case(
            f"special.{name}",
            "of several orders",
            lambda m, x, n, name=name: x * getattr(m.special, name)(x.detach(), n),
            between(0.05, 0.9)(4, 1),
            exactly([0.0, 1.0, 2.0, 5.0, 8.0]),
            fixed=(1,),
            smooth=False,
        ),
        case(
            f"special.{name}",
            "a number as the order, below 0 too",
            lambda m, x, name=name: x * getattr(m.special, name)(x.detach(), 3),
            between(0.05, 0.9)(3),
            smooth=False,
        ),
    )
]

OTHERS = [
    *unary("sinc", signed),
    at("sinc", "edges", 0.0, 1.0, -2.0),
    case("sinc", "near 0", lambda m, x: m.sinc(x), exactly([0.05, -0.01, 0.09])),
    of_integers("sinc", 0, 1),
    *unary("logit", between(0.1, 0.9)),
    case("logit", "with eps", lambda m, x: m.logit(x, 0.2), exactly([0.1, 0.5, 0.95, 0.3])),
    at("logit", "edges", 0.0, 1.0, 0.5, 1.5),
    *of_one("special.logit", between(0.1, 0.9)),
    *of_one("special.sinc", signed),
    *of_one("special.entr", positive, 0.0, -1.0, 1.0),
    *of_two("special.xlog1py", signed, positive),
    case(
        "special.xlog1py",
        "edges",
        lambda m, x, y: m.special.xlog1py(x, y),
        exactly([0.0, 0.0, 1.0]),
        exactly([-1.0, 2.0, -1.0]),
        smooth=False,
    ),
    *of_two("special.xlogy", positive, positive),
    *[
        each
        for name, draw in (
            *[(name, signed) for name in ("erf", "exp2", "expit", "expm1")],
            *[("log1p", positive), ("round", between(0.1, 0.4))],
        )
        for each in of_one(f"special.{name}", draw)[: 2 if name != "round" else 0]
    ],
    case("special.round", "halves", lambda m, x: m.special.round(x), exactly([0.5, 1.4, -2.6]), smooth=False),
    case("special.logsumexp", "last axis", lambda m, x: m.special.logsumexp(x, -1), signed(2, 3)),
    case("special.softmax", "last axis", lambda m, x: m.special.softmax(x, -1), signed(2, 3)),
    case("special.log_softmax", "last axis", lambda m, x: m.special.log_softmax(x, -1), signed(2, 3)),
]

CASES = [*GAMMA, *CURVE, *BESSEL, *POLYNOMIALS, *OTHERS]
