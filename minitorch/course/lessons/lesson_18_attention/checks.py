"""How the answers of lesson 18 are judged.

What is expected is worked out in other ways than the solutions do it: attention place by place, over the columns that
the mask leaves; both backward passes with the whole table of slopes of each row; heads by cutting blocks of channels.
"""

import numpy as np

from minitorch.course.judging.arrays import between, called, rewritten
from minitorch.course.judging.checks import (
    Message,
    Wrong,
    as_python,
    exercise,
    first_wrong,
    judged_array,
    same_array,
    with_hint,
)
from minitorch.course.sandbox.values import type_name


def triangle(length):
    """The mask with which each place looks at itself and back, row by row."""
    return np.array([[column <= row for column in range(length)] for row in range(length)])


def things(out, names, name, hint):
    """Say that it is not as many things that came back as there are names."""
    if isinstance(out, list) and len(out) == len(names):
        return None
    listed = f"({', '.join(names)})"
    if out is None:
        got = "None"
    else:
        got = f"{len(out)} things" if isinstance(out, list) else f"one {type_name(out)}"
    return Wrong(
        "{name} must return {names} arrays, {listed}",
        name=name,
        names=len(names),
        listed=listed,
        expected=listed,
        got=got,
        hint=None if out is None else hint,
    )


# --------------------------------------------------------------------------------------------------------------- mask


@exercise("causal_mask")
class CausalMask:
    """Two places, then one, three, five and eight."""

    in_order = True

    def inputs(self, rng):
        return [{"length": length} for length in (2, 1, 3, 5, 8)]

    def line(self, x):
        return f"m.causal_mask({x['length']})"

    def observe(learner, x):
        import numpy as np

        out = learner.causal_mask(x["length"])
        return np.array(out) if isinstance(out, np.ndarray) else out

    def judge(self, x, got):
        want, what = triangle(x["length"]), Message("the mask")
        if not isinstance(got, np.ndarray) or got.shape != want.shape:
            return with_hint(same_array(got, want, what), 3)
        return first_wrong(with_hint(same_array(got, want, what, dtype=bool), 3), self.looks(got, want))

    def compared(self, x, got):
        return {"mask": got, "dtype": str(got.dtype)} if isinstance(got, np.ndarray) else got

    def looks(self, got, want):
        """Say of the first wrong entry who looks at whom."""
        for row, column in np.argwhere(got != want):
            seen = got[row, column]
            whom = Message("itself") if row == column else Message("place {column}", column=column)
            may = Message("must not") if seen else Message("may")
            return Wrong(
                "in row {row}, column {column} stands {seen}: place {row} {may} look at {whom}",
                row=row,
                column=column,
                seen=seen,
                may=may,
                whom=whom,
                expected=want,
                got=got,
                hint=2 if row == column else 1,
            )
        return None


# ---------------------------------------------------------------------------------------------------------- attention


def weights_of(q, k, mask):
    """The weights, one row after the other, over the columns that the mask leaves."""
    weights = np.zeros((*q.shape[:-1], k.shape[-2]))
    for place in np.ndindex(*q.shape[:-1]):
        columns = np.flatnonzero(mask[place[-1]])
        if columns.size:
            scores = np.array([np.dot(q[place], k[(*place[:-1], column)]) for column in columns]) / q.shape[-1] ** 0.5
            weights[place][columns] = np.exp(scores - np.logaddexp.reduce(scores))
    return weights


def attention_case(rng, *batch, length, d, e, mask=None):
    """Queries, keys and values of a size, and the causal mask where no other is given."""
    q, k = between(rng, *batch, length, d), between(rng, *batch, length, d)
    return {"q": q, "k": k, "v": between(rng, *batch, length, e), "mask": triangle(length) if mask is None else mask}


