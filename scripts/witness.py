"""Records what the second edition does, and names what differs since: a move or a deletion loses nothing in silence.

    python scripts/witness.py compare [--only PART]   # a line for each difference; exit 1 where there is one
    python scripts/witness.py record                  # tests/witness/edition2.json.xz anew, with the code of today

second    gradients of gradients of every operation, on a few well-behaved inputs of float64
in_place  every method of Tensor and every function whose name ends in _, and `inplace=True`: values, dtype, gradients
methods   every public method of Tensor: its parameters; values, dtype and gradients of plain calls
pickles   layers, optimisers, schedulers, distributions, Tensors and generators as pickles, and what they do when loaded
types     what `mypy --strict` says of the files of a user in tests/witness/user_files
pages     the pages of the interface, and the names that stand there

Every call is recorded as a text and its result: `compare` evaluates the texts (scripts/witness_calls.py), and imports
public modules alone. A guess that raises is not recorded, for an error that becomes a result is no loss; a line of
tests/witness/calls.txt that raises is. Recording asks an installed PyTorch for names that stand in no `dir()`.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import importlib
import importlib.util
import inspect
import itertools
import json
import lzma
import pickle
import re
import subprocess
import sys
import tempfile
import tomllib
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from witness_calls import FACES, evaluated, first_order, second_order, unpickled

import minitorch as mt

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "witness"
RECORD = FOLDER / "edition2.json.xz"
EXPLAINED = RECORD.with_name("explained.toml")
NEAR = {"float16": 2e-3, "float32": 2e-6}  # by dtype; float64 is compared within 1e-12
FIRST = list("mupsvtlcezibfhqk")
OTHERS = [*"nwpsvtzkqbjlc", "2", "0.5", "(k,)"]
# What a parameter of that name is given, by the first of these that works. A name that is absent is given a Tensor.
GIVEN: dict[str, list[str]] = {
    name: values.split(";")
    for name, _, values in (
        line.strip().partition(": ")
        for line in (FOLDER / "arguments.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    )
}
LEFT_OUT = re.compile(r"empty|seed|^set_|^save$|^load$|rng_state|^_|memory|synchronize|compile|printoptions")


def public(face: str) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of a module that it defines; with PyTorch installed, the hidden ones too."""
    module = importlib.import_module(face)
    names = set(dir(module)) | set(getattr(module, "__all__", ()))
    with contextlib.suppress(ImportError):
        names |= set(dir(importlib.import_module("torch" + face.removeprefix("minitorch"))))
    for name in sorted(names):
        thing = getattr(module, name, None)
        home = getattr(thing, "__module__", None) or ""
        if not LEFT_OUT.search(name) and callable(thing) and home.startswith("minitorch"):
            yield name, thing


def parameters(thing: Any) -> list[inspect.Parameter]:
    """Return the parameters of a call; none where Python does not know them."""
    try:
        return list(inspect.signature(thing).parameters.values())
    except (TypeError, ValueError):
        return []


def arguments(wanted: list[inspect.Parameter]) -> Iterator[str]:
    """Yield texts of arguments for the parameters that a call needs, the likeliest first."""
    needed = []
    for number, each in enumerate(wanted):
        variadic = each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        if (variadic and f"*{each.name}" not in GIVEN) or (not variadic and each.default is not each.empty):
            continue
        values = GIVEN.get(f"*{each.name}" if variadic else each.name, OTHERS if number else FIRST)
        needed.append([f"{each.name}={v}" if each.kind is each.KEYWORD_ONLY else v for v in values])
    for chosen in itertools.islice(itertools.product(*needed), 400):
        yield ", ".join(each for each in chosen if each)


def fine(entry: Any) -> bool:
    """Return whether all numbers of an entry are finite and it holds some."""
    text = json.dumps(entry)
    return '"value"' in text or ('"dtype"' in text and not re.search(r"\b(?:nan|inf)\b", text))


def works(texts: Iterable[str], how: Callable[[str], Any], most: int) -> dict[str, Any]:
    """Return text -> entry of the first texts that give a result of finite numbers."""
    found: dict[str, Any] = {}
    for text in texts:
        try:
            entry = how(text)
        except Exception:  # noqa: BLE001 (a guess: whatever it raises, it is no call to record)
            continue
        if fine(entry):
            found[text] = entry
            if len(found) == most:
                break
    return found


