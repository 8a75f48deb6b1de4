"""Answers that learners plausibly write: a right one is never refused, and what is said of a wrong one is true."""

from __future__ import annotations

import textwrap

import pytest

from minitorch.course import manifest
from minitorch.course.cards.report import blocks
from minitorch.course.files import source_code
from minitorch.course.files.stubs import stub_source
from minitorch.course.judging.judge import judge_source
from minitorch.course.judging.verdict import Kind, Verdict

COURSE = manifest.load()


def judged(exercise: str, answer: str, *, stubs: bool = False, **others: str) -> Verdict:
    """Judge one answer; the rest of the file is the solution or, with `stubs`, untouched, but for `others`."""
    lesson = COURSE.lesson_of(COURSE.exercise(exercise))
    source = stub_source(lesson) if stubs else lesson.solution_source()
    for name, text in {exercise: answer, **others}.items():
        source = source_code.replace(source, COURSE.exercise(name).target, textwrap.dedent(text).strip() + "\n")
    return judge_source(lesson, source)[exercise]


def slope(body: str) -> str:
    return f"def hello_gradient(x):\n    {body}\n"


def binary(name: str, both: str, constant: str) -> str:
    sign = {"__add__": "+", "__mul__": "*"}[name]
    return f"""
def {name}(self, other):
    if isinstance(other, Value):
        return Value({both.replace("; ", f', (self, other), "{sign}", ')})
    return Value({constant.replace("; ", f', (self,), "{sign}", ')})
"""


WALK = """
def backward(root):
    order = toposort(root)
    for node in order:
        if node._prev:
            node.grad = None
    root.grad = 1.0
    for node in reversed(order):
        for parent, local in zip(node._prev, node._local_grads):
            part = local * node.grad
            parent.grad = part if parent.grad is None else parent.grad + part
"""
RECURSIVE = """
def toposort(root):
    order, seen = [], set()

    def visit(node):
        if node in seen:
            return
        seen.add(node)
        for parent in node._prev:
            visit(parent)
        order.append(node)

    visit(root)
    return order
"""
LEFTOVER_ORDER = """
def toposort(root, order=[], seen=set()):
    if root not in seen:
        seen.add(root)
        for parent in root._prev:
            toposort(parent, order, seen)
        order.append(root)
    return order
"""
COPIED = """
def __pow__(self, n):
    return Value(self.data**n, (Value(self.data),), "**", (n * self.data ** (n - 1),))
"""
OPERATORS = """
class Reflected:
    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return -self + other
"""
DEFAULTDICT = """
def local_grads(out):
    from collections import defaultdict

    total = defaultdict(float)
    for parent, local in zip(out._prev, out._local_grads):
        total[parent] += local
    return total
"""


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("hello_gradient", slope("import numpy as np; return np.float64(2 * x + 3)")),
        ("hello_gradient", slope("return f(x + 0.5) - f(x - 0.5)")),
        ("local_grads", DEFAULTDICT),
        ("local_grads", DEFAULTDICT.replace("defaultdict(float)", "Counter()").replace("defaultdict", "Counter")),
        (
            "backward",
            WALK.replace("local * node.grad", "np.float64(local * node.grad)").replace(
                "    order =", "    import numpy as np\n    order =", 1
            ),
        ),
    ],
)
def test_a_right_answer_passes_however_it_is_written(exercise, answer):
    assert judged(exercise, answer).kind is Kind.PASSED


