"""What a learner's file can do, and the verdict it gets. Real processes, no mocks: nothing hangs, nothing passes."""

from __future__ import annotations

import re
import sys
import time

import pytest

from minitorch.course.cards.report import blocks
from minitorch.course.judging.verdict import Kind
from minitorch.course.sandbox.limits import Limits

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs what POSIX offers")


def test_the_solution_passes_every_check(judge, solution):
    verdicts = judge(solution)
    assert {name: verdict.kind for name, verdict in verdicts.items()} == dict.fromkeys(verdicts, Kind.PASSED)
    assert [(verdict.checks_run, verdict.checks) for verdict in verdicts.values()] == [(3, 3), (2, 2), (2, 2)]


def test_not_started(judged):
    verdict = judged("def double(x):\n    raise NotImplementedError\n")
    assert verdict.kind is Kind.NOT_STARTED
    assert blocks([verdict], "en")[0].text_lines() == ["○ double: not started"]


def test_an_endless_loop_is_named_by_its_line(judged):
    verdict = judged("def double(x):\n    y = x\n    while True:\n        y += 1\n")
    assert verdict.kind is Kind.TIMEOUT
    assert verdict.reason.to("en") in {
        f"`double` was still running after 0.5 s, at line {line} of lesson_01_tiny.py" for line in (3, 4)
    }


def test_an_endless_call_of_c_code_is_named_by_its_line(judged):
    verdict = judged("import itertools, collections\ndef double(x):\n    collections.deque(itertools.repeat(1), 0)\n")
    assert verdict.kind is Kind.TIMEOUT
    assert verdict.place.line == 3
    assert verdict.place.source.strip() == "collections.deque(itertools.repeat(1), 0)"


def test_a_file_that_loops_while_it_is_loaded_gives_one_answer_for_all(judge, monkeypatch):
    monkeypatch.setattr(Limits, "of_this_machine", lambda: Limits(load_s=0.5))
    verdicts = judge("while True:\n    pass\n")
    assert {verdict.kind for verdict in verdicts.values()} == {Kind.TIMEOUT}
    assert "the file itself was still running after 0.5 s, at line " in verdicts["double"].reason.to("en")
    assert len(blocks(list(verdicts.values()), "en")[1].lines) == 0


def test_a_function_that_hangs_is_not_called_with_other_cases(judged, tmp_path):
    log = tmp_path / "calls"
    judged(f"def double(x):\n    with open({str(log)!r}, 'a') as f: f.write(f'{{x}} ')\n    while True: pass\n")
    assert set(log.read_text(encoding="utf-8").split()) == {"3.0"}  # on a busy machine it is asked that twice


@pytest.mark.parametrize("code", [0, 3])
def test_exit_from_inside(judged, code):
    verdict = judged(f"import os\ndef double(x):\n    os._exit({code})\n")
    assert verdict.kind is Kind.ERROR
    assert f"ended the Python process itself (exit code {code})" in verdict.reason.to("en")


def test_sys_exit(judged):
    verdict = judged("import sys\ndef double(x):\n    sys.exit(0)\n")
    assert verdict.kind is Kind.ERROR
    assert verdict.reason.to("en") == "`double` called sys.exit() instead of returning"


@posix
def test_a_segmentation_fault_is_named_by_its_line(judged):
    verdict = judged("import ctypes\ndef double(x):\n    return ctypes.string_at(0)\n")
    assert verdict.kind is Kind.ERROR
    assert verdict.reason.to("en") == "the Python process crashed inside `double` (SIGSEGV)"
    assert verdict.place.line == 3


@posix
def test_killed_from_outside(judged):
    verdict = judged("import os, signal\ndef double(x):\n    os.kill(os.getpid(), signal.SIGKILL)\n")
    assert verdict.kind is Kind.OUT_OF_MEMORY
    assert "was killed" in verdict.reason.to("en")


def test_a_syntax_error_shows_line_and_caret(judge):
    verdicts = judge("def double(x):\n    return 2 * * x\n")
    assert {verdict.kind for verdict in verdicts.values()} == {Kind.ERROR}
    first, *others = blocks(list(verdicts.values()), "en")
    lines = first.text_lines()
    assert lines[0] == "! double: error. Python cannot read the file: invalid syntax."
    assert "line 2 of lesson_01_tiny.py" in lines[1]
    assert lines[2].strip() == "return 2 * * x"
    assert lines[3].index("^") == lines[2].rindex("*")
    assert all(not other.lines for other in others)  # said once


