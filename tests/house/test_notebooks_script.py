"""scripts/notebooks.py: the faults that it sees in a notebook. Most of normalising is tested with `publish`."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("notebooks_script", ROOT / "scripts" / "notebooks.py")
script = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(script)


@pytest.fixture
def noisy():
    """Return a notebook with everything in it that differs from run to run."""
    live = {
        "application/vnd.jupyter.widget-view+json": {"model_id": "1f2e"},
        "image/svg+xml": "<svg/>",
        "text/plain": "a graph",
    }
    outputs = [
        new_output("stream", name="stdout", text="one\n"),
        new_output("stream", name="stdout", text="two\n"),
        new_output("execute_result", data=live, execution_count=17, metadata={"isolated": True}),
    ]
    code = new_code_cell("print('one')", outputs=outputs, execution_count=17)
    code.metadata = nbformat.from_dict({"execution": {"iopub.status.idle": "12:00"}, "tags": ["keep"]})
    metadata = {"widgets": {"state": {}}, "language_info": {"name": "python", "version": "3.11.7"}}
    return new_notebook(
        cells=[new_markdown_cell("## What is *x*?"), code, new_code_cell("1", execution_count=18)], metadata=metadata
    )


def test_a_normal_notebook_has_no_fault(noisy, tmp_path):
    (tmp_path / "x.ipynb").write_text(script.as_text(script.normalise(noisy)), encoding="utf-8")
    assert script.faults(tmp_path / "x.ipynb") == []


def test_a_cell_that_never_ran_is_a_fault(noisy, tmp_path):
    notebook = script.normalise(noisy)
    notebook["cells"][2]["execution_count"] = None
    (tmp_path / "x.ipynb").write_text(script.as_text(notebook), encoding="utf-8")
    assert script.faults(tmp_path / "x.ipynb") == ["x.ipynb: code cell 2 was never run"]


def test_a_warning_on_stderr_is_a_fault(noisy, tmp_path):
    noisy.cells[2].outputs = [new_output("stream", name="stderr", text="careful")]
    (tmp_path / "x.ipynb").write_text(script.as_text(script.normalise(noisy)), encoding="utf-8")
    assert script.faults(tmp_path / "x.ipynb") == ["x.ipynb: code cell 2 wrote to stderr"]


def test_noise_is_a_fault_that_says_what_to_run(noisy, tmp_path):
    noisy.cells[2].execution_count = 25
    (tmp_path / "x.ipynb").write_text(nbformat.writes(noisy), encoding="utf-8")
    assert script.faults(tmp_path / "x.ipynb") == [
        "x.ipynb: not normalised; run: python scripts/notebooks.py run x.ipynb"
    ]


def test_no_notebook_at_all_is_not_a_pass(capsys):
    assert script.check([]) == 1
    assert "there is no notebook" in capsys.readouterr().out


# ---------------------------------------------------------------------------------- cells with verdicts


@pytest.mark.parametrize(
    "source",
    [
        'check("add")',
        'before = 1\ncheck("add", "mul")',
        'check_button("add")',
        "status()",
        'hint("add")',
        'engine("mine", upto="04")',
        'mine = engine("mine", upto="04")\nmine',
        "mine = engine()\nmine",
        'print(engine(upto="04"))',
        'mine = engine("mine")\nprint("pieces:", len(mine.pieces))',
    ],
)
def test_a_cell_that_shows_what_the_learner_has_solved_gets_a_tag(source):
    assert tags(source) == ["verdict"]


@pytest.mark.parametrize(
    "source",
    [
        'quiz("two_paths")',
        'hint("add", step=1)',
        'mine = engine("mine", upto="04")',
        'mine = engine("mine")\nout = mine.Value(2.0)\nprint(out.data)',
        'engine("reference", upto="04")',
        'print("check(add) judges the file")',
        "%matplotlib inline",
        "",
    ],
)
def test_every_other_cell_is_compared_strictly(source):
    assert tags(source) == []


def tags(source: str) -> list[str]:
    """Return the tags of a notebook's only cell after normalising."""
    return script.normalise(new_notebook(cells=[new_code_cell(source)]))["cells"][0]["metadata"].get("tags", [])


def test_an_engine_is_known_in_later_cells_and_a_tag_set_by_hand_is_kept():
    own = new_code_cell("mystery()")
    own.metadata["tags"] = ["verdict"]
    cells = [new_code_cell('mine = engine("mine")'), new_code_cell("mine"), new_code_cell("other"), own]
    clean = script.normalise(new_notebook(cells=cells))
    assert [cell["metadata"].get("tags", []) for cell in clean["cells"]] == [[], ["verdict"], [], ["verdict"]]
    assert script.normalise(clean) == clean


# ------------------------------------------------------------------------------------------ the modes

FIRST = "from minitorch.course import check, status\n\nprint('ready')"
ANSWER = """
import importlib.util, os
path = os.environ["MINITORCH_COURSE"] + "/exercises/lesson_00_start_here.py"
spec = importlib.util.spec_from_file_location("lesson_00_start_here", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
try:
    print(module.hello_gradient(2.0))
except NotImplementedError:
    print("not started")
"""