@pytest.mark.parametrize(
    ("exercise", "answer", "diagnosis"),
    [
        ("hello_gradient", slope("h = 0.01; return (f(x + h) - f(x)) / h"), "coarse-step"),
        ("hello_gradient", slope("h = 0.001; return (f(x + h) - f(x)) / h"), "coarse-step-of-another-size"),
        ("hello_gradient", slope("pass"), "returns-nothing"),
        ("add", binary("__add__", "self.data + other; (1.0, 1.0)", "self.data + other; (1.0,)"), "add-data-forgotten"),
        *(
            (
                "mul",
                binary("__mul__", f"self.data * other.data; {pair}", "self.data * other; (other,)"),
                "mul-values-as-gradients",
            )
            for pair in ("(other, self)", "(other, self.data)")
        ),
        (
            "pow",
            'def __pow__(self, n):\n    return Value(self.data**n, (self), "**", (n * self.data ** (n - 1)))\n',
            "pow-no-comma",
        ),
        ("toposort", RECURSIVE, "recursive"),
        ("toposort", RECURSIVE.replace("order.append(node)", "order.append((node, True))"), "pairs-in-the-list"),
        ("toposort", RECURSIVE.replace("visit(root)", "visit(root); root._prev = ()"), "graph-taken-apart"),
        (
            "backward",
            WALK.replace("part if parent.grad is None else parent.grad + part", "parent.grad + part"),
            "adds-to-none",
        ),
        (
            "backward",
            WALK.replace("parent.grad = part if parent.grad is None else parent.grad + part", "parent.grad += part"),
            "adds-to-none",
        ),
        (
            "backward",
            WALK.replace("    root.grad = 1.0\n", "").replace("    order =", "    root.grad = 1.0\n    order ="),
            "multiplies-none",
        ),
        ("backward", WALK.replace("local * node.grad", "local * parent.grad"), "multiplies-none"),
        ("backward", WALK.replace("local * node.grad", "node.grad"), "local-left-out"),
        ("backward", WALK.replace("reversed(order)", "order.reverse()"), "loops-over-none"),
        (
            "bend",
            """
def bend(f, x, eps=1e-4):
    return (numeric_grad(f, x + eps) - numeric_grad(f, x - eps)) / (2 * eps)
""",
            "slope-of-measured-slopes",
        ),
    ],
)
def test_a_mistake_is_named(exercise, answer, diagnosis):
    verdict = judged(exercise, answer)
    assert (verdict.kind, verdict.diagnosis) == (Kind.WRONG, diagnosis)


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    [
        (
            "reflected",
            OPERATORS.replace("return self * other", "self.data = other * self.data; return self"),
            "the operation 2 * v changed v",
        ),
        ("add", "def __add__(self, other):\n    return self\n", "gave back its operand a itself"),
        ("pow", COPIED, "other parents than its operands"),
        ("toposort", LEFTOVER_ORDER, "something is left over from an earlier call"),
    ],
)
def test_a_mistake_without_a_name_gets_a_true_sentence(exercise, answer, said):
    verdict = judged(exercise, answer)
    assert (verdict.kind, verdict.diagnosis) == (Kind.WRONG, None)
    assert said in verdict.reason.to("en")
    shown = "\n".join(blocks([verdict], "en")[0].text_lines())
    assert "<locals>" not in shown
    assert "lesson_01_scalar_nodes.Value" not in shown


def test_of_a_class_that_is_half_written_the_other_methods_are_named():
    half = "class Compared:\n    def __eq__(self, other):\n        return self is other\n"
    rest = "    def __hash__(self):\n        raise NotImplementedError\n"
    rest += "    def equal(self, other):\n        raise NotImplementedError\n"
    verdict = judged("compared", half + rest)
    assert verdict.kind is Kind.WRONG
    assert verdict.reason.to("en") == "a part is written; still to write: `__hash__`, `equal`"
    assert judged("compared", half.replace("return self is other", "raise NotImplementedError") + rest).kind is (
        Kind.NOT_STARTED
    )


def test_a_dot_of_many_nodes_shows_the_nodes_and_not_what_the_judge_read_off():
    verdict = judged(
        "dot",
        "def dot(left, right):\n"
        "    out = left[0] * right[0]\n"
        "    for a, b in zip(left[1:], right[1:]):\n"
        "        out = out + a * b\n"
        "    return out\n",
    )
    shown = "\n".join(blocks([verdict], "en")[0].text_lines())
    assert "Value(8.0), Value(-1.5)" in shown
    assert "between the operands and the result of dot there are other nodes" in shown
    assert "dict" not in shown


def test_a_gradient_that_should_be_float32_is_expected_as_float32():
    verdict = judged(
        "accumulate",
        "def accumulate(self, gradient):\n"
        "    if not self.requires_grad:\n"
        "        return\n"
        "    if np.shape(gradient) != self.data.shape:\n"
        "        raise ValueError\n"
        "    self.grad = np.array(gradient) if self.grad is None else np.array(self.grad + gradient)\n",
    )
    shown = "\n".join(blocks([verdict], "en")[0].text_lines())
    assert "expected  [30.5, 3. ] shape (2,) float32" in shown


