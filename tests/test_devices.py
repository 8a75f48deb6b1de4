"""Devices: what moves, what stays, and what is said when a device is missing. The GPU is the fake one."""

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import fake_cupy
import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.backend import cuda_is_available, device_of, moved, on_gpu, to_host, xp

X = np.array([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy)
    fake_cupy.transfers.clear()
    yield fake_cupy
    fake_cupy.transfers.clear()


def on_the_gpu(values: Any = X, **options: Any) -> Tensor:
    return Tensor(np.array(values), device="cuda", **options)


# -- moving ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("move", [lambda t: t.to("cuda"), lambda t: t.cuda(), lambda t: t.to(device="cuda:0")])
def test_to_the_gpu(gpu: Any, move: Any) -> None:
    there = move(Tensor(X))
    assert there.device == "cuda:0"
    assert there.is_cuda
    assert type(there.data) is fake_cupy.ndarray
    assert [(each.to, each.size) for each in fake_cupy.transfers] == [("device", 6)]


@pytest.mark.parametrize("move", [lambda t: t.to("cpu"), lambda t: t.cpu()])
def test_back_to_the_host(gpu: Any, move: Any) -> None:
    back = move(on_the_gpu())
    assert back.device == "cpu"
    assert type(back.data) is np.ndarray
    np.testing.assert_array_equal(back.data, X)


def test_what_is_there_already_stays_the_tensor_it_is(gpu: Any) -> None:
    here, there = Tensor(X), on_the_gpu()
    fake_cupy.transfers.clear()
    assert here.to("cpu") is here
    assert here.cpu() is here
    assert there.to("cuda") is there
    assert there.to("cuda:0") is there
    assert there.cuda() is there
    assert there.to("cuda", copy=True) is not there
    assert there.to(there) is there
    assert fake_cupy.transfers == []


def test_to_another_tensor_takes_its_device_and_dtype(gpu: Any) -> None:
    like = on_the_gpu(np.ones(1, np.float32))
    moved_there = Tensor(X).to(like)
    assert (moved_there.device, moved_there.dtype) == ("cuda:0", np.float32)
    assert (like.to(Tensor(X)).device, like.to(Tensor(X)).dtype) == ("cpu", np.float64)


def test_device_and_dtype_in_one_call(gpu: Any) -> None:
    there = Tensor(X).to("cuda", minitorch.float32)
    assert (there.device, there.dtype) == ("cuda:0", np.float32)


def test_moving_is_differentiable_there_and_back(gpu: Any) -> None:
    x = Tensor(X, requires_grad=True)
    there = x.to("cuda")
    squares = there * there
    back = squares.cpu()
    (back * Tensor(X)).sum().backward()
    assert (there._op, back._op) == ("to", "to")
    assert type(squares.grad) is fake_cupy.ndarray
    assert type(there.grad) is fake_cupy.ndarray
    assert type(x.grad) is np.ndarray
    np.testing.assert_allclose(x.grad, 2 * X * X)


def test_moving_is_differentiable_twice(gpu: Any) -> None:
    x = Tensor(X, requires_grad=True)
    (first,) = minitorch.grad((x.cuda() ** 3).sum().cpu(), [x], create_graph=True)
    (second,) = minitorch.grad(first.sum(), [x])
    assert first.device == second.device == "cpu"
    np.testing.assert_allclose(second.data, 6 * X)


def test_a_leaf_that_is_moved_is_a_result_and_a_constant_stays_one(gpu: Any) -> None:
    assert not Tensor(X, requires_grad=True).cuda().is_leaf
    assert not Tensor(X).cuda().requires_grad
    with minitorch.no_grad():
        assert not Tensor(X, requires_grad=True).cuda().requires_grad


# -- making ------------------------------------------------------------------------------------------------------------


def test_a_tensor_is_made_where_it_is_told(gpu: Any) -> None:
    assert Tensor([1.0, 2.0], device="cuda").device == "cuda:0"
    assert Tensor([1.0, 2.0], device="cuda").dtype == np.float32
    assert Tensor([1.0, 2.0], device="cpu").device == "cpu"
    assert Tensor([1.0, 2.0]).device == "cpu"
    assert Tensor([1.0], requires_grad=True, device="cuda").is_leaf


def test_an_array_of_the_gpu_stays_there_and_is_copied(gpu: Any) -> None:
    array = fake_cupy.asarray(X)
    fake_cupy.transfers.clear()
    made = Tensor(array)
    assert made.device == "cuda:0"
    array += 1
    assert fake_cupy.transfers == []
    np.testing.assert_array_equal(made.cpu().data, X)
    assert Tensor(array, device="cpu").device == "cpu"
    assert minitorch.tensor(array).device == "cuda:0"


@pytest.mark.parametrize(
    "make",
    [
        lambda **where: minitorch.tensor([1, 2], **where),
        lambda **where: minitorch.as_tensor([1, 2], **where),
        lambda **where: minitorch.zeros(2, **where),
        lambda **where: minitorch.ones(2, **where),
        lambda **where: minitorch.full((2,), 3.0, **where),
        lambda **where: minitorch.eye(2, **where),
        lambda **where: minitorch.arange(3, **where),
        lambda **where: minitorch.linspace(0, 1, 3, **where),
        lambda **where: minitorch.zeros_like(Tensor(X), **where),
        lambda **where: minitorch.rand(2, **where),
        lambda **where: minitorch.randn(2, **where),
    ],
)
def test_creation_takes_a_device(gpu: Any, make: Any) -> None:
    assert make().device == "cpu"
    assert make(device="cuda").device == "cuda:0"
    assert make(device="cuda").dtype == make().dtype


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "empty_like", "rand_like", "randn_like"])
def test_like_another_is_on_its_device(gpu: Any, name: str) -> None:
    assert getattr(minitorch, name)(on_the_gpu()).device == "cuda:0"