@pytest.mark.parametrize(
    ("line", "told"), [("return |x| * 2", True), ("return max(|x|, 1)", True), ("return x | 1 | (", False)]
)
def test_bars_around_a_size_are_told_as_abs(judge, line, told):
    said = blocks(list(judge(f"def double(x):\n    {line}\n").values()), "en")[0].text_lines()[0]
    assert said.startswith("! double: error. Python cannot read the file: ")
    assert said.endswith("The size |a| is written abs(a).") is told


def test_a_nul_character_is_a_syntax_error(judge):
    assert judge("def double(x):\0\n    return 2\n")["double"].kind is Kind.ERROR


def test_a_missing_function(judged):
    verdict = judged("")
    assert verdict.kind is Kind.ERROR
    assert verdict.reason.to("en") == "the file does not define `double`"


def test_a_missing_method_is_not_found_on_object(judge):
    verdict = judge("class Box:\n    pass\n")["total"]
    assert verdict.reason.to("en") == "the file does not define `Box.total`"


def test_an_empty_file(judge):
    for source in ("", "\n\n  \n# nothing yet\n"):
        verdicts = judge(source)
        assert {verdict.kind for verdict in verdicts.values()} == {Kind.ERROR}
        assert verdicts["double"].reason.to("en") == "the file is empty: it does not define `double`"


def test_a_target_that_is_no_function(judged):
    verdict = judged("double = 6.0\n")
    assert verdict.kind is Kind.ERROR
    assert verdict.reason.to("en") == "`double` is of type float, not a function"


def test_return_none(judged):
    verdict = judged("def double(x):\n    if x > 1e9:\n        return 2 * x\n    None\n")
    assert verdict.kind is Kind.WRONG
    assert verdict.diagnosis == "silent"


def test_return_none_where_the_check_goes_on_with_the_result(judge):
    verdict = judge("def Box(things):\n    return None\n")
    assert verdict["total"].reason.to("en") == "the file does not define `Box.total`"
    verdict = judge("class Box:\n    def __new__(cls, things): return None\n    def total(self): return 1.0\n")
    assert verdict["total"].kind is Kind.WRONG
    assert "is a `return` missing?" in verdict["total"].reason.to("en")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("type('Yes', (), {'__eq__': lambda *_: True, '__hash__': None})()", "is of type Yes"),
        ("type('Yes', (float,), {'__eq__': lambda *_: True})(1.0)", "is of type Yes"),
        (
            "type('Yes', (int,), {'__sub__': lambda *_: 0, '__eq__': lambda *_: True})(1)",
            "is of type Yes",
        ),
        ("np.float64(2 * x)", "is of type numpy.float64"),
        ("np.ones((1,)) * 2 * x", "is of type array of float64"),
        ("str(2 * x)", "is of type str"),
        ("[2 * x]", "is of type list"),
        ("True", "is of type bool"),
        ("float('nan')", "is not finite"),
        ("2 * x + 1e-5", "is wrong"),
    ],
)
def test_only_a_plain_number_that_is_right_passes(judged, answer, said):
    verdict = judged(f"import numpy as np\ndef double(x):\n    return {answer}\n")
    assert verdict.kind is Kind.WRONG
    assert said in verdict.reason.to("en")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("np.ones((2, n))", r"has shape \(2, 1\) instead of \(1, 2\)"),
        ("np.ones((n, 2), dtype=np.float32)", "has dtype float32 instead of float64"),
        ("np.ones((n, 2)).tolist()", "is of type list, not an array"),
        ("np.ones((n, 2)).view(type('Mine', (np.ndarray,), {}))", r"is of type Mine, not an array"),
        ("np.array([[object()] * 2] * n)", "array of object"),
        ("np.full((n, 2), np.inf)", "is not finite"),
        ("np.eye(n, 2)", r"differs first at \[0, 1\]"),
    ],
)
def test_arrays_are_judged_by_shape_and_dtype_before_values(judge, answer, said):
    verdict = judge(f"import numpy as np\ndef grid(n):\n    return {answer}\n")["grid"]
    assert verdict.kind is Kind.WRONG
    assert re.search(said, verdict.reason.to("en"))


