"""Files that no lesson's name names: the reason that is told for each, and the lesson that one seems to be.

Nothing of them is judged. A text or a notebook that defines most of a lesson's exercises is said to look like it, so
that whoever grades can rename it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from minitorch.course.files.learner_file import MAX_BYTES, LearnerFile
from minitorch.course.files.source_code import find, guess_span
from minitorch.course.grading import archives, hand_in_names, notebooks
from minitorch.course.manifest import Lesson
from minitorch.language import N_, Message

WORTH_A_LOOK = (".py", ".txt", hand_in_names.NOTEBOOK)
MOST_BYTES = max(MAX_BYTES, notebooks.MOST_BYTES)


def reason(name: str, data: bytes | None, wanted: Lesson, lessons: Iterable[Lesson]) -> Message:
    """Return the sentence on a file. data: its bytes, where they were looked at. wanted: a lesson that is graded."""
    if hand_in_names.FOREIGN.search(name):
        return Message(
            "an archive of this kind is not opened; one that ends in {endings} is", endings=", ".join(archives.ENDINGS)
        )
    lesson = None if data is None else looks_like(name, data, lessons)
    key = (
        N_("it is not named as a lesson's file is, such as {file} or {notebook}, and so was not read")
        if lesson is None
        else N_(
            "it looks like lesson {lesson}, but it is not named {file} or {notebook}, and so was "
            "not judged: rename it if it is to count"
        )
    )
    named = lesson or wanted
    return Message(key, lesson=named.number, file=named.file_name, notebook=named.notebook_name)


def looks_like(name: str, data: bytes, lessons: Iterable[Lesson]) -> Lesson | None:
    """Return the lesson of whose exercises the largest share is defined; None where it is none or not one alone."""
    if hand_in_names.is_notebook(name):
        source = notebooks.code_of(data)
    else:
        source = LearnerFile.of_bytes(data, name, name).source
    if not source:
        return None
    shares: dict[float, list[Lesson]] = {}
    for lesson in lessons:
        defined = sum(_defines(source, exercise.target) for exercise in lesson.exercises)
        shares.setdefault(defined / max(len(lesson.exercises), 1), []).append(lesson)
    most = max(shares, default=0.0)
    return shares[most][0] if most and len(shares[most]) == 1 else None


@functools.lru_cache(maxsize=256)
def _defines(source: str, target: str) -> bool:
    try:
        return find(source, target) is not None
    except notebooks.BROKEN:
        return guess_span(source, target) is not None
