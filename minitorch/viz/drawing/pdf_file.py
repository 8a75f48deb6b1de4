"""PDF files: numbered objects, the table of where they begin, and how numbers and texts are written in them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping


def number(value: float) -> str:
    """A number, to a thousandth."""
    said = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if said == "-0" else said


def row(numbers: Iterable[float]) -> str:
    """Numbers with spaces between them."""
    return " ".join(map(number, numbers))


def quoted(said: str) -> str:
    """A text in any alphabet."""
    return f"<feff{said.encode('utf-16-be').hex()}>"


def named(objects: Mapping[str, int]) -> str:
    """A dictionary of objects: name → number."""
    return f"<<{''.join(f'/{name} {each} 0 R' for name, each in objects.items())}>>"


class File:
    """Numbered objects, and the table of where they begin."""

    def __init__(self) -> None:
        self._objects: list[bytes] = []

    def reserved(self) -> int:
        """A number for an object that others refer to before it can be written."""
        self._objects.append(b"")
        return len(self._objects)

    def fill(self, number: int, said: str) -> None:
        """Writes the object for which `number` was reserved."""
        self._objects[number - 1] = said.encode("latin-1")

    def add(self, said: str) -> int:
        """Writes an object and says its number."""
        number = self.reserved()
        self.fill(number, said)
        return number

    def stream(self, said: str, content: str) -> int:
        """Writes an object that holds `content`, packed. said: what else is known of it."""
        packed = zlib.compress(content.encode("latin-1"), 9)
        number = self.reserved()
        head = f"<<{said}/Filter/FlateDecode/Length {len(packed)}>>stream\n".encode("latin-1")
        self._objects[number - 1] = head + packed + b"\nendstream"
        return number

    def done(self, catalog: int, info: int) -> bytes:
        """The whole file."""
        found = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        starts = []
        for number, each in enumerate(self._objects, start=1):
            starts.append(len(found))
            found += b"%d 0 obj\n%b\nendobj\n" % (number, each)
        table = len(found)
        rows = "".join(f"{start:010} 00000 n \n" for start in starts)
        size = len(starts) + 1
        found += f"xref\n0 {size}\n0000000000 65535 f \n{rows}".encode()
        found += f"trailer\n<</Size {size}/Root {catalog} 0 R/Info {info} 0 R>>\nstartxref\n{table}\n%%EOF\n".encode()
        return bytes(found)