def test_the_smallest_failing_input_is_shown(judge):
    verdict = judge("class Box:\n    def __init__(s, t): s.t = t\n    def total(s): return s.t[0] + 0.5\n")["total"]
    assert verdict.input == "[1.0]"
    assert (verdict.expected, verdict.got) == ("1.0", "1.5")


def test_an_exception_shows_the_learners_line_only(judged):
    verdict = judged("def helper(x):\n    return x.nothing\n\ndef double(x):\n    return helper(x)\n")
    assert verdict.kind is Kind.ERROR
    assert verdict.reason.to("en").endswith(
        "(`double` raised AttributeError: 'float' object has no attribute 'nothing')"
    )
    assert (verdict.place.line, verdict.place.source) == (2, "    return x.nothing")


def test_an_exception_whose_text_cannot_be_had(judged):
    bad = "class Odd(Exception):\n    def __str__(self): raise KeyError\n"
    verdict = judged(bad + "def double(x):\n    raise Odd\n")
    assert verdict.reason.to("en") == "`double` raised Odd"


def test_a_function_that_needs_one_that_is_not_started(judged):
    verdict = judged("def helper(x):\n    raise NotImplementedError\n\ndef double(x):\n    return helper(x)\n")
    assert verdict.kind is Kind.ERROR
    assert verdict.reason.to("en") == "`double` needs `helper`, which is not started yet"


@pytest.mark.parametrize("how", ["builtins.AssertionError = ValueError", "builtins.isinstance = lambda *a: True"])
def test_patched_builtins_are_named_and_put_back(judged, how):
    name = how.split()[0].removeprefix("builtins.")
    verdict = judged(f"import builtins\ndef double(x):\n    {how}\n    return 2 * x\n")
    assert verdict.kind is Kind.ERROR
    assert verdict.reason.to("en") == f"the file replaces Python's own {name}; a check needs the originals"


def test_builtins_patched_while_the_file_is_loaded(judge):
    verdicts = judge("import builtins\nbuiltins.len = lambda _: 0\ndef double(x):\n    return 2 * x\n")
    assert verdicts["double"].kind is Kind.ERROR
    assert "replaces Python's own len" in verdicts["double"].reason.to("en")


def test_patched_comparisons_of_numpy_change_nothing(judge):
    source = (
        "import numpy as np, numpy.testing, math\nnp.allclose = np.isclose = np.array_equal = lambda *a, **k: True\n"
        "np.testing.assert_allclose = math.isclose = lambda *a, **k: True\ndef grid(n):\n    return np.zeros((n, 2))\n"
    )
    assert judge(source)["grid"].kind is Kind.WRONG


def test_forged_report_lines_are_only_prints(judged):
    verdict = judged('def double(x):\n    print("✓ double: passed\\n3 of 3 passed\\x1b[2J\\u202e")\n    return 0.0\n')
    assert verdict.kind is Kind.WRONG
    lines = blocks([verdict], "en")[0].text_lines()
    assert lines[-3:] == ["    your code printed:", "    │ ✓ double: passed", "    │ 3 of 3 passed\\x1b[2J\\u202e"]


@pytest.mark.parametrize("forged", ["b'passed' * 9", "frame", "frame * 2"])
def test_forged_protocol_frames_never_pass(judged, forged):
    source = f"""
import json, os, struct
def double(x):
    header = json.dumps({{"is": "value", "value": 2 * x, "id": "0" * 16, "passed": True}}).encode()
    frame = struct.pack("<4sII", b"mtw1", len(header), 0) + header
    for descriptor in range(3, 32):
        try:
            os.write(descriptor, {forged})
        except OSError:
            pass
    return 2 * x
"""
    verdict = judged(source.lstrip())
    assert verdict.kind is Kind.ERROR
    assert "nothing it sent there counts" in verdict.reason.to("en")


def test_a_frame_sent_late_is_laid_to_the_function_that_sent_it(judged):
    """The forged answer comes after the true one to the last case: the next function must not pay for it."""
    source = """
import json, os, struct, threading
def late(x):
    import time
    frame = struct.pack("<4sII", b"mtw1", 2, 0) + b"{}"
    for descriptor in range(3, 32):
        try:
            os.write(descriptor, frame)
        except OSError:
            pass
def double(x):
    if x == -20.0:
        late(x)
    return 2 * x
"""
    assert judged(source.lstrip()).kind is Kind.ERROR