def attention_cases(rng):
    """Two places; four numbers in a query; other masks; batches; equal sizes; large scores; a row that sees nothing."""
    everything = np.ones((2, 2), dtype=bool)
    odd = np.array([[True, False, True], [True, True, False], [False, False, True]])
    empty = np.array([[True, True, False], [False, False, False], [True, False, True]])
    zeros, some = np.zeros((2, 1)), np.array([[1.0, 0.0, 1.0, 2.0], [0.0, 2.0, -1.0, 1.0]])
    return [
        {"q": zeros, "k": zeros, "v": np.array([[2.0], [6.0]]), "mask": triangle(2)},
        {"q": some, "k": np.array([[1.0, 1.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]]), "v": np.eye(2), "mask": everything},
        attention_case(rng, length=3, d=2, e=1),
        attention_case(rng, length=3, d=4, e=2, mask=odd),
        attention_case(rng, length=3, d=3, e=3),
        attention_case(rng, 2, length=3, d=2, e=3),
        attention_case(rng, 2, 3, length=4, d=5, e=2),
        attention_case(rng, length=1, d=3, e=2),
        {**attention_case(rng, length=3, d=2, e=2), "q": np.array([[60.0, 0.0], [0.0, 50.0], [-50.0, 40.0]]) * 20.0},
        attention_case(rng, length=3, d=2, e=2, mask=empty),
    ]


@exercise("attention")
class Attention:
    """Two places; a query of four numbers; other masks; batches; equal sizes; large scores; a row that sees nothing."""

    in_order = True

    def inputs(self, rng):
        return attention_cases(rng)

    def line(self, x):
        return called("attention", x, "q", "k", "v", "mask")

    def observe(learner, x):
        import warnings

        import numpy as np

        given = {name: x[name].copy() for name in ("q", "k", "v", "mask")}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a nan is told by the verdict
            out = learner.attention(given["q"], given["k"], given["v"], given["mask"])
        if isinstance(out, (tuple, list)):
            out = [np.array(each) if isinstance(each, (np.generic, np.ndarray)) else each for each in out]
        return {"out": out, "after": {name: array.copy() for name, array in given.items()}}

    def judge(self, x, got):
        changed, number = (
            rewritten(x, got["after"], "q", "k", "v", "mask"),
            things(got["out"], ("out", "weights"), "attention", 3),
        )
        if changed or number:
            return changed or number
        out, weights = got["out"]
        want = weights_of(x["q"], x["k"], x["mask"])
        what = "weights"
        hints = {"shape": 1, "numbers": 1, "finite": 4, "zero": 2, "entry": 1, "order": 1, "factor": 1}
        return first_wrong(
            self.hidden(weights, want, x),
            self.sums(weights, want, x),
            judged_array(weights, want, what, hints=hints, rtol=1e-8, atol=1e-10),
            judged_array(out, want @ x["v"], "out", hints={"shape": 3, "entry": 3}, rtol=1e-8, atol=1e-10),
        )

    def hidden(self, weights, want, x):
        """Say that a place has a weight that the mask forbids, where there are numbers in the right shape."""
        if not isinstance(weights, np.ndarray) or weights.shape != want.shape or not np.all(np.isfinite(weights)):
            return None
        seen = np.argwhere((np.abs(weights) > 1e-12) & ~np.broadcast_to(x["mask"], want.shape))
        if not seen.size:
            return None
        row, column = (int(each) for each in seen[0][-2:])
        alone = not x["mask"][row].any()
        return Wrong(
            "the weight in row {row}, column {column} is {weights}, though mask is False there",
            row=row,
            column=column,
            weights=f"{weights[tuple(seen[0])]:.6g}",
            expected=want,
            got=weights,
            hint=4 if alone else 2,
        )

    def sums(self, weights, want, x):
        """Say that a row does not add up to 1 though it sees something, where there are numbers in the right shape."""
        if not isinstance(weights, np.ndarray) or weights.shape != want.shape or not np.all(np.isfinite(weights)):
            return None
        sums = weights.sum(axis=-1)
        off = np.argwhere(np.abs(sums - want.sum(axis=-1)) > 1e-9)
        if not off.size:
            return None
        row, found, wanted = int(off[0][-1]), sums[tuple(off[0])], want.sum(axis=-1)[tuple(off[0])]
        return Wrong(
            "the weights of row {row} add up to {found}, not to {wanted}",
            row=row,
            found=f"{found:.6g}",
            wanted=f"{wanted:.0f}",
            expected=want,
            got=weights,
            hint=2,
        )


