"""What a Module owns and does, and what it says when it is used in a wrong way."""

import copy
import pickle
import sys
from typing import Any

import fake_cupy
import numpy as np
import pytest
from small_modules import Line, Net, names

import minitorch
from minitorch import Tensor
from minitorch.nn import Buffer, Identity, Module, Parameter, Sequential

# -- what is registered ------------------------------------------------------------------------------------------------


def test_names_and_order() -> None:
    net = Net()
    assert names(net.named_parameters()) == ["own", "first.weight", "rest.0.weight", "rest.1.weight"]
    assert names(net.named_buffers()) == [
        *("first.count", "first.scratch", "rest.0.count", "rest.0.scratch", "rest.1.count", "rest.1.scratch"),
    ]
    assert names(net.named_modules()) == ["", "first", "rest", "rest.0", "rest.1"]
    assert names(net.named_children()) == ["first", "rest"]
    assert list(net.children()) == [net.first, net.rest]
    assert list(net.modules()) == [net, net.first, net.rest, net.rest[0], net.rest[1]]
    assert names(net.named_parameters(prefix="net")) == [f"net.{name}" for name in names(net.named_parameters())]
    assert names(net.named_parameters(recurse=False)) == ["own"]
    assert list(net.parameters(recurse=False)) == [net.own]
    assert [each.shape for each in net.buffers(recurse=True)] == [(), (1,)] * 3
    assert list(net.state_dict()) == [
        *("own", "first.weight", "first.count", "rest.0.weight", "rest.0.count", "rest.1.weight", "rest.1.count"),
    ]


def test_what_is_shared_appears_once_but_is_saved_twice() -> None:
    net = Net()
    net.rest[1].weight = net.first.weight
    net.again = net.first
    assert names(net.named_parameters()) == ["own", "first.weight", "rest.0.weight"]
    assert len(list(net.parameters())) == 3
    assert names(net.named_modules()) == ["", "first", "rest", "rest.0", "rest.1"]
    assert names(net.named_children()) == ["first", "rest"]
    state = net.state_dict()
    assert {"first.weight", "again.weight", "rest.1.weight"} <= set(state)
    assert names(net.named_parameters(remove_duplicate=False)) == [
        *("own", "first.weight", "rest.0.weight", "rest.1.weight", "again.weight"),
    ]
    assert names(net.named_modules(remove_duplicate=False))[-1] == "again"


def test_a_parameter_takes_the_name_from_what_had_it() -> None:
    line = Line()
    line.plain = 3
    line.plain = Parameter(Tensor([1.0]))
    assert line.plain is line.get_parameter("plain")
    assert names(line.named_parameters()) == ["weight", "plain"]
    line.weight = Sequential()
    assert names(line.named_parameters()) == ["plain"]
    line.scratch = Parameter(Tensor([1.0]))
    assert list(line.state_dict()) == ["plain", "scratch", "count"]


def test_a_parameter_goes_and_comes_back() -> None:
    line = Line()
    line.weight = None
    assert line.weight is None
    assert list(line.parameters()) == []
    line.bias = Parameter(Tensor([2.0]))
    assert names(line.named_parameters()) == ["bias"]
    del line.weight
    line.weight = [1, 2]
    assert line.weight == [1, 2]


def test_a_buffer_takes_any_tensor_and_stays_a_buffer() -> None:
    line = Line()
    line.count = Tensor(3)
    assert line.state_dict()["count"].item() == 3
    line.count = None
    assert names(line.named_buffers()) == ["scratch"]
    line.own = Buffer(Tensor([1.0]))
    line.temporary = Buffer(Tensor([1.0]), persistent=False)
    assert names(line.named_buffers()) == ["scratch", "own", "temporary"]
    assert list(line.state_dict()) == ["weight", "own"]
    del line.own
    assert not hasattr(line, "own")


def test_a_plain_tensor_is_a_plain_attribute() -> None:
    line = Line()
    line.plain = Tensor([1.0])
    assert names(line.named_buffers()) == ["count", "scratch"]
    assert line.plain.tolist() == [1.0]


def test_dir_lists_what_is_registered() -> None:
    assert {"weight", "count", "forward"} <= set(dir(Line()))
    assert "0" not in dir(Sequential(Line()))


def test_get_by_path() -> None:
    net = Net()
    assert net.get_submodule("rest.0") is net.rest[0]
    assert net.get_submodule("") is net
    assert net.get_parameter("rest.0.weight") is net.rest[0].weight
    assert net.get_buffer("first.count") is net.first.count
    with pytest.raises(AttributeError, match=r"get_submodule: Sequential has no module '7' \(of 'rest.7'\); it has: 0"):
        net.get_submodule("rest.7")
    with pytest.raises(AttributeError, match=r"get_parameter: Line has no parameter 'wait' .* it has: weight, bias"):
        net.get_parameter("first.wait")


