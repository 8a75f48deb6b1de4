"""`viz.shapes` of long names and of many rows."""

import re

import numpy as np
import pytest

import minitorch as mt
from minitorch import viz

NAME = "model.encoder.layers.{}.self_attention.output_projection.normalised_bias_of"
WIDTH = re.compile(r'width="(\d+)"')


def deep(count, wrong=()):
    x = mt.Tensor(np.ones((4, 3), np.float32), requires_grad=True)
    names, held = {"x": x}, x
    for number in range(count):
        w = mt.Tensor(np.full((3,), 0.9, np.float32), requires_grad=True)
        names[NAME.format(number)] = w
        held = (held * w).tanh()
    loss = held.sum()
    if wrong:
        loss.backward()
    for number in wrong:
        names[NAME.format(number)].grad = mt.Tensor(np.full((3,), np.nan, np.float32))
    return viz.shapes(loss, names=names)


def test_long_names_are_cut_in_the_drawing_and_whole_where_they_are_read():
    picture = deep(3)
    drawn = picture.svg()
    assert int(WIDTH.search(drawn)[1]) <= 1130
    texts = re.findall(r"<text[^>]*>(.*?)</text>", drawn)
    assert not [text for text in texts if "self_attention" in text]
    assert len({text for text in texts if text.startswith("…") and text.endswith("bias_of")}) == 3
    for number in range(3):
        assert f"<title>{NAME.format(number)}</title>" in drawn
        assert f'title="{NAME.format(number)}"' in picture._shown()
        assert NAME.format(number) in picture.text()


def test_a_long_table_says_first_how_many_rows_it_has_and_where_the_first_wrong_one_is():
    picture = deep(133, wrong=(70,))
    at = next(number for number, row in enumerate(picture.rows, start=1) if row.fault)
    said = f"400 edges; 1 gradient is wrong. The first one is {NAME.format(70)}, in row {at} of 401."
    assert picture._shown().index(said) < picture._shown().index("<tbody>")
    assert "The first one is" in picture.svg()


@pytest.mark.parametrize("wrong", [(), (70,), (5, 70, 71, 132), tuple(range(133))])
def test_a_long_table_stays_small_and_shows_what_is_wrong(wrong):
    picture = deep(133, wrong)
    shown = picture._shown()
    assert len(shown) <= 60_000
    assert len(picture.svg()) <= 60_000
    assert len(picture._told()) <= 4_000
    assert shown.count('<tr class="x">') >= min(len(wrong), 12)
    facts = picture._facts
    drawn = [each for each in facts.picked() if isinstance(each, int)]
    left_out = sum(each.stop - each.first for each in facts.picked() if not isinstance(each, int))
    assert len(drawn) + left_out == 401
    assert {*facts.marked[:12]} <= {*drawn}
    for gap in facts.picked():
        if not isinstance(gap, int):
            assert gap.marked == len([at for at in facts.marked if gap.first <= at < gap.stop])


def test_every_row_can_still_be_had(tmp_path):
    picture = deep(133, wrong=(70,))
    page = picture.save(tmp_path / "rows.html").read_text()
    for number in (40, 100, 132):
        assert NAME.format(number) in page
        assert NAME.format(number) in picture.text()
    assert f"! {NAME.format(70)}: not finite" in picture._listing(50)
    whole = viz.shapes(mt.ones(3, requires_grad=True).sum(), whole=True)
    assert whole._shown().count("<tr") == 4


def test_whole_shows_all_rows():
    held = mt.ones(3, requires_grad=True)
    for _ in range(80):
        held = held.tanh()
    assert viz.shapes(held.sum(), whole=True)._shown().count("<tr") > 80
    assert viz.shapes(held.sum())._shown().count("<tr") < 40
