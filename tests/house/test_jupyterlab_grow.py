"""A graph that grows in JupyterLab while the lecturer's cells run: what stands keeps its place beside the rest."""

from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from jupyterlab_page import PATIENCE, OpenNotebook, jupyterlab

from minitorch.course.setup.workspace import init_course

pytestmark = [pytest.mark.gate, pytest.mark.browser, pytest.mark.timeout(1800)]

CELLS = (
    "from minitorch import viz\nfrom minitorch.scalar import Value\nseen = viz.grow()",
    "x = Value(2.0, label='x')\ny = Value(3.0, label='y')",
    "p = x * y\np.label = 'p'",
    "root = p + x\nroot.label = 'root'",
    "root.backward()",
    "_ = seen.stop()",
)
BOXES = """() => Object.fromEntries([...document.querySelectorAll('.jp-OutputArea *')].filter(each => each.shadowRoot)
  .flatMap(each => [...each.shadowRoot.querySelectorAll('.stage > svg > g > g[transform]')]).map(box => {
    const { x, y } = box.querySelector('rect').getBoundingClientRect();
    const corner = box.getRootNode().querySelector('.root').getBoundingClientRect();
    return [box.querySelector('title').textContent.split(' ')[0], [Math.round(x - corner.x), Math.round(y - corner.y)]];
  }))"""


@pytest.fixture(scope="module")
def notebook(browser, tmp_path_factory):
    home = tmp_path_factory.mktemp("grow")
    course = home / "course"
    init_course(course)
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), course / "work" / "grow.ipynb")
    with jupyterlab(course, home / "stderr") as address:
        page = browser.new_page(viewport={"width": 1920, "height": 1200})
        page.set_default_timeout(PATIENCE)
        yield OpenNotebook(page, address, "grow.ipynb"), Path(home)
        page.close()


def test_cells_make_it_grow_and_nothing_moves(notebook):
    opened, home = notebook
    stages = []
    for source, boxes in (("viz.grow()", 0), ("x = Value", 2), ("p = x * y", 3), ("root = p + x", 4)):
        opened.run(opened.cell(source))
        opened.page.wait_for_function(f"Object.keys(({BOXES})()).length === {boxes}")
        opened.page.wait_for_timeout(1500)
        stages.append(opened.page.evaluate(BOXES))
    opened.page.screenshot(path=home / "grown.png")
    assert [set(stage) for stage in stages] == [set(), {"x", "y"}, {"x", "y", "p"}, {"x", "y", "p", "root"}]
    for before, after in pairwise(stages):  # the view may follow what is new; in it nothing moves
        assert len({(after[name][0] - x, after[name][1] - y) for name, (x, y) in before.items()}) <= 1
    opened.run(opened.cell("root.backward()"))
    opened.page.wait_for_timeout(1500)
    assert opened.page.evaluate(BOXES).keys() == stages[-1].keys()
    opened.run(opened.cell("seen.stop()"))
    frame = opened.page.frame_locator(".jp-OutputArea iframe")
    frame.locator("footer span").first.wait_for()
    assert frame.locator("footer span").first.inner_text().startswith("1 / 1 · 1/4")
    assert opened.faults() == []
