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
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, ParamSpec

import click

from minitorch.course.cards.code_words import code_plain
from minitorch.course.cards.report import clean
from minitorch.course.cards.stand_ins import plain
from minitorch.course.course_error import CourseError
from minitorch.course.files.chosen import speak_as_chosen
from minitorch.language import N_, Message, either, gettext, language, languages

P = ParamSpec("P")
TYPED = "minitorch.lang"  # where a command's context keeps what was typed
# Marked for translation alone: click writes these, and `Formatter` looks them up.
CLICKS_OWN = (
    N_("Usage: "),
    N_("Options"),
    N_("Commands"),
    N_("Show the version and exit."),
    N_("Show this message and exit."),
)
WRITTEN = (
    N_("[OPTIONS]"),
    N_("COMMAND [ARGS]..."),
    N_("NAME"),
    N_("LESSON"),
    N_("FILE"),
    N_("TEXT"),
    N_("STEP"),
    N_("SUBMISSIONS"),
    N_("FORM"),
    N_("FOLDER"),
    N_("PATH"),
    N_("ADDRESS"),
    N_("INTEGER"),
)
PLACEHOLDERS = re.compile("|".join(map(re.escape, WRITTEN)))  # what stands for arguments
# What click says of a slip, as a pattern, and what is said of it in another language; English has click's own words.
# In the order in which they are tried.
SLIPS = (
    (r"No such command '(.+)'; did you mean (.+)\?", N_("There is no command '{0}'; did you mean {1}?")),
    (r"No such command '(.+)'\.?", N_("There is no command '{0}'.")),
    (
        r"No such option:? '?(--?[\w-]+)'?\.? \(?(?:Possible options: |Did you mean )(.+?)[?)]+",
        N_("There is no option {0}. Did you mean {1}?"),
    ),
    (r"No such option:? '?(--?[\w-]+)'?\.?", N_("There is no option {0}.")),
    (r"Missing argument '(.+)'\.", N_("The argument {0} is missing.")),
    (r"Option '(.+)' requires an argument\.", N_("The option {0} needs a value.")),
    (r"Option '(.+)' does not take a value\.", N_("The option {0} takes no value.")),
    (r"Got unexpected extra arguments? \((.+)\)", N_("Too much: {0}")),
    (r"Invalid value for '(.+?)': '(.*)' is not one of (.+)\.", N_("'{1}' is no value for {0}: only {2}.")),
    (
        r"Invalid value for '(.+?)': '(.*)' is not a valid integer\.",
        N_("'{1}' is no value for {0}: a whole number is needed."),
    ),
)


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


def say(id: str, /, *, err: bool = False, **fields: object) -> None:
    """Write a message in the learner's language, its code as a terminal shows it."""
    echo(code_plain(gettext(id, **fields)), err=err)


def friendly(command: Callable[P, None]) -> Callable[P, None]:
    """Turn a CourseError into one line and exit status 2."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except CourseError as error:
            raise Slip(code_plain(clean(str(error)))) from error
        except MemoryError as error:
            raise click.ClickException(
                gettext("there is not enough memory here; `minitorch doctor` says how much a program may use")
            ) from error

    return run


class Formatter(click.HelpFormatter):
    """Lays out a help page whose words are in the learner's language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the first line."""
        super().write_usage(prog, in_words(args), prefix or gettext("Usage: "))

    def write_heading(self, heading: str) -> None:
        """Write the name of a part."""
        super().write_heading(gettext(heading))

    def write_text(self, text: str) -> None:
        """Write what the command is for."""
        super().write_text("\n\n".join(map(_paragraph, text.split("\n\n"))))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write options, or commands, with a line on each."""
        super().write_dl([(in_words(name), gettext(text)) for name, text in rows], col_max, col_spacing)

    def getvalue(self) -> str:
        """Return the page, as the terminal can show it."""
        return plain(super().getvalue(), getattr(sys.stdout, "encoding", None))


class Context(click.Context):
    """One call of a command, whose help page is in the learner's language."""

    formatter_class = Formatter


class Command(click.Command):
    """A command whose help page is in the learner's language."""

    context_class = Context

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the line on the command among others: the first one of its page, whole where it is translated."""
        if language() == "en":
            return super().get_short_help_str(limit)
        return _paragraph(inspect.cleandoc(self.help or "").split("\n\n")[0]).partition("\n")[0]


class Group(Command, click.Group):
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
            how = gettext("Try '{command} {option}' for help.", command=self.ctx.command_path, option="--help")
            click.echo(f"{self.ctx.get_usage()}\n{how}\n", file=file or sys.stderr)
        click.echo(gettext("Error: {message}", message=self.message), file=file or sys.stderr)


def _paragraph(english: str) -> str:
    """A paragraph of a help page. One whose lines are to stay as they are begins with a sign for click."""
    as_is = "\b\n" if english.startswith("\b\n") else ""
    return as_is + gettext(english.removeprefix(as_is))


def in_words(words: str) -> str:
    """What stands for arguments, in the learner's language."""
    return PLACEHOLDERS.sub(lambda found: gettext(found[0]), words)


def slip(told: str) -> str:
    """What is said of a slip; a sentence that is not click's stays as it is."""
    for pattern, english in SLIPS:
        if found := re.fullmatch(pattern, told):
            return gettext(english, **{str(number): _part(part) for number, part in enumerate(found.groups())})
    return told


def _part(words: str) -> Message:
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
