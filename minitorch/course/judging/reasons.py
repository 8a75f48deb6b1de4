"""Why a case failed, in a sentence: what the judge saw, or what an exception means and where the learner wrote it."""

from __future__ import annotations

import functools
import re
from typing import Any

from minitorch.course.files import source_code
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.syntax_errors import explained
from minitorch.course.judging.checks import Check, Wrong
from minitorch.course.judging.exception_meanings import ROWS
from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox.outcome import Frame, Outcome, RanOut
from minitorch.language import N_, Message

EMPTY = Message("")
# How a call can end without an answer, besides those that need more to be said.
_ENDED = {
    "not callable": N_("`{target}` is of type {type}, not a function"),
    "unsendable": N_("what came back is too large to look at: {text}"),
    "exited": N_("the code ended the Python process itself (exit code {code}) before `{target}` had returned"),
    "crashed": N_("the Python process crashed inside `{target}` ({text})"),
    "full": N_("the code wrote more than 1000 files or 256 MB into the folder that it runs in"),
    "protocol": N_(
        "the code wrote into the channel that answers travel through ({text}); nothing it sent there counts"
    ),
}
REFLECTED = re.compile(r"\.__r(add|sub|mul|truediv|pow|matmul)__$")  # what Python asks when a number stands on the left
SIGN = re.compile(r"\.__(add|sub|mul|truediv|matmul|pow)__$")  # what a sign asks


def reason(check: Check, x: Any, outcome: Outcome, wrong: object, file: LearnerFile) -> tuple[Kind, Message]:
    """The kind of the verdict and its sentence for one failing case."""
    target = check.exercise.target
    if outcome.patched:
        return Kind.ERROR, Message(
            "the file replaces Python's own {names}; a check needs the originals", names=", ".join(outcome.patched)
        )
    if isinstance(wrong, Wrong):
        return Kind.WRONG, wrong.reason
    if outcome.kind == "raised":
        return _raised(outcome, check, x, file)
    if outcome.kind == "syntax":
        return Kind.ERROR, explained(file.source, outcome.text, outcome.place.line if outcome.place else None)
    if outcome.kind == "missing":
        return Kind.ERROR, Message(
            "the file is empty: it does not define `{target}`"
            if file.is_empty
            else "the file does not define `{target}`",
            target=target,
        )
    if outcome.ran_out is not None:
        return Kind.TIMEOUT, _ran_out(check, outcome, outcome.ran_out)
    if outcome.kind == "timeout":
        what: Message | str = Message("the file itself") if outcome.loading else f"`{target}`"
        key = (
            N_("{what} was still running after {limit} s, at line {line} of {file}")
            if outcome.place
            else N_("{what} was still running after {limit} s")
        )
        line = outcome.place.line if outcome.place else 0
        return Kind.TIMEOUT, Message(key, what=what, limit=f"{outcome.limit_s:g}", line=line, file=file.name)
    if outcome.kind in {"memory", "killed"}:
        return Kind.OUT_OF_MEMORY, Message(
            "the code asked for more memory than a check may use (1 GiB)"
            if outcome.kind == "memory"
            else "the Python process was killed, most often because memory ran out"
        )
    if outcome.loading and outcome.kind in {"exited", "crashed"}:
        return Kind.ERROR, Message(
            "the file could not be loaded: {error}",
            error=Message(
                "it ended the Python process itself (exit code {code})"
                if outcome.kind == "exited"
                else "it crashed the Python process ({text})",
                code=outcome.code,
                text=outcome.text,
            ),
        )
    fields = {"target": target, "text": outcome.text, "code": outcome.code, "type": outcome.error}
    return Kind.ERROR, Message(_ENDED[outcome.kind], **fields)


def _ran_out(check: Check, outcome: Outcome, gone: RanOut) -> Message:
    """Which calls were made, and where the time that they shared went."""
    fields = {"limit": f"{outcome.limit_s:g}", "checks": check.exercise.checks, "calls": gone.calls}
    if gone.whose == "exercise":
        return Message(
            "the {checks} calls of `{target}` have {limit} s together, and only {calls} were "
            "answered in that time; each call by itself was within its limit",
            target=check.exercise.target,
            **fields,
        )
    longest = {"longest": gone.longest, "seconds": f"{gone.longest_s:.0f}"}
    key = (
        N_(
            "the checks of this file have {limit} s together, and `{longest}` took {seconds} s of them, so {calls} of "
            "{checks} calls were answered here. `minitorch check {name}` checks this one by itself"
        )
        if gone.longest
        else N_(
            "the checks of this file have {limit} s together, and running the file itself took "
            "them, so {calls} of {checks} calls were answered here"
        )
    )
    return Message(key, name=check.exercise.name, **fields, **longest)


def not_started(outcome: Outcome, target: str) -> bool:
    """Whether the exercise's own `raise NotImplementedError` still stands where the call came by."""
    return outcome.kind == "raised" and outcome.error == "NotImplementedError" and inside(outcome, target)


def inside(outcome: Outcome, target: str) -> bool:
    """Whether the outcome came from within `target`."""
    return outcome.place is not None and outcome.place.is_inside(target)


