"""Pictures in a language whose every line is a third longer: in a browser each word stands inside its picture."""

from __future__ import annotations

import numpy as np
import pytest
from pseudo_language import NAME, lay_out

import minitorch as mt
from minitorch import viz
from minitorch.scalar import Value

pytestmark = pytest.mark.browser
X = mt.tensor(np.arange(6.0).reshape(2, 3), requires_grad=True)
W = mt.tensor(np.ones((3, 2)), requires_grad=True)


def loss() -> mt.Tensor:
    return ((X @ W).relu() * 2).sum()


def twice(p: Value) -> Value:
    return p + p * p


PICTURES = {
    "graph": lambda: viz.graph(loss()),
    "step": lambda: viz.step(loss()),
    "shapes": lambda: viz.shapes(loss()),
    "memory": lambda: viz.memory(loss),
    "unbroadcast": lambda: viz.unbroadcast((2, 3), (3,)),
    "getitem": lambda: viz.getitem((3,), [0, 2, 0]),
    "reshape": lambda: viz.reshape((2, 3), (3, 2)),
    "boundary": lambda: viz.boundary(lambda places: places[:, 0] - 1, [[0, 0], [2, 1], [0.5, 1]], [-1, 1, 1]),
    "fan_out": lambda: viz.fan_out(twice(Value(2.0, label="x") * 3)),
    "nudge": lambda: viz.nudge(Value(2.0, label="x") * 3 + 1),
    "curve": lambda: viz.curve([3.0, 2.0, 1.0]),
}
# Each text of a drawing and how far it stands out of it, and each text of the page that its element cuts off.
OUTSIDE = """() => {
  const cut = [];
  for (const text of document.querySelectorAll('svg text')) {
    const own = text.getBoundingClientRect(), all = text.ownerSVGElement.getBoundingClientRect();
    if (own.width && (own.left < all.left - 1 || own.right > all.right + 1 || own.bottom > all.bottom + 1))
      cut.push(text.textContent);
  }
  for (const each of document.querySelectorAll('body *')) {
    const looks = getComputedStyle(each);
    const hides = ['hidden', 'clip'].includes(looks.overflowX);
    if (hides && each.innerText && each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1)
      cut.push(each.innerText);
  }
  return cut;
}"""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return lay_out(tmp_path_factory.mktemp("languages"))


def cut_in(browser, html: str) -> list[str]:
    page = browser.new_page(viewport={"width": 900, "height": 900})
    page.set_content(html)
    page.wait_for_timeout(300)
    found = page.evaluate(OUTSIDE)
    page.close()
    return found


@pytest.mark.parametrize("name", PICTURES)
def test_no_word_is_cut(browser, home, monkeypatch, name):
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(home))
    monkeypatch.setenv("MINITORCH_LANG", NAME)
    picture = PICTURES[name]()
    drawn = picture.svg()
    assert "⟦" in drawn
    assert cut_in(browser, f"<body>{drawn}</body>") == []
    assert cut_in(browser, picture._repr_mimebundle_()["text/html"]) == []


def test_a_word_that_is_cut_is_found(browser):
    text = '<svg width="20" height="20"><text x="0" y="10">much too long</text></svg>'
    box = '<div style="overflow:hidden;width:20px;white-space:nowrap">much too long</div>'
    assert cut_in(browser, f"<body>{text}{box}</body>") == ["much too long", "much too long"]
