"""Break the engine and the solutions on purpose, one small fault at a time, and see whether a test notices.

    python scripts/mutants.py engine [FILE ...]       faults in minitorch/autograd/, killed by pytest
    python scripts/mutants.py solutions [LESSON ...]  faults in solutions/, killed by the lesson's checks
    python scripts/mutants.py report                  tables of the results so far; writes docs/mutation-report.md

The faults are those of Cosmic Ray's operators (`pip install cosmic-ray`), and one that it lacks: a statement removed.
Each is tried in a copy of the repository; the files here are only read. For the engine, a process that has imported
NumPy and pytest forks once a mutant, and the fork imports the mutated package afresh and runs the tests, the quickest
files first, until one fails. For a solution, the course judges the mutated file as a learner's.

Results go to a file, one line a mutant, and a run goes on where the last one ended. A mutant is tried again once its
source file has changed; `--again` tries those again that have survived, after new tests. Mutants that no test can kill,
because they do the same as the original, stand with a reason in scripts/mutants_equivalent.toml.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from mutants_made import Mutant, change, compiles, mutants_of, mutated, same_program
from mutants_pytest import Warm, callers, run_stage

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(tempfile.gettempdir()) / "minitorch-mutants" / "results.jsonl"
EQUIVALENT = Path(__file__).with_name("mutants_equivalent.toml")
REPORT = ROOT / "docs" / "mutation-report.md"
BEGIN, END = "<!-- figures: written by scripts/mutants.py report -->", "<!-- end of figures -->"

CORE = ["node", "declaration", "primitive", "engine", "ledger", "handle"]
CORE += ["row", "function", "in_place", "checkpoint", "scope", "steps"]
AUTOGRAD = "tests/autograd/test_"
# A mutant goes through the stages until a test fails. What kills most stands first.
STAGES = [
    [
        *sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(f"{AUTOGRAD}core_*.py")),
        *(f"{AUTOGRAD}{name}.py" for name in ("accumulation", "backward", "hooks", "hand_made", "calls", "primitive")),
        *(f"{AUTOGRAD}{name}.py" for name in ("scope", "function", "checkpoint", "functional", "gradcheck")),
        *(f"{AUTOGRAD}{name}.py" for name in ("seven_pitfalls", "anomaly", "higher_order", "random_programs")),
        f"{AUTOGRAD}in_place.py",
        "tests/test_tensor.py",
        "tests/test_devices.py",
    ],
    [
        f"{AUTOGRAD}float32.py",
        f"{AUTOGRAD}memory.py",
        "tests/test_error_texts.py",
        "tests/test_numpy_protocol.py",
        "tests/test_scalar.py",
        "tests/ops/test_spellings.py",
        "tests/ops/test_dtypes_and_shapes.py",
        "tests/ops/test_arithmetic_errors.py",
        "tests/ops/test_linalg_errors.py",
        "tests/ops/test_movement_errors.py",
        "tests/ops/test_dropout.py",
        "tests/ops/test_fused_twins.py",
    ],
    [f"{AUTOGRAD}memory_of_training.py", f"{AUTOGRAD}long_chains.py"],
]
PRELOADED = ["numpy", "pytest", "_pytest.assertion.rewrite", "hypothesis", "hypothesis.extra.numpy", "rustworkx"]
NEAR = 6  # lines
MORE_TIME = 2.0  # seconds of CPU time: one test may take so much longer than all of its stage do without a mutant


# ------------------------------------------------------------------------------------------------- results


@cache
def equivalent() -> dict[tuple[str, str, str], str]:
    """Return the mutants that do the same as the original: file, line before and after, and the reason."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]
    return {(one["file"], one["before"], one["after"]): one["reason"] for one in listed}


