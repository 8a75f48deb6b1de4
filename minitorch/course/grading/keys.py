"""The hidden seed: a key of 128 bits in a file that its owner alone may read; results name it by its id only."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from dataclasses import dataclass, field
from pathlib import Path

from minitorch.course.course_error import CourseError

BYTES = 16


@dataclass(frozen=True, slots=True)
class Key:
    """What the hidden cases are drawn from."""

    secret: bytes = field(repr=False)

    @property
    def id(self) -> str:
        """What it is called: nothing can be learned of the key from it."""
        return hashlib.sha256(b"minitorch seed id\0" + self.secret).hexdigest()[:12]

    def seed(self, student: str, lesson: str) -> int:
        """The seed of one student's lesson: a check draws an exercise's cases from it and from the exercise's name."""
        said = f"{student}\0{lesson}".encode("utf-8", "surrogatepass")
        return int.from_bytes(hmac.digest(self.secret, said, "sha256")[:BYTES], "big")


def read_or_make(path: Path) -> Key:
    """The key in a file; a new one where there is no file yet. Raises CourseError when it is not as it must be."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileExistsError:
        return read(path)
    except OSError as error:
        raise CourseError("{file} cannot be written: {why}", file=path, why=error.strerror) from None
    key = Key(secrets.token_bytes(BYTES))
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(key.secret.hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
    return key


def read(path: Path) -> Key:
    """The key in a file. Raises CourseError when there is none, or when others may read it."""
    try:
        text = path.read_text(encoding="ascii").strip()
        mode = stat.S_IMODE(path.stat().st_mode)
    except (OSError, UnicodeDecodeError):
        raise CourseError(
            "{file} holds no key: it is made by `minitorch grade run`, and belongs to the results beside it", file=path
        ) from None
    if os.name == "posix" and mode & 0o077:
        raise CourseError("{file} can be read by others: chmod 600 {file}", file=path)
    try:
        return parsed(text)
    except ValueError:
        raise CourseError(
            "{file} holds no key: it is made by `minitorch grade run`, and belongs to the results beside it", file=path
        ) from None


def parsed(text: str) -> Key:
    """The key that a text spells. Raises ValueError."""
    secret = bytes.fromhex(text.strip())
    if len(secret) != BYTES:
        raise ValueError(f"a key has {BYTES} bytes")
    return Key(secret)
