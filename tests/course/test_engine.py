"""`engine("mine")`: the learner's pieces, each missing or failing one from the reference, put together by injection."""

from __future__ import annotations

import re
import sys
import traceback

import pytest
from engine_desk import BACKWARD, SCALAR, gradients, owners, yours

from minitorch.course import engine, manifest
from minitorch.course.judging.mistakes import load_mistakes, wrong_source
from minitorch.course.judging.verdict import Kind

# -------------------------------------------------------------------------------------- whose piece it is


def test_untouched_stubs_make_an_engine_that_is_all_the_references(desk, right):
    mine = engine("mine", upto="02")
    assert repr(mine).splitlines() == [
        "yours 0 · reference 10",
        "    01  ○ not started  add, mul, pow, reflected, local_grads, dot",
        "    02  ○ not started  toposort, backward, tanh, count_paths",
    ]
    assert {piece.kind for piece in mine.pieces} == {Kind.NOT_STARTED}
    assert gradients(mine) == right


def test_solved_exercises_make_an_engine_that_is_all_yours(desk, right):
    desk.solve()
    mine = engine("mine", upto="02")
    assert repr(mine).splitlines()[0] == "yours 10 · reference 0"
    assert gradients(mine) == right
    assert mine.backward.__code__.co_filename == str(desk.path(BACKWARD))


def test_a_wrong_piece_comes_from_the_reference_and_its_neighbours_are_yours(desk, right):
    desk.solve()
    desk.write(SCALAR, wrong_source("mul", "mul-own-operand", desk.course))
    mine = engine(upto="02")
    assert repr(mine).splitlines() == [
        "yours 9 · reference 1",
        "    01  ✓ yours  add, pow, reflected, local_grads, dot",
        "    01  ✗ wrong  mul",
        "    02  ✓ yours  toposort, backward, tanh, count_paths",
    ]
    assert gradients(mine) == right
    files = {name: getattr(mine.Value, name).__code__.co_filename for name in ("__add__", "__mul__")}
    assert files == {"__add__": str(desk.path(SCALAR)), "__mul__": "<reference: lesson_01_scalar_nodes.py>"}


def test_half_a_lesson_solved(desk, right):
    desk.solve("01")
    desk.change(
        SCALAR, ("return self + other\n", "raise NotImplementedError\n"), ("return self * other\n", "return other\n")
    )
    mine = engine("mine", "02")
    assert yours(mine) == {"add", "mul", "pow", "local_grads", "dot"}
    assert mine.Value.__radd__.__code__.co_filename.startswith("<reference")
    assert gradients(mine) == right


def test_a_piece_that_was_broken_later_is_judged_anew(desk, right):
    desk.solve()
    assert "reference 0" in repr(engine("mine", "02"))
    desk.change(SCALAR, ("(other.data, self.data)", "(self.data, other.data)"))
    assert owners(engine("mine", "02"))["mul"] == "reference"
    desk.change(SCALAR, ("(self.data, other.data)", "(other.data, self.data)"))
    assert "reference 0" in repr(engine("mine", "02"))


def test_a_piece_that_passes_with_a_remark_is_yours(desk, monkeypatch):
    from minitorch.course.session import Session

    desk.solve()
    judged = Session.status
    remark = {"kind": Kind.PASSED_BUT}

    def with_remark(self, lessons=None):
        from dataclasses import replace

        return [replace(verdict, **remark) for verdict in judged(self, lessons)]

    monkeypatch.setattr(Session, "status", with_remark)
    mine = engine("mine", "02")
    assert len(yours(mine)) == 10
    assert {piece.kind for piece in mine.pieces} == {Kind.PASSED_BUT}


def one_mistake_of_each() -> list:
    """Return the first known-wrong version of every exercise of lessons 01 and 02."""
    found = {}
    for number in ("01", "02"):
        for one in load_mistakes(manifest.load().lesson(number)):
            found.setdefault(one.exercise, pytest.param(one.exercise, one.id, id=one.id))
    return list(found.values())


@pytest.mark.parametrize(("exercise", "mistake"), one_mistake_of_each())
def test_whatever_is_wrong_the_engine_is_right(desk, right, exercise, mistake):
    desk.solve()
    lesson = desk.course.lesson_of(desk.course.exercise(exercise))
    desk.write(lesson.file_name, wrong_source(exercise, mistake, desk.course))
    mine = engine("mine", "02")
    assert owners(mine)[exercise] == "reference"
    assert yours(mine)
    assert gradients(mine) == right


def test_two_mistakes_that_make_up_for_each_other_do_not_spoil_the_engine(desk, right):
    """Alone in its file this backward passes; beside the reference's toposort it would walk the wrong way."""
    desk.solve()
    desk.change(
        BACKWARD,
        ("    return order\n", "    return order[::-1]\n"),
        ("for node in reversed(order):", "for node in order:"),
    )
    mine = engine("mine", "02")
    assert yours(mine) == {"add", "mul", "pow", "reflected", "local_grads", "dot", "tanh"}
    assert "lesson 02: `backward` passed in your file, but not beside the reference's pieces" in repr(mine)
    assert "    02  ↺ passed, but not used here  backward" in repr(mine).splitlines()
    assert gradients(mine) == right