@pytest.mark.parametrize(
    "leftover",
    [
        "def toposort(root, seen=set()):\n    return _order(root, seen)\n",
        "def toposort(root):\n    return _order(root, SEEN)\n",
    ],
)
def test_toposort_must_not_remember_an_earlier_call(leftover):
    helper = RECURSIVE.replace("toposort(root)", "_order(root, seen)").replace("order, seen = [], set()", "order = []")
    verdict = judged("toposort", f"{leftover}\n\nSEEN = set()\n\n{helper}")
    assert verdict.kind is Kind.WRONG
    assert "lives on after the call" in verdict.reason.to("en")


@pytest.mark.parametrize(
    "order",
    [RECURSIVE, RECURSIVE.replace("return order", "return order[::-1]"), RECURSIVE.replace("node in seen", "0")],
)
def test_what_toposort_does_wrong_is_not_laid_to_backwards_charge(order):
    verdict = judged("backward", WALK, toposort=order)
    assert verdict.reason.to("en").startswith("`toposort` does not pass yet: begin there. What happens here: ")
    assert (verdict.diagnosis, verdict.hint) == (None, None)


def test_backward_is_diagnosed_by_itself_where_toposort_passes_or_is_not_written():
    wrong = WALK.replace("toposort(root)", "[root]").replace("local * node.grad", "node.grad")
    for stubs in (True, False):
        assert "begin there" not in judged("backward", wrong, stubs=stubs).reason.to("en")
    needs = judged("backward", WALK, stubs=True)
    assert needs.reason.to("en") == "`backward` needs `toposort`, which is not started yet"
    assert needs.place.source.strip() == "order = toposort(root)"


def test_what_mul_does_wrong_is_not_laid_to_reflecteds_charge():
    mul = binary("__mul__", "self.data * other.data; (1.0, 1.0)", "self.data * other; (1.0,)")
    verdict = judged("reflected", OPERATORS, mul=mul)
    assert (
        verdict.reason.to("en") == "`mul` does not pass yet: begin there. What happens here: the growth with v is wrong"
    )


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("add", binary("__add__", "self.data + other; (1.0, 1.0)", "self.data + other; (1.0,)")),
        ("pow", 'def __pow__(self, n):\n    return Value(self.data**n, (self,), "**", (n * self,))\n'),
    ],
)
def test_a_forgotten_data_does_not_send_the_learner_to_the_next_exercise(exercise, answer):
    verdict = judged(exercise, answer, stubs=True)
    assert verdict.kind is Kind.ERROR
    assert "a plain number meets a Value" in verdict.reason.to("en")
    assert verdict.reason.to("en").endswith("is a `.data` missing?")
    assert verdict.place.source.strip().startswith("return Value(")
    assert verdict.hint is None


@pytest.mark.parametrize(
    ("answer", "said", "hint"),
    [
        (slope("return y"), "raised NameError", None),
        (slope("return 2x + 3"), "write 2 * x for 2x", None),
        (slope("return 2 ^ x + 3"), "A power is written **", None),
        (slope("return (2 * x"), "Python cannot read the file", None),
        ("def hello_gradient(x, h):\n    return 2 * x + 3\n", "keep the line with `def` as it was", None),
        ("def slope(x):\n    return 2 * x + 3\n", "does not define", "`minitorch reset 00`"),
        (slope("while True: pass"), "was still running", "a loop that never ends"),
    ],
)
def test_technical_trouble_gets_no_hint_about_the_concept(answer, said, hint):
    verdict = judged("hello_gradient", answer)
    assert verdict.kind in (Kind.ERROR, Kind.TIMEOUT)
    assert said in verdict.reason.to("en")
    assert hint in verdict.hint.to("en") if hint else verdict.hint is None


def test_a_class_value_without_reflected_is_told_so():
    lesson = COURSE.lesson("01")
    source = lesson.solution_source().replace("class Value(Reflected):", "class Value:")
    verdict = judge_source(lesson, source)["reflected"]
    assert verdict.reason.to("en") == "Value does not inherit from Reflected any more: write class Value(Reflected)"
