"""Points and verdicts for other programs: CSV, JSON, JUnit's XML, Gradescope, nbgrader, Moodle.

Whatever a learner wrote or is called is cleaned of control and bidirectional characters first, and in a table no cell
begins as a formula does.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Any

from minitorch.course.cards.report import clean
from minitorch.course.grading.points import Book, ExerciseScore, LessonScore, StudentScore
from minitorch.course.grading.settings import Settings
from minitorch.language import Message

FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
NBGRADER = (
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score"),
)
MOODLE = ("Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments")
LONGEST = 2000  # characters of one text
LONGEST_NAME = 60


def as_csv(book: Book) -> str:
    """One row a student: the total, and for each lesson the points and the days late."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    header = ["student", "total"]
    for lesson in book.lessons:
        header += [lesson.number, f"{lesson.number} of", f"{lesson.number} days late", f"{lesson.number} dropped"]
    rows.writerow([*map(cell, header), "flags"])
    for student in book.students:
        row: list[Any] = [cell(student.student), _number(student.total)]
        for each in student.lessons:
            row += [_number(each.score), _number(each.points), each.days_late, int(each.dropped)]
        flags = sorted({flag for each in student.lessons for flag in each.flags})
        rows.writerow([*row, " ".join(flags)])
    return out.getvalue()


def as_nbgrader(book: Book, settings: Settings) -> str:
    """One row for each student and lesson, with the columns that `nbgrader export` writes."""
    rows, text = _table(NBGRADER)
    for student in book.students:
        for each in student.lessons:
            due = settings.due.get(each.lesson.number)
            time = each.graded.time if each.graded else None
            raw = min(each.earned, each.points)
            lost = _number(raw) - _number(each.score)
            when = [one.isoformat() if one else "" for one in (due, time)]
            scores = [_number(raw), _number(lost), _number(each.score), _number(each.points)]
            rows.writerow([each.lesson.stem, *when, cell(student.student), "", "", "", *scores])
    return text.getvalue()


def as_moodle(book: Book, lang: str) -> str:
    """One row a student, for the upload of grades into a Moodle assignment whose maximum is 100.

    A student whose submission Moodle named is known by the number that it gave; the columns are those of its grading
    worksheet, in English, and of another student the first one is empty.
    """
    rows, text = _table(MOODLE)
    for student in book.students:
        name, _, number = student.student.rpartition("_")
        known = bool(name) and number.isdecimal()
        identifier = f"Participant {number}" if known else ""
        counted = [each for each in student.lessons if not each.dropped]
        said = Message("Points by lesson: {lessons}", lessons=", ".join(f"{_told_of(each)}" for each in counted)).to(
            lang
        )
        shown = name if known else student.student
        rows.writerow([identifier, cell(shown), _number(student.total), 100, "", cell(said)])
    return text.getvalue()


def _told_of(score: LessonScore) -> str:
    return f"{score.lesson.number}: {_number(score.score):g} / {_number(score.points):g}"


def _table(header: Sequence[str]) -> tuple[Any, io.StringIO]:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(header)
    return rows, text


def cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    text = plain(text)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text


