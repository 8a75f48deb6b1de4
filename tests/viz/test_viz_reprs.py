"""What a notebook shows of a Tensor, a module and a training: true, small, and never an error."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from html import unescape
from urllib.parse import unquote

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from minitorch import Tensor, nn
from minitorch.train import History
from minitorch.viz.drawing.heat import SIDES, THEME
from minitorch.viz.drawing.palette import DARK, LIGHT
from minitorch.viz.facts.heat import COUNTED, heat
from minitorch.viz.facts.module_tree import module_tree
from minitorch.viz.views import reprs

SPACE = "{http://www.w3.org/2000/svg}"


def picture(shown):
    """The drawing inside an image, and the words in its place."""
    alt, source = re.fullmatch(
        r'<img alt="([^"]*)" lang="(?:en|es)" src="data:image/svg\+xml,([^"]*)">', shown
    ).groups()
    return ET.fromstring(unquote(unescape(source))), alt


def numbers_in(drawing):
    return [each.text for each in drawing.iter(f"{SPACE}text") if each.get("class", "").startswith("v")]


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(4)
        self.mlp = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)
        self.blocks = nn.ModuleList([Block() for _ in range(6)])
        self.head = nn.Linear(4, 10, bias=False)
        self.head.weight = self.embed.weight


# -- a Tensor --------------------------------------------------------------------------------------------------------


def test_a_small_tensor_has_all_its_numbers():
    drawing, alt = picture(reprs.tensor(Tensor([[1.0, -2.0], [0.5, 0.0]], requires_grad=True)))
    assert numbers_in(drawing) == ["1", "−2", "0.5", "0"]
    assert alt == ("tensor (2, 2) float32, requires grad. Smallest −2, largest 1, mean −0.125. Entries: 1, −2; 0.5, 0.")


def test_it_says_what_made_it_and_where_it_is():
    drawing, alt = picture(reprs.tensor(Tensor([1.0, 2.0], requires_grad=True) * 2))
    assert alt.startswith("tensor (2,) float32, made by mul. ")
    assert "".join(next(drawing.iter(f"{SPACE}text")).itertext()) == "tensor (2,) float32, made by mul"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (np.float32(2.5), "tensor () float32. Its value is 2.5."),
        (np.zeros((0,)), "tensor (0,) float64. It has no entries."),
        (np.zeros((3, 0, 2)), "tensor (3, 0, 2) float64. It has no entries."),
        (np.full((9, 9), 3), "tensor (9, 9) int64. All entries are 3."),
        (np.array([True, False]), "tensor (2,) bool. Smallest 0, largest 1, mean 0.5. Entries: 1, 0."),
        (np.array([np.nan]), "tensor (1,) float64. Its value is nan."),
        (np.full(40, np.nan), "tensor (40,) float64. 40 nan, the first at [0]. 20 of 40 entries are shown"),
    ],
)
def test_odd_tensors_are_sensible(value, said):
    assert picture(reprs.tensor(Tensor(value)))[1].startswith(said)


def test_what_is_no_number_is_counted_placed_and_marked():
    cells = np.zeros((12, 20))
    cells[3, 4] = cells[5, 6] = np.nan
    cells[7, 8], cells[9, 10], cells[11, 12] = np.inf, -np.inf, -1
    drawing, alt = picture(reprs.tensor(Tensor(cells)))
    assert "2 nan, the first at [3, 4]. 1 inf, the first at [7, 8]. 1 −inf, the first at [9, 10]." in alt
    assert "Smallest −1, largest 0" in alt
    marks = {each.get("class"): each.get("d").count("M") for each in drawing.iter(f"{SPACE}path")}
    assert (marks["q"], marks["q x"], marks["d"]) == (2, 2, 1)


def test_a_large_tensor_is_sampled_and_says_so():
    cells = np.arange(3_000_000.0).reshape(1500, 2000)
    alt = picture(reprs.tensor(Tensor(cells)))[1]
    facts = heat(Tensor(cells))
    assert facts.looked_at <= COUNTED
    assert facts.shown <= 16 * 32
    assert f"Found from {facts.looked_at:,} of its 3,000,000 entries." in alt
    assert f"{facts.shown:,} of 3,000,000 entries are shown, at even distances." in alt
    rows, columns = facts.steps
    assert (facts.slabs[0][1] == cells[::rows, ::columns]).all()


def test_matrices_of_a_batch_stand_beside_each_other_under_their_places():
    batch = np.random.default_rng(0).normal(size=(8, 3, 28, 28))
    facts = heat(Tensor(batch))
    drawing, _ = picture(reprs.tensor(Tensor(batch)))
    places = [each.text for each in drawing.iter(f"{SPACE}text") if each.get("class") == "i"]
    assert places == [str(list(place)) for place, _ in facts.slabs]
    for place, cells in facts.slabs:
        assert (cells == batch[place][:: facts.steps[-2], :: facts.steps[-1]]).all()


@given(
    arrays.arrays(
        st.sampled_from([np.float64, np.float32, np.int64, np.bool_, np.uint8]),
        arrays.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=40).filter(lambda s: np.prod(s) < 4000),
    )
)
def test_any_tensor_is_shown_twice_the_same(value):
    shown = reprs.tensor(Tensor(value))
    assert shown == reprs.tensor(Tensor(value))
    picture(shown)
    facts = heat(Tensor(value))
    finite = np.asarray(value, dtype=np.float64)[np.isfinite(np.asarray(value, dtype=np.float64))]
    assert facts.low == (finite.min() if finite.size else None)
    assert facts.high == (finite.max() if finite.size else None)


def test_numbers_can_be_read_on_every_colour():
    """Numbers stand on the paler colours only; they are laid over the paper."""
    faded = max(float(each) for each in re.findall(r"@ \.w \.n\d\{opacity:([\d.]+)\}", THEME.form))
    assert 0.2 < faded < 1
    for colours in (LIGHT, DARK):
        for _, colour in SIDES:
            over, under = rgb(colours[colour]), rgb(colours["paper"])
            ground = [faded * a + (1 - faded) * b for a, b in zip(over, under, strict=True)]
            assert contrast(rgb(colours["ink"]), ground) >= 4.5


def rgb(colour):
    return [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]


def contrast(one, other):
    def light(colour):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
        return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


# -- a module --------------------------------------------------------------------------------------------------------


def test_a_module_is_a_tree_with_shapes_and_counts():
    model = Model()
    told = reprs.module(model)
    total = sum(each.data.size for each in model.parameters())
    assert f'Model <span class="n">{total:,} parameters</span>' in told
    assert "<b>weight</b> (10, 4) <i>parameter, float32</i>" in told
    assert "<b>weight</b> (10, 4) <i>parameter, float32, the same as embed.weight</i>" in told
    assert "<b>0 … 5</b> Block × 6, all alike" in told
    assert told.count("<details") == told.count("</details>") == told.count("<summary>")
    ET.fromstring(re.sub(r"<style>.*?</style>|(?<=<details) open", "", told, flags=re.DOTALL))


def test_blocks_that_differ_are_not_folded():
    model = Model()
    model.blocks[2].mlp[0] = nn.Linear(4, 8, bias=False)
    assert "all alike" in reprs.module(Model())
    names = [part.name for part in module_tree(model).parts[1].parts]
    assert names == ["0", "1", "2", "3 … 5"]


def test_what_is_frozen_or_evaluating_is_said():
    model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3)).eval()
    model[0].weight.requires_grad_(False)
    told = reprs.module(model)
    assert "evaluating, 6 of them frozen, " in told
    assert told.count("evaluating") == 1, "a part evaluates because the whole does"
    assert "<i>parameter, float32, requires no grad</i>" in told
    assert "<b>running_mean</b> (3,) <i>buffer, float32</i>" in told


def test_a_module_without_parameters_and_odd_names_are_told_as_they_are():
    assert "no parameters" in reprs.module(nn.ReLU())

    class Odd(nn.Module):
        def extra_repr(self):
            return "<script>alert(1)</script>"

    assert "<script" not in reprs.module(Odd())


# -- a training ------------------------------------------------------------------------------------------------------


def test_a_history_is_its_curves_and_nothing_before_its_first_step():
    record = History(losses=[4.0, 2.0, 1.0], rates=[0.1] * 3)
    assert reprs.history(record).startswith("<img alt=")
    assert "4" in picture(reprs.history(record))[1]
    assert reprs.history(History()) is None


# -- in IPython ------------------------------------------------------------------------------------------------------

PROGRAM = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
import minitorch as mt
from minitorch import nn
before = shell.display_formatter.format(mt.Tensor([1.0]))[0]
from minitorch import viz
from minitorch.train import History
def forms(thing):
    found, _ = shell.display_formatter.format(thing)
    return "both" if sorted(found) == ["text/html", "text/plain"] and found["text/plain"] == repr(thing) else found
class Mine(nn.Linear):
    pass
class Own(nn.Linear):
    def _repr_html_(self):
        return "my own"
class Half(nn.Module):
    def __init__(self):
        pass
print(sorted(before))
print(forms(mt.Tensor([1.0])), forms(nn.Parameter(mt.Tensor([1.0]))), forms(Mine(1, 1)), forms(History([1.0], [0.1])))
print(shell.display_formatter.format(Own(1, 1))[0]["text/html"])
print(shell.display_formatter.formatters["text/html"](Half()))
"""


def test_ipython_shows_them_from_the_moment_that_viz_is_imported():
    pytest.importorskip("IPython", reason="IPython is not installed")
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    before, after, own, half = done.stdout.splitlines()
    assert before == "['text/plain']"
    assert after == "both both both both"
    assert own == "my own", "a class that says itself how it is shown is asked"
    assert half == "None", "a half-made module has no tree"
    assert done.stderr == "", "and no error is shown"


def test_nothing_happens_where_no_ipython_runs():
    program = "import sys; from minitorch import viz; print('IPython' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "False"


@pytest.mark.parametrize("broken", [object(), None, 3, nn.Module, "text"])
def test_no_repr_raises(broken):
    for _, _, shown in reprs.TYPES:
        assert reprs._careful(shown)(broken) is None


def test_they_speak_the_readers_language(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    assert "Mínimo 1, máximo 2, media 1.5." in picture(reprs.tensor(Tensor([1.0, 2.0])))[1]
    assert "9 parámetros" in reprs.module(nn.Linear(2, 3))
