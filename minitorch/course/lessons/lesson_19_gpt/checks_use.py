"""How the answers of lesson 19 are judged: writing, training, and how surprised a model is.

The model is a stand-in that looks its logits up: they depend on the character, on its place in what is read, and on the
first character that is read. So it shows in what comes out what exactly was read.
"""

import numpy as np

from minitorch.course.judging.arrays import between
from minitorch.course.judging.checks import (
    Message,
    Wrong,
    as_python,
    exercise,
    first_wrong,
    same_array,
    same_number,
    with_hint,
)


def tables(rng, V, context, scale=1.0):
    """The numbers of a stand-in."""
    return {"table": between(rng, V, V) * scale, "place": between(rng, context, V)}


def logits_of(x, ids):
    """What the stand-in of a case gives for one text that it reads."""
    return x["table"][ids] + x["table"][ids[0]] / 2 + x["place"][: len(ids)]


def shares(logits):
    """The softmax along the last axis."""
    return np.exp(logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True))


# ----------------------------------------------------------------------------------------------------------- generate


def writing_seen(learner, x):
    """Given code: let a stand-in write; tell what came out, what was read each time, and what was drawn besides."""
    import numpy as np

    class Tables(learner.Module):
        def __init__(self):
            self.table = learner.Tensor(x["table"], requires_grad=True)
            self.place = learner.Tensor(x["place"], requires_grad=True)
            self.context = len(x["place"])
            self.read, self.wanted = [], []

        def forward(self, ids):
            self.read.append(np.array(ids))
            if np.ndim(ids) != 2 or not 0 < np.shape(ids)[1] <= self.context:
                raise ValueError(f"the model reads (B, T) characters, T up to {self.context}, not {np.shape(ids)}")
            ids, T = np.asarray(ids), np.shape(ids)[1]
            first = learner.embedding(self.table, np.repeat(ids[:, :1], T, axis=1))
            half = learner.Tensor(np.eye(len(x["table"])) / 2)
            out = learner.embedding(self.table, ids) + first @ half + learner.embedding(self.place, np.arange(T))
            self.wanted.append(out.requires_grad)
            return out

    model, ids, rng = Tables(), np.array(x["ids"]), np.random.default_rng(x["seed"])
    out = learner.generate(model, ids, x["count"], x["temperature"], rng)
    seen = {"out": np.array(out) if isinstance(out, (np.ndarray, list)) else out, "ids": ids.copy()}
    return seen | {"kind": type(out).__name__, "read": model.read, "recorded": any(model.wanted), "next": rng.random()}


def observe_writing(learner, x, given):
    """What `writing_seen` saw; all of it happens beside the learner's code."""
    return given(learner, x)


def written(x):
    """What comes out, and the number that the generator draws next."""
    rng, text, context = np.random.default_rng(x["seed"]), list(x["ids"]), len(x["place"])
    for _ in range(x["count"]):
        window = np.array(text[-context:])
        p = shares(logits_of(x, window)[-1] / x["temperature"])
        text.append(int(min(np.searchsorted(np.cumsum(p), rng.random(), side="right"), len(p) - 1)))
    return np.array(text), rng.random()


def windows_of(text, x):
    """What the model should read each time, where text is what was written."""
    ends = range(len(x["ids"]), len(x["ids"]) + x["count"])
    return [[[int(each) for each in text[:end][-len(x["place"]) :]]] for end in ends]


def draws_before(x, number, most=50):
    """How many numbers the generator had given before this one; None if it is not among the first ones."""
    rng = np.random.default_rng(x["seed"])
    return next((count for count in range(most) if rng.random() == number), None)


