"""Cases of softmax and log_softmax."""

from __future__ import annotations

from op_table.case import Case, case, exactly, signed

INF = float("inf")


def along(op: str, dim: int, *shape: int) -> Case:
    return case(op, f"dim {dim} of shape {shape}", lambda m, x: getattr(m, op)(x, dim=dim), signed(*shape))


def softmaxes(op: str) -> list[Case]:
    def over_first(title: str, values: list[float], smooth: bool = True) -> Case:
        return case(op, title, lambda m, x: getattr(m, op)(x, dim=0), exactly(values), smooth=smooth)

    return [
        along(op, 0, 4),
        along(op, -1, 2, 3),
        along(op, 0, 2, 3),
        along(op, 1, 2, 3, 2),
        along(op, 1, 3, 1),
        along(op, 0),
        along(op, -1),
        along(op, 1, 0, 3),
        along(op, 0, 0, 3),
        over_first("large", [1000.0, 999.0, -1000.0]),
        over_first("with minus infinity", [-INF, 1.0, 2.0], smooth=False),
        over_first("nothing but minus infinity", [-INF, -INF], smooth=False),
        over_first("with infinity", [INF, 1.0], smooth=False),
        over_first("with nan", [float("nan"), 1.0], smooth=False),
        case(op, "dim by position", lambda m, x: getattr(m, op)(x, 1), signed(2, 3)),
        case(op, "converted first", lambda m, x: getattr(m, op)(x, 1, dtype=x.dtype), signed(2, 3)),
        case(op, "of the functions of nn", lambda m, x: getattr(m.nn.functional, op)(x, dim=1), signed(2, 3)),
    ]


CASES = [*softmaxes("softmax"), *softmaxes("log_softmax")]
