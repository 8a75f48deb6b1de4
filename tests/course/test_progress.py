"""Progress survives kills, spoilt files and folders that cannot be written to; it cannot drift from the files."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from minitorch.course.cards.overview import status_lines
from minitorch.course.cards.report import blocks
from minitorch.course.cards.standing import standing
from minitorch.course.course_error import CourseError
from minitorch.course.files.course_folder import find_course_folder
from minitorch.course.judging.progress import Progress
from minitorch.course.judging.verdict import Kind, Place, Verdict
from minitorch.course.session import Session
from minitorch.language import Message

WRONG = Verdict(
    "double",
    "01",
    Kind.WRONG,
    Message.of({"en": "é", "es": "ñ"}),
    Message.of({"en": "asked", "es": "pedido"}),
    input="x = 1",
    place=Place("f.py", 1, "double", "return"),
    printed="\ud800",
)
PASSED = Verdict(
    "double",
    "01",
    Kind.PASSED,
    Message(""),
    Message.of({"en": "asked", "es": "pedido"}),
    checks_run=3,
    checks=3,
)


@pytest.fixture
def progress(tmp_path):
    return Progress(tmp_path / "progress")


def test_a_verdict_comes_back_as_it_was(progress):
    progress.write(WRONG, "file", "check")
    record = Progress(progress.folder).read("double")
    assert (record.verdict, record.file_sha256, record.check_version) == (WRONG, "file", "check")
    assert record.passed_first is None
    assert progress.notes == []


def test_the_day_of_the_first_pass_stays(progress):
    progress.write(PASSED, "file", "check")
    day = progress.read("double").passed_first
    progress.write(WRONG, "other", "check")
    assert progress.read("double").passed_first == day is not None


@pytest.mark.parametrize("spoilt", [b"", b"{", b"[]", b'{"format": 3}', b"\xff\xfe", b"null", b"[" * 100_000])
def test_an_unreadable_record_is_set_aside_and_the_last_good_one_used(progress, spoilt):
    progress.write(PASSED, "first", "check")
    progress.write(WRONG, "second", "check")
    (progress.folder / "double.json").write_bytes(spoilt)
    assert progress.read("double").file_sha256 == "first"
    (aside,) = progress.folder.glob("double.unreadable-*.json")
    assert aside.read_bytes() == spoilt
    assert aside.name in progress.notes[0].to("en")
    progress.write(WRONG, "third", "check")
    assert progress.read("double").file_sha256 == "third"
    assert aside.exists()


ODD = [
    {"printed": 5},
    {"checks": "3"},
    {"lesson": None},
    {"reason": {"en": 1, "es": 2}},
    {"reason": None},
    {"hint": {"en": "a"}},
    {"place": {"file": "f.py", "line": "1", "function": "f", "source": ""}},
    {"place": 3},
]


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_a_record_of_odd_types_is_set_aside_too(progress, odd):
    """`watch` would fail on it later, when it shows it."""
    progress.write(PASSED, "first", "check")
    progress.write(WRONG, "second", "check")
    path = progress.folder / "double.json"
    record = json.loads(path.read_bytes())
    path.write_text(json.dumps(record | {"verdict": record["verdict"] | odd}), encoding="utf-8")
    assert progress.read("double").file_sha256 == "first"
    assert len(progress.notes) == 1


def edited(progress: Progress, change: dict, *, sealed: bool) -> None:
    """Change what a record says; make its seal fit if it is to be sealed."""
    path = progress.folder / "double.json"
    record = json.loads(path.read_bytes())
    record = {**record, **change, "verdict": {**record["verdict"], **change.get("verdict", {})}}
    record.pop("seal")
    said = json.dumps(record, sort_keys=True, separators=(",", ":"))
    seal = hashlib.sha256(f"minitorch progress {said}".encode()).hexdigest() if sealed else "0" * 64
    path.write_text(json.dumps(record | {"seal": seal}), encoding="utf-8")


def test_a_record_that_was_edited_is_set_aside(progress):
    progress.write(WRONG, "file", "check")
    edited(progress, {"verdict": {"kind": "passed"}}, sealed=False)
    assert progress.read("double") is None
    assert "was set aside" in progress.notes[0].to("en")


@pytest.mark.parametrize("counts", [(0, 0), (2, 3), (3, 2), (-1, -1)])
def test_a_pass_without_its_checks_is_none_whoever_sealed_it(progress, counts):
    progress.write(WRONG, "file", "check")
    run, checks = counts
    edited(progress, {"verdict": {"kind": "passed", "checks_run": run, "checks": checks}}, sealed=True)
    assert progress.read("double") is None


SHAPES = [None, True, 0, -1, 10**30, 1.5, float("nan"), "", "x", "\ud800", "passed", [], [1], {}, {"en": 1}, [[[[]]]]]


def test_no_shape_of_a_record_raises_anywhere(tiny, course_folder, progress):
    """Every field of a record in every shape, well sealed: `status`, its lines and `watch` go on."""
    session = Session(tiny, course_folder)
    session.status()
    path = course_folder / ".minitorch" / "progress" / "double.json"
    good = json.loads(path.read_bytes())
    before = [verdict.as_dict() for verdict in session.status()]
    progress.folder = path.parent
    for where in ("", "verdict", "reason", "place"):
        for field in good["verdict"] if where == "verdict" else good if not where else ("en", "line", "odd"):
            for shape in SHAPES:
                path.write_text(json.dumps(good), encoding="utf-8")
                change = {field: shape} if not where else {"verdict": {field: shape}}
                if where in ("reason", "place"):
                    change = {"verdict": {where: {field: shape}}}
                if field == "seal":
                    continue
                try:
                    edited(progress, change, sealed=True)
                except TypeError:  # a verdict that is no dict
                    path.write_text(json.dumps(good | {field: shape}), encoding="utf-8")
                record = Progress(path.parent).read("double")
                if record is not None:
                    blocks([record.verdict], "es")[0].text_lines()
    for whole in SHAPES:
        path.write_text(json.dumps(whole), encoding="utf-8")
        assert Progress(path.parent).read("double") is None
        status_lines(standing(session), "en")
    assert [verdict.as_dict() for verdict in Session(tiny, course_folder).status()] == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_record_that_is_a_pipe_or_a_folder_is_not_waited_for(progress):
    progress.folder.mkdir()
    os.mkfifo(progress.folder / "double.json")
    assert progress.read("double") is None
    progress.write(PASSED, "file", "check")
    assert progress.read("double").file_sha256 == "file"
    (progress.folder / "grid.json").mkdir()
    assert progress.read("grid") is None


@pytest.mark.parametrize("odd", [{"file_sha256": 1}, {"check_version": None}, {"passed_first": 3}], ids=str)
def test_odd_types_beside_the_verdict_are_seen(progress, odd):
    progress.write(WRONG, "file", "check")
    path = progress.folder / "double.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()) | odd), encoding="utf-8")
    assert progress.read("double") is None
    assert len(progress.notes) == 1


def test_a_record_of_another_version_of_the_course_is_made_again(progress):
    progress.write(PASSED, "file", "check")
    path = progress.folder / "double.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"format": 3', '"format": 99'), encoding="utf-8")
    assert progress.read("double") is None
    assert progress.notes == []


def test_a_folder_that_cannot_be_written_to_is_told_and_not_raised(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    progress = Progress(tmp_path / "file" / "progress")
    progress.write(PASSED, "file", "check")
    progress.write(WRONG, "file", "check")
    assert len(progress.notes) == 1
    assert "the verdict stands all the same" in progress.notes[0].to("en")
    assert progress.read("double") is None


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_a_writer_killed_at_any_moment_leaves_a_readable_record(tmp_path):
    code = (
        "import sys; from pathlib import Path; from minitorch.course.judging.progress import Progress\n"
        "from minitorch.course.judging.verdict import Kind, Verdict; from minitorch.language import Message\n"
        "progress = Progress(Path(sys.argv[1])); print('go', flush=True)\n"
        "for number in range(10**9):\n"
        "    said = Message(str(number) * 500)\n"
        "    progress.write(Verdict('double', '01', Kind.WRONG, said, Message('')), str(number), '')\n"
    )
    folder = tmp_path / "progress"
    for attempt in range(8):
        writer = subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, cwd=Path.cwd())
        writer.stdout.readline()
        time.sleep(0.02 + 0.003 * attempt)
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        progress = Progress(folder)
        record = progress.read("double")
        assert record is not None
        assert record.verdict.reason.to("en") == record.file_sha256 * 500
        assert progress.notes == []
    assert not list(folder.glob("*unreadable*"))


def test_status_uses_a_saved_verdict_only_while_nothing_has_changed(tiny, course_folder, monkeypatch, solution):
    session = Session(tiny, course_folder)
    assert {verdict.kind for verdict in session.status()} == {Kind.NOT_STARTED}

    def no_child(*_):
        raise AssertionError("a child was started")

    with monkeypatch.context() as patch:
        patch.setattr("minitorch.course.sandbox.child.Child", no_child)
        assert {verdict.kind for verdict in Session(tiny, course_folder).status()} == {Kind.NOT_STARTED}
    (course_folder / "exercises" / "lesson_01_tiny.py").write_text(solution, encoding="utf-8")
    assert {verdict.kind for verdict in Session(tiny, course_folder).status()} == {Kind.PASSED}
    record = course_folder / ".minitorch" / "progress" / "double.json"
    data = json.loads(record.read_text(encoding="utf-8"))
    record.write_text(json.dumps(data | {"check_version": "older"}), encoding="utf-8")
    session = Session(tiny, course_folder)
    assert [verdict.exercise for verdict in session.status()] == ["double", "grid", "total"]
    assert session.progress.read("double").check_version == data["check_version"]


def test_the_current_lesson_is_the_first_that_is_not_finished(tiny, course_folder):
    assert Session(tiny, course_folder).current_lesson().number == "01"


def test_nothing_asked_is_nothing_passed(tiny, course_folder):
    with pytest.raises(CourseError, match="no exercise to check"):
        list(Session(tiny, course_folder).check([]))


@pytest.mark.parametrize("kind", ["missing", "lost link", "folder", "large", "binary", "latin"])
def test_a_file_that_is_none_gets_a_verdict_of_its_own(tiny, course_folder, kind, tmp_path):
    path = course_folder / "exercises" / "lesson_01_tiny.py"
    path.unlink()
    said = {
        "missing": "exercises/lesson_01_tiny.py is missing; `minitorch reset 01` brings it back",
        "lost link": "elsewhere.py, where no file is; `minitorch reset 01` writes the stub there",
        "folder": "must be a regular file",
        "large": "larger than 1 MiB",
        "binary": "begins as UTF-16 text and is damaged",
        "latin": "says that it is written in latin-1",
    }[kind]
    if kind == "lost link":
        path.symlink_to(tmp_path / "elsewhere.py")
    elif kind == "folder":
        path.mkdir()
    elif kind != "missing":
        content = {"large": b"#" * (1 << 21), "binary": b"\xff\xfe\0", "latin": b"# coding: latin-1\n# \xe9\n"}
        path.write_bytes(content[kind])
    (course_folder / ".minitorch").mkdir()
    verdicts = list(Session(tiny, course_folder).check(tiny.exercises))
    assert {verdict.kind for verdict in verdicts} == {Kind.ERROR}
    assert said in verdicts[0].reason.to("en")


def test_a_link_to_a_file_is_read_where_it_leads(tiny, course_folder, solution, tmp_path):
    path = course_folder / "exercises" / "lesson_01_tiny.py"
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere.py")
    (tmp_path / "elsewhere.py").write_text(solution, encoding="utf-8")
    assert {each.kind for each in Session(tiny, course_folder).check(tiny.exercises)} == {Kind.PASSED}
    (tmp_path / "elsewhere.py").write_text("", encoding="utf-8")
    assert {each.kind for each in Session(tiny, course_folder).status()} == {Kind.ERROR}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("linked", [False, True])
def test_a_named_pipe_is_not_waited_for(tiny, course_folder, linked):
    path = course_folder / "exercises" / "lesson_01_tiny.py"
    path.unlink()
    os.mkfifo(course_folder / "pipe" if linked else path)
    if linked:
        path.symlink_to(course_folder / "pipe")
    assert next(Session(tiny, course_folder).check(tiny.exercises)).kind is Kind.ERROR


def test_the_course_folder_is_found_from_anywhere_below(course_folder, tmp_path, monkeypatch):
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    for below in ("", "exercises", "work", "work/deep/er"):
        (course_folder / below).mkdir(parents=True, exist_ok=True)
        monkeypatch.chdir(course_folder / below)
        assert find_course_folder() == course_folder
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CourseError, match="or make one with `minitorch init DIR`"):
        find_course_folder()
    monkeypatch.setenv("MINITORCH_COURSE", str(course_folder))
    assert find_course_folder() == course_folder


def test_the_course_folder_is_found_when_its_exercises_got_lost(course_folder, monkeypatch, tiny):
    list(Session(tiny, course_folder).check(tiny.exercises))
    shutil.rmtree(course_folder / "exercises")
    monkeypatch.chdir(course_folder)
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    assert find_course_folder() == course_folder
    assert "`minitorch reset 01` brings it back" in next(Session(tiny, course_folder).check(tiny.exercises)).reason.to(
        "en"
    )


def test_a_course_folder_that_is_named_must_be_there(tmp_path, monkeypatch):
    monkeypatch.setenv("MINITORCH_COURSE", str(tmp_path / "nowhere"))
    with pytest.raises(CourseError, match="which is not a folder"):
        find_course_folder()
