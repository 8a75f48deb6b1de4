"""`viz.shapes`: the gradient-shape table, against the engine and on engines that are broken."""

import os
import re
from pathlib import Path

import numpy as np
import pytest
from closure_engine import Engine, Tensor, layer, layer_by_minitorch, operation
from op_table import CASES
from viz_pictures import PICTURES, odd_labels, product_and_sum, random_values, zero_gradients
from viz_pictures import layer as broadcasting_layer

import minitorch as mt
from minitorch import viz
from minitorch.autograd.grad import steps
from minitorch.autograd.node import ancestors
from minitorch.scalar import Value
from minitorch.viz.drawing import palette
from minitorch.viz.facts import formulas, words
from minitorch.viz.facts.shapes import shape_rows

GOLDEN = Path(__file__).with_name("golden")


# -- facts against the engine ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", sorted({case.op for case in CASES}))
def test_the_shape_of_every_contribution_is_that_which_the_rule_returns(op):
    """Of every operation in the table: what unbroadcast is given, and so the axes that it sums."""
    for case in (each for each in CASES if each.op == op):
        tensors = case.tensors(lambda array, requires_grad: mt.Tensor(array, requires_grad=requires_grad))
        with np.errstate(all="ignore"):
            made = case.call(mt, *tensors)
        for out in made if isinstance(made, (tuple, list)) else [made]:
            if not isinstance(out, mt.Tensor) or out._node is None:
                continue
            for node in ancestors([out._node]):
                if node.rule is None or node.rule.steps is None:
                    continue
                shapes = tuple(None if parent is None else parent.shape for parent in node.parents)
                with np.errstate(all="ignore"):
                    pulled = node.rule.pull(node, np.ones(node.shape, node.dtype))
                for slot, raw in pulled:
                    told = formulas.contribution_shape(node.op, slot, shapes, node.shape, ours=True)
                    if told is None:
                        assert node.op in formulas._PLACED
                    else:
                        assert told == np.shape(raw), (case.name, node, slot)


@pytest.mark.parametrize("maker", [broadcasting_layer, PICTURES["attention"], PICTURES["stacked"]])
def test_the_axes_are_those_that_the_engine_sums_in_its_order(maker):
    root, names = maker()
    told = [(row.operand, row.axes) for row in shape_rows(root, names).rows[1:] if row.sign]
    drawn = viz.graph(root, names=names).graph
    called = words.names(drawn)
    uids = {
        node.uid: idx
        for node, idx in zip(ancestors([root._node]), [n.idx for n in drawn.nodes if n.kind != "constant"], strict=True)
    }
    assert told == [
        (called[uids[each.parent.uid]], each.reduced_axes) for step in steps(root) for each in step.contributions
    ]


@pytest.mark.parametrize(
    ("op", "compute", "arrays"),
    [
        ("add", lambda a, b: a + b, ((4, 3), (3,))),
        ("sub", lambda a, b: a - b, ((4, 3), (4, 1))),
        ("mul", lambda a, b: a * b, ((4, 3), (3,))),
        ("div", lambda a, b: a / b, ((4, 3), (3,))),
        ("pow", lambda a, b: a**b, ((4, 3), (3,))),
        ("matmul", lambda a, b: a @ b, ((4, 3), (3, 2))),
        ("matmul", lambda a, b: a @ b, ((5, 4, 3), (5, 3, 2))),
        ("matmul", lambda a, b: a @ b, ((3,), (3,))),
        ("reshape", lambda a: a.reshape(3, 4), ((4, 3),)),
        ("squeeze", lambda a: a.squeeze(1), ((4, 1),)),
        ("unsqueeze", lambda a: a.unsqueeze(-1), ((4, 3),)),
        *((name, lambda a, name=name: getattr(a, name)(), ((4, 3),))
          for name in ("neg", "exp", "log", "sqrt", "square", "abs", "tanh", "sigmoid", "relu", "sin", "cos")),
        ("expand", lambda a: a.expand(4, 3), ((3,),)),
        ("broadcast_to", lambda a: mt.broadcast_to(a, (4, 3)), ((3,),)),
    ],
)  # fmt: skip
def test_every_formula_computes_what_the_rule_returns(op, compute, arrays):
    rng = np.random.default_rng(0)
    operands = [mt.Tensor(rng.uniform(0.5, 2.0, shape), requires_grad=True) for shape in arrays]
    names = dict(zip("ab", operands, strict=False))
    out = compute(*operands)
    root = (out * mt.Tensor(np.ones(out.shape))).sum()
    table = shape_rows(root, {**names, "out": out})
    found = [row for row in table.rows if row.result == "out"]
    assert {row.op for row in found} == {op}
    g = rng.normal(size=out.shape)
    pulled = dict(out._node.rule.pull(out._node, g))
    known = {"g": g, "out": out.detach().numpy(), **{name: each.detach().numpy() for name, each in names.items()}}
    for slot, row in enumerate(found):
        value = eval(row.rule, vars(np) | known)
        np.testing.assert_allclose(np.asarray(value), pulled[slot], rtol=1e-12)


