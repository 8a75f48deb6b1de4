"""Containers: what they hold under which names, and what they say of a place or a name that is not there."""

from typing import Any

import pytest

from minitorch import Tensor, nn
from minitorch.nn import Module, ModuleDict, ModuleList, Parameter, ParameterList, Sequential


class Add(Module):
    def __init__(self, n: int) -> None:
        super().__init__()
        self.n = Parameter(Tensor([float(n)]))

    def forward(self, x: Any) -> Any:
        return x + self.n

    def extra_repr(self) -> str:
        return str(int(self.n.item()))


def held(container: Any) -> list[int]:
    return [int(each.n.item()) for each in container]


def keys(container: Module) -> list[str]:
    return list(container._modules)


# -- Sequential --------------------------------------------------------------------------------------------------------


def test_sequential_calls_one_after_the_other() -> None:
    model = Sequential(Add(1), Add(2))
    assert model(Tensor([0.0])).tolist() == [3.0]
    assert list(model.state_dict()) == ["0.n", "1.n"]
    assert Sequential()(5) == 5


def test_sequential_with_names() -> None:
    model = Sequential({"hidden": Add(1), "out": Add(2)})
    assert list(model.state_dict()) == ["hidden.n", "out.n"]
    assert model.hidden is model[0]
    assert keys(model[1:]) == ["out"]


def test_sequential_by_place() -> None:
    first, second, third = Add(1), Add(2), Add(3)
    model = Sequential(first, second, third)
    assert model[-1] is third
    assert len(model) == 3
    assert second in model
    assert list(model) == [first, second, third]
    assert isinstance(model[1:], Sequential)
    assert keys(model[1:]) == ["1", "2"]
    assert model[1:](Tensor([0.0])).tolist() == [5.0]
    model[1] = Add(7)
    assert held(model) == [1, 7, 3]
    del model[0]
    assert (held(model), keys(model)) == ([7, 3], ["0", "1"])
    model.insert(1, Add(5)).append(Add(9)).extend([Add(10)])
    assert held(model) == [7, 5, 3, 9, 10]
    assert model.pop(0).n.item() == 7.0
    assert held(model.pop(slice(2, 4))) == [9, 10]
    assert (held(model), keys(model)) == ([5, 3], ["0", "1"])
    assert held(model + Sequential(Add(4))) == [5, 3, 4]
    model += [Add(8)]
    assert held(model) == [5, 3, 8]
    model.insert(-1, Add(6))
    assert held(model) == [5, 3, 6, 8]


@pytest.mark.parametrize("index", [2, -3])
def test_a_place_that_is_not_there(index: int) -> None:
    for model in (Sequential(Add(1), Add(2)), ModuleList([Add(1), Add(2)])):
        with pytest.raises(IndexError, match=f"{type(model).__name__} has 2 modules: there is none at {index}"):
            model[index]
        with pytest.raises(IndexError):
            model[index] = Add(1)
        with pytest.raises(IndexError):
            del model[index]
        with pytest.raises(TypeError):
            model["x"]  # type: ignore[call-overload]


def test_what_is_no_module() -> None:
    with pytest.raises(TypeError, match=r"Sequential.1: a module is a Module or None, not a class Add: call it, as in"):
        Sequential(Add(1), Add)
    with pytest.raises(TypeError, match=r"ModuleList.0: a module is a Module or None, not a function"):
        ModuleList([lambda x: x])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"Sequential \+ list: only another Sequential can follow; use append"):
        Sequential().__add__([])  # type: ignore[arg-type]
    with pytest.raises(KeyError, match=r"the name of a module is not empty and has no dot, unlike 'a.b'"):
        Sequential({"a.b": Add(1)})


# -- ModuleList --------------------------------------------------------------------------------------------------------