def plain(text: str) -> str:
    """A text without anything that is not seen, not too long."""
    text = clean(text).encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def as_json(book: Book, lang: str) -> str:
    """Everything, for programs of one's own."""
    data = {
        "title": plain(book.title),
        "students": [_student(each, lang) for each in book.students],
        "notes": [
            {"student": plain(each.student), "place": plain(each.place), "reason": plain(each.reason.to(lang))}
            for each in book.notes
        ],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _student(score: StudentScore, lang: str) -> dict[str, Any]:
    return {
        "student": plain(score.student),
        "total": _number(score.total),
        "lessons": [_lesson(each, lang) for each in score.lessons],
    }


def _lesson(score: LessonScore, lang: str) -> dict[str, Any]:
    graded = score.graded
    return {
        "lesson": score.lesson.number,
        "score": _number(score.score),
        "points": _number(score.points),
        "weight": score.weight,
        "dropped": score.dropped,
        "handed_in": graded.time.isoformat() if graded and graded.time else None,
        "place": plain(graded.place) if graded else None,
        "days_late": score.days_late,
        "free_days": score.free_days,
        "flags": list(score.flags),
        "same_as": [plain(each) for each in score.same_as],
        "failure": plain(graded.failure) if graded and graded.failure else None,
        "exercises": [_exercise(each, lang) for each in score.exercises],
    }


def _exercise(score: ExerciseScore, lang: str) -> dict[str, Any]:
    result = score.result
    found: dict[str, Any] = {
        "exercise": score.exercise.name,
        "points": _number(score.points),
        "earned": _number(score.earned),
        "verdict": result.verdict.kind.value if result else None,
    }
    if result is not None:
        found |= {
            "diagnosis": result.verdict.diagnosis,
            "also": result.verdict.also,
            "told": told(score, lang),
            "seconds": round(result.seconds, 3),
            "tier": result.tier,
            "version": result.version,
        }
    return found


def told(score: ExerciseScore, lang: str) -> str:
    """What a student is told of an exercise: what is wrong, and the case that shows it."""
    if score.result is None:
        return Message("no file of this lesson was found").to(lang)
    verdict = score.result.verdict
    lines = [verdict.kind.to(lang) if verdict.passed else verdict.reason.to(lang) or verdict.kind.to(lang)]
    if not verdict.passed:
        lines += [verdict.line] if verdict.line else []
        lines += [verdict.hint.to(lang)] if verdict.hint else []
    elif verdict.reason.to(lang):
        lines.append(verdict.reason.to(lang))
    return "\n".join(plain(line) for line in lines if line)


def as_junit(book: Book, lang: str) -> str:
    """A test suite for each student, a test case for each exercise."""
    root = ET.Element("testsuites", name=plain(book.title))
    for student in book.students:
        scores = [(lesson, each) for lesson in student.lessons for each in lesson.exercises]
        suite = ET.SubElement(root, "testsuite", name=plain(student.student))
        counts = {"failure": 0, "error": 0, "skipped": 0}
        for lesson, each in scores:
            seconds = f"{each.result.seconds:.3f}" if each.result else "0"
            case = ET.SubElement(
                suite, "testcase", classname=f"lesson_{lesson.lesson.number}", name=each.exercise.name, time=seconds
            )
            if not each.passed:
                failed = lesson.graded is not None and lesson.graded.failure
                kind = "error" if failed and each.result is None else "skipped" if each.result is None else "failure"
                counts[kind] += 1
                said = plain(str(failed)) if kind == "error" else told(each, lang)
                ET.SubElement(case, kind, message=said.partition("\n")[0]).text = said
        suite.set("tests", str(len(scores)))
        for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(name, str(counts[kind]))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def as_gradescope(score: StudentScore, lang: str) -> dict[str, Any]:
    """One student's results, as Gradescope's autograders hand them in.

    The score is the student's total, of 100: weights, late days and dropped lessons are in it. What Gradescope shows of
    each test are the exercise's own points; how lessons became the score stands above them.
    """
    tests, seconds = [], 0.0
    for at, lesson in enumerate(score.lessons, start=1):
        for number, each in enumerate(lesson.exercises, start=1):
            seconds += each.result.seconds if each.result else 0.0
            tests.append(
                {
                    "name": f"{lesson.lesson.number} {each.exercise.name}",
                    "name_format": "text",
                    "number": f"{at}.{number}",
                    "score": _number(each.earned),
                    "max_score": _number(0.0 if each.bonus else each.points),
                    "status": "passed" if each.passed else "failed",
                    "output": told(each, lang),
                    "output_format": "text",
                    "visibility": "visible",
                }
            )
    late = [each for each in score.lessons if each.days_late]
    said = [Message("The score is of 100. It is made of these lessons:"), *(_counted(each) for each in score.lessons)]
    said += [
        Message(
            "lesson {lesson}: {days} late (free days used: {free})",
            lesson=each.lesson.number,
            days=Message.counted("1 day", "{count} days", each.days_late),
            free=each.free_days,
        )
        for each in late
    ]
    return {
        "score": _number(score.total),
        "execution_time": math.ceil(seconds),
        "output": "\n".join(each.to(lang) for each in said),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {"flags": sorted({flag for each in score.lessons for flag in each.flags})},
        "tests": tests,
    }


def _counted(score: LessonScore) -> Message:
    """How a lesson goes into the total."""
    return Message(
        "lesson {lesson} points, dropped: it does not count"
        if score.dropped
        else "lesson {lesson} points, weight {weight}",
        lesson=_told_of(score),
        weight=f"{score.weight:g}",
    )


def file_name(student: str) -> str:
    """A name of a file for a student; two students have two."""
    safe = re.sub(r"[^\w-]+", "_", student).strip("_")[:LONGEST_NAME]
    if safe == student and safe.casefold() == safe:
        return safe
    return f"{safe}_{hashlib.sha256(student.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"


def _number(value: float) -> float:
    return round(value, 2)
