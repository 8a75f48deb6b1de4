"""The corpus: the same text everywhere, every choice to be read off it, and true to the end."""

from __future__ import annotations

import hashlib
import itertools
import math
import re
from collections import Counter

import pytest

from minitorch.data import stories as told
from minitorch.data.stories import NUMBERS, PLOTS, _Choices

TEXT = told(400).text


class Replay(_Choices):
    """Draws what it is told to, then goes on by itself; it remembers what was drawn, and of how many."""

    def __init__(self, seed: int, ahead: tuple[int, ...] = ()) -> None:
        super().__init__(seed)
        self.ahead = list(ahead)
        self.drawn: list[tuple[int, int]] = []

    def _below(self, count: int) -> int:
        own = super()._below(count)
        drawn = self.ahead.pop(0) if self.ahead else own
        self.drawn.append((min(drawn, count - 1), count))
        return self.drawn[-1][0]


def test_it_is_the_same_text_on_every_python():
    text = told().text
    assert len(text) == 341_578
    assert (
        hashlib.sha256(text.encode("ascii")).hexdigest()
        == "131577cef2dd4d1707cf094671d7bde517732c2a6acd4e18807b55f48b5f7f1b"
    )


def test_a_longer_text_begins_as_a_shorter_one_and_another_seed_tells_others():
    assert told(20).text.startswith(told(10).text)
    assert not set(told(50, seed=1).text.split("\n\n")) & set(told(50, seed=2).text.split("\n\n")) - {""}


@pytest.mark.parametrize("plot", PLOTS, ids=lambda plot: plot.__name__.strip("_"))
def test_every_choice_can_be_read_off_the_text(plot):
    """One choice made otherwise makes another text: so the text has no less entropy than its choices."""
    seen: dict[str, tuple[tuple[int, int], ...]] = {}
    for seed in range(30):
        first = Replay(seed)
        plot(first)
        values = [value for value, _ in first.drawn]
        for at, (_, count) in enumerate(first.drawn):
            for other in range(count):
                again = Replay(seed, (*values[:at], other, *values[at + 1 :]))
                text = plot(again)
                assert seen.setdefault(text, tuple(again.drawn)) == tuple(again.drawn)
    assert len(seen) > 100


def test_the_floor_is_the_entropy_of_the_choices():
    choose = Replay(0)
    text = "".join(f"{choose.one(PLOTS)(choose)}\n\n" for _ in range(10))
    assert told(10).text == text
    assert told(10).floor == pytest.approx(sum(math.log(count) for _, count in choose.drawn) / len(text))


def test_pairs_of_characters_know_far_less_than_one_who_looks_back():
    text = told().text
    pairs, firsts = Counter(itertools.pairwise(text)), Counter(text)
    bigram = -sum(n * math.log(n / firsts[pair[0]]) for pair, n in pairs.items()) / len(text)
    assert told().floor < bigram / 10


def test_what_is_counted_is_right():
    numbers = {word: number for number, word in enumerate(NUMBERS)}
    checked = 0
    for story in TEXT.split("\n\n"):
        if not (end := re.search(r"Now (\w+) has ([\w-]+), and (\w+) has (\w+)\.$", story)):
            continue
        one, left, other, got = end.groups()
        count = numbers[re.search(rf"{one} has ([\w-]+) ", story)[1]]
        count += sum(numbers[word] for word in re.findall(r"(\w+) more ", story))
        given = sum(numbers[word] for word in re.findall(rf"(\w+) to {other}\.", story))
        lost = sum(numbers[word] for word in re.findall(r"(?:drops|forgets|loses) (\w+) ", story))
        assert (numbers[left], numbers[got]) == (count - given - lost, given), story
        checked += 1
    assert checked > 10


def test_a_name_is_spelt_as_it_is_written():
    spelt = re.findall(r'"([A-Z](?:-[A-Z])+)," says (\w+)', TEXT)
    assert len(spelt) > 10
    assert all(letters.replace("-", "") == name.upper() for letters, name in spelt)


def test_nothing_to_tell_is_refused():
    with pytest.raises(ValueError, match="at least 1 and the seed at least 0, not 0 and 0"):
        told(0)
    with pytest.raises(ValueError, match="not 5 and -1"):
        told(5, seed=-1)
