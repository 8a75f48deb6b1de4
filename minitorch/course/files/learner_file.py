"""The learner's file: one regular file, read once, through its descriptor; its text is all that is ever used of it."""

from __future__ import annotations

import errno
import functools
import hashlib
import io
import operator
import os
import stat
import tokenize
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from minitorch.course.files.source_code import lines_of
from minitorch.course.texts.messages import say
from minitorch.language import Text

MAX_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class LearnerFile:
    """The text of a learner's file, or the reason why there is none."""

    name: str
    source: str
    sha256: str
    problem: Text | None = None
    cache: Path | None = None  # where what the known-wrong versions do may be remembered

    @classmethod
    def of(cls, source: str, name: str) -> Self:
        """Take a text for a file."""
        return cls(name, source, hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest())

    @classmethod
    def of_bytes(cls, data: bytes, name: str, shown: str) -> Self:
        """Take bytes for a file. What is wrong with them is its `problem`, which calls it what `shown` says."""
        if len(data) > MAX_BYTES:
            return cls(name, "", "", say("file_too_large", file=shown))
        try:
            return cls(name, _decoded(data), hashlib.sha256(data).hexdigest())
        except (SyntaxError, UnicodeDecodeError):
            return cls(name, "", "", say("file_no_text", file=shown))

    @classmethod
    def read(cls, path: Path, cache: Path | None = None) -> Self:
        """Read a file. What is wrong with it (missing, a link, too large, not text) is kept as its `problem`."""
        shown = f"{path.parent.name}/{path.name}"
        try:
            data = read_regular(path)
            source = _decoded(data)
        except FileNotFoundError:
            number = path.stem.removeprefix("lesson_").partition("_")[0]
            problem = say("file_missing", file=shown, stem=number)
        except OSError as error:
            why = "link" if path.is_symlink() else error.strerror
            problem = say("file_unreadable", file=shown, why=why)
        except OverflowError:
            problem = say("file_too_large", file=shown)
        except (SyntaxError, UnicodeDecodeError):
            problem = say("file_no_text", file=shown)
        else:
            return cls(path.name, source, hashlib.sha256(data).hexdigest(), cache=cache)
        return cls(path.name, "", "", problem)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in the file but blanks and comments."""
        return all(not line.strip() or line.lstrip().startswith("#") for line in self.source.splitlines())

    def line(self, number: int) -> str:
        """One line of the file, counted from 1; empty when there is no such line."""
        lines = lines_of(self.source)
        return lines[number - 1].rstrip() if 0 < number <= len(lines) else ""


def read_regular(path: Path) -> bytes:
    """The bytes of a regular file that is no link; what was opened is what is looked at.

    Raises OSError when it is something else, OverflowError when it is too large.
    """
    flags = [getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY", "O_CLOEXEC")]
    descriptor = os.open(path, functools.reduce(operator.or_, flags, os.O_RDONLY))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a file")
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(MAX_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(data) > MAX_BYTES:
        raise OverflowError(f"more than {MAX_BYTES} bytes")
    return data


def _decoded(data: bytes) -> str:
    """The text with its line ends as they are, so that writing it back changes nothing."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    if encoding not in {"utf-8", "utf-8-sig"}:
        raise SyntaxError(f"the file says that it is {encoding}")
    return data.decode(encoding)
