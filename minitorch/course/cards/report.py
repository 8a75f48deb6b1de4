"""Showing verdicts: the same lines in the terminal, as plain text and as a card in a notebook.

The learner's text (prints, messages of exceptions, values) is cleaned of control and bidirectional characters before
it is shown, and escaped where markup is understood. A failing exercise takes at most six lines, prints aside.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from minitorch.course.cards.code_words import code_html, code_plain
from minitorch.course.cards.links import Links
from minitorch.course.judging.verdict import SIGNS, Kind, Place, Verdict
from minitorch.language import N_, Message

LINE_WIDTH = 220
SAID_WIDTH = 800  # of a sentence of ours: two mistakes at once, in a language that needs more room than English
INPUT_WIDTH = 400
LABEL_WIDTH = 10
PRINTED_LINES = 4
# What follows a name, and never the article: "a is no constant", "a has two parents"; but "a part is written".
VERBS = {"is", "was", "has", "holds", "wants", "or", "es", "está", "era", "tiene", "contiene", "quiere", "o"}
COLOURS = {
    Kind.NOT_STARTED: "var(--jp-ui-font-color2,#7a7a7a)",
    Kind.WRONG: "var(--jp-error-color1,#b3261e)",
    Kind.ERROR: "var(--jp-error-color1,#b3261e)",
    Kind.TIMEOUT: "var(--jp-warn-color1,#9a5b00)",
    Kind.OUT_OF_MEMORY: "var(--jp-warn-color1,#9a5b00)",
    Kind.PASSED: "var(--jp-success-color1,#1b6e3c)",
    Kind.PASSED_BUT: "var(--jp-success-color1,#1b6e3c)",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a report: a label and a text, ready to be shown but not yet escaped for any markup."""

    label: str
    text: str
    code: bool = False  # shown in a fixed width, blanks kept
    place: Place | None = None  # what the text begins with says where that is
    reach: int = 0  # how long that beginning is

    @property
    def plain(self) -> str:
        """The text where nothing can be set as code."""
        return self.text if self.code else code_plain(self.text)


@dataclass(frozen=True, slots=True)
class Block:
    """What is shown for one exercise."""

    kind: Kind
    title: str  # "✗ mul: wrong"
    reason: str  # the rest of the first line, with the blank or stop before it
    lines: tuple[Line, ...] = ()
    printed: tuple[str, ...] = ()
    printed_label: str = ""

    def text_lines(self) -> list[str]:
        """The block as lines of plain text."""
        shown = [self.title + code_plain(self.reason)]
        width = max([LABEL_WIDTH, *(len(line.label) + 1 for line in self.lines)])
        shown += [f"    {line.label:<{width}}{line.plain}".rstrip() for line in self.lines]
        if self.printed:
            shown += [f"    {self.printed_label}:", *(f"    │ {line}" for line in self.printed)]
        return shown


@dataclass(frozen=True, slots=True)
class Card:
    """Something to show in a notebook: HTML, and the same as plain text. Equal verdicts make equal cards."""

    html: str
    text: str

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}

    def __repr__(self) -> str:
        return self.text


def clean(text: str) -> str:
    """`text` with every control, bidirectional and otherwise invisible character written out as an escape."""
    return "".join(map(_visible, text))


def one_line(text: str, width: int = LINE_WIDTH) -> str:
    """`text` cleaned, on one line, cut to `width`."""
    line = clean(" ".join(text.split()))
    return line if len(line) <= width else line[: width - 1] + "…"


def blocks(verdicts: Sequence[Verdict], lang: str) -> list[Block]:
    """What to show for some verdicts; what kept a whole file from loading is told once, not per function."""
    shown = []
    for index, verdict in enumerate(verdicts):
        told = any(_same_fault(verdict, earlier) for earlier in verdicts[:index])
        shown.append(_block(verdict, lang, brief=told))
    return shown


def headline(verdict: Verdict, lang: str) -> str:
    """The verdict in one line."""
    return _title(verdict, lang) + _reason(verdict, lang)


def _title(verdict: Verdict, lang: str) -> str:
    return f"{SIGNS[verdict.kind]} {verdict.exercise}: {verdict.kind.to(lang)}"


