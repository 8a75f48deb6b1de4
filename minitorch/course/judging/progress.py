"""What has been found out so far: one small JSON file per exercise, written so that no kill can spoil it.

A record holds the verdict together with the hash of the learner's file and the version of the check. It counts only
while both are unchanged; otherwise the verdict is made again. So progress cannot drift from the files. It is sealed
with a hash of all that it says: one that was edited, or stands under another's name, is set aside as a spoilt one is.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from minitorch.course.files.learner_file import read_regular
from minitorch.course.judging.verdict import Verdict, well_typed
from minitorch.language import Message
from minitorch.serialization.atomic import write_atomically

FORMAT = 3
SPOILT = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)  # what reading one may raise


@dataclass(frozen=True, slots=True)
class Record:
    """One exercise's saved verdict, and what it was made from."""

    verdict: Verdict
    file_sha256: str
    check_version: str
    passed_first: str | None  # the day on which it first passed


class OtherFormatError(ValueError):
    """A record that another version of the course wrote."""


@dataclass
class Progress:
    """The records below one folder. What goes wrong with them is told in `notes`, never raised."""

    folder: Path
    notes: list[Message] = field(default_factory=list)

    def read(self, name: str) -> Record | None:
        """The record of an exercise; an unreadable one is set aside and the last good one used."""
        path = self._path(name)
        try:
            return _parse(read_regular(path), name)
        except OSError:
            return self._last_good(name)
        except OtherFormatError:
            return None  # of another version of the course: the verdict is made again
        except SPOILT:
            self._set_aside(path, name)
            return self._last_good(name)

    def write(self, verdict: Verdict, file_sha256: str, check_version: str) -> None:
        """Save a verdict. Where that is not possible, `notes` says so."""
        before = self.read(verdict.exercise)
        passed_first = before.passed_first if before else None
        if verdict.passed and passed_first is None:
            passed_first = dt.datetime.now(dt.UTC).date().isoformat()
        record = {
            "format": FORMAT,
            "file_sha256": file_sha256,
            "check_version": check_version,
            "passed_first": passed_first,
            "verdict": verdict.as_dict(),
        }
        record["seal"] = _seal(record)
        data = json.dumps(record, indent=1, ensure_ascii=True).encode("ascii")
        path = self._path(verdict.exercise)
        try:
            if path.is_file():  # a readable one, or it would have been set aside
                old = path.read_bytes()
                if old == data:
                    return
                write_atomically(self._last_path(verdict.exercise), old)
            write_atomically(path, data)
        except OSError as error:
            self._tell(
                Message(
                    "progress could not be saved in {folder} ({why}); the verdict stands all the same",
                    folder=f"{self.folder.parent.name}/{self.folder.name}",
                    why=error.strerror or "?",
                )
            )

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _last_path(self, name: str) -> Path:
        return self.folder / f"{name}.last.json"

    def _last_good(self, name: str) -> Record | None:
        try:
            return _parse(read_regular(self._last_path(name)), name)
        except (OSError, *SPOILT):
            return None

    def _set_aside(self, path: Path, name: str) -> None:
        now = dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H-%M-%S-%f")
        aside = path.with_name(f"{name}.unreadable-{now}.json")
        try:
            path.rename(aside)
        except OSError as error:
            self._tell(
                Message(
                    "progress could not be saved in {folder} ({why}); the verdict stands all the same",
                    folder=f"{self.folder.parent.name}/{self.folder.name}",
                    why=error.strerror or "?",
                )
            )
        else:
            self._tell(
                Message(
                    "the saved progress of {name} could not be read; it was set aside as {file}",
                    name=name,
                    file=aside.name,
                )
            )

    def _tell(self, note: Message) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _parse(data: bytes, name: str) -> Record:
    record: dict[str, Any] = json.loads(data)
    if record["format"] != FORMAT:
        raise OtherFormatError(f"a record of format {record['format']}")
    if record.pop("seal") != _seal(record):
        raise ValueError("a record that says something else than when it was sealed")
    verdict = Verdict.from_dict(record["verdict"])
    if verdict.exercise != name:
        raise ValueError(f"the record of {verdict.exercise} under the name of {name}")
    if verdict.passed and not 0 < verdict.checks == verdict.checks_run:
        raise ValueError("a pass without its checks")
    return well_typed(Record(verdict, record["file_sha256"], record["check_version"], record["passed_first"]))


def _seal(record: dict[str, Any]) -> str:
    """A hash of what a record says. Whoever reads this can make one; nobody makes one by accident."""
    said = json.dumps(record, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(f"minitorch progress {said}".encode("ascii")).hexdigest()
