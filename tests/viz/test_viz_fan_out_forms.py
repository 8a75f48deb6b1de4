"""Backward passes by right and wrong algorithms, as they are shown: bars, sentences, files, the player."""

import math
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from viz_comparisons import neuron
from viz_pictures import backward, diamonds, odd_labels, product_and_sum, uneven

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.drawing import bars, palette
from minitorch.viz.facts import walks

GOLDEN = Path(__file__).with_name("golden")
SPACE = "{http://www.w3.org/2000/svg}"


# -- how it is shown -----------------------------------------------------------------------------------------------


def golden_forms():
    seen = viz.fan_out(uneven())
    return {
        "fan_out.txt": f"{seen.text()}\n",
        "fan_out.svg": seen.svg(),
        "fan_out_recursive.svg": seen.svg("recursive", 6),
    }


@pytest.mark.parametrize("name", ["fan_out.txt", "fan_out.svg", "fan_out_recursive.svg"])
def test_pictures_are_the_golden_ones(name):
    form = golden_forms()[name]
    if os.environ.get("MINITORCH_WRITE_GOLDEN"):
        (GOLDEN / name).write_text(form, encoding="utf-8")
    assert form == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", ["en", "es"])
def test_what_stands_above_the_bars_ends_within_the_picture(lang, monkeypatch):
    """In letters of a wide face, of 6.1 pixels each: DejaVu Sans."""
    monkeypatch.setenv("MINITORCH_LANG", lang)
    x = Value(2.0, label="x")
    seen = viz.fan_out(x * x, "topological")
    drawn = ET.fromstring(seen.svg())
    group = next(each for each in drawn.iter(f"{SPACE}g") if any(text.get("y") == "-8" for text in each))
    left = float(group.get("transform").removeprefix("translate(").split()[0])
    heads = [text.text for text in group if text.tag == f"{SPACE}text" and float(text.get("y")) < 0]
    assert heads
    assert all(left + 6.1 * len(line) <= float(drawn.get("width")) for line in heads)


@pytest.mark.parametrize("inputs", [6, 8, 12])
def test_of_a_wide_graph_the_ways_to_the_bars_are_drawn_and_the_rest_is_counted(inputs):
    seen = viz.fan_out(neuron(inputs), ["topological", "recursive"])
    still = seen.svg()
    assert int(re.search(r'width="(\d+)"', still)[1]) <= 1060, "12 px there are 11 px at 900"
    assert "too wide to stand here" in " ".join(texts(still))
    for drawn in (seen.svg("topological"), seen.svg("recursive", 4)):
        wide = int(re.search(r'width="(\d+)"', drawn)[1])
        assert wide <= 1460, "a graph of 1,000 pixels and the bars"
        said = " ".join(texts(drawn))
        assert all(f"{seen.names[idx]} " in said for idx in seen.shown)
        assert seen.names[seen.graph.root] in said
        shown, count = map(int, re.search(r"Drawn: (\d+) of (\d+) nodes", said).groups())
        assert shown == said.count("1 path") - said.count("1 path from") < count == len(seen.graph.nodes)
        assert "…" in said, "operands that are not drawn"
    every = seen.text()
    assert all(name in every for name in seen.names)


def test_a_function_is_called_nobodys():
    """The learner's piece and the reference's that stands in for it are both given to the picture as functions."""

    def backward(root):
        root.grad = 1.0

    said = viz.fan_out(Value(2.0, label="x") * 2, backward).text()
    assert "the function backward" in said
    assert "your" not in said


def texts(svg):
    return ["".join(each.itertext()) for each in ET.fromstring(svg).iter(f"{SPACE}text")]


@pytest.mark.parametrize("name", walks.TITLES)
def test_every_step_is_well_formed_and_its_bars_are_the_gradient(name):
    seen = viz.fan_out(uneven(), name)
    (walk,) = seen.walks
    for step in range(len(walk.moves) + 2):
        tree = ET.fromstring(seen.svg(name, step))
        labelled = tree.get("aria-labelledby").split()
        assert labelled == [tree.find(f"{SPACE}title").get("id"), tree.find(f"{SPACE}desc").get("id")]
        assert tree.find(f"{SPACE}desc").text
    for step, state in enumerate(walk.states):
        for idx in range(len(seen.graph.nodes)):
            kept = [part.amount for part in bars.parts(walk, idx, step) if not part.lost]
            assert math.isclose(sum(kept), state.get(idx) or 0.0, abs_tol=1e-12)


def test_right_and_wrong_gradients_stand_beside_each_other_in_signs_and_words():
    said = texts(viz.fan_out(uneven()).svg())
    assert "63  ✗ too large: should be 39" in said
    assert "18  ✗ too small: should be 39" in said
    assert said.count("39  ✓ right") == 2
    assert {"1, 6 lost", "6, 1 lost"} & set(said)
    step = viz.fan_out(uneven()).svg("recursive", 6)
    assert "✗ Here it goes wrong: p hands its whole 7 on to x" in ET.fromstring(step).find(f"{SPACE}desc").text
    assert 'class="e y"' in step
    assert "✗ += 21, 2×" in texts(step)
    assert "Wrong since step 6." in viz.fan_out(uneven()).svg("recursive", 7)
    assert "3 paths, visited 2×" in texts(step)


