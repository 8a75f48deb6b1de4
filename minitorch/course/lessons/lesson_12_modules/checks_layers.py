"""How the answers of lesson 12 are judged: the first weights of a layer, and the layer that makes them."""

import math

import numpy as np

from minitorch.course.judging.arrays import between
from minitorch.course.judging.checks import Message, Wrong, exercise, first_wrong, same_array, same_value, with_hint

LARGE = 1000  # from so many weights on, their spread is looked at
OTHERWISE = {  # what a layer's weights are where they are not what he_init draws
    "all equal": Message("all equal"),
    "turned": Message("drawn for (n_out, n_in), and transposed"),
    "other numbers": Message("other numbers"),
}


# ------------------------------------------------------------------------------------------------------------ he_init


def weights_drawn(he_init, n_in, n_out, seed):
    """Given code: call he_init three times, describe the numbers by what is the same for every right answer."""
    import math

    import numpy as np

    rng = np.random.default_rng(seed)
    first = he_init(n_in, n_out, rng)
    if not isinstance(first, np.ndarray):
        return {"no array": None if first is None else type(first).__name__}
    if first.shape != (n_in, n_out) or first.dtype.kind != "f":
        return {"other shape": (*first.shape, str(first.dtype))}
    first = np.array(first)
    second = np.array(he_init(n_in, n_out, rng))
    again = np.array(he_init(n_in, n_out, np.random.default_rng(seed)))
    seen = {
        "shape": first.shape,
        "different": len(np.unique(first)),
        "as in the next call": bool(np.array_equal(first, second)),
        "as with the same seed": bool(np.array_equal(first, again)),
    }
    farthest = float(np.abs(first).max()) / math.sqrt(6 / n_in)
    seen["farthest"] = 1.0 if farthest <= 1 + 1e-9 else math.ceil(10 * farthest) / 10
    off = float((first * first).mean()) * n_in / 2 - 1
    seen["scaled to fit"] = n_in * n_out > 1 and abs(off) < 1e-9  # what is drawn never meets its mean exactly
    if n_in * n_out >= 1000:
        scaled = first / math.sqrt(6 / n_in)
        seen["lowest"], seen["highest"] = float(f"{scaled.min():.1g}"), float(f"{scaled.max():.1g}")
        seen["in the inner half"] = round(float((np.abs(scaled) < 0.5).mean()), 1)
        seen["mean"] = round(4 * float(scaled.mean())) / 4
    return seen


def observe_weights(learner, x, given):
    """What `weights_drawn` saw; numbers are drawn beside the learner's code."""
    return given(learner.he_init, x["n_in"], x["n_out"], x["seed"])


@exercise("he_init")
class HeInit:
    """Small layers, of one input and of one output; two large ones for the spread, as high as wide and not."""

    in_order = True

    def inputs(self, rng):
        sizes = ((6, 4), (2, 3), (3, 1), (1, 5), (60, 60), (40, 200), (300, 20))
        return [{"n_in": n_in, "n_out": n_out, "seed": int(rng.integers(1000))} for n_in, n_out in sizes]

    observe, given = observe_weights, weights_drawn

    def line(self, x):
        call = f"m.he_init({x['n_in']}, {x['n_out']}, np.random.default_rng({x['seed']}))"
        if x["n_in"] * x["n_out"] < LARGE:
            return call
        return f"w = {call}; w.min(), w.max(), (w * w).mean(), 2 / {x['n_in']}"

    def judge(self, x, got):
        if "no array" in got or "different" not in got:
            return self.no_weights(x, got)
        return self.wrong_source(x, got) or self.wrong_spread(x, got)

    def no_weights(self, x, got):
        """What is wrong with what came back: no array, another shape."""
        shape = (x["n_in"], x["n_out"])
        if "other shape" in got:
            *found, dtype = got["other shape"]
            return Wrong(
                "the array must have the shape (n_in, n_out), {shape}, and hold floats",
                shape=shape,
                expected=shape,
                got=Message("shape {found}, {dtype}", found=tuple(found), dtype=dtype),
                hint=3,
            )
        return Wrong(
            "he_init must return an array: is a `return` missing?"
            if got["no array"] is None
            else "he_init must return an array",
            expected=Message("an array of shape {shape}", shape=shape),
            got=str(got["no array"]),
            hint=3,
        )

    def wrong_source(self, x, got):
        """What is wrong with where the numbers come from, or None."""
        count = x["n_in"] * x["n_out"]
        if got["as in the next call"]:
            return Wrong("the next call with the same rng gave the same weights: all layers would be copies", hint=3)
        if not got["as with the same seed"]:
            return Wrong(
                "two generators with one seed gave different weights: draw from the rng that you are given", hint=3
            )
        if got["different"] != count:
            return Wrong(
                "some weights are equal: draw one number for each entry of the shape",
                expected=Message("{count} different numbers", count=count),
                got=Message("{different} different numbers", different=got["different"]),
                hint=3,
            )
        return None

    def wrong_spread(self, x, got):
        """What is wrong with how far the numbers reach, and how evenly, or None."""
        bound = math.sqrt(6 / x["n_in"])
        if got["farthest"] > 1:
            return Wrong(
                "a weight lies beyond the bound",
                expected=Message("all between -{bound} and {bound}", bound=f"{bound:.4g}"),
                got=Message("a weight up to {farthest} times as far out", farthest=f"{got['farthest']:g}"),
                hint=2,
            )
        if got["scaled to fit"]:
            return Wrong(
                "the mean of the squares is 2 / n_in to the last digit: what is drawn meets it only on average", hint=2
            )
        if x["n_in"] * x["n_out"] < LARGE:
            return None
        lowest, highest, inner = f"{got['lowest']:g}", f"{got['highest']:g}", f"{got['in the inner half']:.0%}"
        wanted = Message("from -{bound} to {bound}, half of them in the inner half", bound=f"{bound:.4g}")
        drawn = Message(
            "{inner} in the inner half, from {lowest} to {highest} times the bound",
            inner=inner,
            lowest=lowest,
            highest=highest,
        )
        even = abs(got["in the inner half"] - 0.5) < 0.11 and got["mean"] == 0
        if -1.0 < got["lowest"] <= got["highest"] < 1.0:
            share = max(-got["lowest"], got["highest"])
            return Wrong(
                "so many draws reach only to {share} times the bound for which the mean of the squares is 2 / n_in",
                share=f"{share:g}",
                expected=wanted,
                got=drawn,
                hint=2,
            )
        if not even or (got["lowest"], got["highest"]) != (-1.0, 1.0):
            return Wrong(
                "so many draws should be spread evenly from one bound to the other", expected=wanted, got=drawn, hint=2
            )
        return None


