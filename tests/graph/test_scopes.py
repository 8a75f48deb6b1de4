"""Module scopes: what happened where, by hooks that are there only while a graph records."""

import copy
import pickle

import numpy as np
import pytest

from minitorch import Tensor, viz
from minitorch.graph import AutogradGraph, GraphExecutor, autograd_graph
from minitorch.nn import Linear, Module, ReLU, Sequential, TransformerEncoderLayer


class Block(Module):
    def __init__(self):
        super().__init__()
        self.encoder = Module()
        self.encoder.layers = Sequential(Linear(2, 4), ReLU())
        self.head = Linear(4, 1)
        self.fails = False

    def forward(self, x):
        hidden = self.encoder.layers(x)
        if self.fails:
            raise ZeroDivisionError
        return self.head(hidden).exp()


def batch() -> Tensor:
    return Tensor(np.ones((3, 2), np.float32))


def scopes(graph: AutogradGraph) -> list[tuple[str, str]]:
    return [(node.scope, node.op) for node in graph.nodes() if node.op]


EXPECTED = [("encoder.layers.0", "linear"), ("encoder.layers.1", "relu"), ("head", "linear"), ("", "exp")]


def test_operations_carry_the_path_of_their_module_and_parameters_their_name():
    model = Block()
    with autograd_graph(model) as graph:
        loss = model(batch()).sum()
    assert scopes(graph) == [*EXPECTED, ("", "sum")]
    names = [name for name, _ in model.named_parameters()]
    assert [graph.find(each).name for each in model.parameters()] == names
    assert graph.find(loss).scope == ""


def test_a_layer_of_a_transformer_says_its_parts():
    model = Module()
    model.encoder = Module()
    model.encoder.layers = Sequential(TransformerEncoderLayer(4, 2, 8, dropout=0.0))
    with autograd_graph(model) as graph:
        y = model.encoder.layers(Tensor(np.ones((1, 3, 4), np.float32)))
    assert graph.find(y) is not None
    assert ("encoder.layers.0.linear1", "linear") in scopes(graph)


def test_the_hooks_are_gone_after_the_block_and_after_an_exception():
    model = Block()
    graph = AutogradGraph().watch(model)
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())
    with graph:
        assert all(module._forward_hooks and module._forward_pre_hooks for module in model.modules())
    with pytest.raises(ZeroDivisionError), graph:
        raise ZeroDivisionError
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())


def test_a_model_can_be_watched_inside_the_block():
    model = Block()
    with autograd_graph() as graph:
        graph.watch(model)
        y = model(batch())
    assert graph.find(y).op == "exp"
    assert scopes(graph) == EXPECTED


def test_a_forward_that_failed_leaves_no_scope_behind():
    model = Block()
    with autograd_graph(model) as graph:
        model.fails = True
        with pytest.raises(ZeroDivisionError):
            model(batch())
        model.fails = False
        y = model(batch())
    assert graph.find(y) is not None
    assert scopes(graph)[-4:] == EXPECTED
    assert graph.scope == ""


def test_a_model_that_goes_on_after_a_modules_exception_is_in_its_own_scope():
    class Careful(Module):
        def __init__(self):
            super().__init__()
            self.first, self.second, self.last = Block(), Block(), ReLU()
            self.first.fails = True

        def forward(self, x):
            for block in (self.first, self.second):
                try:
                    x = block(x)
                except ZeroDivisionError:
                    x = x + 1
            return self.last(x)

    model = Careful()
    with autograd_graph(model) as graph:
        y = model(batch() * Tensor(1.0, requires_grad=True)) * 2
    assert graph.find(y).scope == ""
    assert [scope for scope, op in scopes(graph) if op in ("add", "relu", "mul")][-4:] == [
        "",
        "second.encoder.layers.1",
        "last",
        "",
    ]


def test_what_happens_in_the_model_itself_is_where_the_model_is_used():
    model = Block()
    graph = AutogradGraph().watch(model)
    graph.scope = "trial"
    with graph:
        y = model(batch())
    assert graph.find(y).scope == "trial"
    assert graph.scope == "trial"


def test_pictures_show_names_scopes_constants_and_gradients():
    model = Block()
    with autograd_graph(model) as graph:
        loss = (model(batch()) * 2.0).sum()
    graph.label(loss=loss)
    listing = viz.graph(graph).text()
    assert "encoder.layers.0.weight" in listing
    assert "encoder.layers.0" in listing
    assert ", 2)" in listing
    assert "gradient freed" not in listing
    assert viz.graph(graph).svg().startswith("<svg")
    stepper = viz.step(graph)
    assert "backward pass from loss" in stepper.text()
    assert stepper.svg(3).startswith("<svg")
    assert all(each.grad is None for each in model.parameters())
    GraphExecutor(graph).backward()
    assert "no gradient yet" not in viz.graph(graph).text()


def test_the_picture_of_a_store_equals_the_picture_of_its_root():
    x, b = Tensor(np.ones((2, 3)), requires_grad=True), Tensor(np.ones(3), requires_grad=True)
    with autograd_graph() as graph:
        hidden = x * x + b
        loss = hidden.sum()
    product = graph.parents(graph.find(hidden))[0]
    names = {"x": x, "b": b}
    plain, stored = viz.step(loss, names=names), viz.step(graph, names=names)
    assert [event.edge for event in plain.steps] == [event.edge for event in stored.steps]
    assert plain.steps == stored.steps
    assert [node.op for node in plain.graph.nodes] == [node.op for node in stored.graph.nodes]
    assert plain.graph.edges == stored.graph.edges
    assert product.value.shape == (2, 3)


def test_an_empty_graph_cannot_be_drawn():
    with pytest.raises(ValueError, match="is empty"):
        viz.graph(AutogradGraph())


def test_a_model_is_copied_and_pickled_while_it_is_recorded():
    model = Sequential(Linear(2, 2), ReLU())
    with autograd_graph(model) as graph:
        for each in (copy.deepcopy(model), pickle.loads(pickle.dumps(model)), model):
            each(batch())
    assert scopes(graph) == [("", "linear"), ("", "relu"), ("", "linear"), ("", "relu"), ("0", "linear"), ("1", "relu")]


def test_a_copy_made_while_recording_has_the_programs_hooks_alone():
    model = Sequential(Linear(2, 2), ReLU())
    model[0].register_forward_hook(print)
    with autograd_graph(model):
        for each in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
            counts = [(len(part._forward_pre_hooks), len(part._forward_hooks)) for part in each.modules()]
            assert counts == [(0, 0), (0, 1), (0, 0)]
        assert all(part._forward_pre_hooks and part._forward_hooks for part in model.modules())


def test_what_is_no_model_is_refused():
    with pytest.raises(TypeError, match=r"watch\(model\) takes a Module, not a int"):
        autograd_graph(3)


def test_a_module_of_pytorch_is_refused_with_what_to_call():
    class Foreign:
        __module__ = "torch.nn.modules.foreign"

        def named_modules(self):
            return iter([("", self)])

    with pytest.raises(TypeError, match=r"Foreign is a module of PyTorch.*record\(graph, model=model\)"):
        AutogradGraph().watch(Foreign())
