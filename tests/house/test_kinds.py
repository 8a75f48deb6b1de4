"""tests/conftest.py puts every test into its kind: a mark that is lost would show here, in `make test`."""

import pytest


@pytest.fixture
def torch():
    """Stand for PyTorch."""


GATES = (pytest.mark.browser, pytest.mark.index, pytest.mark.exhaustive)


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=kind) for kind in GATES])
def test_what_drives_a_browser_asks_the_index_or_is_exhaustive_is_a_gate(request, kind):
    assert request.node.get_closest_marker("gate")


def test_what_asks_for_pytorch_is_live(request, torch):
    assert request.node.get_closest_marker("live")
