"""`viz.curve`: what is drawn stands where its numbers are, and what is said of it is true."""

import math
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from viz_forms import has_every_form

from minitorch import Tensor, viz
from minitorch.scalar import Value
from minitorch.train import History
from minitorch.viz.drawing.axes import axis
from minitorch.viz.drawing.curve import APART, DASHES, TALL, TOP, spread
from minitorch.viz.drawing.scene import text_width

SPACE = "{http://www.w3.org/2000/svg}"
HISTORY = History(
    losses=[4.0, 2.0, 1.0, 0.5],
    rates=[0.1] * 4,
    records=[
        {"epoch": 1, "step": 2, "loss": 3.0, "valid_loss": 2.5, "accuracy": 0.5},
        {"epoch": 2, "step": 4, "loss": 0.75, "valid_loss": 0.8, "accuracy": 0.9},
    ],
)


SVG_TEXT = "{http://www.w3.org/2000/svg}text"


def lines_of(picture):
    """The corners of every curve that is drawn, without the samples beside the names."""
    paths = [each for each in ET.fromstring(picture.svg()).iter(f"{SPACE}path") if "class" in each.attrib]
    drawn = [each.get("d") for each in paths if each.get("class").startswith("c c") and "h24" not in each.get("d")]
    return [[tuple(map(float, spot.split())) for spot in re.split("[ML]", path) if spot] for path in drawn]


def texts_of(picture):
    return [each.text for each in ET.fromstring(picture.svg()).iter(f"{SPACE}text")]


def test_it_has_every_form(tmp_path):
    has_every_form(lambda: viz.curve({"mine": [3, 2, 1], "reference": [3, 1, 0.5]}, title="Two runs"), tmp_path)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=40), st.booleans())
@settings(max_examples=40, deadline=None)
def test_points_stand_as_far_apart_as_their_numbers(numbers, shifted):
    (line,) = lines_of(viz.curve(numbers, x=[3 + each for each in range(len(numbers))] if shifted else None))
    across, down = np.array(line).T
    assert len(line) == len(numbers)
    assert np.diff(across) == pytest.approx(np.mean(np.diff(across)), abs=0.11)
    spread_of_numbers, spread_of_pixels = np.ptp(numbers), np.ptp(down)
    if spread_of_numbers > 1e-6:
        scale = spread_of_pixels / spread_of_numbers
        assert down[0] - down == pytest.approx((np.array(numbers) - numbers[0]) * scale, abs=0.2)


@pytest.mark.parametrize("log", ["", "y"])
@pytest.mark.parametrize("numbers", [[0, 5e-324], [5e-324, 5e-324], [1e308, -1e308], [1.7e308, 1.7e308], [0, 1e308]])
def test_numbers_at_the_ends_of_float64_have_a_curve(numbers, log):
    picture = viz.curve(numbers, log=log)
    assert np.isfinite([spot for line in lines_of(picture) for spot in line]).all()
    assert picture.text()


def test_on_axes_of_powers_of_ten_a_power_is_a_straight_line():
    eps = 10.0 ** -np.arange(1, 13)
    (line,) = lines_of(viz.curve({"error": eps**2}, x=eps, log="xy"))
    across, down = np.array(line).T
    assert np.diff(across) == pytest.approx(np.mean(np.diff(across)), abs=0.11)
    assert np.diff(down) == pytest.approx(np.mean(np.diff(down)), abs=0.11)


def test_several_curves_differ_in_dash_and_mark_and_have_their_names_beside_their_ends():
    names = ["one", "two", "three", "four", "five", "six"]
    picture = viz.curve({name: [0, place] for place, name in enumerate(names)})
    tree = ET.fromstring(picture.svg())
    drawn = [each for each in tree.iter(f"{SPACE}path") if (each.get("class") or "").startswith("c c")]
    assert {each.get("stroke-dasharray") or "" for each in drawn} == set(DASHES)
    at = {each.text: float(each.get("y")) for each in tree.iter(f"{SPACE}text") if each.text in names}
    assert sorted(at, key=at.get, reverse=True) == names
    heights = sorted(at.values())
    assert min(b - a for a, b in pairwise(heights)) >= APART - 0.2


@given(st.lists(st.floats(TOP, TOP + TALL), min_size=1, max_size=6))
def test_names_never_overlap_and_stay_in_the_picture(wanted):
    heights = spread(wanted)
    ordered = sorted(heights)
    assert all(b - a >= APART - 1e-6 for a, b in pairwise(ordered))
    assert ordered[0] >= TOP
    assert ordered[-1] <= TOP + TALL + 1e-6


def test_a_history_shows_the_loss_of_each_step_and_losses_on_other_data_at_theirs():
    picture = viz.curve(HISTORY)
    assert [(line.name, line.x.tolist(), line.y.tolist()) for line in picture.lines] == [
        ("loss", [1, 2, 3, 4], [4.0, 2.0, 1.0, 0.5]),
        ("valid_loss", [2, 4], [2.5, 0.8]),
    ]
    assert picture.sentences()[0] == "loss: 4 at step 1, 0.5 at step 4; smallest 0.5 at 4, largest 4 at 1."
    assert {"step →", "↑ loss", "valid_loss"} <= set(texts_of(picture))


