"""What somebody saw who put graphs through the pictures that nobody had drawn before: nothing lies on anything else."""

import itertools
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import minitorch as mt
from minitorch import Tensor, nn, viz
from minitorch.language import gettext
from minitorch.nn import functional
from minitorch.scalar import Value
from minitorch.viz.drawing import svg

HALO = 4  # pixels: the paper around a letter, which covers what is under it
SPACE = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def page(browser):
    opened = browser.new_page(viewport={"width": 800, "height": 600})
    yield opened
    opened.close()


def tensor(*numbers):
    return Tensor(np.array(numbers, np.float32), requires_grad=True)


def nan_at_the_end():
    x, w = tensor(0.0, 1.0, -1.0), tensor(2.0, 3.0, 4.0)
    with np.errstate(all="ignore"):
        loss = (mt.log(x * w) * w).sum()
        loss.backward()
    return viz.graph(loss, names={"x": x, "w": w, "loss": loss})


class UNet(nn.Module):
    """Down, across and up again: a skip around everything in the middle."""

    def __init__(self):
        super().__init__()
        self.down, self.bottom = nn.Conv2d(1, 4, 3, padding=1), nn.Conv2d(4, 8, 3, padding=1)
        self.pool, self.up = nn.MaxPool2d(2), nn.Upsample(scale_factor=2)
        self.head = nn.Conv2d(12, 1, 1)

    def forward(self, x):
        across = functional.relu(self.down(x))
        below = functional.relu(self.bottom(self.pool(across)))
        return self.head(mt.cat([self.up(below), across], 1))


def unet():
    model, rng = UNet(), np.random.default_rng(0)
    for parameter in model.parameters():
        parameter.data[...] = rng.normal(size=parameter.shape) / 3
    x = Tensor(rng.normal(size=(1, 1, 8, 8)).astype(np.float32))
    return viz.step(functional.mse_loss(model(x), Tensor(np.zeros_like(x.data))) / 1000, model=model, names={"x": x})


def a_low_box_beside_a_high_one():
    x = tensor([0.123, 0.456], [0.789, 0.321])
    y = x.exp()
    return viz.graph((y - 0.5).sum(), names={"x": x, "y": y})


def spots(drawn, kind):
    """Left, top, right and bottom of every rectangle of a class."""
    found = re.findall(rf'<rect class="{kind}" x="(-?\d+)" y="(-?\d+)" width="(\d+)" height="(\d+)"', drawn)
    return [(int(x), int(y), int(x) + int(w), int(y) + int(h)) for x, y, w, h in found]


def test_a_caption_stands_below_what_is_written_on_the_lowest_box():
    drawn = nan_at_the_end().svg()
    caption = next(each for each in ET.fromstring(drawn).iter(f"{SPACE}text") if each.get("class") == "f")
    assert max(bottom for *_, bottom in spots(drawn, "np")) < int(caption.get("y")) - 11


def test_a_pass_of_one_step_is_not_said_to_have_several():
    x = Value(3.0, label="x")
    assert "After the one step" in viz.step(x).svg()
    assert "steps" not in viz.step(x)._told()


def test_no_line_of_a_caption_ends_in_a_sign():
    told = gettext("After all {count} steps of the backward pass. = sets a gradient, += adds to it.", count=5)
    for width in range(200, 700, 5):
        assert not [line for line in svg.wrapped(told, width) if line.endswith("=")]


LABELS = """() => [...document.querySelectorAll('.m text')].map(text => {
  const {x, y, width, height} = text.getBBox();
  return [text.textContent, x, y, width, height];
})"""

ON_BOXES = """() => {
  const boxes = [...document.querySelectorAll('g[transform^="translate("] > rect:first-of-type')].map(rect => {
    const {x, y, width, height} = rect.getBBox(), [dx, dy] = rect.parentNode.getAttribute('transform').match(/-?\\d+/g);
    return [x + Number(dx) - 1, y + Number(dy) - 1, width + 2, height + 2];
  });
  const found = [];
  document.querySelectorAll('.e > path').forEach((path, number) => {
    for (let at = 0; at <= path.getTotalLength(); at += 1) {
      const {x, y} = path.getPointAtLength(at);
      if (boxes.some(([left, top, wide, high]) => x > left && x < left + wide && y > top && y < top + high))
        return found.push(number);
    }
  });
  return found;
}"""


