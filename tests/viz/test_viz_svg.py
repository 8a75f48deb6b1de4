"""The static SVG: well-formed, escaped, readable, small, and the same to the byte."""

import os
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest
from viz_pictures import PICTURES, layer, odd_labels, product_and_sum, random_values, zero_gradients

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.drawing import palette, svg

GOLDEN = Path(__file__).with_name("golden")
SPACE = "{http://www.w3.org/2000/svg}"
GOLDEN_STEPS = {"product_and_sum": 4, "layer": None}


def golden_forms():
    """File name → content, of every golden picture."""
    forms = {}
    for name, maker in PICTURES.items():
        root, names = maker()
        forms[f"{name}.txt"] = f"{viz.graph(root, names=names).text()}\n\n{viz.step(root, names=names).text()}\n"
        if name in GOLDEN_STEPS:
            forms[f"{name}.svg"] = viz.step(root, names=names).svg(GOLDEN_STEPS[name])
    root, names = layer()
    root.backward()
    forms["layer_after.svg"] = viz.graph(root, names=names).svg()
    return forms


@pytest.mark.parametrize(
    "name", [f"{name}.txt" for name in PICTURES] + ["product_and_sum.svg", "layer.svg", "layer_after.svg"]
)
def test_pictures_are_the_golden_ones(name):
    """After a change that is meant: MINITORCH_WRITE_GOLDEN=1 pytest tests/viz, then look at the difference."""
    form = golden_forms()[name]
    if os.environ.get("MINITORCH_WRITE_GOLDEN"):
        (GOLDEN / name).write_text(form, encoding="utf-8")
    assert form == (GOLDEN / name).read_text(encoding="utf-8")


def texts(svg):
    return ["".join(each.itertext()) for each in ET.fromstring(svg).iter(f"{SPACE}text")]


@pytest.mark.parametrize("maker", PICTURES.values(), ids=PICTURES)
def test_every_step_is_well_formed_and_says_what_it_is(maker):
    root, names = maker()
    stepper = viz.step(root, names=names)
    for step in (None, *range(len(stepper.steps) + 1)):
        tree = ET.fromstring(stepper.svg(step))
        assert tree.find(f"{SPACE}title").text.startswith("Backward pass from ")
        assert re.search(r": (1 operation|[02-9] operations|\d\d+ operations) on ", tree.find(f"{SPACE}desc").text)
        labelled = tree.get("aria-labelledby").split()
        assert labelled == [tree.find(f"{SPACE}title").get("id"), tree.find(f"{SPACE}desc").get("id")]


def test_labels_are_escaped_everywhere():
    root, _ = odd_labels()
    root.backward()
    for drawn in (viz.graph(root).svg(), viz.step(root).svg(1)):
        assert "<script" not in drawn
        assert "<b>" not in drawn
        assert any("too long for any box" in text for text in texts(drawn))
        titles = [each.text or "" for each in ET.fromstring(drawn).iter(f"{SPACE}title")]
        assert any(title.startswith("<b>\"&'|{x}") for title in titles)
        assert any("]]>--><script>" in title for title in titles)


def test_a_long_label_is_shortened_in_the_picture_only():
    root = Value(1.0, label="x" * 50) * 2.0
    assert f"…{'x' * 21} = 1" in texts(viz.graph(root).svg())
    assert "x" * 50 in viz.graph(root).text()


def test_ids_start_with_the_topology_so_that_pictures_share_a_page():
    first, second = viz.graph(product_and_sum()[0]), viz.graph(layer()[0])
    ids = [set(re.findall(r' id="([^"]+)"', picture.svg())) for picture in (first, second)]
    assert all(name.startswith(f"mt{first.graph.topology}") for name in ids[0])
    assert not ids[0] & ids[1]
    for picture in (first, second):
        style = ET.fromstring(picture.svg()).find(f"{SPACE}style").text
        rules = re.findall(r"([^{}]+)\{[^{}]*\}", style.replace("@media(prefers-color-scheme:dark){", ""))
        selectors = [selector.strip() for rule in rules for selector in rule.split(",")]
        assert selectors
        assert all(selector.startswith(f"#mt{picture.graph.topology}") for selector in selectors)


def test_two_edges_of_a_square_and_the_signs_of_two_contributions():
    x = Value(3.0, label="x")
    svg = viz.step(x * x).svg()
    assert ET.fromstring(svg).find(f"{SPACE}g/{SPACE}g[@class='e']").__len__() == 2
    assert {"= 3", "+= 3"} <= set(texts(svg))