def test_trainings_can_be_seen_beside_each_other():
    picture = viz.curve({"lr 0.1": HISTORY, "lr 1": History(losses=[4.0, 9.0])})
    assert [(line.name, len(line.y)) for line in picture.lines] == [("lr 0.1", 4), ("lr 1", 2)]
    assert "step →" in texts_of(picture)


def test_lists_arrays_tensors_values_and_pairs_are_the_same_curve():
    numbers = [1.0, 3.0, 2.0]
    kinds = [numbers, np.array(numbers), Tensor(numbers), [Value(each) for each in numbers], range(1, 4)]
    kinds[-1] = (each for each in numbers)
    drawings = {viz.curve(each).svg() for each in kinds}
    assert len(drawings) == 1
    assert viz.curve({"": ([0, 1, 2], numbers)}).svg() in drawings


def test_many_points_are_put_together_and_the_band_holds_them_all():
    rng = np.random.default_rng(0)
    losses = (2 + rng.normal(size=100_000)).tolist()
    picture = viz.curve(losses)
    (line,) = picture.lines
    assert len(line.y) == 100_000
    drawn = line.drawn()
    assert len(drawn.mean) <= 240
    assert drawn.low.min() == min(losses)
    assert drawn.high.max() == max(losses)
    assert np.mean(drawn.mean[:-1]) == pytest.approx(2, abs=0.01)
    assert f"each point stands for {drawn.together} numbers" in picture.text()
    assert len(picture.svg()) < 15_000


def test_a_number_that_is_nan_breaks_the_line_is_ringed_and_said():
    picture = viz.curve({"mine": [1.0, 2.0, math.nan, 4.0, 5.0], "theirs": [1, 2, 3, math.inf, math.nan]})
    rings = [each for each in ET.fromstring(picture.svg()).iter(f"{SPACE}circle") if each.get("class") == "w"]
    assert len(rings) == 2
    first, *_ = lines_of(picture)
    assert len(first) == 4
    path = next(p for p in ET.fromstring(picture.svg()).iter(f"{SPACE}path") if (p.get("class") or "") == "c c0")
    assert path.get("d").count("M") == 2
    assert "mine is nan at place 2: the first number that has no place." in picture.sentences()
    assert "theirs is inf at place 3: the first number that has no place." in picture.sentences()
    assert {"mine: nan", "theirs: inf"} <= set(texts_of(picture))


def test_what_a_logarithm_has_no_place_for_is_said():
    picture = viz.curve([1.0, 0.1, 0.0, -1.0], log="y")
    assert "2 numbers of The curve are 0 or less" in picture.text()
    assert len(lines_of(picture)[0]) == 2


@pytest.mark.parametrize("numbers", [[0.0, 0.0], [5.0], [math.nan, math.nan], [1e-300, 1e300], [7, 7, 7]])
@pytest.mark.parametrize("log", ["", "y"])
def test_odd_numbers_have_a_picture_too(numbers, log):
    picture = viz.curve(numbers, log=log)
    assert "nan" not in "".join(re.findall(r' (?:d|x|y|cx|points)="([^"]*)"', picture.svg()))
    assert picture.text()


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_the_numbers_beside_an_axis_are_few_round_and_inside(low, span):
    found = axis([low, low + span], 0, 100, round_ends=True)
    places = found.places(found.ticks)
    assert 2 <= len(found.ticks) <= 9
    assert len(set(found.labels())) == len(found.ticks)
    assert places.min() >= -1e-6
    assert places.max() <= 100 + 1e-6
    assert found.low <= low + 1e-6 * span
    assert found.high >= low + span * (1 - 1e-6)


def test_steps_that_are_whole_have_whole_numbers_beside_them():
    assert axis([0, 1, 2], 0, 100, round_ends=False, ticks=8).labels() == ("0", "1", "2")


def test_the_text_has_a_letter_for_each_curve_and_says_what_there_is_to_see():
    lines = viz.curve({"mine": [2.0, 1.0], "theirs": [2.0, 4.0]}, title="Runs", y_label="loss").text().splitlines()
    assert lines[0] == "Runs (loss)"
    assert {"o mine", "x theirs"} <= set(lines)
    assert "mine: 2 at place 0, 1 at place 1; smallest 1 at 1, largest 2 at 0." in lines
    assert all(line.isascii() for line in lines)