@exercise("generate")
class Generate:
    """One character more; some, while all fit; longer than the context; a long start; one that fits just so; none."""

    in_order = True

    def inputs(self, rng):
        def case(V, context, start, count, temperature=1.0, scale=1.0):
            more = {"ids": rng.integers(0, V, start), "count": count, "temperature": temperature}
            return {**tables(rng, V, context, scale), **more, "seed": int(rng.integers(1000))}

        return [
            case(3, 4, 1, 1),
            case(4, 6, 2, 3),
            case(4, 3, 1, 6),
            case(4, 3, 5, 1),
            case(5, 3, 7, 4),
            case(4, 4, 4, 3),
            case(5, 4, 2, 12, temperature=0.3),
            case(5, 4, 2, 12, temperature=3.0),
            case(6, 1, 1, 8),
            case(4, 3, 2, 0),
        ]

    observe, given = observe_writing, writing_seen

    def compared(self, x, got):
        """How many numbers were drawn tells something only where what came out is right."""
        right = isinstance(got["out"], np.ndarray) and np.array_equal(got["out"], written(x)[0])
        return got if right else {name: seen for name, seen in got.items() if name != "next"}

    def line(self, x):
        numbers = f"table, place = {as_python(x['table'])}, {as_python(x['place'])}"
        tables_ = "m.Tensor(table[ids] + table[ids[:, :1]] / 2 + place[: ids.shape[1]])"
        model = f"model = lambda ids: {tables_}; model.context = {len(x['place'])}"
        call = f"m.generate(model, np.array({x['ids'].tolist()}), {x['count']}, {x['temperature']}, rng)"
        return f"{numbers}; {model}; rng = np.random.default_rng({x['seed']}); {call}"

    def judge(self, x, got):
        want, after = written(x)
        if got["kind"] == "list":
            return Wrong("generate must return an array, not a list", hint=4)
        if not np.array_equal(got["ids"], x["ids"]):
            return Wrong("generate changed the ids that it was given", expected=x["ids"], got=got["ids"], hint=4)
        seen, own = [each.tolist() for each in got["read"]], got["out"]
        whole = isinstance(own, np.ndarray) and own.shape == want.shape and own.dtype.kind in "iu"
        read = windows_of(own if whole else want, x)
        for number, (one, other) in enumerate(zip(seen, read, strict=False), 1):
            if one != other:
                return Wrong(
                    "for new character {number} the model should read the last characters, as many as it can",
                    number=number,
                    expected=other,
                    got=one,
                    hint=1,
                )
        drawn = draws_before(x, got["next"])
        if whole and got["next"] != after and drawn is not None:
            return Wrong(
                "rng.random() should be drawn once for each new character",
                expected=Message("numbers drawn: {count}", count=x["count"]),
                got=Message("numbers drawn: {drawn}", drawn=drawn),
                hint=2,
            )
        wrong = with_hint(same_array(got["out"], want), 3)
        if wrong:
            return wrong
        if got["out"].dtype.kind not in "iu":
            return Wrong("the result must hold whole numbers", got=got["out"].dtype, hint=4)
        if got["next"] != after:
            return Wrong(
                "rng.random() should be drawn once for each new character",
                expected=Message("numbers drawn: {count}", count=x["count"]),
                hint=2,
            )
        if got["recorded"]:
            return Wrong("the model's operations were recorded: nobody asks for gradients here", hint=5)
        return None


# ----------------------------------------------------------------------------------------------------------- training


def training_seen(learner, x):
    """Given code: train a table and what is added to its rows, stop where a case says, go on; how things then stand."""
    import numpy as np

    class Scores(learner.Module):
        def __init__(self):
            self.table = learner.Tensor(x["table"], requires_grad=True)
            self.unused = learner.Tensor(np.ones(2), requires_grad=True)
            self.shift = learner.Tensor(np.zeros(3), requires_grad=True)

    model, matrix, targets = Scores(), learner.Tensor(x["matrix"]), x["targets"]
    state = learner.fresh_state(model)
    model.table.grad = np.full_like(x["table"], 7.0)
    asked, told, made, seen, failure = [], [], [], [], ArithmeticError("no loss can be computed for this batch")
    for stop, where in x["calls"]:

        def loss_of(n, stop=stop, where=where):
            asked.append(n)
            if where == "error" and n == stop:
                raise failure
            if where == "loss" and n == stop:
                raise KeyboardInterrupt
            made.append(learner.cross_entropy_loss((model.table + model.shift) @ matrix, targets[n]))
            return made[-1]

        def tell(n, loss, stop=stop, where=where):
            told.append([n, loss])
            if where == "tell" and n == stop:
                raise KeyboardInterrupt

        through, failed, rates = False, False, list(x["rates"])
        try:
            learner.train_gpt(model, loss_of, state, rates, *([] if where == "silent" else [tell]))
        except KeyboardInterrupt:
            through = True
        except ArithmeticError as error:
            if error is not failure:
                raise
            failed = True
        now = {
            "table": np.array(model.table.data),
            "shift": np.array(model.shift.data),
            "step": state["step"],
            "losses": list(state["losses"]),
        }
        now |= {"asked": list(asked), "told": [list(each) for each in told], "went through": through}
        now["failed"] = failed
        kept = sum(each._prev != () or each._backward is not None for each in made)
        seen.append(now | {"kinds": sorted({type(each).__name__ for each in state["losses"]}), "kept": kept})
    return seen