def _reason(verdict: Verdict, lang: str) -> str:
    reason = one_line(verdict.reason.to(lang), SAID_WIDTH)
    if not reason:
        return ""
    stop = "" if reason.endswith((".", "!", "?", "…")) else "."
    if verdict.kind is Kind.PASSED_BUT:
        return f" {reason}{stop}"
    if verdict.diagnosis is None:  # the judge's sentences begin small, a mistake's begin with code where they do
        reason = _capitalised(reason, verdict.exercise)
    return f". {reason}{stop}"


def _capitalised(sentence: str, exercise: str) -> str:
    """The sentence with a capital, unless it begins with code: a name (`toposort`, `f`) or an expression (`a * b`)."""
    first, _, rest = sentence.partition(" ")
    letter = len(first) == 1 and (first != "a" or rest.partition(" ")[0] in VERBS)
    if not first.isalpha() or first == exercise or letter or (rest and not rest[0].isalnum()):
        return sentence
    return sentence[0].upper() + sentence[1:]


def summary(verdicts: Iterable[Verdict], lang: str, more: Collection[str] = ()) -> str:
    """`3 of 4 passed`, and where some are in `more`, the exercises that are not required: `4 of 4 passed, 1 more open`.

    Where nothing else was judged they count like any other.
    """
    listed = list(verdicts)
    core = [verdict for verdict in listed if verdict.exercise not in more] or listed
    beside = [verdict.passed for verdict in listed if verdict not in core]
    words = [Message("{passed} of {total} passed", passed=sum(verdict.passed for verdict in core), total=len(core))]
    words += [Message("{count} more passed", count=sum(beside))] if any(beside) else []
    words += [Message("{count} more open", count=beside.count(False))] if not all(beside) else []
    return ", ".join(each.to(lang) for each in words)


def card(
    verdicts: Sequence[Verdict],
    lang: str,
    notes: Sequence[str] = (),
    links: Links | None = None,
    following: Card | None = None,
    more: Collection[str] = (),
) -> Card:
    """The verdicts as a card. links: what turns places into links. following: the line on what comes next.

    more: the exercises that are not required, which the last line counts apart.
    """
    listed = blocks(verdicts, lang)
    text = [line for block in listed for line in block.text_lines()]
    body = "".join(_block_html(block, links) for block in listed)
    if len(verdicts) > 1:
        text.append(summary(verdicts, lang, more))
        body += f"<div>{html.escape(summary(verdicts, lang, more))}</div>"
    if following is not None:
        text.append(following.text)
        body += following.html
    return Card(frame_html(body + notes_html(notes)), "\n".join([*text, *map(code_plain, notes)]))


def frame_html(body: str) -> str:
    """`body` in the frame that every card of the course has."""
    style = (
        "font-family:var(--jp-ui-font-family,sans-serif);font-size:14px;line-height:1.5;max-width:52em;"
        "color:var(--jp-ui-font-color1,#1f1f1f)"
    )
    return f'<div class="minitorch-card" style="{style}">{body}</div>'


def notes_html(notes: Sequence[str]) -> str:
    """Remarks below a card."""
    return "".join(f'<div style="opacity:.75">{code_html(clean(note))}</div>' for note in notes)


def bar_html(colour: str, body: str) -> str:
    """`body` with a coloured bar to its left; the words carry the meaning, the colour repeats it."""
    return f'<div style="border-left:4px solid {colour};padding:2px 0 2px 12px;margin:6px 0">{body}</div>'


def _same_fault(verdict: Verdict, earlier: Verdict) -> bool:
    same_file = verdict.lesson == earlier.lesson and verdict.kind is earlier.kind
    whole_file = verdict.input is None and verdict.kind in (Kind.ERROR, Kind.TIMEOUT)
    return same_file and whole_file and verdict.reason == earlier.reason and verdict.place == earlier.place


def _block(verdict: Verdict, lang: str, *, brief: bool) -> Block:
    title, reason = _title(verdict, lang), _reason(verdict, lang)
    if brief or verdict.kind is Kind.NOT_STARTED:
        return Block(verdict.kind, title, reason)
    return Block(
        verdict.kind,
        title,
        reason,
        () if verdict.passed else tuple(_lines(verdict, lang)),
        _printed(verdict.printed, lang),
        Message("your code printed").to(lang),
    )