# -------------------------------------------------------------------------------------------------------------- dense


def layer_made(learner, n_in, n_out, seed, x, g, moved):
    """Given code: make a layer, compare its weight with what he_init draws, compute with it, send a gradient back."""
    import numpy as np

    rng, twin = np.random.default_rng(seed), np.random.default_rng(seed)
    layer = learner.Dense(n_in, n_out, rng)
    drawn = learner.he_init(n_in, n_out, twin)
    tensors = {name: each for name, each in vars(layer).items() if isinstance(each, learner.Tensor)}
    if not {"weight", "bias"} <= set(tensors):
        return {"there": sorted(f"{name}: {type(each).__name__}" for name, each in vars(layer).items())}
    weight, bias, seen = layer.weight, layer.bias, {}
    seen["wanted"] = {"weight": weight.requires_grad, "bias": bias.requires_grad}
    seen["others"] = sorted(name for name, each in tensors.items() if each is not weight and each is not bias)
    seen["weight"], seen["bias"] = np.array(weight.data), np.array(bias.data)
    seen["as drawn"] = "yes" if np.array_equal(weight.data, drawn) else "other numbers"
    if np.all(weight.data == weight.data.flat[0]) and weight.data.size > 1:
        seen["as drawn"] = "all equal"
    elif seen["as drawn"] != "yes" and np.array_equal(
        weight.data, learner.he_init(n_out, n_in, np.random.default_rng(seed)).T
    ):
        seen["as drawn"] = "turned"
    other = learner.Dense(n_in, n_out, np.random.default_rng(seed + 1))
    seen["another seed"] = not np.array_equal(other.weight.data, weight.data)
    seen["drawn besides"] = seen["as drawn"] == "yes" and bool(rng.random() != twin.random())
    if weight.data.shape != drawn.shape or bias.data.shape != (n_out,):
        return seen  # with them forward would fail, and say less
    if moved is not None:
        weight.data, bias.data = weight.data + 0.5, bias.data + moved
    seen["kept"] = np.array(weight.data), np.array(bias.data)
    out = layer.forward(learner.Tensor(x))
    seen["same parameters"] = layer.weight is weight and layer.bias is bias
    if not isinstance(out, learner.Tensor):
        return seen | {"no tensor": type(out).__name__}
    seen["out"], seen["requires_grad"] = np.array(out.data), out.requires_grad
    if out.requires_grad and out.data.shape == g.shape:
        out.grad = np.array(g)
        stack = [out]
        while stack:  # a chain at most: one node, or one after the other
            node = stack.pop()
            if node._backward is not None:
                node._backward()
            stack.extend(each for each in node._prev if each is not weight and each is not bias)
        grads = {"weight": weight.grad, "bias": bias.grad}
        seen["grads"] = {name: None if each is None else np.array(each) for name, each in grads.items()}
    layer.weight = learner.Tensor(2.0 * weight.data, requires_grad=True)
    layer.bias = learner.Tensor(bias.data - 1.0, requires_grad=True)
    seen["with others"] = np.array(layer.forward(learner.Tensor(x)).data)
    return seen


def observe_layer(learner, x, given):
    """What `layer_made` saw; all of it happens beside the learner's code."""
    return given(learner, x["n_in"], x["n_out"], x["seed"], x["x"], x["g"], x.get("moved"))


