"""Characters to learn from: texts and names that come with Python itself. Nothing is downloaded."""

from __future__ import annotations

import builtins
import re
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.data.dataset import Dataset, TensorDataset
from minitorch.types import TensorLike

__all__ = ["CharacterWindows", "Vocabulary", "function_names", "name_contexts", "topics_text"]

DEFINITION = re.compile(r"^ *(?:async )?def ([a-z][a-z0-9_]*)\(", re.MULTILINE)
BOUNDARY = "\n"  # stands before the first and after the last character of a name


class Vocabulary:
    """The characters that occur, each with its number: `encode` makes numbers of text, `decode` makes text of them.

    characters: every one once, in order; `Vocabulary.of(text)` finds them. Raises ValueError for one that comes twice.

    >>> vocabulary = Vocabulary.of("hello")
    >>> vocabulary
    Vocabulary(4 characters: 'ehlo')
    >>> vocabulary.encode("hole")
    tensor([1, 3, 2, 0])
    >>> vocabulary.decode([1, 0, 2, 3])
    'helo'
    """

    def __init__(self, characters: Iterable[str]) -> None:
        self.characters = list(characters)
        self.numbers = {character: number for number, character in enumerate(self.characters)}
        if len(self.numbers) < len(self.characters):
            twice = next(each for each in self.characters if self.characters.count(each) > 1)
            raise ValueError(f"Vocabulary: the character {twice!r} is listed twice: give every one once")

    @classmethod
    def of(cls, text: Iterable[str]) -> Vocabulary:
        """The characters of a text, or of several, in the order of their code points."""
        return cls(sorted(set().union(*text)))

    def __len__(self) -> int:
        return len(self.characters)

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} characters: {''.join(self.characters)!r})"

    def encode(self, text: str) -> Tensor:
        """The number of each character: (len(text),), int64. Raises ValueError for a character that has none."""
        try:
            return constant(np.array([self.numbers[character] for character in text], np.int64))
        except KeyError as error:
            raise ValueError(
                f"Vocabulary: the character {error.args[0]!r} is not among its {len(self)}: "
                f"make the vocabulary of all the text that it is to encode"
            ) from None

    def decode(self, numbers: Any) -> str:
        """The text of a row of numbers: a Tensor, an array or a list. Raises IndexError for one that means none."""
        flat = as_array(numbers).reshape(-1).tolist()
        wrong = [number for number in flat if not 0 <= number < len(self)]
        if wrong:
            raise IndexError(f"Vocabulary: the number {wrong[0]} means no character: they go from 0 to {len(self) - 1}")
        return "".join(self.characters[int(number)] for number in flat)


class CharacterWindows(Dataset[tuple[Tensor, Tensor]]):
    """Every stretch of `context` characters, with the same stretch one character later as its target.

    numbers: a text as `Vocabulary.encode` gives it, (length,). Sample i is (numbers[i : i + context],
    numbers[i + 1 : i + 1 + context]), so each place asks for the character that follows. There are length - context.
    Raises ValueError when the text is not longer than the context.

    >>> windows = CharacterWindows(Tensor([5, 6, 7, 8]), context=2)
    >>> len(windows), windows[1]
    (2, (tensor([6, 7]), tensor([7, 8])))
    """

    def __init__(self, numbers: TensorLike, context: int) -> None:
        self.numbers = as_array(numbers)
        self.context = context
        if self.numbers.ndim != 1 or not 0 < context < len(self.numbers):
            raise ValueError(
                f"CharacterWindows: a context of {context} characters needs a row of at least {max(context, 0) + 1} "
                f"numbers, not the shape {self.numbers.shape}"
            )

    def __len__(self) -> int:
        return len(self.numbers) - self.context

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        if not -len(self) <= index < len(self):
            raise IndexError(f"CharacterWindows: window {index} of {len(self)} is asked for")
        inputs, targets = self.gather([index % len(self)])
        return inputs[0], targets[0]

    def gather(self, indices: Sequence[int]) -> list[Tensor]:
        """Many windows as one batch: inputs (B, T) and targets (B, T)."""
        places = np.asarray(indices)[:, None] + np.arange(self.context + 1)  # (B, T + 1)
        windows = self.numbers[places]
        return [constant(windows[:, :-1]), constant(windows[:, 1:])]


def name_contexts(names: Iterable[str], vocabulary: Vocabulary, context: int = 8) -> TensorDataset:
    r"""Each character of each name as a target, with the `context` characters before it: inputs (N, T), targets (N,).

    A name is followed by the boundary "\n", and before its first character there are as many boundaries as needed; so
    the vocabulary must have it. Raises ValueError for a character that the vocabulary lacks.

    >>> pairs = name_contexts(["ab"], Vocabulary("\nab"), context=2)
    >>> pairs.tensors
    (tensor([[0, 0],
            [0, 1],
            [1, 2]]), tensor([1, 2, 0]))
    """
    rows = [vocabulary.encode(BOUNDARY * context + name + BOUNDARY).data for name in names]
    windows = np.concatenate([np.lib.stride_tricks.sliding_window_view(row, context + 1) for row in rows])
    return TensorDataset(windows[:, :-1], windows[:, -1])


def topics_text() -> str:
    """What `help("assert")` and the like print: all topics of Python's reference, joined; about 460,000 characters.

    It belongs to the Python that runs, so another version has a few other sentences.
    Raises ModuleNotFoundError where Python was installed without its help.
    """
    try:
        from pydoc_data.topics import topics
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "this Python was installed without its help texts (the module pydoc_data): use one that has them"
        ) from None
    return "\n\n".join(topics[name] for name in sorted(topics))


def function_names() -> list[str]:
    """The public functions and methods of Python and its standard library, each name once, sorted; about 2,500.

    The source files are read, not imported: importing all of them would open windows and browsers. The names belong to
    the Python that runs, so another version has a few others.

    >>> {"sorted", "dedent", "mean"} <= set(function_names())
    True
    """
    names = {name for name in dir(builtins) if name[0].islower() and callable(getattr(builtins, name))}
    folder = Path(sysconfig.get_path("stdlib"))
    for path in sorted(folder.glob("*.py")):
        names.update(DEFINITION.findall(path.read_text(encoding="utf-8", errors="ignore")))
    return sorted(names)
