"""A lesson's number is a label, its `order` says where it stands; a checkpoint such as C1 has no hints.

The course here holds, in this order, the lessons 05, C1 and 01.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from minitorch.course import check, engine, hint, manifest, status, yours
from minitorch.course.cards.check_button import CheckButton
from minitorch.course.cli import cli
from minitorch.course.course_error import CourseError
from minitorch.course.files.stubs import write_stubs
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.progress import Progress
from minitorch.course.session import Session
from minitorch.course.setup.upgrade import upgrade
from minitorch.course.watching.screen import draw, plain
from minitorch.course.watching.state import Key, begin, step

LESSON = """
number = "{number}"
order = {order}
slug = "{name}"
minutes = 20
prerequisites = {prerequisites}
{more}
title = {{ en = "Lesson {name}", es = "Lección {name}" }}
summary = {{ en = "One function.", es = "Una función." }}
[[exercise]]
name = "{name}"
target = "{name}"
checks = 1
asks = {{ en = "Return {times} times x.", es = "Devuelve {times} veces x." }}
"""
HINT = 'hint = [{ en = "Multiply.", es = "Multiplica." }]\n'
CHECKS = """
from minitorch.course.judging.checks import exercise, same_number


@exercise("{name}")
class It:
    def inputs(self, rng):
        return [3.0]

    def observe(learner, x):
        return learner.{name}(x)

    def judge(self, x, got):
        return same_number(got, {times} * x)