@exercise("attention_vjp")
class AttentionVjp:
    """The cases of attention, each with a gradient of both signs."""

    in_order = True

    def inputs(self, rng):
        first = {"g": np.array([[1.0], [1.0]]), "q": np.array([[0.0], [1.0]]), "k": np.array([[0.0], [1.0]])}
        first |= {"v": np.array([[2.0], [6.0]]), "mask": triangle(2)}
        return [first, *({"g": between(rng, *each["v"].shape), **each} for each in attention_cases(rng)[1:])]

    def line(self, x):
        return called("attention_vjp", x, "g", "q", "k", "v", "mask")

    def observe(learner, x):
        import warnings

        import numpy as np

        given = {name: x[name].copy() for name in ("g", "q", "k", "v", "mask")}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            out = learner.attention_vjp(given["g"], given["q"], given["k"], given["v"], given["mask"])
        if hasattr(out, "__next__"):
            out = list(out)
        if isinstance(out, (tuple, list)):
            out = [np.array(each) if isinstance(each, (np.generic, np.ndarray)) else each for each in out]
        return {"out": out, "after": {name: array.copy() for name, array in given.items()}}

    def judge(self, x, got):
        names = ("q_grad", "k_grad", "v_grad")
        changed, number = (
            rewritten(x, got["after"], "g", "q", "k", "v", "mask"),
            things(got["out"], names, "attention_vjp", 4),
        )
        if changed or number:
            return changed or number
        wants = attention_gradients(x)
        hints = ({"entry": 2, "shape": 4, "factor": 3}, {"entry": 4, "shape": 4, "factor": 3}, {"entry": 1, "shape": 1})
        order = (2, 0, 1)  # the value's path is the shortest: it comes first
        return first_wrong(
            *(
                judged_array(
                    got["out"][at], wants[at], names[at], hints={**hints[at], "zero": 2, "finite": 2}, rtol=1e-8
                )
                for at in order
            )
        )


def attention_gradients(x):
    """The three gradients, through the whole table of slopes of each row."""
    weights = weights_of(x["q"], x["k"], x["mask"])
    table = weights[..., :, None] * (np.eye(weights.shape[-1]) - weights[..., None, :])  # d weight[k] / d score[j]
    weights_grad = np.einsum("...te,...se->...ts", x["g"], x["v"])
    scores_grad = np.einsum("...tk,...tkj->...tj", weights_grad, table) / x["q"].shape[-1] ** 0.5
    return (
        np.einsum("...ts,...sd->...td", scores_grad, x["k"]),
        np.einsum("...ts,...td->...sd", scores_grad, x["q"]),
        np.einsum("...ts,...te->...se", weights, x["g"]),
    )


# --------------------------------------------------------------------------------------------------------- layer norm


