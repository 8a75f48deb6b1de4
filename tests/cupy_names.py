"""What CuPy has of NumPy's names: cupy_names.json, which scripts/make_cupy_names.py wrote."""

import functools
import inspect
import json
from pathlib import Path
from typing import Any

NAMES: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


@functools.cache
def signature(text: str) -> inspect.Signature:
    """The arguments that the list gives in short: `a axis= * keepdims=`."""
    kind, made = inspect.Parameter.POSITIONAL_OR_KEYWORD, []
    for part in text.split():
        name, default = part.strip("*="), 0 if part.endswith("=") else inspect.Parameter.empty
        if part.startswith("**"):
            made.append(inspect.Parameter(name, inspect.Parameter.VAR_KEYWORD))
            continue
        if part.startswith("*"):
            kind = inspect.Parameter.KEYWORD_ONLY
            if name:
                made.append(inspect.Parameter(name, inspect.Parameter.VAR_POSITIONAL))
            continue
        made.append(inspect.Parameter(name, kind, default=default))
    return inspect.Signature(made)