def test_a_step_shows_what_exists_then():
    root, names = product_and_sum()
    stepper = viz.step(root, names=names)
    assert texts(stepper.svg(0)).count("no gradient yet") == 4
    assert texts(stepper.svg(1)).count("no gradient yet") == 3
    assert "+= −3" not in texts(stepper.svg(3))
    assert "+= −3" in texts(stepper.svg(4))
    assert "Step 4 of 5. × (v1) adds to x: grad += 1 × −3 = −3, now −2." in " ".join(texts(stepper.svg(4)))


def classes(svg):
    """Class of what stands right before each text → the text."""
    tree = ET.fromstring(svg)
    found = {}
    for group in tree.iter(f"{SPACE}g"):
        parts = list(group)
        for before, text in pairwise(parts):
            if text.tag == f"{SPACE}text" and text.get("class") in ("t", "w"):
                found["".join(text.itertext())] = (text.get("class"), before.get("class"))
    return found


def test_no_gradient_zero_some_freed_and_constant_look_different_and_are_named():
    root, names = zero_gradients()
    fresh = classes(viz.graph(root).svg())
    root.backward()
    done = classes(viz.graph(root).svg())
    loss, names = layer()
    before = classes(viz.graph(loss, names=names).svg())
    loss.backward()
    after = classes(viz.graph(loss, names=names).svg())
    looks = [fresh["no gradient yet"], done["grad 0"], done["grad 1"], after["gradient freed"]]
    assert len(set(looks)) == 4
    assert before["constant"][0] == "w"
    assert 'class="k"' in viz.graph(loss).svg()  # its dotted border


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
def test_contrast_is_high_enough(colours):
    grounds = {
        "ink": ("paper", "card", "leaf-card", "freed"), "soft": ("paper", "card", "leaf-card"), "on-op": ("op",),
        "on-some": ("some",), "on-zero": ("zero",), "on-back": ("paper",), "on-wide": ("paper",),
    }  # fmt: skip
    for text, behind in grounds.items():
        for ground in behind:
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for mark in ("line", "back", "op", "leaf", "wide", "on-wide", "on-zero", "soft"):  # what no word beside it says
        for ground in ("paper", "card"):
            assert contrast(colours[mark], colours[ground]) >= 3, (mark, ground)


@pytest.mark.parametrize("colours", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
def test_no_state_is_told_by_the_tint_of_its_chip(colours):
    """The tints are faint, and need not be seen: what is written on each says what it is, and can be read."""
    x, w = Value(2.0, label="x"), Value(0.0, label="w")
    loss = x * w
    loss.backward()
    said = classes(viz.graph(loss).svg())
    for tint, words in (("some", "grad 2"), ("zero", "grad 0")):
        assert words in said
        assert contrast(colours[f"on-{tint}"], colours[tint]) >= 4.5


def test_lines_have_okabe_and_itos_colours():
    okabe_ito = {"#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"}
    for colours in (palette.LIGHT, palette.DARK):
        assert {colours[name] for name in ("op", "leaf", "back", "wide")} <= okabe_ito


@pytest.mark.parametrize("backward", [False, True])
def test_a_picture_takes_at_most_500_bytes_a_node(backward):
    root = random_values(55)
    if backward:
        root.backward()
    picture = viz.graph(root)
    assert len(picture.graph.nodes) >= 60
    assert len(picture.svg().encode()) <= 500 * len(picture.graph.nodes)


def test_a_picture_asks_for_nothing():
    for maker in PICTURES.values():
        root, names = maker()
        svg = viz.step(root, names=names).svg()
        assert re.findall(r"https?://[^\"]+", svg) == ["http://www.w3.org/2000/svg"]
        assert "@import" not in svg
        assert set(re.findall(r"url\((.)", svg)) == {"#"}


def test_a_place_and_a_shape_are_never_broken_over_two_lines():
    said = "3 are nan, the first at [0, 1, 12]; row by row into (3, 2). Then the rest of it, and ((1, 2), (3, 4))."
    for width in range(190, 700, 7):
        lines = svg.wrapped(said, width)
        assert " ".join(lines) == said
        assert all(line.count(one) == line.count(other) for line in lines for one, other in ("()", "[]"))
    long = f"at [{', '.join(map(str, range(30)))}]"
    assert " ".join(svg.wrapped(long, 200)) == long
    assert len(svg.wrapped(long, 200)) > 1