"""
MISTAKE = """
[[mistake]]
id = "one-{name}"
en = "You returned x."
es = "Devolviste x."
change = [["{times} * x", "x"]]
"""
SOLUTION = '"""A lesson."""\n\n\ndef {name}(x):\n    """Return {times} times x."""\n    return {times} * x\n'


def lay(root: Path, number: str, order: int, name: str, times: int, more: str = "", prerequisites="[]"):
    fields = {"number": number, "order": order, "name": name, "times": times, "more": more}
    fields["prerequisites"] = prerequisites
    folder = root / "lessons" / f"lesson_{number}_{name}"
    hinted = LESSON if "checkpoint" in more else LESSON + HINT.replace("{", "{{").replace("}", "}}")
    files = {
        folder / "lesson.toml": hinted.format(**fields),
        folder / "checks.py": CHECKS.format(**fields),
        folder / "mistakes" / f"{name}.toml": MISTAKE.format(**fields),
        root / "solutions" / f"lesson_{number}_{name}.py": SOLUTION.format(**fields),
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def course(tmp_path, monkeypatch) -> manifest.Course:
    root = tmp_path / "made"
    lay(root, "05", 10, "double", 2)
    lay(root, "C1", 20, "triple", 3, more="checkpoint = true", prerequisites='["05"]')
    lay(root, "01", 30, "fourfold", 4, prerequisites='["05", "C1"]')
    found = manifest.load(root / "lessons", root / "solutions")
    monkeypatch.setattr(manifest, "load", lambda *_: found)
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    write_stubs(tmp_path / "exercises", found)
    monkeypatch.chdir(tmp_path)
    return found


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, words)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def write(times: str, *, file: str = "lesson_C1_triple.py") -> None:
    name = file.removesuffix(".py").split("_")[2]
    Path("exercises", file).write_text(f"def {name}(x):\n    return {times}\n", encoding="utf-8")


def test_order_decides_position(course):
    assert [lesson.number for lesson in course.lessons] == ["05", "C1", "01"]
    assert [exercise.name for exercise in course.exercises] == ["double", "triple", "fourfold"]
    assert course.lesson("C1").checkpoint
    assert not course.lesson("01").checkpoint


@pytest.mark.parametrize(
    "word", ["C1", "c1", "triple", "lesson_C1_triple", "exercises/lesson_C1_triple.py", "C1_triple"]
)
def test_a_checkpoint_is_found_by_any_of_its_names(course, word):
    assert course.lesson(word).number == "C1"


def test_a_label_that_does_not_exist_is_answered_with_the_labels(course):
    with pytest.raises(CourseError, match="no lesson 'C7'; the lessons are: 05, C1, 01"):
        course.lesson("C7")


@pytest.mark.parametrize(
    ("number", "order", "said"),
    [
        ("C2", 20, "lessons C1 and C2 have the same order, 20"),
        ("7", 40, "the number '7' must be two digits"),
        ("C2", '"last"', "the order must be a whole number"),
    ],
)
def test_a_faulty_place_is_refused(course, tmp_path, number, order, said):
    lay(tmp_path / "made", number, order, "other", 5)
    manifest._load.cache_clear()
    with pytest.raises(CourseError, match=said):
        manifest._load(tmp_path / "made" / "lessons", tmp_path / "made" / "solutions", ())


def test_a_checkpoint_with_hints_is_refused(course, tmp_path):
    path = tmp_path / "made" / "lessons" / "lesson_C1_triple" / "lesson.toml"
    path.write_text(path.read_text(encoding="utf-8") + HINT, encoding="utf-8")
    manifest._load.cache_clear()
    with pytest.raises(CourseError, match="a checkpoint has no hints"):
        manifest._load(tmp_path / "made" / "lessons", tmp_path / "made" / "solutions", ())


# ------------------------------------------------------------------------------------------- verdicts


def test_its_mistakes_are_named_without_a_hint(course):
    wrong = judge_source(course.lesson("C1"), "def triple(x):\n    return x\n")["triple"]
    assert (wrong.diagnosis, wrong.hint) == ("one-triple", None)
    odd = judge_source(course.lesson("C1"), "def triple(x):\n    return 17 * x\n")["triple"]
    assert (odd.diagnosis, odd.hint) == (None, None)


def test_it_is_checked_by_its_label(course):
    write("3 * x")
    coming = "all that is required here has passed · after this notebook: lesson 01 Lesson fourfold, 01_fourfold.ipynb"
    assert run("check", "c1") == (0, f"✓ triple: passed\n{coming}\n")
    assert check("C1").text == f"✓ triple: passed\n{coming}"


def test_after_lesson_05_comes_the_checkpoint_and_then_lesson_01(course):
    write("2 * x", file="lesson_05_double.py")
    assert run("check")[1] == "○ triple: not started\n"
    assert "after this notebook: lesson C1 Lesson triple" in status("05").text
    write("3 * x")
    assert run("check")[1] == "○ fourfold: not started\n"
    assert "after this notebook: lesson 01 Lesson fourfold" in status("C1").text
    assert [line.split()[0] for line in run("status")[1].splitlines()[1:4]] == ["05", "C1", "01"]


def test_a_missing_file_is_brought_back_by_its_label(course):
    Path("exercises/lesson_C1_triple.py").unlink()
    assert "'minitorch reset C1' brings it back" in check("triple").text
    assert run("reset", "C1")[0] == 0
    assert Path("exercises/lesson_C1_triple.py").is_file()


# ---------------------------------------------------------------------------------------------- hints


def test_a_hint_is_refused_in_one_kind_sentence(course):
    write("x")
    said = "triple: no hints here\n    this is a checkpoint: you have met everything that it takes, and you may look"
    assert run("hint", "triple")[1].startswith(said)
    assert run("hint", "triple", "--step", "3")[1].startswith(said)
    assert hint("triple").text.startswith(said)
    assert 'hint("triple", 1, confirm=True)' in hint("triple").text
    assert "punto de control" in hint("triple", lang="es").text


def test_the_solution_is_there_for_who_passed_or_stops(course):
    assert "return 3 * x" in hint("triple", confirm=True).text
    assert "return 3 * x" in run("hint", "triple", "--solution")[1]
    write("3 * x")
    run("check", "triple")
    assert "return 3 * x" in hint("triple", 1).text


def test_the_button_says_so_too(course, tmp_path):
    button = CheckButton(course, tmp_path, [course.exercise("triple")], "en")
    button.hint()
    assert "no hints here" in button.card().text


def test_watch_says_so_too(course, tmp_path):
    write("x")
    session = Session(course, tmp_path)
    (verdict,) = session.check([course.exercise("triple")])
    assert Progress(tmp_path / ".minitorch" / "progress").read("triple").verdict == verdict
    state, _ = begin(course, session.known(), at="triple")
    assert "Stuck?" not in plain(draw(state, 100, 30, "en").rows)
    state, _ = step(state, Key("h"))
    assert "no hints" in plain(draw(state, 100, 30, "en").rows)


# ------------------------------------------------------------------------------- engine, pytest, upgrade


def test_an_engine_reaches_up_to_a_checkpoint_and_takes_no_piece_of_it(course):
    assert [piece.name for piece in engine("mine").pieces] == ["double", "fourfold"]
    assert [piece.name for piece in engine("mine", upto="C1").pieces] == ["double"]
    assert engine("reference").lesson("1").fourfold(1) == 4
    assert yours("c1").__name__ == "lesson_C1_triple"


def test_pytest_collects_it_under_its_label(tmp_path):
    """With a lesson of the shipped course under a checkpoint's name: the file is taken and not imported."""
    from minitorch.course.pytest_guard import LESSON_FILE

    assert LESSON_FILE.fullmatch("lesson_C1_four_lessons_in.py")
    assert LESSON_FILE.fullmatch("lesson_08_broadcasting.py")
    assert not LESSON_FILE.fullmatch("lesson_x.py")


def test_an_older_folder_gets_the_checkpoint_with_an_upgrade(course, tmp_path):
    Path("exercises/lesson_C1_triple.py").unlink()
    upgrade(tmp_path, course)
    assert "def triple" in Path("exercises/lesson_C1_triple.py").read_text(encoding="utf-8")
