"""How the answers of lesson 17 are judged: on short texts of a few characters, and with given places u for a draw.

What is expected is worked out by other ways than the solutions': in plain Python, pair by pair and class by class.
"""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np

from minitorch.course.judging.arrays import called, rewritten
from minitorch.course.judging.checks import Message, Wrong, exercise, first_wrong, same_array, same_number, with_hint


def whole(*numbers):
    return np.array(numbers, dtype=np.int64)


def changed(x, got, *names):
    """Say which of the given arrays is another one after the call."""
    return rewritten(x, got["after"], *names)


# -------------------------------------------------------------------------------------------------------------- pairs


@exercise("bigram_loss")
class BigramLoss:
    """Pairs that were seen; one that was not; a character that never came; other additions; a longer text."""

    in_order = True

    def inputs(self, rng):
        train, held_out = rng.integers(0, 4, 40), rng.integers(0, 4, 12)
        return [
            {"train": whole(0, 1, 0, 1, 1), "held_out": whole(0, 1, 1), "classes": 2, "add": 1.0},
            {"train": whole(0, 1, 0, 1, 1), "held_out": whole(1, 0), "classes": 2, "add": 1.0},
            {"train": whole(0, 1, 2, 0, 1, 2, 0, 2), "held_out": whole(2, 0, 1, 2), "classes": 3, "add": 1.0},
            {"train": whole(0, 1, 0, 1, 1), "held_out": whole(0, 0, 1), "classes": 2, "add": 0.5},
            {"train": whole(0, 1, 0, 1, 0, 1), "held_out": whole(1, 2, 2, 0), "classes": 4, "add": 0.25},
            {"train": train, "held_out": held_out, "classes": 4, "add": 2.0},
            {"train": train, "held_out": held_out, "classes": 6, "add": 0.001},
        ]

    def line(self, x):
        arrays = called("bigram_loss", x, "train", "held_out")
        return arrays.replace("(train, held_out)", f"(train, held_out, {x['classes']}, {x['add']})")

    def observe(learner, x):
        import numpy as np

        train, held_out = x["train"].copy(), x["held_out"].copy()
        out = learner.bigram_loss(train, held_out, x["classes"], x["add"])
        if isinstance(out, np.floating) or (isinstance(out, np.ndarray) and out.shape == ()):
            out = float(out)
        return {"out": out, "after": {"train": train, "held_out": held_out}}

    def judge(self, x, got):
        train, held_out = x["train"].tolist(), x["held_out"].tolist()
        seen = list(pairwise(train))
        losses = []
        for a, b in pairwise(held_out):
            times = seen.count((a, b)) + x["add"]
            losses.append(math.log(train[:-1].count(a) + x["add"] * x["classes"]) - math.log(times))
        want = math.fsum(losses) / len(losses)
        hint = 4 if x["add"] != 1.0 else 2
        return first_wrong(
            with_hint(same_number(got["out"], want, Message("the loss")), hint),
            changed(x, got, "train", "held_out"),
        )


# ----------------------------------------------------------------------------------------------------------- contexts