def test_it_speaks_spanish(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    picture = viz.curve(HISTORY)
    assert picture.sentences()[0].startswith("loss: 4 (paso 1), 0.5 (paso 4); mínimo 0.5 (4), máximo")
    assert "paso →" in texts_of(picture)
    assert picture.title == "Curvas"


def test_names_that_there_is_room_for_are_whole():
    names = [f"lr = {10.0**-power:g}, momentum 0.9" for power in range(6)]
    drawn = viz.curve({name: [1, 2, 3] for name in names})
    assert set(names) <= set(texts_of(drawn))


def test_where_a_line_breaks_is_said_alike_in_the_picture_and_beside_it():
    picture = viz.curve([1.0, math.nan, 2.0])
    (said,) = [each for each in picture.sentences() if "first number that has no place" in each]
    assert "at place 1" in said
    assert said in texts_of(picture)


def test_names_of_the_user_are_never_markup():
    drawn = viz.curve({"<script>&": [1, 2]}, title="<b>", x_label='"', y_label="<i>").svg()
    assert "<script" not in drawn
    ET.fromstring(drawn)


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        ([], {}, "no number to draw"),
        ({}, {}, "no number to draw"),
        ({str(each): [1] for each in range(7)}, {}, "up to 6 curves apart, and there are 7"),
        (np.ones((2, 2)), {}, r"not an array of shape \(2, 2\)"),
        ({"a": [1, 2]}, {"x": [1]}, r"the curve 'a' has 2 numbers, and x has the shape \(1,\)"),
        ([1, 2], {"x": [1, math.nan]}, "on no axis"),
        ([1, 2], {"log": "z"}, "'x', 'y' or 'xy', not 'z'"),
        ([1, 2], {"log": "x"}, "places above 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(data, options, message):
    with pytest.raises(ValueError, match=message):
        viz.curve(data, **options)


def test_two_long_names_that_differ_at_the_front_stay_apart():
    for between in (".self_attention.in_projection.", ".a" * 90):
        names = [f"transformer.encoder.layers.{number}{between}weight" for number in (0, 1)]
        drawn = viz.curve({name: [1, 2, 3] for name in names}).svg()
        shown = re.findall(r'<text x="(\d+)" [^>]*>([^<]*weight)</text>', drawn)
        assert len(dict(map(reversed, shown))) == len(shown) == 2
        assert all(400 < int(x) < 720 - text_width(name, 12) for x, name in shown)


@pytest.mark.parametrize("title", ["", "Loss", "One of those sentences that somebody took for a title " * 3])
@pytest.mark.parametrize(
    "up", ["loss", "nats per token of the corpus, as the model says it on data that it never saw " * 2]
)
def test_a_long_title_and_long_names_of_axes_stay_in_the_picture_and_off_each_other(title, up):
    drawn = ET.fromstring(viz.curve([1, 2], title=title, y_label=up, x_label=up).svg())
    heads = [text for text in drawn.iter(SVG_TEXT) if float(text.get("y")) <= TOP or text.text.endswith("→")]
    assert any(text.text.startswith("↑") for text in heads)
    spans = {}
    for text in heads:
        wide = text_width(text.text, 13.5 if text.get("class") == "h" else 12)
        left = float(text.get("x")) - (wide if text.get("class") == "n" else 0)
        assert left >= 0
        assert left + wide <= float(drawn.get("width"))
        spans.setdefault(text.get("y"), []).append((left, left + wide))
    for row in spans.values():
        assert all(before[1] < after[0] for before, after in pairwise(sorted(row)))


def test_what_a_curve_lost_is_told_apart_from_its_name():
    drawn = viz.curve({"goes to": [1.0, math.nan, 2.0]}).svg()
    assert "goes to: nan" in drawn


@pytest.mark.parametrize("numbers", [[1e300, 2e300, 1.5e308], [-1.7e308, 0.0, 1.7e308], [1e-300, 5e-301, 2e-301]])
def test_numbers_at_the_ends_of_float64_stand_where_they_belong(numbers):
    picture = viz.curve(numbers)
    (line,) = lines_of(picture)
    down = -np.array(line)[:, 1]
    quarters = np.array(numbers) / 4
    shares = (quarters - quarters.min()) / np.ptp(quarters)
    assert down - down.min() == pytest.approx(shares * np.ptp(down), abs=0.2)
    ticks = [float(each.get("y")) for each in ET.fromstring(picture.svg()).iter(SVG_TEXT) if each.get("class") == "a n"]
    assert min(b - a for a, b in pairwise(sorted(ticks))) > 12


def test_an_axis_of_powers_has_a_place_for_every_number_above_zero():
    numbers = [5e-324, 1e-310, 1.0, 1e300, 1.7e308]
    (line,) = lines_of(viz.curve(numbers, log="y"))
    down = -np.array(line)[:, 1]
    powers = np.log(numbers) - np.log(numbers[0])
    assert down - down[0] == pytest.approx(powers / powers[-1] * np.ptp(down), abs=0.2)


def test_many_of_the_largest_numbers_are_put_together_to_their_mean():
    (line,) = lines_of(viz.curve([1.5e308] * 700))
    assert len(line) > 200
    assert len({down for _, down in line}) == 1


def test_a_point_between_two_that_are_lost_is_seen():
    numbers = [float(place) for place in range(60)]
    numbers[37] = numbers[39] = math.nan
    tree = ET.fromstring(viz.curve(numbers).svg())
    marks = [each for each in tree.iter(f"{SPACE}path") if (each.get("class") or "").startswith("k")]
    assert len(marks) == 1
