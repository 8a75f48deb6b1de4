"""A CustomTensor copied, averaged and saved."""

import copy
import io
import pickle

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'minitorch-course[torch]'")

from minitorch.bridge import CustomTensor  # noqa: E402
from minitorch.graph import AutogradGraph  # noqa: E402


def test_a_custom_tensor_is_a_leaf_from_the_beginning() -> None:
    graph = AutogradGraph()
    x = CustomTensor([1.0, 2.0], graph, requires_grad=True)
    CustomTensor([1.0, 2.0], graph)
    assert graph.nodes() == [graph.node(x)]
    assert graph.node(x).value.tolist() == [1.0, 2.0]


def test_a_deep_copy_has_numbers_of_its_own_and_writes_into_the_same_graph() -> None:
    graph = AutogradGraph()
    x = CustomTensor([1.0, 2.0], graph, requires_grad=True)
    (x * x).sum().backward()
    x.note = "kept"
    twin = copy.deepcopy(x)
    assert (type(twin), twin.is_leaf, twin.requires_grad, twin.note) == (CustomTensor, True, True, "kept")
    assert twin.grad.tolist() == [2.0, 4.0]
    with torch.no_grad():
        twin.add_(1)
        twin.grad.zero_()
    assert (x.tolist(), x.grad.tolist()) == ([1.0, 2.0], [2.0, 4.0])
    assert graph.find(twin * 2).op == "mul"
    with pytest.raises(RuntimeError, match=r"leaves.*detach\(\) it first"):
        copy.deepcopy(x * 2)


def test_an_average_of_a_model_with_such_parameters() -> None:
    graph = AutogradGraph()
    layer = torch.nn.Linear(2, 2, bias=False)
    layer.weight = torch.nn.Parameter(CustomTensor(torch.ones(2, 2), graph))
    average = torch.optim.swa_utils.AveragedModel(layer)
    with torch.no_grad():
        layer.weight.mul_(3)
    average.update_parameters(layer)
    average.update_parameters(layer)
    assert isinstance(average.module.weight, torch.nn.Parameter)
    assert average.module.weight.tolist() == [[3.0, 3.0], [3.0, 3.0]]
    assert {name for name, _ in average.named_parameters()} == {"module.weight"}


@pytest.mark.parametrize("way", ["pickle", "torch.save"])
def test_a_tensor_comes_back_from_a_file_without_a_graph(way: str) -> None:
    x = CustomTensor([1.0, 2.0], AutogradGraph(), requires_grad=True)
    if way == "pickle":
        back = pickle.loads(pickle.dumps(x))
    else:
        file = io.BytesIO()
        torch.save({"x": x}, file)
        file.seek(0)
        back = torch.load(file, weights_only=False)["x"]
    assert (type(back), back.is_leaf, back.requires_grad, back.graph) == (CustomTensor, True, True, None)
    assert back.tolist() == [1.0, 2.0]


def test_a_graph_cannot_be_copied_or_pickled_and_says_what_can() -> None:
    for way in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"cannot be pickled or copied.*from_tensor; viz\.graph"):
            way(AutogradGraph())


def test_one_number_is_written_as_one() -> None:
    graph = AutogradGraph()
    loss = (CustomTensor([1.0, 2.0], graph, requires_grad=True) * 2).sum()
    assert f"{loss:.2f}" == "6.00"
    assert f"{loss}" == str(loss)
