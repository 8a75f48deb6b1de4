"""`minitorch port`: list what must change, and write what is certain."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from minitorch.course.cards.report import clean
from minitorch.course.command_line import Command, echo, friendly, lang_option
from minitorch.course.course_error import CourseError
from minitorch.language import Message, language


@click.command(cls=Command)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--write", is_flag=True, help="Make the changes that are certain; what was there is kept beside it.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
@lang_option
@friendly
def port(file: Path, write: bool, as_json: bool) -> None:
    """List what of a PyTorch program must change so that it runs on minitorch.

    Each line says what stands there, what to write instead, and why. The program is read and never run. A line with
    an exclamation mark is left to you: --write makes all others. The exit status is 0 where nothing is left to you,
    1 where something is, and 2 where the file cannot be read.

    \b
        minitorch port train.py
        minitorch port train.py --write
    """  # noqa: D301 - click reads \b as a character
    from minitorch.course.porting import listing
    from minitorch.course.porting.program_file import load

    source = load(file)
    findings = listing.found_in(source)
    open_ones = [finding for finding in findings if finding.edit is None]
    if as_json:
        echo(json.dumps(listing.as_dicts(source, findings), indent=1, ensure_ascii=True))
    else:
        for line in listing.lines(source, findings):
            echo(clean(line))
    if write:
        if source.cells:
            raise CourseError("--write changes Python files alone: change the cells by the list above")
        if len(open_ones) < len(findings):
            backup = listing.write(source, findings)
            echo(
                clean(
                    Message("{file} is written; what was there is in {backup}", file=file, backup=backup).to(language())
                ),
                err=as_json,
            )
    sys.exit(1 if open_ones else 0)