# -- gradients ---------------------------------------------------------------------------------------------------------


def test_gradients_live_where_their_tensors_do(gpu: Any) -> None:
    x = on_the_gpu(requires_grad=True)
    loss = (x * x).mean()
    fake_cupy.transfers.clear()
    loss.backward()
    loss = (x * x).mean()
    loss.backward()
    assert fake_cupy.transfers == []
    assert type(x.grad) is type(x.data) is fake_cupy.ndarray
    assert type(loss.grad) is fake_cupy.ndarray
    assert loss.data.shape == ()
    np.testing.assert_allclose(to_host(x.grad), 2 * 2 * X / 6)


def test_a_host_array_may_be_the_upstream_gradient(gpu: Any) -> None:
    x = on_the_gpu(requires_grad=True)
    (x * 2).backward(X)
    assert type(x.grad) is fake_cupy.ndarray
    np.testing.assert_array_equal(to_host(x.grad), 2 * X)


def test_assigned_data_and_gradients_go_to_the_tensor_s_device(gpu: Any) -> None:
    x = on_the_gpu(requires_grad=True)
    x.data = X + 1
    x.grad = X + 2
    assert type(x.data) is type(x.grad) is fake_cupy.ndarray
    np.testing.assert_array_equal(to_host(x.data), X + 1)
    np.testing.assert_array_equal(to_host(x.grad), X + 2)
    x.grad = x.grad * 2
    x.grad = None
    assert x.grad is None


@pytest.mark.parametrize(
    "assign",
    [
        lambda here, there: setattr(here, "data", there.data),
        lambda here, there: setattr(here, "grad", there),
        lambda here, there: (here * 2).backward(there),
    ],
)
def test_nothing_comes_down_to_the_host_unasked(gpu: Any, assign: Any) -> None:
    here = Tensor(X, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"on cuda:0, but the Tensor is on cpu: move it with \.to\('cpu'\)"):
        assign(here, on_the_gpu())


def test_a_hook_may_return_an_array_of_the_host(gpu: Any) -> None:
    x = on_the_gpu(requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: np.full((2, 3), 5.0))
    y.sum().backward()
    assert type(x.grad) is fake_cupy.ndarray
    np.testing.assert_array_equal(to_host(x.grad), np.full((2, 3), 10.0))


# -- in place ----------------------------------------------------------------------------------------------------------


def test_changes_in_place_stay_on_the_device(gpu: Any) -> None:
    x = on_the_gpu()
    data = x.data
    fake_cupy.transfers.clear()
    x += 1.0
    x.mul_(2.0)
    x[0] = 0.0
    assert fake_cupy.transfers == []
    assert x.data is data
    np.testing.assert_array_equal(x.cpu().data, np.where([[True], [False]], 0, (X + 1) * 2))


@pytest.mark.parametrize("recorded", [False, True])
def test_numbers_are_copied_from_another_device(gpu: Any, recorded: bool) -> None:
    there, here = on_the_gpu(np.zeros((2, 3))), Tensor(X, requires_grad=recorded)
    there.copy_(here)
    assert there.device == "cuda:0"
    np.testing.assert_array_equal(there.detach().cpu().data, X)
    back = Tensor(np.zeros((2, 3)))
    back.copy_(there * 2)
    assert back.device == "cpu"
    np.testing.assert_array_equal(back.data, 2 * X)
    if recorded:
        back.sum().backward()
        assert type(here.grad) is np.ndarray
        np.testing.assert_array_equal(here.grad, np.full((2, 3), 2.0))


