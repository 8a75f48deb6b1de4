"""How `viz.compare` shows what it has found: forms, files, looks."""

import itertools
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from closure_engine import Engine, Tensor, layer, layer_by_minitorch
from viz_pictures import odd_labels, random_values

from minitorch import viz
from minitorch.viz.drawing import palette

GOLDEN = Path(__file__).with_name("golden")
SPACE = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return ["".join(each.itertext()) for each in ET.fromstring(svg).iter(f"{SPACE}text")]


def against_minitorch(engine=None):
    reference, names = layer_by_minitorch()
    return viz.compare(layer(engine)[0], reference, reference_names=names)


def difference_of_two(in_one_step):
    engine = Engine()
    x, y = Tensor([0.0, 1.0, 2.0], True, label="x"), Tensor([1.0, 1.0, 1.0], True, label="y")
    d = engine.sub(x, y) if in_one_step else engine.add(x, engine.neg(y))
    loss = engine.mean(engine.mul(d, d))
    loss.backward()
    return loss


def golden_forms():
    wrong = against_minitorch(Engine(fit=lambda g, shape: g))
    extra = viz.compare(difference_of_two(False), difference_of_two(True))
    return {
        "compare_unbroadcast.txt": wrong.text() + "\n",
        "compare_unbroadcast.svg": wrong.svg(),
        "compare_extra.txt": extra.text() + "\n",
        "compare_extra.svg": extra.svg(),
    }


@pytest.mark.parametrize(
    "name", [f"compare_{which}.{end}" for which in ("unbroadcast", "extra") for end in ("txt", "svg")]
)
def test_pictures_are_the_golden_ones(name):
    """After a change that is meant: MINITORCH_WRITE_GOLDEN=1 pytest tests/viz, then look at the difference."""
    form = golden_forms()[name]
    assert form == golden_forms()[name]
    if os.environ.get("MINITORCH_WRITE_GOLDEN"):
        (GOLDEN / name).write_text(form, encoding="utf-8")
    assert form == (GOLDEN / name).read_text(encoding="utf-8")


def test_the_first_difference_alone_has_the_thick_ring_and_its_name_on_both_sides():
    found = viz.compare(difference_of_two(False), difference_of_two(True))
    svg = found.svg()
    assert texts(svg).count("≠ first difference") == 2
    assert texts(svg).count("≠") == 2
    assert len(re.findall(r'<rect class="nn" ', svg)) == 2
    assert texts(svg).count("not there") == 1
    assert {"mine", "reference"} <= set(texts(svg))


def test_a_node_stands_at_the_same_spot_on_both_sides():
    svg = against_minitorch().svg()
    panels = ET.fromstring(svg).findall(f"{SPACE}g")
    spots = [
        [each.get("transform") for each in panel.findall(f"{SPACE}g/{SPACE}g") if each.get("transform")]
        for panel in panels
    ]
    assert len(spots[0]) == 8
    assert spots[0] == spots[1]


def test_equal_graphs_have_no_ring_and_say_so():
    svg = against_minitorch().svg()
    assert "≠" not in svg.split("</style>")[1]
    assert "The same, 7 nodes, 7 gradients." in texts(svg)


def test_the_words_of_the_picture_say_what_it_shows():
    found = viz.compare(difference_of_two(False), difference_of_two(True))
    bundle = found._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/plain"] == repr(found) == found.text()
    assert 'alt="My graph against the reference. First difference: v2 is made by + here' in bundle["text/html"]
    assert "Also: v1 (neg) is extra here" in bundle["text/html"]
    tree = ET.fromstring(found.svg())
    assert tree.get("aria-labelledby").split() == [tree.find(f"{SPACE}{part}").get("id") for part in ("title", "desc")]
    assert "v1 (neg) is extra here" in tree.find(f"{SPACE}desc").text


def test_labels_are_escaped():
    one, _ = odd_labels()
    other, _ = odd_labels()
    one.backward()
    one.grad = 2.0
    found = viz.compare(one, other)
    for form in (found.svg(), found._repr_mimebundle_()["text/html"]):
        assert "<script" not in form
    ET.fromstring(found.svg())


def test_pictures_are_written_as_the_name_says(tmp_path):
    found = against_minitorch()
    assert found.save(tmp_path / "a.svg").read_text(encoding="utf-8") == found.svg()
    assert found.save(tmp_path / "a.txt").read_text(encoding="utf-8") == found.text() + "\n"
    page = found.save(tmp_path / "a.html").read_text(encoding="utf-8")
    assert found.html(tmp_path / "b.html").read_text(encoding="utf-8") == page
    with pytest.raises(ValueError, match=r"cannot write a picture as '\.gif': use \.svg, .* \.txt, \.gv"):
        found.save(tmp_path / "a.gif")