def test_formulas_have_the_names_and_the_sizes_of_the_graph():
    loss, names = layer_by_minitorch()
    told = {row.operand: row.rule for row in shape_rows(loss, names).rows}
    assert told["b"] == "g"
    assert told["w"] == "x.T @ g"
    assert told["h"] == "g * h"
    assert "g / 1024, for every number averaged" in told.values()


def test_backward_changes_what_is_held_and_no_shape():
    loss, names = layer_by_minitorch()
    before = shape_rows(loss, names)
    loss.backward()
    after = shape_rows(loss, names)
    facts = [
        [(row.op, row.sign, row.contribution, row.axes, row.shape) for row in each.rows if row.sign]
        for each in (before, after)
    ]
    assert facts[0] == facts[1]
    assert {row.state for row in before.rows} == {"none", "constant"}
    assert {row.state for row in after.rows} == {"some", "freed", "constant"}
    assert not before.has_run
    assert after.has_run


def test_the_table_computes_nothing_and_changes_nothing():
    loss, _ = layer(backward=False)
    viz.shapes(loss).text()
    assert loss.grad is None
    loss.backward()
    kept = loss._prev[0].grad.copy()
    viz.shapes(loss)
    np.testing.assert_array_equal(loss._prev[0].grad, kept)


# -- states, in words --------------------------------------------------------------------------------------------------


def test_no_gradient_zero_freed_and_constant_are_words_of_their_own():
    root, _ = zero_gradients()
    assert "no gradient yet" in viz.shapes(root).text()
    root.backward()
    assert "gradient 0" in viz.shapes(root).text()
    loss, names = layer_by_minitorch()
    loss.backward()
    text = viz.shapes(loss, names=names).text()
    assert "gradient freed" in text
    assert re.search(r"constant$", text, re.MULTILINE)


def test_an_inner_gradient_that_was_dropped_is_freed_even_if_the_graph_is_retained():
    loss, names = layer_by_minitorch()
    loss.backward(retain_graph=True)
    states = {row.operand: row.state for row in shape_rows(loss, names).rows}
    assert states["v2"] == "freed"
    assert states["w"] == states["h"] == "some"


def test_a_scalar_shape_is_one_number_and_its_rule_the_local_gradient():
    root, _ = product_and_sum()
    root.backward()
    lines = viz.shapes(root).text().splitlines()
    assert lines[5].split("  ")[0] == "* -> v1"
    assert "g * -3" in lines[5]
    assert lines[5].count("one number") == 3


def test_a_learners_engine_has_the_rules_of_its_operations():
    loss, _ = layer()
    rules = {(row.op, row.operand): row.rule for row in shape_rows(loss).rows if row.sign}
    assert rules["@", "w"] == "x.T @ g"
    assert rules["+", "b"] == "g"
    assert rules["relu", "v2"] == "g * (v2 > 0)"
    assert rules["mean", "v3"] == "g / 1024, for every number averaged"


