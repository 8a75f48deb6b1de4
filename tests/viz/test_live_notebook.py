"""A board in a kernel: while a training runs it is a widget, and what the notebook keeps of it is a document."""

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = [pytest.mark.gate, pytest.mark.timeout(1800)]

TRAINING = """
from minitorch import Tensor, optim, viz
w = Tensor([1.0, -2.0], requires_grad=True)
optimizer = optim.SGD([w], lr=0.1)
with viz.live({"w": w}, optimizer) as board:
    for step in range(9):
        optimizer.zero_grad()
        loss = (w * w).sum()
        loss.backward()
        optimizer.step()
        board.loss(loss)
        STEP
"""
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def outputs(*sources):
    """What the last of these cells shows, and all that it was sent on the way."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    client = NotebookClient(
        nbformat.v4.new_notebook(cells=cells), timeout=600, kernel_name="python3", allow_errors=True
    )
    sent = []
    on_message = client.process_message

    def process(message, cell, index):
        if index == len(sources) - 1:
            sent.append((message["msg_type"], message["content"]))
        return on_message(message, cell, index)

    client.process_message = process
    client.execute()
    return cells[-1].outputs, sent


def test_it_lives_as_a_widget_and_is_kept_as_a_document():
    kept, sent = outputs(TRAINING.replace("STEP", "pass"))
    (shown,) = kept
    assert set(shown.data) == {"text/html", "text/plain"}
    assert shown.data["text/plain"].startswith("Training\n9 steps.")
    assert 'sandbox="allow-scripts"' in shown.data["text/html"]
    assert "<img" in shown.data["text/html"]
    assert len(shown.data["text/html"]) < 60_000
    shows = [content["data"] for kind, content in sent if kind in ("display_data", "update_display_data")]
    assert [WIDGET_VIEW in data for data in shows] == [True, False]
    frames = [content for kind, content in sent if kind == "comm_msg"]
    assert len(frames) >= 2, "the first step and the last one are sent"


def test_an_interrupted_cell_keeps_the_whole_board():
    kept, _ = outputs(TRAINING.replace("STEP", "if step == 4: raise KeyboardInterrupt"))
    assert [each.output_type for each in kept] == ["display_data", "error"]
    assert kept[0].data["text/plain"].startswith("Training\nInterrupted after 5 steps.")
    assert kept[1].ename == "KeyboardInterrupt"


def test_without_anywidget_one_sentence_is_said_and_the_document_comes_all_the_same():
    kept, _ = outputs("import sys; sys.modules['anywidget'] = None", TRAINING.replace("STEP", "pass"))
    said = [each.text for each in kept if each.output_type == "stream"]
    assert len(said) == 1
    assert said[0].startswith("viz.live: the board comes when training has ended; to see it move, install anywidget")
    (shown,) = [each for each in kept if each.output_type == "display_data"]
    assert shown.data["text/plain"].startswith("Training\n9 steps.")
