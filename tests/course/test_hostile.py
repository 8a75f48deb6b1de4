"""Learner's files that mean harm, or do it by accident: to the channel, to the checker, to the file's other functions.

`judged` also makes sure that the other functions of the file still pass, and that a verdict takes six lines.
"""

from __future__ import annotations

import sys
import tempfile
import time

import pytest
from effort import HANG_S

from minitorch.course.cards.report import blocks
from minitorch.course.judging.verdict import Kind

pytestmark = pytest.mark.gate
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs what POSIX offers")
FORGE = """
import os, sys, threading, time

def served():
    frame = sys._getframe()
    while frame.f_code.co_name != "serve":
        frame = frame.f_back
    return frame.f_locals

def send(answer=None, data=None):
    known, wire = served(), sys.modules["wire"]
    os.write(known["answers"], data or wire.frame({"id": known["header"]["id"], **answer}))

"""


@pytest.mark.parametrize(
    "answer",
    [
        {"is": "loaded"},
        {"is": "settled"},
        {"is": ["value"]},
        {"is": "syntax", "text": "x", "line": 1, "column": 10**12},
        {"is": "raised", "type": "E", "frames": [[10**4000, "double"]]},
        {"is": "raised", "type": "E", "frames": [[-1, "double"]]},
        {"is": "raised", "type": {}, "frames": []},
        {"is": "value", "value": ["a", "<f8", [0, 1 << 26, 1 << 26, 1 << 26]]},
    ],
)
def test_an_answer_forged_under_the_right_name_ends_in_an_error(judged, answer):
    verdict = judged(f"{FORGE}def double(x):\n    send({answer})\n    return 2 * x\n")
    assert verdict.kind is Kind.ERROR
    assert "nothing it sent there counts" in verdict.reason.to("en")


@pytest.mark.parametrize(
    "answer",
    [{"is": "value", "value": 6.0}, {"is": "settled"}, {"is": "syntax", "text": "x", "line": 1, "column": 10**12}],
)
def test_what_is_forged_while_the_file_is_loaded_stands_for_no_call(judge, answer):
    verdicts = judge(f"{FORGE}send({answer})\ndef double(x):\n    return 2 * x\n")
    assert {verdict.kind for verdict in verdicts.values()} == {Kind.ERROR}
    assert max(map(len, blocks(list(verdicts.values()), "en")[0].text_lines())) < 250


def test_a_forged_dump_with_a_line_number_without_end(judged):
    dump = b'Timeout (0:00:02)!\\n  File "lesson_01_tiny.py", line %s in double\\n'.decode() % ("9" * 5000)
    verdict = judged(f"{FORGE}def double(x):\n    send(data=b'{dump}')\n    os._exit(0)\n")
    assert verdict.kind is Kind.TIMEOUT


def test_half_a_frame_sent_late_is_waited_for_once_and_costs_no_other_function(judged):
    start = time.monotonic()
    half = "b'mtw1' + bytes(7) + b'\\1'"
    late = f"threading.Thread(target=lambda: (time.sleep(0.001), os.write(answers, {half}))).start()"
    case = f"    if x < 0:\n        answers = served()['answers']\n        {late}\n"
    judged(f"{FORGE}def double(x):\n{case}    return 2 * x\n")
    assert time.monotonic() - start < HANG_S


@pytest.mark.parametrize(
    "harm",
    [
        "np.ones = np.zeros",
        "sys.modules['wire'].encode = lambda value: (True, b'')",
        "sys.modules.clear()",
        "sys.settrace(harm)",
        "Box.total = None",
        "signal.signal(signal.SIGALRM, harm), signal.setitimer(signal.ITIMER_REAL, 0.02, 0.001)",
    ],
)
@posix
def test_what_one_function_breaks_for_the_others_is_not_laid_to_their_charge(judged, harm):
    """They are looked at again in a fresh process before they are said to fail."""
    judged(
        "import signal, sys\nimport numpy as np\n\ndef harm(*_):\n    raise KeyError\n\n"
        f"def double(x):\n    if x < 0:\n        {harm}\n    return 2 * x\n"
    )


