"""Whole numbers in sentences: with their thousands apart, and with the noun in the form that goes with them."""

from __future__ import annotations

from minitorch.language import language, ngettext


def counted(one: str, several: str, count: int, said: str = "") -> str:
    """Say a sentence that goes with a number; `said` is the number as it is written, if not as `grouped` does.

    >>> counted("1 visit", "{count} visits", 1), counted("1 visit", "{count} visits", 1200)
    ('1 visit', '1,200 visits')
    """
    return ngettext(one, several, count, count=said or grouped(count))


def grouped(count: int) -> str:
    """Return a whole number with its thousands apart, as the reader's language does it.

    >>> grouped(60000)
    '60,000'
    """
    return f"{count:,}".replace(",", "," if language() == "en" else "\N{NARROW NO-BREAK SPACE}")