@exercise("dense")
class DenseLayer:
    """What a fresh layer holds, what it computes, what it computes once its numbers have moved, and what goes back."""

    in_order = True

    def inputs(self, rng):
        def case(rows, n_in, n_out, **more):
            arrays = {"x": between(rng, rows, n_in), "g": between(rng, rows, n_out)}
            return {"n_in": n_in, "n_out": n_out, "seed": int(rng.integers(1000))} | arrays | more

        sizes = ((1, 2, 1), (4, 2, 3), (3, 3, 3))
        moved = [case(*size, moved=np.round(rng.uniform(0.5, 2.0, size[2]), 2)) for size in sizes]
        return [*(case(*size) for size in sizes), *moved, case(2, 1, 4), case(5, 20, 30)]

    observe, given = observe_layer, layer_made

    def line(self, x):
        made = f"layer = m.Dense({x['n_in']}, {x['n_out']}, np.random.default_rng({x['seed']}))"
        return f"{made}; vars(layer), layer(m.Tensor(np.ones(({len(x['x'])}, {x['n_in']}))))"

    def compared(self, x, got):
        """What was drawn does not count: what comes of it is told by how far it lies from what it should be."""
        if "there" in got:
            return "; ".join(got["there"])
        told = {name: got[name] for name in ("wanted", "others", "as drawn", "drawn besides", "another seed")}
        told |= {"weight": got["weight"].shape, "bias": got["bias"].shape, "bias is 0": not got["bias"].any()}
        if "kept" not in got:
            return told
        told |= {name: got[name] for name in ("same parameters", "no tensor", "requires_grad") if name in got}
        weight, bias = got["kept"]
        wants = {"out": x["x"] @ weight + bias, "with others": x["x"] @ (2.0 * weight) + (bias - 1.0)}
        for name, want in wants.items():
            found = got.get(name)
            if found is not None:
                told[name] = found - want if found.shape == want.shape else found.shape
        return told | {"grads": got.get("grads")}

    def judge(self, x, got):
        if "there" in got:
            return Wrong(
                "the layer must have two Tensors as attributes, weight and bias",
                expected=["bias: Tensor", "weight: Tensor"],
                got=got["there"],
                hint=2,
            )
        return first_wrong(*self.fresh(x, got), *self.computed(x, got))

    def fresh(self, x, got):
        """What is wrong with a layer that was just made."""
        what = "weight.data.shape"
        yield with_hint(same_value(tuple(got["weight"].shape), (x["n_in"], x["n_out"]), what), 4)
        yield with_hint(same_array(got["bias"], np.zeros(x["n_out"]), "bias.data"), 2)
        if got["as drawn"] != "yes":
            yield Wrong(
                "weight.data is not what he_init(n_in, n_out, rng) draws",
                expected=Message("as he_init draws"),
                got=OTHERWISE[got["as drawn"]],
                hint=4,
            )
        if got["drawn besides"]:
            yield Wrong("more was drawn from rng than he_init draws: the next layer gets other weights", hint=4)
        for name, wanted in got["wanted"].items():
            if wanted is not True:
                yield Wrong(
                    "{name} does not want a gradient, so it is a constant and never learns",
                    name=name,
                    expected="requires_grad = True",
                    got=wanted,
                    hint=1,
                )
        if got["others"]:
            yield Wrong("there is another Tensor in the layer: {others}", others=", ".join(got["others"]), hint=2)

    def computed(self, x, got):
        """What is wrong with what forward makes, and with what goes back."""
        if "same parameters" not in got:
            return
        if got["same parameters"] is not True:
            yield Wrong(
                "after forward the layer has another weight or another bias: forward makes no parameters", hint=3
            )
        if "no tensor" in got:
            yield Wrong("forward must return a Tensor", got=got["no tensor"], hint=3)
            return
        weight, bias = got["kept"]
        want = x["x"] @ weight + bias
        if isinstance(got["out"], np.ndarray) and (want < 0).any() and np.array_equal(got["out"], np.maximum(want, 0)):
            yield Wrong(
                "forward(x) has 0 wherever x @ weight + bias is negative: this layer cuts nothing off",
                expected=want,
                got=got["out"],
                hint=3,
            )
        yield with_hint(same_array(got["out"], want, "forward(x).data"), 3)
        if got["requires_grad"] is not True:
            yield Wrong("the result does not want a gradient, so nothing goes back to weight and bias", hint=3)
            return
        for name, want in (("weight", x["x"].T @ x["g"]), ("bias", x["g"].sum(axis=0))):
            if got["grads"][name] is None:
                yield Wrong(
                    "no gradient comes back to {name}: the result does not know that it was made from it",
                    name=name,
                    hint=3,
                )
            yield with_hint(same_array(got["grads"][name], want, f"{name}.grad"), 3)
        what = Message("forward(x).data with another weight and bias")
        want = x["x"] @ (2.0 * weight) + (bias - 1.0)
        yield with_hint(same_array(got["with others"], want, what), 3)
