"""Microscopes run the learner's own function, move, and have twins for transpose, reshape and getitem."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from viz_forms import has_every_form

import minitorch as mt
from minitorch import viz

SPACE = "{http://www.w3.org/2000/svg}"
CASES = {
    "transpose": (lambda: viz.transpose((2, 3)), lambda x: x.transpose(0, 1)),
    "cycle": (lambda: viz.transpose((2, 3, 4), (1, 2, 0)), lambda x: x.permute(1, 2, 0)),
    "reshape": (lambda: viz.reshape((2, 3), (3, 2)), lambda x: x.reshape(3, 2)),
    "slice": (lambda: viz.getitem((4, 3), (slice(1, None, 2), 0)), lambda x: x[1::2, 0]),
    "repeated": (lambda: viz.getitem((3,), np.array([0, 2, 0])), lambda x: x[np.array([0, 2, 0])]),
    "mask": (lambda: viz.getitem((2, 2), np.array([[True, False], [True, True]])), lambda x: x[[0, 1, 1], [0, 0, 1]]),
    "number": (lambda: viz.getitem((3,), 1), lambda x: x[1]),
}


@pytest.mark.parametrize("name", CASES)
def test_numbers_come_back_as_the_engine_sends_them(name):
    made, operation = CASES[name]
    seen = made()
    x = mt.Tensor(np.zeros(seen.shape), requires_grad=True)
    out = operation(x)
    assert out.shape == seen.gradient.shape
    (out * mt.Tensor(seen.gradient)).sum().backward()
    np.testing.assert_array_equal(seen.expected, x.grad)
    for index in np.ndindex(seen.shape):
        assert sum(seen.terms(index)) == seen.expected[index]


@pytest.mark.parametrize("name", CASES)
def test_a_twin_has_every_form(name, tmp_path):
    has_every_form(CASES[name][0], tmp_path)
    tree = ET.fromstring(CASES[name][0]().svg())
    assert str(CASES[name][0]().shape) in tree.find(f"{SPACE}desc").text


def test_repeated_indices_add_and_what_was_not_picked_gets_0():
    seen = viz.getitem((3,), [0, 2, 0])
    assert seen.arithmetic() == ["a: 1 + 3 = 4", "b: 0", "c: 2"]
    assert "An entry that was picked several times gets all its gradients, added." in seen.text()
    assert 'class="u"' in seen.svg()


def assigned(g, x, index):
    x_grad = x * 0
    x_grad[index] = g
    return x_grad


def counting(g, x, index):
    x_grad = x * 0
    np.add.at(x_grad, index, 1.0)
    return x_grad


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (
            lambda: viz.getitem((3,), [0, 2, 0], rule=assigned),
            "only the last gradient is there: all must be added",
        ),
        (lambda: viz.getitem((3,), [0, 2, 0], rule=counting), "how often each entry is picked"),
        (lambda: viz.getitem((3,), [0, 2], rule=lambda g, x, i: g), "the zeros around it are missing"),
        (lambda: viz.transpose((2, 3, 4), (1, 2, 0), rule=lambda g, x, a: g.transpose(a)), "once more"),
        (lambda: viz.transpose((3, 3), rule=lambda g, x, a: g), "its axes are not put back"),
        (lambda: viz.transpose((2, 2, 2), (1, 2, 0), rule=lambda g, x, a: g.T), "all axes are reversed"),
        (lambda: viz.reshape((2, 3), (3, 2), rule=lambda g, x: g.reshape(x.shape, order="F")), "column by column"),
        (lambda: viz.reshape((2, 3), 6, rule=lambda g, x: g), "the shape is not put back"),
        (lambda: viz.reshape((2, 3), 6, rule=lambda g, x: -g.reshape(x.shape)), "the sign is turned round"),
    ],
)
def test_a_known_mistake_of_a_rule_is_named(picture, said):
    seen = picture()
    assert said in seen.problem
    assert f"WRONG: {seen.problem}" in seen.text()
    assert "✗ " in seen.svg()


def unbroadcast_vjp(gradient, shape):
    return gradient.sum(axis=0)


def test_the_learners_own_function_runs_and_is_named():
    seen = viz.unbroadcast((4, 3), (3,), rule=unbroadcast_vjp)
    assert (seen.problem, seen.result_name) == ("", "your unbroadcast_vjp")
    assert "your unbroadcast_vjp" in seen.svg()
    wrong = viz.unbroadcast((4, 3), (1, 3), rule=unbroadcast_vjp)
    assert "axes of size 1 were dropped" in wrong.problem
    assert "Your unbroadcast_vjp is wrong" in wrong._told()


def test_a_function_that_is_not_the_learners_is_called_reference():
    assert viz.unbroadcast((4, 3), (3,), rule=unbroadcast_vjp, whose="reference").result_name.endswith(", reference")
    from minitorch.autograd.backward import unbroadcast

    assert viz.unbroadcast((4, 3), (3,), rule=unbroadcast).result_name == "unbroadcast, reference"


def test_what_a_function_raises_or_gives_back_that_is_no_array_is_shown():
    def raises(gradient, shape):
        raise IndexError("axis 7")

    seen = viz.unbroadcast((4, 3), (3,), rule=raises)
    assert seen.problem == "it raised IndexError: axis 7"
    assert "it raised IndexError: axis 7" in seen.svg()
    assert seen.text().endswith("WRONG: it raised IndexError: axis 7")
    none = viz.unbroadcast((4, 3), (3,), rule=lambda gradient, shape: None)
    assert none.problem == "it returned a NoneType, which is no array of numbers"


def test_a_function_that_writes_into_its_arguments_changes_nothing_of_the_picture():
    def spoils(gradient, shape):
        gradient[:] = 0
        return gradient.sum(axis=0)

    assert viz.unbroadcast((4, 3), (3,), rule=spoils).gradient[0, 0] == 1.0


def test_what_cannot_be_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match=r"axes \(0, 0\) must name each of the 2 axes of \(2, 3\) once"):
        viz.transpose((2, 3), (0, 0))
    with pytest.raises(ValueError, match="follows up to 10,000 numbers, and x has 40,000"):
        viz.reshape((200, 200), -1)
    with pytest.raises(ValueError, match=r"the gradient is \(2, 3\), and the result \(3, 2\): use that shape"):
        viz.transpose((2, 3), gradient=np.ones((2, 3)))


# -- nan and inf -----------------------------------------------------------------------------------------------------


def test_a_nan_is_followed_from_where_it_arrives_to_what_it_spoils():
    gradient = np.array([[1.0, np.nan], [2.0, 3.0]])
    seen = viz.unbroadcast(gradient, (2,))
    assert "nan arrives at [0, 1] and spoils b." in seen.text()
    assert 'class="w"' in seen.svg()
    assert "inf is born in the sum of a: what is added is finite." in viz.unbroadcast(np.full((2, 1), 1e308), ()).text()
    broken = viz.unbroadcast((4, 3), (3,), rule=lambda g, s: g.sum(0) / 0)
    assert "inf is born in your result: what it was given is finite." in broken.text()


# -- steps and motion ------------------------------------------------------------------------------------------------


def test_the_steps_stretch_then_a_gradient_arrives_then_entry_by_entry_comes_back():
    seen = viz.unbroadcast((4, 3), (3,))
    (reel,) = seen._reels
    said = [frame.sentence for frame in reel.frames]
    assert said[0].startswith("The operand (3,)")
    assert said[1] == "Forward: (3,) is stretched to (4, 3) along axis 0; each entry is used 4 times."
    assert said[2].startswith("Backward: a gradient (4, 3) arrives")
    assert said[3:6] == [
        "Backward, a: 1 + 4 + 7 + 10 = 22.",
        "Backward, b: 2 + 5 + 8 + 11 = 26.",
        "Backward, c: 3 + 6 + 9 + 12 = 30.",
    ]
    assert len(said) == 7
    assert reel.frames[1].places["forward"].count('class="mv"') == 12
    assert reel.frames[3].places["moves"].count('class="gone"') == 4
    assert "".join(reel.frames[-1].places.values()).count("--dx") == 0, "what stands still shows no motion"


def test_a_cell_comes_from_where_its_entry_stands():
    (reel,) = viz.unbroadcast((4, 3), (3,))._reels
    ways = re.findall(r"--dx:(-?\d+)px;--dy:(-?\d+)px", reel.frames[1].places["forward"])
    assert len({dx for dx, _ in ways}) == 1, "every column moves by the same way to the side"
    assert [int(dy) for _, dy in ways[::3]] == [42, 14, -14, -42]


@pytest.mark.gate
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_cells_move_in_a_browser_unless_the_reader_asks_for_less(browser, tmp_path, motion):
    path = viz.unbroadcast((4, 3), (3,)).html(tmp_path / "a.html")
    context = browser.new_context(reduced_motion=motion)
    page = context.new_page()
    page.goto(path.as_uri())
    page.keyboard.press("Tab")
    page.locator(".stage").focus()
    page.keyboard.press("ArrowRight")
    moving = page.locator(".mv").first.evaluate("each => getComputedStyle(each).animationName")
    assert moving == ("mv" if motion == "no-preference" else "none")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    shown = page.locator(".gone").first.evaluate("each => getComputedStyle(each).display")
    assert (shown == "none") == (motion == "reduce")
    context.close()


def test_it_speaks_spanish(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    seen = viz.getitem((3,), [0, 2, 0], rule=assigned)
    assert "de un número elegido varias veces solo queda el último gradiente" in seen.text()
    assert seen.result_name == "tu assigned"
    for english in ("Backward", "picked", "WRONG", "operand ", "your", "gradient "):
        assert english not in re.sub(r"<style>.*?</style>", "", seen.svg(), flags=re.DOTALL) + seen.text()
