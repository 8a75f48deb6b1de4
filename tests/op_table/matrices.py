"""Cases of linear algebra that is asked for seldom: further products, factors by elimination and by reflections."""

from __future__ import annotations

from typing import Any

from op_table.case import Case, case, exactly, positive, signed


def regular(m: Any, A: Any) -> Any:
    """Far from singular."""
    return A + 4.0 * m.eye(A.shape[-1], dtype=A.dtype, device=A.device)


def of_square(op: str, call: Any, *options: Any) -> list[Case]:
    return [
        case(op, "matrix", lambda m, A: call(m, regular(m, A), *options), signed(3, 3)),
        case(op, "batch", lambda m, A: call(m, regular(m, A), *options), signed(2, 2, 2)),
    ]


def symmetric(m: Any, A: Any) -> Any:
    return A @ A.mT + 2.0 * m.eye(A.shape[-1], dtype=A.dtype, device=A.device)


def factor(m: Any, L: Any) -> Any:
    return m.tril(L, -1) + m.diag_embed(m.diagonal(L, 0, -2, -1).square() + 1.0)


CASES = [
    case("addmv", "plain", lambda m, x, A, v: m.addmv(x, A, v), signed(2), signed(2, 3), signed(3)),
    case(
        "addmv", "scaled", lambda m, x, A, v: m.addmv(x, A, v, beta=0.5, alpha=2.0), signed(), signed(2, 3), signed(3)
    ),
    case("addr", "plain", lambda m, x, u, v: m.addr(x, u, v), signed(2, 3), signed(2), signed(3)),
    case("addr", "scaled", lambda m, x, u, v: m.addr(x, u, v, beta=0.0, alpha=2.0), signed(3), signed(2), signed(3)),
    case(
        "addbmm",
        "scaled",
        lambda m, x, A, B: m.addbmm(x, A, B, beta=0.5, alpha=2),
        signed(2, 2),
        signed(3, 2, 3),
        signed(3, 3, 2),
    ),
    case("vdot", "vectors", lambda m, x, y: m.vdot(x, y), signed(3), signed(3)),
    case("chain_matmul", "three", lambda m, A, B, C: m.chain_matmul(A, B, C), signed(2, 5), signed(5, 1), signed(1, 3)),
    case(
        "linalg.multi_dot",
        "four",
        lambda m, A, B, C, D: m.linalg.multi_dot([A, B, C, D]),
        signed(2, 5),
        signed(5, 1),
        signed(1, 4),
        signed(4, 2),
    ),
    case(
        "linalg.multi_dot",
        "a row and a column",
        lambda m, a, B, c: m.linalg.multi_dot([a, B, c]),
        signed(2),
        signed(2, 3),
        signed(3),
    ),
    case("linalg.matmul", "matrices", lambda m, A, B: m.linalg.matmul(A, B), signed(2, 3), signed(3, 2)),
    case("linalg.vecdot", "broadcast", lambda m, x, y: m.linalg.vecdot(x, y), signed(2, 3), signed(3)),
    case("linalg.vecdot", "first axis", lambda m, x, y: m.linalg.vecdot(x, y, dim=0), signed(3, 2), signed(3, 2)),
    case("cross", "the first of size 3", lambda m, x, y: m.cross(x, y, 1), signed(2, 3), signed(2, 3)),
    case("linalg.cross", "broadcast", lambda m, x, y: m.linalg.cross(x, y), signed(2, 3), signed(1, 3)),
    case("linalg.cross", "first axis", lambda m, x, y: m.linalg.cross(x, y, dim=0), signed(3, 2), signed(3, 2)),
    case("linalg.diagonal", "batch", lambda m, A: m.linalg.diagonal(A, offset=1), signed(2, 3, 3)),
    case("linalg.vander", "more powers", lambda m, x: m.linalg.vander(x, N=4), signed(2, 3)),
    case("adjoint", "batch", lambda m, A: m.adjoint(A), signed(2, 3, 4)),
    case("H", "matrix", lambda m, A: A.H, signed(2, 3)),
    case("mH", "batch", lambda m, A: A.mH, signed(2, 3, 4)),
    *of_square("matrix_exp", lambda m, A: m.matrix_exp(0.3 * A)),
    case("matrix_exp", "size 0", lambda m, A: m.matrix_exp(A), signed(0, 0)),
    *of_square("linalg.matrix_exp", lambda m, A: m.linalg.matrix_exp(0.3 * A)),
    *of_square("linalg.inv_ex", lambda m, A: m.linalg.inv_ex(A).inverse),
    case("linalg.cholesky_ex", "matrix", lambda m, A: m.linalg.cholesky_ex(symmetric(m, A)).L, signed(3, 3)),
    case(
        "linalg.cholesky_ex", "upper", lambda m, A: m.linalg.cholesky_ex(symmetric(m, A), upper=True).L, signed(2, 2, 2)
    ),
    case("cholesky", "its older name", lambda m, A: m.cholesky(symmetric(m, A)), signed(3, 3)),
    case(
        "linalg.solve_ex",
        "matrix",
        lambda m, A, B: m.linalg.solve_ex(regular(m, A), B).result,
        signed(3, 3),
        signed(3, 2),
    ),
    case(
        "linalg.solve_ex",
        "from the right",
        lambda m, A, B: m.linalg.solve_ex(regular(m, A), B, left=False).result,
        signed(3, 3),
        signed(2, 3),
    ),
    case("cholesky_inverse", "lower", lambda m, L: m.cholesky_inverse(factor(m, L)), signed(3, 3)),
    case("cholesky_inverse", "upper", lambda m, L: m.cholesky_inverse(factor(m, L).mT, True), signed(2, 2, 2)),
    case("pinverse", "tall", lambda m, A: m.pinverse(A), signed(4, 2)),
    *[
        case(
            "triangular_solve",
            f"upper {upper}, transposed {transposed}",
            lambda m, b, A, upper=upper, transposed=transposed: (
                m.triangular_solve(b, regular(m, A), upper, transposed).solution
            ),
            signed(3, 2),
            signed(3, 3),
        )
        for upper in (True, False)
        for transposed in (True, False)
    ],
    case(
        "linalg.tensorinv",
        "four axes",
        lambda m, A: m.linalg.tensorinv(regular(m, A).reshape(2, 2, 4), 2),
        signed(4, 4),
    ),
    case(
        "linalg.tensorsolve",
        "four axes",
        lambda m, A, B: m.linalg.tensorsolve(regular(m, A).reshape(2, 2, 4), B),
        signed(4, 4),
        signed(2, 2),
    ),
    case(
        "linalg.tensorsolve",
        "axes moved",
        lambda m, A, B: m.linalg.tensorsolve(regular(m, A).reshape(4, 2, 2), B, (0,)),
        signed(4, 4),
        signed(2, 2),
    ),
    *of_square("linalg.lu", lambda m, A: m.linalg.lu(A).L + m.linalg.lu(A).U),
    case("linalg.lu", "wide", lambda m, A: m.linalg.lu(A).U, signed(2, 4)),
    case("linalg.lu", "tall", lambda m, A: m.linalg.lu(A).L, signed(4, 2)),
    case(
        "linalg.lu",
        "the order of rows",
        lambda m, A: m.linalg.lu(A).P @ A.detach() * A[0, 0],
        signed(3, 3),
        smooth=False,
    ),
    case(
        "linalg.lu",
        "of zeros",
        lambda m, A: m.linalg.lu(A).L,
        exactly([[0.0, 0.0], [0.0, 0.0]]),
        fixed=(0,),
        smooth=False,
    ),
    *of_square("linalg.lu_factor", lambda m, A: m.linalg.lu_factor(A).LU),
    *of_square("linalg.lu_factor_ex", lambda m, A: m.linalg.lu_factor_ex(A).LU),
    *[
        case(
            "linalg.lu_solve",
            f"left {left}, adjoint {adjoint}",
            lambda m, A, B, left=left, adjoint=adjoint: m.linalg.lu_solve(
                *m.linalg.lu_factor(A), B, left=left, adjoint=adjoint
            ),
            signed(3, 3),
            signed(3, 3),
        )
        for left in (True, False)
        for adjoint in (True, False)
    ],
    case("lu", "its older form", lambda m, A: A.lu()[0], signed(3, 3)),
    case("lu_solve", "its older form", lambda m, b, A: m.lu_solve(b, *A.lu()), signed(3, 2), signed(3, 3)),
    case("lu_unpack", "upper", lambda m, A: m.lu_unpack(*A.lu()).U, signed(3, 3)),
    case("svd", "values", lambda m, A: m.svd(A).S, signed(3, 2)),
    case("svd", "product", lambda m, A: m.svd(A).U @ m.svd(A).V.mT, signed(3, 2), twice=False),
    case("svd", "values alone", lambda m, A: m.svd(A, compute_uv=False).S, signed(2, 3)),
    case("qr", "its older form", lambda m, A: m.qr(A).R.abs(), signed(3, 2)),
    case("geqrf", "R", lambda m, A: m.geqrf(A.detach()).a.triu().abs() * A[0, 0], signed(3, 3), smooth=False),
    case(
        "linalg.householder_product",
        "square",
        lambda m, A, t: m.linalg.householder_product(A, t),
        signed(3, 3),
        positive(3),
    ),
    case(
        "linalg.householder_product",
        "tall, fewer",
        lambda m, A, t: m.linalg.householder_product(A, t),
        signed(2, 4, 3),
        positive(2, 2),
    ),
    case("orgqr", "its older name", lambda m, A, t: m.orgqr(A, t), signed(3, 2), positive(2)),
    *[
        case(
            "ormqr",
            f"left {left}, transposed {transposed}",
            lambda m, A, t, C, left=left, transposed=transposed: m.ormqr(A, t, C, left, transposed),
            signed(3, 2),
            positive(2),
            signed(3, 3),
        )
        for left in (True, False)
        for transposed in (True, False)
    ],
    case("linalg.pinv", "hermitian", lambda m, A: m.linalg.pinv(symmetric(m, A), hermitian=True), signed(3, 3)),
    case(
        "linalg.matrix_rank",
        "indices: a tolerance each",
        lambda m, A, t: m.linalg.matrix_rank(A, atol=t),
        signed(2, 3, 3),
        exactly([0.1, 9.0]),
    ),
]
