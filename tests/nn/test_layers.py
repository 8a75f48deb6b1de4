"""Every layer and loss against PyTorch: text, names of the state, outputs, gradients, buffers."""

from __future__ import annotations

import copy
import inspect
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from layer_cases import CASES, Case, array, golden, prepared, run

import minitorch
from minitorch import nn
from minitorch.compat.nn import lazy

GOLDEN = golden()
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@each_case
def test_text_state_outputs_and_gradients_are_pytorchs_and_a_module_copies_and_pickles(case: Case) -> None:
    ours, theirs = run(case, nn, minitorch.tensor), GOLDEN[case.name]
    assert ours.text == theirs.text
    assert ours.keys == theirs.keys
    assert ours.shapes == theirs.shapes
    assert len(ours.arrays) == len(theirs.arrays)
    for mine, given in zip(ours.arrays, theirs.arrays, strict=True):
        np.testing.assert_allclose(mine, given, rtol=case.near, atol=case.near)
    module, _ = prepared(case, nn, minitorch.tensor)
    for twin in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        assert repr(twin) == repr(module)
        for (name, mine), (other, theirs) in zip(module.state_dict().items(), twin.state_dict().items(), strict=True):
            assert name == other
            assert mine.data is not theirs.data
            np.testing.assert_array_equal(mine.data, theirs.data)


def test_the_golden_file_knows_the_table_and_no_more() -> None:
    assert list(GOLDEN) == [case.name for case in CASES]


def test_every_exported_layer_is_in_the_table() -> None:
    kinds = {type(part).__name__ for case in CASES for part in case.make(nn).modules()}
    containers = {"Module", "ModuleDict", "ModuleList", "Sequential", "ParameterList", "ParameterDict"}
    layers = {name for name in nn.__all__ if isinstance(getattr(nn, name), type)}
    layers = {name for name in layers if issubclass(getattr(nn, name), nn.Module)}
    assert layers - containers - set(lazy.__all__) <= kinds


@each_case
def test_against_installed_pytorch(case: Case, torch: Any) -> None:
    """Weights move both ways unchanged; text, outputs and gradients are equal."""
    theirs = run(case, torch.nn, torch.tensor)
    ours = run(case, nn, minitorch.tensor)
    assert (ours.keys, ours.shapes) == (theirs.keys, theirs.shapes)
    for mine, given in zip(ours.arrays, theirs.arrays, strict=True):
        np.testing.assert_allclose(mine, given, rtol=case.near, atol=case.near)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source, target = case.make(torch.nn).double(), case.make(nn).double()
        target.load_state_dict({name: value.numpy() for name, value in source.state_dict().items()})
        back = case.make(torch.nn).double()
        back.load_state_dict({name: torch.tensor(value.numpy()) for name, value in target.state_dict().items()})
    for name, value in source.state_dict().items():
        np.testing.assert_array_equal(array(back.state_dict()[name]), array(value))


def test_arguments_and_defaults_are_pytorchs(torch: Any) -> None:
    """Every argument has PyTorch's name and default, and those before the first keyword-only one its place."""
    required = {"Softmax", "LogSoftmax", "Softmin"}  # their dim is not guessed
    parts = {type(part).__name__ for case in CASES for part in case.make(nn).modules()} - {"Sequential"}
    for name in sorted(parts - required):
        theirs = inspect.signature(getattr(torch.nn, name)).parameters
        if "args" in theirs and name != "Identity":  # PyTorch's recurrent networks do not say their arguments
            theirs = {"self": None, **inspect.signature(torch.nn.RNNBase).parameters}
            theirs = {label: each for label, each in theirs.items() if label not in ("self", "mode")}
        ours = inspect.signature(getattr(nn, name)).parameters
        for place, (label, parameter) in enumerate(ours.items()):
            if (name, label) == ("RNN", "nonlinearity"):
                continue
            assert label in theirs, (name, label)
            default = theirs[label].default
            if label != "activation":
                assert parameter.default == default, (name, label)
            if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD and name != "RNN":
                known = [each for each in theirs if each not in ("size_average", "reduce")]
                assert known.index(label) == place or label in ("device", "dtype"), (name, label)