def test_a_change_in_place_is_seen_by_who_needs_or_shares_the_memory(gpu: Any) -> None:
    x, w = on_the_gpu(requires_grad=True), on_the_gpu()
    kept = x * w
    w[0].mul_(2.0)
    with pytest.raises(RuntimeError, match=r"^mul saved numbers of shape .*, which mul_ has changed in place since"):
        kept.sum().backward()
    kept = x * w
    row = kept[0]
    kept.mul_(3.0)
    with pytest.raises(RuntimeError, match=r"^sum: a Tensor of shape .* is out of date: mul_ has changed, recorded"):
        row.sum()
    kept[0] += x[0]
    kept.sum().backward()
    np.testing.assert_array_equal(x.grad.get(), 3 * w.data.get() + [[1.0], [0.0]])


# -- out into Python ---------------------------------------------------------------------------------------------------


def test_numpy_of_a_tensor_on_the_gpu_is_refused(gpu: Any) -> None:
    with pytest.raises(TypeError, match=r"^numpy\(\) on a Tensor on cuda:0: write t\.cpu\(\)\.numpy\(\)"):
        on_the_gpu().numpy()
    with pytest.raises(TypeError, match=r"t\.cpu\(\)\.numpy\(\)"):
        np.asarray(on_the_gpu())


def test_item_and_tolist_read_the_numbers(gpu: Any) -> None:
    assert on_the_gpu(2.5).item() == 2.5
    assert float(on_the_gpu(2.5)) == 2.5
    assert int(on_the_gpu(2)) == 2
    assert bool(on_the_gpu(True)) is True
    assert on_the_gpu().tolist() == X.tolist()
    assert f"{on_the_gpu(2.5):.2f}" == "2.50"


def test_repr_says_the_device(gpu: Any) -> None:
    assert repr(on_the_gpu([1, 2])) == "tensor([1, 2], device='cuda:0')"
    shown = repr(Tensor([1.0], requires_grad=True, device="cuda"))
    assert shown == "tensor([1.], device='cuda:0', requires_grad=True)"
    assert "device" not in repr(Tensor([1.0]))


def test_comparison_of_values(gpu: Any) -> None:
    assert on_the_gpu().equal(on_the_gpu())
    assert on_the_gpu().allclose(on_the_gpu())
    assert not on_the_gpu().equal(on_the_gpu(X + 1))
    assert (on_the_gpu() > 0).device == "cuda:0"
    assert 5.0 in on_the_gpu()


def test_copies_and_pickles(gpu: Any) -> None:
    x = on_the_gpu(requires_grad=True)
    (x * x).sum().backward()
    for twin in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert twin.device == "cuda:0"
        assert type(twin.grad) is fake_cupy.ndarray
        np.testing.assert_array_equal(to_host(twin.grad), 2 * X)


def test_iteration_and_indexing_stay_on_the_device(gpu: Any) -> None:
    rows = list(on_the_gpu())
    assert [row.device for row in rows] == ["cuda:0", "cuda:0"]
    assert on_the_gpu()[0, 1].data.shape == ()
    assert on_the_gpu()[Tensor([1, 0])].device == "cuda:0"


def test_an_index_out_of_range_is_noticed_though_a_gpu_would_wrap_around(gpu: Any) -> None:
    with pytest.raises(IndexError, match=r"^getitem: index 5 is out of bounds for axis 0 with size 2"):
        on_the_gpu()[on_the_gpu([0, 5])]


# -- what is said when something is missing ----------------------------------------------------------------------------

ONE_OF_EACH = r"^{op}: one operand is on {first} and another on {second}: move the other with \.to\('{first}'\)"


@pytest.mark.parametrize(
    ("op", "call"),
    [
        ("add", lambda here, there: here + there),
        ("mul", lambda here, there: here * there),
        ("sub", lambda here, there: minitorch.sub(here, there)),
        ("matmul", lambda here, there: here @ there.T),
        ("cat", lambda here, there: minitorch.cat([here, there])),
        ("stack", lambda here, there: minitorch.stack([here, there])),
        ("where", lambda here, there: minitorch.where(here > 0, here, there)),
        ("maximum", lambda here, there: minitorch.maximum(here, there)),
        ("lt", lambda here, there: here < there),
        ("equal", lambda here, there: here.equal(there)),
        ("isclose", lambda here, there: here.allclose(there)),
        ("logical_and", lambda here, there: minitorch.logical_and(here, there)),
        ("bitwise_and", lambda here, there: (here > 0) & (there > 0)),
        ("linear", lambda here, there: minitorch.nn.functional.linear(here, there)),
    ],
)
def test_mixed_devices_are_named(gpu: Any, op: str, call: Any) -> None:
    for recorded in (False, True):
        here, there = Tensor(X, requires_grad=recorded), on_the_gpu(requires_grad=recorded)
        for first, second in ((here, there), (there, here)):
            with pytest.raises(RuntimeError, match=ONE_OF_EACH.format(op=op, first=first.device, second=second.device)):
                call(first, second)