# ------------------------------------------------------------------------------------ files in disorder

DISORDER = {
    "syntax error": ("def backward(root:\n", "Python cannot read the file"),
    "raises": ("1 / 0\n", "ZeroDivisionError"),
    "exits": ("import sys\nsys.exit(0)\n", "sys.exit()"),
    "hangs": ("while True:\n    pass\n", "was still running"),
    "no text": ("x = '\udcff'\n", "is not UTF-8 text"),
}


@pytest.mark.parametrize("case", DISORDER)
def test_a_file_that_cannot_run_comes_whole_from_the_reference(desk, right, case):
    source, said = DISORDER[case]
    desk.solve()
    whole = (desk.read(BACKWARD) + source).encode("utf-8", "surrogateescape")
    desk.path(BACKWARD).write_bytes(whole)
    mine = engine("mine", "02")
    assert yours(mine) == {"add", "mul", "pow", "reflected", "local_grads", "dot"}
    assert re.search(rf"lesson 02 comes whole from the reference: .*{re.escape(said)}", repr(mine))
    assert gradients(mine) == right


@pytest.mark.parametrize("source", ["", "# all gone\n", None], ids=["empty", "a comment", "missing"])
def test_a_file_without_code_comes_whole_from_the_reference(desk, right, source):
    desk.solve()
    if source is None:
        desk.path(SCALAR).unlink()
    else:
        desk.write(SCALAR, source)
    mine = engine("mine", "02")
    assert yours(mine) == {"toposort", "backward", "tanh", "count_paths"}
    assert {piece.kind for piece in mine.pieces if piece.lesson == "01"} == {Kind.ERROR}
    assert gradients(mine) == right


def test_a_file_that_runs_in_its_check_but_not_here_comes_whole_from_the_reference(desk, right):
    desk.solve()
    desk.change(
        BACKWARD, ("Node = Any", 'import os\nif "HOME" in os.environ:\n    raise RuntimeError("not here")\nNode = Any')
    )
    line = desk.read(BACKWARD).splitlines().index('    raise RuntimeError("not here")') + 1
    mine = engine("mine", "02")
    assert {piece.owner for piece in mine.pieces if piece.lesson == "02"} == {"reference"}
    assert {piece.kind for piece in mine.pieces} == {Kind.PASSED}
    assert f"RuntimeError: not here (line {line} of {BACKWARD})" in repr(mine)
    assert gradients(mine) == right


def test_what_a_file_prints_is_not_shown_again(desk, capfd):
    desk.solve()
    desk.write(BACKWARD, desk.read(BACKWARD) + "\nimport sys\nprint('hello')\nprint('there', file=sys.stderr)\n")
    assert "reference 0" in repr(engine("mine", "02"))
    assert capfd.readouterr() == ("", "")


def test_an_own_helper_comes_with_the_pieces_that_use_it(desk, right):
    desk.solve()
    desk.change(
        BACKWARD,
        ("            stack.append((node, True))", "            stack.append(pair(node))"),
        ("def backward(", "DONE = True\n\n\ndef pair(node):\n    return node, DONE\n\n\ndef backward("),
        ("    root.grad = 1.0\n", ""),
    )
    mine = engine("mine", "02")
    assert (owners(mine)["toposort"], owners(mine)["backward"]) == ("yours", "reference")
    assert mine.DONE is True
    assert gradients(mine) == right


def test_own_names_for_arguments_and_own_imports(desk, right):
    desk.write(
        BACKWARD,
        "import itertools as it\n\n\n"
        "def toposort(end):\n    seen, out = set(), []\n    stack = [(end, 0)]\n"
        "    while stack:\n        node, done = stack.pop()\n        if done:\n            out.append(node)\n"
        "        elif node not in seen:\n            seen.add(node)\n"
        "            stack += it.chain([(node, 1)], ((each, 0) for each in node._prev))\n    return out\n",
    )
    mine = engine("mine", "02")
    assert owners(mine)["toposort"] == "yours"
    assert owners(mine)["backward"] == "reference"
    assert gradients(mine) == right


def test_a_dataclass_in_a_file_with_future_annotations(desk):
    desk.solve()
    extra = "\nimport dataclasses\n\n\n@dataclasses.dataclass\nclass Pair:\n    left: float = 1.0\n"
    desk.write(BACKWARD, desk.read(BACKWARD) + extra)
    mine = engine("mine", "02")
    assert mine.Pair().left == 1.0
    assert "lesson_02_backward" not in sys.modules


