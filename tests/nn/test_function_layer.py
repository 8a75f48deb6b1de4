"""Layers whose constructor comes from their fields: its parameters, subclasses, and what a field may be."""

import copy
import inspect
import pickle

import pytest

from minitorch import Tensor, nn


class Gate(nn.Hardtanh):
    """A learner's own, with an annotation that is no parameter."""

    scale: float = 2.0

    def __init__(self):
        super().__init__(0.0, 1.0)

    def forward(self, input):
        return super().forward(input) * self.scale


def test_the_parameters_are_those_of_the_fields():
    said = str(inspect.signature(nn.TripletMarginLoss)).replace("'", "")
    assert said.startswith("(margin: float = 1.0, p: float = 2.0, eps: float = 1e-06, swap: bool = False, *, reduction")
    with pytest.raises(TypeError, match=r"^Softmax\.__init__\(\) missing 1 required positional argument: 'dim'$"):
        nn.Softmax()


def test_a_default_is_no_attribute_of_the_class():
    assert not hasattr(nn.Softplus, "beta")
    assert not hasattr(nn.GRU(2, 3), "device")


def test_a_subclass_writes_its_own_constructor():
    gate = Gate()
    for each in (gate, copy.deepcopy(gate), pickle.loads(pickle.dumps(gate))):
        assert repr(each) == "Gate(min_val=0.0, max_val=1.0)"
        assert each(Tensor([-1.0, 0.5, 3.0])).tolist() == [0.0, 1.0, 2.0]
    assert gate == gate
    assert gate != Gate()


def test_a_parameter_and_a_buffer_are_registered():
    layer, loss = nn.Softplus(beta=nn.Parameter(Tensor(2.0))), nn.BCEWithLogitsLoss(Tensor([1.0, 3.0]))
    assert [name for name, _ in layer.named_parameters()] == ["beta"]
    assert list(loss.state_dict()) == ["weight"]