def test_a_rule_that_needs_what_is_no_node_is_called_by_its_operation():
    squared = operation("**", np.array([4.0]), [Tensor(np.array([2.0]), True, label="x")], lambda g: [g * 4])
    assert [row.rule for row in shape_rows(squared).rows][1] == "rule of **"
    strange = operation("softsign", np.array([4.0]), [Tensor(np.array([2.0]), True)], lambda g: [g])
    assert [row.rule for row in shape_rows(strange).rows][1] == "rule of softsign"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_nan_is_marked_at_the_operation_that_made_it():
    x, w = Tensor(np.array([-1.0, 2.0]), True, label="x"), Tensor(np.array([3.0, 4.0]), True, label="w")
    y = operation("log", np.log(x.data), [x], lambda g: [g / x.data])
    z = operation("*", y.data * w.data, [y, w], lambda g: [g * w.data, g * y.data])
    loss = operation("sum", z.data.sum(), [z], lambda g: [g * np.ones(2)])
    loss.backward()
    table = viz.shapes(loss)
    marked = [row.op for row in table.rows if row.born]
    assert marked == ["log"]
    assert "! nan born here" in table.text()
    assert "nan is born in log (v1) on the way forward" in table.text()
    assert "✗ nan born here" in table._shown()
    assert "✗ nan born here" in table.svg()
    root = mt.Tensor(np.array([0.0, 4.0]), requires_grad=True)
    y = root.sqrt()
    loss = y.sum()
    loss.backward()
    assert [row.op for row in viz.shapes(loss).rows if row.born] == ["sqrt"]


