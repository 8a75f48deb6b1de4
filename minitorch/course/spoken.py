"""The command line's own words in the learner's language: help pages, and what is said of a slip.

Click has them in English; where the course speaks another language, they are put into it when they are shown.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, Any, ParamSpec

import click

from minitorch.catalogue import with_fields
from minitorch.course.cards.code_words import code_plain
from minitorch.course.cards.report import clean
from minitorch.course.files.chosen import speak_as_chosen
from minitorch.course.texts.command_line import FAULT, HELP, SLIPS, TRY, WORDS
from minitorch.course.texts.error import CourseError
from minitorch.course.texts.messages import say
from minitorch.course.texts.stand_ins import plain
from minitorch.language import Text, either, language, languages, sentence

P = ParamSpec("P")
TYPED = "minitorch.lang"  # where a command's context keeps what was typed
ROOT = "cli"  # the command without a word behind it
PLACEHOLDERS = re.compile("|".join(re.escape(each) for each in WORDS if re.match(r"\[?[A-Z]{2}", each)))


def _speak(ctx: click.Context, _: click.Parameter, lang: str | None) -> None:
    if lang is not None:
        os.environ["MINITORCH_LANG"] = lang
        ctx.meta[TYPED] = lang


def language_typed() -> str | None:
    """The language that `--lang` names in the command that runs; None where it names none."""
    ctx = click.get_current_context(silent=True)
    return None if ctx is None else ctx.meta.get(TYPED)


lang_option = click.option(
    "--lang",
    type=click.Choice(languages()),
    help="Language of the answers; MINITORCH_LANG sets it for good.",
    is_eager=True,
    expose_value=False,
    callback=_speak,
)


def echo(words: str, *, err: bool = False) -> None:
    """Write a line as the terminal can show it. Click by itself writes UTF-8 where the encoding is ASCII."""
    click.echo(words, file=sys.stderr if err else sys.stdout)


def friendly(command: Callable[P, None]) -> Callable[P, None]:
    """Turn a CourseError into one line and exit status 2."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except CourseError as error:
            raise Slip(code_plain(clean(str(error)))) from error
        except MemoryError as error:
            raise click.ClickException(say("out_of_memory").to(language())) from error

    return run


class Formatter(click.HelpFormatter):
    """Lays out a help page whose words are in the learner's language."""

    def __init__(self, command: str, helps: Mapping[str, str], width: int | None, max_width: int | None) -> None:
        """Take the command whose page it is, and what it and those below it are for, in English."""
        super().__init__(width=width, max_width=max_width)
        self.command = command
        self.helps = helps

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the first line."""
        super().write_usage(prog, in_words(args), prefix or word("Usage: "))

    def write_heading(self, heading: str) -> None:
        """Write the name of a part."""
        super().write_heading(word(heading))

    def write_text(self, text: str) -> None:
        """Write what the command is for."""
        super().write_text(self._help(self.command, text))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write options, or commands, with a line on each."""
        said = [
            (in_words(name), self._help(command, text).partition("\n")[0] if command in self.helps else word(text))
            for name, text in rows
            for command in [name if self.command == ROOT else f"{self.command} {name}"]
        ]
        super().write_dl(said, col_max, col_spacing)

    def getvalue(self) -> str:
        """Return the page, as the terminal can show it."""
        return plain(super().getvalue(), getattr(sys.stdout, "encoding", None))

    def _help(self, command: str, text: str) -> str:
        english = inspect.cleandoc(self.helps.get(command, text))
        return Text(english, inspect.cleandoc(HELP.get(command, text)), english).to(language())


class Context(click.Context):
    """One call of a command, whose help page is in the learner's language."""

    @property
    def words(self) -> str:
        """What is typed to get here, after the program's name."""
        before = self.parent.words if isinstance(self.parent, Context) else ""
        return f"{before} {self.command.name}".strip() if self.parent else ""

    def make_formatter(self) -> click.HelpFormatter:
        """Make what lays out a help page."""
        if language() == "en":
            return super().make_formatter()
        below = self.command.commands if isinstance(self.command, click.Group) else {}
        helps = {f"{self.words} {name}".strip(): each.help or "" for name, each in below.items()}
        helps[self.words or ROOT] = self.command.help or ""
        return Formatter(self.words or ROOT, helps, self.terminal_width, self.max_content_width)


class Command(click.Command):
    """A command whose help page is in the learner's language."""

    context_class = Context


class Group(click.Group):
    """The commands. It offers the nearest one for one that does not exist, and says of a slip what is wrong."""

    context_class = Context
    command_class = Command

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read what was typed, up to the command's name; the help page, too, is in the folder's language."""
        speak_as_chosen()
        with _spoken():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Read the rest, and run the command."""
        with _spoken():
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one may have been meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = difflib.get_close_matches(args[0], self.list_commands(ctx), n=2, cutoff=0.5)
            if not near:
                raise
            words = f"{error.message.rstrip('.')}; did you mean {' or '.join(near)}?"
            raise click.UsageError(words, ctx) from error


class Slip(click.UsageError):
    """A slip, told in the learner's language."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the usage, how to get help, and the sentence."""
        if self.ctx is not None:
            how = sentence(*TRY, command=self.ctx.command_path, option="--help").to(language())
            click.echo(f"{self.ctx.get_usage()}\n{how}\n", file=file or sys.stderr)
        click.echo(sentence(*FAULT, message=self.message).to(language()), file=file or sys.stderr)


def word(english: str) -> str:
    """A word of click's, or what an option is for, in the learner's language."""
    return Text(english, WORDS.get(english, english), english).to(language())


def in_words(words: str) -> str:
    """What stands for arguments, in the learner's language."""
    return PLACEHOLDERS.sub(lambda found: word(found[0]), words)


def slip(told: str) -> str:
    """What is said of a slip; a sentence that is not click's stays as it is."""
    for pattern, english, spanish in SLIPS:
        if found := re.fullmatch(pattern, told):
            parts = {str(number): _part(part) for number, part in enumerate(found.groups())}
            in_spanish = with_fields(spanish, {name: each.to("es") for name, each in parts.items()})
            return Text(told, in_spanish, english, tuple(parts.items())).to(language())
    return told


def _part(words: str) -> Text:
    """What a slip names: arguments, or words of which one was meant."""
    return either([in_words(each) for each in words.split(" or ")])


@contextlib.contextmanager
def _spoken() -> Iterator[None]:
    try:
        yield
    except click.UsageError as error:
        if language() == "en" or isinstance(error, (Slip, click.exceptions.NoArgsIsHelpError)):
            raise
        raise Slip(slip(error.format_message()), error.ctx) from error
