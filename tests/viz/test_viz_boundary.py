"""The picture of a decision boundary: its regions are the classifier's, and what it says can be counted."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minitorch import Tensor, viz
from minitorch.scalar import Value

SPACE = "{http://www.w3.org/2000/svg}"
POINTS = np.random.default_rng(0).uniform(-1, 1, size=(40, 2))
LABELS = (POINTS[:, 0] + POINTS[:, 1] > 0).astype(int)


def right_of(middle):
    return lambda places: places[:, 0] - middle


def drawn(seen):
    return ET.fromstring(seen.svg())


def area(seen, kind="r1"):
    """The area of a region as it is drawn, by the shoelace formula over its polygons."""
    (path,) = [each.get("d") for each in drawn(seen).iter(f"{SPACE}path") if each.get("class") == kind]
    total = 0.0
    for polygon in path.split("z")[:-1]:
        spots, place = [], [0.0, 0.0]
        for letter, numbers in re.findall(r"([MLHV])([^MLHV]*)", polygon):
            given = [float(number) for number in numbers.split()]
            place = [given[0], place[1]] if letter == "H" else [place[0], given[0]] if letter == "V" else given
            spots.append(place)
        x, y = np.array(spots).T
        total += abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2
    return total


@given(st.floats(-0.7, 0.7), st.floats(-3, 3), st.booleans())
@settings(max_examples=25, deadline=None)
def test_the_region_that_is_drawn_is_the_half_plane_of_a_straight_classifier(middle, slope, flipped):
    sign = -1 if flipped else 1
    seen = viz.boundary(lambda p: sign * (p[:, 0] + slope * p[:, 1] - middle), POINTS, LABELS)
    frame = next(each for each in drawn(seen).iter(f"{SPACE}rect") if each.get("class") == "fr")
    wide, tall = float(frame.get("width")), float(frame.get("height"))
    x = np.linspace(seen.x[0], seen.x[-1], 1001)
    low, high = seen.y[-1], seen.y[0]
    border = (middle - x) / slope if abs(slope) > 1e-3 else None
    if border is None:
        share = np.mean(sign * (x - middle) > 0)
    else:
        above = (high - np.clip(border, low, high)) / (high - low)
        share = np.mean(above if sign * slope > 0 else 1 - above)
    assert area(seen) / (wide * tall) == pytest.approx(share, abs=0.01)


def test_a_score_is_asked_once_for_all_places_and_points():
    asked = []
    seen = viz.boundary(lambda places: asked.append(places) or places[:, 0], POINTS, LABELS)
    (places,) = asked
    assert len(places) == len(seen.x) * len(seen.y) + len(POINTS)
    assert places[: len(seen.x), 1] == pytest.approx(seen.y[0])
    np.testing.assert_array_equal(places[-len(POINTS) :], POINTS)


def test_the_counts_are_those_of_the_points():
    seen = viz.boundary(right_of(0.2), POINTS, LABELS)
    said = POINTS[:, 0] > 0.2
    assert seen.said.tolist() == said.astype(int).tolist()
    assert seen.right == int((said == LABELS).sum())
    lost = int((said & (LABELS == 0)).sum())
    assert f"Class 0: {round(100 * np.mean(seen.regions == 0))} % of the picture" in seen.text()
    assert f"{(LABELS == 0).sum()} points, {lost} on the wrong side." in seen.text()


def test_lists_of_values_tensors_and_arrays_give_the_same_picture():
    array = viz.boundary(right_of(0.1), POINTS, LABELS)
    values = viz.boundary(lambda places: [Value(x) - 0.1 for x, _ in places], POINTS.tolist(), LABELS.tolist())
    tensors = viz.boundary(
        lambda places: Tensor(places, requires_grad=True)[:, :1] - 0.1, Tensor(POINTS), Tensor(2 * LABELS - 1)
    )
    assert array.svg() == values.svg()
    assert tensors.names == ("-1", "1")
    assert tensors.said.tolist() == array.said.tolist()


def test_every_point_is_drawn_once_and_those_on_the_wrong_side_have_an_outline_that_hides_none():
    seen = viz.boundary(right_of(0.2), POINTS, LABELS)
    kinds = [each.get("class") for each in drawn(seen).iter(f"{SPACE}path")]
    for index in (0, 1):
        mine = kinds.count(f"m m{index}") + kinds.count(f"m m{index} o")
        assert mine == LABELS.tolist().count(index) + 1  # and one in the legend
    assert sum(str(kind).endswith(" o") for kind in kinds) == len(POINTS) - seen.right > 0
    assert "The others are outlined." in seen.svg()


def test_both_axes_have_round_numbers_where_they_belong():
    seen = viz.boundary(lambda places: places[:, 0] - 1, [[0, 0], [2, 1], [0.5, 1]], [-1, 1, 1])
    said = [each for each in drawn(seen).iter(f"{SPACE}text") if each.get("class") in ("ax", "ay")]
    across = {each.text: float(each.get("x")) for each in said if each.get("class") == "ax"}
    assert {0.0, 1.0, 2.0} <= set(map(float, across))
    assert sum(each.get("class") == "ay" for each in said) >= 3
    frame = next(each for each in drawn(seen).iter(f"{SPACE}rect") if each.get("class") == "fr")
    scale = float(frame.get("width")) / (seen.x[-1] - seen.x[0])
    for text, x in across.items():
        assert x == pytest.approx((float(text) - seen.x[0]) * scale, abs=0.06)
    assert "Across: from -" in seen.text()


def test_it_speaks_spanish(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    seen = viz.boundary(right_of(0.2), POINTS, LABELS)
    assert seen.title == "Frontera de decisión"
    assert "en el lado equivocado" in seen.svg()
    assert "points" not in seen.text() + seen._told()


def test_of_several_classes_the_largest_score_wins_and_each_has_its_pattern_and_shape():
    angles = np.arange(4) * np.pi / 2
    corners = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    seen = viz.boundary(lambda places: places @ corners.T, corners, [0, 1, 2, 3])
    assert seen.said.tolist() == [0, 1, 2, 3]
    assert [seen.regions[len(seen.y) // 2, -1], seen.regions[0, len(seen.x) // 2]] == [0, 1]
    tree = drawn(seen)
    assert len(list(tree.iter(f"{SPACE}pattern"))) == 3
    shapes = [each.get("d") for each in tree.iter(f"{SPACE}path") if (each.get("class") or "")[:2] == "m "]
    assert len({re.sub(r"^M[-.0-9]+ [-.0-9]+", "", shape) for shape in shapes}) == 4
    for row in (seen.fields > 0).sum(axis=0):
        assert set(row.tolist()) <= {0, 1}


def test_the_text_is_a_map():
    seen = viz.boundary(right_of(0.0), [[-1, -1], [1, 1], [-0.5, 0.5]], [-1, 1, 1])
    lines = seen.text().splitlines()
    rows = [line.split(" ") for line in lines if len(line.split(" ")) == len(seen.x)]
    assert len(rows) == len(seen.y)
    assert sum(row.count("o") for row in rows) == sum(row.count("x") for row in rows) == 1
    assert sum(row.count("X") for row in rows) == 1
    assert {letter for row in rows for letter in row[:10]} <= set(".oX")
    assert {letter for row in rows for letter in row[-10:]} <= set("#x")


def test_a_notebook_gets_an_image_with_words_and_the_same_bytes_every_time():
    shown = [viz.boundary(right_of(0.2), POINTS, LABELS)._repr_mimebundle_() for _ in range(2)]
    assert shown[0] == shown[1]
    assert set(shown[0]) == {"text/html", "text/plain"}
    assert shown[0]["text/html"].startswith('<img alt="Decision boundary. ')


def test_one_point_and_points_on_a_line_have_a_picture_too():
    for points in ([[2.0, 3.0]], [[0.0, 1.0], [5.0, 1.0]], [[1.0, 0.0], [1.0, 9.0]]):
        seen = viz.boundary(right_of(1.5), points, [1] * len(points))
        assert seen.x[0] < min(point[0] for point in points) <= max(point[0] for point in points) < seen.x[-1]
        assert seen.y[-1] < min(point[1] for point in points) <= max(point[1] for point in points) < seen.y[0]
        frame = next(each for each in drawn(seen).iter(f"{SPACE}rect") if each.get("class") == "fr")
        assert 0.3 < float(frame.get("height")) / float(frame.get("width")) < 0.85


@pytest.mark.parametrize(
    ("score", "points", "labels", "message"),
    [
        (right_of(0), [1.0, 2.0], [1, 1], r"shape \(n, 2\).*not \(2,\)"),
        (right_of(0), np.zeros((0, 2)), [], "at least 1"),
        (right_of(0), [[0.0, np.nan]], [1], "no place in a picture"),
        (right_of(0), [[0.0, 1.0]], [1, 0], r"there are 1 points, so labels must have the shape \(1,\), not \(2,\)"),
        (right_of(0), [[0.0, 1.0]], [2], "labels are 0 to 1, or -1 and 1"),
        (lambda places: np.zeros((len(places), 3)), [[0.0, 1.0]], [-1], "for 3 classes the labels are 0 to 2$"),
        (lambda places: np.zeros((len(places), 5)), [[0.0, 1.0]], [0], "up to 4 classes apart, and there are 5"),
        (lambda places: 0.0, [[0.0, 1.0]], [0], "one score for each point"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(score, points, labels, message):
    with pytest.raises(ValueError, match=message):
        viz.boundary(score, points, labels)


# -- where a score is no number --------------------------------------------------------------------------------------


def logarithm(places):
    with np.errstate(all="ignore"):
        return np.log(places[:, 0] + 0.5) + places[:, 1]


def test_where_the_score_is_nan_nobody_has_a_region_and_every_form_says_so():
    seen = viz.boundary(logarithm, POINTS, LABELS)
    left = POINTS[:, 0] < -0.5
    assert seen.odd == "nan"
    assert np.array_equal(seen.lost, np.tile(seen.x < -0.5, (len(seen.y), 1)))
    assert np.array_equal(seen.said == -1, left)
    share, lost = round(100 * seen.lost.mean()), left.sum()
    said = f"The score is nan at {share} % of the picture: no class, crossed out. {lost} points there."
    assert said in seen.text()
    assert said in seen.svg()
    assert "? ? ?" in seen.text()
    assert "? the score is nan" in seen.text()


def test_the_crossed_area_begins_where_the_numbers_end():
    seen = viz.boundary(logarithm, POINTS, LABELS)
    frame = next(each for each in drawn(seen).iter(f"{SPACE}rect") if each.get("class") == "fr")
    cells = (seen.x < -0.5).sum()  # those with a left side that is lost
    crossed = area(seen, "rx") / (float(frame.get("width")) * float(frame.get("height")))
    assert crossed == pytest.approx(cells / (len(seen.x) - 1), abs=1e-3)
    patterns = [each.get("id") for each in drawn(seen).iter(f"{SPACE}pattern")]
    assert [name[-1] for name in patterns] == ["1", "x"]


def test_points_without_a_class_are_not_on_a_wrong_side():
    seen = viz.boundary(lambda places: np.full(len(places), np.nan), POINTS, LABELS)
    assert seen.right == 0
    assert [" 0 on the wrong side" in line for line in seen.sentences()] == [False, True, True, False]
    assert "at 100 % of the picture" in seen.sentences()[-1]


@pytest.mark.parametrize(
    ("scores", "odd"),
    [
        (lambda p: np.where(p[:, 0] > 0, np.inf, p[:, 1]), "inf"),
        (lambda p: np.where(p[:, 0] > 0, np.inf, np.where(p[:, 1] > 0, np.nan, 1.0)), "nan or inf"),
        (lambda p: np.stack([p[:, 0], p[:, 1], np.where(p[:, 0] > 0, -np.inf, 0.0)], axis=1), "inf"),
        (lambda p: p[:, 0], ""),
    ],
)
def test_what_kind_of_number_is_none_is_named(scores, odd):
    seen = viz.boundary(scores, POINTS, LABELS)
    assert seen.odd == odd
    assert bool(odd) == seen.lost.any()
    assert ("crossed out" in seen.text()) == bool(odd)


def test_a_single_place_is_not_rounded_away(monkeypatch):
    def score(places):
        return np.where(np.arange(len(places)) == 0, np.nan, places[:, 0])

    assert "at 1 % of the picture" in viz.boundary(score, POINTS, LABELS).sentences()[-1]
    monkeypatch.setenv("MINITORCH_LANG", "es")
    assert "La puntuación es nan en el 1 % de la imagen" in viz.boundary(score, POINTS, LABELS).sentences()[-1]


@pytest.mark.parametrize("shift", [0.0, 0.013, 0.3])
def test_where_classes_meet_nothing_is_left_out_and_nothing_is_twice(shift):
    angles = 0.3 + np.arange(3) * 2 * np.pi / 3
    corners = np.stack([np.cos(angles), np.sin(angles)])

    def scores(places):
        return np.hstack([np.full((len(places), 1), -9.0), (places - shift) @ corners])

    seen = viz.boundary(scores, POINTS, LABELS)
    assert set(seen.regions.ravel().tolist()) == {1, 2, 3}
    frame = next(each for each in drawn(seen).iter(f"{SPACE}rect") if each.get("class") == "fr")
    whole = float(frame.get("width")) * float(frame.get("height"))
    assert sum(area(seen, f"r{number}") for number in (1, 2, 3)) == pytest.approx(whole, abs=0.5)


@pytest.mark.parametrize("point", [[0.0, 0.0], [0.5, 2.0], [1e15, -3.0]])
def test_a_single_point_has_room_around_it(point):
    seen = viz.boundary(lambda p: p[:, 0], [point], [1])
    assert np.ptp(seen.x) >= 1
    assert (np.diff(seen.x) > 0).all()
    assert (np.diff(seen.y) < 0).all()


def test_lines_are_drawn_where_they_are_and_end_at_the_edge():
    lines = [(1, 0, -0.5), (1, -1, 0), (0, 1, 9)]  # x = 0.5; y = x; y = -9, far below
    seen = viz.boundary(right_of(0), POINTS, LABELS, lines=lines)
    upright, slanting = seen.chords
    assert upright == ((0.5, pytest.approx(seen.y[-1])), (0.5, pytest.approx(seen.y[0])))
    assert all(x == pytest.approx(y) for x, y in slanting)
    dashed = [each.get("d") for each in drawn(seen).iter(f"{SPACE}path") if each.get("stroke-dasharray")]
    assert len(dashed) == 2 + 1  # and one in the legend
    frame = next(each for each in drawn(seen).iter(f"{SPACE}rect") if each.get("class") == "fr")
    share = (0.5 - seen.x[0]) / (seen.x[-1] - seen.x[0])
    assert float(dashed[0][1:].split()[0]) == pytest.approx(share * float(frame.get("width")), abs=0.1)
    assert "3 dashed lines are drawn over the plane." in seen.text()


def test_without_lines_nothing_is_dashed_or_said_of_them():
    seen = viz.boundary(right_of(0), POINTS, LABELS)
    assert "dash" not in seen.svg()
    assert "dash" not in seen.text()


@pytest.mark.parametrize("lines", [[(1, 2)], [(0, 0, 1)], [(1, float("nan"), 0)], (1, 2, 3)])
def test_what_is_no_line_is_refused(lines):
    with pytest.raises(ValueError, match="line"):
        viz.boundary(right_of(0), POINTS, LABELS, lines=lines)