def _lines(verdict: Verdict, lang: str) -> Iterable[Line]:
    def label(key: str) -> str:
        return Message(key).to(lang)

    place = verdict.place
    if place is not None and place.column is not None:
        where = Message("line {line} of {file}", line=place.line, file=place.file).to(lang)
        yield Line(label(N_("at")), where, place=place, reach=len(where))
        source = place.source.expandtabs(1)
        start = max(len(source) - len(source.lstrip()), place.column - LINE_WIDTH // 2)  # a long line is cut in front
        yield Line("", clean(source[start:])[:LINE_WIDTH], code=True)
        yield Line("", " " * max(0, place.column - 1 - start) + "^", code=True)
        return
    if verdict.input is not None or verdict.hint is not None:
        yield Line(label(N_("asked")), one_line(verdict.asks.to(lang), SAID_WIDTH))
    if verdict.line is not None:
        yield Line(label(N_("try")), clean(verdict.line), code=True)
    elif verdict.input is not None:
        yield Line(label(N_("input")), one_line(verdict.input, INPUT_WIDTH), code=True)
    if place is not None:
        where = Message("line {line} of {file}", line=place.line, file=place.file).to(lang)
        yield Line(
            label(N_("at")), one_line(f"{where}: {place.source.strip()}"), code=True, place=place, reach=len(where)
        )
    elif verdict.expected is not None or verdict.got is not None:
        if verdict.expected is not None:
            yield Line(label(N_("expected")), one_line(_in(verdict.expected, lang)), code=True)
        seen = f"  ({one_line(verdict.finding.to(lang))})" if verdict.finding else ""
        if verdict.got is not None or seen:
            yield Line(label(N_("got")), (one_line(_in(verdict.got or "", lang)) + seen).strip(), code=True)
    if verdict.hint is not None:
        yield Line(label(N_("hint")), one_line(verdict.hint.to(lang), SAID_WIDTH))


def _in(shown: str | Message, lang: str) -> str:
    """A value as it is in any language, or the words of this one."""
    return shown.to(lang) if isinstance(shown, Message) else shown


def _printed(text: str, lang: str) -> tuple[str, ...]:
    lines = text.splitlines()
    shown = [one_line_kept(line) for line in lines[:PRINTED_LINES]]
    if len(lines) > PRINTED_LINES:
        shown.append(Message("… {count} more lines", count=len(lines) - PRINTED_LINES).to(lang))
    return tuple(shown)


def one_line_kept(line: str) -> str:
    """One printed line cleaned and cut, its blanks kept."""
    shown = clean(line.expandtabs(4))
    return shown if len(shown) <= LINE_WIDTH else shown[: LINE_WIDTH - 1] + "…"


def _visible(character: str) -> str:
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
        return ascii(character)[1:-1]
    return character


def _block_html(block: Block, links: Links | None) -> str:
    head = f"<div><strong>{html.escape(block.title)}</strong>{code_html(block.reason)}</div>"
    rows = "".join(_line_html(line, links) for line in block.lines)
    table = f'<table style="border-spacing:0;margin:4px 0;font-size:13px;color:inherit">{rows}</table>' if rows else ""
    return bar_html(COLOURS[block.kind], head + table + _printed_html(block))


def _line_html(line: Line, links: Links | None) -> str:
    label = (
        '<th scope="row" style="text-align:left;vertical-align:top;padding:0 12px 0 0;white-space:nowrap">'
        f"{html.escape(line.label)}</th>"
    )
    text = html.escape(line.text) if line.code else code_html(line.text)
    if line.place is not None and links is not None:
        where, rest = html.escape(line.text[: line.reach]), html.escape(line.text[line.reach :])
        text = links.html(where, f"exercises/{line.place.file}", line.place.line) + rest
    if line.code:
        text = f'<code style="white-space:pre-wrap">{text}</code>'
    return (
        f'<tr style="background:none">{label}<td style="text-align:left;vertical-align:top;padding:0">{text}</td></tr>'
    )


def _printed_html(block: Block) -> str:
    if not block.printed:
        return ""
    lines = html.escape("\n".join(block.printed))
    style = "margin:2px 0;padding:4px 8px;background:var(--jp-layout-color2,#eee)"
    return f'<div>{html.escape(block.printed_label)}:</div><pre style="{style}">{lines}</pre>'