def calls(form: str, wanted: list[inspect.Parameter], how: Callable[[str], Any], most: int = 1) -> dict[str, Any]:
    """Return calls of one function that work: with what it needs, and with each of its options in turn."""
    lead = "" if form.endswith("({})") else ", "  # behind an argument that stands in the form
    texts = [form.format(lead * bool(args) + args) for args in arguments(wanted)]
    found = works(texts, how, most)
    plain = next(iter(found), texts[0])[:-1]
    comma = "" if plain.endswith("(") else ", "
    for each in wanted:
        if each.default is not each.empty and each.name in GIVEN:
            found |= works((f"{plain}{comma}{each.name}={value})" for value in GIVEN[each.name]), how, 1)
    return found


def by_hand(part: str, how: Callable[[str], Any]) -> dict[str, Any]:
    """Return the entries of the lines that tests/witness/calls.txt has for a part; of one that raises, the error."""
    return {text: attempted(text, how) for text in hand_written(part)}


def attempted(text: str, how: Callable[[str], Any]) -> dict[str, Any]:
    """Return the entry of a text, or the error that it raises."""
    try:
        entry: dict[str, Any] = how(text)
        return entry
    except Exception as error:  # noqa: BLE001 (it is recorded)
        return {"raises": type(error).__name__, "why": str(error).partition("\n")[0]}


def hand_written(part: str) -> list[str]:
    """Return the lines of tests/witness/calls.txt below the heading of a part."""
    text = (FOLDER / "calls.txt").read_text(encoding="utf-8")
    return next(s.split("\n", 1)[1].strip().splitlines() for s in text.split("## ") if s.startswith(part + "\n"))


# --------------------------------------------------------------------------------------------------- parts


def record_second() -> dict[str, Any]:
    """Record the operations of every module of functions that have a gradient."""
    found: dict[str, Any] = {}
    for face in ("minitorch", "minitorch.nn.functional", "minitorch.linalg", "minitorch.special"):
        short = {"minitorch.nn.functional": "F"}.get(face, face.replace("minitorch", "mt"))
        for name, thing in public(face):
            if not inspect.isclass(thing):
                found |= calls(f"{short}.{name}({{}})", parameters(thing), second_order)
    found |= by_hand("second", second_order)
    return {text: entry for text, entry in found.items() if entry["grads"]}


def record_in_place() -> dict[str, Any]:
    """Record every method and function whose name ends in _, and functions and layers with `inplace`."""
    found: dict[str, Any] = {}
    for name in dir(mt.Tensor):
        if name.endswith("_") and not name.startswith("_"):
            wanted = parameters(getattr(mt.Tensor, name))[1:]
            for operand in ("m", "u", "p", "s", "i", "b", "f", "h"):
                found |= calls(f"{operand}.clone().{name}({{}})", wanted, first_order)
    for short, face in (("mt", "minitorch"), ("F", "minitorch.nn.functional"), ("nn.init", "minitorch.nn.init")):
        for name, thing in public(face):
            wanted = parameters(thing)
            if name.endswith("_"):
                found |= calls(f"{short}.{name}(m.detach(){{}})", wanted[1:], first_order)
            elif any(each.name == "inplace" for each in wanted) and not inspect.isclass(thing):
                found |= works([f"{short}.{name}(m.clone(), inplace=True)"], first_order, 1)
    return found | by_hand("in_place", first_order)


def record_methods() -> dict[str, Any]:
    """Record which methods a Tensor has, how they may be called, and what plain calls return."""
    found: dict[str, Any] = {}
    known: dict[str, list[str]] = {}
    for name in sorted(set(dir(mt.Tensor)) - set(dir(object))):
        thing = inspect.getattr_static(mt.Tensor, name)
        if name.startswith("_") and not (name.startswith("__") and callable(thing)):
            continue
        known[name] = [each.name for each in parameters(getattr(mt.Tensor, name))[1:]]
        if LEFT_OUT.search(name) or name.endswith("_"):
            continue
        if isinstance(thing, property) or not callable(getattr(mt.Tensor, name)):
            found |= works((f"{operand}.{name}" for operand in ("m", "s", "i", "h")), first_order, 4)
            continue
        wanted = parameters(getattr(mt.Tensor, name))[1:]
        floats = 0
        for operand in ("m", "u", "s", "p", "v", "t", "i", "b", "f", "h"):
            if operand in "mustvp" and floats == 2:
                continue
            made = calls(f"{operand}.{name}({{}})", wanted, first_order)
            floats += bool(made) and operand in "mustvp"
            found |= made if operand in "mus" else dict(itertools.islice(made.items(), 1))
    found |= by_hand("methods", first_order)
    return {"calls": found, "parameters": known}


# -------------------------------------------------------------------------------------------------- pickles


def pickled(text: str) -> dict[str, Any]:
    """Return a pickle of what the first half of a text makes, and the result of the second half on it."""
    made, then = text.split(" | ")
    data = pickle.dumps(evaluated(made)[0])
    return {"pickle": base64.b64encode(data).decode(), **unpickled(then, data)}


