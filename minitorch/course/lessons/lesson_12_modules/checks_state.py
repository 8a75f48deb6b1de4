"""How the answers of lesson 12 are judged: what loading a state changes, and what it refuses.

The driver's module tells its names itself, so that loading is judged whatever the search is like.
"""

import numpy as np

from minitorch.course.judging.arrays import between
from minitorch.course.judging.checks import Message, Wrong, as_python, exercise, first_wrong, same_array


def loaded(module_class, tensor_class, data, state):
    """Given code: load a state into a module with these data; tell numbers, arrays and Tensors after it."""
    import numpy as np

    class Named(module_class):
        def named_parameters(self):
            return dict(self.named)

    net = Named()
    named = {name: tensor_class(array, requires_grad=True) for name, array in data.items()}
    for name, tensor in named.items():
        tensor.data = data[name].copy()
        tensor.grad = np.ones(tensor.data.shape)
    net.named = named
    for name, tensor in named.items():
        if "." not in name:
            setattr(net, name, tensor)
    before = {name: (tensor, tensor.data) for name, tensor in named.items()}
    handed = {name: array.copy() for name, array in state.items()}
    seen = {"raised": None, "returned": None}
    try:
        out = net.load_state_dict(handed)
        seen["returned"] = None if out is None else type(out).__name__
    except (KeyError, ValueError) as error:
        seen["raised"], seen["said"] = type(error).__name__, str(error)
    seen["data"] = {name: np.array(array) for name, (_, array) in before.items()}
    seen["same arrays"] = {name: tensor.data is array for name, (tensor, array) in before.items()}
    seen["same tensors"] = all(net.named.get(name) is tensor for name, (tensor, _) in before.items()) and all(
        getattr(net, name) is tensor for name, (tensor, _) in before.items() if "." not in name
    )
    seen["now"] = {name: np.array(tensor.data) for name, (tensor, _) in before.items()}
    seen["state"] = {name: np.array(array) for name, array in handed.items()}
    seen["lost a gradient"] = [
        name for name, (tensor, _) in before.items() if tensor.grad is None or not np.all(tensor.grad == 1)
    ]
    for array in handed.values():
        array += 100  # whoever holds the same memory sees it
    later = {name: np.array(tensor.data) for name, (tensor, _) in before.items()}
    seen["shared"] = [name for name in later if not np.array_equal(later[name], seen["now"][name])]
    return seen


def observe_loading(learner, x, given):
    """What `loaded` saw; all of it happens beside the learner's code."""
    return given(learner.Module, learner.Tensor, x["data"], x["state"])