@exercise("layernorm_vjp")
class LayernormVjp:
    """One place; several; a batch; as many places as channels; a large eps; far from 0; one axis; all numbers equal."""

    in_order = True

    def inputs(self, rng):
        def case(*shape, eps=1e-5, away=0.0):
            gain = between(rng, shape[-1], away=3.0)
            return {"g": between(rng, *shape), "x": between(rng, *shape, away=away), "gain": gain, "eps": eps}

        return [
            {"g": np.array([[1.0, 0.0]]), "x": np.array([[1.0, 3.0]]), "gain": np.array([2.0, 2.0]), "eps": 3.0},
            {**case(1, 3), "gain": np.ones(3)},
            case(1, 4),
            case(2, 3),
            case(3, 3),
            case(2, 3, 4),
            case(2, 2, 3, 2, eps=0.5),
            case(4, 3, away=100.0),
            case(5),
            {**case(2, 3, eps=0.25), "x": np.full((2, 3), 7.0)},
        ]

    def line(self, x):
        return f"{called('layernorm_vjp', x, 'g', 'x', 'gain')[:-1]}, {as_python(x['eps'])})"

    def observe(learner, x):
        import warnings

        import numpy as np

        given = {name: x[name].copy() for name in ("g", "x", "gain")}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            out = learner.layernorm_vjp(given["g"], given["x"], given["gain"], x["eps"])
        if hasattr(out, "__next__"):
            out = list(out)
        if isinstance(out, (tuple, list)):
            out = [np.array(each) if isinstance(each, (np.generic, np.ndarray)) else each for each in out]
        return {"out": out, "after": {name: array.copy() for name, array in given.items()}}

    def judge(self, x, got):
        names = ("x_grad", "gain_grad", "bias_grad")
        changed, number = rewritten(x, got["after"], "g", "x", "gain"), things(got["out"], names, "layernorm_vjp", 4)
        if changed or number:
            return changed or number
        wants = layernorm_gradients(x)
        hints = (
            {"entry": 2, "shape": 4, "factor": 3, "zero": 2},
            {"entry": 1, "shape": 1, "factor": 1},
            {"entry": 1, "shape": 1},
        )
        return first_wrong(
            *(
                judged_array(
                    got["out"][at], wants[at], names[at], hints={**hints[at], "finite": 3}, rtol=1e-7, atol=1e-9
                )
                for at in (2, 1, 0)
            )
        )


def layernorm_gradients(x):
    """The three gradients, through the whole table of slopes of each place."""
    channels = x["x"].shape[-1]
    rows, upstream = x["x"].reshape(-1, channels), x["g"].reshape(-1, channels)
    size = np.sqrt(np.var(rows, axis=1) + x["eps"])[:, None]
    unit = (rows - np.mean(rows, axis=1)[:, None]) / size
    table = (np.eye(channels) - 1 / channels - unit[:, :, None] * unit[:, None, :] / channels) / size[:, :, None]
    x_grad = np.einsum("nk,nkj->nj", upstream * x["gain"], table)
    return x_grad.reshape(x["x"].shape), np.einsum("nc,nc->c", upstream, unit), np.einsum("nc->c", upstream)


# -------------------------------------------------------------------------------------------------------------- heads


def one_head(split, head):
    """A head of the first text, in words."""
    numbers = split[0, head].tolist()
    return Message("head {head} of text 0: {numbers}", head=head, numbers=numbers)


@exercise("split_heads")
class SplitHeads:
    """Two places and two heads; one head; as many heads as channels; sizes that are all different, and all equal."""

    in_order = True

    def inputs(self, rng):
        def case(*shape, heads):
            return {"x": np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape), "heads": heads}

        return [
            case(1, 2, 4, heads=2),
            case(1, 3, 2, heads=2),
            case(2, 3, 4, heads=1),
            case(2, 3, 8, heads=2),
            case(2, 5, 12, heads=4),
            case(4, 4, 16, heads=4),
            case(1, 1, 6, heads=3),
        ]

    def line(self, x):
        return f"m.split_heads({as_python(x['x'])}, {x['heads']})"

    def observe(learner, x):
        import numpy as np

        given = x["x"].copy()
        out = learner.split_heads(given, x["heads"])
        return {"out": np.array(out) if isinstance(out, np.ndarray) else out, "after": {"x": given.copy()}}

    def judge(self, x, got):
        want = np.stack(np.split(x["x"], x["heads"], axis=2), axis=1)
        out = got["out"]
        mixed = None
        if isinstance(out, np.ndarray) and out.shape == want.shape and not np.array_equal(out, want):
            text, head = (int(each) for each in np.argwhere(out != want)[0][:2])
            block = Message("first") if head == 0 else Message("next")
            mixed = Wrong(
                "the shape is right, but head {head} does not hold the {block} channels of every place",
                head=head,
                block=block,
                expected=one_head(want, head) if text == 0 else want,
                got=one_head(out, head) if text == 0 else out,
                hint=2,
            )
        return first_wrong(
            rewritten(x, got["after"], "x"), mixed, judged_array(out, want, hints={"shape": 1, "numbers": 1, "type": 3})
        )
