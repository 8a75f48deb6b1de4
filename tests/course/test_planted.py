"""Bug hunts: functions are dealt of which one is wrong, its source is shown to nobody, and it can be mended."""

from __future__ import annotations

import inspect
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from minitorch.course import check, found, manifest, planted
from minitorch.course.activities.planted import Deal, load_deal
from minitorch.course.course_error import CourseError
from minitorch.course.files import source_code
from minitorch.course.files.learner import learner_id, write_learner
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.verdict import Kind

COURSE = manifest.load()
LESSON = COURSE.lesson("09")
BUGS = [bug for lesson in COURSE.lessons for bug in load_deal(COURSE, lesson).bugs]
SHIPPED = "0" * 32


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A learner's folder in which lesson 09 is solved; the bug that its number is dealt is mean_vjp's."""
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    (tmp_path / "exercises").mkdir()
    (tmp_path / "work").mkdir()
    shutil.copy(LESSON.solution, tmp_path / "exercises" / LESSON.file_name)
    monkeypatch.chdir(tmp_path / "work")
    write_learner(tmp_path, number_for("mean_vjp", tmp_path))
    return tmp_path


def number_for(exercise: str, folder: Path, lesson: str = "09") -> str:
    """Return a number to which the bug in `exercise` is dealt."""
    from minitorch.course.activities.planted import dealt

    for number in range(100):
        write_learner(folder, f"{number:032x}")
        if dealt(COURSE, folder, lesson)[1].exercise.name == exercise:
            return f"{number:032x}"
    raise AssertionError(f"nobody is dealt {exercise}")


# -------------------------------------------------------------------------------------------- dealing


def test_every_bug_is_caught_in_its_function_and_nowhere_else_by_itself(monkeypatch):
    """Its name is another matter: it is a known-wrong version, and each of those is named in the gates."""
    monkeypatch.setenv("MINITORCH_PATIENCE", "5")  # for a busy machine, on which a deep graph runs out of time
    assert len(BUGS) >= 4
    for bug in BUGS:
        verdicts = judge_source(bug.lesson, bug.source())
        assert verdicts[bug.exercise.name].kind is Kind.WRONG
        for name in set(verdicts) - {bug.exercise.name}:
            begins = f"`{bug.exercise.name}` does not pass yet: begin there."
            assert verdicts[name].passed or verdicts[name].reason.to("en").startswith(begins)
        assert len({bug.text.to("en"), bug.text.to("es")}) == 2


def test_it_is_the_same_in_every_look_and_another_for_others(folder):
    dealt = set()
    for number in range(40):
        write_learner(folder, f"{number:032x}")
        g, x = np.arange(6.0).reshape(3, 2), np.zeros((2, 3))
        looks = [planted("09").transpose_vjp(g, x, (1, 0)).tolist(), planted(9).mean_vjp(g[:, 0], x, 0, False).tolist()]
        assert looks == [planted("09").transpose_vjp(g, x, (1, 0)).tolist(), looks[1]]
        dealt.add(str(looks[1]))
    assert len(dealt) == 2  # with and without the bug in mean_vjp


def test_a_folders_number_is_drawn_once_and_kept(tmp_path):
    first = learner_id(tmp_path)
    assert learner_id(tmp_path) == first
    (tmp_path / ".minitorch" / "learner.json").write_text('{"id": 3}', encoding="utf-8")
    again = learner_id(tmp_path)
    assert learner_id(tmp_path) == again != first


def test_a_folder_that_cannot_be_written_to_has_its_number_from_its_place(tmp_path):
    (tmp_path / ".minitorch").write_text("no folder", encoding="utf-8")
    assert learner_id(tmp_path) == learner_id(tmp_path)


def test_the_functions_work_and_one_is_wrong(folder):
    x = np.zeros((2, 3))
    dealt = planted("09")
    assert dealt.sum_vjp(np.array([1.0, 2.0]), x, 1, False).tolist() == [[1.0] * 3, [2.0] * 3]
    assert dealt.mean_vjp(np.array([3.0, 6.0]), x, 1, False).tolist() == [[1.5] * 3, [3.0] * 3]


def test_its_source_is_shown_to_nobody(folder):
    dealt = planted("09")
    for name in ("mean_vjp", "sum_vjp"):
        with pytest.raises(OSError):
            inspect.getsource(getattr(dealt, name))
    written = [path for path in folder.rglob("*") if path.is_file() and "exercises" not in path.parts]
    assert [path.name for path in written] == ["learner.json"]
    assert set(json.loads(written[0].read_text(encoding="utf-8"))) == {"format", "id"}
    assert "mean" not in repr(dealt).replace("mean_vjp", "")


def test_shown_by_itself_it_says_what_to_do(folder):
    assert repr(planted("09")).splitlines() == [
        "7 functions of lesson 09, and one of them is wrong:",
        "    sum_vjp, mean_vjp, max_vjp, reshape_vjp, transpose_vjp, getitem_vjp, repeat_vjp",
        '    try them on inputs of your own; when you know which, put its name in found("09", "?")',
    ]
    assert "una de ellas es incorrecta" in repr(planted("09", lang="es"))
    assert "mean_vjp" in dir(planted("09"))
    with pytest.raises(AttributeError, match="what was dealt defines no 'mean_vpj'"):
        planted("09").mean_vpj  # noqa: B018


def test_a_lesson_without_a_bug_says_so(folder, monkeypatch):
    def no_deal(course, lesson):
        return Deal(lesson, lesson.exercises, ())

    monkeypatch.setattr("minitorch.course.activities.planted.load_deal", no_deal)
    with pytest.raises(CourseError, match=r"lesson 04 deals no bug; lessons that do: .*09"):
        planted("04")


# ------------------------------------------------------------------------------------------- claiming


def test_a_wrong_claim_is_told_what_speaks_against_it_and_not_the_answer(folder):
    told = found("09", "transpose_vjp").text
    assert told.startswith("not transpose_vjp\n    `transpose_vjp` was checked as your own is: in all ")
    assert "mean" not in told
    assert "en los" in found("09", "transpose_vjp", lang="es").text


def test_a_function_that_calls_the_wrong_one_is_not_the_wrong_one(tmp_path):
    """A claim that is half right: its answers are wrong, its lines are not."""
    from minitorch.course.activities import hunt
    from minitorch.course.activities.planted import Bug, Deal
    from minitorch.course.judging.mistakes import load_mistakes
    from minitorch.language import Message

    (version,) = [one for one in load_mistakes(LESSON) if (one.exercise, one.id) == ("sum_vjp", "axis-put-in-front")]
    bug = Bug(LESSON, COURSE.exercise("sum_vjp"), version, Message.of({"en": "a", "es": "b"}))
    deal = Deal(LESSON, LESSON.exercises, (bug,))
    told = hunt._not_this_one(deal, bug.source(), LESSON, COURSE.exercise("mean_vjp"), "en").text
    assert "its own lines are right: it calls another function of these" in told


def test_a_name_that_is_none_is_answered_with_the_nearest(folder):
    with pytest.raises(CourseError, match="there is no function 'mean_vpj' here; did you mean mean_vjp"):
        found("09", "mean_vpj")
    with pytest.raises(CourseError, match="the functions are: sum_vjp, mean_vjp"):
        found("09", "zzz")


def test_without_a_claim_it_asks_for_one(folder):
    assert found("09", "?").text.startswith(
        "put the name of the wrong function in place of the question mark:\n    sum_vjp,"
    )


def test_the_right_claim_names_the_misconception_and_waits_for_ones_own_answer(folder):
    told = found("09", "mean_vjp").text
    assert told.startswith("✓ yes, it is mean_vjp. It divides by the number of means.")
    assert 'check("mean_vjp") must pass first' in told
    assert not (folder / "work" / "mended_09.py").exists()


# -------------------------------------------------------------------------------------------- mending


@pytest.fixture
def mended(folder) -> Path:
    """The file to mend, just dealt."""
    check("mean_vjp")
    told = found("09", "mean_vjp").text
    assert "its lines are in work/mended_09.py" in told
    return folder / "work" / "mended_09.py"


def test_its_lines_are_dealt_to_be_mended(mended):
    text = mended.read_text(encoding="utf-8")
    assert "/ g.size" in text
    assert source_code.find(text, "mean_vjp") is not None
    assert source_code.find(text, "sum_vjp") is None
    assert "mend them there" in found("09", "mean_vjp").text


def test_its_lines_speak_the_learners_language_alone(mended):
    assert mended.read_text(encoding="utf-8").startswith('"""Lesson 09, as it was dealt: mend mean_vjp here.')
    assert "Lección" not in mended.read_text(encoding="utf-8")
    mended.unlink()
    found("09", "mean_vjp", lang="es")
    assert mended.read_text(encoding="utf-8").startswith('"""Lección 09, tal como se repartió: corrige mean_vjp aquí.')
    assert "mend them there" in found("09", "mean_vjp").text  # untouched, whichever language it speaks