def test_a_comparison_holds_no_tensors():
    import gc
    import weakref

    mine, tensors = layer()
    reference, names = layer_by_minitorch()
    found = viz.compare(mine, reference, reference_names=names)
    gone = [weakref.ref(each) for each in (mine, reference, *tensors.values(), *names.values())]
    del mine, tensors, reference, names
    gc.collect()
    assert not any(each() is not None for each in gone)
    assert found.same


def test_every_style_rule_is_the_pictures_own():
    style = ET.fromstring(against_minitorch().svg()).find(f"{SPACE}style").text
    parts = re.findall(r"([^{}]+)\{[^{}]*\}", style.replace("@media(prefers-color-scheme:dark){", ""))
    selectors = [selector.strip() for rule in parts for selector in rule.split(",")]
    assert selectors
    assert all(selector.startswith("#mtc") for selector in selectors)


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [7, 60])
def test_every_text_can_be_read_and_lies_in_the_picture(browser, tmp_path, theme, size):
    if size == 7:
        found = against_minitorch(Engine(fit=lambda g, shape: g))
    else:
        one, other = random_values(size), random_values(size)
        one.backward()
        next(node for node in [*one._prev, one] if node._prev).grad = 7.0
        found = viz.compare(one, other)
    path = found.save(tmp_path / "picture.svg")
    page = browser.new_page(color_scheme=theme)
    page.goto(path.as_uri())
    boxes = page.evaluate("""() => {
      const all = [...document.querySelectorAll("text")];
      const whole = document.documentElement.getBoundingClientRect();
      return [whole, ...all.map(each => each.getBoundingClientRect())].map(b => [b.left, b.top, b.right, b.bottom]);
    }""")
    ground = page.evaluate("getComputedStyle(document.querySelector('.p')).fill")
    inks = page.evaluate("[...document.querySelectorAll('.f0,.h,.nt')].map(each => getComputedStyle(each).fill)")
    page.close()
    whole, rest = boxes[0], boxes[1:]
    assert all(left >= whole[0] and top >= whole[1] and right <= whole[2] and bottom <= whole[3]
               for left, top, right, bottom in rest)  # fmt: skip
    pills = [box for box in rest if box[3] - box[1] > 0]
    assert not [pair for pair in itertools.combinations(pills, 2) if _overlap(*pair)]
    colours = palette.LIGHT if theme == "light" else palette.DARK
    assert ground == f"rgb{_rgb(colours['paper'])}"
    assert set(inks) == {f"rgb{_rgb(colours[name])}" for name in ("ink", "on-back")}


def _overlap(one, other):
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > 2 and high > 4


def _rgb(colour):
    return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))


def test_the_operation_is_ringed_and_the_leaf_only_marked():
    mine, _ = layer(Engine(fit=lambda g, shape: g))
    reference, names = layer_by_minitorch()
    picture = viz.compare(mine, reference, reference_names=names)
    rings = re.findall(r'<rect class="(nn|n2)" x="(-?\d+)" y="(-?\d+)"', picture.svg())
    assert [kind for kind, *_ in rings] == ["nn", "n2"] * 2
    boxes = {box.node: box for box in picture._sides.layout.boxes}
    add = boxes[picture.differences[0].blamed[0]]
    assert rings[0] == ("nn", str(add.x - add.width // 2 - 6), str(add.y - 6))


def test_a_constant_that_one_side_has_freed_is_called_by_its_name():
    mine, _ = layer()
    reference, names = layer_by_minitorch()
    reference.backward()
    drawn = viz.compare(mine, reference, reference_names=names).svg()
    assert drawn.count("<tspan>x</tspan>") == 2


def test_the_words_for_those_who_do_not_see_it_name_the_nodes_of_a_small_comparison():
    mine, _ = layer()
    reference, names = layer_by_minitorch()
    told = viz.compare(mine, reference, reference_names=names)._told()
    for name in ("w", "b", "h", "loss", "v1"):
        assert f"{name}: " in told
    assert "w: (8, 16) norm" in told


def test_it_is_never_so_wide_that_a_notebook_makes_its_letters_small():
    mine, _ = layer()
    reference, names = layer_by_minitorch()
    width = int(re.search(r'width="(\d+)"', viz.compare(mine, reference, reference_names=names).svg())[1])
    assert 13 * 908 / width >= 11


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_nan_is_marked_where_it_is_born_in_the_graph_that_has_it():
    from minitorch.scalar import Value

    def made(number):
        x = Value(number, label="x")
        return Value(float("nan"), (x,), "log", (1.0,)) * 2

    picture = viz.compare(made(-1.0), made(-1.0))
    assert picture.svg().count("nan born here") == 2
    assert "nan is born in log (v1)" in picture._told()


def test_it_speaks_spanish(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    mine, _ = layer(Engine(fit=lambda g, shape: g))
    reference, names = layer_by_minitorch()
    picture = viz.compare(mine, reference, reference_names=names)
    assert picture.verdict.endswith("en la pasada hacia atrás de + (v2)")
    for english in ("first difference", "here", "there", "mine", "not kept", "its gradient"):
        assert english not in picture.text() + picture._told()
