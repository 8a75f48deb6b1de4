"""`common_kernels`: notebooks are run with the same kernels on every processor that has them."""

import os
import subprocess
import sys

import pytest

from minitorch.course.setup import processor

KERNELS_AND_EXTENSIONS = """
import numpy, numpy.linalg
from threadpoolctl import threadpool_info
print(*[pool.get("architecture") for pool in threadpool_info() if pool["user_api"] == "blas"])
print(*numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", []))
"""


@pytest.mark.parametrize(
    ("found", "left_out"),
    [
        (["X86_V3"], ""),
        (["X86_V3", "X86_V4", "AVX512_ICL"], "AVX512_ICL X86_V4"),
        (["SSSE3", "AVX2", "FMA3", "AVX512F", "AVX512_SKX"], "AVX512F AVX512_SKX"),
    ],
)
def test_what_is_wider_than_256_bits_is_left_out(found, left_out, monkeypatch):
    monkeypatch.delenv(processor.LEFT_OUT, raising=False)
    named = processor.common_kernels(found)
    assert named["OPENBLAS_CORETYPE"] == "Haswell"
    assert named["NPY_DISABLE_CPU_FEATURES"] == left_out


@pytest.mark.parametrize("found", [[], ["SSSE3", "AVX"], ["ASIMDHP", "SVE"]])
def test_a_processor_without_them_keeps_its_own_kernels_and_one_thread(found):
    assert processor.common_kernels(found) == {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def test_what_was_left_out_for_a_process_stays_left_out_for_its_children(monkeypatch):
    monkeypatch.setenv(processor.LEFT_OUT, "X86_V4")
    assert processor.common_kernels(["X86_V3"])[processor.LEFT_OUT] == "X86_V4"


def test_a_process_in_that_environment_has_those_kernels_and_nothing_wider():
    pytest.importorskip("threadpoolctl")
    named = processor.common_kernels()
    if "OPENBLAS_CORETYPE" not in named:
        pytest.skip("this processor has not the common kernels")
    words = [sys.executable, "-W", "error", "-c", KERNELS_AND_EXTENSIONS]
    child = subprocess.run(words, env={**os.environ, **named}, capture_output=True, text=True, check=True)
    kernels, extensions = child.stdout.splitlines()
    assert set(kernels.split()) <= {"Haswell"}
    assert not [name for name in extensions.split() if name.startswith(processor.WIDER)]
