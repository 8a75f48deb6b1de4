"""`engine("mine")`: the learner's pieces, each missing or failing one from the reference, put together by injection.

Lessons 01 and 02 are the real ones. Lessons 05 to 08 are drafts, in `toy_tensor/`, in the form that they are to have.
"""

from __future__ import annotations

import re
import shutil
import sys
import traceback
from pathlib import Path

import numpy as np
import pytest

from minitorch.course import engine, manifest
from minitorch.course.misconceptions import load_misconceptions, wrong_source
from minitorch.course.text import CourseError
from minitorch.course.verdict import Kind
from minitorch.scalar import Value

DRAFTS = Path(__file__).with_name("toy_tensor")
SCALAR, BACKWARD = "lesson_01_scalar_nodes.py", "lesson_02_backward.py"
TENSOR = "lesson_05_tensor.py"
CHECKED = {  # lesson -> exercise: target, what is observed, what is right
    "05_tensor": {
        "compared": (
            "Compared",
            "a, b = learner.Compared(), learner.Compared()\nreturn [a == a, a == b]",
            [True, False],
        ),
        "tensor_init": ("Tensor.__init__", "return learner.Tensor([1, 2]).data.tolist()", [1.0, 2.0]),
        "detach": ("Tensor.detach", "return learner.Tensor([1.0], True).detach().requires_grad", False),
    },
    "06_broadcast": {
        "unbroadcast": (
            "unbroadcast",
            "import numpy as np\nreturn learner.unbroadcast(np.ones((2, 3)), (1, 3)).tolist()",
            [[2.0, 2.0, 2.0]],
        ),
        "mul_vjp": (
            "mul_vjp",
            "import numpy as np\nreturn [g.tolist() for g in learner.mul_vjp(*np.array([[2.0], [3.0], [5.0]]))]",
            [[10.0], [6.0]],
        ),
    },
    "07_reduce": {
        "sum_vjp": (
            "sum_vjp",
            "import numpy as np\nreturn learner.sum_vjp(np.ones(2), np.ones((2, 2)), 1, False).tolist()",
            [[1.0, 1.0], [1.0, 1.0]],
        ),
    },
    "08_matmul": {
        "matmul_vjp": (
            "matmul_vjp",
            (
                "import numpy as np\ng, a, b = np.ones((1, 1)), np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]])\n"
                "return [each.tolist() for each in learner.matmul_vjp(g, a, b)]"
            ),
            [[[3.0, 4.0]], [[1.0], [2.0]]],
        ),
    },
}


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> manifest.Course:
    """Lay lessons 00 to 02 and the drafts out as one course."""
    root = tmp_path_factory.mktemp("course")
    shipped = manifest.load()
    (root / "solutions").mkdir()
    for lesson in shipped.lessons[:3]:
        shutil.copytree(lesson.folder, root / "lessons" / lesson.stem)
        shutil.copy(lesson.solution, root / "solutions")
    for name, exercises in CHECKED.items():
        folder = root / "lessons" / f"lesson_{name}"
        folder.mkdir(parents=True)
        shutil.copy(DRAFTS / f"lesson_{name}.py", root / "solutions")
        (folder / "lesson.toml").write_text(manifest_text(name, exercises), encoding="utf-8")
        (folder / "checks.py").write_text(checks_text(exercises), encoding="utf-8")
    return manifest.load(root / "lessons", root / "solutions")


def manifest_text(name: str, exercises: dict) -> str:
    number, _, slug = name.partition("_")
    lines = [f'number = "{number}"', f'slug = "{slug}"', "minutes = 5", "prerequisites = []"]
    lines += ['title = { en = "Draft", es = "Borrador" }', 'summary = { en = "A draft.", es = "Un borrador." }']
    for exercise, (target, _, _) in exercises.items():
        lines += ["[[exercise]]", f'name = "{exercise}"', f'target = "{target}"', "checks = 1"]
        lines += ['asks = { en = "Write it.", es = "Escríbelo." }', 'hint = [{ en = "Think.", es = "Piensa." }]']
    return "\n".join(lines)


