"""Lesson 03: what its solution finds, and what its text says of steps and of PyTorch."""

from types import ModuleType

import pytest

from minitorch.course import manifest
from minitorch.scalar import Value

LESSON = manifest.load().lesson("03")


@pytest.fixture(scope="module")
def solution() -> ModuleType:
    module = ModuleType("lesson_03")
    exec(compile(LESSON.solution_source(), LESSON.file_name, "exec"), vars(module))
    return module


def test_minitorchs_own_value_has_no_bug(solution):
    assert solution.find_bug(Value) is None


def test_the_best_step_is_near_the_third_root_of_the_rounding(solution):
    errors = {
        power: abs(solution.numeric_grad(lambda x: x * x * x, 1.5, 10.0**-power) - 6.75) for power in range(1, 13)
    }
    assert min(errors, key=errors.get) in (5, 6)
    assert errors[1] == pytest.approx(1e-2, rel=1e-6)
    assert errors[3] == pytest.approx(1e-6, rel=1e-3)
    assert errors[12] > 1e-5


def test_pytorch_decides_as_the_notebook_says(torch):
    import inspect

    defaults = {
        name: parameter.default for name, parameter in inspect.signature(torch.autograd.gradcheck).parameters.items()
    }
    assert (defaults["eps"], defaults["atol"], defaults["rtol"]) == (1e-6, 1e-5, 1e-3)
    assert (defaults["raise_exception"], defaults["fast_mode"]) == (True, False)
    zero = torch.tensor([0.0, 2.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(torch.abs, zero)
    assert not torch.autograd.gradcheck(torch.relu, zero, raise_exception=False)