@exercise("make_contexts")
class MakeContexts:
    """Contexts of two, of one, of three; a single one; repeated characters; a longer text."""

    in_order = True

    def inputs(self, rng):
        return [
            {"ids": whole(5, 6, 7, 8), "k": 2},
            {"ids": whole(3, 1, 4, 1, 5), "k": 1},
            {"ids": whole(2, 7, 1, 8, 2, 8), "k": 3},
            {"ids": whole(9, 8, 7), "k": 2},
            {"ids": whole(4, 4, 4, 5), "k": 2},
            {"ids": rng.integers(0, 5000, 30), "k": 8},
        ]

    def line(self, x):
        return called("make_contexts", x, "ids").replace("(ids)", f"(ids, {x['k']})")

    def observe(learner, x):
        import numpy as np

        ids = x["ids"].copy()
        out = learner.make_contexts(ids, x["k"])
        if not isinstance(out, (tuple, list)) or len(out) != 2:
            return {"returned": type(out).__name__, "after": {"ids": ids}}
        contexts, targets = (np.array(each) if isinstance(each, np.ndarray) else each for each in out)
        return {"contexts": contexts, "targets": targets, "after": {"ids": ids}}

    def judge(self, x, got):
        if "returned" in got:
            return Wrong("two things are returned, contexts and targets, each one array", got=got["returned"], hint=3)
        rows = x["ids"].tolist()
        wanted = [rows[place : place + x["k"]] for place in range(len(rows) - x["k"])]
        names = {
            "contexts": (np.array(wanted), "contexts", 2),
            "targets": (np.array(rows[x["k"] :]), "targets", 1),
        }
        findings = [self.beginnings(x, got["contexts"], np.array(wanted))]
        findings += [with_hint(same_array(got[name], want, what), hint) for name, (want, what, hint) in names.items()]
        for name in names:
            kind = got[name].dtype.kind if isinstance(got[name], np.ndarray) else "i"
            if kind not in "iu":
                sentence = Message(
                    "{name} holds numbers of dtype {dtype}: an index must be a whole number",
                    name=name,
                    dtype=got[name].dtype,
                )
                findings.append(Wrong(sentence, hint=3))
        return first_wrong(*findings, changed(x, got, "ids"))

    def beginnings(self, x, contexts, wanted):
        """Say where rows begin, or how many there are, where each row is a stretch of ids but not the wanted one."""
        k, ids = x["k"], x["ids"]
        if not isinstance(contexts, np.ndarray) or contexts.ndim != 2 or contexts.shape[1] != k:
            return None
        stretches = np.lib.stride_tricks.sliding_window_view(ids, k)
        found = [np.flatnonzero((stretches == row).all(axis=1)) for row in contexts]
        if not all(places.size for places in found):
            return None
        for row, places in enumerate(found):
            if row not in places:
                return Wrong(
                    "row {row} of contexts begins at place {places} of ids: row i begins at place i",
                    row=row,
                    places=places[0],
                    expected=wanted,
                    got=contexts,
                    hint=2,
                )
        if len(contexts) == len(wanted):
            return None
        return Wrong(
            "contexts should have {wanted} rows: so many stretches of {k} have a character behind them",
            wanted=len(wanted),
            k=k,
            expected=wanted,
            got=contexts,
            hint=1,
        )


# ---------------------------------------------------------------------------------------------------------- embedding


@exercise("embedding_vjp")
class EmbeddingVjp:
    """Each row once; one twice; rows of pairs, with repeats; a batch of contexts; a single number."""

    in_order = True

    def inputs(self, rng):
        def case(ids, width, rows):
            g = np.round(rng.uniform(0.5, 3.0, (*ids.shape, width)) * rng.choice([-1.0, 1.0], (*ids.shape, width)), 2)
            return {"g": g, "ids": ids, "rows": rows}

        return [
            {"g": np.array([[1.5, 2.0], [3.0, 4.5]]), "ids": whole(1, 0), "rows": 3},
            {"g": np.array([[1.0, 2.0], [3.0, 4.0], [10.0, 20.5]]), "ids": whole(0, 2, 0), "rows": 4},
            case(np.array([[0, 1], [2, 3]]), 2, 4),
            case(np.array([[1, 1], [3, 1]]), 3, 5),
            case(np.array([[0, 2, 0], [2, 2, 1]]), 2, 3),
            case(whole(4, 4, 4, 4), 1, 6),
            case(np.array(1), 3, 2),
            case(rng.integers(0, 7, (4, 3)), 5, 9),
            case(rng.integers(0, 3, (2, 2, 2)), 2, 4),
        ]

    def line(self, x):
        return called("embedding_vjp", x, "g", "ids").replace("(g, ids)", f"(g, ids, {x['rows']})")

    def observe(learner, x):
        import numpy as np

        g, ids = x["g"].copy(), x["ids"].copy()
        out = learner.embedding_vjp(g, ids, x["rows"])
        return {"out": np.array(out) if isinstance(out, np.ndarray) else out, "after": {"g": g, "ids": ids}}

    def judge(self, x, got):
        width = x["g"].shape[-1]
        want = [[0.0] * width for _ in range(x["rows"])]
        for row, gradient in zip(x["ids"].reshape(-1).tolist(), x["g"].reshape(-1, width).tolist(), strict=True):
            want[row] = [one + other for one, other in zip(want[row], gradient, strict=True)]
        repeats = x["ids"].size > len(set(x["ids"].reshape(-1).tolist()))
        what = Message("the gradient of table")
        hint = 1 if isinstance(got["out"], np.ndarray) and got["out"].shape != np.shape(want) else 3 if repeats else 2
        return first_wrong(
            self.row(x, got["out"], np.array(want)),
            with_hint(same_array(got["out"], np.array(want), what, dtype=np.float64), hint),
            changed(x, got, "g", "ids"),
        )

    def row(self, x, out, want):
        """Say of the first wrong row how often it was picked, where there are numbers in the right shape."""
        if not isinstance(out, np.ndarray) or out.shape != want.shape or out.dtype.kind not in "iuf":
            return None
        for row in np.flatnonzero(~np.isclose(out, want).all(axis=1)):
            times = int((x["ids"] == row).sum())
            why = Message.counted(
                "row {row} of the gradient is wrong: it was picked once, so it gets the gradient of that place",
                (
                    "row {row} of the gradient is wrong: it was picked {count} times, so it gets the sum of "
                    "{count} gradients"
                ),
                times,
                row=row,
            )
            never = Message("row {row} of the gradient is wrong: it was never picked: it stays 0", row=row)
            return Wrong(why if times else never, expected=want[row], got=out[row], hint=3 if times > 1 else 2)
        return None