class Results:
    """One line of JSON for each mutant that was tried; the latest counts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: dict[tuple[str, str, str, int], dict[str, Any]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._take(json.loads(line))

    def _take(self, row: dict[str, Any]) -> None:
        self.rows[row["path"], row["sha"], row["operator"], row["occurrence"]] = row

    def add(self, mutant: Mutant, **found: Any) -> None:
        """Writes one result down at once."""
        row = {
            "path": mutant.path,
            "sha": mutant.sha,
            "operator": mutant.operator,
            "occurrence": mutant.occurrence,
            **found,
        }
        self._take(row)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def open(self, mutants: Iterable[Mutant], again: bool, hurry: float = 0.0) -> list[Mutant]:
        """The mutants that are still to be tried."""
        undone = {"survived"} if again else set()
        undone |= set() if hurry else {"open"}
        equal = equivalent()
        done = {
            key
            for key, row in self.rows.items()
            if row["outcome"] not in undone or (row["path"], row["before"], row["after"]) in equal
        }
        return [mutant for mutant in mutants if mutant.key not in done]


# -------------------------------------------------------------------------------------- the engine, by pytest


def try_engine(names: list[str], results: Results, again: bool, stages: int, hurry: float) -> None:
    """Tries the mutants of files of minitorch/autograd/."""
    for module in PRELOADED:
        importlib.import_module(module)
    from hypothesis import Phase, settings

    settings.register_profile("mutants", phases=[Phase.explicit, Phase.generate], database=None)
    settings.load_profile("mutants")
    with tempfile.TemporaryDirectory(prefix="minitorch-mutants-") as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "work", "node_modules"))
        os.chdir(copy)
        os.environ["PYTHONPATH"] = str(copy)
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        sys.path.insert(0, str(copy))
        gc.freeze()
        limits, calls = [], []
        for number, stage in enumerate(STAGES[:stages]):
            calls.append(callers(stage, Path(folder) / f"callers-{number}.json"))
            found = run_stage(stage, 600.0)
            if found["outcome"] != "survived":
                raise SystemExit(f"the tests fail without any mutant: {found}")
            limits.append(MORE_TIME + found["seconds"])
            print(f"{len(stage)} files of tests: {found['seconds']:.1f} s of CPU time", flush=True)
        paths = [f"minitorch/autograd/{name}.py" for name in names]
        sources = {path: (copy / path).read_text(encoding="utf-8") for path in paths}
        everything = [{test for names in stage.values() for test in names if test} for stage in calls]
        waiting = results.open([mutant for path in paths for mutant in mutants_of(path, copy)], again, hurry)
        random.Random(0).shuffle(waiting)  # so that a run that is cut short is a fair sample
        waiting.sort(key=lambda mutant: mutant.key not in results.rows)  # what was put aside goes first
        warm = Warm(STAGES[0])
        for number, mutant in enumerate(waiting, start=1):
            path, source = mutant.path, sources[mutant.path]
            text = mutated(source, mutant)
            what = change(source, text)
            chosen = [tests_that_call(around(source, what["line"]), path, each) for each in calls]
            first = likely_killers(results, path, what["line"], everything)
            found = None
            if not compiles(text):
                found = {"outcome": "not run", "killer": "", "seconds": 0.0}
            else:
                some = everything[0] if chosen[0] is None else chosen[0]
                found = warm.run(path, text, some, first, limit=limits[0], hurry=hurry)
                if chosen[0] is None and found is not None and found["outcome"] == "survived":
                    found = None  # the package was imported before the code was exchanged
            spent = found["seconds"] if found else 0.0
            left = list(zip(STAGES, limits, chosen, strict=False))[1 if found else 0 :]
            if (found is None or found["outcome"] == "survived") and same_program(source, text):
                found = {"outcome": "not run", "killer": "", "seconds": 0.0}
            with in_place_of(copy / path, text, number):
                for stage, limit, some in left:
                    if found is None or found["outcome"] == "survived":
                        found = run_stage(stage, limit, some, first)
                        spent += found["seconds"]
            assert found is not None
            results.add(mutant, **{**found, "seconds": round(spent, 2)}, **what)
            if found["outcome"] == "survived" or number % 50 == 0:
                print(f"{number}/{len(waiting)} {results.rows[mutant.key]}", flush=True)
        warm.close()


def likely_killers(results: Results, path: str, line: int, tests: Iterable[set[str]]) -> Counter[str]:
    """Return what to try first: the tests that killed near the line, then elsewhere in the file, then its own tests."""
    stem = Path(path).stem
    found = Counter(test for some in tests for test in some if test.partition("::")[0].endswith(f"test_{stem}.py"))
    for row in results.rows.values():
        if row["path"] == path and row["outcome"] == "killed":
            found[row["killer"]] += 1000 if abs(row["line"] - line) <= NEAR else 2
    return found


class in_place_of:  # noqa: N801 (reads as a sentence)
    """The file holds `text` inside; its time of change is one that no compiled file has been made for."""

    def __init__(self, path: Path, text: str, number: int) -> None:
        self.path, self.text, self.number = path, text, number
        self.original, self.times = path.read_bytes(), path.stat()

    def __enter__(self) -> None:
        self.path.write_text(self.text, encoding="utf-8")
        os.utime(self.path, (self.number, self.number))

    def __exit__(self, *_: object) -> None:
        self.path.write_bytes(self.original)
        os.utime(self.path, ns=(self.times.st_atime_ns, self.times.st_mtime_ns))


def around(source: str, line: int) -> list[int]:
    """Return the first lines of the functions that a line stands in."""
    return [first for first, last in functions_of(source) if first <= line <= last]


@lru_cache(maxsize=16)
def functions_of(source: str) -> list[tuple[int, int]]:
    """Return first and last line of each function, decorators counted as Python does."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            found.append((first, node.end_lineno or first))
    return found