def test_module_list() -> None:
    blocks = ModuleList(Add(n) for n in range(4))
    assert list(blocks.state_dict()) == ["0.n", "1.n", "2.n", "3.n"]
    assert held(blocks[2:]) == [2, 3]
    assert keys(blocks[2:]) == ["0", "1"]
    del blocks[1:3]
    assert (held(blocks), keys(blocks)) == ([0, 3], ["0", "1"])
    blocks.append(Add(5)).insert(0, Add(9))
    assert held(blocks + ModuleList([Add(1)])) == [9, 0, 3, 5, 1]
    assert len(ModuleList()) == 0
    with pytest.raises(NotImplementedError, match="ModuleList has no forward"):
        blocks(1)


def test_equal_neighbours_are_written_once() -> None:
    blocks = ModuleList([Add(1), Add(1), Add(2), Sequential(Add(1)), Sequential(Add(1))])
    assert repr(blocks) == (
        "ModuleList(\n  (0-1): 2 x Add(1)\n  (2): Add(2)\n  (3-4): 2 x Sequential(\n    (0): Add(1)\n  )\n)"
    )
    assert repr(ModuleList()) == "ModuleList()"


# -- ModuleDict --------------------------------------------------------------------------------------------------------


def test_module_dict() -> None:
    heads = ModuleDict({"a": Add(1), "b": Add(2)})
    assert list(heads.state_dict()) == ["a.n", "b.n"]
    assert list(heads) == list(heads.keys()) == ["a", "b"]
    assert held(heads.values()) == [1, 2]
    assert [name for name, _ in heads.items()] == ["a", "b"]
    assert "a" in heads
    assert "c" not in heads
    heads["c"] = Add(3)
    heads.update([("a", Add(4))])
    heads.update(ModuleDict({"d": Add(5)}))
    assert held(heads.values()) == [4, 2, 3, 5]
    assert heads.pop("d").n.item() == 5.0
    del heads["a"]
    assert len(heads) == 2
    with pytest.raises(KeyError, match="ModuleDict has no module 'x'; it has: b, c"):
        heads["x"]
    with pytest.raises(KeyError, match="the name 'keys' is taken, so no module can have it"):
        heads["keys"] = Add(1)
    heads.clear()
    assert repr(heads) == "ModuleDict()"


# -- ParameterList -----------------------------------------------------------------------------------------------------


def test_parameter_list() -> None:
    p = Parameter(Tensor([1.0]))
    weights = ParameterList([p, Tensor([[2.0]])])
    assert weights[0] is p
    assert type(weights[1]) is Parameter
    assert list(weights.state_dict()) == ["0", "1"]
    weights.append(Tensor(3.0))
    weights[-1] = Parameter(Tensor(4.0))
    assert [each.item() for each in weights] == [1.0, 2.0, 4.0]
    assert len(weights[1:]) == 2
    assert repr(weights).splitlines()[2] == "  (1): Parameter of shape (1, 1), float32"
    with pytest.raises(IndexError, match="ParameterList has 3 parameters: there is none at 3"):
        weights[3]
    with pytest.raises(TypeError, match="ParameterList holds Parameters and Tensors, not a float"):
        weights.append(1.0)


# -- beside PyTorch ----------------------------------------------------------------------------------------------------


def test_names_after_changes_are_pytorchs(torch: Any) -> None:

    def names(library: Any) -> list[list[str]]:
        def row(kind: Any) -> Any:
            parts = [library.ReLU() for _ in range(4)]
            return kind(parts) if kind is library.ModuleList else kind(*parts)

        found = []
        for kind in (library.Sequential, library.ModuleList):
            found.append([name for name, _ in row(kind)[1:].named_modules(remove_duplicate=False)])
            found.append([name for name, _ in row(kind)[::2].named_modules(remove_duplicate=False)])
            container = row(kind)
            del container[1]
            container.insert(1, library.ReLU())
            container.pop(0)
            container.append(library.Sequential())
            found.append([name for name, _ in container.named_modules(remove_duplicate=False)])
            found.append(repr(container).splitlines())
        return found

    assert names(nn) == names(torch.nn)
