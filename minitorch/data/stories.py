"""Little stories to learn language from: a grammar of our own tells them, the same on every Python.

A story speaks of two people, and what it says at its end follows from what it said before: how many shells are left,
which box is on top, whose umbrella it is. A model that looks back far enough can know it; one that counts pairs of
characters cannot. Every choice of the grammar can be read off the text. So ln(number of options), added up over all
choices, is the entropy of the text, and no model's average loss on stories that it has not read can stay below it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

__all__ = ["Stories", "stories"]

T = TypeVar("T")


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SHE = _words("Ada Alma Bella Clara Dora Edith Eva Fay Greta Hanna Ida Julia Kim Lucy Mia Nora Olga Rosa Vera Zoe")
HE = _words("Alan Ben Boris Carl Dan Emil Finn George Hugo Igor Jack Karim Leo Max Nick Otto Paul Rami Tim Will")
THINGS = _words(
    "ball bell book button candle card coin cup doll drum feather flute key lemon marble nut pear pencil plum ribbon "
    "ring seed shell spoon stone ticket whistle"
)
LOOKS = _words("big broken clean heavy little lovely new old painted round shiny strange tiny wet wooden")
COLOURS = _words("black blue brown green grey pink purple red white yellow")
SPOTS = _words("barn bridge church harbour lake library market mill river school station tower")
NEAR = _words("at behind near")
TIMES = ("After lunch", "After school", "At noon", "Before breakfast", "Early in the morning", "In the afternoon",
         "In the evening", "Late at night", "On a cold day", "On a fine day", "One day", "Yesterday")  # fmt: skip
BOXES = _words("bag basket bowl box bucket chest drawer jar pot sack")
FURNITURE = _words("bed bench bookcase chair clock cupboard desk mirror piano shelf sofa stove table")
SIDES = _words("behind beside on under")
DAYS = _words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
NUMBERS = _words(
    "none one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty twenty-one"
)
WEATHER = (  # what is seen, what one takes along, what it is good for
    ("It is raining", "umbrella", "stay dry"),
    ("It is snowing", "scarf", "keep warm"),
    ("The sun is burning", "hat", "sit in the shade"),
    ("The wind is blowing", "kite", "see it fly"),
    ("It is getting dark", "lamp", "find the way"),
    ("The road is long", "bicycle", "be there first"),
)
ANIMALS = (  # from the smallest to the largest: what it says, what it eats
    ("mouse", "squeak", "cheese"),
    ("hen", "cluck", "corn"),
    ("cat", "meow", "fish"),
    ("dog", "woof", "bones"),
    ("sheep", "baa", "grass"),
    ("cow", "moo", "clover"),
    ("horse", "neigh", "hay"),
)


class _Choices:
    """Draws evenly and adds up how much was chosen; in whole numbers, so that every machine draws the same.

    Source: Knuth, The Art of Computer Programming, volume 2, section 3.3.4 (the multiplier of MMIX).
    """

    def __init__(self, seed: int) -> None:
        self._state = seed
        self.nats = 0.0

    def _below(self, count: int) -> int:
        self._state = (6364136223846793005 * self._state + 1442695040888963407) % 2**64
        self.nats += math.log(count)
        return (self._state >> 32) * count >> 32

    def number(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + self._below(high - low + 1)

    def one(self, options: Sequence[T]) -> T:
        """One of them."""
        return options[self._below(len(options))]

    def some(self, count: int, options: Sequence[T]) -> list[T]:
        """Different ones, in the order in which they were drawn."""
        left = list(options)
        return [left.pop(self._below(len(left))) for _ in range(count)]

    def people(self) -> list[_Person]:
        """The two of a story: one is she and one is he, so every pronoun means one of them."""
        return self.some(2, [_Person(self.one(SHE), "she", "her"), _Person(self.one(HE), "he", "his")])

    def place(self) -> str:
        """Such as "near the mill"."""
        return f"{self.one(NEAR)} the {self.one(SPOTS)}"

    def thing(self) -> str:
        """Such as "old marble"."""
        return f"{self.one(LOOKS)} {self.one(THINGS)}"


@dataclass(frozen=True, slots=True)
class _Person:
    name: str
    she: str
    her: str

    @property
    def She(self) -> str:  # noqa: N802 - at the beginning of a sentence
        return self.she.capitalize()


def _a(words: str) -> str:
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def _list(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _counting(choose: _Choices) -> str:
    """A sum is kept through two or three events."""
    one, other = choose.people()
    count, given, thing = choose.number(2, 9), 0, choose.thing()
    said = [f"{choose.one(TIMES)}, {one.name} has {NUMBERS[count]} {thing}s."]
    for _ in range(choose.number(2, 3)):
        event = choose.number(0, 2 if count > 1 else 0)
        some = choose.number(1, min(4, count - 1) if event else 4)
        if event == 0:
            count += some
            said.append(f"{one.She} {choose.one(('buys', 'finds', 'wins'))} {NUMBERS[some]} more {choose.place()}.")
        elif event == 1:
            count, given = count - some, given + some
            said.append(f"{one.She} {choose.one(('gives', 'lends', 'sells'))} {NUMBERS[some]} to {other.name}.")
        else:
            count -= some
            said.append(f"{one.She} {choose.one(('drops', 'forgets', 'loses'))} {NUMBERS[some]} {choose.place()}.")
    return " ".join([*said, f"Now {one.name} has {NUMBERS[count]}, and {other.name} has {NUMBERS[given]}."])


def _ages(choose: _Choices) -> str:
    """One age from another."""
    one, other = choose.people()
    age, years = choose.number(4, 12), choose.number(1, 3)
    sign, word = choose.one(((1, "older"), (-1, "younger")))
    return (
        f"{one.name} is {NUMBERS[age]}. {other.name} is {NUMBERS[years]} {'year' if years == 1 else 'years'} {word}. "
        f"So {other.name} is {NUMBERS[age + sign * years]}."
    )


def _hiding(choose: _Choices) -> str:
    """What was put somewhere is found there again."""
    one, other = choose.people()
    thing, box, side = choose.thing(), choose.one(BOXES), choose.one(SIDES)
    piece, wrong = choose.some(2, FURNITURE)
    return (
        f"{choose.one(TIMES)}, {one.name} puts the {thing} into the {box} and the {box} {side} the {piece}. "
        f"{other.name} looks {choose.one(SIDES)} the {wrong}. No {thing.split()[1]}! Then {other.she} looks {side} the "
        f"{piece}, opens the {box} and {choose.one(('cries: Here it is!', 'takes the ' + thing + ' out.'))}"
    )


def _weather(choose: _Choices) -> str:
    """What is taken along, and what it is good for, follow from the weather."""
    one, other = choose.people()
    seen, thing, use = choose.one(WEATHER)
    place = choose.place()
    ends = ("They laugh.", f"{other.She} is glad.", f'"Thank you, {one.name}," says {other.name}.')
    return (
        f"{seen}. {one.name} takes {one.her} {thing} along. {place.capitalize()} {one.she} meets {other.name}, who has "
        f'forgotten {other.her} {thing}. "Take mine," says {one.name}, "and {use}." {choose.one(ends)}'
    )


def _shopping(choose: _Choices) -> str:
    """A list is repeated word for word."""
    one, other = choose.people()
    wanted = _list([_a(f"{choose.one(COLOURS)} {thing}") for thing in choose.some(choose.number(2, 4), THINGS)])
    return (
        f"{choose.one(TIMES)}, {one.name} {choose.one(('asks for', 'dreams of', 'needs', 'wishes for'))} {wanted}. "
        f"{other.name} {choose.one(('brings', 'draws', 'makes', 'sends'))} {one.her.replace('his', 'him')} {wanted}."
    )


def _stacking(choose: _Choices) -> str:
    """What was put down last is taken away first."""
    one, other = choose.people()
    thing, colours = choose.one(("box", "brick", "plate", "book")), choose.some(3, COLOURS)
    return (
        f"{one.name} puts the {colours[0]} {thing} down, the {colours[1]} {thing} on it, and the {colours[2]} {thing} "
        f"on top. {other.name} takes the {colours[2]} {thing} {choose.one(('away', 'home'))}. Now the {colours[1]} "
        f"{thing} is on top. {one.She} takes it, too. Only the {colours[0]} {thing} is left."
    )


def _painting(choose: _Choices) -> str:
    """The last colour counts."""
    one, other = choose.people()
    thing, (first, second) = choose.thing(), choose.some(2, COLOURS)
    return (
        f"{one.name} paints the {thing} {first}. {other.name} does not like {first} and paints it {second}. "
        f'"{second.capitalize()}!" says {one.name}. "It was {first} {choose.one(("before", "yesterday"))}."'
    )


def _walking(choose: _Choices) -> str:
    """The way back is the way there, from its end."""
    one, other = choose.people()
    first, second, third = choose.some(3, SPOTS)
    return (
        f"{choose.one(TIMES)}, {one.name} {choose.one(('rides', 'runs', 'walks'))} from the {first} to the {second}, "
        f"and from the {second} to the {third}. There waits {other.name}. They go back from the {third} to the "
        f"{second}, and from the {second} to the {first}."
    )


def _animal(choose: _Choices) -> str:
    """Each animal has its own voice and its own food."""
    one, other = choose.people()
    animal, voice, food = choose.one(ANIMALS)
    return (
        f'{one.name} has {_a(choose.one(LOOKS))} {animal} {choose.place()}. "{voice.capitalize()}, {voice}," says the '
        f"{animal}. {choose.one(TIMES)}, {other.name} brings it {food}, and the {animal} eats all the {food}."
    )


def _sizes(choose: _Choices) -> str:
    """The order of the animals."""
    one, other = choose.people()
    small, medium, large = (animal[0] for animal in choose.one(list(itertools.combinations(ANIMALS, 3))))
    asked, answer = choose.one((("largest", large), ("smallest", small)))
    return (
        f"The {large} is larger than the {medium}, and the {medium} is larger than the {small}. "
        f'"Which is the {asked}?" asks {one.name}. "The {answer}," says {other.name}.'
    )


def _days(choose: _Choices) -> str:
    """Days are counted on, round the week."""
    one, other = choose.people()
    today, later, place = choose.number(0, 6), choose.number(1, 3), choose.place()
    day, word = DAYS[(today + later) % 7], ("tomorrow", "in two days", "in three days")[later - 1]
    return (
        f'Today is {DAYS[today]}. "Let us meet {place} {word}," says {one.name}. "So on {day}," says {other.name}. '
        f"On {day} they meet {place}."
    )


def _spelling(choose: _Choices) -> str:
    """A name, letter by letter."""
    one, other = choose.people()
    return (
        f'"How do you write your name?" asks {other.name}. "{"-".join(one.name.upper())}," says {one.name} and '
        f"{choose.one(('laughs', 'sings', 'smiles'))}."
    )


PLOTS: tuple[Callable[[_Choices], str], ...] = (
    _counting, _ages, _hiding, _weather, _shopping, _stacking, _painting, _walking, _animal, _sizes, _days, _spelling,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stories:
    """A text of stories, a blank line after each, and the entropy of all choices that made it, in nats."""

    text: str
    nats: float

    @property
    def floor(self) -> float:
        """The entropy in nats per character: a model's average loss on stories that it has not read stays above it."""
        return self.nats / len(self.text)


def stories(count: int = 2400, *, seed: int = 0) -> Stories:
    r"""Tell stories; the same on every Python and every machine. A longer text begins as a shorter one.

    count: how many; 2,400 are about 340,000 characters. seed: from another one come other stories.
    Raises ValueError when there is nothing to tell, or the seed is negative.

    >>> told = stories(7)
    >>> print(told.text.split("\n\n")[5])
    In the afternoon, Fay asks for a red doll and a pink feather. Ben draws her a red doll and a pink feather.
    >>> print(f"{told.floor:.3f} nats per character")
    0.162 nats per character
    """
    if count < 1 or seed < 0:
        raise ValueError(f"stories: the count must be at least 1 and the seed at least 0, not {count} and {seed}")
    choose = _Choices(seed)
    return Stories("".join(f"{choose.one(PLOTS)(choose)}\n\n" for _ in range(count)), choose.nats)
