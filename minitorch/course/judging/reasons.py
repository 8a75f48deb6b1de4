"""Why a case failed, in a sentence: what the judge saw, or what an exception means and where the learner wrote it."""

from __future__ import annotations

import functools
import re
from typing import Any

from minitorch.course.files import source_code
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.syntax_errors import explained
from minitorch.course.judging.checks import Check, Wrong
from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox.outcome import Frame, Outcome, RanOut
from minitorch.course.texts import exceptions
from minitorch.course.texts.messages import say
from minitorch.language import Text

EMPTY = Text("", "")
REFLECTED = re.compile(r"\.__r(add|sub|mul|truediv|pow|matmul)__$")  # what Python asks when a number stands on the left
SIGN = re.compile(r"\.__(add|sub|mul|truediv|matmul|pow)__$")  # what a sign asks


def reason(check: Check, x: Any, outcome: Outcome, wrong: object, file: LearnerFile) -> tuple[Kind, Text]:
    """The kind of the verdict and its sentence for one failing case."""
    target = check.exercise.target
    if outcome.patched:
        return Kind.ERROR, say("patched", names=", ".join(outcome.patched))
    if isinstance(wrong, Wrong):
        return Kind.WRONG, wrong.reason
    if outcome.kind == "raised":
        return _raised(outcome, check, x, file)
    if outcome.kind == "syntax":
        return Kind.ERROR, explained(file.source, outcome.text, outcome.place.line if outcome.place else None)
    if outcome.kind == "missing":
        return Kind.ERROR, say("empty_file" if file.is_empty else "missing", target=target)
    if outcome.ran_out is not None:
        return Kind.TIMEOUT, _ran_out(check, outcome, outcome.ran_out)
    if outcome.kind == "timeout":
        what: Text | str = say("the_file") if outcome.loading else f"`{target}`"
        key = "timeout_at" if outcome.place else "timeout"
        line = outcome.place.line if outcome.place else 0
        return Kind.TIMEOUT, say(key, what=what, limit=f"{outcome.limit_s:g}", line=line, file=file.name)
    if outcome.kind in {"memory", "killed"}:
        return Kind.OUT_OF_MEMORY, say(outcome.kind)
    if outcome.loading and outcome.kind in {"exited", "crashed"}:
        return Kind.ERROR, say("load_error", error=say(f"load_{outcome.kind}", code=outcome.code, text=outcome.text))
    fields = {"target": target, "text": outcome.text, "code": outcome.code, "type": outcome.error}
    return Kind.ERROR, say(outcome.kind.replace(" ", "_"), **fields)


def _ran_out(check: Check, outcome: Outcome, gone: RanOut) -> Text:
    """Which calls were made, and where the time that they shared went."""
    fields = {"limit": f"{outcome.limit_s:g}", "checks": check.exercise.checks, "calls": gone.calls}
    if gone.whose == "exercise":
        return say("exercise_ran_out", target=check.exercise.target, **fields)
    longest = {"longest": gone.longest, "seconds": f"{gone.longest_s:.0f}"}
    key = "file_ran_out" if gone.longest else "file_ran_out_loading"
    return say(key, name=check.exercise.name, **fields, **longest)


def not_started(outcome: Outcome, target: str) -> bool:
    """Whether the exercise's own `raise NotImplementedError` still stands where the call came by."""
    return outcome.kind == "raised" and outcome.error == "NotImplementedError" and inside(outcome, target)


def inside(outcome: Outcome, target: str) -> bool:
    """Whether the outcome came from within `target`."""
    return outcome.place is not None and outcome.place.is_inside(target)


def error_of(outcome: Outcome) -> str:
    """An exception as Python writes it."""
    return f"{outcome.error}: {outcome.text}" if outcome.text else outcome.error


def thrown_away(file: LearnerFile, target: str) -> Text | None:
    """What is said of a line in `target` that compares with == and does nothing with the answer, if there is one."""
    line = source_code.thrown_comparison(file.source, target)
    return None if line is None else say("thrown_away", line=line)


def _raised(outcome: Outcome, check: Check, x: Any, file: LearnerFile) -> tuple[Kind, Text]:
    error, place, target = error_of(outcome), outcome.place, check.exercise.target
    if place is not None and not_started(outcome, target):
        left = source_code.written_around(file.source, place.line)
        return (Kind.ERROR, say(f"still_raises_{left}", line=place.line)) if left else (Kind.NOT_STARTED, EMPTY)
    if outcome.error == "NotImplementedError" and place is not None:
        return Kind.ERROR, say(_needs(outcome, place.function, check), target=target, other=place.function)
    if outcome.error == "SystemExit":
        return Kind.ERROR, say("system_exit", what=say("the_file") if outcome.loading else f"`{target}`")
    if outcome.loading:
        means = meaning(outcome.error, outcome.text)
        return Kind.ERROR, say("load_error_means" if means else "load_error", error=error, means=means or EMPTY)
    if place is not None or outcome.error == "BdbQuit":  # the debugger stops beside the learner's line, not in it
        return Kind.ERROR, _own_exception(outcome, place, target, x)
    if outcome.error == "TypeError" and outcome.text.startswith(f"{target}()"):
        return Kind.ERROR, say("arguments", target=target, error=error)
    if "'NoneType'" in outcome.text:
        return Kind.WRONG, say("returned_none", target=target, error=error)
    return Kind.WRONG, say("unusable", target=target, error=error)


def _needs(outcome: Outcome, other: str, check: Check) -> str:
    """What is said of another exercise that is not started: a sign may have asked it for want of a `.data`."""
    if len(outcome.frames) > 1 and REFLECTED.search(other):
        return "needs_reflected"
    return "needs_sign" if len(outcome.frames) > 1 and SIGN.search(other) and not check.exercise.needs else "needs"


def _own_exception(outcome: Outcome, place: Frame | None, target: str, x: Any) -> Text:
    """What an exception of the learner's own code means, and its text."""
    if outcome.text.startswith("unsupported operand type(s) for ^"):
        return say("error_power", target=target, error=error_of(outcome))
    if outcome.error == "RecursionError" and place is not None:
        means: Text | None = _recursion(outcome, place, x)
    else:
        means = meaning(outcome.error, outcome.text)
    return say("error_means" if means else "error", target=target, error=error_of(outcome), means=means or EMPTY)


def _recursion(outcome: Outcome, place: Frame, x: Any) -> Text:
    if isinstance(x, dict) and x.get("deep"):
        return say("recursion_deep", function=place.function, deep=x["deep"])
    if len({(frame.line, frame.function) for frame in outcome.frames}) == 1:
        return say("recursion_itself", function=place.function)
    return say("recursion_together")


def meaning(error: str, text: str) -> Text | None:
    """What an exception says, in plain words, wherever Python or NumPy raises it; None where that is not known."""
    for kinds, pattern, en, es in _patterns():
        found = pattern.fullmatch(text) if error in kinds else None
        if found:
            groups = [group or "" for group in found.groups()]
            kept = tuple((str(number), group) for number, group in enumerate(groups))
            return Text(en.format(*groups), es.format(*groups), en, kept)
    return None


@functools.cache
def _patterns() -> list[tuple[frozenset[str], re.Pattern[str], str, str]]:
    rows = exceptions.ROWS
    return [(frozenset(kinds.split("|")), re.compile(pattern, re.DOTALL), en, es) for kinds, pattern, en, es in rows]