def committed(path: Path, *sources: str) -> Path:
    """Write a notebook as `run` does."""
    path.write_text(script.as_text(new_notebook(cells=[new_code_cell(source) for source in sources])), encoding="utf-8")
    with script.course_folder() as env:
        notebook = script.normalise(script.execute(path, env))
    path.write_text(script.as_text(notebook), encoding="utf-8")
    (path.parent / "conftest.py").write_bytes((ROOT / "notebooks" / "conftest.py").read_bytes())
    return path


@pytest.mark.gate
def test_with_the_solutions_laid_in_a_verdict_says_passed_and_the_rest_is_as_committed(tmp_path):
    path = committed(tmp_path / "x.ipynb", FIRST, 'check("hello_gradient")', ANSWER)
    assert "not started" in path.read_text(encoding="utf-8")
    said = script.solved(path)
    assert "1 failed, 2 passed" in said
    assert "Cell 2" in said
    assert script.in_disorder(path) == ""


@pytest.mark.gate
def test_a_notebook_on_an_own_engine_holds_solved_and_in_disorder(tmp_path):
    path = committed(
        tmp_path / "x.ipynb",
        "from minitorch.course import engine\n\nmine = engine('mine', upto='02')\nmine",
        "out = mine.Value(2.0) * mine.Value(3.0)\nmine.backward(out)\nprint([each.grad for each in out._prev])",
    )
    text = path.read_text(encoding="utf-8")
    assert "yours 0 · reference 10" in text
    assert "[3.0, 2.0]" in text
    assert script.solved(path) == script.in_disorder(path) == ""


@pytest.mark.gate
def test_in_disorder_a_cell_that_uses_the_learners_file_unprotected_is_seen(tmp_path):
    file = "os.environ['MINITORCH_COURSE'] + '/exercises/lesson_01_scalar_nodes.py'"
    path = committed(tmp_path / "x.ipynb", f"import os\nexec(open({file}).read())")
    assert "SyntaxError" in script.in_disorder(path)


@pytest.mark.parametrize(
    ("name", "modes"),
    [
        ("02_backward.ipynb", ["stubs", "solved", "disorder"]),
        ("03_is_it_right.ipynb", ["stubs", "solved"]),
        ("es/02_backward.ipynb", ["solved", "spanish"]),
        ("es/03_is_it_right.ipynb", ["solved", "disorder", "spanish"]),
    ],
)
def test_a_notebook_runs_on_stubs_in_its_own_language_and_each_lesson_once_in_disorder(name, modes):
    assert [mode for mode in script.RUNS if script.belongs(ROOT / "notebooks" / name, mode)] == modes


@pytest.mark.gate
def test_the_disorder_is_of_every_kind(tmp_path):
    from minitorch.course import manifest
    from minitorch.course.files.stubs import write_stubs
    from minitorch.course.judging.judge import judge_source
    from minitorch.course.judging.verdict import Kind

    write_stubs(tmp_path)
    script.lay_disorder(tmp_path)
    lessons = manifest.load().lessons
    kinds = []
    for lesson in lessons:
        path = tmp_path / lesson.file_name
        if path.exists():
            kinds.append({verdict.kind for verdict in judge_source(lesson, path.read_text(encoding="utf-8")).values()})
        else:
            kinds.append(set())
    assert Kind.WRONG in kinds[0]
    assert kinds[1] == {Kind.ERROR}
    assert kinds[2] == set()


def test_the_copy_for_a_solved_lesson_knows_no_later_one():
    with script.course_folder(script.lay_solutions, "01") as env:
        say = "print(manifest.__file__, *[lesson.number for lesson in manifest.load().lessons])"
        code = f"from minitorch.course import manifest; {say}"
        done = subprocess.run([sys.executable, "-P", "-c", code], env=env, capture_output=True, text=True, check=True)
        where, *numbers = done.stdout.split()
        assert Path(where).is_relative_to(env["PYTHONPATH"])
        assert numbers == ["00", "01"]
        answers = sorted(path.name[:9] for path in (Path(env["MINITORCH_COURSE"]) / "exercises").glob("lesson_*.py"))
        assert answers == ["lesson_00", "lesson_01"]


@pytest.mark.parametrize(
    ("source", "dealt"),
    [
        ('review("08")', True),
        ('from minitorch.course import review\n\nreview("08")', True),
        ('found("09", "?")', True),
        ('rules = planted("09")', False),  # it shows nothing
        ('planted("09")', True),
        ('quiz("review")', False),
        ("%run planted", False),
    ],
)
def test_a_cell_that_shows_what_each_learner_is_dealt_is_tagged(source, dealt):
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [code_cell(source)]}
    (cell,) = script.normalise(notebook)["cells"]
    assert (script.DEALT in cell["metadata"].get("tags", ())) is dealt


def code_cell(source: str) -> dict:
    return {"cell_type": "code", "id": "a", "metadata": {}, "source": source, "outputs": [], "execution_count": 1}
