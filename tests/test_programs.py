"""What PyTorch programs ask of the module itself: devices, switches, kinds of numbers, mixed precision."""

import copy
import inspect
import math
import pickle

import numpy as np
import pytest

import minitorch as mt
from minitorch import Tensor, nn, programs

# What the lines at the top of PyTorch programs name; each is looked up below, where it stands.
NAMES = """cuda.is_available cuda.device_count cuda.manual_seed_all cuda.synchronize cuda.empty_cache cuda.amp.autocast
cuda.amp.GradScaler cuda.is_bf16_supported amp.autocast amp.GradScaler backends.cudnn.benchmark
backends.mps.is_available backends.cudnn.deterministic backends.cuda.matmul.allow_tf32 utils.data.DataLoader
utils.data.get_worker_info utils.checkpoint.checkpoint utils.checkpoint.checkpoint_sequential
Generator autocast device accelerator.is_available accelerator.current_accelerator accelerator.device_count
accelerator.current_device_index accelerator.set_device_index accelerator.synchronize accelerator.empty_cache"""


@pytest.mark.parametrize("name", [*NAMES.split(), *programs.__all__])
def test_the_name_is_there_and_says_what_it_is(name):
    found = mt
    for part in name.split("."):
        found = getattr(found, part)
    if inspect.isroutine(found) or inspect.isclass(found):
        assert found.__doc__


def test_a_device_is_a_name_with_parts():
    assert mt.device("cuda" if mt.cuda.is_available() else "cpu") == mt.zeros(2).device.type
    numbered = mt.device("cuda:1")
    assert (numbered, numbered.type, numbered.index) == (mt.device("cuda", 1), "cuda", 1)
    assert mt.device(1) == numbered == "cuda:1"
    assert (mt.device("cpu").type, mt.device("cpu").index) == ("cpu", None)
    assert repr(numbered) == "device(type='cuda', index=1)"
    assert f"{numbered}" == "cuda:1"
    assert isinstance(Tensor(1.0).device, mt.device)
    assert pickle.loads(pickle.dumps(numbered)) == copy.deepcopy(numbered) == numbered
    assert {mt.device("cpu"): 1}["cpu"] == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: mt.device("gpu"), "^device 'gpu' is not known: write 'cpu', 'cuda'"),
        (lambda: mt.device("cuda:1", 1), "^device: 'cuda:1' has a number already"),
    ],
)
def test_what_is_no_device_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


def test_everything_goes_where_a_device_says():
    place = mt.device("cpu")
    assert mt.ones(2, device=place).to(place, non_blocking=True).device == place
    assert nn.Linear(2, 2, device=place).to(place, non_blocking=True).weight.device.type == "cpu"
    assert mt.ones(2).to(place, mt.float64, True).dtype == mt.float64
    with pytest.raises(TypeError, match=r"^to: at the end stand non_blocking and copy"):
        mt.ones(2).to(True, "cpu")


def test_without_a_gpu_the_answers_are_none(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "cupy", None)
    assert not mt.cuda.is_available()
    assert (mt.cuda.device_count(), mt.cuda.memory_allocated(), mt.cuda.max_memory_allocated()) == (0, 0, 0)
    mt.cuda.synchronize()
    mt.cuda.empty_cache()
    mt.cuda.reset_peak_memory_stats()
    with pytest.raises(RuntimeError, match=r"CuPy"):
        mt.cuda.get_device_name()


def test_numbers_and_kinds():
    assert (mt.pi, mt.e, mt.inf, mt.newaxis) == (math.pi, math.e, math.inf, None)
    assert math.isnan(mt.nan)
    info = mt.finfo(mt.float64)
    assert (info.eps, info.max, info.min, info.tiny, info.bits, info.dtype) == (
        *(2.0**-52, 1.7976931348623157e308, -1.7976931348623157e308, 2.0**-1022, 64),
        "float64",
    )
    assert mt.finfo().dtype == "float32"
    assert (mt.iinfo(mt.uint8).max, mt.iinfo("int16").min, mt.iinfo("int16").bits) == (255, -32768, 16)
    with pytest.raises(TypeError, match=r"^finfo: int64 is no floating dtype: use iinfo"):
        mt.finfo(mt.int64)
    with pytest.raises(TypeError, match=r"^iinfo: float32 is no integer dtype: use finfo"):
        mt.iinfo(mt.float32)
    assert isinstance(mt.ones(2).dtype, mt.dtype)
    assert mt.Size([2, 3]) == mt.ones(2, 3).shape
    assert mt.Size([2, 3]).numel() == 6
    assert mt.is_tensor(mt.ones(2))
    assert not mt.is_tensor(np.ones(2))
    assert mt.numel(mt.ones(2, 3)) == 6
    assert mt.is_floating_point(mt.ones(2))