def test_all_bars_have_one_scale():
    seen = viz.fan_out(uneven())
    drawn = seen.svg()
    by_amount = {}
    for wide, said in re.findall(
        r'<rect class="[ab]" x="[^"]*" width="([^"]*)" height="18"/><text[^>]*>([^<]*)<', drawn
    ):
        by_amount[float(said)] = float(wide)
    assert len(by_amount) > 3
    assert {round(wide / amount, 1) for amount, wide in by_amount.items()} == {round(bars.LANE / 63, 1)}


def test_the_counter_counts_what_the_sentence_counts():
    seen = viz.fan_out(uneven())
    for walk, reel in zip(seen.walks, seen._reels, strict=False):
        for step, frame in enumerate(reel.frames[1:-1], start=1):
            assert frame.sentence.startswith(f"Step {step} of {walk.total}.")
            assert frame.count == f"{step} / {walk.total}"
        assert reel.frames[-1].count == "result"


def test_an_infinite_slope_is_marked_where_it_is_born():
    seen = viz.fan_out(Value(0.0, label="x") ** 0.5 * 2)
    assert "inf born here, backward" in seen.svg()
    assert "inf is born in ** (v1) on the way back" in seen.text()


def test_it_speaks_spanish(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    seen = viz.fan_out(uneven())
    assert "recursive ✗ mal, tras 5 visitas: x 63, debería ser 39." in seen.text()
    for english in ("visit ", "should", "gradient ", "Step", "wrong", "right"):
        assert english not in re.sub(r"<style>.*?</style>", "", seen.svg() + seen.text() + seen.svg("recursive", 6))
    assert "interrumpido tras 60\N{NARROW NO-BREAK SPACE}000 pasos" in viz.fan_out(diamonds(40), "paths").text()


def test_labels_are_escaped():
    root, _ = odd_labels()
    seen = viz.fan_out(root)
    for form in (seen.svg(), seen.svg("recursive"), seen._page()):
        assert "<script>alert" not in form
        assert "<b>" not in form
    assert any("too long for any box" in text for text in texts(seen.svg()))


def test_the_same_graph_gives_the_same_bytes_and_ids_keep_apart():
    first, second, other = viz.fan_out(uneven()), viz.fan_out(uneven()), viz.fan_out(product_and_sum()[0])
    assert (first.svg(), first.text(), first._page()) == (second.svg(), second.text(), second._page())
    ids = [set(re.findall(r' id="([^"]+)"', picture.svg())) for picture in (first, other)]
    assert not ids[0] & ids[1]
    style = ET.fromstring(first.svg()).find(f"{SPACE}style").text.replace("@media(prefers-color-scheme:dark){", "")
    selectors = [each.strip() for rule in re.findall(r"([^{}]+)\{[^{}]*\}", style) for each in rule.split(",")]
    assert selectors
    assert all(selector.startswith(f"#{first._id} ") for selector in selectors)


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_words_on_bars_can_be_read_in_both_themes():
    for colours in (palette.LIGHT, palette.DARK):
        assert min(contrast(colours["ink"], colours[name]) for name in ("some", "zero", "paper")) >= 4.5
        assert contrast(colours["on-back"], colours["paper"]) >= 4.5
        assert contrast(colours["soft"], colours["paper"]) >= 4.5


def test_it_asks_for_nothing_and_stays_small(tmp_path):
    seen = viz.fan_out(uneven())
    assert re.findall(r"https?://[^\"]+", seen.svg()) == ["http://www.w3.org/2000/svg"]
    assert set(re.findall(r"https?://[^\"\\` ]+", seen._page())) == {"http://www.w3.org/2000/svg"}
    assert len(seen.svg()) < 16_000
    assert seen.html(tmp_path / "a.html").stat().st_size < 160_000
    assert viz.fan_out(diamonds(12)).save(tmp_path / "b.html").stat().st_size < 1_500_000


def test_files_are_written_as_the_name_says(tmp_path):
    seen = viz.fan_out(uneven())
    assert seen.save(tmp_path / "a.svg").read_text(encoding="utf-8") == seen.svg()
    assert seen.save(str(tmp_path / "a.txt")).read_text(encoding="utf-8") == seen.text() + "\n"
    with pytest.raises(ValueError, match=r"cannot write a picture as '\.gif': use \.svg, .* \.txt"):
        seen.save(tmp_path / "a.gif")


def test_a_notebook_gets_a_player_with_the_picture_below_it_and_the_text():
    seen = viz.fan_out(uneven())
    bundle = seen._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/plain"] == repr(seen)
    assert "recursive ✗ wrong" in bundle["text/html"]
    assert bundle["text/html"].count("<iframe") == bundle["text/html"].count("<img") == 1


@pytest.mark.parametrize(
    "maker",
    [
        lambda: Value(1.0),
        lambda: Value(0.0) * Value(0.0),
        lambda: Value(800.0, label="x").exp() * 2.0,
        lambda: Value(800.0, label="x").exp() * Value(0.0),
        lambda: (Value(-2.0) * 3.0).relu() + Value(1e-300),
    ],
)
def test_odd_numbers_are_drawn_too(maker):
    seen = viz.fan_out(maker(), [backward, "recursive", "topological", "overwrite"])
    for reel in seen._reels:
        for step in range(len(reel.frames)):
            drawn = seen._document(reel, step)
            ET.fromstring(drawn)
            assert not re.search(r'(?:x|width)="-?(?:nan|inf)', drawn)
    assert seen.text()
    assert seen.walks[0].is_right
