"""`minitorch export`: an engine as a package that is the learner's, works without the course, and loses nothing."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from minitorch.course import manifest
from minitorch.course.cli import cli
from minitorch.course.judging.mistakes import wrong_source
from minitorch.course.mine import assembled, merging
from minitorch.course.mine.written import written
from minitorch.course.setup.workspace import init_course

COURSE = manifest.load()
ENGINE = [lesson for lesson in COURSE.lessons if lesson.engine]
ADD, TENSOR = "lesson_01_scalar_nodes.py", "lesson_05_tensor_as_node.py"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A course folder in which lessons 01 to 06 are solved, one function of 01 in a style of its own."""
    init_course(tmp_path / "course")
    monkeypatch.chdir(tmp_path / "course")
    for lesson in ENGINE:
        if lesson.number <= "06":
            (tmp_path / "course" / "exercises" / lesson.file_name).write_text(lesson.solution_source())
    return tmp_path / "course"


def run(*words):
    return CliRunner().invoke(cli, ["export", *map(str, words)])


def python(place, *words):
    """A Python in that folder that finds neither the course nor the learner's files."""
    names = {"PYTHONPATH": "", "OPENBLAS_NUM_THREADS": "1"}
    options = {"cwd": place, "env": os.environ | names, "capture_output": True, "text": True}
    return subprocess.run([sys.executable, *words], check=False, **options)


@pytest.mark.gate
def test_the_package_trains_and_passes_its_tests_without_the_course(folder, tmp_path):
    done = run(tmp_path / "mine", "--name", "anagrad")
    assert done.exit_code == 0, done.output
    assert f"the package anagrad, 32 of {len(assembled_pieces())} pieces are yours" in done.output
    place = tmp_path / "mine"
    trained = python(place, "-m", "anagrad")
    assert trained.stdout.startswith("80 steps"), trained.stderr
    tested = python(place, "-m", "pytest", "-q", "-p", "no:minitorch_course", "-p", "no:cacheprovider")
    assert tested.returncode == 0, tested.stdout
    asks = "import anagrad, sys; print([name for name in sys.modules if name.partition('.')[0] == 'minitorch'])"
    assert python(place, "-c", asks).stdout == "[]\n"


@pytest.mark.gate
@pytest.mark.index
def test_the_package_installs(folder, tmp_path):
    run(tmp_path / "mine", "--name", "anagrad")
    pip = ["-m", "pip", "--disable-pip-version-check"]
    probe = ["download", "--quiet", "--retries=0", "--timeout=20", "--no-deps", "--dest", str(tmp_path), "hatchling"]
    if python(tmp_path, *pip, *probe).returncode:
        pytest.skip("the package index cannot be reached")
    done = python(
        tmp_path, *pip, "install", "--quiet", "--no-deps", "--target", str(tmp_path / "there"), str(tmp_path / "mine")
    )
    assert done.returncode == 0, done.stdout + done.stderr
    asks = "import anagrad; x = anagrad.Value(3.0); anagrad.backward(x * x); print(x.grad, anagrad.__file__)"
    grad, _, file = python(tmp_path / "there", "-c", asks).stdout.partition(" ")
    assert grad == "6.0"
    assert str(tmp_path / "there") in file


def assembled_pieces():
    return [exercise for lesson in ENGINE for exercise in lesson.exercises]


def test_what_the_learner_wrote_stands_there_line_by_line(folder, tmp_path):
    path = folder / "exercises" / ADD
    own = path.read_text().replace("class Value(", "# my node: it took me an evening\nclass Value(") + "\n# the end\n"
    path.write_text(own)
    run(tmp_path / "mine")
    assert (tmp_path / "mine" / "my_engine" / ADD).read_text() == own


def test_a_piece_that_is_wrong_is_the_references_and_a_comment_says_so(folder, tmp_path, monkeypatch):
    (folder / "exercises" / ADD).write_text(wrong_source("mul", "mul-own-operand", COURSE))
    done = run(tmp_path / "mine")
    assert "the reference's, each marked in a comment: mul," in done.output
    lines = (tmp_path / "mine" / "my_engine" / ADD).read_text().splitlines()
    mark = "    # from the reference: this piece is not yours yet"
    assert [lines[at + 1] for at, line in enumerate(lines) if line == mark] == [
        "    def __mul__(self, other: Value | float) -> Value:"
    ]
    monkeypatch.setenv("MINITORCH_LANG", "es")
    run(tmp_path / "mío", "--name", "mio")
    assert "# de la referencia: esta pieza aún no es tuya" in (tmp_path / "mío" / "mio" / ADD).read_text()
    assert (tmp_path / "mío" / "README.md").read_text(encoding="utf-8").startswith("# mio\n\nUn motor de autograd")


