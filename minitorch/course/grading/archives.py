"""Zip and tar files, read in memory and member by member: nothing is extracted, no link is followed, all is bounded.

What a member is called is only ever compared and shown. A member that must not be read is told with its reason; an
archive that cannot be read any further ends with one that says so.
"""

from __future__ import annotations

import bz2
import gzip
import io
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, Any

from minitorch.language import Message

ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2")
MOST_MEMBERS = 100_000  # of a whole class; a student's own archive has its own bound
MOST_OF_ONE = 2_000
MOST_BYTES = 4 << 30  # of a class's archive, as it lies there and unpacked
MOST_BYTES_OF_ONE = 64 << 20
MOST_RATIO = 200  # what a member may be unpacked, as a multiple of what it is packed
FREE_OF_RATIO = 1 << 20
DEEPEST = 12
LONGEST_NAME = 255
CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of a folder or an archive. `read` gives at most so many bytes, or raises whatever it likes."""

    parts: tuple[str, ...]
    time: datetime | None = None
    size: int = 0
    read: Callable[[int], bytes] | None = None  # None where there is nothing to read
    fault: Message | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much of an archive is looked at."""

    members: int
    size: int


CLASS = Bounds(MOST_MEMBERS, MOST_BYTES)
STUDENT = Bounds(MOST_OF_ONE, MOST_BYTES_OF_ONE)


def stem_of(name: str) -> str | None:
    """An archive's name without its ending; None for a name that is no archive's."""
    lower = name.casefold()
    ending = max((each for each in ENDINGS if lower.endswith(each)), key=len, default=None)
    return name[: -len(ending)] if ending else None


def members(file: IO[bytes], name: str, bounds: Bounds) -> Iterator[Member]:
    """The files of an archive, in its order. Each must be read before the next one is asked for."""
    reader = _zip if name.casefold().endswith(".zip") else _tar
    try:
        for count, member in enumerate(reader(file, name, bounds)):
            if count >= bounds.members:
                yield Member(
                    (), fault=Message("it holds more than {most} files; the rest was not read", most=bounds.members)
                )
                return
            yield member
    except OverflowError:
        yield Member(
            (), fault=Message("it unpacks to more than {most} MB; the rest was not read", most=bounds.size >> 20)
        )
    except Exception as error:  # noqa: BLE001 - an archive that somebody has tampered with can raise anything
        yield Member((), fault=Message("the archive cannot be read any further ({why})", why=type(error).__name__))


def parts_of(name: str) -> tuple[str, ...] | None:
    """The parts of a member's name; None for one that leads out of the archive, is too deep or too long."""
    parts = tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))
    odd = name.startswith(("/", "\\")) or ".." in parts or any(len(part) > LONGEST_NAME for part in parts)
    return None if odd or len(parts) > DEEPEST or not parts else parts


def _zip(file: IO[bytes], *_: object) -> Iterator[Member]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            parts = parts_of(info.filename)
            kind = stat.S_IFMT(info.external_attr >> 16)
            if parts is None:
                yield Member(
                    _tail(info.filename),
                    fault=Message("its name leads out of the archive, or is too long or too deep; it was not read"),
                )
            elif info.is_dir():
                yield Member((*parts, ""))
            elif kind not in (0, stat.S_IFREG):
                yield Member(parts, fault=Message("a link, a pipe or a device is not read"))
            elif info.flag_bits & 1:
                yield Member(parts, fault=Message("it needs a password"))
            elif info.file_size > max(FREE_OF_RATIO, MOST_RATIO * info.compress_size):
                yield Member(
                    parts, fault=Message("it is packed more than {most} times; it was not read", most=MOST_RATIO)
                )
            else:
                yield Member(parts, _zip_time(info), info.file_size, _reader(archive.open, info))


def _tar(file: IO[bytes], name: str, bounds: Bounds) -> Iterator[Member]:
    lower = name.casefold()
    packed: IO[bytes] = file
    if lower.endswith(("gz", "tgz")):
        packed = gzip.GzipFile(fileobj=file, mode="rb")  # type: ignore[assignment]
    elif lower.endswith("bz2"):
        packed = bz2.BZ2File(file)
    with tarfile.open(fileobj=_Counted(packed, bounds.size), mode="r|") as archive:
        for info in archive:
            parts = parts_of(info.name)
            if parts is None:
                yield Member(
                    _tail(info.name),
                    fault=Message("its name leads out of the archive, or is too long or too deep; it was not read"),
                )
            elif info.isdir():
                yield Member((*parts, ""))
            elif not info.isreg() or info.issparse():
                yield Member(parts, fault=Message("a link, a pipe or a device is not read"))
            else:
                yield Member(parts, _time(info.mtime), info.size, _reader(archive.extractfile, info))


def _tail(name: str) -> tuple[str, ...]:
    """What is shown of an odd name: where it says that it is, without the way out."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return tuple(part[:LONGEST_NAME] for part in parts[:DEEPEST])


def _reader(opens: Callable[[Any], IO[bytes] | None], info: Any) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        file = opens(info)
        if file is None:
            raise OSError("no file")
        with file:
            return file.read(most)

    return read


def _zip_time(info: zipfile.ZipInfo) -> datetime | None:
    """A zip says the clock of whoever made it, with no zone: it is taken for this machine's."""
    try:
        return datetime(*info.date_time).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _time(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


class _Counted(io.RawIOBase):
    """A stream that ends with an OverflowError where more comes out of it than it may."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        self.file, self.left = file, most

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Read some of it."""
        wanted = self.left + 1 if size < 0 else size
        found = bytearray()
        while len(found) < wanted:
            chunk = self.file.read(min(CHUNK, wanted - len(found)))
            if not chunk:
                break
            self.left -= len(chunk)
            if self.left < 0:
                raise OverflowError
            found += chunk
        return bytes(found)