def observe_training(learner, x, given):
    """What `training_seen` saw; all of it happens beside the learner's code."""
    return given(learner, x)


def trained(x):
    """How things stand after each call, by Adam's formula on one array: the table, and below it what is added."""
    both, first, second = np.vstack([x["table"], np.zeros(3)]), 0.0, 0.0
    step, losses, asked, told, stands = 0, [], [], [], []
    for stop, where in x["calls"]:
        while step < len(x["rates"]):
            asked.append(step)
            if where in ("loss", "error") and step == stop:
                break
            scores, rows = (both[:-1] + both[-1]) @ x["matrix"], np.arange(len(both) - 1)
            log_p = scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True)
            p = np.exp(log_p)
            losses.append(float(-log_p[rows, x["targets"][step]].mean()))
            p[rows, x["targets"][step]] -= 1.0
            g = (p / len(rows)) @ x["matrix"].T
            g = np.vstack([g, g.sum(axis=0)])
            g = g / max(1.0, float(np.sqrt((g * g).sum())))
            first, second = 0.9 * first + 0.1 * g, 0.99 * second + 0.01 * g * g
            number = step + 1
            size = np.sqrt(second / (1 - 0.99**number)) + 1e-8
            both = both - x["rates"][step] * first / (1 - 0.9**number) / size
            if where != "silent":
                told.append([step, losses[-1]])
            step = number
            if where == "tell" and number - 1 == stop:
                break
        now = {"table": both[:-1].copy(), "shift": both[-1].copy(), "step": step, "losses": list(losses)}
        now["asked"] = list(asked)
        now["failed"] = where == "error"
        stands.append(now | {"told": [list(each) for each in told]})
    return stands


@exercise("train_gpt")
class TrainGPT:
    """One step; more; called again; stopped while it tells, or computes, or twice; an error; nothing told; more."""

    in_order = True

    def inputs(self, rng):
        def case(rates, *calls, scale=1.0, rows=2):
            x = {"table": between(rng, rows, 3), "matrix": between(rng, 3, 4) * scale}
            x |= {"targets": rng.integers(0, 4, (len(rates), rows)), "rates": rates}
            return {**x, "calls": [list(each) for each in calls]}

        end = (-1, "tell")
        falling = [0.4, 0.3, 0.2, 0.1]
        return [
            case([0.1], end),
            case([0.1, 0.1, 0.1], end),
            case(falling, end),
            case(falling, end, end),
            case(falling, (1, "tell"), end),
            case(falling, (2, "loss"), end),
            case([*falling, 0.05], (0, "tell"), (3, "loss"), end),
            case(falling, (-1, "silent")),
            case(falling, end, scale=4.0, rows=3),
            case(falling, (1, "error"), end),
            case([], end),
        ]

    observe, given = observe_training, training_seen

    def line(self, x):
        if [where for _, where in x["calls"]] != ["tell"] or not x["rates"]:
            return None  # a stop is no line
        made = [f"table, matrix = {as_python(x['table'])}, {as_python(x['matrix'])}; model = m.Module()"]
        made += [
            "model.table = m.Tensor(table, requires_grad=True); model.shift = m.Tensor([0.0] * 3, requires_grad=True)"
        ]
        made += ["state = m.fresh_state(model)"]
        targets = f"np.array({x['targets'].tolist()})[n]"
        loss = f"lambda n: m.cross_entropy_loss((model.table + model.shift) @ m.Tensor(matrix), {targets})"
        return "; ".join(
            [*made, f"m.train_gpt(model, {loss}, state, {x['rates']})", "state['losses'], model.table.data"]
        )

    def judge(self, x, got):
        wants = trained(x)
        return first_wrong(
            *(wrong for seen, want in zip(got, wants, strict=True) for wrong in self.after_a_call(seen, want))
        )

    def after_a_call(self, seen, want):
        """What is wrong with how things stand after one call."""
        if seen["went through"]:
            yield Wrong("a KeyboardInterrupt went through: it should end the training, and no more than that", hint=4)
        if seen["failed"] != want["failed"]:
            yield Wrong(
                "loss_of raised an ArithmeticError, and nobody learned of it: only a KeyboardInterrupt ends quietly",
                hint=4,
            )
        if seen["asked"] != want["asked"]:
            yield Wrong("loss_of was not asked for these steps", expected=want["asked"], got=seen["asked"], hint=1)
        if seen["step"] != want["step"]:
            yield Wrong(
                'state["step"] is another number than the steps made', expected=want["step"], got=seen["step"], hint=3
            )
        if seen["kinds"] not in ([], ["float"]):
            yield Wrong('state["losses"] must hold plain numbers', expected=["float"], got=seen["kinds"], hint=3)
            return
        yield with_hint(same_array(np.array(seen["losses"]), np.array(want["losses"]), 'state["losses"]'), 2)
        yield with_hint(same_array(seen["table"], want["table"], Message("the table"), rtol=1e-6), 2)
        yield with_hint(same_array(seen["shift"], want["shift"], "model.shift", rtol=1e-6), 2)
        if not self.same_told(seen["told"], want["told"]):
            yield Wrong(
                "tell should hear each step's number and its loss, a plain number, once",
                expected=want["told"],
                got=str(seen["told"])[:200],
                hint=5,
            )
        if seen["kept"]:
            yield Wrong(
                "the graphs of earlier steps are still whole: let go of each with free(loss)",
                got=Message("{kept} graphs", kept=seen["kept"]),
                hint=5,
            )

    def same_told(self, seen, want):
        """Whether each step was told, with its loss."""
        plain = all(type(n) is int and type(loss) is float for n, loss in seen)
        return len(seen) == len(want) and plain and bool(np.allclose(np.array(seen), np.array(want), rtol=1e-7))