def test_a_numpy_array_meets_no_tensor_of_the_gpu(gpu: Any) -> None:
    for call in (lambda: on_the_gpu() * X, lambda: X * on_the_gpu(), lambda: np.multiply(X, on_the_gpu())):
        with pytest.raises(RuntimeError, match=r"^mul: one operand is on"):
            call()
    assert (on_the_gpu() * np.float64(2.0)).device == "cuda:0"
    assert (2 * on_the_gpu()).device == "cuda:0"


def test_an_array_of_the_gpu_meets_tensors_there(gpu: Any) -> None:
    array = fake_cupy.asarray(X)
    fake_cupy.transfers.clear()
    for product in (array * on_the_gpu(), on_the_gpu() * array, np.multiply(array, on_the_gpu())):
        assert isinstance(product, Tensor)
        assert product.device == "cuda:0"


@pytest.mark.parametrize("name", ["gpu", "cuda:x", "cuda:", "cuda0", "mps", "CPU", ""])
def test_an_unknown_device(name: str) -> None:
    message = f"^device '{name}' is not known: write 'cpu', 'cuda' or 'cuda:0'"
    with pytest.raises(ValueError, match=message):
        Tensor(X, device=name)
    with pytest.raises(ValueError, match=message):
        Tensor(X).to(device=name)


def test_to_what_is_neither_dtype_nor_device() -> None:
    with pytest.raises(TypeError, match=r"^to: 'gpu' is neither a dtype nor a device: write 'float64' or 'cuda'"):
        Tensor(X).to("gpu")


def test_without_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert not cuda_is_available()
    with pytest.raises(RuntimeError, match=r'^device .cuda. needs CuPy: pip install "minitorch-course\[cuda\]"$'):
        Tensor(X).to("cuda")


def test_with_cupy_and_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    def count() -> int:
        raise OSError("cudaErrorInsufficientDriver")

    runtime = SimpleNamespace(getDeviceCount=count)
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=SimpleNamespace(runtime=runtime)))
    assert not cuda_is_available()
    with pytest.raises(RuntimeError, match=r"^device 'cuda' needs an NVIDIA driver, .*cudaErrorInsufficientDriver"):
        Tensor(X).cuda()


def test_with_a_driver_and_no_gpu(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fake_cupy, "gpus", 0)
    assert not cuda_is_available()
    with pytest.raises(RuntimeError, match=r"^device 'cuda' needs a GPU, and CuPy finds none: stay on 'cpu'$"):
        Tensor(X, device="cuda")


def test_a_gpu_that_is_not_there(gpu: Any) -> None:
    assert cuda_is_available()
    with pytest.raises(RuntimeError, match=r"^device 'cuda:3' is not there: the number of GPUs that CuPy finds is 1$"):
        Tensor(X).to("cuda:3")
    with pytest.raises(RuntimeError, match=r"^device 'cuda:1' is not there"):
        Tensor(X).cuda(1)


# -- the module behind it ----------------------------------------------------------------------------------------------


def test_the_module_and_the_device_of_arrays_and_tensors(gpu: Any) -> None:
    there = fake_cupy.asarray(X)
    assert xp(there) is xp(on_the_gpu()) is fake_cupy
    assert xp(X) is xp(Tensor(X)) is xp(1.0) is np
    assert (device_of(there), device_of(X)) == ("cuda:0", "cpu")
    assert (on_gpu(there), on_gpu(X)) == (True, False)
    assert moved(there, "cuda") is there
    assert moved(X, "cpu") is X


def test_a_program_on_the_cpu_never_imports_cupy() -> None:
    program = (
        "import json, sys, numpy as np, minitorch\n"
        "x = minitorch.Tensor(np.ones((2, 3)), requires_grad=True)\n"
        "y = (x.to('cpu').exp() @ x.T)[0].sum() + minitorch.zeros_like(x).sum()\n"
        "y.backward()\n"
        "repr(y), x.grad, x.cpu(), x.device\n"
        "print(json.dumps([name for name in sys.modules if name.split('.')[0] == 'cupy']))"
    )
    assert json.loads(subprocess.check_output([sys.executable, "-c", program], text=True)) == []
