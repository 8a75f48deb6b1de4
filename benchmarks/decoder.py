"""What a decoder makes of frames that nobody wrote: `python -m benchmarks.decoder`, a million of them, minutes.

Frames of many kinds of values are changed at random: bytes flipped, cut out, doubled, put in; header trees with nodes
replaced by odd ones, dropped, doubled, nested. Each goes through what the judge does with an answer of a child. It must
become an outcome or a `WireError`, in 50 ms and 64 MB at most. CPU time of each is taken; of the memory, how far the
process's largest size ever rises above where it stood.

`python -m benchmarks.decoder 10000 7` takes ten thousand, with another seed.
"""

from __future__ import annotations

import copy
import io
import json
import random
import resource
import sys
import time
from collections import Counter
from typing import Any

import numpy as np

from minitorch.course.sandbox import wire
from minitorch.course.sandbox.outcome import ANSWERS, from_answer

FRAMES, SEED = 1_000_000, 0
GOAL_MS, GOAL_MB = 50, 64
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1 << 31, 1 << 64, 1 << 300, 1e308, float("nan"), "", "a", "l", "d", "<f8", "|O", "\x00"),
    *([], {}, ["l"], ["a", "<f8", [1 << 40]], ["a", "<f8", [0, 1 << 40]], ["a", "|b1", [-1]], ["t", ["t", ["t"]]]),
    *(["d", [["l"], 1]], ["o", "x" * 1000], ["c", 1.0], ["c", float("inf"), 2.0], [["l"]], "x" * 10_000),
)
VALUES: tuple[Any, ...] = (
    *(None, 1.5, -3, "text", True, [1.0, [2.0, (3, "x")], {}], {"y": [1, 2], "z": (None,)}, complex(1, 2), 1 << 200),
    *(np.arange(6.0).reshape(2, 3), np.zeros((0, 4)), np.ones((), np.float32), np.arange(5, dtype=np.int8)),
    {"y": np.arange(60.0).reshape(3, 4, 5), "grad": [np.ones(7), None], "kinds": ["float", "ndarray"]},
)


def seeds() -> list[tuple[dict[str, Any], bytes]]:
    """Right answers of a child, of each kind there is."""
    found = []
    for value in VALUES:
        tree, body = wire.encode(value)
        found.append(({"is": "value", "value": tree, "id": "x" * 16}, body))
    frames = [[3, "f"], [9, "g.<locals>.h"]]
    found.append(({"is": "raised", "type": "ValueError", "text": "no", "frames": frames, "id": "x"}, b""))
    found.append(({"is": "syntax", "text": "no", "line": 3, "column": 1, "id": "x"}, b""))
    return [*found, ({"is": "loaded", "patched": ["len"], "id": "x"}, b"")]


def places(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all nodes of a header."""
    rows = enumerate(tree) if isinstance(tree, list) else tree.items() if isinstance(tree, dict) else ()
    return [path, *(place for key, value in rows for place in places(value, (*path, key)))]


def bent(header: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A header with one to three of its nodes changed."""
    header = copy.deepcopy(header)
    for _ in range(chance.randint(1, 3)):
        *way, last = chance.choice(places(header)[1:] or [("is",)])
        inside: Any = header
        for key in way:
            inside = inside[key]
        act = chance.random()
        if act < 0.6:
            inside[last] = copy.deepcopy(chance.choice(ODD))
        elif act < 0.75:
            del inside[last]
        elif act < 0.9 and isinstance(inside, list):
            inside.insert(chance.randrange(len(inside) + 1), copy.deepcopy(inside[last]))
        else:
            for _ in range(chance.choice((1, 30, 500))):
                inside[last] = [inside[last]]
            return header  # deeper than the next change could be looked for
    return header


def broken(data: bytes, chance: random.Random) -> bytes:
    """Bytes with one to four places changed."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(changed) + 1)
        act = chance.random()
        if act < 0.6 and changed:
            changed[at % len(changed)] = chance.randrange(256)
        elif act < 0.75:
            del changed[at : at + chance.randint(1, 40)]
        elif act < 0.9:
            changed[at:at] = changed[at : at + chance.randint(1, 40)]
        else:
            changed[at:at] = chance.randbytes(chance.randint(1, 40))
    return bytes(changed)


def mutated(header: dict[str, Any], body: bytes, chance: random.Random) -> bytes:
    """One frame that nobody wrote."""
    if chance.random() < 0.5:
        text = json.dumps(bent(header, chance)).encode("ascii")
        data = wire.HEAD.pack(wire.MAGIC, len(text), len(body)) + text + body
        return data if chance.random() < 0.8 else broken(data, chance)
    return broken(wire.frame(header, body), chance)


def judged(data: bytes, to: str) -> str:
    """What the judge makes of it: the kind of the outcome, or why it is none."""
    try:
        answer = wire.read_frame(io.BytesIO(data))
        return from_answer(*answer, to=to).kind if answer else "the end"
    except wire.WireError:
        return "refused"


def main(count: int, seed: int) -> None:
    """Take `count` frames, and say what became of them."""
    chance, right, ends = random.Random(seed), seeds(), Counter[str]()
    longest = 0.0
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(count):
        header, body = chance.choice(right)
        asked = "load" if header["is"] in ("loaded", "syntax") else "call"
        data, to = mutated(header, body, chance), asked if chance.random() < 0.9 else chance.choice([*ANSWERS])
        start = time.process_time()
        end = judged(data, to)
        longest = max(longest, time.process_time() - start)
        ends[end] += 1
    risen = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{count} frames: {dict(ends.most_common())}")
    print(f"longest {1000 * longest:.1f} ms (goal {GOAL_MS}), largest size risen by {risen:.1f} MB (goal {GOAL_MB})")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]), *(FRAMES, SEED)[len(sys.argv) - 1 :])