def tests_that_call(functions: list[int], path: str, calls: dict[str, list[str]]) -> set[str] | None:
    """Return the tests that call one of the functions; None for all: the line runs when the package is imported."""
    found = set(calls.get("", []))  # tests that look at every call themselves: nobody knows what these call
    for first in functions:
        tests = calls.get(f"{path}:{first}", [])
        if "" in tests:
            return None
        found.update(tests)
    return found if functions else None


# --------------------------------------------------------------------------- the solutions, by the course's judge


def try_solutions(numbers: list[str], results: Results, again: bool) -> None:
    """Tries the mutants of exercises in solutions. What a lesson gives is no learner's work, and is left out."""
    from minitorch.course import manifest
    from minitorch.course.files import source_code

    for lesson in manifest.load().lessons:
        if numbers and lesson.number not in numbers:
            continue
        source = lesson.solution_source()
        path = f"solutions/{lesson.file_name}"
        spans = {each.name: source_code.find(source, each.target) for each in lesson.exercises}
        for mutant in results.open(mutants_of(path, ROOT), again):
            text = mutated(source, mutant)
            difference = change(source, text)
            line = difference["line"]
            name = next((name for name, span in spans.items() if span and span.first <= line <= span.last), "")
            if not name or not compiles(text) or same_program(source, text):
                results.add(mutant, outcome="not run", killer="", seconds=0.0, **difference)
                continue
            start = time.monotonic()
            kind = verdict_on(lesson, text, name)
            outcome = "survived" if kind.passed else "time" if kind.name == "TIMEOUT" else "killed"
            spent = round(time.monotonic() - start, 2)
            results.add(mutant, outcome=outcome, killer=f"{name}: {kind.value}", seconds=spent, **difference)
            if kind.passed:
                print(results.rows[mutant.key], flush=True)


def verdict_on(lesson: Any, text: str, exercise: str) -> Any:
    """Return the kind of the verdict on one exercise of a file given as text."""
    from minitorch.course.files.learner_file import LearnerFile
    from minitorch.course.judging.judge import FileJudge

    with FileJudge(lesson, LearnerFile.of(text, lesson.file_name)) as judge:
        return judge.verdict(exercise).kind


# -------------------------------------------------------------------------------------------------- report