def checks_text(exercises: dict) -> str:
    text = "from minitorch.course.checks import exercise, same_value\n"
    for name, (_, observed, right) in exercises.items():
        body = "\n".join(f"        {line}" for line in observed.splitlines())
        text += f'\n\n@exercise("{name}")\nclass Check_{name}:\n    def inputs(self, rng):\n        return [0]\n'
        text += f"\n    def observe(learner, x):\n{body}\n"
        text += f"\n    def judge(self, x, got):\n        return same_value(got, {right!r})\n"
    return text


class Desk:
    """A learner's folder."""

    def __init__(self, folder: Path, course: manifest.Course) -> None:
        self.folder, self.course = folder, course

    def path(self, name: str) -> Path:
        return self.folder / "exercises" / name

    def write(self, name: str, source: str) -> None:
        self.path(name).write_text(source, encoding="utf-8")

    def read(self, name: str) -> str:
        return self.path(name).read_text(encoding="utf-8")

    def solve(self, *numbers: str) -> None:
        for lesson in self.course.lessons:
            if not numbers or lesson.number in numbers:
                self.write(lesson.file_name, lesson.solution_source())

    def change(self, name: str, *pairs: tuple[str, str]) -> None:
        source = self.read(name)
        for old, new in pairs:
            assert source.count(old) == 1, old
            source = source.replace(old, new)
        self.write(name, source)


@pytest.fixture
def desk(course, tmp_path, monkeypatch) -> Desk:
    """Sit down at a folder of untouched stubs."""
    manifest.write_stubs(tmp_path / "exercises", course)
    monkeypatch.setattr(manifest, "load", lambda *_: course)
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path, course)


def owners(mine) -> dict[str, str]:
    return {piece.name: piece.owner for piece in mine.pieces}


def yours(mine) -> set[str]:
    return {name for name, owner in owners(mine).items() if owner == "yours"}


def gradients(mine) -> list[float]:
    """Return the gradients of a small loss in an engine's scalar nodes."""
    x, y = mine.Value(3.0), mine.Value(-2.0)
    loss = 2 * x * y + (x - y) ** 2 - x
    mine.backward(loss)
    return [loss.data, x.grad, y.grad]


@pytest.fixture
def right() -> list[float]:
    """The same gradients by minitorch's own scalar engine."""
    x, y = Value(3.0), Value(-2.0)
    loss = 2 * x * y + (x - y) ** 2 - x
    loss.backward()
    return [loss.data, x.grad, y.grad]


# -------------------------------------------------------------------------------------- whose piece it is


def test_untouched_stubs_make_an_engine_that_is_all_the_references(desk, right):
    mine = engine("mine", upto="02")
    assert repr(mine).splitlines() == [
        "yours 0 · reference 7",
        "    01  ○ not started  add, mul, pow, reflected, local_grads",
        "    02  ○ not started  toposort, backward",
    ]
    assert {piece.kind for piece in mine.pieces} == {Kind.NOT_STARTED}
    assert gradients(mine) == right


def test_solved_exercises_make_an_engine_that_is_all_yours(desk, right):
    desk.solve()
    mine = engine("mine", upto="02")
    assert repr(mine).splitlines()[0] == "yours 7 · reference 0"
    assert gradients(mine) == right
    assert mine.backward.__code__.co_filename == str(desk.path(BACKWARD))


