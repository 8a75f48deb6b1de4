"""Warnings of the engine name the user's line, however deep in the engine they arise."""

import inspect
import warnings

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, nn

ONE, PAIR = Tensor([1.0]), Tensor([1.0, 2.0])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout2d()

    def forward(self, x):
        return self.drop(x)


# the call, and how its warning begins
WARN = {
    "var": (lambda: ONE.var(), r"var: 1 number and correction=1 leave no degree of freedom"),
    "std": (lambda: minitorch.std(Tensor(2.0)), r"std: 1 number and correction=1 leave .*: give at least 2 numbers"),
    "var_mean": (lambda: minitorch.var_mean(PAIR, correction=2), r"var_mean: 2 numbers and correction=2"),
    "std_mean": (lambda: minitorch.std_mean(ONE), r"std_mean: 1 number and correction=1"),
    "std along an axis": (lambda: minitorch.ones(3, 1).std(1, keepdim=True), r"std: 1 number and"),
    "var of nothing": (lambda: minitorch.zeros(0).var(correction=0), r"var: 0 numbers and correction=0 .*at least 1 n"),
    "np.var": (lambda: np.var(ONE, ddof=1), r"var: 1 number and correction=1"),
    "cov": (lambda: minitorch.cov(Tensor([[1.0], [2.0]])), r"cov: 1 sample and correction=1"),
    "weighted cov": (lambda: minitorch.cov(PAIR, fweights=Tensor([1, 0])), r"cov: 1 sample and correction=1"),
    "corrcoef": (lambda: minitorch.corrcoef(Tensor([[1.0], [2.0]])), r"cov: 1 sample and correction=1"),
    "dropout2d": (lambda: nn.functional.dropout2d(minitorch.ones(4, 6)), r"dropout2d: input should have shape \(N, C"),
    "dropout3d": (lambda: nn.functional.dropout3d(minitorch.ones(4, 6, 2)), r"dropout3d: input should have shape"),
    "Dropout2d": (lambda: nn.Dropout2d()(minitorch.ones(4, 6, 5)), r"dropout2d: input of shape \(4, 6, 5\) is taken"),
}


@pytest.mark.parametrize("name", WARN)
def test_a_warning_names_the_line_that_called(name):
    call, words = WARN[name]
    with pytest.warns(UserWarning, match=f"^{words}") as caught:
        call()
    assert [each.filename for each in caught] == [__file__]
    assert caught[0].lineno in range(*_lines(call))


def _lines(function):
    lines, first = inspect.getsourcelines(function)
    return first, first + len(lines)


def test_within_a_module_it_is_the_line_of_forward():
    with pytest.warns(UserWarning, match="^dropout2d") as caught:
        Net()(minitorch.ones(4, 6))
    assert (caught[0].filename, caught[0].lineno) == (__file__, _lines(Net.forward)[1] - 1)


def test_a_line_that_is_reached_again_warns_once():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            ONE.std()
    assert len(caught) == 1


def test_enough_numbers_give_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert PAIR.var().item() == 0.5
        assert ONE.var(correction=0).item() == ONE.std(unbiased=False).item() == 0
        assert minitorch.cov(Tensor([[1.0]]), correction=0).item() == 0