def test_a_failure_of_ones_own_stays_one_in_a_fresh_process(judge):
    verdicts = judge("def double(x):\n    return 2 * x\ndef grid(n):\n    return None\n")
    assert verdicts["double"].kind is Kind.PASSED
    assert verdicts["grid"].kind is Kind.WRONG
    assert verdicts["total"].kind is Kind.ERROR


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("class E(Exception):\n    __traceback__ = 5\n", "`double` raised E"),
        ("class E(Exception):\n    __class__ = property(lambda self: 1 / 0)\n", "`double` raised E"),
        (
            "class M(type):\n    __name__ = property(lambda self: 1 / 0)\nclass E(Exception, metaclass=M):\n    pass\n",
            "`double` raised E",
        ),
        (
            "class S(str):\n    __getitem__ = None\nclass E(Exception):\n    def __str__(self): return S('well')\n",
            "`double` raised E: well",
        ),
    ],
)
def test_an_exception_that_lies_about_itself(judged, written, said):
    assert judged(f"{written}def double(x):\n    raise E\n").reason.to("en") == said


def test_a_class_that_lies_about_itself(judged):
    for lie in ("__mro__", "__class__"):
        verdict = judged(f"class M(type):\n    {lie} = property(lambda self: 1 / 0)\nclass double(metaclass=M): pass\n")
        assert verdict.kind in {Kind.ERROR, Kind.WRONG}


@posix
def test_folders_in_folders_without_end_are_no_fault_of_the_checker(judged, tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    deep = "    for _ in range(1500):\n        os.mkdir('d')\n        os.chdir('d')\n"
    verdict = judged(f"import os\ndef double(x):\n{deep}    return 2 * x\n")
    assert verdict.kind is Kind.PASSED or "more than 1000 files" in verdict.reason.to("en")  # or it was done before
    assert list(temporary.iterdir()) == []


def test_prints_of_a_thread_that_never_stops_hold_nothing_up(judged):
    start = time.monotonic()
    thread = "threading.Thread(target=chatter, daemon=True).start()"
    judged(
        "import threading\ndef chatter():\n    while True: print('x' * 1000)\n"
        f"def double(x):\n    {thread}\n    return 2 * x\n"
    )
    assert time.monotonic() - start < HANG_S


@pytest.mark.parametrize("axes", [(3,) * 14, (7,) * 7])
def test_an_array_of_many_axes_is_shown_at_once(judged, axes):
    start = time.monotonic()
    verdict = judged(f"import numpy as np\ndef double(x):\n    return np.zeros({axes}, dtype=np.int8)\n")
    assert verdict.got.endswith(f"shape {axes} int8")
    assert time.monotonic() - start < HANG_S


def test_values_that_do_not_fit_into_one_frame(judged):
    verdict = judged("def double(x):\n    return [str(x) * 10_000] * 90\n")
    assert "too large to look at" in verdict.reason.to("en")


@pytest.mark.parametrize("character", ["é", "\x01", "🙂"])
def test_a_long_file_of_other_than_plain_characters(judged, character):
    assert judged(f"# {character * 200_000}\ndef double(x):\n    return 2 * x\n").passed


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("raise SystemExit(0)", "the file itself called sys.exit() instead of returning"),
        ("import os\nos._exit(0)", "the file could not be loaded: it ended the Python process itself (exit code 0)"),
        ("import os\nos.abort()", "the file could not be loaded: it crashed the Python process (SIGABRT)"),
        ("y = " + "-" * 200_000 + "1", "Python cannot read the file: too deeply nested"),
    ],
)
@posix
def test_what_happens_while_the_file_is_loaded_is_laid_to_the_file(judge, source, said):
    verdicts = judge(source + "\n")
    assert {verdict.reason.to("en") for verdict in verdicts.values()} == {said}


def test_an_error_far_along_a_line_is_pointed_at(judge):
    verdict = judge("def double(x):\n    return [" + "x, " * 200 + "* * x]\n")["double"]
    shown = blocks([verdict], "en")[0].text_lines()
    assert max(map(len, shown)) < 250
    assert shown[2][shown[3].index("^")] == "*"


def test_lines_are_counted_as_python_counts_them(judge):
    verdict = judge("x = 1\n\f\n# \u2028 \x1c\ndef double(x):\n    return x.nothing\n")["double"]
    assert (verdict.place.line, verdict.place.source.strip()) == (5, "return x.nothing")
