"""How batches, epochs and accuracy are judged: on examples that can be told apart, and a model that notes its use.

What is left to chance is judged by what every right answer has in common, never by the numbers of one generator.
"""

import itertools

import numpy as np

from minitorch.course.judging.checks import (
    Message,
    Wrong,
    exercise,
    first_wrong,
    same_array,
    same_number,
    same_value,
    with_hint,
)

# ------------------------------------------------------------------------------------------------------------ batches


@exercise("batches")
class Batches:
    """In order: it comes out even or not, one row, more room than rows; drawn: whole, together, anew, as asked."""

    in_order = True

    def inputs(self, rng):
        n = int(rng.integers(30, 60))
        return [
            {"N": 6, "size": 3, "seed": None},
            {"N": 5, "size": 2, "seed": None},
            {"N": 1, "size": 1, "seed": None},
            {"N": 3, "size": 8, "seed": None},
            {"N": 40, "size": 8, "seed": 1},
            {"N": 41, "size": 8, "seed": 2},
            {"N": n, "size": 7, "seed": int(rng.integers(3, 1000))},
        ]

    def line(self, x):
        drawn = "" if x["seed"] is None else f", np.random.default_rng({x['seed']})"
        return f"m.batches(np.arange({x['N']})[:, None] * [1, 10], np.arange({x['N']}), {x['size']}{drawn})"

    def observe(learner, x):
        import numpy as np

        X = np.arange(x["N"])[:, None] * np.array([1, 10])
        y = np.arange(x["N"])
        X_before, y_before = X.copy(), y.copy()
        rngs = [None if x["seed"] is None else np.random.default_rng(x["seed"] + more) for more in (0, 0, 1)]
        calls, kinds = [], []
        for rng in (rngs[0], rngs[0], rngs[1], rngs[2]):
            out = learner.batches(X, y, x["size"], rng)
            kinds.append("list" if isinstance(out, (list, tuple)) else type(out).__name__)
            calls.append([(np.array(rows), np.array(targets)) for rows, targets in out])
        kept = bool(np.array_equal(X, X_before) and np.array_equal(y, y_before))
        return {"calls": calls, "kept": kept, "kind": kinds[0]}

    def judge(self, x, got):
        return first_wrong(*self.facts(x, got))

    def facts(self, x, got):
        """What is wrong with kind, sizes, rows, order and what was given."""
        N, size = x["N"], x["size"]
        sizes = [size] * (N // size) + ([N % size] if N % size else [])
        first, again, same_seed, other_seed = got["calls"]
        what = Message("the list of batch sizes")
        yield self.cut(x, [len(targets) for _, targets in first], sizes)
        for call in got["calls"]:
            yield with_hint(same_value([len(targets) for _, targets in call], sizes, what), 2)
            yield with_hint(same_value([len(rows) for rows, _ in call], sizes, what), 2)
        if x["seed"] is None:
            whole = np.concatenate([targets for _, targets in first])
            yield with_hint(same_array(whole, np.arange(N), Message("y of all batches")), 2)
        for call in got["calls"]:
            for rows, targets in call:
                want = np.stack([targets, 10 * targets], axis=1)
                yield with_hint(same_array(rows, want, Message("the rows of X beside their y")), 3)
            found = np.sort(np.concatenate([targets for _, targets in call]))
            what = Message("y of all batches, sorted")
            yield with_hint(same_array(found, np.arange(N), what), 3)
        if not got["kept"]:
            yield Wrong("X or y was changed: take rows out of them, and leave them as they are")
        yield with_hint(same_value(got["kind"], "list", Message("what came back")), None)
        if x["seed"] is not None:
            yield from self.order(N, *(order_of(each) for each in (first, again, same_seed, other_seed)))

    def cut(self, x, found, sizes):
        """Say which batch has another size, or that there are too few or too many."""
        for number, rows in enumerate(found[:-1]):
            if rows != x["size"]:
                return Wrong(
                    "batch {number} has {rows} rows, and size is {size}: only the last one may have fewer",
                    number=number,
                    rows=rows,
                    size=x["size"],
                    expected=sizes,
                    got=found,
                    hint=2,
                )
        if sum(found) < x["N"]:
            return Wrong(
                "{n} of {n2} rows are in no batch", n=x["N"] - sum(found), n2=x["N"], expected=sizes, got=found, hint=2
            )
        return None

    def order(self, N, first, again, same_seed, other_seed):
        """What is wrong with an order that is to be drawn."""
        if first == list(range(N)):
            yield with_hint(Wrong("an rng was given, and the order is the old one"), 3)
        if first == again:
            yield with_hint(
                Wrong("two calls with one rng have the same order"),
                3,
            )
        if first != same_seed or first == other_seed:
            yield with_hint(Wrong("the order does not come from the rng that was given"), 3)

    def compared(self, x, got):
        """Not the order itself: its sizes and what holds of it."""
        first, again, same_seed, other_seed = (order_of(call) for call in got["calls"])
        return {
            "sizes": [[(len(rows), len(targets)) for rows, targets in call] for call in got["calls"]],
            "missing": sorted(set(range(x["N"])) - set(first)) if x["seed"] is None else len(first),
            "every": sorted(first) == list(range(x["N"])),
            "in_order": first == sorted(first),
            "orders": [first == again, first == same_seed, first == other_seed],
            "together": [
                [np.array_equal(rows[:, :1].ravel(), targets) for rows, targets in call] for call in got["calls"]
            ]
            if all(rows.ndim == 2 for call in got["calls"] for rows, _ in call)
            else None,
            "twice in a batch": any(
                len(set(targets.tolist())) < len(targets) for call in got["calls"] for _, targets in call
            ),
            "kept": got["kept"],
            "kind": got["kind"],
        }


def order_of(call):
    """All y of a call in one list."""
    return [int(each) for _, targets in call for each in np.ravel(targets)]


def one_number(out):
    """Say that something else than one number came back, where a driver told its type by name."""
    if not isinstance(out, str):
        return None
    return Wrong("one plain number must come back", expected=Message("one number"), got=out, hint=3)


# -------------------------------------------------------------------------------------------------------- train_epoch


@exercise("train_epoch")
class TrainEpoch:
    """One batch, two even ones, an uneven last one; what the model was asked, which gradients a step saw."""

    in_order = True

    def inputs(self, rng):
        drawn = [round(float(each), 2) for each in rng.uniform(0.0, 4.0, 11)]
        return [
            {"losses": [2.0, 2.0], "size": 2, "each step adds": 0.0},
            {"losses": [1.0, 1.0, 1.0, 1.0], "size": 2, "each step adds": 0.0},
            {"losses": [3.0, 3.0, 3.0], "size": 2, "each step adds": 0.5},
            {"losses": [1.0, 2.0, 6.0], "size": 2, "each step adds": 0.0},
            {"losses": drawn, "size": 4, "each step adds": 0.0},
            {"losses": drawn, "size": 4, "each step adds": 0.25},
        ]

    def observe(learner, x):
        import numpy as np

        class Scores:
            def __init__(self, data):
                self.data = data

        class Loss:
            def __init__(self, data, arrive):
                self.data, self.backward = data, arrive

        class Leaf:
            def __init__(self, grad):
                self.data, self.grad = np.zeros(()), grad

        class Model:
            def __init__(self):
                self.leaves = [Leaf(None), Leaf(np.array(7.0))]
                self.asked, self.rows = [], []

            def parameters(self):
                return list(self.leaves)

            def __call__(self, X, training):
                self.rows.append([int(each) for each in X[:, 0]])
                self.asked.append(bool(training))
                return Scores(np.array(X[:, 1]))

        model = Model()
        targets, steps, none_before, with_a_past = [], [], [], []

        def loss_of(scores, y):
            with_a_past.append(isinstance(scores, Scores))
            targets.append([int(each) for each in y])
            mean = float(np.mean(getattr(scores, "data", scores)) + model.leaves[0].data)

            def arrive():
                none_before.append(all(leaf.grad is None or np.any(leaf.grad) for leaf in model.leaves))
                for leaf in model.leaves:
                    leaf.grad = np.array(mean) + (0.0 if leaf.grad is None else leaf.grad)

            return Loss(np.array(mean), arrive)

        def step(parameters):
            steps.append([None if leaf.grad is None else float(leaf.grad) for leaf in parameters])
            for leaf in parameters:
                leaf.data = leaf.data + x["each step adds"]

        N = len(x["losses"])
        X = np.stack([np.arange(N), np.array(x["losses"])], axis=1)
        out = learner.train_epoch(model, loss_of, step, X, np.arange(N), x["size"], np.random.default_rng(3))
        if isinstance(out, np.floating) or (isinstance(out, np.ndarray) and out.shape == ()):
            out = float(out)
        plain = out is None or isinstance(out, (int, float))
        return {
            "out": out if plain else type(out).__name__,
            "rows": model.rows,
            "asked": model.asked,
            "targets": targets,
            "steps": steps,
            "never at 0": all(none_before),
            "backward passes": len(none_before),
            "with a past": all(with_a_past),
            "left": [leaf.grad is not None for leaf in model.leaves],
        }

    def judge(self, x, got):
        return first_wrong(*self.facts(x, got))

    def facts(self, x, got):
        """What is wrong with what the model saw, with the gradients, with the mean."""
        N, size = len(x["losses"]), x["size"]
        sizes = [size] * (N // size) + ([N % size] if N % size else [])
        if any(one == other for one, other in itertools.pairwise(got["rows"])):
            yield Wrong(
                "the model was asked twice about one batch: the loss that was found on the way is enough",
                expected=sizes,
                got=[len(each) for each in got["rows"]],
                hint=3,
            )
        what = Message("how many examples the model was given at a time")
        yield with_hint(same_value([len(each) for each in got["rows"]], sizes, what), 1)
        what = Message("the flag training")
        yield with_hint(same_value(got["asked"], [True] * len(sizes), what), 1)
        what = Message("all examples that were given, sorted")
        yield with_hint(same_value(sorted(itertools.chain(*got["rows"])), list(range(N)), what), 1)
        what = Message("the classes that the loss was given")
        yield with_hint(same_value(got["targets"], got["rows"], what), 1)
        if not got["with a past"]:
            yield Wrong("the loss was given an array, and not the scores: no gradient comes back from an array", hint=1)
        if not got["never at 0"]:
            yield Wrong(
                "a grad was 0 before the backward pass, and None is asked for: a step leaves out what has None", hint=2
            )
        if len(got["steps"]) == 2 * len(sizes) and all(len(seen) == 1 for seen in got["steps"]):
            yield Wrong(
                "step was called for each parameter by itself: it takes all of them, once for every batch",
                expected=len(sizes),
                got=len(got["steps"]),
                hint=2,
            )
        what = Message("how often a step was made")
        yield with_hint(same_value(len(got["steps"]), len(sizes), what), 2)
        total = 0.0
        for number, (rows, seen) in enumerate(zip(got["rows"], got["steps"], strict=False)):
            mean = sum(x["losses"][each] for each in rows) / len(rows) + number * x["each step adds"]
            total += mean * len(rows)
            for grad in seen:
                what = Message("a grad that step {number} saw", number=number + 1)
                yield with_hint(
                    same_value(None, 0.0, what) if grad is None else same_number(grad, mean, what, rtol=1e-9), 2
                )
        yield one_number(got["out"])
        out = float(got["out"]) if isinstance(got["out"], int) else got["out"]
        yield with_hint(same_number(out, total / N, Message("the mean loss"), rtol=1e-9), 3)
        if N > 10 and list(itertools.chain(*got["rows"])) == list(range(N)):
            yield with_hint(
                Wrong("the examples came in their old order: rng was not used"),
                1,
            )

    def compared(self, x, got):
        """Not the order, which each answer draws in its own way: shares of what came out, and what holds."""
        N = len(x["losses"])
        flat = list(itertools.chain(*got["rows"]))
        asked = [rows for at, rows in enumerate(got["rows"]) if rows and got["rows"][at - 1 : at] != [rows]]
        means = [sum(x["losses"][each] for each in rows) / len(rows) for rows in asked]
        moved = [mean + number * x["each step adds"] for number, mean in enumerate(means)]
        counts = [len(rows) for rows in asked]
        weighted = sum(mean * count for mean, count in zip(moved, counts, strict=True))
        out = got["out"] if isinstance(got["out"], (int, float)) else None
        candidates = {
            "mean": weighted / max(N, 1),
            "batch means": sum(moved) / max(len(moved), 1),
            "sum": weighted,
            "sum of means": sum(moved),
            "last": moved[-1] if moved else 0.0,
            "after": weighted / max(N, 1) + x["each step adds"],
            "means by examples": sum(moved) / max(N, 1),
            "means by size": sum(moved) * x["size"] / max(N, 1),
        }
        near = [name for name, each in candidates.items() if out is not None and abs(out - each) < 1e-9]
        grads = [
            [None if grad is None else round(grad - mean, 6) == 0 for grad in seen]
            for seen, mean in zip(got["steps"], moved, strict=False)
        ]
        return {
            "sizes": [len(each) for each in got["rows"]],
            "asked": got["asked"],
            "every": sorted(flat) == list(range(N)),
            "shuffled": N > 10 and flat != sorted(flat),
            "targets": got["targets"] == got["rows"],
            "steps": len(got["steps"]),
            "grads": grads,
            "never at 0": got["never at 0"],
            "backward passes": got["backward passes"],
            "with a past": got["with a past"],
            "left": got["left"] if any(None in seen for seen in got["steps"]) else None,
            "out": near or [type(got["out"]).__name__ if out is None else f"{out:.9g}"],
        }


# ----------------------------------------------------------------------------------------------------------- accuracy


@exercise("accuracy")
class Accuracy:
    """All right, none, some; an uneven last batch; negative scores; one example; how the model was called."""

    in_order = True

    def inputs(self, rng):
        drawn = np.round(rng.normal(size=(23, 4)), 2)
        y = rng.integers(0, 4, 23)
        y[:9] = drawn.argmax(axis=1)[:9]
        return [
            {"scores": np.array([[2.0, 1.0], [0.0, 3.0]]), "y": np.array([0, 1]), "size": 2},
            {"scores": np.array([[2.0, 1.0], [0.0, 3.0]]), "y": np.array([1, 0]), "size": 2},
            {
                "scores": np.array([[9.0, 1.0], [0.0, 3.0], [2.0, 1.0], [0.0, 1.0]]),
                "y": np.array([0, 1, 1, 1]),
                "size": 4,
            },
            {
                "scores": np.eye(6)[:, :3] + np.eye(3)[[0, 0, 0, 1, 2, 0]] / 2,
                "y": np.array([0, 1, 0, 1, 2, 0]),
                "size": 4,
            },
            {"scores": np.array([[-5.0, -1.0, -3.0]] * 3), "y": np.array([1, 1, 0]), "size": 2},
            {"scores": drawn, "y": y, "size": 10},
            {"scores": drawn, "y": y, "size": 256},
            {"scores": np.array([[0.0, 1.0]]), "y": np.array([1]), "size": 1},
        ]

    def observe(learner, x):
        import numpy as np

        class Scores:
            def __init__(self, data):
                self.data = data

        class Model:
            def __init__(self):
                self.rows, self.asked = [], []

            def parameters(self):
                return []

            def __call__(self, X, training):
                self.rows.append([int(each) for each in X[:, 0]])
                self.asked.append(bool(training))
                return Scores(np.array(X[:, 1:]))

        model = Model()
        N = len(x["y"])
        X = np.concatenate([np.arange(N)[:, None], x["scores"]], axis=1)
        out = learner.accuracy(model, X, x["y"].copy(), x["size"])
        if isinstance(out, np.floating) or (isinstance(out, np.ndarray) and out.shape == ()):
            out = float(out)
        plain = out is None or isinstance(out, (int, float))
        return {"out": out if plain else type(out).__name__, "rows": model.rows, "asked": model.asked}

    def judge(self, x, got):
        N = len(x["y"])
        want = sum(int(np.argmax(row)) == target for row, target in zip(x["scores"], x["y"], strict=True)) / N
        want = float(want)
        out = float(got["out"]) if isinstance(got["out"], int) else got["out"]
        asked = [each for rows in got["rows"] for each in rows]
        what = Message("the examples that the model was asked, sorted")
        large = max((len(rows) for rows in got["rows"]), default=0)
        too_many = None
        if large > x["size"]:
            too_many = Wrong(
                "the model was given {large} rows at once, and size is {size}", large=large, size=x["size"]
            )
        answering = Message("the flag training")
        never = sorted(set(range(N)) - set(asked))
        left_out = None
        if asked and never:
            left_out = Wrong(
                "the model was never asked about {never} of {n} examples",
                never=len(never),
                n=N,
                expected=list(range(N)),
                got=sorted(asked),
                hint=3,
            )
        too_few = None
        if N > x["size"] > 1 and len(got["rows"]) >= N:
            too_few = Wrong("the model was given one row at a time, and size is {size}", size=x["size"], hint=3)
        return first_wrong(
            left_out,
            one_number(got["out"]),
            with_hint(
                same_number(out, want, Message("the share of right answers"), rtol=1e-12),
                2,
            ),
            with_hint(same_value(sorted(asked), list(range(N)), what), 3),
            with_hint(too_many, 3),
            too_few,
            with_hint(same_value(got["asked"], [False] * len(got["asked"]), answering), 1),
        )

    def compared(self, x, got):
        """The number, and what the model was asked; in which order does not matter."""
        return {
            "out": got["out"],
            "asked": sorted(set(got["asked"])),
            "large": max((len(rows) for rows in got["rows"]), default=0),
            "often": len(got["rows"]) >= len(x["y"]) > x["size"] > 1,
            "all": sorted(each for rows in got["rows"] for each in rows) == list(range(len(x["y"]))),
        }
