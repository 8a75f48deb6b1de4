"""The unbroadcast microscope: its sums are NumPy's, and a wrong result is named."""

import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minitorch import Tensor, viz
from minitorch.viz.drawing.grids import CELL

GOLDEN = Path(__file__).with_name("golden")
SPACE = "{http://www.w3.org/2000/svg}"
CASES = [
    ((4, 3), (3,), (0,)),
    ((4, 3), (4, 1), (1,)),
    ((4, 3), (1, 3), (0,)),
    ((4, 3), (1, 1), (0, 1)),
    ((4, 3), (), (0, 1)),
    ((4, 3), (4, 3), ()),
    ((), (), ()),
    ((2, 4, 3), (4, 1), (0, 2)),
    ((5, 2, 9, 3), (1, 9, 1), (0, 1, 3)),
    ((64, 16), (16,), (0,)),
    ((0, 3), (3,), (0,)),
    ((1, 3), (3,), (0,)),
]


@pytest.mark.parametrize(("have", "want", "axes"), CASES)
def test_the_sums_are_numpys_and_every_form_holds(have, want, axes):
    gradient = np.random.default_rng(0).normal(size=have)
    seen = viz.unbroadcast(gradient, want)
    assert seen.axes == axes
    assert len(seen.reasons) == len(axes)
    np.testing.assert_allclose(seen.expected, gradient.sum(axis=axes).reshape(want))
    assert np.broadcast_shapes(want, have) == have
    tree = ET.fromstring(seen.svg())
    assert tree.get("role") == "img"
    assert str(want) in tree.find(f"{SPACE}desc").text
    assert len(seen.svg()) < 30_000
    assert len(seen.text().splitlines()) < 90


@given(
    st.lists(st.tuples(st.integers(1, 7), st.booleans()), max_size=4),
    st.integers(0, 2),
)
@settings(max_examples=40, deadline=None)
def test_the_terms_of_every_entry_add_up_to_it(axes, missing):
    have = tuple(size for size, _ in axes)
    want = tuple(1 if stretched else size for size, stretched in axes)[missing:]
    gradient = np.random.default_rng(1).normal(size=have)
    seen = viz.unbroadcast(gradient, want)
    for index in np.ndindex(want):
        assert np.isclose(sum(seen.terms(index)), seen.expected[index])
    for index in np.ndindex(have):
        assert gradient[index] in seen.terms(seen.owner(index))
    assert sum(not seen.is_copy(index) for index in np.ndindex(have)) == seen.expected.size


def test_a_shape_stands_for_a_gradient_that_counts_and_a_tensor_for_its_numbers():
    assert viz.unbroadcast((4, 3), (3,)).arithmetic()[0] == "a: 1 + 4 + 7 + 10 = 22"
    seen = viz.unbroadcast(Tensor(np.ones((2, 3))), Tensor(np.zeros(3)))
    assert seen.shape == (3,)
    assert seen.expected.tolist() == [2.0, 2.0, 2.0]


def test_it_says_which_axes_are_summed_and_why():
    seen = viz.unbroadcast((2, 4, 3), (4, 1))
    assert seen.reasons == (
        "axis 0 is missing in (4, 1): it was added on the left",
        "axis 2 has size 1 in (4, 1), and 3 in (2, 4, 3)",
    )
    assert "each entry is used 6 times" in seen.text()
    assert "nothing is summed" in viz.unbroadcast((4, 3), (4, 3)).text()