# ----------------------------------------------------------------------------------------------------------- surprise


def surprise_seen(learner, x):
    """Given code: how surprised a stand-in is; what it read, and whether that was recorded."""
    import numpy as np

    class Tables(learner.Module):
        def __init__(self):
            self.table = learner.Tensor(x["table"], requires_grad=True)
            self.place = learner.Tensor(x["place"], requires_grad=True)
            self.context = len(x["place"])
            self.wanted = []

        def forward(self, ids):
            if np.ndim(ids) != 2 or not 0 < np.shape(ids)[1] <= self.context:
                raise ValueError(f"the model reads (B, T) characters, T up to {self.context}, not {np.shape(ids)}")
            ids, T = np.asarray(ids), np.shape(ids)[1]
            first = learner.embedding(self.table, np.repeat(ids[:, :1], T, axis=1))
            half = learner.Tensor(np.eye(len(x["table"])) / 2)
            out = learner.embedding(self.table, ids) + first @ half + learner.embedding(self.place, np.arange(T))
            self.wanted.append(out.requires_grad)
            return out

    model, ids = Tables(), np.array(x["ids"])
    out = learner.surprise(model, ids, x["start"])
    shown = float(out) if isinstance(out, np.floating) else out
    return {"out": shown, "ids": ids.copy(), "recorded": any(model.wanted)}


def observe_surprise(learner, x, given):
    """What `surprise_seen` saw; all of it happens beside the learner's code."""
    return given(learner, x)


@exercise("surprise")
class Surprise:
    """The last of two characters, of more; all but the first; an end of several; a full context; a sure model."""

    in_order = True

    def inputs(self, rng):
        def case(V, T, start, scale=1.0):
            return {**tables(rng, V, T - 1, scale), "ids": rng.integers(0, V, T), "start": start}

        even = {"table": np.zeros((4, 4)), "place": np.zeros((4, 4)), "ids": np.array([0, 1, 2, 3, 0]), "start": 3}
        sizes = ((3, 2, 1), (4, 4, 3), (4, 4, 1), (5, 7, 3), (5, 8, 5))
        sure = {"table": np.array([[0.0, 0.0, 900.0]] * 3), "place": np.zeros((3, 3)), "ids": np.array([2, 2, 1, 0])}
        return [even, *(case(*size) for size in sizes), {**sure, "start": 2}]

    observe, given = observe_surprise, surprise_seen

    def line(self, x):
        numbers = f"table, place = {as_python(x['table'])}, {as_python(x['place'])}"
        model = "lambda ids: m.Tensor(table[ids] + table[ids[:, :1]] / 2 + place[: ids.shape[1]])"
        return f"{numbers}; m.surprise({model}, np.array({x['ids'].tolist()}), {x['start']})"

    def judge(self, x, got):
        ids, start = x["ids"], x["start"]
        logits = logits_of(x, ids[:-1])
        log_p = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
        want = -sum(log_p[place - 1, ids[place]] for place in range(start, len(ids)))
        wrong = with_hint(same_number(got["out"], float(want), Message("the surprise"), rtol=1e-8), 1)
        if wrong:
            return wrong
        if not np.array_equal(got["ids"], ids):
            return Wrong("surprise changed ids")
        if got["recorded"]:
            return Wrong("the model's operations were recorded: nobody asks for gradients here", hint=3)
        return None
