"""scripts/notebooks.py: the faults that it sees in a notebook. Normalising itself is tested with viz/publish.py."""

import importlib.util
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