GRADIENT = np.arange(12.0).reshape(4, 3)[[2, 3, 0, 1]] ** 2 + 1
WRONG = {
    "mean": (GRADIENT.mean(0), (3,), "the mean over axis 0: each number is the sum divided by 4"),
    "first copy": (GRADIENT[0], (3,), "the first copy alone: the other 3 copies"),
    "last copy": (GRADIENT[-1], (3,), "the last copy alone"),
    "largest": (GRADIENT.max(0), (3,), "the largest of the copies"),
    "keepdims": (GRADIENT.sum(0, keepdims=True), (3,), "the shape is (1, 3), not (3,): the numbers are right, but the"),
    "size 1 dropped": (GRADIENT.sum(1), (4, 1), "axes of size 1 were dropped: sum those with keepdims=True"),
    "wrong axis": (GRADIENT.sum(1), (3,), "the shape is (4,), not (3,): summed over axis 1 instead of axis 0"),
    "nothing summed": (GRADIENT, (3,), "the shape is (4, 3), not (3,): nothing was summed"),
    "everything summed": (GRADIENT.sum(), (3,), "the shape is (), not (3,): summed over axes 0, 1 instead of axis 0"),
    "sign": (-GRADIENT.sum(0), (3,), "the sign is turned round"),
    "one number": (GRADIENT.sum(0) + np.array([0, 1, 0]), (3,), "1 of 3 numbers differ"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_result_is_named_and_marked_by_sign_and_word(name):
    result, shape, words = WRONG[name]
    seen = viz.unbroadcast(GRADIENT, shape, result=result)
    assert words in seen.problem
    assert f"WRONG: {seen.problem}" in seen.text()
    said = ["".join(each.itertext()) for each in ET.fromstring(seen.svg()).iter(f"{SPACE}text")]
    assert any(text.startswith("✗ ") for text in said)
    assert "Your result is wrong" in ET.fromstring(seen.svg()).find(f"{SPACE}desc").text


def test_on_a_square_the_wrong_axis_is_told_from_the_right_one():
    square = np.arange(9.0).reshape(3, 3) ** 2
    assert viz.unbroadcast(square, (3,), result=square.sum(1)).problem == "summed over axis 1 instead of axis 0"


def test_one_of_two_axes_forgotten_is_named():
    gradient = np.random.default_rng(2).normal(size=(2, 4, 3))
    result = gradient[0].sum(1, keepdims=True)
    assert viz.unbroadcast(gradient, (4, 1), result=result).problem.startswith("axis 0 is not summed")


def test_a_right_result_is_called_right():
    seen = viz.unbroadcast(GRADIENT, (3,), result=Tensor(GRADIENT.sum(0)))
    assert seen.problem == ""
    assert seen.text().endswith("\nright")
    assert "✓ right." in seen.svg()


def test_what_cannot_be_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match=r"\(2,\) cannot be stretched to \(4, 3\).*but axis 1 has 3 and 2"):
        viz.unbroadcast((4, 3), (2,))
    with pytest.raises(ValueError, match=r"\(1, 4, 3\) cannot be stretched to \(4, 3\): an operand has no more axes"):
        viz.unbroadcast((4, 3), (1, 4, 3))
    with pytest.raises(ValueError, match="draws up to 6 axes"):
        viz.unbroadcast((1,) * 7, (1,))
    with pytest.raises(TypeError, match="a shape is a tuple of whole numbers"):
        viz.unbroadcast((4, 3), (3.5,))
    with pytest.raises(TypeError, match="expected an array, a Tensor or a shape, not str"):
        viz.unbroadcast("gradient", (3,))
    with pytest.raises(TypeError, match="expected an array, a Tensor or a shape, not object"):
        viz.unbroadcast((4, 3), (3,), result=object())


def test_a_large_array_is_shortened_and_the_sums_stay_whole():
    gradient = np.ones((1000, 5, 50, 40))
    seen = viz.unbroadcast(gradient, (50, 1))
    assert seen.arithmetic()[0] == "a: 1 + 1 + 1 + 1 + 1 + … 199995 more = 2e5"
    assert "[999, 4]" in seen.text()
    assert len(seen.svg()) < 40_000


@pytest.mark.parametrize("name", ["unbroadcast.txt", "unbroadcast.svg", "unbroadcast_wrong.svg"])
def test_pictures_are_the_golden_ones(name):
    seen = viz.unbroadcast((4, 3), (3,))
    forms = {
        "unbroadcast.txt": f"{seen.text()}\n",
        "unbroadcast.svg": seen.svg(),
        "unbroadcast_wrong.svg": viz.unbroadcast((2, 4, 3), (4, 1), result=np.ones((4, 1))).svg(),
    }
    if os.environ.get("MINITORCH_WRITE_GOLDEN"):
        (GOLDEN / name).write_text(forms[name], encoding="utf-8")
    assert forms[name] == (GOLDEN / name).read_text(encoding="utf-8")


def test_ids_keep_apart():
    first, second = viz.unbroadcast((4, 3), (3,)), viz.unbroadcast((4, 3), (4, 1))
    assert set(first._repr_mimebundle_()) == {"text/html", "text/plain"}
    assert repr(first) == first.text()
    ids = [set(re.findall(r' id="([^"]+)"', picture.svg())) for picture in (first, second)]
    assert not ids[0] & ids[1]


def test_the_page_needs_no_network(tmp_path):
    page = viz.unbroadcast((4, 3), (3,)).html(tmp_path / "a.html").read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[^\"\\` ]+", page)) <= {"http://www.w3.org/2000/svg"}


def test_the_name_of_a_matrix_is_nearer_to_it_than_to_the_one_above():
    tree = ET.fromstring(viz.unbroadcast((2, 2, 3, 3), (2, 1, 3)).svg())
    seen = 0
    for group in tree.iter(f"{SPACE}g"):
        names = [float(name.get("y")) for name in group if (name.text or "").startswith("[")]
        tops = sorted({float(cell.get("y")) for cell in group.iter(f"{SPACE}rect") if cell.get("y")})
        for name in names[1:]:  # the letters are 9 px tall, and reach 3 px below their line
            below = min(top for top in tops if top > name) - (name + 3)
            above = (name - 9) - max(top + CELL for top in tops if top < name)
            assert above >= 2 * below
            seen += 1
    assert seen


def test_a_shape_in_a_sentence_of_the_picture_is_not_broken_over_two_lines():
    for seen in (viz.reshape((2, 3), (3, 2)), viz.unbroadcast((2, 4, 3), (4, 1)), viz.reshape((2, 2, 3), (4, 3))):
        texts = [each.text or "" for each in ET.fromstring(seen.svg()).iter(f"{SPACE}text")]
        assert all(text.count("(") == text.count(")") for text in texts)
