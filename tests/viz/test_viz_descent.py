"""`viz.descent`: level lines where the function is level, paths where they went, and what is said of both."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from viz_forms import has_every_form

from minitorch import Tensor, viz
from minitorch.scalar import Value

SPACE = "{http://www.w3.org/2000/svg}"
DOWN = np.array([[2.0, 1.0], [1.0, 0.5], [0.5, 0.25]])


def bowl(p):
    return (p**2).sum(axis=1)


def drawn(seen):
    return ET.fromstring(seen.svg())


def paths_of(seen, kind):
    return [each.get("d") for each in drawn(seen).iter(f"{SPACE}path") if each.get("class") == kind]


def corners(path):
    return np.array([[float(x), float(y)] for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path)])


def back(seen, spots):
    """Where on the plane the pixels of a drawing are."""
    frame = next(each for each in drawn(seen).iter(f"{SPACE}rect") if each.get("class") == "fr")
    size = np.array([float(frame.get("width")), float(frame.get("height"))])
    low, far = np.array([seen.x[0], seen.y[0]]), np.array([seen.x[-1] - seen.x[0], seen.y[-1] - seen.y[0]])
    return low + spots / size * far


def test_it_has_every_form(tmp_path):
    has_every_form(lambda: viz.descent(bowl, DOWN), tmp_path)


@given(st.floats(0.3, 3.0), st.floats(-1, 1), st.floats(-1, 1))
@settings(max_examples=20, deadline=None)
def test_every_level_line_lies_where_the_function_has_that_height(stretch, across, up):
    def f(p):
        return stretch * (p[:, 0] - across) ** 2 + (p[:, 1] - up) ** 2

    seen = viz.descent(f, DOWN, x=(-3, 3), y=(-2, 2))
    lines = paths_of(seen, "l")
    assert len(lines) == len(seen.levels) == 8
    for level, line in zip(seen.levels, lines, strict=True):
        heights = f(back(seen, corners(line)))
        assert heights == pytest.approx(level, rel=0.03, abs=0.03 * seen.levels[0])


def test_the_level_lines_of_a_round_bowl_are_rings_and_their_chains_are_closed():
    seen = viz.descent(bowl, [[0.0, 0.0]], x=(-3, 3), y=(-3, 3))
    inner = [line for line, level in zip(paths_of(seen, "l"), seen.levels, strict=True) if level < 8.5]
    assert len(inner) >= 4
    for line in inner:
        spots = corners(line)
        assert line.count("M") == 1
        assert spots[0] == pytest.approx(spots[-1])


def test_a_saddle_has_two_lines_that_do_not_cross():
    seen = viz.descent(lambda p: p[:, 0] * p[:, 1], [[1.0, 1.0]], x=(-2, 2), y=(-2, 2))
    for line in paths_of(seen, "l"):
        assert len({np.sign(back(seen, corners(piece))[0, 0]) for piece in re.findall(r"M[^M]+", line)}) == 2


def test_the_marks_stand_where_the_path_was():
    seen = viz.descent(bowl, DOWN)
    (path,) = paths_of(seen, "c c0")[:1]
    assert back(seen, corners(path)) == pytest.approx(DOWN, abs=0.01)
    assert seen.paths[0].heights.tolist() == [5.0, 1.25, 0.3125]


def test_its_frames_go_along_the_path():
    (reel,) = viz.descent(bowl, DOWN)._reels
    assert [frame.count for frame in reel.frames] == ["0 / 2", "1 / 2", "2 / 2"]
    assert reel.frames[1].sentence == "Step 1. Heights: 1.25."
    long = viz.descent(bowl, {"a": np.linspace([2, 1], [0, 0], 500)})
    counts = [int(frame.count.split()[0]) for frame in long._reels[0].frames]
    assert counts[:6] == [0, 1, 2, 3, 4, 5]
    assert counts[-1] == 499
    assert len(counts) < 32


def test_a_path_that_leaves_ends_at_the_edge_and_is_told_of():
    seen = viz.descent(bowl, {"wild": [[1, 0], [-2, 0], [4, 0], [-8, 0]]}, x=(-3, 3), y=(-2, 2))
    assert seen.sentences()[0] == "wild: height 1 at the start, 64 after 3 steps. It leaves the picture at step 2."
    spots = back(seen, corners(paths_of(seen, "c c0")[0]))
    assert spots[-1] == pytest.approx([3, 0], abs=0.01)


def test_a_path_that_becomes_nan_is_told_of():
    seen = viz.descent(bowl, {"lost": [[1, 0], [0.5, 0], [np.nan, 0]]})
    assert seen.sentences()[0].endswith("From step 2 on it is nowhere: nan.")


def test_where_the_function_is_nan_there_are_no_lines():
    def f(p):
        return np.log(p[:, 0]) ** 2 + p[:, 1] ** 2

    seen = viz.descent(f, [[2.0, 1.0], [1.0, 0.0]], x=(-1, 3), y=(-2, 2))
    assert seen.sentences()[-1] == "The function is nan at 26 % of the picture: no level lines there."
    for line in paths_of(seen, "l"):
        assert (back(seen, corners(line))[:, 0] > 0).all()


def test_a_flat_function_has_no_level_lines():
    seen = viz.descent(lambda p: np.zeros(len(p)), DOWN)
    assert (seen.levels, paths_of(seen, "l")) == ((), [])


@pytest.mark.parametrize(
    "f",
    [
        lambda p: Tensor(p).pow(2).sum(dim=1),
        lambda p: [x * x + y * y for x, y in p.tolist()],
        lambda p: [Value(x) ** 2 + Value(y) ** 2 for x, y in p.tolist()],
        lambda p: (p**2).sum(axis=1, keepdims=True),
    ],
)
def test_heights_may_come_as_one_likes(f):
    assert viz.descent(f, DOWN).svg() == viz.descent(bowl, DOWN).svg()


def test_it_speaks_spanish(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    assert viz.descent(bowl, DOWN).sentences()[0] == "El camino: altura 5 al principio, 0.312 tras 2 pasos."


@pytest.mark.parametrize(
    ("paths", "more", "said"),
    [
        ([1.0, 2.0], {}, r"a path is points in the plane, of shape \(n, 2\), n at least 1, not \(2,\)"),
        ({"SGD": np.zeros((0, 2))}, {}, r"the path 'SGD' is points .* not \(0, 2\)"),
        ({}, {}, "tells 1 to 4 paths apart, and there are 0"),
        ({str(each): DOWN for each in range(5)}, {}, "and there are 5"),
        (DOWN, {"x": (2, 1)}, r"x is from where to where the picture goes, \(low, high\), not \(2, 1\)"),
        ([[np.nan, 1.0]], {}, "no point of any path has a place"),
    ],
)
def test_what_is_no_path_is_refused(paths, more, said):
    with pytest.raises(ValueError, match=said):
        viz.descent(bowl, paths, **more)


def test_a_function_of_one_place_is_refused():
    with pytest.raises(ValueError, match=r"returned the shape \(\): one height for each place is wanted"):
        viz.descent(lambda p: 3.0, DOWN)
