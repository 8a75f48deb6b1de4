"""The learner's file: one regular file, read once, through its descriptor; its text is all that is ever used of it."""

from __future__ import annotations

import errno
import functools
import hashlib
import operator
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from minitorch.course.files.decoding import NotTextError, decoded
from minitorch.course.files.source_code import lines_of
from minitorch.language import Message

MAX_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class LearnerFile:
    """The text of a learner's file, or the reason why there is none."""

    name: str
    source: str
    sha256: str
    problem: Message | None = None
    cache: Path | None = None  # where what the known-wrong versions do may be remembered

    @classmethod
    def of(cls, source: str, name: str) -> Self:
        """Take a text for a file."""
        return cls(name, source, hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest())

    @classmethod
    def of_bytes(cls, data: bytes, name: str, shown: str) -> Self:
        """Take bytes for a file. What is wrong with them is its `problem`, which calls it what `shown` says."""
        if len(data) > MAX_BYTES:
            return cls(
                name,
                "",
                "",
                Message("{file} is larger than 1 MiB: take out what is no code, such as data or outputs", file=shown),
            )
        try:
            return cls(name, decoded(data, shown), hashlib.sha256(data).hexdigest())
        except NotTextError as error:
            return cls(name, "", "", error.why)

    @classmethod
    def read(cls, path: Path, cache: Path | None = None) -> Self:
        """Read a learner's own file. What is wrong with it (missing, too large, no text) is kept as its `problem`.

        A symbolic link is followed to the file it names: whoever works here can read that file anyway.
        """
        shown = f"{path.parent.name}/{path.name}"
        fields = {"file": shown, "stem": path.stem.removeprefix("lesson_").partition("_")[0]}
        try:
            data = read_regular(path, follow=True)
            source = decoded(data, shown)
        except FileNotFoundError:
            link = path.is_symlink()
            problem = Message(
                "{file} is a link to {target}, where no file is; `minitorch reset {stem}` writes the stub there"
                if link
                else "{file} is missing; `minitorch reset {stem}` brings it back",
                target=path.readlink() if link else "",
                **fields,
            )
        except OSError as error:
            problem = Message(
                "{file} cannot be read ({why}); it must be a regular file", file=shown, why=error.strerror
            )
        except OverflowError:
            problem = Message(
                "{file} is larger than 1 MiB: take out what is no code, such as data or outputs", file=shown
            )
        except NotTextError as error:
            problem = (
                Message(
                    "{why}. An older copy may lie in .minitorch/backups; `minitorch reset {stem}` writes "
                    "the stub, and keeps what is there",
                    why=error.why,
                    **fields,
                )
                if error.lost
                else error.why
            )
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


def read_regular(path: Path, *, follow: bool = False) -> bytes:
    """The bytes of a regular file; what was opened is what is looked at. A link is opened only with `follow`.

    Raises OSError when it is something else, OverflowError when it is too large.
    """
    names = ["O_NONBLOCK", "O_BINARY", "O_CLOEXEC"] if follow else ["O_NOFOLLOW", "O_NONBLOCK", "O_BINARY", "O_CLOEXEC"]
    flags = [getattr(os, name, 0) for name in names]
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