def report(results: Results) -> str:
    """Return the tables of the latest results of the files as they are now, and the list of what survived."""
    equal = equivalent()
    possible = {
        mutant.key
        for path in {row["path"] for row in results.rows.values()}
        if (ROOT / path).exists()
        for mutant in mutants_of(path, ROOT)
    }
    rows = [{**row} for key, row in results.rows.items() if key in possible]
    for row in rows:
        if row["outcome"] in {"survived", "open"} and (row["path"], row["before"], row["after"]) in equal:
            row["outcome"] = "equivalent"
    never = Counter(row["path"] for row in rows if row["outcome"] == "not run")
    rows = [row for row in rows if row["outcome"] not in {"not run", "open"}]
    left = Counter(key[0] for key in possible) - never - Counter(row["path"] for row in rows)
    parts = []
    for title, folder in (("The engine", "minitorch/"), ("The solutions", "solutions/")):
        of_part = [row for row in rows if row["path"].startswith(folder)]
        parts += [f"## {title}\n", _table(of_part, never, left), ""]
    parts += ["## By operator\n", _by_operator(rows), ""]
    parts += ["## Equivalent mutants\n", *_listed(rows, "equivalent", equal), ""]
    parts += ["## Survivors\n", *_listed(rows, "survived", {}), ""]
    return "\n".join(parts)


def _table(rows: list[dict[str, Any]], never: Counter[str], left: Counter[str]) -> str:
    lines = ["| file | tried | killed | of them by time | equivalent | survived | killed of the others | not tried |"]
    lines.append("|---|---:|---:|---:|---:|---:|---:|---:|")
    paths = sorted({row["path"] for row in rows})
    for name, chosen in [*((path, [path]) for path in paths), ("**together**", paths)]:
        count = Counter(row["outcome"] for row in rows if row["path"] in chosen)
        killed, real = count["killed"] + count["time"], count.total() - count["equivalent"]
        share = f"{100 * killed / real:.1f} %" if real else "–"
        figures = [count.total(), killed, count["time"], count["equivalent"], count["survived"], share]
        figures.append(sum(left[path] for path in chosen))
        shown = f"`{name}`" if name in paths else name
        lines.append(f"| {shown} | {' | '.join(map(str, figures))} |")
    aside = sum(never[path] for path in paths)
    lines += [
        "",
        f"{aside} more change nothing that runs, are no program, or stand in what a lesson gives: left aside.",
    ]
    return "\n".join(lines)


def _by_operator(rows: list[dict[str, Any]]) -> str:
    def family(name: str) -> str:
        return re.sub(r"^(Replace(?:Binary|Comparison|Unary)Operator)_.*", r"\1", name)

    lines = ["| operator | mutants | survived, equivalent ones aside |", "|---|---:|---:|"]
    total = Counter(family(row["operator"]) for row in rows)
    survived = Counter(family(row["operator"]) for row in rows if row["outcome"] == "survived")
    lines += [f"| {name} | {count} | {survived[name]} |" for name, count in total.most_common()]
    return "\n".join(lines)


def _listed(rows: list[dict[str, Any]], outcome: str, reasons: dict[tuple[str, str, str], str]) -> list[str]:
    lines = []
    for row in sorted(rows, key=lambda row: (row["path"], row["line"], row["after"])):
        if row["outcome"] == outcome:
            reason = reasons.get((row["path"], row["before"], row["after"]))
            lines.append(
                f"- `{row['path']}:{row['line']}` `{row['before']}` → `{row['after']}`"
                + (f": {reason}" if reason else "")
            )
    return lines or ["None."]


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["engine", "solutions", "report"])
    parser.add_argument("names", nargs="*", help="modules of minitorch/autograd/, or numbers of lessons; all if none")
    parser.add_argument("--results", type=Path, default=RESULTS, help=f"the file of results (default {RESULTS})")
    parser.add_argument("--again", action="store_true", help="try those again that have survived")
    parser.add_argument("--hurry", type=float, default=0.0, help="leave mutants open that take more seconds than this")
    parser.add_argument(
        "--stages", type=int, default=len(STAGES), help="of the tests of the engine, the quickest first"
    )
    given = parser.parse_args()
    results = Results(given.results)
    if given.what == "engine":
        try_engine(given.names or CORE, results, given.again, given.stages, given.hurry)
    elif given.what == "solutions":
        try_solutions(given.names, results, given.again)
    else:
        before, rest = REPORT.read_text(encoding="utf-8").split(BEGIN)
        after = rest.split(END)[1]
        REPORT.write_text(f"{before}{BEGIN}\n\n{report(results)}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