def record_pickles() -> dict[str, Any]:
    """Record a pickle of each layer and optimiser, of the lines in calls.txt, and where functions and classes stand."""
    optimizers = [f"trained(optim.{name}) | went_on(*it)" for name, _ in public("minitorch.optim")]
    found = works(hand_written("pickles") + optimizers, pickled, -1)
    inputs = [*"flce", "l.float()", "c.float()", "e.float()", "q", "m, n", "u, w", "f, k", "m, b * 2 - 1", "m, q"]
    inputs += ["m, n, w", "m, n, k * 2 - 1"]
    for name, thing in public("minitorch.nn"):
        if inspect.isclass(thing) and not any(text.startswith(f"nn.{name}(") for text in found):
            made = (f"nn.{name}({args})" for args in arguments(parameters(thing)))
            texts = [f"{one} | (it({x}), it.eval()({x}))" for one in itertools.islice(made, 40) for x in inputs]
            found |= works(texts, pickled, 1)
    places = {
        f"{face}.{name}": f"{thing.__module__} {thing.__qualname__}"
        for face in FACES
        for name, thing in public(face)
        if hasattr(thing, "__qualname__") and "<" not in thing.__qualname__
    }
    return {"objects": found, "places": {name: place for name, place in places.items() if at(place) is not None}}


def at(place: str) -> Any:
    """Return what a pickle loads for a module and a name; None where there is no such thing."""
    module, name = place.split()
    code = f"\x80\x04V{module}\nV{name}\n\x93."  # two texts (V), and the global that they name (\x93), of protocol 4
    try:
        return pickle.loads(code.encode("latin-1"))
    except (AttributeError, ImportError):
        return None


# ------------------------------------------------------------------------------------------- types and pages


def record_types() -> dict[str, Any]:
    """Record what mypy says of each file of a user, without the modules in which the types are defined."""
    files = sorted((FOLDER / "user_files").glob("*.py"))
    command = [sys.executable, "-m", "mypy", "--strict", *(str(path.relative_to(ROOT)) for path in files)]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    if done.returncode > 1 or "No module named mypy" in done.stderr:
        raise SystemExit(f"mypy did not run: {done.stdout}{done.stderr}")
    said: dict[str, list[str]] = {path.name: [] for path in files}
    for line in done.stdout.splitlines():
        path, _, text = line.partition(":")
        if Path(path).name in said and Path(path).parent.name == "user_files":
            said[Path(path).name].append(re.sub(r"\b(?:\w+\.)+(?=[A-Za-z_])", "", text))
    return said


def members_of(thing: type, base: str) -> set[str]:
    """Return the names of what a class defines, and its bases before the one of that name; without a name, no base."""
    bases = thing.__mro__ if base else (thing,)
    own = list(itertools.takewhile(lambda each: each.__name__ != base, bases))
    return {member for each in own for member in vars(each)}


def record_pages() -> dict[str, Any]:
    """Record the files of the site's pages of the interface, and the names and members that stand there."""
    spec = importlib.util.spec_from_file_location("api_pages", ROOT / "site" / "api_pages.py")
    assert spec is not None
    assert spec.loader is not None
    api_pages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(api_pages)
    pages, names = [], set()
    with tempfile.TemporaryDirectory() as folder:
        api_pages.write(Path(folder) / "api")
        for page in sorted((Path(folder) / "api").iterdir()):
            pages.append(page.name)
            text = page.read_text(encoding="utf-8")
            module = next(iter(re.findall(r"currentmodule:: (\S+)", text)), "")
            entries = r"^\.\. (autoclass|autofunction|py:data):: (\S+)(?:\n   :members:\n   :inherited-members: (\w+))?"
            for kind, name, base in re.findall(entries, text, re.MULTILINE):
                names.add(f"{module}.{name}")
                if kind == "autoclass":
                    thing = getattr(importlib.import_module(module), name)
                    shown = (
                        each
                        for each in members_of(thing, base)
                        if not each.startswith("_") and getattr(thing, each).__doc__
                    )
                    names |= {f"{module}.{name}.{each}" for each in shown}
    return {"pages": pages, "names": sorted(names)}


# -------------------------------------------------------------------------------------------------- compare


def same(was: Any, now: Any) -> bool:
    """Return whether a result is the recorded one; numbers as near as their dtype allows."""
    if isinstance(was, list):
        return isinstance(now, list) and len(was) == len(now) and all(map(same, was, now))
    if not (isinstance(was, dict) and "dtype" in was and isinstance(now, dict)):
        return bool(was == now)
    if (was["dtype"], was["shape"]) != (now.get("dtype"), now.get("shape")):
        return False
    near = NEAR.get(was["dtype"], 1e-12)
    a, b = (np.array([float(x) for x in each["v"].split()]) for each in (was, now))
    return np.allclose(a, b, rtol=near, atol=near, equal_nan=True)


