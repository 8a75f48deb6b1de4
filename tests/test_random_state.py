"""The state of random numbers: kept, put back, forked, under PyTorch's names; and the seed that it began with."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import minitorch as mt
from minitorch import nn


@pytest.fixture(autouse=True)
def _as_it_was():
    with mt.random.fork_rng():
        yield


def test_numbers_go_on_from_a_state():
    state = mt.get_rng_state()
    drawn = [mt.rand(3), mt.randn(3), mt.randint(0, 9, (3,)), mt.randperm(5), nn.functional.dropout(mt.ones(9))]
    mt.set_rng_state(state)
    again = [mt.rand(3), mt.randn(3), mt.randint(0, 9, (3,)), mt.randperm(5), nn.functional.dropout(mt.ones(9))]
    assert all(one.equal(other) for one, other in zip(drawn, again, strict=True))


def test_a_state_goes_through_a_file_and_to_a_generator(tmp_path):
    mt.manual_seed(7)
    mt.rand(2)
    mt.save({"rng": mt.get_rng_state()}, tmp_path / "state.safetensors")
    drawn = mt.rand(3)
    mt.set_rng_state(mt.load(tmp_path / "state.safetensors")["rng"])
    assert mt.rand(3).equal(drawn)
    generator = mt.Generator()
    generator.set_state(mt.load(tmp_path / "state.safetensors")["rng"])
    assert mt.rand(3, generator=generator).equal(drawn)
    assert generator.initial_seed() == mt.initial_seed() == 7


def test_the_seed_is_told():
    mt.manual_seed(-1)
    assert mt.initial_seed() == 2**64 - 1
    drawn = mt.seed()
    first = mt.rand(3)
    assert mt.initial_seed() == mt.cuda.initial_seed() == drawn != mt.seed()
    mt.manual_seed(drawn)
    assert mt.rand(3).equal(first)


def test_before_any_seed_the_one_of_the_system_is_told():
    from minitorch.default_generator import DefaultGenerator

    random = DefaultGenerator()
    seed = random.initial_seed
    np.testing.assert_array_equal(random.generator.random(3), np.random.Generator(np.random.PCG64(seed)).random(3))
    assert DefaultGenerator().initial_seed != seed


def test_inside_a_fork_nothing_is_used_up():
    mt.manual_seed(3)
    wanted = mt.rand(2)
    mt.manual_seed(3)
    with contextlib.suppress(ZeroDivisionError), mt.random.fork_rng(devices=[0], device_type="cuda"):
        mt.manual_seed(0)
        mt.rand(4)
        raise ZeroDivisionError
    assert mt.rand(2).equal(wanted)
    assert mt.initial_seed() == 3
    mt.manual_seed(3)
    with mt.random.fork_rng(enabled=False):
        assert mt.rand(2).equal(wanted)
    assert not mt.rand(2).equal(wanted)


@pytest.mark.parametrize("wrong", [mt.zeros(3), mt.zeros(80), np.zeros(79, np.uint8)])
def test_what_is_no_state_is_refused(wrong):
    with pytest.raises(ValueError, match=r"^set_rng_state: \d+ bytes are no state of a generator"):
        mt.set_rng_state(wrong)


def test_gpus_have_no_state_of_their_own():
    assert mt.cuda.get_rng_state_all() == []
    mt.cuda.set_rng_state_all(mt.cuda.get_rng_state_all())
    assert mt.cuda.get_rng_state().equal(mt.get_rng_state())


def test_names_are_where_pytorch_has_them(torch):
    for name in ("get_rng_state", "set_rng_state", "initial_seed", "seed", "manual_seed"):
        assert callable(getattr(torch, name))
        assert callable(getattr(mt, name))
        assert getattr(mt.random, name) is getattr(mt, name)
    assert set(mt.random.__all__) <= set(dir(torch.random))
    for name in ("get_rng_state", "get_rng_state_all", "set_rng_state", "set_rng_state_all", "seed_all"):
        assert callable(getattr(torch.cuda, name))
        assert callable(getattr(mt.cuda, name))
