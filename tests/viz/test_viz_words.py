"""Numbers, names and sentences, and the listing that a terminal shows."""

import pytest
from viz_pictures import layer, odd_labels, product_and_sum, random_values, stacked

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.facts import words
from minitorch.viz.facts.capture import snapshot, trace
from minitorch.viz.facts.model import Reading


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "0"), (-0.0, "0"), (2.0, "2"), (-3.0, "-3"), (1 / 3, "0.333"), (2.5, "2.5"), (0.1 + 0.2, "0.3"),
        (1234.0, "1234"), (99_999.0, "99999"), (1234.5, "1.23e3"), (100_000.0, "1e5"), (-1e-7, "-1e-7"),
        (0.00012345, "0.000123"), (float("inf"), "inf"), (float("-inf"), "-inf"), (float("nan"), "nan"),
    ],
)  # fmt: skip
def test_numbers_have_three_digits(value, said):
    assert words.number(value) == said
    assert words.number(value, words.TYPESET) == said.replace("-", "−")


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (Reading((), 2.0, (2.0,)), "2"),
        (Reading((1,), 2.0, (2.0,)), "[2]"),
        (Reading((2, 2), 2.0, (1.0, -1.0, 1.0, 1.0)), "[[1, -1], [1, 1]]"),
        (Reading((0,), 0.0, ()), "empty"),
        (Reading((5,), 3.0, (1.0, 2.0, 2.0, 0.0, 0.0)), "norm 3"),
        (Reading((5,), 0.0, (0.0,) * 5), "0"),
        (Reading((1, 1, 1), 3.0, (3.0,)), "norm 3"),
        (Reading((100,), float("nan")), "norm nan"),
    ],
)
def test_small_arrays_are_written_out(read, said):
    assert words.reading(read) == said


def test_entries_are_all_of_them():
    assert words.entries(Reading((5,), 3.0, (1.0, 2.0, 2.0, 0.0, 0.0))) == "[1, 2, 2, 0, 0]"
    assert words.entries(Reading((1, 1, 1), 3.0, (3.0,))) == "[[[3]]]"
    assert words.entries(Reading((100,), 3.0)) == "norm 3"


def test_no_two_nodes_have_the_same_name():
    a, b, c = Value(1.0, label="a"), Value(2.0, label="a"), Value(3.0, label="v1")
    assert words.names(snapshot(a * b + c)) == ("a (1)", "a (2)", "v1", "n1", "n2")


def test_a_scalar_graph_reads_like_code():
    root, _ = product_and_sum()
    root.backward()
    assert viz.graph(root).text().splitlines() == [
        "node  made by  value  gradient",
        "x     leaf         2        -2",
        "y     leaf        -3         2",
        "v1    x * y       -6         1",
        "loss  v1 + x      -4         1",
    ]


def test_a_tensor_graph_reads_like_code():
    loss, names = layer()
    lines = viz.graph(loss, names=names).text().splitlines()
    assert lines[0].split() == ["node", "made", "by", "shape", "value", "gradient", "note"]
    assert any(line.startswith("v2    add(v1, b)") and line.endswith("b stretched along axis 0") for line in lines)
    assert any("pow(h, 2)" in line for line in lines)
    assert any(line.split() == ["x", "constant", "(6,", "2)", "norm", "2.04", "constant"] for line in lines), lines


def test_the_text_of_a_step_has_the_steps_so_far():
    root, _ = product_and_sum()
    stepper = viz.step(root)
    assert "backward pass from loss: 0 of 5 steps" in stepper.text(0)
    assert stepper.text(0).count("no gradient yet") == 4
    assert stepper.text(4).splitlines()[-1] == "  4  x     from v1    +=  1 * -3 = -3  now -2"
    assert stepper.text() == stepper.text(5)


def test_summed_axes_are_named():
    loss, names = layer()
    assert "(3,) <- (6, 3) summed over axis 0" in viz.step(loss, names=names).text()
    found = trace(loss, names)
    step = next(number for number, event in enumerate(found.events, start=1) if event.reduced_axes)
    said = words.sentence(found, step, words.names(found.graph))
    assert said.startswith(
        f"Step {step} of {len(found.events)}. add (v2) sets the gradient of b, its first contribution"
    )
    assert said.endswith("Goes to b: (3,) <- (6, 3), summed over axis 0.")


def test_a_long_listing_is_shortened_where_a_notebook_shows_it():
    picture = viz.graph(random_values(400), fold=False)
    assert len(picture.text().splitlines()) == len(picture.graph.nodes) + 1
    shown = picture._repr_mimebundle_()["text/plain"].splitlines()
    assert len(shown) == 200
    assert sum("more lines" in line for line in shown) == 1
    assert (shown[0], shown[-1]) == (picture.text().splitlines()[0], picture.text().splitlines()[-1])


def test_every_label_stays_on_its_line():
    root, _ = odd_labels()
    assert len(viz.graph(root).text().splitlines()) == 5
    strange = Value(1.0, label="two\nlines\tand\x1b[31m more") * 2.0
    assert len(viz.graph(strange).text().splitlines()) == 3
    assert "\x1b" not in viz.graph(strange).text()
    assert "\x1b" not in viz.graph(strange).svg()


def test_many_operands_are_listed():
    root, _ = stacked()
    assert "stack(v1, v2, v3, v4)" in viz.graph(root).text()
