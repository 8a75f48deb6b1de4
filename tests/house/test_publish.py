"""Notebooks are committed without what differs between two runs."""

import copy

import nbformat
import pytest
from publish import WIDGET_VIEW, as_text, normalise

VIEW = {"model_id": "7f3c", "version_major": 2, "version_minor": 0}


def notebook():
    """What a session of JupyterLab leaves behind."""
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"display_name": "my env", "language": "python", "name": "my-env"},
            "language_info": {"name": "python", "version": "3.11.7"},
            "widgets": {"application/vnd.jupyter.widget-state+json": {"state": {"7f3c": {}}}},
        },
        "cells": [
            {"cell_type": "code", "id": "x1", "metadata": {}, "execution_count": 9, "outputs": [], "source": "1"},
            {"cell_type": "markdown", "id": "x2", "metadata": {"jp": 1}, "source": "# Señales: x · y\nText."},
            {
                "cell_type": "code",
                "id": "x3",
                "metadata": {"tags": ["predict"], "execution": {"iopub.status.idle": "2025-01-01"}},
                "execution_count": 17,
                "source": ["viz.step(loss)\n", "2"],
                "outputs": [
                    {"output_type": "stream", "name": "stdout", "text": "a\nb"},
                    {"output_type": "stream", "name": "stdout", "text": ["c\n"]},
                    {"output_type": "stream", "name": "stderr", "text": ["d\n"]},
                    {
                        "output_type": "execute_result",
                        "execution_count": 17,
                        "metadata": {"noise": 1},
                        "data": {WIDGET_VIEW: VIEW, "image/svg+xml": "<svg>\n</svg>", "text/plain": "x\ny"},
                    },
                ],
            },
            {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": []},
            {"cell_type": "markdown", "id": "x4", "metadata": {}, "source": "# Señales: x · y"},
            {"cell_type": "markdown", "id": "x5", "metadata": {}, "source": "## ¿?"},
        ],
    }


def test_the_widget_goes_and_the_picture_stays():
    clean = normalise(notebook())
    result = clean["cells"][2]["outputs"][-1]
    assert result["data"] == {"image/svg+xml": ["<svg>\n", "</svg>"], "text/plain": ["x\n", "y"]}
    assert result["metadata"] == {}
    assert "widgets" not in clean["metadata"]
    assert "widget" not in as_text(clean)


def test_a_widget_with_nothing_beside_it_stays_with_its_state():
    before = notebook()
    before["cells"][2]["outputs"][-1]["data"] = {WIDGET_VIEW: VIEW}
    clean = normalise(before)
    assert clean["cells"][2]["outputs"][-1]["data"] == {WIDGET_VIEW: VIEW}
    assert clean["metadata"]["widgets"] == before["metadata"]["widgets"]


def test_cells_are_named_after_their_heading_and_no_name_comes_twice():
    assert [cell["id"] for cell in normalise(notebook())["cells"]] == [
        "top-1",
        "senales-x-y-1",
        "senales-x-y-2",
        "senales-x-y-3",
        "senales-x-y-4",
        "section-1",
    ]


def test_cells_that_were_run_are_counted_from_1_and_others_stay_unrun():
    cells = normalise(notebook())["cells"]
    assert [cell["execution_count"] for cell in cells if cell["cell_type"] == "code"] == [1, 2, None]
    assert cells[2]["outputs"][-1]["execution_count"] == 2


def test_pieces_of_a_stream_are_joined():
    outputs = normalise(notebook())["cells"][2]["outputs"]
    assert [(each["name"], each["text"]) for each in outputs[:2]] == [("stdout", ["a\n", "bc\n"]), ("stderr", ["d\n"])]


def test_metadata_that_no_reader_sees_goes():
    clean = normalise(notebook())
    assert [cell["metadata"] for cell in clean["cells"]] == [{}, {}, {"tags": ["predict"]}, {}, {}, {}]
    assert clean["metadata"]["kernelspec"]["name"] == "python3"
    assert "version" not in clean["metadata"]["language_info"]


def test_doing_it_twice_changes_nothing_and_the_argument_is_left_alone():
    before = notebook()
    kept = copy.deepcopy(before)
    clean = normalise(before)
    assert before == kept
    assert normalise(clean) == clean


def test_the_result_is_a_valid_notebook_written_as_jupyter_writes_it():
    clean = normalise(notebook())
    nbformat.validate(clean)
    read = nbformat.reads(as_text(clean), as_version=4)
    assert nbformat.writes(read, version=4) + "\n" == as_text(clean)


@pytest.mark.parametrize("thing", [{}, {"nbformat": 3, "cells": []}, {"nbformat": 4}])
def test_what_is_no_notebook_is_refused(thing):
    with pytest.raises(ValueError, match="no notebook of format 4"):
        normalise(thing)