def test_kinds_of_tensors():
    assert mt.FloatTensor([1, 2]).dtype == mt.float32
    assert mt.LongTensor(2, 3).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert mt.ByteTensor().shape == (0,)
    assert mt.ones(2).type(mt.LongTensor).dtype == mt.int64
    assert mt.ones(2).type("torch.DoubleTensor").dtype == mt.float64
    assert mt.ones(2).type() == "minitorch.FloatTensor"
    array = np.zeros(2)
    assert mt.asarray(array).data is array
    assert mt.asarray(array, copy=True).data is not array


def test_what_a_tensor_says_of_its_memory():
    x = mt.zeros(2, 3)
    assert (x.nelement(), x.ndimension(), x.itemsize, x.element_size(), x.nbytes) == (6, 2, 4, 4, 24)
    assert (x.stride(), x.stride(0), x.T.stride()) == ((3, 1), 3, (1, 3))
    assert (x.is_contiguous(), x.T.is_contiguous(), x.get_device(), x.is_cpu) == (True, False, -1, True)


def test_mixed_precision_changes_no_number():
    model, x = nn.Linear(3, 2), mt.ones(4, 3)
    optimizer, scaler = mt.optim.SGD(model.parameters(), lr=0.1), mt.amp.GradScaler("cuda", enabled=True)
    plain = model(x)
    with mt.autocast(device_type="cuda", dtype=mt.bfloat16), mt.cuda.amp.autocast(enabled=True):
        assert model(x).equal(plain)
    assert mt.autocast("cpu")(model)(x).equal(plain)
    before = model.weight.detach().clone()
    scaler.scale(model(x).sum()).backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    np.testing.assert_allclose(model.weight.detach().data, before.data - 0.1 * 4, rtol=1e-6)
    scaler.load_state_dict({"scale": 65536.0})
    assert (scaler.state_dict(), scaler.get_scale(), scaler.is_enabled()) == ({}, 1.0, False)


def test_switches_are_accepted():
    mt.backends.cudnn.benchmark = False
    mt.backends.cuda.matmul.allow_tf32 = False
    mt.set_num_threads(2)
    mt.set_float32_matmul_precision("high")
    mt.use_deterministic_algorithms(True, warn_only=True)
    model = nn.Linear(2, 2)
    assert mt.compile(model, mode="max-autotune") is model
    assert mt.compile(fullgraph=True)(model) is model
    assert mt.seed() >= 0


def test_a_state_dict_is_copied_whatever_assign_says():
    model = nn.Linear(2, 2)
    weight = model.weight
    model.load_state_dict({"weight": mt.ones(2, 2), "bias": mt.zeros(2)}, assign=True)
    assert model.weight is weight
    assert weight.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_a_chain_of_checkpoints_is_the_chain():
    model = nn.Sequential(*[nn.Linear(3, 3) for _ in range(5)])
    x = mt.randn(2, 3, requires_grad=True)
    wanted = mt.autograd.grad(model(x).sum(), [x, *model.parameters()])
    found = mt.utils.checkpoint.checkpoint_sequential(model, 2, x, use_reentrant=False)
    for ours, theirs in zip(mt.autograd.grad(found.sum(), [x, *model.parameters()]), wanted, strict=True):
        np.testing.assert_allclose(ours.data, theirs.data, rtol=1e-6)
    with pytest.raises(ValueError, match=r"^checkpoint_sequential: 5 functions cannot make 6 segments"):
        mt.utils.checkpoint.checkpoint_sequential(model, 6, x)
