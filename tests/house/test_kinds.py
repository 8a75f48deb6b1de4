"""tests/conftest.py puts every test into its kind: a mark that is lost would show here, in `make test`."""

import pytest


@pytest.fixture
def torch():
    """Stand for PyTorch."""


@pytest.mark.browser
def test_what_drives_a_browser_is_a_gate(request):
    assert request.node.get_closest_marker("gate")


def test_what_asks_for_pytorch_is_live(request, torch):
    assert request.node.get_closest_marker("live")
