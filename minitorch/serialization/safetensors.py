"""The safetensors format: eight bytes that say how long the header is, the header in JSON, and the numbers.

    {"weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "__metadata__": {"format": "pt"}}

All numbers are little-endian. Offsets count from the end of the header; together they cover the rest of the file,
without a gap. There is nothing in such a file that could be run, so all that a reader has to do is to believe nothing.
"""

from __future__ import annotations

import collections
import json
import math
from typing import IO, Any

import numpy as np

from minitorch.serialization._flat import RESERVED
from minitorch.serialization._foreign import AGAIN
from minitorch.serialization.errors import UnreadableFileError

CODES = {
    "BOOL": "?",
    "I8": "i1",
    "I16": "<i2",
    "I32": "<i4",
    "I64": "<i8",
    "U8": "u1",
    "U16": "<u2",
    "U32": "<u4",
    "U64": "<u8",
    "F16": "<f2",
    "F32": "<f4",
    "F64": "<f8",
    "BF16": "<u2",  # the upper half of a float32; NumPy has no such dtype
}
NAMES = {np.dtype(code): name for name, code in CODES.items() if name != "BF16"}
LONGEST_HEADER = 100_000_000
MOST_AXES = 64  # NumPy's limit


def write(file: IO[bytes], arrays: dict[str, np.ndarray], structure: str | None) -> None:
    """Writes the arrays, and the text that says how they were nested. Wide numbers come first, so all are aligned."""
    ordered = sorted(arrays, key=lambda name: -arrays[name].itemsize)
    ends = np.cumsum([arrays[name].nbytes for name in ordered], dtype=np.int64).tolist()
    offsets = {name: [end - arrays[name].nbytes, end] for name, end in zip(ordered, ends, strict=True)}
    header: dict[str, Any] = {} if structure is None else {RESERVED: {"minitorch": structure}}
    for name, array in arrays.items():
        code = NAMES[array.dtype.newbyteorder("<")]
        header[name] = {"dtype": code, "shape": list(array.shape), "data_offsets": offsets[name]}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    file.write(len(text).to_bytes(8, "little"))
    file.write(text)
    for name in ordered:
        if arrays[name].size:
            little = arrays[name].astype(arrays[name].dtype.newbyteorder("<"), copy=False)
            file.write(little.reshape(-1).view(np.uint8).data)


def read(file: IO[bytes], size: int) -> tuple[dict[str, np.ndarray], str | None]:
    """The arrays by name, in the header's order, and the text that says how they were nested, if there is one.

    Raises UnreadableFileError unless everything in the header is true of a file of this size.
    """
    header, start = _header(file, size)
    metadata = header.pop(RESERVED, {})
    if not isinstance(metadata, dict) or not all(isinstance(text, str) for text in metadata.values()):
        raise UnreadableFileError(f"{RESERVED} in its header is no dict of texts")
    for name, entry in header.items():
        _require_sense(name, entry)
    _require_cover(header, size - start)
    arrays = {}
    for name, entry in header.items():
        file.seek(start + entry["data_offsets"][0])
        arrays[name] = _array(file, name, entry)
    return arrays, metadata.get("minitorch")


def _header(file: IO[bytes], size: int) -> tuple[dict[str, Any], int]:
    """The header, and where the numbers begin."""
    if size < 10:
        raise UnreadableFileError(f"{size} bytes are too few for a safetensors file")
    length = int.from_bytes(file.read(8), "little")
    if not 2 <= length <= min(size - 8, LONGEST_HEADER):
        raise UnreadableFileError(
            f"its first bytes announce a header of {length} bytes in a file of {size}: "
            f"it is truncated, or no safetensors file: {AGAIN}"
        )
    try:
        header = json.loads(file.read(length).decode(), object_pairs_hook=_without_duplicates)
    except UnreadableFileError:
        raise
    except (ValueError, RecursionError):
        raise UnreadableFileError("its header is no JSON: it is damaged, or no safetensors file") from None
    if not isinstance(header, dict):
        raise UnreadableFileError("its header is no JSON object")
    return header, 8 + length


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = collections.Counter(name for name, _ in pairs).most_common(1)[0]
        raise UnreadableFileError(f"its header has {twice!r} twice")
    return found


def _require_sense(name: str, entry: Any) -> None:
    """Raises UnreadableFileError unless an entry says how to read one array, and as many bytes as that takes."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise UnreadableFileError(f"its entry {name!r} is not made of dtype, shape and data_offsets")
    code, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(code, str) or code not in CODES:
        raise UnreadableFileError(f"{name!r} has dtype {code!r}; known are {', '.join(CODES)}")
    if not _are_sizes(shape) or len(shape) > MOST_AXES:
        raise UnreadableFileError(f"{name!r} has a shape that is no list of sizes")
    if not _are_sizes(offsets) or len(offsets) != 2:
        raise UnreadableFileError(f"{name!r} has data_offsets that are not two places")
    wanted = math.prod(shape) * np.dtype(CODES[code]).itemsize
    if offsets[1] - offsets[0] != wanted:
        raise UnreadableFileError(
            f"{name!r} of shape {tuple(shape)} and dtype {code} takes {wanted} bytes, "
            f"and its data_offsets are {offsets[0]} to {offsets[1]}"
        )


def _are_sizes(values: Any) -> bool:
    return isinstance(values, list) and all(type(each) is int and 0 <= each < 2**63 for each in values)


def _require_cover(header: dict[str, Any], size: int) -> None:
    """Raises UnreadableFileError unless the arrays lie one after the other and fill the file."""
    reached, before = 0, "the header"
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        first, last = entry["data_offsets"]
        if last > size:
            raise UnreadableFileError(
                f"{name!r} ends {last - size} bytes behind the end of the file: it is truncated: {AGAIN}"
            )
        if first != reached:
            what = "overlap" if first < reached else "have a gap between them"
            raise UnreadableFileError(f"{before if before == 'the header' else repr(before)} and {name!r} {what}")
        reached, before = last, name
    if reached != size:
        raise UnreadableFileError(f"{size - reached} bytes at its end belong to nothing")


def _array(file: IO[bytes], name: str, entry: dict[str, Any]) -> np.ndarray:
    """The numbers that an entry of the header points at. Raises UnreadableFileError where they are not there."""
    code = entry["dtype"]
    stored = np.dtype(CODES[code])
    first, last = entry["data_offsets"]
    raw = np.empty((last - first) // stored.itemsize, stored)
    if raw.size and file.readinto(raw.view(np.uint8).data) != raw.nbytes:  # type: ignore[attr-defined]
        raise UnreadableFileError(f"it ends within {name!r}")
    if code == "BF16":
        raw = (raw.astype(np.uint32) << 16).view(np.float32)
    elif code == "BOOL":
        raw = raw.view(np.uint8) != 0  # a byte that is neither 0 nor 1 is no bool to NumPy
    try:
        return raw.astype(raw.dtype.newbyteorder("="), copy=False).reshape(entry["shape"])
    except ValueError:
        raise UnreadableFileError(f"{name!r} has shape {tuple(entry['shape'])}, which is too large") from None
