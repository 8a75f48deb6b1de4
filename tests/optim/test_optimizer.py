"""Groups, the state_dict, and what is refused in which words."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch.optim as optim
from minitorch import Tensor
from minitorch.optim import SGD, Adagrad, Adam, AdamW, Optimizer, RMSprop


def leaf(*shape: int) -> Tensor:
    return Tensor(np.ones(shape), requires_grad=True)


def test_defaults_are_those_of_pytorch() -> None:
    w = [leaf(2)]
    assert SGD(w).defaults == {
        "lr": 0.001,
        "momentum": 0,
        "dampening": 0,
        "weight_decay": 0,
        "nesterov": False,
        "maximize": False,
    }
    adam = {"lr": 0.001, "betas": (0.9, 0.999), "eps": 1e-8, "amsgrad": False, "maximize": False}
    assert Adam(w).defaults == {**adam, "weight_decay": 0, "decoupled_weight_decay": False}
    assert AdamW(w).defaults == {**adam, "weight_decay": 0.01, "decoupled_weight_decay": True}
    assert RMSprop(w).defaults == {
        "lr": 0.01,
        "momentum": 0,
        "alpha": 0.99,
        "eps": 1e-8,
        "centered": False,
        "weight_decay": 0,
        "maximize": False,
    }
    assert Adagrad(w).defaults == {
        "lr": 0.01,
        "lr_decay": 0,
        "eps": 1e-10,
        "weight_decay": 0,
        "initial_accumulator_value": 0,
        "maximize": False,
    }


def test_groups_have_their_own_options_and_the_defaults() -> None:
    a, b, c = leaf(2), leaf(3), leaf(4)
    given = {"params": [a, b], "lr": 0.5}
    optimizer = SGD([given, {"params": c}], lr=0.1, momentum=0.9)
    assert [group["lr"] for group in optimizer.param_groups] == [0.5, 0.1]
    assert [group["momentum"] for group in optimizer.param_groups] == [0.9, 0.9]
    assert [group["params"] for group in optimizer.param_groups] == [[a, b], [c]]
    assert given == {"params": [a, b], "lr": 0.5}
    for param in (a, b, c):
        param.grad = np.ones(param.shape)
    optimizer.step()
    np.testing.assert_allclose([a.data[0], c.data[0]], [0.5, 0.9])


def test_parameters_come_from_any_iterator_with_names_or_without() -> None:
    a, b = leaf(2), leaf(3)
    plain = SGD(param for param in (a, b))
    assert plain.param_groups[0]["params"] == [a, b]
    assert "param_names" not in plain.param_groups[0]
    named = SGD(iter([("weight", a), ("bias", b)]))
    assert named.param_groups[0]["params"] == [a, b]
    assert named.param_groups[0]["param_names"] == ["weight", "bias"]
    assert named.state_dict()["param_groups"][0]["param_names"] == ["weight", "bias"]
    plain.load_state_dict(named.state_dict())
    assert plain.param_groups[0]["param_names"] == ["weight", "bias"]


def test_zero_grad_forgets_or_zeroes() -> None:
    a, b, frozen = leaf(2), leaf(2), Tensor([1.0])
    optimizer = SGD([a, b, frozen])
    seen = np.array([5.0, 5.0])
    seen.flags.writeable = False
    a._node.grad = seen  # type: ignore[union-attr]
    optimizer.zero_grad(set_to_none=False)
    np.testing.assert_array_equal(a.grad, [0.0, 0.0])
    assert b.grad is None
    optimizer.zero_grad()
    assert a.grad is None
    np.testing.assert_array_equal(seen, [5.0, 5.0])


def test_state_dict_numbers_parameters_through_all_groups() -> None:
    a, b, c = leaf(2), leaf(3), leaf(4)
    optimizer = Adam([{"params": [a, b], "lr": 0.5}, {"params": [c]}])
    a.grad = np.ones(2)
    c.grad = np.ones(4)
    optimizer.step()
    saved = optimizer.state_dict()
    assert list(saved) == ["state", "param_groups"]
    assert [group["params"] for group in saved["param_groups"]] == [[0, 1], [2]]
    assert list(saved["state"]) == [0, 2]
    assert list(saved["state"][2]) == ["step", "exp_avg", "exp_avg_sq"]
    assert saved["state"][2]["step"] == 1
    assert list(saved["param_groups"][0]) == [
        "lr",
        "betas",
        "eps",
        "weight_decay",
        "amsgrad",
        "maximize",
        "decoupled_weight_decay",
        "params",
    ]
    assert optimizer.param_groups[0]["params"] == [a, b]


def test_loading_copies_and_casts() -> None:
    a = leaf(2)
    optimizer = SGD([a], lr=0.1, momentum=0.9)
    a.grad = np.ones(2)
    optimizer.step()
    saved = optimizer.state_dict()
    single = Tensor(np.ones(2, np.float32), requires_grad=True)
    other = SGD([single], lr=0.7, momentum=0.9)
    other.load_state_dict(saved)
    assert other.param_groups[0]["lr"] == 0.1
    assert other.param_groups[0]["params"] == [single]
    buffer = other.state[single]["momentum_buffer"]
    assert buffer.dtype == np.float32
    assert not np.shares_memory(buffer, saved["state"][0]["momentum_buffer"])
    saved["param_groups"][0]["lr"] = 9.0
    assert optimizer.param_groups[0]["lr"] == other.param_groups[0]["lr"] == 0.1


def test_repr_shows_groups() -> None:
    assert repr(SGD([leaf(2)], lr=0.5)) == (
        "SGD (\nParameter Group 0\n    dampening: 0\n    lr: 0.5\n    maximize: False\n    momentum: 0\n"
        "    nesterov: False\n    weight_decay: 0\n)"
    )


def test_a_step_of_ones_own_is_enough() -> None:
    class Own(Optimizer):
        def step(self, closure: Any = None) -> None:
            for group in self.param_groups:
                for param in group["params"]:
                    param.data -= group["lr"] * param.grad

    a = leaf(2)
    a.grad = np.ones(2)
    Own([a], {"lr": 0.5}).step()
    np.testing.assert_array_equal(a.data, [0.5, 0.5])


@pytest.mark.parametrize("calls_base", [False, True])
def test_the_hooks_are_called_once_around_a_step_of_ones_own(calls_base: bool) -> None:
    seen: list[str] = []

    class Own(Optimizer):
        def _update(self, group: dict[str, Any]) -> None:
            seen.append("update")

        def step(self, closure: Any = None) -> str:
            seen.append("own")
            if calls_base:
                super().step(closure)
            return "done"

    class Kin(Own):
        pass

    optimizer = Kin([leaf(2)], {})
    optimizer.register_step_pre_hook(lambda own, args, kwargs: seen.append(f"before {kwargs}"))
    optimizer.register_step_post_hook(lambda own, args, kwargs: seen.append("after"))
    assert optimizer.step(closure=None) == "done"
    assert seen == ["before {'closure': None}", "own", *["update"] * calls_base, "after"]


A = leaf(2)
STATE = SGD([A, leaf(3)]).state_dict()
REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (
        lambda: SGD([]),
        ValueError,
        (
            "SGD: the list of parameters is empty: was an iterator used up before? And does the model hold its layers "
            "in a ModuleList, which registers them, and not in a plain list?"
        ),
    ),
    (lambda: SGD([A], lr="0.1"), TypeError, "SGD: lr must be a number, not '0.1'"),
    (lambda: Adam([A], eps=None), TypeError, "Adam: eps must be a number, not None"),
    (lambda: Adam([A], betas=0.9), ValueError, "Adam: betas must be two numbers from 0 to less than 1, not 0.9"),
    (
        lambda: Adam(leaf(2)),
        TypeError,
        "Adam: params is a Tensor, not a list of Tensors or dicts: write model.parameters() or put it into a list",
    ),
    (lambda: Adam({"params": [A]}), TypeError, "Adam: params is a dict, not a list of Tensors or dicts"),
    (lambda: Adam(3), TypeError, "Adam: params is a int, not a list of Tensors or dicts"),
    (
        lambda: SGD([A, np.ones(3)]),
        TypeError,
        "SGD: parameter 1 is a ndarray, not a Tensor: write model.parameters() for those of a model",
    ),
    (
        lambda: SGD([A, A * 2]),
        ValueError,
        (
            "SGD: parameter 1 of shape (2,) is no leaf but the result of mul: give the Tensor that it was computed "
            "from, or make it a leaf, as in w = w.detach().requires_grad_()"
        ),
    ),
    (
        lambda: SGD([A, leaf(3), A]),
        ValueError,
        "SGD: parameter 2 of shape (2,) is given twice, and would be changed twice in each step: give it once",
    ),
    (lambda: SGD([{"params": [A]}, {"params": [A]}]), ValueError, "SGD: parameter 0 of shape (2,) is given twice"),
    (lambda: SGD([{"lr": 0.1}]), TypeError, "SGD: a group is a dict with \"params\" and options, not a dict with 'lr'"),
    (lambda: SGD([{"params": [A]}, leaf(2)]), TypeError, "not a Tensor: put every parameter into a group, or none"),
    (lambda: SGD([{"params": {A}}]), TypeError, "SGD: a set of parameters has no order to save their state by: use a"),
    (lambda: SGD([("w", A), leaf(2)]), ValueError, "SGD: 1 of 2 parameters have a name: name all or none"),
    (
        lambda: SGD([{"params": [("w", A)]}, {"params": [leaf(2)]}]),
        ValueError,
        "SGD: some groups have names for their parameters and some do not: name all or none",
    ),
    (lambda: SGD([A], lr=-1), ValueError, "SGD: lr must be 0 or more, not -1"),
    (lambda: SGD([A], lr=float("nan")), ValueError, "SGD: lr must be 0 or more, not nan"),
    (lambda: SGD([{"params": [A], "lr": -0.5}]), ValueError, "SGD: lr must be 0 or more, not -0.5"),
    (lambda: SGD([A], momentum=-1), ValueError, "SGD: momentum must be 0 or more, not -1"),
    (lambda: SGD([A], weight_decay=-1), ValueError, "SGD: weight_decay must be 0 or more, not -1"),
    (
        lambda: SGD([A], nesterov=True),
        ValueError,
        "SGD: nesterov needs momentum above 0 and dampening 0, not momentum=0 and dampening=0",
    ),
    (lambda: SGD([A], momentum=0.9, dampening=0.1, nesterov=True), ValueError, "momentum=0.9 and dampening=0.1"),
    (lambda: Adam([A], lr=-1), ValueError, "Adam: lr must be 0 or more, not -1"),
    (
        lambda: AdamW([A], betas=(0.9, 1.0)),
        ValueError,
        "AdamW: betas must be two numbers from 0 to less than 1, not (0.9, 1.0)",
    ),
    (lambda: Adam([A], betas=(0, 0.9)), ValueError, "Adam: betas must be two floats or two Tensors, not (0, 0.9)"),
    (lambda: AdamW([A], betas=(0.5, Tensor(0.9))), ValueError, "AdamW: betas must be two floats or two Tensors"),
    (lambda: Adam([A], betas=(-0.1, 0.9)), ValueError, "Adam: betas must be two numbers from 0 to less than 1"),
    (lambda: Adam([A], eps=-1), ValueError, "Adam: eps must be 0 or more, not -1"),
    (lambda: RMSprop([A], alpha=-1), ValueError, "RMSprop: alpha must be 0 or more, not -1"),
    (lambda: RMSprop([A], momentum=-1), ValueError, "RMSprop: momentum must be 0 or more, not -1"),
    (lambda: Adagrad([A], lr_decay=-1), ValueError, "Adagrad: lr_decay must be 0 or more, not -1"),
    (
        lambda: Adagrad([A], initial_accumulator_value=-1),
        ValueError,
        "Adagrad: initial_accumulator_value must be 0 or more, not -1",
    ),
    (
        lambda: SGD([{"params": [A]}, {"params": [leaf(3)]}]).load_state_dict(STATE),
        ValueError,
        "SGD.load_state_dict: 1 parameter groups are saved, but the optimizer has 2: make it with the same groups",
    ),
    (
        lambda: SGD([A]).load_state_dict(STATE),
        ValueError,
        (
            "SGD.load_state_dict: group 0 has 2 parameters saved, but 1 in the optimizer: "
            "make it with the parameters of the same model"
        ),
    ),
    (
        lambda: SGD([A, leaf(3)]).load_state_dict({**STATE, "state": {0: {"momentum_buffer": np.ones(5)}}}),
        ValueError,
        (
            "SGD.load_state_dict: momentum_buffer of parameter 0 is saved with shape (5,), but the parameter has shape "
            "(2,): was it saved for another model?"
        ),
    ),
    (
        lambda: SGD([A]).load_state_dict({"state": {}}),
        ValueError,
        "SGD.load_state_dict: there is no 'param_groups' in it: pass what an optimizer's state_dict() gave",
    ),
    (lambda: SGD([A]).load_state_dict({}), ValueError, "SGD.load_state_dict: there is no 'state' in it"),
    (
        lambda: SGD([A]).load_state_dict(Adam([A]).state_dict()),
        ValueError,
        "SGD.load_state_dict: group 0 is saved without momentum: was it saved by another kind of optimizer?",
    ),
    (
        lambda: SGD([A, leaf(3)]).load_state_dict({**STATE, "state": {7: {}}}),
        ValueError,
        "SGD.load_state_dict: there is a state for parameter 7, but the groups name parameters 0 to 1: was the file",
    ),
    (
        lambda: Optimizer([A], {"lr": 0.1}).step(),
        NotImplementedError,
        "Optimizer has no _update(group): write it, or a step() of its own",
    ),
]


@pytest.mark.parametrize(("wrong", "kind", "text"), REFUSED, ids=[text for *_, text in REFUSED])
def test_what_is_wrong_is_said_in_one_sentence(wrong: Callable[[], Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=re.escape(text)) as caught:
        wrong()
    assert "\n" not in str(caught.value)


def test_a_state_that_does_not_fit_changes_nothing() -> None:
    a, b = leaf(2), leaf(3)
    optimizer = SGD([a, b], lr=0.3)
    groups, state = optimizer.param_groups, optimizer.state
    with pytest.raises(ValueError, match="was it saved for another model"):
        optimizer.load_state_dict({**STATE, "state": {1: {"momentum_buffer": np.ones(5)}}})
    assert optimizer.param_groups is groups
    assert optimizer.state is state


def test_every_optimiser_is_exported() -> None:
    named = {"SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Optimizer", "lr_scheduler"}
    assert named | {"Adamax", "NAdam", "RAdam", "Adadelta", "LBFGS", "Muon"} | {"ASGD", "Rprop", "Adafactor"} == set(
        optim.__all__
    )
