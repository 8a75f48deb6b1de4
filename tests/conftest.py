"""What tests of several parts share: their three kinds, a browser, and PyTorch where it is installed."""

import importlib.util
import shutil

import pytest
from hypothesis import HealthCheck, settings

FLAGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
FLAGS += " --disable-component-update --disable-sync"
WAITS_MS = 600_000  # for what a page is waited for; playwright's own 30 s fail on a busy machine

# A busy machine makes no test fail: neither an example nor drawing one is timed. Every run has the same examples.
settings.register_profile(
    "minitorch", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.load_profile("minitorch")


# Files of gates that take minutes each; a file stays with one process, so they begin first.
LONGEST = ("test_site.py", "test_wheel.py", "test_remote_gate.py", "test_families.py", "test_bare_python.py")


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by marks
def pytest_collection_modifyitems(items):
    """Mark what is a gate or compares with PyTorch. Nobody has to remember it, and what is left are the unit tests."""
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))
    for item in items:
        if any(map(item.get_closest_marker, ("browser", "index", "exhaustive"))):
            item.add_marker("gate")
        if "torch" in getattr(item, "fixturenames", ()) or hasattr(getattr(item, "module", None), "torch"):
            item.add_marker("live")


@pytest.fixture(scope="session")
def torch():
    """PyTorch. Whoever compares with it takes it from here, or imports it at the top of the file."""
    return pytest.importorskip("torch", reason="PyTorch is not installed")


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Skip a test that calls what SciPy computes, where SciPy is not installed.

    tests/ops/test_special_functions.py says which operations these are, so that no other is skipped in silence.
    """
    try:
        return (yield)
    except Exception as error:
        missed, others = ExceptionGroup("", [error]).split(misses_scipy)
        if missed is None or others is not None or importlib.util.find_spec("scipy") is not None:
            raise
        pytest.skip('SciPy is not installed: pip install "minitorch-course[scipy]"')


def misses_scipy(error):
    """Say whether an error is that SciPy cannot be imported."""
    return isinstance(error, ImportError) and (error.name or "").partition(".")[0] == "scipy"


class PatientBrowser:
    """A browser whose pages are waited for."""

    def __init__(self, started):
        self._started = started

    def new_context(self, **options):
        """Return a context, as playwright's browser does."""
        return self._waiting(self._started.new_context(**options))

    def new_page(self, **options):
        """Return a page in a context of its own, as playwright's browser does."""
        return self._waiting(self._started.new_page(**options))

    def _waiting(self, made):
        made.set_default_timeout(WAITS_MS)
        return made


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium, the system's own: nothing is downloaded."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("Chromium is not installed")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        yield PatientBrowser(started)
        started.close()
