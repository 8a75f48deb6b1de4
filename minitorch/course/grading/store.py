"""The one file that everything is in: what was handed in, every result, what could not be read or judged.

A result's key is the student, the exercise, the source's SHA-256, the version of the check and the id of the seed; what
is there stays as it is. So a run that is cut off at any moment goes on where it was, and nothing is there twice. Who
writes holds the lock of a file beside it, so that a report can be made in the middle of a run.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from minitorch.course.course_error import CourseError
from minitorch.course.files import source_code
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.grading.submissions import HandIn, Intake, Note
from minitorch.course.judging.verdict import Verdict
from minitorch.language import N_, Message

FORMAT = 1
READS_S = 30.0  # that a writer waits for readers, who copy all of it at once, and these for it
TABLES = """
CREATE TABLE IF NOT EXISTS sources (sha256 TEXT PRIMARY KEY, source TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS students (student TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS hand_ins (
    student TEXT, lesson TEXT, sha256 TEXT NOT NULL, place TEXT NOT NULL, time TEXT, problem TEXT,
    PRIMARY KEY (student, lesson));
CREATE TABLE IF NOT EXISTS results (
    student TEXT, lesson TEXT NOT NULL, exercise TEXT, sha256 TEXT, version TEXT, seed_id TEXT,
    tier TEXT NOT NULL, kind TEXT NOT NULL, verdict TEXT NOT NULL, seconds REAL NOT NULL, flags TEXT NOT NULL,
    judged TEXT NOT NULL,
    PRIMARY KEY (student, exercise, sha256, version, seed_id));
CREATE TABLE IF NOT EXISTS failures (
    student TEXT, lesson TEXT, sha256 TEXT, why TEXT NOT NULL, PRIMARY KEY (student, lesson, sha256));
CREATE TABLE IF NOT EXISTS notes (student TEXT, place TEXT, reason TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Result:
    """One exercise of one hand-in, judged."""

    exercise: str
    version: str
    verdict: Verdict
    seconds: float  # that the answer's own calls took
    flags: tuple[str, ...] = ()  # for a human to look at: see `judged.FLAGS`
    tier: str = ""


@dataclass(frozen=True, slots=True)
class Graded:
    """One student's hand-in of one lesson, and what is known of it now."""

    student: str
    lesson: str
    place: str
    time: datetime | None
    sha256: str
    source: str
    problem: Message | None  # why its text could not be read
    failure: str | None  # why it could not be judged
    results: dict[str, Result]  # by exercise

    def function(self, target: str) -> str | None:
        """The text of one definition; None where there is none."""
        try:
            return source_code.text_of(self.source, target)
        except (CourseError, SyntaxError, ValueError, RecursionError, MemoryError):
            span = source_code.guess_span(self.source, target)
            lines = source_code.lines_of(self.source)
            return None if span is None else "".join(lines[span.first - 1 : span.last])


class Store:
    """The file, open. One process writes; `writes=False` reads what is there at this moment, while that one goes on.

    Raises CourseError when it cannot be used.

    with Store(path) as store:
        store.take(intake)
    """

    def __init__(self, path: Path, *, writes: bool = True) -> None:
        self.path = path
        if not writes and not path.is_file():
            raise CourseError("there are no results in {file}: `minitorch grade run` makes them", file=path)
        self._open = contextlib.ExitStack()
        try:
            if writes:
                lock = self._connected(path.with_suffix(".lock"), 0.2)
                lock.execute("BEGIN EXCLUSIVE")  # until this process ends, however it does
                self._base = self._connected(path, READS_S)
                self._base.execute("PRAGMA synchronous=FULL")
                self._make()
            else:
                self._base = self._connected(":memory:", 0.0)
                with contextlib.closing(sqlite3.connect(path, timeout=READS_S)) as there:
                    there.backup(self._base)
            self._check()
        except sqlite3.DatabaseError as error:
            self.close()
            locked = isinstance(error, sqlite3.OperationalError) and ("locked" in str(error) or "busy" in str(error))
            key = (
                N_("{file} is in use by another `minitorch grade`: wait until it has ended")
                if locked
                else N_("{file} cannot be used as a file of results ({why})")
            )
            raise CourseError(key, file=path, why=error) from None
        except CourseError:
            self.close()
            raise

    def _connected(self, path: Path | str, timeout: float) -> sqlite3.Connection:
        return self._open.enter_context(
            contextlib.closing(sqlite3.connect(path, timeout=timeout, isolation_level=None))
        )

    def _make(self) -> None:
        with self._change():
            known = self._base.execute("PRAGMA user_version").fetchone()[0]
            if known == 0:
                for statement in TABLES.split(";"):
                    self._base.execute(statement)
                self._base.execute(f"PRAGMA user_version={FORMAT}")

    def _check(self) -> None:
        known = self._base.execute("PRAGMA user_version").fetchone()[0]
        if known != FORMAT:
            raise CourseError(
                "{file} was made by another version of minitorch: name another folder with --grades", file=self.path
            )

    @contextlib.contextmanager
    def _change(self) -> Iterator[None]:
        """All of it, or nothing."""
        self._base.execute("BEGIN EXCLUSIVE")
        try:
            yield
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ------------------------------------------------------------------------------------------------ writing

    def take(self, intake: Intake) -> None:
        """Write down what was handed in: of each student and lesson it is this from now on."""
        with self._change():
            self._base.execute("DELETE FROM notes")
            self._base.executemany("INSERT INTO notes VALUES (?, ?, ?)", [_note_row(note) for note in intake.notes])
            self._base.executemany("INSERT OR IGNORE INTO students VALUES (?)", [(each,) for each in intake.students])
            for each in intake.hand_ins:
                text = each.file.source.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
                self._base.execute("INSERT OR IGNORE INTO sources VALUES (?, ?)", (each.file.sha256, text))
                self._base.execute("INSERT OR REPLACE INTO hand_ins VALUES (?, ?, ?, ?, ?, ?)", _hand_in_row(each))

    def add(self, hand_in: HandIn, seed_id: str, results: Sequence[Result], *, again: bool = False) -> None:
        """Keep results; of one that is there already only `again` makes a new one."""
        student, lesson, sha256 = hand_in.student, hand_in.lesson, hand_in.file.sha256
        how = "REPLACE" if again else "IGNORE"
        with self._change():
            for each in results:
                key = (student, lesson, each.exercise, sha256, each.version, seed_id)
                said = (each.tier, each.verdict.kind.value, json.dumps(each.verdict.as_dict()), each.seconds)
                row = (*key, *said, json.dumps(each.flags), datetime.now(UTC).isoformat())
                sql = f"INSERT OR {how} INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
                self._base.execute(sql, row)
            self._base.execute("DELETE FROM failures WHERE student = ? AND lesson = ?", (student, lesson))

    def fail(self, hand_in: HandIn, why: str) -> None:
        """Write down that a hand-in could not be judged."""
        row = (hand_in.student, hand_in.lesson, hand_in.file.sha256, why)
        with self._change():
            self._base.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?)", row)

    # ------------------------------------------------------------------------------------------------ reading

    def missing(self, hand_in: HandIn, seed_id: str, versions: dict[str, str]) -> tuple[str, ...]:
        """The exercises of a hand-in that have no result yet with these versions of their checks."""
        rows = self._base.execute(
            "SELECT exercise, version FROM results WHERE student = ? AND sha256 = ? AND seed_id = ? AND lesson = ?",
            (hand_in.student, hand_in.file.sha256, seed_id, hand_in.lesson),
        )
        known = set(rows.fetchall())
        return tuple(name for name, version in versions.items() if (name, version) not in known)

    def students(self) -> tuple[str, ...]:
        """All students, by name."""
        return tuple(name for (name,) in self._base.execute("SELECT student FROM students ORDER BY student"))

    def notes(self) -> tuple[Note, ...]:
        """What was not read or does not count, as the last run found it."""
        rows = self._base.execute("SELECT student, place, reason FROM notes ORDER BY student, place, rowid")
        return tuple(Note(student, place, Message.from_dict(json.loads(reason))) for student, place, reason in rows)

    def graded(self, lessons: Iterable[str] | None = None) -> Iterator[Graded]:
        """Yield the hand-ins that count, by student and lesson, each with the latest results of its text."""
        wanted = None if lessons is None else set(lessons)
        sql = (
            "SELECT h.student, h.lesson, h.place, h.time, h.sha256, s.source, h.problem, f.why FROM hand_ins h "
            "JOIN sources s USING (sha256) LEFT JOIN failures f USING (student, lesson, sha256) "
            "ORDER BY h.student, h.lesson"
        )
        for student, lesson, place, time, sha256, source, problem, why in self._base.execute(sql).fetchall():
            if wanted is not None and lesson not in wanted:
                continue
            yield Graded(
                student,
                lesson,
                place,
                datetime.fromisoformat(time) if time else None,
                sha256,
                source,
                Message.from_dict(json.loads(problem)) if problem else None,
                why,
                self._results(student, lesson, sha256),
            )

    def hand_ins(self) -> Iterator[HandIn]:
        """Yield what counts, as it was handed in: for judging it anew."""
        for each in self.graded():
            file = LearnerFile(each.place, each.source, each.sha256, each.problem)
            yield HandIn(each.student, each.lesson, each.place, each.time, file)

    def _results(self, student: str, lesson: str, sha256: str) -> dict[str, Result]:
        rows = self._base.execute(
            "SELECT exercise, version, verdict, seconds, flags, tier FROM results "
            "WHERE student = ? AND lesson = ? AND sha256 = ? ORDER BY judged, rowid",
            (student, lesson, sha256),
        )
        return {row[0]: _result(*row) for row in rows}


def _hand_in_row(each: HandIn) -> tuple[Any, ...]:
    problem = None if each.file.problem is None else json.dumps(each.file.problem.as_dict())
    time = None if each.time is None else each.time.isoformat()
    return each.student, each.lesson, each.file.sha256, each.place, time, problem


def _note_row(note: Note) -> tuple[str, str, str]:
    return note.student, note.place, json.dumps(note.reason.as_dict())


def _result(exercise: str, version: str, verdict: str, seconds: float, flags: str, tier: str) -> Result:
    read = Verdict.from_dict(json.loads(verdict))
    return Result(exercise, version, read, seconds, tuple(json.loads(flags)), tier)
