"""state_dict, out of a module and into it: all its numbers by their paths, for files, and to PyTorch and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from minitorch._tensor import Tensor
from minitorch.autograd.in_place import write
from minitorch.autograd.scope import no_grad
from minitorch.autograd.tensor_base import as_array
from minitorch.backend import moved

if TYPE_CHECKING:
    from minitorch.nn.module import Module

WRAPPERS = {"module.": "DataParallel", "_orig_mod.": "torch.compile"}  # what they put before a module's names


class IncompatibleKeys(NamedTuple):
    """Keys that `load_state_dict` found only on one side. Both lists are empty if all was well."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


def collect(module: Module, found: dict[str, Any], prefix: str) -> None:
    """Adds path → Tensor of all parameters and persistent buffers: this module's, then those below it.

    A shared parameter appears at each of its paths, so that the same model written with two parameters can load it.
    """
    here, names = module.__dict__, module._names
    for name in names["_parameters"]:
        if here[name] is not None:
            found[prefix + name] = here[name]
    for name in names["_buffers"]:
        if here[name] is not None and name not in module._non_persistent_buffers_set:
            found[prefix + name] = here[name]
    for name in names["_modules"]:
        if here[name] is not None:
            collect(here[name], found, f"{prefix}{name}.")


def load(module: Module, state_dict: Mapping[str, Any], strict: bool) -> IncompatibleKeys:
    """Copies the numbers of `state_dict` into the module's Tensors: all of them, or, on an error, none."""
    kind = type(module).__name__
    if not isinstance(state_dict, Mapping):
        raise TypeError(f"load_state_dict: {kind} needs a dict of names and numbers, not a {type(state_dict).__name__}")
    own: dict[str, Tensor] = {}
    collect(module, own, "")
    missing = [name for name in own if name not in state_dict]
    unexpected = [name for name in state_dict if name not in own]
    problems = []
    if strict and missing:
        problems.append(f"missing: {', '.join(missing)}")
    if strict and unexpected:
        problems.append(f"unexpected: {', '.join(map(str, unexpected))}")
    given = {name: _numbers(state_dict[name]) for name in own if name in state_dict}
    for name, numbers in given.items():
        if isinstance(numbers, str):
            problems.append(f"{name}: {numbers}")
        elif numbers.shape != own[name].shape:
            problems.append(f"{name}: shape {numbers.shape} in the state_dict, {own[name].shape} in the model")
    if strict and missing and unexpected:
        problems += _wrapped(set(own), list(map(str, state_dict)))
    if problems:
        raise RuntimeError(f"load_state_dict: this state_dict does not fit {kind}:\n  " + "\n  ".join(problems))
    with no_grad():
        for name, numbers in given.items():
            _fill(own[name], name, numbers)
    return IncompatibleKeys(missing, unexpected)


def _wrapped(own: set[str], names: list[str]) -> list[str]:
    """The line that makes `names` the model's own, where a wrapper has put something into each of them."""
    for end, character in enumerate(names[0], 1):
        prefix = names[0][:end]
        if character == "." and own <= {name.removeprefix(prefix) for name in names}:
            return [_unwrapping([prefix], f".removeprefix({prefix!r})")]
    for marks in (["module."], ["_orig_mod."], ["module.", "_orig_mod."]):
        changed = names
        for mark in marks:
            changed = [name.replace(mark, "") for name in changed]
        if own <= set(changed):
            return [_unwrapping(marks, "".join(f".replace({mark!r}, '')" for mark in marks))]
    return []


def _unwrapping(marks: list[str], change: str) -> str:
    said = " and ".join(map(repr, marks))
    by = [wrapper for mark, wrapper in WRAPPERS.items() if mark in "".join(marks)]
    of = f" of {' and '.join(by)}" if by else ""
    return (
        f"the names of the state_dict have {said}{of} in them: write "
        f"state_dict = {{name{change}: each for name, each in state_dict.items()}}"
    )


def _numbers(value: Any) -> Any:
    """The values of a Tensor, an array or another library's tensor; a message for anything else."""
    try:
        return as_array(value)
    except (TypeError, ValueError, RuntimeError):
        return f"a {type(value).__name__} holds no numbers that can be loaded"


def _fill(tensor: Tensor, name: str, numbers: Any) -> None:
    def fill(memory: Any) -> None:
        memory[...] = moved(numbers, tensor.device)

    write(tensor, f"load_state_dict ({name})", fill)
