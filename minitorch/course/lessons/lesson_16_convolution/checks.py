"""How the answers of lesson 16 are judged.

What is expected is worked out in other ways than the solutions do it: places are counted by trying them, windows are
read pixel by pixel, and every gradient is collected number by number from the definition.
"""

import numpy as np

from minitorch.course.judging.arrays import between, called, rewritten
from minitorch.course.judging.checks import Message, Wrong, as_python, exercise, first_wrong, judged_array, same_value
from minitorch.course.sandbox.values import type_name


def places(size, kernel, stride, padding):
    """Where along a side the windows begin, counted from the first pixel: every start is tried."""
    last = size + padding - kernel
    return [start for start in range(-padding, last + 1) if (start + padding) % stride == 0]


def image(*shape):
    """1, 2, 3, ... in that shape."""
    return np.arange(1.0, np.prod(shape, dtype=int) + 1).reshape(shape)


def things(out, names, hint):
    """Say that it is not as many things that came back as there are names."""
    if isinstance(out, list) and len(out) == len(names):
        return None
    listed = f"({', '.join(names)})"
    if out is None:
        got = "None"
    else:
        got = f"{len(out)} things" if isinstance(out, list) else f"one {type_name(out)}"
    return Wrong(
        "conv2d_vjp must return {names} arrays, {listed}",
        names=len(names),
        listed=listed,
        expected=listed,
        got=got,
        hint=None if out is None else hint,
    )


# -------------------------------------------------------------------------------------------------------- output size


@exercise("output_size")
class OutputSize:
    """A side as it is; with padding; with a stride; with both; whole windows; windows that do not fit."""

    in_order = True

    def inputs(self, rng):
        names = ("size", "kernel", "stride", "padding")
        cases = [(8, 3, 1, 0), (8, 3, 1, 1), (9, 3, 2, 0), (8, 3, 2, 0), (7, 4, 3, 0), (28, 5, 2, 2), (10, 1, 3, 0)]
        cases += [(3, 3, 1, 0), (2, 4, 1, 1), (2, 3, 5, 1), (6, 3, 4, 1), (4, 6, 1, 0), (2, 7, 3, 2)]
        cases.append(tuple(int(rng.integers(low, high)) for low, high in ((20, 40), (2, 6), (2, 5), (1, 3))))
        return [dict(zip(names, case, strict=True)) for case in cases]

    def line(self, x):
        return f"m.output_size({x['size']}, {x['kernel']}, {x['stride']}, {x['padding']})"

    def wanted(self, x):
        return None if places(**x) else "ValueError"

    def observe(learner, x):
        try:
            return learner.output_size(x["size"], x["kernel"], x["stride"], x["padding"])
        except ValueError:
            return "ValueError"

    def judge(self, x, got):
        want = len(places(**x))
        if not want and got != "ValueError":
            return Wrong(
                "not even one window fits here, so there is no size to return: raise ValueError",
                expected="ValueError",
                got=got,
                hint=4,
            )
        if want and got == "ValueError":
            return Wrong(
                "your function raised ValueError, but the window fits at {want} places",
                want=want,
                expected=want,
                got="ValueError",
                hint=4,
            )
        if want and isinstance(got, np.integer):
            got = int(got)
        return same_value(got, want) if want else None


# ------------------------------------------------------------------------------------------------------------- im2col


def windows(x, kernel, stride, padding):
    """The rows of im2col, read pixel by pixel; outside of the image stands 0."""
    n, c, height, width = x.shape
    rows = []
    for top in places(height, kernel, stride, padding):
        for left in places(width, kernel, stride, padding):
            row = np.zeros((n, c, kernel, kernel))
            for a, b in np.ndindex(kernel, kernel):
                if 0 <= top + a < height and 0 <= left + b < width:
                    row[:, :, a, b] = x[:, :, top + a, left + b]
            rows.append(row.reshape(n, c * kernel * kernel))
    return np.stack(rows, axis=1)