def differing(was: dict[str, Any], how: Callable[[str], Any]) -> Iterator[str]:
    """Yield a line for each recorded call whose result is another one now."""
    words = {"out": "value", "grads": "gradient", "second": "second gradient"}
    for text, entry in was.items():
        now = attempted(text, how)
        if "raises" in now and "raises" not in entry:
            yield f"no result any more: {text}: {now['raises']}: {now['why']}"
        elif now.get("raises") != entry.get("raises"):
            yield f"another refusal: {text}: {entry['raises']} became {now.get('raises', 'a result')}"
        else:
            yield from (
                f"another {words[key]}: {text}" for key in words if key in entry and not same(entry[key], now[key])
            )


def compare_methods(was: dict[str, Any]) -> Iterator[str]:
    """Yield what Tensor has lost, and calls with another result."""
    for name, wanted in was["parameters"].items():
        if not hasattr(mt.ones(2, 2), name):
            yield f"method gone: Tensor.{name}"
            continue
        have = parameters(getattr(mt.Tensor, name, None))
        lost = set(wanted) - {each.name for each in have}
        if lost and not any(each.kind is each.VAR_KEYWORD for each in have):
            yield f"parameters gone: Tensor.{name}: {', '.join(sorted(lost))}"
    yield from differing(was["calls"], first_order)


def compare_pickles(was: dict[str, Any]) -> Iterator[str]:
    """Yield pickles that load no more or do something else, and functions that no pickle finds any more."""
    data = {text: base64.b64decode(entry["pickle"]) for text, entry in was["objects"].items()}
    yield from differing(was["objects"], lambda text: unpickled(text.split(" | ")[1], data[text]))
    for name, place in was["places"].items():
        if at(place) is None or at(place) is not at(" ".join(name.rsplit(".", 1))):
            yield f"a pickle finds no more: {name}, as {place.replace(' ', '.')}"


def compare_types(was: dict[str, Any]) -> Iterator[str]:
    """Yield lines that mypy says now and did not say, or no longer says."""
    now = record_types()
    for name, lines in was.items():
        for line in sorted(set(lines) ^ set(now.get(name, []))):
            yield f"mypy {'said' if line in lines else 'says'}: {name}:{line}"


def compare_pages(was: dict[str, Any]) -> Iterator[str]:
    """Yield pages and names that are gone."""
    now = record_pages()
    for kind in ("pages", "names"):
        yield from (f"{kind.removesuffix('s')} gone: {each}" for each in was[kind] if each not in set(now[kind]))


PARTS: dict[str, tuple[Callable[[], Any], Callable[[Any], Iterator[str]]]] = {
    "second": (record_second, lambda was: differing(was, second_order)),
    "in_place": (record_in_place, lambda was: differing(was, first_order)),
    "methods": (record_methods, compare_methods),
    "pickles": (record_pickles, compare_pickles),
    "types": (record_types, compare_types),
    "pages": (record_pages, compare_pages),
}


def main() -> int:
    """Record, or print what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("record", help="write the record anew")
    compare = commands.add_parser("compare", help="print what differs from the record")
    compare.add_argument("--only", choices=PARTS, help="one part")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    if chosen.command == "record":
        text = json.dumps(
            {name: record() for name, (record, _) in PARTS.items()}, separators=(",", ":"), sort_keys=True
        )
        RECORD.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
        return 0
    was = recorded()
    meant = explained()
    found = [line for name in ([chosen.only] if chosen.only else PARTS) for line in PARTS[name][1](was[name])]
    if importlib.util.find_spec("scipy") is None:  # nobody said that the calls that need it give results without it
        found = [line for line in found if not line.endswith('needs SciPy: pip install "minitorch-course[scipy]"')]
    lines = [line for line in found if line not in meant]
    if not chosen.only:
        lines += [f"explained, but no difference: {line}" for line in meant if line not in found]
    print(*lines, f"{len(lines)} differences from {RECORD.relative_to(ROOT)}", sep="\n")
    return 1 if lines else 0


def explained() -> dict[str, str]:
    """Return the differences that are meant, each with its reason."""
    found: dict[str, str] = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    return found


def recorded() -> dict[str, Any]:
    """Return the record."""
    found: dict[str, Any] = json.loads(lzma.decompress(RECORD.read_bytes()))
    return found


if __name__ == "__main__":
    sys.exit(main())