# ----------------------------------------------------------------------------------------------------------- sampling

FAIR = np.log(np.array([0.25, 0.125, 0.5, 0.125]))


def pieces(scores, temperature):
    """Where each class begins on the way from 0 to 1, and where the last one ends."""
    top = max(scores)
    powers = [math.exp((score - top) / temperature) for score in scores]
    ends = [math.fsum(powers[: number + 1]) / math.fsum(powers) for number in range(len(powers))]
    return [0.0, *ends]


def between(scores, temperature, rng):
    """For each class that has a piece a place on it, away from its ends, in a drawn order."""
    ends = pieces(scores, temperature)
    inside = [(left, right) for left, right in pairwise(ends) if right - left > 1e-6]
    drawn = [float(left + (right - left) * rng.uniform(0.2, 0.8)) for left, right in inside]
    return [round(drawn[number], 9) for number in rng.permutation(len(drawn))]


@exercise("sample")
class Sample:
    """Temperature 1, each u six times; hot, cold; scores out of order; ends of pieces; large scores; the last hair."""

    in_order = True

    def inputs(self, rng):
        two, three = np.log([1.0, 3.0]), np.array([2.0, 0.0, 1.0])
        many = np.round(rng.normal(0.0, 2.0, 8), 2)
        return [
            {"scores": two, "temperature": 1.0, "u": [0.2, 0.5, 0.9], "times": 6},
            {"scores": three, "temperature": 1.0, "u": between(three, 1.0, rng)},
            {"scores": three, "temperature": 4.0, "u": between(three, 4.0, rng)},
            {"scores": three, "temperature": 0.5, "u": between(three, 0.5, rng)},
            {"scores": FAIR, "temperature": 1.0, "u": [0.3, 0.1, 0.99, 0.6]},
            {"scores": many, "temperature": 2.0, "u": between(many, 2.0, rng)},
            {"scores": many, "temperature": 0.7, "u": between(many, 0.7, rng)},
            {"scores": np.array([0.0, 0.0]), "temperature": 1.0, "u": [0.0, 0.5]},
            {"scores": np.array([-2000.0, 0.0, 0.0]), "temperature": 1.0, "u": [0.0, 0.25, 0.75]},
            {"scores": np.array([1000.0, 1001.0, 999.0]), "temperature": 1.0, "u": [0.9, 0.1, 0.99]},
            {"scores": np.array([-3.0, -3.0, -5.0]), "temperature": 0.001, "u": [0.3, 0.7]},
            {"scores": np.array([1.5]), "temperature": 1.0, "u": [0.4]},
            {"scores": np.zeros(14), "temperature": 1.0, "u": [0.9999999999999999]},
        ]

    def line(self, x):
        arrays = called("sample", x, "scores")
        places = f"{x['times']} * {x['u']}" if "times" in x else x["u"]
        return arrays.replace("m.sample(scores)", f"[m.sample(scores, {x['temperature']}, u) for u in {places}]")

    def observe(learner, x):
        import numpy as np

        scores, chosen = x["scores"].copy(), []
        for u in x.get("times", 1) * x["u"]:
            out = learner.sample(scores, x["temperature"], u)
            if np.shape(out) == () and np.asarray(out).dtype.kind in "iu":
                out = int(out)
            chosen.append(float(out) if isinstance(out, np.floating) else out)
        return {"chosen": chosen, "after": {"scores": scores}}

    def judge(self, x, got):
        ends = pieces(x["scores"].tolist(), x["temperature"])[1:]
        hint = 1 if x["temperature"] == 1.0 else 2
        drawn = list(zip(x.get("times", 1) * x["u"], got["chosen"], strict=True))
        findings = [self.of_its_own(drawn)]
        for u, chosen in drawn:
            want = min(sum(end <= u for end in ends), len(ends) - 1)
            what = Message("the class drawn by u = {u}", u=u)
            if type(chosen) is float:
                told = Message("{what} is a float: return the number of a class, a whole number", what=what)
                findings.append(Wrong(told, expected=want, got=chosen, hint=3))
            else:
                findings.append(with_hint(same_number(chosen, want, what, rtol=0.0, atol=0.0), hint))
        return first_wrong(*findings, changed(x, got, "scores"))

    def of_its_own(self, drawn):
        """Say of which u two classes came: something else was drawn, too."""
        first = {}
        for u, chosen in drawn:
            if first.setdefault(u, chosen) != chosen:
                return Wrong(
                    "the same u = {u} gave class {first} and then class {chosen}: u is the drawn number",
                    u=u,
                    first=first[u],
                    chosen=chosen,
                    hint=1,
                )
        return None