# -- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [Parameter(Tensor([1.0])), Sequential(), Buffer(Tensor([1.0]))])
def test_assigning_before_init(value: Any) -> None:
    class Forgetful(Module):
        def __init__(self) -> None:
            self.part = value

    with pytest.raises(AttributeError, match=r"Forgetful: call super\(\).__init__\(\) before assigning .*self.part"):
        Forgetful()


def test_using_a_module_whose_init_was_never_called() -> None:
    class Forgetful(Module):
        def __init__(self) -> None:
            self.size = 3

        def forward(self, x: Any) -> Any:
            return x

    module = Forgetful()
    assert module.size == 3
    with pytest.raises(AttributeError, match=r"Forgetful.__init__ has to call super\(\).__init__\(\) first"):
        module(1)
    with pytest.raises(AttributeError, match=r"its __init__ has to call super\(\).__init__\(\) first"):
        list(module.parameters())
    with pytest.raises(AttributeError, match=r"call super\(\).__init__\(\) before registering the buffer 'b'"):
        module.register_buffer("b", None)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("weight", Tensor([1.0]), "Line.weight is a Parameter: assign a Parameter or None, not a Tensor; `del` it"),
        ("bias", 3.0, "Line.bias is a Parameter: assign a Parameter or None, not a float"),
        ("count", 3.0, "Line.count is a buffer: assign a Tensor or None, not a float"),
    ],
)
def test_replacing_by_another_kind(name: str, value: Any, text: str) -> None:
    with pytest.raises(TypeError, match=text):
        setattr(Line(), name, value)


def test_replacing_a_module_by_another_kind() -> None:
    net = Net()
    with pytest.raises(TypeError, match=r"Net.first is a Module: assign a Module or None, not a function"):
        net.first = lambda x: x
    net.first = None
    assert names(net.named_children()) == ["rest"]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda m: m.register_parameter("a.b", None), KeyError, "the name of a parameter is not empty and has no dot"),
        (lambda m: m.register_buffer("", None), KeyError, "the name of a buffer is not empty"),
        (lambda m: m.add_module(3, None), TypeError, "the name of a module is a string, not 3"),
        (lambda m: m.add_module("forward", Line()), KeyError, "the name 'forward' is taken, so no module can have it"),
        (lambda m: m.register_buffer("weight", Tensor(1.0)), KeyError, "the name 'weight' is taken"),
        (
            lambda m: m.register_parameter("p", Tensor(1.0)),
            TypeError,
            "Line.p: a parameter is a Parameter or None",
        ),
        (lambda m: m.register_buffer("b", np.zeros(1)), TypeError, "Line.b: a buffer is a Tensor or None, not a ndarr"),
        (lambda m: m.add_module("m", 3), TypeError, "Line.m: a module is a Module or None, not a int"),
        (lambda m: m.add_module("m", Line), TypeError, r"not a class Line: call it, as in Line\(…\)"),
    ],
)
def test_registering_what_cannot_be(call: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        call(Line())


def test_an_attribute_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="'Line' object has no attribute 'weigth'") as info:
        _ = Line().weigth
    assert info.value.name == "weigth"
    assert not hasattr(Line(), "weigth")
    with pytest.raises(AttributeError):
        del Line().weigth


def test_no_forward() -> None:
    class Empty(Module):
        pass

    with pytest.raises(NotImplementedError, match=r"Empty has no forward: write `def forward\(self, input\)`"):
        Empty()(1)


# -- all at once -------------------------------------------------------------------------------------------------------


def test_train_and_eval_reach_everything() -> None:
    net = Net()
    assert net.eval() is net
    assert not any(module.training for module in net.modules())
    assert all(module.training for module in net.train().modules())
    with pytest.raises(ValueError, match=r"Net.train: mode is True or False, not 'yes'"):
        net.train("yes")  # type: ignore[arg-type]


def test_apply_visits_children_first() -> None:
    net, seen = Net(), []
    assert net.apply(seen.append) is net
    assert seen == [net.first, net.rest[0], net.rest[1], net.rest, net]


def test_zero_grad() -> None:
    net = Net()
    net(Tensor([1.0, 2.0])).sum().backward()
    net.zero_grad(set_to_none=False)
    assert net.first.weight.grad.tolist() == [0.0, 0.0]
    assert net.own.grad is None
    net.zero_grad()
    assert all(parameter.grad is None for parameter in net.parameters())


