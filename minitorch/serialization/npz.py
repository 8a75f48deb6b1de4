"""NumPy's .npz: a zip archive with one .npy for each array. It is read here as data only, pickles never.

What an archive or an array says of its own size is checked before memory is taken for it, so that neither a few bytes
that unpack to terabytes nor a header with an absurd shape does harm.
"""

from __future__ import annotations

import math
import struct
import tokenize
import zipfile
import zlib
from typing import IO, Any

import numpy as np

from minitorch.serialization._flat import DTYPES, RESERVED
from minitorch.serialization.errors import UnreadableFileError

ALWAYS_ALLOWED = 1 << 30  # bytes after unpacking; beyond, a hundred times the file's own size
DAMAGE: tuple[type[Exception], ...] = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, MemoryError)
DAMAGE += (ValueError, TypeError, LookupError, SyntaxError, struct.error, tokenize.TokenError)  # NumPy's of a header


def write(file: IO[bytes], arrays: dict[str, np.ndarray], structure: str | None) -> None:
    """Writes the arrays, and the text that says how they were nested. The same arrays give the same bytes."""
    members = dict(arrays)
    if structure is not None:
        members[RESERVED] = np.frombuffer(structure.encode(), np.uint8)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, array in members.items():
            member = zipfile.ZipInfo(f"{name}.npy")
            if member.filename != f"{name}.npy":
                raise ValueError(f"save: {name!r} cannot be a name in an .npz file")
            with archive.open(member, "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)


def read(file: IO[bytes], size: int) -> tuple[dict[str, np.ndarray], str | None]:
    """The arrays by name, and the text that says how they were nested, if there is one.

    Raises UnreadableFileError for what is no archive of plain arrays, or unpacks to far more than it should.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            _require_sense(members, size)
            arrays = {member.filename.removesuffix(".npy"): _array(archive, member) for member in members}
        text = arrays.pop(RESERVED, None)
        return arrays, None if text is None else text.tobytes().decode()
    except UnreadableFileError:
        raise
    except DAMAGE as error:
        raise UnreadableFileError(f"it is truncated, damaged, or no .npz file ({_sentence(error)})") from None


def _sentence(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _require_sense(members: list[zipfile.ZipInfo], size: int) -> None:
    names = [member.filename for member in members]
    if len(set(names)) < len(names):
        raise UnreadableFileError("it has two arrays of the same name")
    for member in members:
        if not member.filename.endswith(".npy"):
            raise UnreadableFileError(f"it holds {member.filename!r}, which is no .npy: it is not NumPy's .npz")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise UnreadableFileError(f"{member.filename!r} is packed in a way that NumPy does not use")
    unpacked = sum(member.file_size for member in members)
    if unpacked > max(ALWAYS_ALLOWED, 100 * size):
        raise UnreadableFileError(f"its {size} bytes claim to unpack to {unpacked}")


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    """One .npy of the archive, read as plain numbers. Raises UnreadableFileError for anything else."""
    name = member.filename.removesuffix(".npy")
    with archive.open(member) as stream:
        shape, by_columns, dtype = _header(stream, name)
        if dtype.newbyteorder("=") not in DTYPES:
            what = "pickled objects, which could run any program" if dtype.hasobject else f"dtype {dtype}"
            raise UnreadableFileError(f"{name!r} holds {what}; only plain numbers are read")
        wanted = math.prod(shape) * dtype.itemsize
        present = member.file_size - stream.tell()
        if wanted != present or min(shape, default=0) < 0:
            raise UnreadableFileError(f"{name!r} of shape {shape} takes {wanted} bytes, and {present} are there")
        raw = np.frombuffer(stream.read(), dtype) if wanted else np.empty(0, dtype)
    if dtype.kind == "b":
        raw = raw.view(np.uint8) != 0  # a byte that is neither 0 nor 1 is no bool to NumPy
    ordered = raw.reshape(shape[::-1]).T if by_columns else raw.reshape(shape)
    return np.array(ordered, dtype.newbyteorder("="), order="C")


def _header(stream: Any, name: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """(shape, stored by columns, dtype) of one .npy. NumPy reads it as a literal, which runs nothing."""
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        return np.lib.format.read_array_header_1_0(stream)
    if version == (2, 0):
        return np.lib.format.read_array_header_2_0(stream)
    raise UnreadableFileError(f"{name!r} is written in version {version} of the .npy format, which is for other types")