def error_of(outcome: Outcome) -> str:
    """An exception as Python writes it."""
    return f"{outcome.error}: {outcome.text}" if outcome.text else outcome.error


def thrown_away(file: LearnerFile, target: str) -> Message | None:
    """What is said of a line in `target` that compares with == and does nothing with the answer, if there is one."""
    line = source_code.thrown_comparison(file.source, target)
    return (
        None
        if line is None
        else Message(
            "line {line} compares with == and does nothing with the answer; a single = puts a value there", line=line
        )
    )


def _raised(outcome: Outcome, check: Check, x: Any, file: LearnerFile) -> tuple[Kind, Message]:
    error, place, target = error_of(outcome), outcome.place, check.exercise.target
    if place is not None and not_started(outcome, target):
        left = source_code.written_around(file.source, place.line)
        if not left:
            return Kind.NOT_STARTED, EMPTY
        return Kind.ERROR, Message(
            "line {line} still raises NotImplementedError after what you wrote: delete that line once all is written"
            if left == "above"
            else (
                "line {line} still raises NotImplementedError, so Python never reaches what stands below it: "
                "delete that line"
            ),
            line=place.line,
        )
    if outcome.error == "NotImplementedError" and place is not None:
        return Kind.ERROR, Message(_needs(outcome, place.function, check), target=target, other=place.function)
    if outcome.error == "SystemExit":
        return Kind.ERROR, Message(
            "{what} called sys.exit() instead of returning",
            what=Message("the file itself") if outcome.loading else f"`{target}`",
        )
    if outcome.loading:
        means = meaning(outcome.error, outcome.text)
        return Kind.ERROR, Message(
            "the file could not be loaded: {means} ({error})" if means else "the file could not be loaded: {error}",
            error=error,
            means=means or EMPTY,
        )
    if place is not None or outcome.error == "BdbQuit":  # the debugger stops beside the learner's line, not in it
        return Kind.ERROR, _own_exception(outcome, place, target, x)
    if outcome.error == "TypeError" and outcome.text.startswith(f"{target}()"):
        return Kind.ERROR, Message(
            "`{target}` cannot be called as the exercise asks ({error}): keep the line with `def` as it was",
            target=target,
            error=error,
        )
    if "'NoneType'" in outcome.text:
        return Kind.WRONG, Message(
            "the check got None where it went on with a result ({error}); is a `return` missing?", error=error
        )
    return Kind.WRONG, Message("the check could not use what your code defines: {error}", error=error)


def _needs(outcome: Outcome, other: str, check: Check) -> str:
    """What is said of another exercise that is not started: a sign may have asked it for want of a `.data`."""
    if len(outcome.frames) > 1 and REFLECTED.search(other):
        return N_(
            "in this line a plain number meets a Value, or an array a Tensor, so Python asked "
            "`{other}`, which is not started yet; is a `.data` missing?"
        )
    return (
        N_("the sign in this line asks `{other}`, which is not started yet; is a `.data` missing?")
        if len(outcome.frames) > 1 and SIGN.search(other) and not check.exercise.needs
        else N_("`{target}` needs `{other}`, which is not started yet")
    )


def _own_exception(outcome: Outcome, place: Frame | None, target: str, x: Any) -> Message:
    """What an exception of the learner's own code means, and its text."""
    if outcome.text.startswith("unsupported operand type(s) for ^"):
        return Message(
            "`{target}` raised {error}. A power is written ** in Python; ^ is something else",
            target=target,
            error=error_of(outcome),
        )
    if outcome.error == "RecursionError" and place is not None:
        means: Message | None = _recursion(outcome, place, x)
    else:
        means = meaning(outcome.error, outcome.text)
    return Message(
        "{means} (`{target}` raised {error})" if means else "`{target}` raised {error}",
        target=target,
        error=error_of(outcome),
        means=means or EMPTY,
    )


def _recursion(outcome: Outcome, place: Frame, x: Any) -> Message:
    if isinstance(x, dict) and x.get("deep"):
        return Message(
            "`{function}` calls itself for each step of a path, and this graph has {deep} steps behind one another: "
            "Python allows about 1,000 such calls. A loop with a list of your own has no limit",
            function=place.function,
            deep=x["deep"],
        )
    if len({(frame.line, frame.function) for frame in outcome.frames}) == 1:
        return Message(
            "`{function}` calls itself at this line, over and over: does it use the very thing it defines?",
            function=place.function,
        )
    return Message("functions of this file call one another without end")


def meaning(error: str, text: str) -> Message | None:
    """What an exception says, in plain words, wherever Python or NumPy raises it; None where that is not known."""
    for kinds, pattern, means in _patterns():
        found = pattern.fullmatch(text) if error in kinds else None
        if found:
            return Message(means, **{str(number): group or "" for number, group in enumerate(found.groups())})
    return None


@functools.cache
def _patterns() -> list[tuple[frozenset[str], re.Pattern[str], str]]:
    return [(frozenset(kinds.split("|")), re.compile(pattern, re.DOTALL), means) for kinds, pattern, means in ROWS]
