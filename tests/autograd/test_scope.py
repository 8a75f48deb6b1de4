"""no_grad and enable_grad: as context managers and decorators, per thread and per async task."""

import asyncio
import threading

import numpy as np
import pytest

from minitorch import (
    Tensor,
    enable_grad,
    get_default_dtype,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_default_dtype,
    set_grad_enabled,
)

X = Tensor([1.0, 2.0], requires_grad=True)


def test_nothing_is_recorded_under_no_grad() -> None:
    with no_grad():
        assert not is_grad_enabled()
        assert not (X * 2.0).requires_grad
        assert not (X * X).sum().requires_grad
        assert not X.clone().requires_grad
    assert is_grad_enabled()
    assert (X * 2.0).requires_grad


def test_a_leaf_made_under_no_grad_still_wants_its_gradient() -> None:
    with no_grad():
        assert Tensor(1.0, requires_grad=True).requires_grad


def test_enable_grad_records_inside_no_grad() -> None:
    with no_grad():
        with enable_grad():
            assert (X * 2.0).requires_grad
        assert not (X * 2.0).requires_grad


def test_the_mode_is_restored_after_an_exception() -> None:
    with pytest.raises(ZeroDivisionError), no_grad():
        raise ZeroDivisionError
    assert is_grad_enabled()


def test_the_same_instance_can_be_entered_twice() -> None:
    mode = no_grad()
    with mode:
        with mode:
            assert not is_grad_enabled()
        assert not is_grad_enabled()
    assert is_grad_enabled()


def test_a_decorated_function_may_call_itself() -> None:
    @no_grad()
    def countdown(steps: int) -> bool:
        return countdown(steps - 1) if steps else is_grad_enabled()

    assert countdown(5) is False
    assert is_grad_enabled()


def test_a_thread_has_its_own_mode() -> None:
    seen: list[bool] = []
    with no_grad():
        thread = threading.Thread(target=lambda: seen.append(is_grad_enabled()))
        thread.start()
        thread.join()
        assert not is_grad_enabled()
    assert seen == [True]


def test_threads_do_not_disturb_each_other() -> None:
    inside, done = threading.Event(), threading.Event()

    def hold_no_grad() -> None:
        with no_grad():
            inside.set()
            done.wait(10)

    thread = threading.Thread(target=hold_no_grad)
    thread.start()
    assert inside.wait(10)
    assert (X * 2.0).requires_grad
    done.set()
    thread.join()


def test_an_async_task_has_its_own_mode() -> None:
    async def without(inside: asyncio.Event, done: asyncio.Event) -> bool:
        with no_grad():
            inside.set()
            await done.wait()
            return is_grad_enabled()

    async def main() -> tuple[bool, bool]:
        inside, done = asyncio.Event(), asyncio.Event()
        task = asyncio.create_task(without(inside, done))
        await inside.wait()
        meanwhile = is_grad_enabled()
        done.set()
        return meanwhile, await task

    assert asyncio.run(main()) == (True, False)


def test_a_graph_made_before_no_grad_can_be_differentiated_inside() -> None:
    x = Tensor(3.0, requires_grad=True)
    loss = x * x
    with no_grad():
        loss.backward()
    assert x.grad == 6.0


def test_default_dtype_is_set_per_thread() -> None:
    def in_thread() -> None:
        set_default_dtype("float64")
        seen.append(Tensor([1.0]).dtype)
        seen.append(Tensor([1]).exp().dtype)

    seen: list[np.dtype] = []
    thread = threading.Thread(target=in_thread)
    thread.start()
    thread.join()
    assert seen == [np.float64, np.float64]
    assert get_default_dtype() == np.float32
    assert Tensor([1.0]).dtype == np.float32


def test_modes_decorate_without_parentheses() -> None:
    @no_grad
    def doubled(x: Tensor) -> Tensor:
        return x * 2.0

    @inference_mode
    def halved(x: Tensor) -> Tensor:
        return x / 2.0

    assert not doubled(X).requires_grad
    assert doubled.__name__ == "doubled"
    assert not halved(X).requires_grad


def test_inference_mode_can_be_switched_off() -> None:
    with inference_mode():
        assert not is_grad_enabled()
        with inference_mode(False):
            assert is_grad_enabled()
    assert is_grad_enabled()

    @inference_mode(False)
    def doubled(x: Tensor) -> Tensor:
        return x * 2.0

    with no_grad():
        assert doubled(X).requires_grad


def test_set_grad_enabled_counts_from_the_call_to_the_end_of_its_block() -> None:
    with set_grad_enabled(False):
        assert not is_grad_enabled()
        with set_grad_enabled(True):
            assert is_grad_enabled()
        assert not is_grad_enabled()
    assert is_grad_enabled()
    set_grad_enabled(False)
    assert not is_grad_enabled()
    set_grad_enabled(True)
    assert is_grad_enabled()

    @set_grad_enabled(False)
    def doubled(x: Tensor) -> Tensor:
        return x * 2.0

    assert is_grad_enabled()
    assert not doubled(X).requires_grad
    assert is_grad_enabled()
