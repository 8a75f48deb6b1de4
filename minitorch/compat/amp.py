"""Mixed precision, as PyTorch programs ask for it: `autocast` and `GradScaler`. Both leave every number as it is."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

__all__ = ["GradScaler", "autocast"]


class autocast(contextlib.ContextDecorator):  # noqa: N801 (PyTorch's name)
    """Does nothing, as a context manager and as a decorator: every operation computes in its operands' own dtype.

    In PyTorch some operations inside would compute in half precision, which is quicker on GPUs made for that and less
    exact. Here the results are the more exact ones. All arguments are accepted, and none is looked at.

    >>> from minitorch import Tensor
    >>> with autocast("cuda", dtype="float16"):
    ...     Tensor([1.0]).exp().dtype
    dtype('float32')
    """

    def __init__(
        self,
        device_type: Any = "cuda",  # noqa: ARG002
        dtype: Any = None,  # noqa: ARG002
        enabled: bool = True,  # noqa: ARG002
        cache_enabled: bool | None = None,  # noqa: ARG002
    ) -> None:
        super().__init__()

    def __enter__(self) -> autocast:
        return self

    def __exit__(self, *exc_info: object) -> None:
        """Lets errors pass."""


class GradScaler:
    """Scales by 1: gradients in half precision may vanish and are scaled up there, but here nothing is computed so.

    `scale(loss)` is the loss, `step(optimizer)` is `optimizer.step()`, and the rest does nothing.

    >>> from minitorch import Tensor
    >>> GradScaler().scale(Tensor(2.0))
    tensor(2.)
    """

    def __init__(self, device: Any = "cuda", **options: Any) -> None:
        pass

    def scale(self, outputs: Any) -> Any:
        """The outputs themselves."""
        return outputs

    def unscale_(self, optimizer: Any) -> None:
        """Gradients are not scaled: nothing is to be done."""

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """`optimizer.step(*args, **kwargs)`."""
        step: Callable[..., Any] = optimizer.step
        return step(*args, **kwargs)

    def update(self, new_scale: Any = None) -> None:
        """The scale stays 1."""

    def get_scale(self) -> float:
        """1."""
        return 1.0

    def is_enabled(self) -> bool:
        """False."""
        return False

    def state_dict(self) -> dict[str, Any]:
        """Empty: there is nothing to keep."""
        return {}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes what a GradScaler of PyTorch saved, and needs none of it."""
