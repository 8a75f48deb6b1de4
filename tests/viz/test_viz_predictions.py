"""What is asked of a backward pass: right answers are right, and a wrong one is the mistake's that makes it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from viz_pictures import PICTURES, layer, product_and_sum, random_values, square

from minitorch import Tensor, nn, viz
from minitorch.scalar import Value
from minitorch.viz.drawing import predicting
from minitorch.viz.facts import words
from minitorch.viz.facts.capture import trace
from minitorch.viz.facts.misconceptions import as_shown
from minitorch.viz.facts.predictions import questions
from minitorch.viz.facts.questions import Question
from minitorch.viz.facts.walks import walked


def asked(loss, step, kind="part", names=None) -> Question:
    return next(each for each in questions(trace(loss, names)) if (each.step, each.kind) == (step, kind))


def x_and_y(a=2.0, b=-3.0):
    return Value(a, label="x"), Value(b, label="y")


# -- each mistake, made by the engine ---------------------------------------------------------------------------------

# What is computed of x and y; which operand is asked about; the mistake; the local gradient that the mistake makes.
SLIPS = {
    "own_operand": (lambda x, y: x * y, 0, lambda x, y, o: x),
    "own_operand of the second": (lambda x, y: x * y, 1, lambda x, y, o: y),
    "own_operand with a number": (lambda x, y: x * 5, 0, lambda x, y, o: x),
    "own_factor": (lambda x, y: Value.dot([x], [y]), 0, lambda x, y, o: x),
    "as_product": (lambda x, y: x + y, 0, lambda x, y, o: y),
    "own": (lambda x, y: x + y, 0, lambda x, y, o: x),
    "minus": (lambda x, y: x - y, 1, lambda x, y, o: 1),
    "minus of neg": (lambda x, y: -x, 0, lambda x, y, o: 1),
    "quotient_sign": (lambda x, y: x / y, 1, lambda x, y, o: x / y**2),
    "no_square": (lambda x, y: x / y, 1, lambda x, y, o: -x / y),
    "no_numerator": (lambda x, y: x / y, 1, lambda x, y, o: -1 / y**2),
    "as_numerator": (lambda x, y: x / y, 1, lambda x, y, o: 1 / y),
    "not_divided": (lambda x, y: x / y, 0, lambda x, y, o: y),
    "as_denominator": (lambda x, y: x / y, 0, lambda x, y, o: -x / y**2),
    "power_no_factor": (lambda x, y: x**3, 0, lambda x, y, o: x**2),
    "power_same": (lambda x, y: x**3, 0, lambda x, y, o: 3 * x**3),
    "power_factor_only": (lambda x, y: x**3, 0, lambda x, y, o: 3),
    "function_itself": (lambda x, y: x**3, 0, lambda x, y, o: o),
    "no_log": (lambda x, y: 3**x, 0, lambda x, y, o: o),
    "power_rule": (lambda x, y: 3**x, 0, lambda x, y, o: x * 3 ** (x - 1)),
    "power_rule of exp": (lambda x, y: x.exp(), 0, lambda x, y, o: x * math.exp(x - 1)),
    "of_operand": (lambda x, y: x.tanh(), 0, lambda x, y, o: 1 - x**2),
    "of_operand of sigmoid": (lambda x, y: x.sigmoid(), 0, lambda x, y, o: x * (1 - x)),
    "of_operand of exp": (lambda x, y: x.exp(), 0, lambda x, y, o: x),
    "of_result": (lambda x, y: x.log(), 0, lambda x, y, o: 1 / o),
    "not_inverted": (lambda x, y: x.log(), 0, lambda x, y, o: x),
    "tanh_no_square": (lambda x, y: x.tanh(), 0, lambda x, y, o: 1 - o),
    "tanh_no_one": (lambda x, y: x.tanh(), 0, lambda x, y, o: o**2),
    "sigmoid_rule": (lambda x, y: x.tanh(), 0, lambda x, y, o: o * (1 - o)),
    "tanh_rule": (lambda x, y: x.sigmoid(), 0, lambda x, y, o: 1 - o**2),
    "sigmoid_one_factor": (lambda x, y: x.sigmoid(), 0, lambda x, y, o: 1 - o),
    "blocked": (lambda x, y: x.relu(), 0, lambda x, y, o: 0),
    "let_through": (lambda x, y: y.relu(), 1, lambda x, y, o: 1),
    "upstream_only": (lambda x, y: x * y, 0, lambda x, y, o: 1),
    "turned": (lambda x, y: x * y, 0, lambda x, y, o: -y),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_the_number_of_a_mistake_is_what_the_engine_gives_that_makes_it(slip):
    compute, which, wrong = SLIPS[slip]
    leaves = x_and_y(0.7)
    made, numbers = compute(*leaves), [leaf.data for leaf in leaves]
    loss = made * 7
    place = made._prev.index(leaves[which])
    question = asked(loss, 3 + place)  # after the seed, and what arrives at the operation itself
    slopes = [0.0] * len(made._prev)
    slopes[place] = wrong(*numbers, made.data)
    made._local_grads = tuple(slopes)
    loss.backward()
    assert slip.split(" ")[0] in question.judged(leaves[which].grad)


def test_a_forgotten_upstream_is_the_pass_that_starts_below():
    x, y = x_and_y()
    inner = x * y
    question = asked(inner * 7, 3)
    inner.backward()
    assert question.judged(x.grad) == ("local_only",)
    assert question.judged(7 * x.grad) == ("right",)


def test_a_sum_that_is_overwritten_is_what_such_a_walk_leaves():
    loss, _ = product_and_sum()
    question = asked(loss, 4, "sum")
    left = walked(trace(loss).graph, "overwrite").gradients[0]
    assert question.judged(left) == ("overwritten",)
    assert question.judged(1.0) == ("kept",)
    assert question.judged(-2.0) == ("right",)


def test_one_of_two_uses_is_told_from_a_sum_that_is_overwritten():
    loss, _ = square()
    assert asked(loss, 3, "sum").judged(3.0) == ("one_use",)
    assert asked(loss, 2).judged(6.0) == ("both_uses",)


def test_a_pass_that_starts_from_the_value():
    loss, _ = product_and_sum()
    question = asked(loss, 1, "seed")
    assert question.judged(1.0) == ("right",)
    assert [question.judged(each) for each in (-4.0, 0.0, 2.0)] == [("seed_value",), ("seed_zero",), ()]


def test_the_forward_values_and_what_is_there_already():
    x, y = x_and_y(5.0)
    v = x * y
    question = asked((v * 3 + x) * 11, 6)  # v hands on to x: 33 * -3
    assert question.judged(-99.0) == ("right",)
    assert question.judged(-99.0 + 11) == ("already_added",)
    assert question.judged(11.0) == ("before",)
    assert question.judged(-15.0) == ("value_giver",)
    assert question.judged(30.0) == ("added",)


def test_two_mistakes_of_one_number_are_both_said_and_one_of_the_right_number_is_not():
    x, y = x_and_y(4.0, 6.0)
    assert asked((x * y) * 6, 3).judged(6.0) == ("upstream_only", "local_only")
    x, y = x_and_y(3.0, 3.0)
    question = asked((x * y) * 2, 3)
    assert question.judged(6.0) == ("right",)
    assert "own_operand" not in {name for _, name in question.wrong}


# -- right answers ----------------------------------------------------------------------------------------------------


def test_three_digits_are_enough_and_two_are_near():
    loss = Value(0.5, label="x").tanh()
    question = asked(loss, 2)  # 1 - tanh(0.5)^2 = 0.78645
    for right in (0.78645, 0.786, 0.7864, 1 - 0.462**2, 0.787):
        assert question.judged(right) == ("right",), right
    assert [question.judged(each) for each in (0.79, 0.8, 0.7, 0.9)] == [("near",), ("near",), (), ()]


def test_a_whole_number_has_to_be_that_number():
    x, y = x_and_y(7.0, 100.0)
    question = asked((x * y) * 2, 3)
    assert [question.judged(each) for each in (200.0, 201.0, 199.0)] == [("right",), (), ()]


OPERATIONS = (
    lambda a, b: a * b,
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a / b if abs(b.data) > 1e-3 else a * b,
    lambda a, b: a.tanh(),
    lambda a, b: a.sigmoid(),
    lambda a, b: a.relu(),
    lambda a, b: a.exp() if a.data < 20 else a,
    lambda a, b: a.log() if a.data > 1e-3 else a,
    lambda a, b: a**3,
    lambda a, b: a**2 if b.data > 0 else -a,
    lambda a, b: a * 0.3 + 1.7,
    lambda a, b: 1 - a,
    lambda a, b: 2 / a if abs(a.data) > 1e-3 else a,
    lambda a, b: Value.dot([a, b], [b, 2.5], start=a),
)


@st.composite
def graphs(draw):
    number = st.floats(-4, 4).map(lambda each: round(each, draw(st.integers(0, 3))))
    values = [Value(draw(number)) for _ in range(3)]
    for _ in range(draw(st.integers(1, 7))):
        a, b = (values[draw(st.integers(0, len(values) - 1))] for _ in range(2))
        made = draw(st.sampled_from(OPERATIONS))(a, b)
        if abs(made.data) < 1e6:
            values.append(made)
    return values[-1] + values[draw(st.integers(0, len(values) - 1))]


@given(graphs())
def test_of_any_graph_the_right_number_is_right_however_it_is_written(loss):
    facts = trace(loss)
    found = {(each.step, each.kind): each for each in questions(facts)}
    for step, event in enumerate(facts.events, start=1):
        part, after = event.contribution.values[0], event.after.values[0]
        rights = {("part" if event.edge is not None else "seed"): part}
        if event.kind == "add":
            rights["sum"] = after
        for kind, right in rights.items():
            if not math.isfinite(right):
                continue
            question = found[step, kind]
            assert question.judged(right) == question.judged(as_shown(right)) == ("right",)
            assert float(words.number(right)) in question.right
            assert not any(span.meets(question.right) for span, _ in question.wrong)


@given(graphs())
def test_what_is_worked_out_with_the_numbers_that_are_shown_is_right(loss):
    facts = trace(loss)
    for question in questions(facts):
        event = facts.events[question.step - 1]
        if question.kind == "sum":
            part, after = event.contribution.values[0], event.after.values[0]
            assert as_shown(part) + as_shown(after - part) in question.right
        elif question.kind == "part" and facts.graph.nodes[facts.graph.edges[event.edge].dst].op in "+-*":
            edge = facts.graph.edges[event.edge]
            slope = edge.local if facts.graph.nodes[edge.dst].folded else as_shown(edge.local)
            assert as_shown(event.upstream.values[0]) * as_shown(slope) in question.right


def test_of_nan_and_infinity_nothing_is_asked():
    x = Value(1.0, label="x")
    found = questions(trace(x * math.inf + x))
    assert {(each.step, each.kind) for each in found} == {(1, "seed"), (2, "part"), (3, "part")}


def test_a_local_gradient_that_is_wrong_is_no_task():
    x, y = x_and_y()
    wrong = Value(-6.0, (x, y), "*", (2.0, -3.0))
    with pytest.raises(ValueError, match=r"in v1 = x × y the local gradient of x is 2, and the rule gives -3"):
        viz.step(wrong, predict=True)
    viz.step(wrong)


def test_an_operation_that_nobody_knows_is_asked_about_all_the_same():
    x = Value(2.0, label="x")
    loss = Value(9.0, (x,), "gauss", (0.25,)) * 3
    question = asked(loss, 3)
    assert question.judged(0.75) == ("right",)
    assert question.judged(3.0) == ("upstream_only",)
    assert "the gradient of v1 times how fast v1 grows with x" in predicting.hint(question)


# -- shapes -----------------------------------------------------------------------------------------------------------


def test_of_arrays_the_shape_is_asked():
    loss, names = layer()
    found = {each.fields["taker"]: each for each in questions(trace(loss, names)) if each.kind == "shape"}
    bias, weight = found["b"], found["w"]
    assert bias.judged((3,)) == ("right",)
    assert bias.judged((6, 3)) == ("shape_unsummed",)
    assert bias.judged((1, 3)) == ("shape_kept",)
    assert bias.judged(()) == ("shape_number",)
    assert weight.judged((2, 3)) == ("right",)
    assert weight.judged((3, 2)) == ("shape_transposed",)
    assert weight.judged((6, 2)) == ("shape_other",)
    assert weight.judged((6, 3)) == ("shape_result",)
    assert weight.judged((5,)) == ()


def entry_of(loss, taker, names):
    return next(each for each in questions(trace(loss, names)) if (each.kind, each.fields["taker"]) == ("entry", taker))


def test_of_a_small_array_the_last_entry_is_asked_and_a_mean_without_its_share_is_known():
    x = Tensor([1.0, 2.0, 4.0, 9.0], requires_grad=True)
    mean, total = x.mean() * 3, x.sum() * 3
    mean.backward()
    by_mean = x.grad.data[-1]
    x.grad = None
    total.backward()
    by_sum = x.grad.data[-1]
    cases = (x.mean() * 3, by_mean, by_sum, "not_averaged"), (x.sum() * 3, by_sum, by_mean, "averaged")
    for loss, right, wrong, slip in cases:
        question = entry_of(loss, "x", {"x": x})
        assert question.judged(right) == ("right",)
        assert question.judged(wrong) == (slip,)
        assert (question.fields["place"], question.fields["size"]) == ("[3]", "4")
        assert question.judged(9.0) == ("value_taker",)


def test_of_a_stretched_operand_the_sum_of_what_comes_back_is_right_and_one_alone_is_known():
    x = Tensor([[1.0, 3.0], [5.0, 7.0]], requires_grad=True)
    w = Tensor([3.0, -2.0], requires_grad=True)
    question = entry_of((x * w).sum() * 10, "w", {"x": x, "w": w})
    assert question.judged(100.0) == ("right",)
    assert question.judged(30.0) == ("unsummed",)
    assert question.judged(10.0) == ("local_only",)
    assert question.judged(-40.0) == ("own_operand",)
    assert predicting.hint(question) == "What arrives is g × x, where g is the gradient of v1."
    right = entry_of((x * w).sum() * 10, "x", {"x": x, "w": w})
    assert [right.judged(each) for each in (-20.0, 70.0, 10.0)] == [("right",), ("own_operand",), ("upstream_only",)]


def at(question, array):
    """The number of an array at the place that a question is about."""
    return float(array[tuple(map(int, question.fields["place"].strip("[]").split(", ")))])


def test_of_a_product_of_matrices_one_number_is_asked_and_what_slips_give_there_is_known():
    x = Tensor([[1.0, -1.0], [2.0, 0.5]], requires_grad=True)
    w = Tensor([[3.0, 1.0], [-2.0, 4.0]], requires_grad=True)
    c = np.array([[1.0, 2.0], [5.0, -3.0]])
    loss, names = ((x @ w) * Tensor(c)).sum(), {"x": x, "w": w}
    left, right = entry_of(loss, "x", names), entry_of(loss, "w", names)
    loss.backward()
    assert left.judged(at(left, x.grad)) == right.judged(at(right, w.grad)) == ("right",)
    assert left.judged(at(left, c @ w.data)) == ("not_transposed",)
    assert right.judged(at(right, x.data @ c)) == ("not_transposed",)
    assert right.judged(at(right, w.grad.T)) == ("mirrored",)
    assert right.judged(at(right, np.outer(x.data[0], c[0]))) == ("one_product",)
    assert right.judged(at(right, w.grad / 2)) == ("averaged_back",)
    assert predicting.hint(right) == "What arrives is x.T @ g, where g is the gradient of v1."


def test_of_a_bias_one_number_is_asked_and_a_sum_over_the_wrong_axis_is_known():
    b = Tensor([0.5, -1.0], requires_grad=True)
    c = np.array([[1.0, 2.0], [4.0, 8.0], [16.0, 32.0]])
    loss = ((Tensor(np.ones((3, 2))) + b) * Tensor(c)).sum()
    question = entry_of(loss, "b", {"b": b})
    place = int(question.fields["place"].strip("[]"))
    assert question.judged(c[:, place].sum()) == ("right",)
    assert question.judged(c[place].sum()) == ("wrong_axis",)
    assert question.judged(c[0, place]) == ("unsummed",)
    assert question.judged(c[:, place].mean()) == ("averaged_back",)
    shapes = next(
        each for each in questions(trace(loss, {"b": b})) if (each.kind, each.fields["taker"]) == ("shape", "b")
    )
    assert shapes.judged((3,)) == ("shape_wrong_axis",)


def test_where_arrays_meet_the_sum_at_one_place_is_asked():
    w = Tensor([[3.0, 1.0], [-2.0, 4.0]], requires_grad=True)
    x = Tensor([[1.0, -1.0], [2.0, 0.5]])
    loss = ((x @ w) * w).sum()
    facts = trace(loss, {"w": w})
    (question,) = [each for each in questions(facts) if each.kind == "total"]
    event = facts.events[question.step - 1]
    part, after = (np.reshape(each.values, each.shape) for each in (event.contribution, event.after))
    assert question.judged(at(question, after)) == ("right",)
    assert question.judged(at(question, part)) == ("overwritten",)
    assert question.judged(at(question, after - part)) == ("kept",)
    assert f" arrives at w{question.fields['place']}, where " in predicting.asking(question)


def test_two_uses_of_an_array_are_asked_one_by_one():
    w = Tensor([[3.0, 1.0], [-2.0, 4.0]], requires_grad=True)
    question = entry_of((w * w).sum() * 5, "w", {"w": w})
    assert predicting.asking(question).endswith("along the marked arrow alone?")
    assert question.judged(5 * at(question, w.data)) == ("right",)
    assert question.judged(10 * at(question, w.data)) == ("both_uses",)


def test_every_number_that_is_asked_of_a_network_is_the_engines():
    net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1))
    out = net(Tensor(np.array([[1.0, 2.0], [-3.0, 0.5], [0.25, -1.0]], dtype="float32")))
    facts = trace((out**2).mean(), dict(net.named_parameters()))
    asked_of = [each for each in questions(facts) if each.kind in ("entry", "total")]
    for question in asked_of:
        event = facts.events[question.step - 1]
        read = event.contribution if question.kind == "entry" else event.after
        assert question.judged(at(question, np.reshape(read.values, read.shape))) == ("right",)
    weights = {each.fields["taker"] for each in asked_of}
    assert {name for name, _ in net.named_parameters()} <= weights


def test_a_tensor_of_one_number_is_asked_for_its_number():
    x, y = Tensor(2.0, requires_grad=True), Tensor(-3.0, requires_grad=True)
    loss = (x * y).tanh() * 3
    part = asked(loss, 4, names={"x": x, "y": y})
    slope = 3 * (1 - math.tanh(-6.0) ** 2)
    assert part.judged(-3 * slope) == ("right",)
    assert part.judged(2 * slope) == ("own_operand",)


# -- what is said -----------------------------------------------------------------------------------------------------


def test_every_mistake_has_a_sentence_about_names_that_are_known_and_a_heading():
    for make in PICTURES.values():
        told = predicting.as_traits(questions(trace(*make())))
        for question in told["questions"]:
            for _, mistake in question["wrong"]:
                why, heading = told["why"][mistake]
                assert why.format(**question["fields"])  # KeyError where it speaks of what is not known
                assert heading


def test_a_hint_has_names_and_no_numbers():
    loss, _ = product_and_sum()
    assert predicting.hint(asked(loss, 2)) == "What arrives is the gradient of loss as it is."
    assert predicting.hint(asked(loss, 4)) == "What arrives is g × y, where g is the gradient of v1."
    assert predicting.hint(asked(loss, 4, "sum")) == "Contributions are added: the one that arrives to what is there."


def test_no_level_of_a_folded_graph_says_local_gradients():
    facts = random_values(150)
    plain, bare = (viz.step(facts, predict=asks)._player().state["scene"]["levels"] for asks in (False, True))
    assert len(bare) > 1
    assert [any(edge.get("forward") for level in some for edge in level["edges"]) for some in (plain, bare)] == [
        True,
        False,
    ]


def test_the_picture_says_nothing_before_it_is_asked():
    loss, _ = product_and_sum()
    picture = viz.step(loss, predict=True)
    plain = viz.step(loss)
    assert "grad" in plain.svg()
    assert "grad " not in picture.svg()
    assert picture.svg(5).count("grad ") >= 4
    assert "0 of 5 steps" in picture.text()
    assert "+=" not in picture.text()
    assert "−2" not in picture._told()
    assert all(not label.forward for label in picture._scene.labels)
    bundle = picture._repr_mimebundle_()
    assert "0 of 5 steps" in bundle["text/plain"]