@pytest.mark.browser
def test_what_comes_along_the_arrows_of_one_operation_can_be_told_apart(page):
    page.set_content(unet().svg())
    labels = page.evaluate(LABELS)
    assert any(said.startswith("= norm") for said, *_ in labels)
    for (one, x, y, w, h), (other, x2, y2, w2, h2) in itertools.combinations(labels, 2):
        near = x + w + HALO > x2 and x2 + w2 + HALO > x and y + h > y2 and y2 + h2 > y
        assert not near, (one, other)


@pytest.mark.browser
@pytest.mark.parametrize("maker", [unet, nan_at_the_end, a_low_box_beside_a_high_one])
def test_no_arrow_runs_over_a_box(page, maker):
    page.set_content(maker().svg())
    assert page.evaluate(ON_BOXES) == []


def test_a_player_is_as_wide_as_what_it_has_to_show():
    narrow = viz.step(Value(2.0, label="x") * 3)
    wide = viz.step(mt.cat([tensor(float(place)) for place in range(20)], 0).sum(), fold=False)
    drawn = int(re.search(r'width="(\d+)"', wide.svg())[1])
    widths = [int(re.search(r"max-width:(\d+)px", picture._page())[1]) for picture in (narrow, wide)]
    assert drawn > 2000
    assert widths[0] == 1100
    assert drawn <= widths[1] <= drawn + 100
    assert f'class="minitorch-player" lang="en" style="max-width:{widths[1]}px"' in wide._shown()


def test_a_film_of_a_wide_graph_may_use_a_wide_window():
    x = [Value(float(place), label=f"x{place}") for place in range(12)]
    film = viz.fan_out(sum((each * each for each in x), Value(0.0)))
    widest = max(reel.width for reel in film._reels)
    assert widest > 1100
    assert widest <= film._player().width <= widest + 10


def test_the_keys_of_a_film_are_those_that_do_something():
    x = Value(2.0, label="x")
    films = [viz.fan_out(x * x), viz.unbroadcast(np.ones((4, 3)), (3,))]
    assert {len(film._reels) > 1 for film in films} == {True, False}
    for film in films:
        keys = film._player().state["film"]["keys"]
        assert ("another picture" in keys) == (len(film._reels) > 1)
        assert ("one step" in keys) == any(len(reel.frames) > 1 for reel in film._reels)


def test_of_two_negative_gradients_none_is_called_the_larger_one():
    x, y = Value(2.0, label="x"), Value(-3.0, label="y")
    said = viz.fan_out(x * y + x).svg()
    assert "✗ should be −2" in said
    assert "too large" not in said


def test_a_name_from_right_to_left_leaves_what_follows_it_in_its_place():
    name = "שלום"
    picture = viz.graph(Value(2.0, label=name) * 3)
    assert picture.graph.nodes[0].label == f"{name}\N{LEFT-TO-RIGHT MARK}"
    assert viz.graph(Value(2.0, label="µ") * 3).graph.nodes[0].label == "µ"


def test_what_is_written_on_the_edge_of_a_compared_box_is_no_wider_and_in_the_picture():
    other = Value(3.0, label="x")
    x, w = tensor(0.0, 1.0, -1.0), tensor(2.0, 3.0, 4.0)
    with np.errstate(all="ignore"):
        loss = (mt.log(x * w) * w).sum()
        loss.backward()
    wrong = other * 2
    for picture in (viz.compare(loss, loss), viz.compare(wrong, other * 2 + other)):
        drawn = picture.svg()
        pills = spots(drawn, "np")
        rings = sorted((right - left) for kind in ("nn", "n2") for left, _, right, _ in spots(drawn, kind))
        height = int(re.search(r'height="(\d+)"', drawn)[1])
        assert pills
        assert max(right - left for left, _, right, _ in pills) <= rings[-1]
        shifts = [int(each) for each in re.findall(r'<g transform="translate\(\d+ (\d+)\)"><text class="h"', drawn)]
        assert max(shifts) + 34 + max(bottom for *_, bottom in pills) <= height - 6
