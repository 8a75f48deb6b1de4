"""state_dict and load_state_dict, and the Parameters whose numbers they carry."""

import copy
from typing import Any

import numpy as np
import pytest
from small_modules import Line, Net, names

import minitorch
from minitorch import Tensor, nn
from minitorch.nn import Parameter

# -- state -------------------------------------------------------------------------------------------------------------


def test_state_dict_shares_memory_and_records_nothing() -> None:
    net = Net()
    state = net.state_dict()
    assert type(state["own"]) is Tensor
    assert not state["own"].requires_grad
    net.own.data -= 1
    assert state["own"].tolist() == [4.0]
    assert net.state_dict(keep_vars=True)["own"] is net.own
    destination: dict[str, Any] = {"x": 1}
    assert net.first.state_dict(destination=destination, prefix="a.") is destination
    assert list(destination) == ["x", "a.weight", "a.count"]


def test_load_copies_casts_and_says_that_all_is_well() -> None:
    net, other = Net(), Net()
    for parameter in other.parameters():
        parameter.data += 3
    state = {name: tensor.to("float64") for name, tensor in other.state_dict().items()}
    weight = net.first.weight
    result = net.load_state_dict(state)
    assert repr(result) == "<All keys matched successfully>"
    assert net.first.weight is weight
    assert (weight.tolist(), weight.dtype) == ([4.0, 4.0], np.float32)
    state["first.weight"].data += 1
    assert weight.tolist() == [4.0, 4.0]


def test_strict_errors_name_everything_and_change_nothing() -> None:
    net = Net()
    state: dict[str, Any] = net.state_dict()
    del state["own"], state["rest.0.count"]
    state |= {"first.weight": Tensor([9.0, 9.0]), "rest.1.weight": Tensor([1.0]), "rest.0.weight": "x", "extra": 1}
    with pytest.raises(RuntimeError) as info:
        net.load_state_dict(state)
    assert str(info.value).splitlines() == [
        "load_state_dict: this state_dict does not fit Net:",
        "  missing: own, rest.0.count",
        "  unexpected: extra",
        "  rest.0.weight: a str holds no numbers that can be loaded",
        "  rest.1.weight: shape (1,) in the state_dict, (2,) in the model",
    ]
    assert net.first.weight.tolist() == [1.0, 1.0]
    with pytest.raises(RuntimeError, match="shape"):
        net.load_state_dict(state, strict=False)
    with pytest.raises(TypeError, match="load_state_dict: Net needs a dict of names and numbers, not a list"):
        net.load_state_dict([])  # type: ignore[arg-type]


def test_not_strict_returns_what_did_not_fit() -> None:
    missing, unexpected = result = Line().load_state_dict({"weight": [3.0, 4.0], "other": 1}, strict=False)
    assert (missing, unexpected) == (["count"], ["other"])
    assert repr(result) == "IncompatibleKeys(missing_keys=['count'], unexpected_keys=['other'])"


def test_backward_after_loading_between_forward_and_backward_is_refused() -> None:
    line = Line()
    x = Tensor([1.0, 2.0], requires_grad=True)
    y = line(x).sum()
    line.load_state_dict({"weight": [3.0, 4.0], "count": 1})
    with pytest.raises(RuntimeError, match=r"which load_state_dict \(weight\) has changed in place since"):
        y.backward()
    assert x.grad is None


# -- Parameter ---------------------------------------------------------------------------------------------------------


def test_a_parameter_is_a_leaf_and_its_results_are_tensors() -> None:
    p = Parameter(Tensor([1.0, 2.0]))
    assert isinstance(p, Tensor)
    assert p.is_leaf
    assert p.requires_grad
    for result in (p * 2, 2 - p, -p, p[0], p.detach(), p.clone(), np.exp(p)):
        assert type(result) is Tensor
    (p * p).sum().backward()
    assert p.grad.tolist() == [2.0, 4.0]
    assert repr(p) == "Parameter containing:\ntensor([1., 2.], requires_grad=True)"


def test_a_parameter_shares_a_tensor_and_copies_an_array() -> None:
    tensor, array = Tensor([1.0]), np.ones(1)
    assert Parameter(tensor).data is tensor.data
    assert Parameter(array).data is not array
    assert Parameter([1.0, 2.0]).dtype == np.float32
    assert Parameter().shape == (0,)
    assert not Parameter(Tensor([1]), requires_grad=False).requires_grad
    with pytest.raises(TypeError, match="Parameter: int64 has no gradient: give floats, or requires_grad=False"):
        Parameter(Tensor([1]))


