"""The facts of viz.program: the lines of a replayed step, and which of its results lie in which memory, and when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minitorch.replay.program import Instruction, Program, Slot
    from minitorch.replay.source import Page

FOLDED = 64  # lines; a longer program has the lines of one operation as one row


@dataclass(frozen=True, slots=True)
class Line:
    """One call. part: "forward", "backward" or "update"; operation: what it belongs to, "" for none."""

    code: str
    operation: str
    part: str


@dataclass(frozen=True, slots=True)
class Row:
    """Lines that are drawn as one: from `first` up to and including `last`."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Stay:
    """A result in its memory: from the line that writes it to the last one that reads it. kept: it lives on after."""

    name: str
    first: int
    last: int
    kept: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A piece of memory that stays from step to step, and the results that lie in it one after the other."""

    nbytes: int
    stays: tuple[Stay, ...]


@dataclass(frozen=True, slots=True)
class Replayed:
    """A step that is replayed. places: in the order in which they are first written."""

    lines: tuple[Line, ...]
    places: tuple[Place, ...]

    @property
    def nbytes(self) -> int:
        """Of all places."""
        return sum(place.nbytes for place in self.places)

    @property
    def results(self) -> int:
        """How many results lie in the places."""
        return sum(len(place.stays) for place in self.places)

    def rows(self) -> tuple[Row, ...]:
        """Each line by itself; of a long program, the lines that follow each other for one operation together."""
        if len(self.lines) <= FOLDED:
            return tuple(Row(number, number) for number in range(len(self.lines)))
        found, start = [], 0
        for _, run in groupby(self.lines, lambda line: (line.operation, line.part)):
            end = start + len(list(run))
            found.append(Row(start, end - 1))
            start = end
        return tuple(found)

    def written(self, line: int) -> tuple[int, ...]:
        """The numbers, from 1, of the places in which a result begins at this line."""
        return tuple(
            number
            for number, place in enumerate(self.places, start=1)
            if any(stay.first == line for stay in place.stays)
        )


def replayed(program: Program, page: Page) -> Replayed:
    """The facts of a program that is ready to run."""
    return Replayed(tuple(_lines(program, page)), _places(program, page))


def _lines(program: Program, page: Page) -> Iterator[Line]:
    part = "forward"
    for each, code in zip(program.instructions, page.lines, strict=True):
        part = each.part or part
        yield Line(code, each.operation, part)


def _places(program: Program, page: Page) -> tuple[Place, ...]:
    """What is written into memory that stays. Two results share theirs where it begins at the same byte."""
    end = len(program.instructions) - 1
    returned = {slot.memory for slot in program.returned()}
    first: dict[Slot, int] = {}
    last: dict[Slot, int] = {}
    kept: set[Slot] = set(returned)
    for number, each in enumerate(program.instructions):
        for slot in each.writes:
            if slot.memory.kind == "buffer":
                first.setdefault(slot.memory, number)
        for slot in _touched(each):
            last[slot.memory] = number
        if each.how == "grad":
            kept |= {slot.memory for slot in each.slots()}
    found: dict[int, list[Slot]] = {}
    for slot in first:
        assert slot.array is not None
        found.setdefault(slot.array.__array_interface__["data"][0], []).append(slot)
    return tuple(
        Place(
            max(slot.nbytes for slot in slots),
            tuple(
                Stay(page.called(slot), first[slot], end if slot in kept else last[slot], slot in kept)
                for slot in slots
            ),
        )
        for slots in found.values()
    )


def _touched(each: Instruction) -> Iterator[Any]:
    yield from each.slots()
    yield from each.results
    yield from each.writes