def test_what_is_there_already_is_left_as_it_is(folder, tmp_path):
    (tmp_path / "mine").mkdir()
    assert run(tmp_path / "mine").exit_code == 0  # an empty folder is taken
    (tmp_path / "mine" / "note.txt").write_text("keep me")
    before = sorted(tmp_path.rglob("*"))
    done = run(tmp_path / "mine")
    assert done.exit_code == 2
    assert "holds something already and is left as it is" in done.output
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ["my-engine", "class", "random", "numpy", "minitorch", "2fast", ""])
def test_a_name_that_python_could_not_import_is_refused_before_anything_is_written(folder, tmp_path, name):
    done = run(tmp_path / "mine", "--name", name)
    assert done.exit_code == 2
    assert f"{name!r} is no name for the package" in done.output
    assert not (tmp_path / "mine").exists()


def test_a_folder_that_cannot_be_written_is_told_in_one_line(folder, tmp_path):
    (tmp_path / "file").write_text("")
    done = run(tmp_path / "file" / "mine")
    assert done.exit_code == 2
    assert "cannot be written" in done.output


# -- the text of merged code -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", ENGINE, ids=lambda lesson: lesson.number)
def test_a_solution_alone_is_written_as_it_stands_but_for_what_earlier_lessons_give(lesson):
    parts = assembled.parts_of([each for each in ENGINE if each.order <= lesson.order], None, "en")
    text = written(parts[-1].code.tree, "", lesson.solution_source(), {})
    if not parts[-1].code.taken:
        assert text == lesson.solution_source()
    new = set(text.splitlines()) - set(lesson.solution_source().splitlines())
    assert [line for line in new if not re.match(r"class (\w+)\(\1[,)]", line)] == []  # a class that goes on


SOLUTION = '''"""A lesson."""
from __future__ import annotations

import math

# how far
FAR = 3


def given(x):
    return x + FAR


class Node:
    """A node."""

    size = 1

    def one(self):
        return given(1)

    # the other one
    @property
    def two(self):
        return math.sqrt(2)


def last(x):
    """What it does
    in two lines."""
    return Node().two
'''
TARGETS = ["Node.one", "Node.two", "last"]
OWN = {
    "untouched": SOLUTION,
    "comments": SOLUTION.replace("def last", "# mine\ndef last").replace(
        "        return given(1)", "        return 4  # !"
    ),
    "a helper": SOLUTION.replace("class Node:", "def helper():\n    return 1\n\n\nclass Node:"),
    "two spaces": "class Node:\n  def one(self):\n    return 1\n\n  two = 2\n\ndef last(x): return 1\n",
    "one line": "x = 1; y = 2\nclass Node: pass\nlast = lambda x: x\n",
    "no last": "class Node:\n    two = one = None\n",
    "a form feed": SOLUTION.replace("class Node:", "\f\nclass Node:"),
    "windows": SOLUTION.replace("\n", "\r\n"),
    "empty": "",
}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(OWN)), st.sets(st.sampled_from(TARGETS)))
def test_merged_code_is_written_as_the_same_code(style, keep):
    merged = merging.merge(OWN[style], SOLUTION, targets=TARGETS, keep=keep)
    marked = {target: "borrowed" for target in TARGETS if target not in keep}
    text = written(merged.tree, OWN[style], SOLUTION, marked)
    assert ast.dump(ast.parse(text)) == ast.dump(merged.tree)
    assert text.count("# borrowed") + text.count(": borrowed") >= len(marked)


def test_the_learners_comments_stay_beside_what_is_replaced():
    merged = merging.merge(OWN["comments"], SOLUTION, targets=TARGETS, keep=["Node.one"])
    text = written(merged.tree, OWN["comments"], SOLUTION, {"last": "borrowed"})
    assert "        return 4  # !\n" in text
    assert "# borrowed\ndef last(x):\n" in text