def test_a_wrong_piece_comes_from_the_reference_and_its_neighbours_are_yours(desk, right):
    desk.solve()
    desk.write(SCALAR, wrong_source("mul", "mul-own-operand", desk.course))
    mine = engine(upto="02")
    assert repr(mine).splitlines() == [
        "yours 6 · reference 1",
        "    01  ✓ yours  add, pow, reflected, local_grads",
        "    01  ✗ wrong  mul",
        "    02  ✓ yours  toposort, backward",
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
    assert yours(mine) == {"add", "mul", "pow", "local_grads"}
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
    assert len(yours(mine)) == 7
    assert {piece.kind for piece in mine.pieces} == {Kind.PASSED_BUT}


def one_mistake_of_each() -> list:
    """Return the first known-wrong version of every exercise of lessons 01 and 02."""
    found = {}
    for number in ("01", "02"):
        for one in load_misconceptions(manifest.load().lesson(number)):
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
    desk.change(BACKWARD, ("    return order\n", "    return order[::-1]\n"), ("in reversed(order):", "in order:"))
    mine = engine("mine", "02")
    assert yours(mine) == {"add", "mul", "pow", "reflected", "local_grads"}
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
    assert yours(mine) == {"add", "mul", "pow", "reflected", "local_grads"}
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
    assert yours(mine) == {"toposort", "backward"}
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
    assert len(yours(mine)) == 7
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


# ----------------------------------------------------------------------------------- one beside another


def test_two_engines_share_nothing(desk):
    desk.solve()
    first, second = engine("mine", "02"), engine("mine", "02")
    assert first.Value is not second.Value
    first.lesson("02").toposort = None
    assert gradients(second)
    assert isinstance(first.Value(1.0) + first.Value(2.0), first.Value)
    assert not isinstance(first.Value(1.0), second.Value)


def test_an_engine_stays_as_it_was_when_the_file_changes(desk, right):
    desk.solve()
    mine = engine("mine", "02")
    desk.write(SCALAR, "")
    assert gradients(mine) == right
    assert "reference 0" in repr(mine)


def test_the_reference_looks_at_no_file_of_the_learners(desk, right, monkeypatch, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.rmtree(desk.folder / "exercises")
    monkeypatch.chdir(elsewhere)
    reference = engine("reference", upto="2")
    assert repr(reference) == "yours 0 · reference 7"
    assert {piece.kind for piece in reference.pieces} == {None}
    assert gradients(reference) == right
    with pytest.raises(CourseError, match="no course folder here"):
        engine("mine")


def test_nothing_is_left_in_sys_modules(desk):
    before = set(sys.modules)
    engine("mine", "02")
    assert [name for name in set(sys.modules) - before if name.startswith("lesson_")] == []


# ------------------------------------------------------------------------------------- names and words


def test_an_engine_reaches_as_far_as_it_is_asked_to(desk):
    assert {piece.lesson for piece in engine("mine", "01").pieces} == {"01"}
    assert {piece.lesson for piece in engine("mine").pieces} == {"01", "02", "05", "06", "07", "08"}
    with pytest.raises(AttributeError, match="the engine up to lesson 01 has no 'backward'"):
        engine("mine", "01").backward  # noqa: B018


def test_a_name_is_looked_up_from_the_newest_lesson_back(desk):
    reference = engine("reference")
    assert reference.node is reference.lesson("07").node
    assert reference.lesson("6").node is not reference.node
    with pytest.raises(CourseError, match="this engine has no lesson '03'; it has 01, 02, 05"):
        reference.lesson("03")


def test_an_unknown_name_offers_near_ones(desk):
    with pytest.raises(AttributeError, match=r"has no 'toposrt'; did you mean toposort\?"):
        engine("reference", "02").toposrt  # noqa: B018
    with pytest.raises(AttributeError, match="has no 'zzzzzz'; the exercises are: add, mul, pow"):
        engine("reference", "02").zzzzzz  # noqa: B018
    with pytest.raises(AttributeError) as caught:
        engine("reference", "02").valeu  # noqa: B018
    assert len(caught.value._render_traceback_()) == 1
    assert not hasattr(engine("reference", "02"), "_repr_png_")
    assert {"Value", "toposort", "pieces", "lesson"} <= set(dir(engine("reference", "02")))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("mein",), "there is no engine 'mein'; there are 'mine' and 'reference'"),
        (("mine", "99"), "there is no lesson '99'; the lessons are: 00, 01, 02, 05, 06, 07, 08"),
        (("reference", "00"), "lesson '00' has no piece of an engine: the first ones are written in lesson 01"),
    ],
)
def test_an_unknown_word_is_answered_in_one_sentence(desk, words, said):
    with pytest.raises(CourseError) as caught:
        engine(*words)
    assert caught.value._render_traceback_() == [f"CourseError: {said}"]


def test_the_badge_in_spanish_and_as_html(desk):
    desk.write(SCALAR, wrong_source("mul", "mul-own-operand", desk.course))
    mine = engine("mine", "02", lang="es")
    assert repr(mine).splitlines()[0] == "tuyas 4 · de referencia 3"
    bundle = mine._repr_mimebundle_(include=None, exclude=None)
    assert bundle["text/plain"] == repr(mine)
    assert 'class="minitorch-card"' in bundle["text/html"]
    assert "✗ mal" in bundle["text/html"]
    assert str(desk.folder) not in bundle["text/html"]


# --------------------------------------------------------------------------------------------- Tensor


