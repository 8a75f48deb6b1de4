"""A learner's folder in a course that reaches up to the engine of arrays, for tests of `engine("mine")`.

Lessons 00 to 02 are the real ones. Lessons 05 to 10 are drafts, in `course/toy_tensor/`, in the form that they are to
have.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from minitorch.course import manifest

DRAFTS = Path(__file__).parent / "course" / "toy_tensor"
SCALAR, BACKWARD = "lesson_01_scalar_nodes.py", "lesson_02_backward.py"
TENSOR, WALK = "lesson_05_tensor.py", "lesson_06_walk.py"
CHECKED = {  # lesson -> exercise: target, what is observed, what is right
    "05_tensor": {
        "compared": (
            "Compared",
            "a, b = learner.Compared(), learner.Compared()\nreturn [a == a, a == b]",
            [True, False],
        ),
        "tensor_init": ("Tensor.__init__", "return learner.Tensor([1, 2]).data.tolist()", [1.0, 2.0]),
        "accumulate": (
            "Tensor.accumulate",
            "x = learner.Tensor([1.0], True)\nx.accumulate([2.0])\nx.accumulate([3.0])\nreturn x.grad.tolist()",
            [5.0],
        ),
        "wants_grad": (
            "wants_grad",
            "x = learner.Tensor([1.0], True)\nreturn [learner.wants_grad((x,)), learner.wants_grad(())]",
            [True, False],
        ),
    },
    "06_walk": {
        "tensor_backward": (
            "Tensor.backward",
            "x = learner.Tensor([1.0], True)\nx.backward()\nreturn x.grad.tolist()",
            [1.0],
        ),
        "detach": ("Tensor.detach", "return learner.Tensor([1.0], True).detach().requires_grad", False),
        "no_grad": (
            "no_grad",
            "x = learner.Tensor([1.0], True)\nwith learner.no_grad():\n    return learner.wants_grad((x,))",
            False,
        ),
    },
    "08_broadcast": {
        "unbroadcast": (
            "unbroadcast",
            "import numpy as np\nreturn learner.unbroadcast(np.ones((2, 3)), (1, 3)).tolist()",
            [[2.0, 2.0, 2.0]],
        ),
        "mul_vjp": (
            "mul_vjp",
            "import numpy as np\nreturn [g.tolist() for g in learner.mul_vjp(*np.array([[2.0], [3.0], [5.0]]))]",
            [[10.0], [6.0]],
        ),
    },
    "09_reduce": {
        "sum_vjp": (
            "sum_vjp",
            "import numpy as np\nreturn learner.sum_vjp(np.ones(2), np.ones((2, 2)), 1, False).tolist()",
            [[1.0, 1.0], [1.0, 1.0]],
        ),
    },
    "10_matmul": {
        "matmul_vjp": (
            "matmul_vjp",
            (
                "import numpy as np\ng, a, b = np.ones((1, 1)), np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]])\n"
                "return [each.tolist() for each in learner.matmul_vjp(g, a, b)]"
            ),
            [[[3.0, 4.0]], [[1.0], [2.0]]],
        ),
    },
}


def lay_out(root: Path) -> manifest.Course:
    """Lay lessons 00 to 02 and the drafts out as one course below `root`."""
    shipped = manifest.load()
    (root / "solutions").mkdir()
    for lesson in shipped.lessons[:3]:
        shutil.copytree(lesson.folder, root / "lessons" / lesson.stem)
        shutil.copy(lesson.solution, root / "solutions")
    for name, exercises in CHECKED.items():
        folder = root / "lessons" / f"lesson_{name}"
        folder.mkdir(parents=True)
        shutil.copy(DRAFTS / f"lesson_{name}.py", root / "solutions")
        (folder / "lesson.toml").write_text(manifest_text(name, exercises), encoding="utf-8")
        (folder / "checks.py").write_text(checks_text(exercises), encoding="utf-8")
    return manifest.load(root / "lessons", root / "solutions")


def manifest_text(name: str, exercises: dict) -> str:
    number, _, slug = name.partition("_")
    lines = [
        f'number = "{number}"',
        f"order = {int(number) * 10}",
        f'slug = "{slug}"',
        "minutes = 5",
        "prerequisites = []",
    ]
    lines += ['title = { en = "Draft", es = "Borrador" }', 'summary = { en = "A draft.", es = "Un borrador." }']
    for exercise, (target, _, _) in exercises.items():
        lines += ["[[exercise]]", f'name = "{exercise}"', f'target = "{target}"', "checks = 1"]
        lines += ['asks = { en = "Write it.", es = "Escríbelo." }', 'hint = [{ en = "Think.", es = "Piensa." }]']
    return "\n".join(lines)


def checks_text(exercises: dict) -> str:
    text = "from minitorch.course.judging.checks import exercise, same_value\n"
    for name, (_, observed, right) in exercises.items():
        body = "\n".join(f"        {line}" for line in observed.splitlines())
        text += f'\n\n@exercise("{name}")\nclass Check_{name}:\n    def inputs(self, rng):\n        return [0]\n'
        text += f"\n    def observe(learner, x):\n{body}\n"
        text += f"\n    def judge(self, x, got):\n        return same_value(got, {right!r})\n"
    return text


class Desk:
    """A learner's folder."""

    def __init__(self, folder: Path, course: manifest.Course) -> None:
        self.folder, self.course = folder, course

    def path(self, name: str) -> Path:
        return self.folder / "exercises" / name

    def write(self, name: str, source: str) -> None:
        self.path(name).write_text(source, encoding="utf-8")

    def read(self, name: str) -> str:
        return self.path(name).read_text(encoding="utf-8")

    def solve(self, *numbers: str) -> None:
        for lesson in self.course.lessons:
            if not numbers or lesson.number in numbers:
                self.write(lesson.file_name, lesson.solution_source())

    def change(self, name: str, *pairs: tuple[str, str]) -> None:
        source = self.read(name)
        for old, new in pairs:
            assert source.count(old) == 1, old
            source = source.replace(old, new)
        self.write(name, source)


def owners(mine) -> dict[str, str]:
    return {piece.name: piece.owner for piece in mine.pieces}


def yours(mine) -> set[str]:
    return {name for name, owner in owners(mine).items() if owner == "yours"}


def gradients(mine) -> list[float]:
    """Return the gradients of a small loss in an engine's scalar nodes."""
    x, y = mine.Value(3.0), mine.Value(-2.0)
    loss = 2 * x * y + (x - y) ** 2 - x
    mine.backward(loss)
    return [loss.data, x.grad, y.grad]
