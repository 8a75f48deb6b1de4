"""PyTorch's older weight_norm and spectral_norm: what the weight is computed from stands in the module itself.

The weight is an attribute, computed anew before each `forward`. `parametrizations` has the newer ones, which compute it
whenever it is read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minitorch import Tensor, div, mul, randn
from minitorch.compat.nn.utils.parametrizations import as_matrix, largest, lengths, nearer, usual_dim
from minitorch.nn import Module, Parameter
from minitorch.nn.functional import normalize

__all__ = ["remove_spectral_norm", "remove_weight_norm", "spectral_norm", "weight_norm"]


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Has `name` computed as name_g · name_v / ‖name_v‖, for each slice across `dim`, before every `forward`.

    Returns the module. Raises ValueError for a name that is no parameter, RuntimeError for one that has it already.
    Source: Salimans and Kingma, 2016, Weight Normalization.

    >>> from minitorch.nn import Linear
    >>> list(weight_norm(Linear(2, 3)).state_dict())
    ['bias', 'weight_g', 'weight_v']
    """
    weight = _taken("weight_norm", module, name)
    module.register_parameter(f"{name}_g", Parameter(lengths(weight.detach(), dim)))
    module.register_parameter(f"{name}_v", Parameter(weight.detach()))

    def compute(module: Module, training: bool) -> Tensor:  # noqa: ARG001
        direction = getattr(module, f"{name}_v")
        return mul(direction, div(getattr(module, f"{name}_g"), lengths(direction, dim)))

    return _computed("weight_norm", module, name, weight, compute)


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Has `name` computed as name_orig divided by its largest singular value, before every `forward`.

    While training, n_power_iterations bring the buffers name_u and name_v nearer to the singular vectors first.
    Returns the module. Raises ValueError for a name that is no parameter, RuntimeError for one that has it already.
    Source: Miyato et al., 2018, Spectral Normalization for GANs.

    >>> from minitorch.nn import Linear
    >>> list(spectral_norm(Linear(2, 3)).state_dict())
    ['bias', 'weight_orig', 'weight_u', 'weight_v']
    """
    across = usual_dim(module) if dim is None else dim
    weight = _taken("spectral_norm", module, name)
    matrix = as_matrix(weight.detach(), across)
    module.register_parameter(f"{name}_orig", weight)
    for label, size in zip("uv", matrix.shape, strict=True):
        start = randn(size, dtype=weight.dtype, device=weight.device)
        module.register_buffer(f"{name}_{label}", normalize(start, dim=0, eps=eps))

    def compute(module: Module, training: bool) -> Tensor:
        original, u, v = (getattr(module, f"{name}_{label}") for label in ("orig", "u", "v"))
        matrix = as_matrix(original, across)
        if training:
            nearer(matrix.detach().mT, v, u, n_power_iterations, eps)
        return div(original, largest(matrix, u, v))

    return _computed("spectral_norm", module, name, weight, compute)


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """Makes the weight as it is a parameter again. Raises ValueError for a weight that has no weight_norm.

    >>> from minitorch.nn import Linear
    >>> list(remove_weight_norm(weight_norm(Linear(2, 3))).state_dict())
    ['bias', 'weight']
    """
    return _removed("weight_norm", module, name, "g", "v")


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Makes the weight as it is a parameter again. Raises ValueError for a weight that has no spectral_norm.

    >>> from minitorch.nn import Linear
    >>> list(remove_spectral_norm(spectral_norm(Linear(2, 3))).state_dict())
    ['bias', 'weight']
    """
    return _removed("spectral_norm", module, name, "u", "v", "orig")


def _taken(kind: str, module: Module, name: str) -> Parameter:
    """The parameter, which the module does not own from here on."""
    if f"_{kind}_{name}" in module.__dict__:
        raise RuntimeError(f"{kind}: {name!r} of {type(module).__name__} has one already")
    weight = module._parameters.get(name)
    if weight is None:
        raise ValueError(f"{kind}: {type(module).__name__} has no parameter {name!r}")
    delattr(module, name)
    return weight  # type: ignore[no-any-return]


def _computed(kind: str, module: Module, name: str, weight: Tensor, compute: Callable[[Any, bool], Tensor]) -> Module:
    """Computes the weight before every `forward`; until then it is as it was."""
    handle = module.register_forward_pre_hook(lambda it, args: setattr(it, name, compute(it, it.training)))
    setattr(module, f"_{kind}_{name}", (handle, compute))
    setattr(module, name, weight.detach())
    return module


def _removed(kind: str, module: Module, name: str, *labels: str) -> Module:
    if f"_{kind}_{name}" not in module.__dict__:
        raise ValueError(f"remove_{kind}: {name!r} of {type(module).__name__} has no {kind}")
    handle, compute = getattr(module, f"_{kind}_{name}")
    handle.remove()
    weight = compute(module, False).detach()
    for each in (f"_{kind}_{name}", name, *[f"{name}_{label}" for label in labels]):
        delattr(module, each)
    module.register_parameter(name, Parameter(weight))
    return module
