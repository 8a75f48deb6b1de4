"""PyTorch programs of the kind that tutorials have: ported by what `minitorch port` is certain of, they run the same.

Each sets `result`, a list of numbers; weights and data come from `fixed`. What is left to a person is listed below.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from pathlib import Path

import pytest

from minitorch.compat.porting.porting_rules import findings_in
from minitorch.compat.porting.rewriting import rewritten

HERE = Path(__file__).resolve().parent
PROGRAMS = sorted((HERE / "torch_programs").glob("*.txt"))
# What is not here when a program needs it: it is named, and the program is not run.
NOT_YET = {
    "distributions.Categorical",
}
UNUSED = {"optim.SparseAdam"}  # named, and stands in a line that is never reached
STEEP = {"siamese_triplet": 1e-9}  # Adam's first steps divide by gradients that are nearly zero


def result_of(text: str, name: str) -> list[float]:
    names = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("error" if "import minitorch" in text or "from minitorch" in text else "ignore")
        exec(compile(text, name, "exec"), names)
    return [float(each) for each in names["result"]]


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch):
    """A program may change the default dtype and the place of modules."""
    import minitorch

    monkeypatch.syspath_prepend(str(HERE))
    before = minitorch.get_default_dtype()
    yield
    minitorch.set_default_dtype(before)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_only_what_is_not_here_is_left_to_a_person(path):
    left = [finding.why.to("en") for finding in findings_in(path.read_text(encoding="utf-8")) if finding.edit is None]
    assert len(left) <= 4
    assert [each for each in left if not any(f"torch.{name} is not here" in each for name in NOT_YET | UNUSED)] == []


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_nothing_is_left_to_be_said_of_a_ported_program(path):
    text = path.read_text(encoding="utf-8")
    assert [finding for finding in findings_in(rewritten(text, findings_in(text))) if finding.edit] == []


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_ported_program_gives_the_numbers_of_pytorch(path):
    torch = pytest.importorskip("torch")
    text = path.read_text(encoding="utf-8")
    found = findings_in(text)
    if any(finding.edit is None and not any(name in finding.why.to("en") for name in UNUSED) for finding in found):
        pytest.skip("it needs a name that is not here, and says so")
    before = torch.get_default_dtype()
    try:
        want = result_of(text, path.name)
    finally:
        torch.set_default_dtype(before)
    got = result_of(rewritten(text, found), path.name)
    apart = max(abs(a - b) / max(1, abs(b)) for a, b in zip(got, want, strict=True))
    assert apart < STEEP.get(path.stem, 1e-12)
