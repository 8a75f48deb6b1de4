"""Here `cuda` is the fake GPU of fake_cupy.py."""

import sys
from collections.abc import Iterator

import fake_cupy
import pytest


@pytest.fixture(autouse=True)
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy)
    fake_cupy.transfers.clear()
    yield
    fake_cupy.transfers.clear()