def test_requires_grad_freezes() -> None:
    net = Net()
    assert net.first.requires_grad_(False) is net.first
    assert [each.requires_grad for each in net.parameters()] == [True, False, True, True]
    assert not net.first(Tensor([1.0, 1.0])).requires_grad


def test_to_another_dtype_keeps_the_objects_and_the_integers() -> None:
    net = Net()
    before = list(net.parameters())
    net(Tensor([1.0, 2.0])).sum().backward()
    assert net.double() is net
    assert all(now is then for now, then in zip(net.parameters(), before, strict=True))
    assert {each.dtype.name for each in net.parameters()} == {"float64"}
    assert net.first.weight.grad.dtype == np.float64
    assert (net.first.count.dtype, net.first.scratch.dtype) == (np.int64, np.float64)
    net.zero_grad()
    net(Tensor(np.array([1.0, 2.0]))).sum().backward()
    assert net.first.weight.grad.dtype == np.float64
    assert net.to(Tensor([1.0])).own.dtype == np.float32
    assert net.to("float16").own.dtype == net.half().own.dtype == np.float16
    assert net.float().own.dtype == np.float32
    assert net.to(dtype=minitorch.float64).own.dtype == np.float64


@pytest.mark.parametrize(
    ("target", "error", "text"),
    [
        ("int64", TypeError, "Line.to: parameters are floats and cannot become int64"),
        ("gpu", TypeError, "Line.to: 'gpu' is neither a dtype nor a device"),
        ("cuda:x", ValueError, "device 'cuda:x' is not known"),
    ],
)
def test_to_what_cannot_be(target: str, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        Line().to(target)


def test_to_the_gpu_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy)
    net = Net()
    weight = net.first.weight
    net(Tensor([1.0, 2.0])).sum().backward()
    net.to("cuda", "float64")
    assert net.first.weight is weight
    assert {each.device for each in (*net.parameters(), *net.buffers())} == {"cuda:0"}
    assert type(weight.grad) is fake_cupy.ndarray
    net.zero_grad(set_to_none=False)
    net(Tensor([1.0, 2.0], dtype="float64", device="cuda")).sum().backward()
    assert type(weight.grad) is fake_cupy.ndarray
    net.load_state_dict({**net.state_dict(), "own": np.array([7.0])})
    assert type(net.own.data) is fake_cupy.ndarray
    assert net.cpu().own.tolist() == [7.0]
    assert type(weight.grad) is np.ndarray
    assert net.cuda().own.device == "cuda:0"


# -- hooks -------------------------------------------------------------------------------------------------------------


def test_a_forward_hook_sees_and_replaces() -> None:
    line, seen = Line(), []
    handle = line.register_forward_hook(lambda module, args, output: seen.append((module, args, output.tolist())))
    x = Tensor([1.0, 2.0])
    line(x, twice=True)
    assert seen == [(line, (x,), [2.0, 4.0])]
    handle.remove()
    handle.remove()
    line(x)
    assert len(seen) == 1
    with line.register_forward_hook(lambda module, args, output: output * 10):
        assert line(x).tolist() == [10.0, 20.0]
    assert line(x).tolist() == [1.0, 2.0]


def test_a_pre_hook_sees_and_replaces() -> None:
    line = Line()
    with line.register_forward_pre_hook(lambda module, args: args[0] + 1):
        assert line(Tensor([1.0, 2.0])).tolist() == [2.0, 3.0]
    with line.register_forward_pre_hook(lambda module, args: None):
        assert line(Tensor([1.0, 2.0]), twice=True).tolist() == [2.0, 4.0]
    with line.register_forward_pre_hook(lambda module, args, kw: (args, {"twice": True}), with_kwargs=True):
        assert line(Tensor([1.0, 2.0])).tolist() == [2.0, 4.0]
    with line.register_forward_pre_hook(lambda module, args, kw: None, with_kwargs=True):
        assert line(Tensor([1.0, 2.0])).tolist() == [1.0, 2.0]
    with line.register_forward_pre_hook(lambda module, args, kw: args, with_kwargs=True), pytest.raises(TypeError) as e:
        line(Tensor([1.0, 2.0]))
    assert "Line: a forward pre-hook with kwargs returns (args, kwargs) or None, not a tuple" in str(e.value)


def test_hooks_are_called_in_order_and_may_remove_themselves() -> None:
    line, seen = Line(), []
    line.register_forward_hook(lambda *_: seen.append("b"))
    line.register_forward_hook(lambda module, args, kwargs, output: seen.append(kwargs), with_kwargs=True)
    once = line.register_forward_hook(lambda *_: (seen.append("a"), once.remove())[0], prepend=True)
    line(Tensor([1.0, 1.0]), twice=False)
    line(Tensor([1.0, 1.0]))
    assert seen == ["a", "b", {"twice": False}, "b", {}]


