"""How batchnorm_forward is judged: several calls in a row, learning and answering, on the same running numbers."""

import numpy as np

from minitorch.course.judging.checks import Message, Wrong, exercise, first_wrong, same_array, same_value, with_hint


@exercise("batchnorm_forward")
class BatchnormForward:
    """One column, then several; gamma and beta; other momenta; answering, also one row; a column that does not vary."""

    in_order = True

    def inputs(self, rng):
        plain = {"gamma": np.array([1.0]), "beta": np.array([0.0]), "mean": np.array([0.0]), "var": np.array([1.0])}
        x = [np.round(rng.normal(2.0, 3.0, (n, 3)), 2) for n in (5, 5, 4)]
        several = {
            "gamma": np.array([1.0, 2.0, -0.5]),
            "beta": np.array([0.0, 1.0, 3.0]),
            "mean": np.array([0.0, 1.0, 2.0]),
            "var": np.array([1.0, 4.0, 0.25]),
        }
        two = np.array([[1.0], [3.0]])
        return [
            {**plain, "x": [two], "training": [True], "momentum": 0.1},
            {**plain, "x": [np.array([[5.0], [1.0]])], "training": [False], "momentum": 0.1},
            {**several, "x": x[:1], "training": [True], "momentum": 0.1},
            {**several, "x": x[:1], "training": [False], "momentum": 0.1},
            {**several, "x": x, "training": [True, True, False], "momentum": 0.3},
            {**several, "x": [x[0][:1]], "training": [False], "momentum": 0.1},
            {**plain, "x": [np.array([[4.0], [4.0], [4.0]])], "training": [True], "momentum": 0.5},
            {**plain, "x": [two * 0.001], "training": [True], "momentum": 0.1},
        ]

    def observe(learner, x):
        import numpy as np

        running = {"mean": x["mean"].copy(), "var": x["var"].copy()}
        gamma, beta = x["gamma"].copy(), x["beta"].copy()
        seen = []
        for batch, training in zip(x["x"], x["training"]):
            given = batch.copy()
            out = learner.batchnorm_forward(given, gamma, beta, running, training, x["momentum"])
            kept = (
                np.array_equal(given, batch) and np.array_equal(gamma, x["gamma"]) and np.array_equal(beta, x["beta"])
            )
            seen.append(
                {
                    "out": np.array(out) if isinstance(out, np.ndarray) else type(out).__name__,
                    "mean": np.array(running["mean"]),
                    "var": np.array(running["var"]),
                    "kept": bool(kept),
                }
            )
        return seen

    def judge(self, x, got):
        return first_wrong(*self.facts(x, got))

    def facts(self, x, got):
        """What is wrong with the result and with the running numbers after each call."""
        mean, var = x["mean"], x["var"]
        for call, (batch, training, seen) in enumerate(zip(x["x"], x["training"], got, strict=True), start=1):
            N = len(batch)
            use = (mean, var)
            if training:
                own = batch.sum(axis=0) / N
                spread = ((batch - own) ** 2).sum(axis=0)
                use = (own, spread / N)
                share = x["momentum"]
                mean, var = mean + share * (own - mean), var + share * (spread / (N - 1) - var)
            want = (batch - use[0]) * (x["gamma"] / np.sqrt(use[1] + 1e-5)) + x["beta"]
            after = Message("after call {call}", call=call)
            if isinstance(seen["out"], str):
                yield with_hint(same_value(seen["out"], "ndarray", Message("what came back")), 1)
                return
            what = Message("the result of call {call}", call=call)
            yield with_hint(same_array(seen["out"], want, what), 1 if training else 3)
            for name, wanted in (("mean", mean), ("var", var)):
                what = Message('running["{name}"] {after}', name=name, after=after)
                yield with_hint(same_array(seen[name], wanted, what), 2 if training else 3)
            if not seen["kept"]:
                yield Wrong("x, gamma or beta was changed: make new arrays")
