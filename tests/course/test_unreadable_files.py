"""An exercise file that cannot be read, or is no Python: the verdict says why, at which line, and what to do."""

from __future__ import annotations

import codecs

import pytest

from minitorch.course.course_error import CourseError
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.reset import reset_exercise, reset_lesson
from minitorch.course.judging.verdict import Kind
from minitorch.course.mine.loading import own_module
from minitorch.course.session import Session

NAME = "lesson_01_tiny.py"
FILE = f"exercises/{NAME}"
POINTER = b"version git-lfs/spec/v1\noid sha256:4d7a2146\nsize 12345\n"
DOUBLE = "    return 2 * x\n"  # line 8 of the solution
CONFLICT = f"<<<<<<< HEAD\n{DOUBLE}=======\n    return x + x\n>>>>>>> origin/main\n"


def with_double(body: str):
    return lambda solution: solution.replace(DOUBLE, body).encode()


def verdict_on(tiny, course_folder, data: bytes):
    (course_folder / "exercises" / NAME).write_bytes(data)
    return next(Session(tiny, course_folder).check(tiny.exercises))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("mark", ["native", "big"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_file_that_begins_with_a_byte_order_mark_is_read(tiny, course_folder, solution, encoding, mark, end):
    data = solution.replace("2 * x", "2 * x  # ñ").replace("\n", end).encode(encoding)
    if mark == "big" and encoding != "utf-8-sig":
        name = f"{encoding}-be"
        data = f"\ufeff{solution}".encode(name)
    assert verdict_on(tiny, course_folder, data).kind is Kind.PASSED


BYTES = {  # what lies in the file -> what is said of it
    "latin-1": (
        lambda solution: solution.replace(DOUBLE, "    # café\n" + DOUBLE).encode("latin-1"),
        f"{FILE}, line 8, is not UTF-8 text (“# café”): open the file in your editor and save it",
    ),
    "a coding line": (
        lambda solution: f"# -*- coding: latin-1 -*-\n{solution}".encode(),
        f"{FILE}, line 1, says that it is written in latin-1: delete that line, and save the file",
    ),
    "a coding line that nobody knows": (
        lambda solution: f"# coding: klingon\n{solution}".encode(),
        f"{FILE}, line 1, says that it is written in klingon: delete that line",
    ),
    "UTF-16 without a mark": (
        lambda solution: solution.encode("utf-16-le"),
        f"{FILE} is UTF-16 text without a byte order mark: open it in your editor and save it with the encoding UTF-8",
    ),
    "UTF-16 that was cut off": (
        lambda solution: solution.encode("utf-16")[:-1],
        f"{FILE} begins as UTF-16 text and is damaged further down",
    ),
    "a null byte": (
        with_double("    return 2 *\0 x\n"),
        f"{FILE}, line 8, holds a null byte, which no text has: delete it, or write the line anew",
    ),
    "null bytes alone": (
        lambda _: bytes(800),
        f"{FILE} holds nothing but null bytes, as after a crash while it was saved",
    ),
    "a pointer": (
        lambda _: POINTER,
        f"{FILE} is a pointer of Git LFS, not the file itself: `git lfs pull` gets the file",
    ),
    "a web page": (
        lambda _: b"\n<!DOCTYPE html>\n<html><body>Sign in</body></html>\n",
        f"{FILE} is a web page, not the file itself: download the file anew",
    ),
}


LOST = {"UTF-16 that was cut off", "null bytes alone", "a pointer", "a web page"}  # the text is not in the file


@pytest.mark.parametrize("kind", BYTES)
def test_bytes_that_are_no_text_are_told_with_what_to_do(tiny, course_folder, solution, kind):
    make, said = BYTES[kind]
    verdict = verdict_on(tiny, course_folder, make(solution))
    assert verdict.kind is Kind.ERROR
    assert said in verdict.reason.to("en")
    assert verdict.reason.to("es") != verdict.reason.to("en")
    assert ("`minitorch reset 01` writes the stub" in verdict.reason.to("en")) is (kind in LOST)


@pytest.mark.parametrize("kind", BYTES)
def test_the_whole_file_can_be_reset_and_what_was_there_is_kept(tiny, course_folder, solution, kind):
    data = BYTES[kind][0](solution)
    (course_folder / "exercises" / NAME).write_bytes(data)
    lesson = tiny.lessons[0]
    with pytest.raises(CourseError, match=NAME):
        reset_exercise(course_folder, lesson, lesson.exercises[0])
    assert reset_lesson(course_folder, lesson).backup.read_bytes() == data


@pytest.mark.parametrize("kind", BYTES)
def test_a_hand_in_is_told_of_in_the_same_words(tiny, solution, kind):
    make, said = BYTES[kind]
    problem = LearnerFile.of_bytes(make(solution), NAME, f"ana/{NAME}").problem
    assert said.replace(FILE, f"ana/{NAME}") in problem.to("en")


NO_PYTHON = {  # what `double` is -> what is said of it, and the line that is shown
    CONFLICT: ("line 8 is a mark of a merge conflict: git left both versions there. Keep one of them, and", 8),
    "    if x:\n" + CONFLICT: ("line 9 is a mark of a merge conflict", 9),
    "=======\n" + DOUBLE: ("line 8 is a mark of a merge conflict", 8),
    "    return f(“x”)\n": ('“ (U+201C) in line 8 is no Python, as in text from a web page: write " in its place', 8),
    "    return x ‘y’\n": ("‘ (U+2018) in line 8 is no Python, as in text from a web page: write ' in its place", 8),
    "    return x \u2212 1\n": ("write - in its place", 8),
    "    return 2 × x\n": ("write * in its place", 8),
    "    return max(x，2)\n": ("write , in its place", 8),
    "    return\u00a02 * x\n": (
        "U+00A0 in line 8 is an invisible character, as in text from a web page: write a bl",
        8,
    ),
    "    return 2\u200b * x\n": ("U+200B in line 8 is an invisible character, as in text from a web page: delete", 8),
    "    return x²\n": ("² (U+00B2) in line 8 is no Python, as in text from a web page: write **2 in its place", 8),
    "    return x ∂ 2\n": ("∂ (U+2202) in line 8 is no Python: delete it, or write it in Python's own signs", 8),
    "\ty = x\n        return 2 * y\n": ("tabs and spaces are mixed in the indentation of line 8: indent every line", 8),
    "    return 2x\n": ("A product needs its sign: write 2 * x for 2x", 8),
    "    return |x|\n": ("The size |a| is written abs(a)", 8),
}


@pytest.mark.parametrize("body", NO_PYTHON)
def test_what_is_no_python_is_told_with_what_to_do(tiny, course_folder, solution, body):
    said, line = NO_PYTHON[body]
    verdict = verdict_on(tiny, course_folder, with_double(body)(solution))
    assert verdict.kind is Kind.ERROR
    assert said in verdict.reason.to("en")
    assert verdict.reason.to("es") != verdict.reason.to("en")
    assert verdict.place.line == line
    with pytest.raises(CourseError) as loaded:  # `yours("01")` in a notebook
        own_module(tiny, course_folder, "01")
    assert said in str(loaded.value)


@pytest.mark.parametrize("end", [0, len("    return 2 * x\n") - 1])
def test_a_file_that_ends_in_the_middle_is_told_so(tiny, course_folder, solution, end):
    whole = solution.replace(DOUBLE, "    return (2 * x\n")
    data = whole[: whole.index("    return (2") + end].encode()
    verdict = verdict_on(tiny, course_folder, data)
    if end:
        assert "The file ends before that" in verdict.reason.to("en")
        assert "copy the end back from .minitorch/backups" in verdict.reason.to("en")
    else:
        assert "does not define `grid`" in next(Session(tiny, course_folder).check(tiny.exercises[1:])).reason.to("en")
    assert verdict.kind is not Kind.PASSED


def test_an_empty_file_is_told_with_what_to_do(tiny, course_folder):
    verdict = verdict_on(tiny, course_folder, b"")
    assert "the file is empty" in verdict.reason.to("en")
    assert "`minitorch reset 01`" in verdict.hint.to("en")


@pytest.mark.parametrize("where", ["body", "top"])
@pytest.mark.parametrize("call", ['float(input("x? "))', "breakpoint()"])
def test_a_file_that_waits_for_the_keyboard_is_told_that_there_is_none(tiny, course_folder, solution, where, call):
    text = solution.replace(DOUBLE, f"    return {call}\n") if where == "body" else f"{solution}\nx = {call}\n"
    verdict = verdict_on(tiny, course_folder, text.encode())
    assert "a check runs the file without a keyboard" in verdict.reason.to("en")
    if call != "breakpoint()":  # the debugger stops beside the line
        assert verdict.place.line == (8 if where == "body" else text.count("\n"))


def test_a_byte_order_mark_and_line_ends_survive_a_reset_of_one_exercise(tiny, course_folder, solution):
    path = course_folder / "exercises" / NAME
    path.write_bytes(codecs.BOM_UTF16_LE + solution.replace("\n", "\r\n").encode("utf-16-le"))
    lesson = tiny.lessons[0]
    done = reset_exercise(course_folder, lesson, lesson.exercises[0])
    assert b"NotImplementedError\r\n" in path.read_bytes()  # UTF-8 from now on
    assert done.backup.read_bytes().startswith(codecs.BOM_UTF16_LE)
