"""How the answers of lesson 19 are judged: a block, the whole model, its loss.

Weights are drawn anew, since a fresh block hands its input on. What is expected is worked out with the package's own
Tensor, gradients included. The model around blocks and the loss around a model get stand-ins, so that each answer is
judged by itself.
"""

import numpy as np

from minitorch.course.judging.arrays import between
from minitorch.course.judging.checks import (
    Message,
    Wrong,
    as_python,
    exercise,
    first_wrong,
    judged_array,
    same_number,
    with_hint,
)

LAYERS = ("query", "key", "value", "out", "up", "down")


def no_tensor(got, name):
    """Say that what came back is no Tensor."""
    missing = got["no tensor"] == "NoneType"
    return Wrong(
        "{name} must return a Tensor: is a `return` missing?" if missing else "{name} must return a Tensor",
        name=name,
        expected="Tensor",
        got=got["no tensor"],
    )


def constant(name):
    """Say that nothing goes back through what came back."""
    return Wrong(
        "{name} gives a constant: nothing goes back to the weights",
        name=name,
        expected="requires_grad = True",
        got=False,
    )


def gradient_of(name, got, want, hint, **tolerances):
    """What is wrong with one gradient; that none arrived is said in words of its own."""
    if got is None:
        return Wrong(
            "no gradient came back to {name}: it has no part in the result, or was used as an array",
            name=name,
            expected=want,
            got="None",
            hint=hint,
        )
    return with_hint(judged_array(got, want, f"{name}.grad", **tolerances), hint)


# -------------------------------------------------------------------------------------------------------------- block


def block_seen(learner, x):
    """Given code: make a block, give it the numbers of a case, send x through it and a gradient back."""
    import numpy as np

    block = learner.Block(x["x"].shape[2], x["heads"], np.random.default_rng(0))
    rng = np.random.default_rng(x["seed"])
    for each in block.parameters():
        each.data = rng.uniform(-1.0, 1.0, each.data.shape).round(2)
    for name in x["zero"]:
        for each in getattr(block, name).parameters():
            each.data = np.zeros_like(each.data)
    given = learner.Tensor(x["x"], requires_grad=True)
    out = block.forward(given)
    if not isinstance(out, learner.Tensor):
        return {"no tensor": type(out).__name__}
    seen = {"out": np.array(out.data), "wanted": out.requires_grad, "x": np.array(given.data)}
    if out is not given and out.requires_grad and out.data.shape == x["g"].shape:
        out.grad = np.array(x["g"])
        for node in reversed(learner.topological_order(out)):
            if node._backward is not None and node.grad is not None:
                node._backward()
        grads = {"x": given} | block.named_parameters()
        seen["grads"] = {name: None if each.grad is None else np.array(each.grad) for name, each in grads.items()}
    return seen


def observe_block(learner, x, given):
    """What `block_seen` saw; all of it happens beside the learner's code."""
    return given(learner, x)


def block_numbers(x):
    """The numbers of a case's block, in the order in which it has its parts."""
    width, rng = x["x"].shape[2], np.random.default_rng(x["seed"])
    shapes = {f"norm_{number}.{name}": (width,) for number in (1, 2) for name in ("gain", "bias")}
    for name in LAYERS:
        n_in, n_out = 4 * width if name == "down" else width, 4 * width if name == "up" else width
        shapes |= {f"{name}.weight": (n_in, n_out), f"{name}.bias": (n_out,)}
    numbers = {name: rng.uniform(-1.0, 1.0, shape).round(2) for name, shape in shapes.items()}
    return {name: each * (name.partition(".")[0] not in x["zero"]) for name, each in numbers.items()}


