"""Cases of other dtypes and other devices."""

from __future__ import annotations

from op_table.case import case, exactly, indices, mask, signed

# Rounding to float32 is not smooth: nudges of a millionth drown in it.
CASES = [
    case("to", "the dtype it has", lambda m, x: x.to(x.dtype), signed(2, 3)),
    case("to", "through float32", lambda m, x: x.to(m.float32).to(x.dtype), signed(2, 3), smooth=False),
    case("to", "dtype by name, and another Tensor", lambda m, x: x.to(dtype=m.float32).to(x), signed(3), smooth=False),
    case("to", "where it is", lambda m, x: x.to("cpu") * 2.0, signed(3)),
    case("to", "not blocking", lambda m, x: x.to("cpu", non_blocking=True) * 2.0, signed(3)),
    case("to", "a copy", lambda m, x: x.to("cpu", copy=True), signed(3)),
    case("to", "a single number", lambda m, x: x.to(m.float64).to(x.dtype), signed()),
    case("to", "size 0", lambda m, x: x.to(m.float32).to(x.dtype), signed(0, 2)),
    case("to", "integers to floats", lambda m, i, x: i.to(x.dtype) * x, indices(1, 2, 3), signed(3)),
    case("to", "indices of floats", lambda m, x: x.to(m.int64), exactly([1.7, -1.7, 0.2])),
    case("double", "and back", lambda m, x: x.double().to(x.dtype), signed(2)),
    case("float", "and back", lambda m, x: x.float().to(x.dtype), signed(2), smooth=False),
    case("long", "indices of floats", lambda m, x: x.long(), exactly([1.7, -1.7, 0.2])),
    case("int", "indices of floats, cut to 32 bits", lambda m, x: x.int().long(), exactly([1.7, -1.7, 0.2])),
    case("bool", "indices of floats that are not 0", lambda m, x: x.bool().long(), exactly([1.7, 0.0, -0.2])),
    case("bool", "bools as factors", lambda m, b, x: b.bool() * x, mask(True, False), signed(2)),
    case("half", "and back", lambda m, x: x.half().to(x.dtype), signed(2), smooth=False),
    case("short", "indices of floats, cut to 16 bits", lambda m, x: x.short().long(), exactly([1.7, -1.7, 300.0])),
    case("char", "indices of floats, cut to 8 bits", lambda m, x: x.char().long(), exactly([1.7, -1.7, 100.0])),
    case("byte", "indices of floats, cut to 8 bits", lambda m, x: x.byte().long(), exactly([1.7, 0.2, 200.0])),
    case("type", "a dtype", lambda m, x: x.type(x.dtype) * 2.0, signed(2)),
    case("to", "flags without names", lambda m, x: x.to("cpu", x.dtype, True, True) * 2.0, signed(3)),
    case("type_as", "integers", lambda m, i, x: i.type_as(x) * x, indices(1, 2), signed(2)),
]
