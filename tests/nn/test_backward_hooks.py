"""Hooks of modules as PyTorch has them: what they are given, what they may replace, when they are called."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, nn


def plain(gradients: Any) -> Any:
    return tuple(None if each is None else np.asarray(each.detach()).round(6).tolist() for each in gradients)


def programs(m: Any) -> list[Any]:
    """What every hook of these programs was told, and the gradients in the end; the same program on both."""
    seen: list[Any] = []

    def tell(name: str) -> Any:
        return lambda module, *given: seen.append((name, *[plain(each) for each in given]))

    class Two(m.nn.Module):  # type: ignore[name-defined, misc]
        def forward(self, a: Any, b: Any, number: int, named: Any = None) -> Any:
            return a * b, b * number + (0 if named is None else named)

    def tensor(*values: float, grad: bool = True) -> Any:
        return m.tensor(values, dtype=m.float64, requires_grad=grad)

    # several inputs, several outputs, an argument by name
    two, a, b, c = Two(), tensor(1.0, 2.0), tensor(3.0, 4.0), tensor(5.0, 6.0)
    two.register_full_backward_hook(tell("hook"))
    two.register_full_backward_pre_hook(tell("before"))
    two.register_full_backward_hook(tell("first"), prepend=True)
    first, second = two(a, b, 3, named=c)
    (first.sum() * 2 + (second * second).sum()).backward()
    seen.append(plain([m.as_tensor(each.grad) for each in (a, b, c)]))
    # one input without gradient
    first, second = two(a, tensor(1.0, 1.0, grad=False), 2)
    (first.sum() + 0 * second.sum()).backward()
    picked = m.nn.Bilinear(2, 2, 1).double()
    picked.register_full_backward_hook(tell("constant"))
    m.nn.init.constant_(picked.weight, 0.5)
    picked(a, tensor(1.0, 2.0, grad=False)).sum().backward()
    # replaced on both sides
    line = m.nn.Linear(2, 1).double()
    m.nn.init.constant_(line.weight, 0.5)
    m.nn.init.constant_(line.bias, 0.25)
    pre = line.register_full_backward_pre_hook(lambda module, out: (out[0] * 10,))
    post = line.register_full_backward_hook(lambda module, into, out: (into[0] * 100,))
    x = tensor(1.0, 2.0)
    line(x).sum().backward()
    seen.append(plain([m.as_tensor(each.grad) for each in (x, line.weight, line.bias)]))
    pre.remove()
    post.remove()
    # called twice in one pass
    line.register_full_backward_hook(tell("twice"))
    square = m.nn.Linear(1, 1).double()
    m.nn.init.constant_(square.weight, 0.5)
    handle = square.register_full_backward_hook(tell("again"))
    square(square(tensor(1.0))).sum().backward()
    handle.remove()
    square(tensor(1.0)).sum().backward()
    # inside another one, with create_graph
    net = m.nn.Sequential(line, m.nn.Tanh())
    net.register_full_backward_hook(tell("net"))
    y = tensor(0.25, 0.5)
    (slope,) = m.autograd.grad(net(y).sum(), y, create_graph=True)
    seen.append(plain([slope]))
    (slope * slope).sum().backward()
    seen.append(plain([m.as_tensor(y.grad)]))
    return seen


def test_hooks_are_told_what_pytorchs_are_told(torch: Any) -> None:
    ours, theirs = programs(minitorch), programs(torch)
    assert len(ours) == len(theirs)
    for mine, yours in zip(ours, theirs, strict=True):
        assert mine == yours


@pytest.mark.filterwarnings("ignore:Full backward hook is firing")
def test_without_an_input_that_requires_grad_the_outputs_call() -> None:
    seen: list[Any] = []
    line = nn.Linear(2, 1)
    line.register_full_backward_hook(lambda module, into, out: seen.append((into, plain(out))))
    line(Tensor([[1.0, 2.0]])).sum().backward()
    assert seen == [((None,), ([[1.0]],))]
    line.register_full_backward_hook(lambda module, into, out: (Tensor([[1.0, 1.0]]),))
    with pytest.raises(RuntimeError, match=r"^Linear: no input requires grad, so a backward hook has no gradient"):
        line(Tensor([[1.0, 2.0]])).sum().backward()


def test_nothing_is_recorded_without_a_gradient() -> None:
    line, seen = nn.Linear(2, 1), []
    line.register_full_backward_hook(lambda *given: seen.append(given))
    with minitorch.no_grad():
        assert not line(Tensor([1.0, 2.0], requires_grad=True)).requires_grad
    assert not seen


@pytest.mark.parametrize("which", ["register_full_backward_hook", "register_full_backward_pre_hook"])
def test_too_few_gradients_are_refused(which: str) -> None:
    line = nn.Linear(2, 1)
    getattr(line, which)(lambda *_: (None, None))
    with pytest.raises(RuntimeError, match=r"^Linear: a backward hook returned 2 gradients in the place of grad_"):
        line(Tensor([1.0, 2.0], requires_grad=True)).sum().backward()


def test_an_output_that_is_no_tensor_is_named() -> None:
    class Named(nn.Module):
        def forward(self, x: Tensor) -> dict[str, Tensor]:
            return {"out": x * 2}

    named = Named()
    named.register_full_backward_hook(lambda *_: None)
    with pytest.warns(UserWarning, match=r"^Named: backward hooks need a Tensor or a tuple of Tensors .* is a dict"):
        named(Tensor([1.0], requires_grad=True))


def test_a_hook_is_called_though_forward_raised_if_it_wants_to_be() -> None:
    seen: list[Any] = []
    line = nn.Linear(2, 1)
    line.register_forward_hook(lambda module, args, output: seen.append("never"))
    line.register_forward_hook(lambda module, args, output: seen.append(output), always_call=True)
    line.register_forward_hook(
        lambda module, args, kwargs, output: seen.append(kwargs), with_kwargs=True, always_call=True
    )
    with pytest.raises(RuntimeError, match=r"^linear: weight of shape"):
        line(input=Tensor([1.0, 2.0, 3.0]))
    assert seen[0] is None
    assert list(seen[1]) == ["input"]
    line(Tensor([1.0, 2.0]))
    assert seen[2] == "never"
    assert seen[4] == {}


def test_a_copy_has_hooks_of_its_own() -> None:
    line = nn.Linear(2, 1)
    line.register_full_backward_hook(print)
    other = copy.deepcopy(line)
    other.register_full_backward_pre_hook(print)
    assert (len(line._backward_hooks), len(line._backward_pre_hooks)) == (1, 0)
    assert (len(other._backward_hooks), len(other._backward_pre_hooks)) == (1, 1)
    assert pickle.loads(pickle.dumps(line))._backward_hooks == line._backward_hooks
