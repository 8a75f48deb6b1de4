"""`viz.compare` on graphs too large to be drawn node by node: what matters is drawn, the rest counted."""

import re

import pytest
from viz_comparisons import against, deep, neuron

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.drawing.compare import FEWER
from minitorch.viz.drawing.compare_words import births_of, rest_lines
from minitorch.viz.facts.surroundings import Rest


def size(svg):
    return tuple(map(int, re.search(r'width="(\d+)" height="(\d+)"', svg).groups()))


def words(svg):
    return re.findall(r"<text[^>]*>(.*?)</text>", svg)


def test_a_large_comparison_is_drawn_as_the_first_difference_and_its_surroundings():
    picture = against(wrong=20)
    wide, high = size(picture.svg())
    assert wide <= 1060
    assert high <= 3000
    assert len(picture.svg()) <= 40_000
    drawn = [item for item in picture._part.items if not isinstance(item, Rest)]
    assert picture.differences[0].place in drawn
    assert next(each.place for each in picture.differences if each.kind in ("operation", "extra", "missing")) in drawn
    near = [edge.src for edge in picture._facts.alignment.edges if edge.dst == picture.differences[0].place]
    assert {*near} <= {*drawn}
    assert len(drawn) <= max(FEWER)
    assert "≠ first difference" in " ".join(words(picture.svg()))


@pytest.mark.parametrize("wrong", [None, 0, 7, 11])
def test_a_wide_comparison_is_no_wider_than_a_notebook_can_show_in_letters_that_are_read(wrong):
    picture = viz.compare(neuron(12, wrong), neuron(12))
    assert len(picture._facts.names) <= 60
    assert size(picture.svg())[0] <= 1060, "12 px there are 11 px at 900"
    assert (wrong is None) == picture.same
    assert ("first difference" in " ".join(words(picture.svg()))) == (wrong is not None)
    whole = viz.compare(neuron(12, wrong), neuron(12), whole=True)
    assert len(whole._part.items) == len(whole._facts.names)


def test_every_place_is_drawn_or_counted_once():
    picture = against(wrong=20)
    counted = [place for item in picture._part.items for place in (item.places if isinstance(item, Rest) else (item,))]
    assert sorted(counted) == list(range(len(picture._facts.names)))
    assert all(arrow.source < arrow.target for arrow in picture._part.arrows)


@pytest.mark.parametrize("fault", [{"wrong": 0}, {"wrong": 39}, {"nan": 12}, {"wrong": 20, "nan": 30}])
def test_arrows_run_down_wherever_the_difference_is(fault):
    part = against(**fault)._part
    assert all(arrow.source < arrow.target for arrow in part.arrows)


def test_a_group_says_how_many_agree_and_how_many_differ():
    picture = against(wrong=20)
    facts = picture._facts
    of_values = {each.place for each in facts.differences if each.kind == "value"}
    of_gradients = {each.place for each in facts.differences if each.kind == "gradient"}
    assert of_values
    assert of_gradients
    for rest in picture._part.rests:
        if rest.where in ("before", "beside"):
            assert not of_values & {*rest.places}
        said = rest_lines(facts, rest, 1)
        for differing, what in ((of_values, "value"), (of_gradients, "gradient")):
            count = len(differing & {*rest.places})
            line = next((line for line in said if line.startswith("differ: ")), "")
            assert (f"{count} {what}" in line) == (count > 0)
        assert ("all that was compared agrees" in said) == (not (of_values | of_gradients) & {*rest.places})
    assert "differ: " in " ".join(words(picture.svg()))


def test_a_shared_leaf_is_shown_where_it_is_used_first():
    """As the weights of an unrolled LSTM: each round would be drawn."""

    def chain(start):
        w, x = Value(start, label="w"), Value(1.0, label="x")
        for _ in range(50):
            x = (x * w).tanh()
        return x

    picture = viz.compare(chain(0.5), chain(0.6))
    assert picture.first == "w"
    assert size(picture.svg())[1] <= 1600


def test_where_nothing_differs_the_picture_says_how_much_was_compared():
    picture = against()
    assert picture.same
    wide, high = size(picture.svg())
    assert wide <= 700
    assert high <= 320
    said = " ".join(words(picture.svg()))
    facts = picture._facts
    assert f"{len(facts.values)}</text>" in picture.svg()
    assert "The same, 202 nodes" in said
    assert "values agree" in said
    assert "1e-7 % of a number" in said


def test_a_nan_far_from_the_first_difference_is_marked_where_it_was_born():
    picture = against(wrong=5, nan=30)
    born = births_of(picture._facts, 0)
    drawn = {item for item in picture._part.items if not isinstance(item, Rest)}
    assert born
    assert {place for place, birth in born.items() if birth.sure} <= drawn
    assert "nan" in " ".join(words(picture.svg()))
    assert "nan" in picture._told()


def test_the_whole_comparison_can_still_be_had(tmp_path):
    picture = against(wrong=20)
    page = picture.save(tmp_path / "all.html").read_text()
    for number in (0, 17, 39):
        assert f"layers.{number}.w" in picture.text()
        assert f"layers.{number}.w" in page
    (mine, names), (reference, others) = deep(wrong=20), deep()
    whole = viz.compare(mine, reference, names=names, reference_names=others, whole=True)
    assert len(whole._part.items) == len(whole._facts.names)
    assert size(whole.svg())[1] > size(picture.svg())[1]


def test_the_words_for_it_stay_short():
    assert len(against(wrong=20)._told()) <= 4000
    assert "further places differ" in against(wrong=1)._told()