# ------------------------------------------------------------------------------------------------------------ nucleus


@exercise("nucleus")
class Nucleus:
    """Two of four, one of four, all; in order and not; a share met exactly, and but for rounding; equal ones; many."""

    in_order = True

    def inputs(self, rng):
        many = rng.integers(1, 50, 12)
        four = np.array([0.1, 0.5, 0.1, 0.3])
        return [
            {"p": four, "share": 0.7},
            {"p": four, "share": 0.4},
            {"p": np.array([0.5, 0.3, 0.15, 0.05]), "share": 0.9},
            {"p": four, "share": 1.0},
            {"p": np.array([0.125, 0.25, 0.5, 0.125]), "share": 0.75},
            {"p": np.array([0.25, 0.25, 0.25, 0.25]), "share": 0.6},
            {"p": many / many.sum(), "share": 0.6321},
            {"p": np.array([0.7, 0.2, 0.1]), "share": 0.9},
            {"p": np.full(10, 0.1), "share": 1.0},
            {"p": np.array([1.0]), "share": 0.2},
        ]

    def line(self, x):
        return called("nucleus", x, "p").replace("(p)", f"(p, {x['share']})")

    def observe(learner, x):
        import numpy as np

        p = x["p"].copy()
        out = learner.nucleus(p, x["share"])
        return {"out": np.array(out) if isinstance(out, np.ndarray) else out, "after": {"p": p}}

    def judge(self, x, got):
        want, other = self.left(x, 1), self.left(x, -1)
        hint = 2 if isinstance(got["out"], np.ndarray) and np.array_equal(got["out"] > 0, want > 0) else 1
        what = Message("what is left")
        wrong = same_array(got["out"], want, what)
        if wrong and same_array(got["out"], other, what) is None:
            wrong = None
        return first_wrong(with_hint(wrong, hint), changed(x, got, "p"))

    def compared(self, x, got):
        """Where rounding decides, both answers count as the first."""
        same = same_array(got["out"], self.left(x, -1)) is None
        return {**got, "out": self.left(x, 1)} if same else got

    def left(self, x, way):
        """What is left, added up without rounding; a sum that misses share by a hair has reached it, or not: `way`."""
        ranked = sorted(enumerate(x["p"].tolist()), key=lambda each: -each[1])
        want, together = np.zeros(len(ranked)), Fraction(0)
        for number, p in ranked:
            missing = Fraction(x["share"]) - together
            if missing > 0 if abs(missing) > 1e-12 or not missing else way > 0:
                want[number], together = p, together + Fraction(p)
        return want / want.sum()
