"""How dropout is judged: by what every right answer has in common, never by the numbers of one generator."""

import numpy as np

from minitorch.course.judging.checks import Message, Wrong, exercise, first_wrong, same_array, same_value, with_hint


@exercise("dropout")
class Dropout:
    """Not training, p = 0, then several p: which values, how many zeros, each entry by itself, anew, as asked."""

    in_order = True

    def inputs(self, rng):
        x = np.round(rng.uniform(0.5, 2.0, (4, 3)), 2)
        return [
            {"x": x, "p": 0.5, "training": False, "seed": 0},
            {"x": x, "p": 0.0, "training": True, "seed": 0},
            {"x": np.ones((100, 40)), "p": 0.5, "training": True, "seed": 1},
            {"x": np.ones((100, 40)), "p": 0.2, "training": True, "seed": 2},
            {"x": np.ones((100, 40)), "p": 0.2, "training": False, "seed": 2},
            {"x": np.full((2, 50, 40), -3.0), "p": 0.75, "training": True, "seed": int(rng.integers(3, 1000))},
            {"x": np.full(4000, 2.0), "p": 0.1, "training": True, "seed": int(rng.integers(3, 1000))},
        ]

    def observe(learner, x):
        import numpy as np

        class Node:
            __array_ufunc__ = None

            def __init__(self, data, of=None, requires_grad=False):
                self.data, self.of, self.requires_grad = data, of, requires_grad

            def __mul__(self, other):
                return Node(self.data * (other.data if isinstance(other, Node) else other), self)

            __rmul__ = __mul__

            def __truediv__(self, other):
                return Node(self.data / (other.data if isinstance(other, Node) else other), self)

        Node.__name__ = Node.__qualname__ = "Tensor"  # so it is called in messages
        rngs = [np.random.default_rng(x["seed"] + more) for more in (0, 0, 1)]
        given = Node(x["x"].copy())
        calls = []
        for rng in (rngs[0], rngs[0], rngs[1], rngs[2]):
            out = learner.dropout(given, x["p"], x["training"], rng)
            at = out
            while isinstance(at, Node) and at is not given:
                at = at.of
            calls.append(
                {
                    "kind": "Tensor" if isinstance(out, Node) else type(out).__name__,
                    "data": np.array(out.data) if isinstance(out, Node) else None,
                    "linked": at is given,
                }
            )
        counts, rng = set(), np.random.default_rng(x["seed"] + 2)
        for _ in range(60 if x["training"] and x["p"] else 0):
            few = learner.dropout(Node(np.ones(4)), x["p"], True, rng)
            counts.add(int(np.sum(np.array(few.data) == 0)) if isinstance(few, Node) else -1)
        return {"calls": calls, "kept": bool(np.array_equal(given.data, x["x"])), "counts": len(counts)}

    def judge(self, x, got):
        return first_wrong(*self.facts(x, got))

    def facts(self, x, got):
        """What is wrong with kind, values, shares, and with what is left to chance."""
        if not got["kept"]:
            yield Wrong("x.data changed: make something new", hint=3)
        for call in got["calls"]:
            yield with_hint(same_value(call["kind"], "Tensor", Message("what came back")), 3)
            if call["data"] is None:
                return
            if not x["training"] or x["p"] == 0:
                yield with_hint(same_array(call["data"], x["x"], Message("what came back")), 1)
            else:
                kept = call["data"] != 0
                if kept.shape == x["x"].shape:
                    yield from self.shares(x["p"], kept)
                    yield self.scaled(call["data"][kept] / x["x"][kept], x["p"])
                want = np.where(kept, x["x"] / (1 - x["p"]), 0.0)
                yield with_hint(same_array(call["data"], want, Message("what came back")), 2)
            if not call["linked"]:
                yield with_hint(
                    Wrong("no way leads from the result back to x"),
                    3,
                )
        if got["counts"] == 1:
            yield Wrong(
                "in 60 draws of 4 numbers as many fell each time: whether an entry falls is drawn for it alone", hint=2
            )
        if x["training"] and x["p"]:
            first, again, same_seed, other = (call["data"] for call in got["calls"])
            if np.array_equal(first, again) or not np.array_equal(first, same_seed) or np.array_equal(first, other):
                yield with_hint(
                    Wrong("what falls is not drawn from the rng that was given"),
                    2,
                )

    def shares(self, p, kept):
        """What is wrong with how many fell, and with entries that fell together."""
        fallen = 1 - kept.mean()
        if abs(fallen - p) > 6 * np.sqrt(p * (1 - p) / kept.size):
            yield with_hint(
                Wrong("of {size} numbers {fallen} fell, and p is {p}", size=kept.size, fallen=f"{fallen:.0%}", p=p),
                2,
            )
        if together(kept):
            yield with_hint(Wrong("whole rows or columns fell together"), 2)

    def scaled(self, ratios, p):
        """Say by what those that are left were multiplied, where it is one number and a wrong one."""
        if not ratios.size or np.ptp(ratios) > 1e-9 or abs(ratios.flat[0] - 1 / (1 - p)) < 1e-9:
            return None
        return Wrong(
            "those that are left were multiplied by {flat}, and 1 / (1 - p) is {value}",
            flat=f"{ratios.flat[0]:.4g}",
            value=f"{1 / (1 - p):.4g}",
            expected=1 / (1 - p),
            got=float(ratios.flat[0]),
            hint=2,
        )

    def compared(self, x, got):
        """Not which entries fell: of which kind, how large the others are, how many, and what holds."""
        seen = []
        for call in got["calls"]:
            data = call["data"]
            if data is None:
                seen.append([call["kind"], call["linked"]])
                continue
            ratio = np.unique(np.round(data / x["x"], 6)).tolist() if data.shape == x["x"].shape else None
            share = float(np.mean(data == 0))
            near = [p for p in (0.0, x["p"], 1 - x["p"]) if abs(share - p) < 6 * np.sqrt(0.25 / data.size)]
            seen.append([call["kind"], call["linked"], data.shape, ratio, near, together(data != 0)])
        datas = [call["data"] for call in got["calls"]]
        same = [each is not None and datas[0] is not None and np.array_equal(each, datas[0]) for each in datas[1:]]
        if not got["kept"]:
            same = []  # of a changed x nothing comes twice
        return {"seen": seen, "same": same, "kept": got["kept"], "one count": got["counts"] == 1}


def together(kept):
    """Whether all of a row or a column, which are long, have one fate."""
    if kept.ndim < 2 or kept.all() or kept.size < 1000:
        return False
    flat = kept.reshape(-1, kept.shape[-1])
    return bool((flat == flat[:1]).all() or (flat == flat[:, :1]).all())