def block_wanted(x):
    """What comes out of a case's block, and the gradients, by the package's own Tensor."""
    import minitorch as mt

    (B, T, C), heads = x["x"].shape, x["heads"]
    leaves = {"x": x["x"]} | block_numbers(x)
    t = {name: mt.tensor(each, dtype=mt.float64, requires_grad=True) for name, each in leaves.items()}

    def layer(name, inside):
        return inside @ t[f"{name}.weight"] + t[f"{name}.bias"]

    def norm(name, inside):
        return mt.nn.functional.layer_norm(inside, (C,), t[f"{name}.gain"], t[f"{name}.bias"])

    inside = norm("norm_1", t["x"])
    q, k, v = (layer(each, inside).reshape(B, T, heads, C // heads).permute(0, 2, 1, 3) for each in LAYERS[:3])
    seen = mt.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    a = t["x"] + layer("out", seen.permute(0, 2, 1, 3).reshape(B, T, C))
    out = a + layer("down", layer("up", norm("norm_2", a)).relu())
    (out * mt.tensor(x["g"], dtype=mt.float64)).sum().backward()
    return np.asarray(out.data), {name: np.asarray(each.grad.data) for name, each in t.items()}


@exercise("block", limit_s=4)
class BlockForward:
    """Layers that give 0; the first half alone, one place and several; the second half alone; all of it, with heads."""

    in_order = True

    def inputs(self, rng):
        def case(shape, heads, *zero):
            more = {"x": between(rng, *shape), "g": between(rng, *shape)}
            return {**more, "heads": heads, "zero": list(zero), "seed": int(rng.integers(1000))}

        return [
            case((1, 2, 2), 1, "out", "down"),
            case((1, 1, 2), 1, "down"),
            case((1, 3, 2), 1, "down"),
            case((1, 3, 4), 2, "down"),
            case((1, 2, 2), 1, "out"),
            case((1, 3, 4), 1),
            case((2, 3, 4), 2),
            case((2, 5, 6), 3),
            case((3, 4, 4), 4),
        ]

    observe, given = observe_block, block_seen

    def line(self, x):
        draw = "[setattr(p, 'data', rng.uniform(-1, 1, p.data.shape).round(2)) for p in block.parameters()]"
        made = f"block = m.Block({x['x'].shape[2]}, {x['heads']}, np.random.default_rng(0))"
        zero = [f"[setattr(p, 'data', 0 * p.data) for p in block.{name}.parameters()]" for name in x["zero"]]
        rng = f"rng = np.random.default_rng({x['seed']})"
        return "; ".join([made, rng, draw, *zero, f"block(m.Tensor({as_python(x['x'])})).data"])

    def judge(self, x, got):
        if "no tensor" in got:
            return no_tensor(got, "forward")
        out, grads = block_wanted(x)
        wrong = judged_array(got["out"], out, "forward(x).data", hints=self.hints(x), rtol=1e-7, atol=1e-9)
        if wrong:
            return wrong
        if not np.array_equal(got["x"], x["x"]):
            return Wrong("forward changed the numbers of x", hint=1)
        if got["wanted"] is not True:
            return constant("forward")
        if "grads" not in got:  # x itself
            return None
        return first_wrong(*(self.gradient(name, got["grads"].get(name), want) for name, want in grads.items()))

    def hints(self, x):
        """Which hint helps: that of the half that is at work."""
        both = 1 if set(x["zero"]) == {"out", "down"} else 3 if x["zero"] == ["out"] else 2 if x["zero"] else 4
        return dict.fromkeys(("zero", "entry", "factor", "order", "sign", "shape", "numbers"), both)

    def gradient(self, name, got, want):
        """What is wrong with one gradient."""
        if got is None and not np.any(want):
            return None
        return gradient_of(name, got, want, 4, rtol=1e-6, atol=1e-9)


# ---------------------------------------------------------------------------------------------------------------- gpt


def gpt_seen(learner, x):
    """Given code: a GPT with the numbers of a case, and matrices for blocks; ids go in, a gradient goes back."""
    import numpy as np

    class Times(learner.Module):
        def __init__(self, matrix):
            self.matrix = learner.Tensor(matrix, requires_grad=True)

        def forward(self, inside):
            return inside @ self.matrix

    (V, C), context = x["token"].shape, len(x["place"])
    model = learner.GPT(V, C, 1, 0, context, np.random.default_rng(0))
    for each, name in ((model.token, "token"), (model.place, "place")):
        each.data = np.array(x[name])
    model.norm.gain.data, model.norm.bias.data = np.array(x["gain"]), np.array(x["bias"])
    model.blocks = [Times(each) for each in x["blocks"]]
    ids = np.array(x["ids"])
    out = model.forward(ids)
    if not isinstance(out, learner.Tensor):
        return {"no tensor": type(out).__name__}
    seen = {"out": np.array(out.data), "wanted": out.requires_grad, "ids": ids.copy()}
    if out.requires_grad and out.data.shape == x["g"].shape:
        out.grad = np.array(x["g"])
        for node in reversed(learner.topological_order(out)):
            if node._backward is not None and node.grad is not None:
                node._backward()
        leaves = {"token": model.token, "place": model.place, "gain": model.norm.gain, "bias": model.norm.bias}
        leaves |= {f"block {number}": each.matrix for number, each in enumerate(model.blocks)}
        seen["grads"] = {name: None if each.grad is None else np.array(each.grad) for name, each in leaves.items()}
    return seen


def observe_gpt(learner, x, given):
    """What `gpt_seen` saw; all of it happens beside the learner's code."""
    return given(learner, x)


def gpt_wanted(x):
    """The logits of a case, and the gradients, by the package's own Tensor."""
    import minitorch as mt

    leaves = {name: x[name] for name in ("token", "place", "gain", "bias")}
    leaves |= {f"block {number}": each for number, each in enumerate(x["blocks"])}
    t = {name: mt.tensor(each, dtype=mt.float64, requires_grad=True) for name, each in leaves.items()}
    inside = t["token"][x["ids"]] + t["place"][: x["ids"].shape[1]]
    for number in range(len(x["blocks"])):
        inside = inside @ t[f"block {number}"]
    normed = mt.nn.functional.layer_norm(inside, (x["token"].shape[1],), t["gain"], t["bias"])
    out = normed @ t["token"].permute(1, 0)
    (out * mt.tensor(x["g"], dtype=mt.float64)).sum().backward()
    return np.asarray(out.data), {name: np.asarray(each.grad.data) for name, each in t.items()}


@exercise("gpt_forward")
class GPTForward:
    """One character; a gain and a bias; places, full and not; two texts; one block and several; more of everything."""

    in_order = True

    def inputs(self, rng):
        def case(V, C, context, B, T, blocks, plain=False):
            x = {"token": between(rng, V, C), "place": between(rng, context, C) * (not plain)}
            x |= {"gain": np.ones(C) if plain else between(rng, C), "bias": np.zeros(C) if plain else between(rng, C)}
            x |= {"blocks": [between(rng, C, C) for _ in range(blocks)], "ids": rng.integers(0, V, (B, T))}
            return {**x, "g": between(rng, B, T, V)}

        first = case(2, 2, 1, 1, 1, 0, plain=True)
        first |= {"token": np.array([[1.0, -1.0], [0.0, 2.0]]), "ids": np.zeros((1, 1), dtype=np.int64)}
        return [
            first,
            case(3, 2, 1, 1, 1, 0),
            case(3, 4, 3, 1, 3, 0),
            case(3, 4, 5, 1, 2, 0),
            case(4, 3, 4, 2, 3, 0),
            case(4, 3, 4, 2, 3, 1),
            case(5, 4, 6, 2, 4, 3),
            case(4, 4, 4, 4, 4, 2),
        ]

    observe, given = observe_gpt, gpt_seen

    def line(self, x):
        (V, C), context = x["token"].shape, len(x["place"])
        made = [f"model = m.GPT({V}, {C}, 1, 0, {context}, np.random.default_rng(0))"]
        made += [f"model.{name}.data = {as_python(x[name])}" for name in ("token", "place")]
        made += [f"model.norm.{name}.data = {as_python(x[name])}" for name in ("gain", "bias")]
        if x["blocks"]:
            listed = ", ".join(as_python(each) for each in x["blocks"])
            made += [f"model.blocks = [lambda x, W=m.Tensor(each): x @ W for each in ({listed},)]"]
        return "; ".join([*made, f"model(np.array({x['ids'].tolist()})).data"])

    def judge(self, x, got):
        if "no tensor" in got:
            return no_tensor(got, "forward")
        out, grads = gpt_wanted(x)
        hints = dict.fromkeys(("zero", "entry", "factor", "order", "sign"), 3 if x["blocks"] else 1)
        wrong = judged_array(got["out"], out, "forward(ids).data", hints={**hints, "shape": 4, "numbers": 4})
        if wrong:
            return wrong
        if not np.array_equal(got["ids"], x["ids"]):
            return Wrong("forward changed ids", hint=1)
        if got["wanted"] is not True:
            return constant("forward")
        judged = (gradient_of(name, got["grads"][name], want, 4, rtol=1e-6) for name, want in grads.items())
        return first_wrong(*judged)


# --------------------------------------------------------------------------------------------------------------- loss


def loss_seen(learner, x):
    """Given code: the loss of a model that looks its logits up in two tables, and the gradients of the tables."""
    import numpy as np

    class Tables(learner.Module):
        def __init__(self):
            self.table = learner.Tensor(x["table"], requires_grad=True)
            self.place = learner.Tensor(x["place"], requires_grad=True)
            self.context = len(x["place"])
            self.read = []

        def forward(self, ids):
            self.read.append(np.array(ids))
            if np.ndim(ids) != 2 or np.shape(ids)[1] > self.context:
                raise ValueError(f"the model reads (B, T) characters, T at most {self.context}, not {np.shape(ids)}")
            places = learner.embedding(self.place, np.arange(np.shape(ids)[1]))
            return learner.embedding(self.table, np.asarray(ids)) + places

    model, ids = Tables(), np.array(x["ids"])
    loss = learner.lm_loss(model, ids)
    if not isinstance(loss, learner.Tensor):
        return {"no tensor": type(loss).__name__}
    seen = {"shape": np.shape(loss.data), "wanted": loss.requires_grad, "read": model.read, "ids": ids.copy()}
    if loss.data.size == 1:
        seen["loss"] = float(loss.data.reshape(-1)[0])
        if loss.requires_grad:
            loss.backward()
    grads = {"table": model.table.grad, "place": model.place.grad}
    return seen | {"grads": {name: None if each is None else np.array(each) for name, each in grads.items()}}


def observe_loss(learner, x, given):
    """What `loss_seen` saw; all of it happens beside the learner's code."""
    return given(learner, x)


def loss_wanted(x):
    """The loss of a case, and the gradients of both tables, character by character."""
    ids, losses = x["ids"], []
    grads = {"table": np.zeros(x["table"].shape), "place": np.zeros(x["place"].shape)}
    B, T = ids.shape[0], ids.shape[1] - 1
    for text in ids:
        for t in range(T):
            logits = x["table"][text[t]] + x["place"][t]
            log_p = logits - np.logaddexp.reduce(logits)
            losses.append(-log_p[text[t + 1]])
            gradient = np.exp(log_p)
            gradient[text[t + 1]] -= 1.0
            grads["table"][text[t]] += gradient / (B * T)
            grads["place"][t] += gradient / (B * T)
    return sum(losses) / len(losses), grads


@exercise("lm_loss")
class LmLoss:
    """One text with one answer; more places; more texts; as many texts as places; as many as there are characters."""

    in_order = True

    def inputs(self, rng):
        def case(V, B, T, scale=1.0):
            table, place = between(rng, V, V) * scale, between(rng, T, V) * scale
            return {"table": table, "place": place, "ids": rng.integers(0, V, (B, T + 1))}

        even = {"table": np.zeros((4, 4)), "place": np.zeros((2, 4)), "ids": np.array([[0, 1, 2]])}
        sizes = ((3, 1, 1), (4, 1, 3), (3, 2, 1), (4, 3, 2), (5, 3, 3), (4, 4, 4), (6, 2, 5))
        return [even, *(case(*size) for size in sizes), case(3, 2, 2, scale=300.0)]

    observe, given = observe_loss, loss_seen

    def line(self, x):
        arrays = f"table, place = {as_python(x['table'])}, {as_python(x['place'])}"
        model = "lambda ids: m.embedding(m.Tensor(table), ids) + m.embedding(m.Tensor(place), np.arange(ids.shape[1]))"
        return f"{arrays}; m.lm_loss({model}, np.array({x['ids'].tolist()})).data"

    def judge(self, x, got):
        if "no tensor" in got:
            return no_tensor(got, "lm_loss")
        want, grads = loss_wanted(x)
        read = [each.tolist() for each in got["read"]]
        if tuple(got["shape"]) != ():
            return Wrong("the loss must be one number, of shape ()", expected=(), got=tuple(got["shape"]), hint=3)
        if read != [x["ids"][:, :-1].tolist()]:
            return Wrong(
                "the model should read the first T characters of each text, once",
                expected=[x["ids"][:, :-1].tolist()],
                got=read,
                hint=1,
            )
        wrong = with_hint(same_number(got["loss"], want, Message("the loss"), rtol=1e-8), 2)
        if wrong:
            return wrong
        if not np.array_equal(got["ids"], x["ids"]):
            return Wrong("lm_loss changed ids", hint=1)
        if got["wanted"] is not True:
            return constant("lm_loss")
        judged = (gradient_of(name, got["grads"][name], grads[name], 3) for name in grads)
        return first_wrong(*judged)
