"""Weights and checkpoints in files: as safetensors or as .npz, and never as a pickle, which can run any program.

safetensors, npz    the two formats
_flat               nested dicts as one flat dict of arrays, and back
_foreign            files that are no weights, and what to do with them
atomic, errors      writing that leaves the old file or the new one; what is said of a file that cannot be read
"""

from __future__ import annotations

import io
import os
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from minitorch.backend import gpu_number
from minitorch.serialization import npz, safetensors
from minitorch.serialization._flat import flattened, rebuilt
from minitorch.serialization._foreign import recognised
from minitorch.serialization.atomic import write_atomically
from minitorch.serialization.errors import UnreadableFileError

__all__ = ["UnreadableFileError", "load", "save"]

LONGEST_REASON = 300
FORMATS: dict[str, Any] = {".safetensors": safetensors, ".npz": npz}


def save(obj: Mapping[Any, Any], f: str | os.PathLike[str] | IO[bytes]) -> None:
    """Writes a dict of Tensors, such as `model.state_dict()`, to a file that ends in `.safetensors` or `.npz`.

    Values may also be arrays, numbers, strings, None, lists, tuples and dicts of all these: a whole checkpoint, as in
    `{"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3}`. All of them survive exactly; of a
    Tensor its values do, and neither its graph nor its gradient. The file is replaced as a whole or not at all,
    whatever happens meanwhile. f may be a file that is open for writing bytes, too, which gets safetensors.

    Raises TypeError for what cannot be saved and for a file of text, ValueError for another ending, FileNotFoundError
    for a missing folder.

    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name) / "checkpoint.safetensors"
    >>> save({"model": {"weight": Tensor([1.0, 2.0])}, "epoch": 3}, path)
    >>> load(path)
    {'model': {'weight': tensor([1., 2.])}, 'epoch': 3}
    >>> folder.cleanup()
    """
    path = Path(f) if isinstance(f, (str, os.PathLike)) else None
    format_ = safetensors if path is None else _format(path, "save")
    if not isinstance(obj, dict):
        hint = f", as {type(obj).__name__}.state_dict() gives it" if hasattr(obj, "state_dict") else ""
        raise TypeError(f"save: give a dict{hint}, not a {type(obj).__name__}")
    arrays, structure = flattened(obj)
    if path is None:
        _require_open(f, "save", "write")
        format_.write(f, arrays, structure)
        return
    if not path.resolve().parent.is_dir():
        raise FileNotFoundError(f"save: there is no folder {path.resolve().parent}: make it first")
    write_atomically(path, lambda file: format_.write(file, arrays, structure))


def load(
    f: str | os.PathLike[str] | IO[bytes],
    map_location: Any = None,
    *,
    weights_only: bool = True,  # noqa: ARG001
) -> dict[Any, Any]:
    """Reads what `save` wrote, or a safetensors or .npz file of other origin: a dict of name → Tensor.

    Nothing in the file is run or trusted: what is truncated, foreign or made to do harm raises UnreadableFileError, a
    ValueError that says what is wrong. bfloat16 is read as float32. map_location: the device that Tensors go to. f may
    be a file that is open for reading bytes, too. weights_only is accepted for PyTorch's sake: it is always so.

    Raises FileNotFoundError for a missing file, ValueError for another ending or an unknown device.
    """
    if map_location is not None:
        gpu_number(map_location)
    if not isinstance(f, (str, os.PathLike)):
        _require_open(f, "load", "read")
        content = f.read()
        if not content:
            raise UnreadableFileError("load: the open file has nothing left to read: go back to its start, f.seek(0)")
        kind = npz if content[:2] == b"PK" else safetensors
        return _read(kind, io.BytesIO(content), len(content), "the open file", map_location)
    path = Path(f)
    format_ = _format(path, "load")
    if path.exists() and not path.is_file():
        raise UnreadableFileError(f"load: {path} is a folder or a device, not a file")
    with path.open("rb") as file:
        return _read(format_, file, path.stat().st_size, str(path), map_location)


def _require_open(f: Any, function: str, method: str) -> None:
    """Raises TypeError for what is neither a path nor a file of bytes."""
    if isinstance(f, io.TextIOBase):
        raise TypeError(f"{function}: the file is open for text: open it with mode {method[0] + 'b'!r}, for bytes")
    if not hasattr(f, method):
        raise TypeError(f"{function}: give a path, or a file that is open for bytes, not a {type(f).__name__}")


def _read(format_: Any, file: IO[bytes], size: int, name: str, map_location: Any) -> dict[Any, Any]:
    try:
        arrays, structure = format_.read(file, size)
        return rebuilt(arrays, structure, map_location)
    except UnreadableFileError as error:
        ending = next(each for each, known in FORMATS.items() if known is format_)
        # names in a file can be of any length
        reason = recognised(file, ending) or textwrap.shorten(str(error), LONGEST_REASON, placeholder=" …")
        raise UnreadableFileError(f"load: {name} cannot be read: {reason}") from None


def _format(path: Path, function: str) -> Any:
    ending = path.suffix.lower()
    if ending in FORMATS:
        return FORMATS[ending]
    hint = ""
    if ending in (".pt", ".pth", ".bin", ".ckpt", ".pkl", ".pickle"):
        hint = "; this ending means a pickle, which can run any program: convert it to safetensors where it was made"
    raise ValueError(f"{function}: {path.name} has to end in .safetensors or .npz, which says its format{hint}")