def test_a_mended_function_is_checked(mended):
    text = mended.read_text(encoding="utf-8")
    mended.write_text(text.replace("/ g.size", "/ x.size"), encoding="utf-8")
    told = found("09", "mean_vjp").text
    assert told.splitlines()[0] == "work/mended_09.py is not right yet:"
    assert "✗ mean_vjp: wrong. You divided by x.size" in told
    mended.write_text(text.replace("/ g.size", "* g.size / x.size"), encoding="utf-8")
    assert found("09", "mean_vjp").text.startswith("✓ mended: mean_vjp is right in all ")
    assert "corregida" in found("09", "mean_vjp", lang="es").text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "def mean_vjp(:\n",
            r"work/mended_09.py cannot be loaded: Python cannot read .* \(line 1 of mended_09.py\)",
        ),
        ("x = 1\n", "work/mended_09.py does not define mean_vjp any more"),
        ("", "does not define mean_vjp any more"),
    ],
)
def test_a_file_that_cannot_be_judged_is_told_in_one_sentence(mended, text, said):
    mended.write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=said):
        found("09", "mean_vjp")
    mended.unlink()
    assert "its lines are in work/mended_09.py" in found("09", "mean_vjp").text


def test_an_error_in_the_mended_function_names_no_line_of_another_text(mended):
    mended.write_text("def mean_vjp(g, x, axis, keepdims):\n    return nowhere\n", encoding="utf-8")
    told = found("09", "mean_vjp").text
    assert "NameError: name 'nowhere' is not defined" in told
    assert "line " not in told.split("run it")[0]
