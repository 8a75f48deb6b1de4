"""Who multiplies matrices here, and when other kernels are worth a line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from minitorch.course.setup import doctor, products
from minitorch.course.setup.products import Blas

pytest.importorskip("threadpoolctl")
ZEN = Blas("openblas", "0.3.30", "Zen")


def said(monkeypatch, blas, part, avx512=True):
    """What the doctor says on a machine with this BLAS, where the wide kernels take this part of the time."""
    asked = []
    monkeypatch.setattr(products, "blas", lambda: blas)
    monkeypatch.setattr(products, "_has_avx512", lambda: avx512)
    monkeypatch.setattr(products, "time_with_wide_kernels", lambda: asked.append(1) or part)
    return [(each.level, each.text) for each in doctor._products()], bool(asked)


def test_narrow_kernels_that_are_slower_here_are_a_note_with_what_was_measured(monkeypatch):
    [(level, text)], _ = said(monkeypatch, ZEN, 0.61)
    assert level == "note"
    assert "kernels for Zen" in text
    assert "OPENBLAS_CORETYPE=SKYLAKEX" in text
    assert "0.61" in text


@pytest.mark.parametrize("part", [0.97, 1.2, None])
def test_what_would_gain_nothing_is_not_recommended(monkeypatch, part):
    [(level, text)], asked = said(monkeypatch, ZEN, part)
    assert asked
    assert (level, text) == ("ok", "products of matrices: openblas 0.3.30, kernels for Zen")


@pytest.mark.parametrize(
    ("blas", "avx512"),
    [(Blas("openblas", "0.3.30", "SkylakeX"), True), (Blas("mkl", "2025", "?"), True), (ZEN, False)],
)
def test_nothing_is_tried_where_there_is_no_choice(monkeypatch, blas, avx512):
    [(level, _)], asked = said(monkeypatch, blas, 0.5, avx512)
    assert not asked
    assert level == "ok"


def test_nothing_is_said_where_nobody_can_tell(monkeypatch):
    assert said(monkeypatch, None, 0.5) == ([], False)


@pytest.mark.skipif(sys.platform != "linux" or not products._has_avx512(), reason="needs a processor with AVX-512")
def test_kernels_are_those_that_numpy_was_loaded_with():
    program = "from minitorch.course.setup.products import *; print(blas().kernels, could_be_wider(blas()))"
    found = {}
    for name in ("HASWELL", "SKYLAKEX"):
        env = {**os.environ, "OPENBLAS_CORETYPE": name, "PYTHONPATH": str(Path.cwd())}
        found[name] = subprocess.run(
            [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
        )
    if not found["HASWELL"].stdout.startswith("Haswell"):
        pytest.skip("NumPy's BLAS here is no OpenBLAS that can be told what to take")
    assert found["HASWELL"].stdout.split() == ["Haswell", "True"]
    assert found["SKYLAKEX"].stdout.split() == ["SkylakeX", "False"]


@pytest.mark.skipif(sys.platform != "linux" or not products._has_avx512(), reason="needs a processor with AVX-512")
def test_both_are_timed_here_and_now():
    part = products.time_with_wide_kernels()
    assert part is not None
    assert 0.01 < part < 100