def test_it_speaks_spanish(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    loss, names = layer()
    names["b"].grad = names["b"].grad[:-1]
    table = viz.shapes(loss)
    assert table.title == "Formas de los gradientes de la pasada hacia atrás desde loss"
    assert "para cada número promediado" in table.text()
    for english in ("backward", "gradient ", "wrong", "summed", "local rule"):
        assert english not in table.text() + table._told()


def test_a_learners_operation_that_nobody_knows_has_no_shape_of_contribution():
    a = Tensor([1.0, 2.0], True, label="a")
    row = shape_rows(operation("wobble", a.data * 3, (a,), lambda g: (g * 3,))).rows[1]
    assert row.contribution is None
    assert "= not known" in viz.shapes(operation("wobble", a.data, (a,), lambda g: (g,))).text()


# -- what is wrong in a learner's engine -------------------------------------------------------------------------------


def lost_axis(gradient, shape):
    fitted = np.asarray(gradient)
    while fitted.shape != shape and fitted.ndim:
        fitted = fitted.sum(axis=0)
    return fitted


def wrong(loss):
    return viz.shapes(loss).wrong


def test_a_right_engine_has_nothing_wrong():
    loss, _ = layer()
    assert wrong(loss) == ()
    assert viz.shapes(loss).text().endswith("8 edges; every gradient that is held fits its data.")


def test_a_forgotten_unbroadcast_is_marked_at_its_operand():
    loss, _ = layer(Engine(fit=lambda g, shape: g))
    assert wrong(loss) == ("b: shape: the gradient is (64, 16), the data (16,): not summed over axis 0",)
    text = viz.shapes(loss).text()
    assert re.search(r"^\+ -> v2 .* b .*\(64, 16\) norm \S+ +! shape$", text, re.MULTILINE)
    assert text.endswith("8 edges; 1 gradient is wrong.")


def test_lost_keepdims_is_told_from_a_forgotten_sum():
    a, b = Tensor(np.ones((4, 3)), True, label="a"), Tensor(np.ones((1, 3)), True, label="b")
    engine = Engine(**{"+": lambda g: (g, g.sum(axis=0))})
    loss = engine.sum(engine.add(a, b))
    loss.backward()
    assert wrong(loss) == ("b: shape: the gradient is (3,), the data (1, 3): an axis of length 1 is lost (keepdims)",)


def test_a_gradient_of_a_constant_is_marked():
    loss, tensors = layer()
    tensors["x"].grad = np.ones((64, 8))
    assert wrong(loss) == ("x: constant: it wants no gradient, and holds one",)
    assert "(64, 8)" in viz.shapes(loss).text()


def test_a_gradient_that_never_arrived_is_marked_only_after_a_pass():
    loss, tensors = layer(Engine(**{"@": lambda g: (None, None)}), backward=False)
    assert wrong(loss) == ()
    tensors["w"].accumulate = lambda gradient: None
    loss.backward()
    assert wrong(loss) == ("w: missing: the backward pass has run, and no gradient arrived here",)


def test_a_backward_that_does_not_seed_its_root_is_marked_there():
    loss, _ = layer()
    loss.grad = None
    assert wrong(loss)[0].startswith("loss: missing")


def test_another_dtype_is_marked():
    loss, _ = layer(Engine(relu=lambda g: (g.astype(np.float64),)), dtype=np.float32)
    found = wrong(loss)
    assert "v2: dtype: the gradient is float64, the data float32" in found
    assert not any(each.startswith(("h:", "loss:")) for each in found)


def test_nan_and_infinity_are_counted():
    def broken(g):
        g = g.copy()
        g[0, 0], g[0, 1] = np.nan, np.inf
        return (g,)

    loss, _ = layer(Engine(relu=broken))
    assert "v2: not finite: 1 nan and 1 infinite of 1024 numbers" in wrong(loss)


@pytest.mark.parametrize(("grad", "said"), [("zero", "a str, not an array"), (1.0, "a float, not an array")])
def test_a_gradient_that_is_no_array_is_marked(grad, said):
    loss, _ = layer()
    loss.grad = grad
    assert f"loss: type: the gradient is {said}" in wrong(loss)


def test_a_transposed_gradient_is_named():
    loss, tensors = layer()
    tensors["w"].grad = tensors["w"].grad.T
    assert wrong(loss) == ("w: shape: the gradient is (16, 8), the data (8, 16): it is transposed",)


def test_what_is_no_tensor_is_refused_in_one_sentence():
    for thing in (3.0, "loss", None, np.ones(3)):
        with pytest.raises(TypeError, match="a picture needs a Tensor or a scalar Value, not "):
            viz.shapes(thing)
    bad = Tensor([1.0], label="a")
    bad.data = ["one", "two"]
    with pytest.raises(ValueError, match="'a' holds a list that is no array of numbers"):
        viz.shapes(bad)


def test_a_constant_has_a_table_of_one_row():
    assert viz.shapes(mt.Tensor([1.0])).rows[0].state == "constant"
    leaf = Value(2.0, label="x")
    assert [row.operand for row in viz.shapes(leaf).rows] == ["x"]


# -- forms -------------------------------------------------------------------------------------------------------------


def golden_forms():
    reference, names = layer_by_minitorch()
    reference.backward()
    mine, _ = layer(Engine(fit=lambda g, shape: g))
    return {
        "shapes_reference.txt": viz.shapes(reference, names=names).text() + "\n",
        "shapes_mine.txt": viz.shapes(mine).text() + "\n",
        "shapes_mine.html": viz.shapes(mine)._repr_mimebundle_()["text/html"] + "\n",
    }


@pytest.mark.parametrize("name", ["shapes_reference.txt", "shapes_mine.txt", "shapes_mine.html"])
def test_tables_are_the_golden_ones(name):
    """After a change that is meant: MINITORCH_WRITE_GOLDEN=1 pytest tests/viz, then look at the difference."""
    form = golden_forms()[name]
    assert form == golden_forms()[name]
    if os.environ.get("MINITORCH_WRITE_GOLDEN"):
        (GOLDEN / name).write_text(form, encoding="utf-8")
    assert form == (GOLDEN / name).read_text(encoding="utf-8")


def test_a_notebook_gets_the_table_and_its_text():
    loss, _ = layer()
    table = viz.shapes(loss)
    bundle = table._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/plain"] == repr(table) == table.text()
    assert bundle["text/html"].count("<tr") == len(table.rows) + 2
    assert '<th scope="col">' in bundle["text/html"]
    assert (
        'role="region" tabindex="0" aria-label="Gradient shapes of the backward pass from loss"' in bundle["text/html"]
    )


def test_what_is_wrong_has_a_sign_and_a_word_besides_its_colour():
    loss, _ = layer(Engine(fit=lambda g, shape: g))
    html = viz.shapes(loss)._repr_mimebundle_()["text/html"]
    assert html.count('<b class="s">✗ shape</b>') == html.count('<tr class="x">') == 1


def test_labels_are_escaped():
    root, _ = odd_labels()
    html = viz.shapes(root)._repr_mimebundle_()["text/html"]
    assert "<script" not in html
    assert "]]&gt;--&gt;&lt;script&gt;" in html


def test_tables_are_written_as_the_name_says(tmp_path):
    table = viz.shapes(layer()[0])
    assert table.save(tmp_path / "a.txt").read_text(encoding="utf-8") == table.text() + "\n"
    page = table.save(tmp_path / "a.html").read_text(encoding="utf-8")
    assert table.html(tmp_path / "b.html").read_text(encoding="utf-8") == page
    assert page.startswith("<!doctype html>")
    assert "http" not in page
    with pytest.raises(ValueError, match=r"cannot write a picture as '\.gif': use \.svg, .* \.txt, \.gv"):
        table.save(tmp_path / "a.gif")


def test_a_long_table_is_shortened_where_a_notebook_shows_it():
    table = viz.shapes(random_values(400))
    assert len(table.text().splitlines()) == len(table.rows) + 3
    assert len(repr(table).splitlines()) == 202


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_follows_the_theme_and_every_text_can_be_read(browser, tmp_path, theme):
    loss, tensors = layer(Engine(fit=lambda g, shape: g))
    tensors["h"].grad = np.zeros((64, 16))
    path = viz.shapes(loss).html(tmp_path / "table.html")
    page = browser.new_page(color_scheme=theme)
    page.goto(path.as_uri())
    colours = palette.LIGHT if theme == "light" else palette.DARK
    pairs = page.locator("td, th, caption, span, b, i, code").evaluate_all(READ_COLOURS)
    page.close()
    assert pairs
    for text, ground in pairs:
        assert contrast(text, ground) >= 4.5, (text, ground)
    assert {tuple(ground) for _, ground in pairs} >= {rgb(colours["paper"]), rgb(colours["some"]), rgb(colours["zero"])}


@pytest.mark.browser
@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_gradients_of_a_lessons_table_are_in_sight_in_a_narrow_window(browser, tmp_path, monkeypatch, lang):
    monkeypatch.setenv("MINITORCH_LANG", lang)
    loss, names = layer_by_minitorch()
    loss.backward()
    page = browser.new_page(viewport={"width": 840, "height": 700})
    page.goto(viz.shapes(loss, names=names).html(tmp_path / "a.html").as_uri())
    hidden = page.evaluate("(e => e.scrollWidth - e.clientWidth)(document.querySelector('[role=region]'))")
    page.close()
    assert hidden == 0


@pytest.mark.browser
def test_a_notebooks_own_theme_wins_over_the_systems(browser, tmp_path):
    path = viz.shapes(layer()[0]).html(tmp_path / "table.html")
    page = browser.new_page(color_scheme="light")
    page.goto(path.as_uri())
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    found = page.locator("[role=region]").evaluate("each => getComputedStyle(each).backgroundColor")
    page.close()
    assert found == f"rgb{rgb(palette.DARK['paper'])}"


READ_COLOURS = """all => all.filter(each => each.textContent).map(each => {
  const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
  let ground = each;
  while (ground && numbers(getComputedStyle(ground).backgroundColor)[3] === 0) ground = ground.parentElement;
  return [numbers(getComputedStyle(each).color), numbers(getComputedStyle(ground).backgroundColor).slice(0, 3)];
})"""


def rgb(colour):
    return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))


def contrast(one, other):
    def luminance(colour):
        parts = [part / 255 for part in colour[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_a_rule_is_named_by_the_operation_that_was_called():
    x = mt.Tensor(np.arange(6.0).reshape(2, 3), requires_grad=True)
    told = {
        "asin": formulas.formula("asin", 0, ("x",), ((3,),), "y", (3,)),
        "gather": formulas.formula(x.gather(1, mt.tensor([[0], [1]]))._op, 0, ("x",), ((2, 3),), "y", (2, 1)),
        "max": formulas.formula(x.max(1).values._op, 0, ("x",), ((2, 3),), "y", (2,)),
        "min": formulas.formula(x.min(1).values._op, 0, ("x",), ((2, 3),), "y", (2,)),
        "topk": formulas.formula(x.topk(1).values._op, 0, ("x",), ((2, 3),), "y", (2, 1)),
    }
    assert told == {
        "asin": "g / sqrt(1 - x ** 2)",
        "gather": "zeros, with g added at the index",
        "max": "g, to the largest",
        "min": "g, to the smallest",
        "topk": "rule of topk",
    }
