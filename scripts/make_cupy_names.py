"""Writes tests/cupy_names.json: what CuPy has of NumPy's names, and which arguments it takes.

The fake CuPy of the tests refuses what is not in that file. Run this where CuPy is installed (a GPU is not needed)
whenever its version changes:

    python scripts/make_cupy_names.py

A function's arguments stand in one string: `a axis= * keepdims=` for `(a, axis=…, *, keepdims=…)`. A ufunc's string is
`ufunc` and its methods that work; "inputs" are the dtypes that it computes with. "handed on" are the names that are
NumPy's own objects in CuPy too.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import cupy
import numpy as np

FILE = Path(__file__).resolve().parent.parent / "tests" / "cupy_names.json"
MODULES = ("", "linalg", "lib.stride_tricks")
# Those of reduce, accumulate and at that are no stubs. CuPy says so only when they are called with an array.
UFUNC_METHODS = {
    "add": "reduce accumulate at",
    "multiply": "reduce accumulate",
    **dict.fromkeys(("subtract", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor"), "at"),
}


def names() -> dict[str, Any]:
    """What stands in the file."""
    found: dict[str, Any] = {"cupy": cupy.__version__}
    for path in MODULES:
        ours, theirs = cupy, np
        for part in filter(None, path.split(".")):
            ours, theirs = getattr(ours, part), getattr(theirs, part)
        public = [name for name in dir(theirs) if not name.startswith("_")]
        both = {name: getattr(ours, name) for name in public if hasattr(ours, name)}
        own = {name: value for name, value in both.items() if value is not getattr(theirs, name) and callable(value)}
        found[path or "functions"] = {name: described(name, value) for name, value in own.items()}
        if not path:
            found["handed on"] = [name for name in both if both[name] is getattr(theirs, name)]
            ufuncs = {name: value for name, value in own.items() if isinstance(value, cupy.ufunc)}
            found["inputs"] = {name: " ".join(inputs(value)) for name, value in ufuncs.items()}
    methods = [name for name in dir(cupy.ndarray) if not name.startswith("_")]
    found["methods"] = {name: method(getattr(cupy.ndarray, name)) for name in methods}
    found["attributes"] = [name for name, arguments in found["methods"].items() if arguments is None]
    found["methods"] = {name: arguments for name, arguments in found["methods"].items() if arguments is not None}
    return found


def inputs(ufunc: cupy.ufunc) -> list[str]:
    """The dtypes that a ufunc computes with, one letter for each operand: `ff`, `dd`."""
    return list(dict.fromkeys(loop.partition("->")[0] for loop in ufunc.types))


def described(name: str, value: Any) -> str:
    """The arguments of a function, or what a ufunc can do."""
    if isinstance(value, cupy.ufunc):
        return f"ufunc {UFUNC_METHODS.get(name, '')}".strip()
    try:
        return " ".join(arguments(inspect.signature(value)))
    except ValueError:
        return written(value)


def method(value: Any) -> str | None:
    """The arguments of a method without `self`; None for an attribute."""
    if not callable(value):
        return None
    return written(value).removeprefix("self").strip()


def written(value: Any) -> str:
    """The arguments as the first line of the docstring gives them; compiled functions tell them nowhere else."""
    inside = re.match(r"[\w.]+\((.*?)\)(?: ->|\n|$)", value.__doc__ or "")
    if inside is None:
        return "*args **kwargs"
    parts = [part.strip() for part in inside[1].split(",")]
    return " ".join(part.split("=")[0].split()[-1] + "=" * ("=" in part) for part in parts if part)


def arguments(signature: inspect.Signature) -> list[str]:
    """The parameters in short."""
    short, starred = [], False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            short.append("*")
        starred |= parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        short.append(star + parameter.name + "=" * (parameter.default is not parameter.empty))
    return short


def main() -> None:
    """Writes the file, one name a line."""
    FILE.write_text(json.dumps(names(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{FILE.name}: CuPy {cupy.__version__}, {FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