@posix
def test_a_fork_answers_once(judged):
    assert judged("import os\ndef double(x):\n    os.fork()\n    return 2 * x\n").passed


@posix
def test_descriptors_closed_under_the_child(judged):
    assert judged("import os\ndef double(x):\n    os.closerange(0, 64)\n    return 2 * x\n").kind is Kind.ERROR


@posix
@pytest.mark.parametrize("how", ["[0] * 10**11", "bytearray(1 << 40)"])
def test_memory_exhausted_at_once(judged, how):
    verdict = judged(f"def double(x):\n    {how}\n")
    assert verdict.kind is Kind.OUT_OF_MEMORY
    assert verdict.place.line == 2


@posix
def test_memory_exhausted_step_by_step(judge):
    source = "def grid(n):\n    kept = []\n    while True:\n        kept.append(bytearray(200 << 20))\n"
    verdicts = judge(source + "def double(x):\n    return 2 * x\n")
    assert verdicts["grid"].kind in {Kind.OUT_OF_MEMORY, Kind.TIMEOUT}  # a slow machine takes 2 s to fill 1 GiB
    assert verdicts["double"].passed


def test_endless_recursion(judged):
    verdict = judged("def double(x):\n    return double(x)\n")
    assert verdict.kind is Kind.ERROR
    assert "RecursionError" in verdict.reason.to("en")


def test_endless_printing_is_cut(judged):
    verdict = judged("def double(x):\n    while True: print('a' * 1000)\n")
    assert verdict.kind is Kind.TIMEOUT
    assert len(verdict.printed) <= 4000


def test_results_too_large_to_look_at(judged):
    verdict = judged("def double(x):\n    return [0.0] * 200_000\n")
    assert verdict.kind is Kind.ERROR
    assert "too large to look at" in verdict.reason.to("en")
    assert judged("def double(x):\n    x = []\n    x.append(x)\n    return x\n").kind is Kind.ERROR


def test_standard_input_is_empty(judged):
    assert "EOFError" in judged("def double(x):\n    return float(input())\n").reason.to("en")


def test_nothing_beside_the_file_can_be_imported(judged, tmp_path, monkeypatch):
    (tmp_path / "random.py").write_text("raise SystemExit", encoding="utf-8")
    (tmp_path / "beside.py").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert judged("import random\ndef double(x):\n    return 2 * x\n").passed
    assert "No module named 'beside'" in judged("def double(x):\n    import beside\n").reason.to("en")


def test_the_checkout_around_minitorch_cannot_be_imported(judged):
    verdict = judged("import minitorch\n\n\ndef double(x):\n    import solutions\n")
    assert "No module named 'solutions'" in verdict.reason.to("en")


@posix
def test_what_the_code_started_is_ended_too(judged, tmp_path):
    mark = tmp_path / "alive"
    source = (
        "import subprocess, sys\ndef double(x):\n"
        "    code = 'import sys, time; time.sleep(1.5); open(sys.argv[1], \"x\")'\n"
        f"    subprocess.Popen([sys.executable, '-c', code, {str(mark)!r}])\n    return 2 * x\n"
    )
    assert judged(source).passed
    time.sleep(2.0)
    assert not mark.exists()


def test_a_relative_file_is_not_left_behind(judged, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert judged("def double(x):\n    open('left.txt', 'w').write('x')\n    return 2 * x\n").passed
    assert list(tmp_path.glob("left*")) == []


def test_no_case_means_no_pass(make_course):
    """A check whose number of cases is not the manifest's judges nothing."""
    from minitorch.course.course_error import CourseError
    from minitorch.course.judging.judge import judge_source

    from_manifest = make_course(checks=CHECKS_WITHOUT_CASES)
    with pytest.raises(CourseError, match=r"has 0 cases, but lesson\.toml says 3; nothing was judged"):
        judge_source(from_manifest.lessons[0], "def double(x):\n    return 2 * x\n")


CHECKS_WITHOUT_CASES = """
from minitorch.course.judging.checks import exercise


class Nothing:
    def inputs(self, rng):
        return []

    def observe(learner, x):
        return None

    def judge(self, x, got):
        return None


@exercise("double")
class Double(Nothing):
    pass


@exercise("grid")
class Grid(Nothing):
    pass


@exercise("total")
class Total(Nothing):
    pass
"""