def slope(function, *arrays: np.ndarray) -> list[np.ndarray]:
    """Return the gradients of a scalar function by central differences."""
    found = []
    for array in arrays:
        gradient = np.zeros_like(array)
        for index in np.ndindex(array.shape):
            kept = array[index]
            array[index] = kept + 1e-6
            ahead = function(*arrays)
            array[index] = kept - 1e-6
            gradient[index] = (ahead - function(*arrays)) / 2e-6
            array[index] = kept
        found.append(gradient)
    return found


PROGRAMS = {
    "signs": lambda a, b: ((2.0 - a) * b / 3.0 + a / (b * b) - (-a) + 1.0 * b).sum(),
    "a constant array on the left": lambda a, b: (np.array([[1.0, 2.0, 3.0]]) * a + b).sum(),
    "reduce and index": lambda a, b: (a.max(axis=1, keepdims=True) * b).mean() + a[0, 1] * b[1].sum(),
    "reshape and transpose": lambda a, b: (a.reshape(3, 2).T * b.transpose(0, 1) * a.reshape((2, 3))).sum(),
    "matmul": lambda a, b: (a @ b.T).sum() + (np.ones((1, 2)) @ a).sum(),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_signs_mean_the_engines_own_functions(desk, name):
    program = PROGRAMS[name]
    rng = np.random.default_rng(0)
    arrays = [rng.uniform(0.5, 2.0, (2, 3)), rng.uniform(0.5, 2.0, (2, 3))]
    Tensor = engine("mine").Tensor
    a, b = (Tensor(array, requires_grad=True) for array in arrays)
    out = program(a, b)
    assert type(out) is Tensor
    out.backward()
    expected = slope(lambda *given: float(program(*given)), *arrays)
    for tensor, gradient in zip((a, b), expected, strict=True):
        np.testing.assert_allclose(tensor.grad, gradient, rtol=1e-6, atol=1e-8)


def test_relu_exp_and_log_are_methods(desk):
    Tensor = engine("reference").Tensor
    x = Tensor([-1.0, 2.0], requires_grad=True)
    (x.relu() + x.exp() + (x * x).log()).sum().backward()
    np.testing.assert_allclose(x.grad, [np.exp(-1.0) - 2.0, 1.0 + np.exp(2.0) + 1.0])


def test_signs_come_with_the_lessons_that_teach_them(desk):
    fifth = engine("reference", "05").Tensor
    assert not hasattr(fifth, "__add__")
    sixth = engine("reference", "06").Tensor
    assert hasattr(sixth, "__add__")
    assert not hasattr(sixth, "sum")
    with pytest.raises(TypeError):
        sixth([1.0]) @ sixth([1.0])
    seventh = engine("reference", "07").Tensor
    assert hasattr(seventh, "sum")
    assert not hasattr(seventh, "__matmul__")
    assert sixth.__name__ == sixth.__qualname__ == "Tensor"


def test_a_learners_rule_is_the_one_that_a_sign_uses(desk):
    desk.solve()
    desk.change(
        "lesson_06_broadcast.py",
        (
            "return unbroadcast(g * b, a.shape), unbroadcast(g * a, b.shape)",
            "CALLS.append(1)\n    return unbroadcast(g * b, a.shape), unbroadcast(g * a, b.shape)",
        ),
        ("ONE = np.ones(1)", "CALLS = []"),
    )
    mine = engine("mine")
    assert owners(mine)["mul_vjp"] == "yours"
    x = mine.Tensor([3.0], requires_grad=True)
    (x * x).sum().backward()
    assert mine.CALLS == [1]
    assert x.grad.tolist() == [6.0]


def test_a_tensor_that_the_learner_makes_by_name_has_signs_too(desk):
    desk.solve()
    desk.change(TENSOR, ("return type(self)(self.data)\n", "return Tensor(self.data)\n"))
    mine = engine("mine")
    assert owners(mine)["detach"] == "yours"
    x = mine.Tensor([1.0, 2.0], requires_grad=True)
    y = x.detach() + x
    assert type(y) is type(x.detach()) is mine.Tensor
    assert mine.lesson("05").Tensor is mine.Tensor


def test_equal_means_the_same_node_with_signs_too(desk):
    mine = engine("mine")
    a, b = mine.Tensor([1.0]), mine.Tensor([1.0])
    assert a == a
    assert a != b
    assert len({a, b}) == 2