@exercise("im2col")
class Im2col:
    """One row of places; more places; two channels; two images; a stride; padding; all of it; a single window."""

    in_order = True

    def inputs(self, rng):
        def case(x, kernel, stride=1, padding=0):
            return {"x": x, "kernel": kernel, "stride": stride, "padding": padding}

        return [
            case(image(1, 1, 2, 3), 2),
            case(image(1, 1, 3, 3), 2),
            case(image(1, 1, 3, 4), 2),
            case(image(1, 2, 2, 3), 2),
            case(image(2, 1, 2, 3), 2),
            case(image(1, 1, 3, 5), 3, 2),
            case(image(1, 1, 2, 2), 2, 1, 1),
            case(image(1, 1, 1, 2), 3, 1, 1),
            case(image(1, 1, 5, 4), 1, 2),
            case(between(rng, 2, 3, 4, 5), 3, 2, 1),
            case(between(rng, 3, 2, 6, 3), 2, 3, 2),
            case(between(rng, 2, 2, 3, 3), 3),
        ]

    def line(self, x):
        return f"{called('im2col', x, 'x')[:-1]}, {x['kernel']}, {x['stride']}, {x['padding']})"

    def observe(learner, x):
        import numpy as np

        given = x["x"].copy()
        out = learner.im2col(given, x["kernel"], x["stride"], x["padding"])
        if isinstance(out, np.ndarray):
            out = np.array(out)
        return {"out": out, "after": {"x": given.copy()}}

    def judge(self, x, got):
        want = windows(x["x"], x["kernel"], x["stride"], x["padding"])
        border = {"shape": 2, "entry": 2} if x["padding"] else {"shape": 1, "entry": 3}
        return first_wrong(
            rewritten(x, got["after"], "x"),
            judged_array(got["out"], want, hints={"numbers": 1, "order": 4, "zero": 3, **border}),
        )


# ---------------------------------------------------------------------------------------------------- and its way back


def conv_gradients(x):
    """The three gradients, number by number: every product forwards gives something to both of its factors."""
    g, pixels, weights = x["g"], x["x"], x["weights"]
    _, _, height, width = pixels.shape
    kernel = weights.shape[-1]
    tops, lefts = (places(side, kernel, x["stride"], x["padding"]) for side in (height, width))
    x_grad, weights_grad = np.zeros(pixels.shape), np.zeros(weights.shape)
    for (i, top), (j, left) in ((up, side) for up in enumerate(tops) for side in enumerate(lefts)):
        for a, b in np.ndindex(kernel, kernel):
            if 0 <= top + a < height and 0 <= left + b < width:
                x_grad[:, :, top + a, left + b] += np.einsum("nf,fc->nc", g[:, :, i, j], weights[:, :, a, b])
                weights_grad[:, :, a, b] += np.einsum("nf,nc->fc", g[:, :, i, j], pixels[:, :, top + a, left + b])
    return x_grad, weights_grad, np.array([each.sum() for each in np.moveaxis(g, 1, 0)])