# -- what is registered, as a dictionary -------------------------------------------------------------------------------


def test_what_is_written_into_the_dictionaries_is_the_attribute() -> None:
    line, pruned = Line(), Parameter(Tensor([0.0, 1.0]))
    line._parameters["weight"] = pruned
    assert line.weight is pruned
    assert line(Tensor([3.0, 3.0])).tolist() == [0.0, 3.0]
    assert list(line.parameters()) == [pruned]
    line._buffers["scratch"] = Tensor([7.0])
    assert line.scratch.tolist() == [7.0]
    assert list(line.state_dict()) == ["weight", "count"]  # scratch stays out, as it was registered
    net = Net()
    net._modules["first"] = line
    assert net.first is line
    assert names(net.named_children()) == ["first", "rest"]


def test_what_is_deleted_from_the_dictionaries_is_no_attribute_any_more() -> None:
    line = Line()
    plain = line._parameters.pop("weight").detach()
    assert not hasattr(line, "weight")
    line.weight = plain  # as a constant now
    assert list(line.parameters()) == []
    with pytest.raises(KeyError):
        del line._parameters["weight"]
    with pytest.raises(KeyError):
        line._buffers["weight"]


def test_the_dictionaries_tell_names_and_values_in_order_and_refuse_what_assignment_refuses() -> None:
    line = Line()
    assert repr(line._parameters) == repr({"weight": line.weight, "bias": None})
    assert (len(line._buffers), list(line._buffers)) == (2, ["count", "scratch"])
    for owned, what in ((line._parameters, "parameter"), (line._buffers, "buffer"), (line._modules, "module")):
        with pytest.raises(TypeError, match=f"Line.new: a {what} is a .* or None, not a int"):
            owned["new"] = 3
    with pytest.raises(AttributeError, match="_parameters"):
        line._parameters = {}


def test_a_shallow_copy_registers_for_itself() -> None:
    line = Line()
    twin = copy.copy(line)
    assert twin.weight is line.weight
    twin.bias = Parameter(Tensor([1.0, 1.0]))
    twin.register_buffer("count", Tensor(5), persistent=False)
    assert line.bias is None
    assert line.count.item() == 0
    assert names(line.named_parameters()) == ["weight"]
    assert "count" in line.state_dict()


# -- text, copies ------------------------------------------------------------------------------------------------------


def test_repr() -> None:
    assert repr(Net()) == (
        "Net(\n  (first): Line(n=2)\n  (rest): Sequential(\n    (0): Line(n=3)\n    (1): Line(n=2)\n  )\n)"
    )
    assert repr(Sequential()) == "Sequential()"

    class Wide(Sequential):
        def extra_repr(self) -> str:
            return "a=1\nb=2"

    assert repr(Wide()) == "Wide(\n  a=1\n  b=2\n)"
    assert repr(Wide(Line())) == "Wide(\n  a=1\n  b=2\n  (0): Line(n=2)\n)"


def test_deepcopy_is_another_model_with_the_same_sharing() -> None:
    net = Net()
    net.rest[1].weight = net.first.weight
    twin = copy.deepcopy(net)
    assert type(twin.first.weight) is Parameter
    assert twin.rest[1].weight is twin.first.weight
    twin.first.weight.data += 1
    assert net.first.weight.tolist() == [1.0, 1.0]
    assert twin.first.weight.requires_grad


def test_pickle() -> None:
    net = pickle.loads(pickle.dumps(Net()))
    assert type(net.own) is Parameter
    assert net.own.tolist() == [5.0]
    assert list(net.state_dict()) == list(Net().state_dict())


class Failing(Module):
    def forward(self, x: Tensor) -> Tensor:
        raise ZeroDivisionError


def test_a_hook_that_is_always_called_hears_of_an_exception_once() -> None:
    heard: list[Any] = []

    def refuse(*_: Any) -> None:
        raise ValueError("no")

    for module, failing in ((Identity(), False), (Failing(), True)):
        module.register_forward_hook(lambda _module, _args, output: heard.append(("always", output)), always_call=True)
        module.register_forward_hook(lambda _module, _args, output: heard.append(("else", output)))
        if failing:
            with pytest.raises(ZeroDivisionError):
                module(1)
        else:
            module(1)
            module.register_forward_hook(refuse)
            with pytest.raises(ValueError, match="no"):
                module(2)
    assert heard == [("always", 1), ("else", 1), ("always", 2), ("else", 2), ("always", None)]
    module.register_forward_hook(refuse, always_call=True)
    with pytest.raises(ZeroDivisionError), pytest.warns(UserWarning, match="always_call=True raised ValueError"):
        module(3)