def test_copies_of_a_parameter_are_parameters() -> None:
    p = Parameter(Tensor([1.0, 2.0]), requires_grad=False)
    assert type(copy.copy(p)) is type(copy.deepcopy(p)) is Parameter
    assert copy.copy(p).data is p.data
    assert not copy.deepcopy(p).requires_grad
    p.requires_grad_().sum().backward()
    assert copy.deepcopy(p).grad.tolist() == [1.0, 1.0]
    assert copy.deepcopy(p).grad is not p.grad


# -- beside PyTorch ----------------------------------------------------------------------------------------------------


def test_the_same_names_reprs_and_order_as_pytorch(torch: Any) -> None:

    def build(library: Any, tensor: Any) -> Any:
        class Part(library.Module):
            def __init__(self) -> None:
                super().__init__()
                self.b = library.Parameter(tensor([1.0, 2.0]))
                self.register_buffer("c", tensor([1.0]))
                self.register_buffer("d", tensor([1.0]), persistent=False)
                self.a = library.Parameter(tensor([3.0]))

            def extra_repr(self) -> str:
                return "k=1"

        model = library.Sequential(Part(), library.Sequential(Part(), Part()))
        model.list = library.ModuleList([Part(), Part(), library.Sequential()])
        model.dict = library.ModuleDict({"x": Part()})
        model.parameters_list = library.ParameterList([tensor([1.0])])
        model[0].b = model[1][0].b
        return model

    ours, theirs = build(nn, Tensor), build(torch.nn, torch.tensor)
    assert names(ours.named_parameters()) == names(theirs.named_parameters())
    assert names(ours.named_buffers()) == names(theirs.named_buffers())
    assert names(ours.named_modules()) == names(theirs.named_modules())
    assert list(ours.state_dict()) == list(theirs.state_dict())
    for part in ("0", "1", "list", "dict"):
        assert repr(ours.get_submodule(part)) == repr(theirs.get_submodule(part))
    ours.load_state_dict({name: tensor + 1 for name, tensor in theirs.state_dict().items()})
    theirs.load_state_dict({name: torch.tensor(t.numpy()) for name, t in ours.state_dict().items()})
    assert theirs[0].b.tolist() == ours[0].b.tolist() == [2.0, 3.0]


WRAPPED = {
    "module.": ("DataParallel", lambda name: f"module.{name}"),
    "_orig_mod.": (r"torch\.compile", lambda name: f"_orig_mod.{name}"),
    "module._orig_mod.": ("the names of", lambda name: f"module._orig_mod.{name}"),
    "model.": ("the names of", lambda name: f"model.{name}"),
    "_orig_mod. within": ("the names of", lambda name: name.replace("1.", "1._orig_mod.")),
    "module. within": ("the names of", lambda name: name.replace("1.", "1.module.")),
    "both": ("the names of", lambda name: "module." + name.replace("1.", "1._orig_mod.")),
}


@pytest.mark.parametrize("case", WRAPPED)
def test_the_names_of_a_wrapped_model_are_told_with_the_line_that_mends_them(case):
    words, wrapped = WRAPPED[case]
    model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    want = {name: each.clone() + 1 for name, each in model.state_dict().items()}
    state_dict = {wrapped(name): each for name, each in want.items()}
    with pytest.raises(RuntimeError, match=words) as caught:
        model.load_state_dict(state_dict)
    told = str(caught.value).splitlines()[-1]
    assert all(each in told for each in case.replace(" within", "").replace("both", "").split())
    scope = {"state_dict": state_dict}
    exec(told.partition(": write ")[2], scope)  # the line, as it is told
    model.load_state_dict(scope["state_dict"])
    assert all(each.equal(want[name]) for name, each in model.state_dict().items())


def test_other_names_that_do_not_fit_are_told_without_a_line():
    model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    for state_dict in ({"module.other": Tensor([1.0])}, {"module.0.weight": minitorch.ones(3, 2)}, {1: Tensor([1.0])}):
        with pytest.raises(RuntimeError) as caught:
            model.load_state_dict(state_dict)
        assert "write" not in str(caught.value)