@exercise("conv2d_vjp")
class Conv2dVjp:
    """One window at a time; windows that overlap; channels, filters, images; a stride; padding; all of it."""

    in_order = True

    def inputs(self, rng):
        def case(shape, filters, kernel, stride=1, padding=0):
            n, c, height, width = shape
            down, across = (len(places(side, kernel, stride, padding)) for side in (height, width))
            g, weights = between(rng, n, filters, down, across), between(rng, filters, c, kernel, kernel)
            return {"g": g, "x": between(rng, *shape), "weights": weights, "stride": stride, "padding": padding}

        first = {"g": np.array([[[[1.0, 5.0]]]]), "x": image(1, 1, 1, 3), "weights": np.array([[[[10.0]]]])}
        return [
            {**first, "stride": 2, "padding": 0},
            case((1, 1, 2, 3), 1, 2),
            case((1, 1, 4, 4), 1, 2, 2),
            case((1, 1, 3, 4), 1, 2),
            case((1, 2, 3, 3), 1, 2),
            case((1, 1, 3, 3), 2, 2),
            case((2, 1, 3, 3), 1, 2),
            case((1, 1, 3, 5), 1, 2, 2),
            case((1, 1, 2, 2), 1, 2, 1, 1),
            case((1, 1, 3, 3), 1, 3, 2, 1),
            case((2, 3, 4, 5), 2, 3, 1, 1),
            case((3, 2, 5, 4), 4, 3, 2, 2),
        ]

    def line(self, x):
        return f"{called('conv2d_vjp', x, 'g', 'x', 'weights')[:-1]}, {x['stride']}, {x['padding']})"

    def observe(learner, x):
        import numpy as np

        given = {name: x[name].copy() for name in ("g", "x", "weights")}
        out = learner.conv2d_vjp(given["g"], given["x"], given["weights"], x["stride"], x["padding"])
        if hasattr(out, "__next__"):
            out = list(out)
        if isinstance(out, (tuple, list)):
            out = [np.array(each) if isinstance(each, (np.generic, np.ndarray)) else each for each in out]
        return {"out": out, "after": {name: array.copy() for name, array in given.items()}}

    def judge(self, x, got):
        names = ("x_grad", "weights_grad", "bias_grad")
        changed, number = rewritten(x, got["after"], "g", "x", "weights"), things(got["out"], names, 5)
        if changed or number:
            return changed or number
        wants = conv_gradients(x)
        hints = ({"shape": 5, "entry": 4, "order": 4}, {"shape": 2, "entry": 2, "factor": 2}, {"shape": 1, "entry": 1})
        return first_wrong(
            *(
                judged_array(got["out"][at], wants[at], names[at], hints={"factor": 1, **hints[at]}, rtol=1e-8)
                for at in (2, 1, 0)  # the bias has the shortest way back, the image the longest
            )
        )


# -------------------------------------------------------------------------------------------------------------- pooling


def pool_gradient(x):
    """What each window hands back to its largest numbers, window by window."""
    gradient = np.zeros(x["x"].shape)
    tops, lefts = (places(side, x["kernel"], x["stride"], 0) for side in x["x"].shape[2:])
    for n, c, i, j in np.ndindex(x["g"].shape):
        pixels = [(tops[i] + a, lefts[j] + b) for a, b in np.ndindex(x["kernel"], x["kernel"])]
        top = max(x["x"][n, c, row, column] for row, column in pixels)
        winners = [(row, column) for row, column in pixels if x["x"][n, c, row, column] == top]
        for row, column in winners:
            gradient[n, c, row, column] += x["g"][n, c, i, j] / len(winners)
    return gradient