def test_a_warning_about_the_learners_file_is_not_shown_again(desk, capfd, recwarn):
    desk.solve()
    desk.write(BACKWARD, desk.read(BACKWARD) + '\nPATTERN = "\\d"\nimport warnings\nwarnings.warn("careful")\n')
    assert "reference 0" in repr(engine("mine", "02"))
    assert capfd.readouterr() == ("", "")
    assert not recwarn.list


def test_a_file_that_changes_while_it_is_judged_is_judged_again(desk, monkeypatch):
    from minitorch.course.session import Session

    desk.solve()
    wrong = desk.read(SCALAR).replace("(other.data, self.data)", "(self.data, other.data)")
    judged, saved = Session.status, []

    def with_a_save_meanwhile(self, lessons=None):
        verdicts = judged(self, lessons)
        if not saved:
            saved.append(desk.write(SCALAR, wrong))
        return verdicts

    monkeypatch.setattr(Session, "status", with_a_save_meanwhile)
    assert owners(engine("mine", "01"))["mul"] == "reference"


def test_progress_that_cannot_be_saved_is_told_and_the_engine_works(desk, right):
    desk.solve()
    (desk.folder / ".minitorch").mkdir()
    (desk.folder / ".minitorch" / "progress").write_text("a file in the way", encoding="utf-8")
    mine = engine("mine", "02")
    assert "progress could not be saved" in repr(mine)
    assert len(yours(mine)) == 10
    assert gradients(mine) == right


# ------------------------------------------------------------------------- what a replaced piece needs


def test_given_parts_and_imports_that_were_deleted_come_back(desk, right):
    desk.solve()
    source = desk.read(SCALAR)
    start, end = source.index("    def __neg__"), source.index("def local_grads")
    desk.write(SCALAR, source[:start] + "\n\n" + source[end:].replace("total.get(parent, 0.0)", "0.0"))
    assert owners(engine("mine", "02")) != {}
    mine = engine("mine", "02")
    assert owners(mine)["local_grads"] == "reference"
    assert owners(mine)["mul"] == "yours"
    assert gradients(mine) == right


def test_the_references_annotations_need_no_import_of_the_learners(desk, right):
    desk.solve()
    source = re.sub(r" -> [\w, \[\]]+:", ":", desk.read(SCALAR).replace("from __future__ import annotations\n", ""))
    source = re.sub(r"(other|data|n|out|_op|label): [\w .|]+", r"\1", source)
    source = re.sub(
        r"_prev: tuple\S+ \.\.\.\]|_local_grads: tuple\S+ \.\.\.\]", lambda m: m[0].partition(":")[0], source
    )
    source = re.sub(r"(self\.grad|total): [^=]+=", r"\1 =", source)
    assert "Value |" not in source
    desk.write(SCALAR, source.replace("(other.data, self.data)", "(1.0, 1.0)"))
    mine = engine("mine", "02")
    assert owners(mine)["mul"] == "reference"
    assert owners(mine)["add"] == "yours"
    assert gradients(mine) == right


def test_a_given_part_that_was_changed_is_named(desk):
    desk.solve()
    desk.change(SCALAR, ("return self * -1.0", "return -1.0 * self"))
    assert "lesson 01: what was given is used as you changed it: `Value.__neg__`" in repr(engine("mine", "02"))


def test_a_class_that_was_written_anew_is_yours_and_a_wrong_one_is_not(desk, right):
    desk.solve()
    assert owners(engine("mine", "02"))["reflected"] == "yours"
    desk.write(SCALAR, wrong_source("reflected", "rsub-missing", desk.course))
    mine = engine("mine", "02")
    assert owners(mine)["reflected"] == "reference"
    assert mine.Reflected.__rsub__.__code__.co_filename.startswith("<reference")
    assert mine.Value.__mro__[1] is mine.Reflected
    assert gradients(mine) == right


# ------------------------------------------------------------------------------------------- tracebacks


def test_a_traceback_names_the_learners_file_and_line_whatever_was_replaced_above(desk):
    desk.solve()
    desk.change(SCALAR, ('(self, other), "+", (1.0, 1.0)', '(self, other), "+", (2.0,\n\n\n\n 1.0)'))
    mine = engine("mine", "02")
    assert owners(mine)["add"] == "reference"
    with pytest.raises(TypeError) as caught:
        mine.Value(1.0) * "word"
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert frame.filename == str(desk.path(SCALAR))
    assert frame.line == 'return Value(self.data * other, (self,), "*", (other,))'
    assert frame.line == desk.read(SCALAR).splitlines()[frame.lineno - 1].strip()


def test_a_traceback_through_the_reference_shows_its_line_number_and_no_answer(desk):
    mine = engine("mine", "02")
    with pytest.raises(TypeError) as caught:
        mine.Value(1.0) * "word"
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert frame.filename == "<reference: lesson_01_scalar_nodes.py>"
    solution = desk.course.lesson("01").solution_source().splitlines()
    assert solution[frame.lineno - 1].strip() == 'return Value(self.data * other, (self,), "*", (other,))'
    assert frame.line == ""