@exercise("load_state")
class LoadState:
    """One name and several, other orders and dtypes, a number; names too few, too many; shapes; the last one wrong."""

    in_order = True

    def inputs(self, rng):
        def zeros(**shapes):
            return {name.replace("_", "."): np.zeros(shape) for name, shape in shapes.items()}

        def drawn(**shapes):
            return {name.replace("_", "."): between(rng, *np.atleast_1d(shape)) for name, shape in shapes.items()}

        small = {"weight": np.zeros((2, 3), np.float32)}
        return [
            {"data": zeros(weight=2), "state": {"weight": np.array([1.0, 2.0])}},
            {"data": {"weight": np.ones((2, 3)), "bias": np.ones(3)}, "state": drawn(weight=(2, 3), bias=3)},
            {"data": zeros(a_weight=(2, 2), b_weight=(2, 2)), "state": drawn(b_weight=(2, 2), a_weight=(2, 2))},
            {"data": small, "state": drawn(weight=(2, 3))},
            {"data": zeros(scale=()), "state": drawn(scale=())},
            {"data": zeros(weight=2, bias=2), "state": drawn(weight=2)},
            {"data": zeros(weight=2), "state": drawn(weight=2, bias=2)},
            {"data": zeros(weight=2), "state": drawn(kernel=2)},
            {"data": zeros(weight=(2, 3)), "state": drawn(weight=(3, 2))},
            {"data": zeros(weight=(3, 2)), "state": drawn(weight=(1, 2))},
            {"data": zeros(weight=2, bias=(3, 3)), "state": drawn(weight=2, bias=3)},
            {"data": zeros(weight=2, bias=2), "state": drawn(bias=2, weight=2, other=1)},
            {"data": {}, "state": {}},
        ]

    observe, given = observe_loading, loaded

    def line(self, x):
        made = ["net = m.Module()"]
        for name, array in x["data"].items():
            if "." in name:
                return None
            made.append(
                f"net.{name} = m.Tensor(np.{'ones' if array.any() else 'zeros'}({array.shape}), requires_grad=True)"
            )
        state = ", ".join(f"{name!r}: {as_python(array)}" for name, array in x["state"].items())
        return "; ".join([*made, f"net.load_state_dict({{{state}}}); net.state_dict()"])

    def wanted(self, x):
        if x["data"].keys() != x["state"].keys():
            return "KeyError"
        shapes = [(x["data"][name].shape, x["state"][name].shape) for name in x["data"]]
        return "ValueError" if any(here != there for here, there in shapes) else None

    def compared(self, x, got):
        return {name: each for name, each in got.items() if name != "said"}

    def judge(self, x, got):
        wanted = self.wanted(x)
        return first_wrong(*(self.refused(x, got, wanted) if wanted else self.copied(x, got)), *self.kept(x, got))

    def refused(self, x, got, wanted):
        """What is wrong where the state does not fit."""
        why = Message("a name is missing or one too many")
        if wanted == "ValueError":
            why = Message("the shapes under one name differ")
        hint = 3 if wanted == "ValueError" else 2
        if got["raised"] is None:
            yield Wrong(
                "{why}, and no {wanted} came",
                why=why,
                wanted=wanted,
                expected=wanted,
                got=Message("no exception"),
                hint=hint,
            )
        elif got["raised"] != wanted:
            yield Wrong(
                "{why}: that is a {wanted}", why=why, wanted=wanted, expected=wanted, got=got["raised"], hint=hint
            )
        for name, array in got["now"].items():
            if not np.array_equal(array, x["data"][name]):
                yield Wrong(
                    "the state was refused, and {name} has changed all the same: look at everything before you copy",
                    name=name,
                    expected=x["data"][name],
                    got=array,
                    hint=1,
                )

    def copied(self, x, got):
        """What is wrong where the state fits."""
        if got["raised"] is not None:
            yield Wrong(
                "this state fits, names and shapes, and was refused",
                expected=Message("no exception"),
                got=f"{got['raised']}: {got['said']}",
                hint=2,
            )
        for name, array in x["state"].items():
            want = array.astype(x["data"][name].dtype)
            what = Message("the numbers of {name}", name=name)
            if name in got["shared"]:
                yield Wrong(
                    "{name}.data and the array in state are one: copy the numbers",
                    name=name,
                    expected=Message("an array of its own"),
                    got=Message("the state's array"),
                    hint=4,
                )
            yield same_array(got["now"][name], want, what)
            if not got["same arrays"][name]:
                yield Wrong(
                    "{name}.data is another array now: copy the numbers into the one that is there",
                    name=name,
                    expected=Message("the same array"),
                    got=Message("another one"),
                    hint=4,
                )
        if got["returned"] is not None:
            yield Wrong("load_state_dict returns nothing", expected=None, got=got["returned"])

    def kept(self, x, got):
        """What must stay in any case: the Tensors of the module, and the state."""
        if got["same tensors"] is not True:
            yield Wrong(
                "a parameter is another Tensor now: an optimiser that holds the old one trains nobody",
                expected=Message("the same Tensors"),
                got=Message("others"),
                hint=4,
            )
        for name in got["lost a gradient"]:
            yield Wrong("the grad of {name} is another one now: only the numbers in data change", name=name, hint=4)
        for name, array in x["state"].items():
            if name not in got["state"] or not np.array_equal(got["state"][name], array):
                yield Wrong("the state itself was changed, under {name}", name=name, hint=4)
