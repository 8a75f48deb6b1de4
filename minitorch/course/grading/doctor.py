"""`minitorch grade doctor`: what this machine's tiers stop, tried act by act, and then with the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text as RichText

from minitorch.course.grading import corpus
from minitorch.course.sandbox import tiers
from minitorch.language import N_, Message

COLUMNS = (N_("family"), N_("files"), N_("paid"), N_("left something"), N_("longest"))


def examine(console: Console, lang: str, tier: str | None, *, whole: bool) -> bool:
    """Try the tiers, and put the corpus through one of them; return whether all of it holds.

    tier: the one for the corpus, the best one that holds where it is None. whole: with the corpus.
    """
    faults = tiers.faults()
    for name, fault in faults.items():
        key = (
            N_("{tier}: not to be relied on here: {why}")
            if fault
            else N_("{tier}: honest code works; submissions reach your files, your network, your programs")
            if name == "none"
            else N_("{tier}: stops what it must, and lets honest code work")
        )
        sign = "✗" if fault else "·" if name == "none" else "✓"
        console.print(f"{sign} {Message(key, tier=name, why=fault or '').to(lang)}", markup=False, highlight=False)
    chosen = tier or next(name for name, fault in faults.items() if fault is None or name == tiers.TIERS[-1])
    if not whole:
        return faults[chosen] is None
    console.print(
        Message("{tier}: putting the corpus through it; this takes minutes", tier=chosen).to(lang),
        markup=False,
        highlight=False,
    )
    trials = list(_tried(console, chosen))
    console.print(_table(corpus.table(trials), lang))
    bad = [each for each in trials if not each.fine]
    for each in bad:
        left = ", ".join([*each.left, *([each.fault] if each.fault else [])])
        facts = {"name": each.file.name, "lesson": each.file.lesson, "seconds": f"{each.seconds:.1f}", "left": left}
        paid = Message(
            "{name} (lesson {lesson}) was paid, {seconds} s {left}"
            if each.paid
            else "{name} (lesson {lesson}): {seconds} s {left}",
            **facts,
        )
        console.print(RichText(f"✗ {paid.to(lang)}"), highlight=False)
    console.print(
        Message(
            "{count} files, none paid, none hung, nothing left behind"
            if not bad
            else "{bad} of {count} files gained something or left something behind",
            count=len(trials),
            bad=len(bad),
        ).to(lang)
    )
    return not bad and faults[chosen] is None


def _tried(console: Console, tier: str) -> Iterator[corpus.Trial]:
    files = list(corpus.files())
    with tiers.Sandbox(tier) as sandbox:
        for file in track(files, "", console=console, transient=True):
            yield corpus.trial(sandbox, file)


def _table(rows: Sequence[corpus.Row], lang: str) -> Table:
    table = Table(*(Message(column).to(lang) for column in COLUMNS))
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        table.add_row(row.family, str(row.files), str(row.paid), str(row.left), f"{row.longest_s:.1f} s")
    return table