@exercise("maxpool_vjp")
class MaxpoolVjp:
    """Two windows, one with a tie; more of them; images and channels; overlap; gaps; pixels left over; all zeros."""

    in_order = True

    def inputs(self, rng):
        def case(x, kernel, stride):
            down, across = (len(places(side, kernel, stride, 0)) for side in x.shape[2:])
            return {"g": between(rng, *x.shape[:2], down, across), "x": x, "kernel": kernel, "stride": stride}

        first = np.array([[[[1.0, 7.0, 3.0, 3.0], [2.0, 0.0, 3.0, 1.0]]]])
        steps = np.array([[[[0.0, 1.0, 1.0], [2.0, 1.0, 0.0], [2.0, 2.0, 0.0]]]])
        return [
            {"g": np.array([[[[10.0, 30.0]]]]), "x": first, "kernel": 2, "stride": 2},
            {**case(image(1, 1, 4, 4), 2, 2), "g": np.array([[[[1.0, -2.0], [3.0, 4.0]]]])},
            case(between(rng, 1, 1, 2, 6), 2, 2),
            case(between(rng, 1, 2, 2, 4), 2, 2),
            case(between(rng, 2, 1, 4, 2), 2, 2),
            case(np.array([[[[1.0, 2.0, 9.0, 4.0], [3.0, 0.0, 5.0, 6.0]]]]), 2, 1),
            case(steps, 2, 1),
            case(between(rng, 1, 1, 4, 7), 2, 3),
            case(between(rng, 2, 2, 5, 6), 3, 2),
            case(np.zeros((2, 2, 4, 4)), 2, 2),
            case(np.array([[[[1.0, 1.000001], [0.0, 1.0]]]]), 2, 1),
            case(-np.abs(between(rng, 1, 2, 3, 3)) - 1.0, 3, 1),
        ]

    def line(self, x):
        return f"{called('maxpool_vjp', x, 'g', 'x')[:-1]}, {x['kernel']}, {x['stride']})"

    def observe(learner, x):
        import numpy as np

        given = {name: x[name].copy() for name in ("g", "x")}
        out = learner.maxpool_vjp(given["g"], given["x"], x["kernel"], x["stride"])
        if isinstance(out, np.ndarray):
            out = np.array(out)
        return {"out": out, "after": {name: array.copy() for name, array in given.items()}}

    def judge(self, x, got):
        out, want = got["out"], pool_gradient(x)
        return first_wrong(
            rewritten(x, got["after"], "g", "x"),
            self.more_than_arrived(out, want, x),
            judged_array(out, want, Message("the gradient of x"), hints={"entry": 1, "factor": 2}),
        )

    def more_than_arrived(self, out, want, x):
        """Say that more or less goes back than arrived, where there are numbers in the right shape."""
        if not isinstance(out, np.ndarray) or out.shape != want.shape or not np.all(np.isfinite(out)):
            return None
        back, arrived = float(out.sum()), float(x["g"].sum())
        if abs(back - arrived) < 1e-9:
            return None
        return Wrong(
            "what goes back adds up to {back}, but {arrived} arrived: a window hands on exactly what it gets",
            back=f"{back:.6g}",
            arrived=f"{arrived:.6g}",
            expected=want,
            got=out,
            hint=2,
        )


# ------------------------------------------------------------------------------------------------------- made longer


@exercise("conv_transpose1d")
class ConvTranspose1d:
    """Two numbers; with a stride; three numbers; gaps between the copies; one number; a kernel of one; drawn ones."""

    in_order = True

    def inputs(self, rng):
        def case(y, kernel, stride):
            return {"y": np.array(y, float), "kernel": np.array(kernel, float), "stride": stride}

        return [
            case([1, 10], [1, 2, 3], 1),
            case([1, 10], [1, 2, 3], 2),
            case([1, 10, 100], [1, 2], 1),
            case([1, 10, 100], [1, 2, 4], 2),
            case([1, 10, 100], [1, 2], 3),
            case([5], [1, 2, 3], 2),
            case([1, 2, 3, 4], [2], 1),
            {"y": between(rng, 6), "kernel": between(rng, 3), "stride": 2},
            {"y": between(rng, 3), "kernel": between(rng, 5), "stride": 1},
        ]

    def line(self, x):
        return f"{called('conv_transpose1d', x, 'y', 'kernel')[:-1]}, {as_python(x['stride'])})"

    def observe(learner, x):
        import numpy as np

        given = {name: x[name].copy() for name in ("y", "kernel")}
        out = learner.conv_transpose1d(given["y"], given["kernel"], x["stride"])
        if isinstance(out, np.ndarray):
            out = np.array(out)
        return {"out": out, "after": {name: array.copy() for name, array in given.items()}}

    def judge(self, x, got):
        starts = [i * x["stride"] for i in range(len(x["y"]))]
        want = np.zeros(max(starts) + len(x["kernel"]))
        for place in range(len(want)):
            laid = [(i, place - start) for i, start in enumerate(starts) if 0 <= place - start < len(x["kernel"])]
            want[place] = sum(x["y"][i] * x["kernel"][at] for i, at in laid)
        return first_wrong(
            rewritten(x, got["after"], "y", "kernel"),
            judged_array(got["out"], want, hints={"shape": 3, "entry": 2, "order": 2}),
        )
