"""What `minitorch watch` shows: rows of styled text for a state and a size, as plain data.

The styles are prompt_toolkit's words ("bold", "ansired"). They only repeat what signs and words say, so nothing is lost
where there are no colours. No row is wider than the screen, and there are never more rows than fit.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text as RichText

from minitorch.course.cards import hints
from minitorch.course.cards.code_words import code_plain
from minitorch.course.cards.report import LABEL_WIDTH, blocks, clean, one_line_kept
from minitorch.course.judging.verdict import SIGNS, Kind, Verdict
from minitorch.course.manifest import Exercise, Lesson
from minitorch.course.watching.state import END, Ask, Filter, Page, State
from minitorch.language import N_, Message

Row = list[tuple[str, str]]  # (style, text) pieces from left to right

STYLES = {
    Kind.NOT_STARTED: "bold",
    Kind.WRONG: "bold ansired",
    Kind.ERROR: "bold ansired",
    Kind.TIMEOUT: "bold ansiyellow",
    Kind.OUT_OF_MEMORY: "bold ansiyellow",
    Kind.PASSED: "bold ansigreen",
    Kind.PASSED_BUT: "bold ansigreen",
}
WIDEST = 100  # longer lines are hard to read
BAR = 30
FEWEST_PRINTED = 4
FEWEST_ROWS = 3  # of the body, where the screen is low; what stands around it gives way
INDENT = 4


@dataclass(frozen=True, slots=True)
class Picture:
    """The rows of one screen, and how far its body can be scrolled."""

    rows: list[Row]
    reach: int


def draw(state: State, width: int, height: int, lang: str) -> Picture:
    """What the screen shows."""
    return _Painter(state, max(20, min(width, WIDEST)), max(1, height), lang).picture()


class _Painter:
    def __init__(self, state: State, width: int, height: int, lang: str) -> None:
        self.state, self.width, self.height, self.lang = state, width, height, lang
        self.console = Console(file=io.StringIO(), width=width)  # rich measures and breaks lines; it prints nothing

    def picture(self) -> Picture:
        head, foot = self._head(), self._foot()
        room = self.height - len(head) - len(foot)
        while room < FEWEST_ROWS and len(foot) > 1:  # a low screen keeps the last of the foot: what can be pressed
            foot = foot[1:]
            room += 1
        if room < FEWEST_ROWS:
            head, foot, room = [], [], self.height
        pages = {Page.EXERCISE: self._exercise, Page.LIST: self._list, Page.HELP: self._help}
        body, scroll = pages[self.state.page](room)
        reach = max(0, len(body) - room)
        shown = self._window(body, reach if scroll == END else min(scroll, reach), room)
        return Picture([*head, *shown, *([[]] * (room - len(shown))), *foot], reach)

    def _window(self, body: list[Row], at: int, room: int) -> list[Row]:
        """Cut `room` rows out of the body; where it goes on, the first or last of them says so."""
        shown = body[at : at + room]
        if room < FEWEST_ROWS:
            return shown
        if at:
            shown[0] = [("", self._say(N_("↑ {count} more"), count=at + 1))]
        below = len(body) - at - room
        if below > 0:
            shown[-1] = [("", self._say(N_("↓ {count} more"), count=below + 1))]
        return shown

    # -------------------------------------------------------------------------------------- around it

    def _head(self) -> list[Row]:
        exercise, lesson = self.state.exercise, self._lesson
        title = self._say(
            N_("lesson {number} · {title} · {name} ({index} of {count})"),
            number=lesson.number,
            title=lesson.title,
            name=exercise.name,
            index=lesson.exercises.index(exercise) + 1,
            count=len(lesson.exercises),
        )
        title += "" if exercise.required else f" · {self._say(N_('more'))}"
        return [*self._wrapped(title, "bold"), self._rule()]

    def _foot(self) -> list[Row]:
        keys = {
            Page.LIST: N_("↑ ↓ or k j move · Enter go there · f all, open, passed · l back"),
            Page.HELP: N_("any key goes back"),
        }.get(self.state.page, N_("h hint · l list · a check all · r reset · n next · p previous · ? help · q quit"))
        return [
            self._rule(),
            *self._progress(),
            *self._wrapped(self._next(), "bold"),
            *self._wrapped(self._broken(), "ansired"),
            *self._wrapped(self._state_of_checks()),
            *self._wrapped(self._news()),
            *self._items(self._say(keys)),
        ]

    def _progress(self) -> list[Row]:
        state, lesson = self.state, self._lesson
        required = [each for each in state.course.exercises if each.required]
        extras = [each for each in state.course.exercises if not each.required]
        passed = self._passed(required)
        words = self._say(
            N_("{passed} of {total} passed · lesson {number}: {here} of {count}"),
            passed=passed,
            total=len(required),
            number=lesson.number,
            here=self._passed(lesson.required),
            count=len(lesson.required),
        )
        if extras:
            words += " · " + self._say(N_("more: {passed} of {total}"), passed=self._passed(extras), total=len(extras))
        full = BAR * passed // max(1, len(required))
        bar = "█" * full + "░" * (BAR - full)
        if BAR + 2 + cell_len(words) <= self.width:
            return [[("ansigreen", bar[:full]), ("", bar[full:]), ("", f"  {words}")]]
        return self._wrapped(words)

    def _next(self) -> str:
        state, verdict = self.state, self.state.verdict
        fields = {"target": state.exercise.target, "file": f"exercises/{self._lesson.file_name}"}
        if verdict is None:
            return ""
        if not verdict.passed:
            mend = (
                N_("Next: change {target} and save.")
                if self._lesson.checkpoint
                else N_("Next: change {target} and save. Stuck? h shows a hint.")
            )
            return self._say(
                N_("Next: write {target} in {file} and save.") if verdict.kind is Kind.NOT_STARTED else mend, **fields
            )
        following = state.following()
        if following is None:
            return self._say(
                N_("Passed, and so is everything else: {total} of {total}."), total=len(state.course.exercises)
            )
        return self._say(
            N_("Passed. Next: {name} ({place}). Press n or Enter when you are ready."),
            name=following,
            place=self._where(state.course.exercise(following)),
        )

    def _broken(self) -> str:
        """What passed before and does not now; the counter alone would not be seen."""
        names = self.state.broken()
        return (
            self._say(
                N_("✗ passed before and does not any more: {names}. l shows the list; Enter goes there."),
                names=", ".join(names),
            )
            if names
            else ""
        )

    def _state_of_checks(self) -> str:
        state = self.state
        if state.fault:
            return self._say(N_("a check could not be made: {why}"), why=code_plain(clean(state.fault)))
        if state.stale:
            return self._say(N_("checking … {count} to go"), count=len(state.stale))
        return self._say(N_("checked {at}"), at=state.checked_at) if state.checked_at else ""

    def _news(self) -> str:
        """A question, or a remark on what was done."""
        state = self.state
        if state.asking is not None:
            key = {
                Ask.RESET: N_(
                    "Take {name} back to its stub? Your version is kept in a backup. y yes · any other key no"
                ),
                Ask.SOLUTION: N_("Show the solution of {name}? y yes · any other key no"),
                Ask.SKIP: N_("{name} has not passed. Press n again to leave it for later and go to {next}."),
            }
            return self._say(key[state.asking], name=state.current, next=state.following() or "")
        return "" if state.note is None else code_plain(clean(state.note.to(self.lang)))

    # ------------------------------------------------------------------------------------------ pages

    def _exercise(self, room: int) -> tuple[list[Row], int]:
        exercise, verdict = self.state.exercise, self.state.verdict
        task = self._labelled(Message("file"), self._where(exercise))
        task += self._labelled(Message("asked"), code_plain(exercise.asks.to(self.lang)))
        judged = self._verdict(verdict) if verdict else self._wrapped(self._say(N_("checking …")))
        hint = self._hint()
        taken = sum(len(rows) + 1 for rows in (task, judged, hint) if rows) + 1
        printed = self._printed(verdict.printed if verdict else "", max(FEWEST_PRINTED, room - taken))
        parts = [rows for rows in (task, judged, printed, hint) if rows]
        return [row for rows in parts for row in ([], *rows)][1:], self.state.scroll

    def _where(self, exercise: Exercise) -> str:
        file = f"exercises/{self.state.course.lesson_of(exercise).file_name}"
        line = self.state.lines.get(exercise.name)
        return file if line is None else f"{file}:{line}"

    def _verdict(self, verdict: Verdict) -> list[Row]:
        if verdict.hint in self.state.exercise.hints:
            verdict = replace(verdict, hint=None)  # a step of the hints is shown on request
        (block,) = blocks([verdict], self.lang)
        first, *more = self._wrapped(block.title + code_plain(block.reason))
        rows = [_styled_start(first[0][1], block.title, STYLES[verdict.kind]), *more]
        asked = Message("asked").to(self.lang)
        for line in block.lines:
            if line.label == asked:
                continue  # it stands above already
            rows += self._labelled(Message.of(line.label), line.plain)
        return rows

    def _printed(self, text: str, most: int) -> list[Row]:
        """What the code printed: below the verdict, as many lines as leave room for the hint."""
        lines = [one_line_kept(line) for line in text.splitlines()]
        if not lines:
            return []
        rows: list[Row] = [[("", self._cut(self._say(N_("your code printed")) + ":"))]]
        if len(lines) > most:
            more = self._say(N_("… {count} more lines"), count=len(lines) - most + 1)
            lines = [*lines[: most - 1], more]
        return rows + [[("", self._cut(f"│ {line}"))] for line in lines]

    def _hint(self) -> list[Row]:
        state = self.state
        if not state.hint:
            return []
        given = hints.give(state.course, state.exercise, state.hint, self.lang, may_solve=True, more="h", confirm="h")
        rows = self._wrapped(given.title, "bold")
        for line in (given.text if given.is_code else code_plain(given.text)).splitlines():
            rows += self._wrapped(line, indent=INDENT)
        return rows + (self._wrapped(given.more) if given.more else [])

    def _list(self, room: int) -> tuple[list[Row], int]:
        state = self.state
        names = set(state.listed())
        key = {Filter.ALL: N_("all"), Filter.OPEN: N_("those still open"), Filter.PASSED: N_("those passed")}
        rows = self._wrapped(self._say(N_("the exercises: {shown}"), shown=Message(key[state.shown])))
        at = 0
        for lesson in state.course.lessons:
            own = [each for each in lesson.exercises if each.name in names]
            if not own:
                continue
            extras = [each for each in lesson.exercises if not each.required]
            count = f"{self._passed(lesson.required)}/{len(lesson.required)}"
            count += f" + {self._passed(extras)}/{len(extras)}" if extras else ""
            rows.append([("bold", self._cut(f"{lesson.number} {lesson.title.to(self.lang)}  {count}"))])
            for each in own:
                at = len(rows) if each.name == state.cursor else at
                rows.append(self._list_row(each))
        if not names:
            rows.append([("", "  " + self._say(N_("none")))])
        return rows, max(0, at - room // 2)

    def _list_row(self, exercise: Exercise) -> Row:
        verdict, chosen = self.state.verdicts.get(exercise.name), exercise.name == self.state.cursor
        sign, kind = (SIGNS[verdict.kind], verdict.kind.to(self.lang)) if verdict else ("…", "")
        here = " ◂" if exercise.name == self.state.current else ""
        more = "" if exercise.required else f" · {self._say(N_('more'))}"
        text = self._cut(f"{'>' if chosen else ' '} {sign} {exercise.name:<18} {kind}{more}{here}")
        return [("reverse" if chosen else "", text)]

    def _help(self, _room: int) -> tuple[list[Row], int]:
        rows: list[Row] = []
        for line in self._say(
            N_(
                "Change an exercise in your editor and save: it is checked at once. Nothing moves on until you say "
                "so.\n\nh  a hint on this exercise; again: the next step\nl  the list of exercises, to go to any of "
                "them\na  check the whole course again\nr  take this exercise back to its stub (asks first, keeps a "
                "backup)\nn  the next exercise that has not passed; Enter does the same after a pass\np  the exercise "
                "before this one\n↑ ↓  or k j: scroll what does not fit\nq  quit; Ctrl-C does the same"
            )
        ).splitlines():
            rows += self._wrapped(line)
        return rows, 0

    # ----------------------------------------------------------------------------------------- pieces

    @property
    def _lesson(self) -> Lesson:
        return self.state.course.lesson_of(self.state.exercise)

    def _passed(self, exercises: Iterable[Exercise]) -> int:
        return sum(self.state.passed(each.name) for each in exercises)

    def _say(self, key: str, **fields: object) -> str:
        return Message(key, **fields).to(self.lang)

    def _rule(self) -> Row:
        return [("", "─" * self.width)]

    def _cut(self, text: str) -> str:
        if cell_len(text) <= self.width:
            return text
        return set_cell_size(text, self.width - 1) + "…"

    def _wrapped(self, text: str, style: str = "", indent: int = 0) -> list[Row]:
        if not text:
            return []
        if cell_len(text) <= self.width - indent:  # as it is: a caret keeps its place
            return [[(style, " " * indent + text)]]
        lines = RichText(text).wrap(self.console, self.width - indent)
        return [[(style, " " * indent + line.plain.rstrip())] for line in lines]

    def _items(self, text: str) -> list[Row]:
        """Break a line between its items only, never inside one."""
        rows, line = [], ""
        for item in text.split(" · "):
            longer = f"{line} · {item}" if line else item
            if line and cell_len(longer) > self.width:
                rows.append(line)
                longer = item
            line = longer
        return [[("", self._cut(each))] for each in [*rows, line]]

    def _labelled(self, label: Message, text: str) -> list[Row]:
        start = f"{'':{INDENT}}{label.to(self.lang):<{LABEL_WIDTH - 1}} "
        rows = self._wrapped(text, indent=len(start))
        if rows:
            rows[0] = [("", start + rows[0][0][1][len(start) :])]
        return rows


def _styled_start(line: str, start: str, style: str) -> Row:
    """A line whose beginning is styled; `start` may be longer than the line."""
    end = min(len(start), len(line))
    return [(style, line[:end]), ("", line[end:])]


def plain(rows: list[Row]) -> str:
    """Rows as text."""
    return "\n".join("".join(text for _, text in row).rstrip() for row in rows)
