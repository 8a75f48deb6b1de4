"""Lazy layers: they learn how many inputs they have from the first that they are called with."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from typing import Any

from minitorch.autograd.tensor_base import as_array
from minitorch.backend import device_of, moved
from minitorch.compat.nn.batchnorm import BatchNorm3d, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from minitorch.compat.nn.conv import Conv1d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from minitorch.nn import BatchNorm1d, BatchNorm2d, Conv2d, Linear, Module
from minitorch.nn.parameter import change

__all__ = ["LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "LazyConv1d", "LazyConv2d", "LazyConv3d"]
__all__ += ["LazyConvTranspose1d", "LazyConvTranspose2d", "LazyConvTranspose3d", "LazyInstanceNorm1d"]
__all__ += ["LazyInstanceNorm2d", "LazyInstanceNorm3d", "LazyLinear"]


class _Lazy(Module):
    """The constructor of the layer after it in the bases, without its first argument; an ordinary layer after a call.

    Until then it has that many inputs: 0. Its parameters stay the objects that they are, for optimisers.
    """

    _usual: Mapping[str, Any] = {}  # defaults that are not those of the ordinary layer

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        signature = inspect.signature(cls.__bases__[1])
        rest = list(signature.parameters.values())[1:]
        rest = [each.replace(default=cls._usual.get(each.name, each.default)) for each in rest]
        cls.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given = inspect.signature(type(self)).bind(*args, **kwargs)
        given.apply_defaults()
        super().__init__(0, *given.args, **given.kwargs)  # type: ignore[call-arg]
        self._arguments = given.args, given.kwargs

    def __call__(self, input: Any, *args: Any, **kwargs: Any) -> Any:
        """Becomes an ordinary layer, and calls that."""
        kind: Any = type(self).__bases__[1]
        counted = next(iter(inspect.signature(kind).parameters))
        shape = as_array(input).shape
        axis = -1 if kind is Linear else -1 - self.axes if hasattr(self, "axes") else 1
        given, named = self._arguments
        made = kind(shape[axis], *given, **named)
        for own, new in zip(self.state_dict(keep_vars=True).values(), made.state_dict().values(), strict=True):
            change(own, functools.partial(_converted, new._data))
        setattr(self, counted, shape[axis])
        del self._arguments
        self.__class__ = kind
        return self(input, *args, **kwargs)


def _converted(new: Any, old: Any) -> Any:
    """Copy an array into the dtype and onto the device of the one that it replaces."""
    return moved(new.astype(old.dtype), device_of(old))


class LazyLinear(_Lazy, Linear):
    """Linear whose in_features is the size of the first input's last axis: (…, n) → (…, out_features).

    >>> from minitorch import zeros
    >>> layer = LazyLinear(2)
    >>> layer(zeros(4, 3)).shape
    (4, 2)
    """


class LazyConv1d(_Lazy, Conv1d):
    """Conv1d whose in_channels are those of the first input: (N, C, L) → (N, out_channels, …).

    >>> from minitorch import zeros
    >>> layer = LazyConv1d(4, 3)
    >>> layer(zeros(2, 3, 5)).shape
    (2, 4, 3)
    """


class LazyConv2d(_Lazy, Conv2d):
    """Conv2d whose in_channels are those of the first input: (N, C, H, W) → (N, out_channels, …).

    >>> from minitorch import zeros
    >>> layer = LazyConv2d(4, 3)
    >>> layer(zeros(2, 3, 5, 5)).shape
    (2, 4, 3, 3)
    """


class LazyConv3d(_Lazy, Conv3d):
    """Conv3d whose in_channels are those of the first input: (N, C, D, H, W) → (N, out_channels, …).

    >>> from minitorch import zeros
    >>> layer = LazyConv3d(4, 3)
    >>> layer(zeros(2, 3, 5, 5, 5)).shape
    (2, 4, 3, 3, 3)
    """


class LazyConvTranspose1d(_Lazy, ConvTranspose1d):
    """ConvTranspose1d whose in_channels are those of the first input: (N, C, L) → (N, out_channels, …).

    >>> from minitorch import zeros
    >>> layer = LazyConvTranspose1d(4, 3)
    >>> layer(zeros(2, 3, 5)).shape
    (2, 4, 7)
    """


class LazyConvTranspose2d(_Lazy, ConvTranspose2d):
    """ConvTranspose2d whose in_channels are those of the first input: (N, C, H, W) → (N, out_channels, …).

    >>> from minitorch import zeros
    >>> layer = LazyConvTranspose2d(4, 3)
    >>> layer(zeros(2, 3, 5, 5)).shape
    (2, 4, 7, 7)
    """


class LazyConvTranspose3d(_Lazy, ConvTranspose3d):
    """ConvTranspose3d whose in_channels are those of the first input: (N, C, D, H, W) → (N, out_channels, …).

    >>> from minitorch import zeros
    >>> layer = LazyConvTranspose3d(4, 3)
    >>> layer(zeros(2, 3, 5, 5, 5)).shape
    (2, 4, 7, 7, 7)
    """


class LazyBatchNorm1d(_Lazy, BatchNorm1d):
    """BatchNorm1d whose num_features is the first input's number of channels: (N, C, L) → the same.

    >>> from minitorch import zeros
    >>> layer = LazyBatchNorm1d()
    >>> layer(zeros(2, 3, 5)).shape
    (2, 3, 5)
    """


class LazyBatchNorm2d(_Lazy, BatchNorm2d):
    """BatchNorm2d whose num_features is the first input's number of channels: (N, C, H, W) → the same.

    >>> from minitorch import zeros
    >>> layer = LazyBatchNorm2d()
    >>> layer(zeros(2, 3, 5, 5)).shape
    (2, 3, 5, 5)
    """


class LazyBatchNorm3d(_Lazy, BatchNorm3d):
    """BatchNorm3d whose num_features is the first input's number of channels: (N, C, D, H, W) → the same.

    >>> from minitorch import zeros
    >>> layer = LazyBatchNorm3d()
    >>> layer(zeros(2, 3, 5, 5, 5)).shape
    (2, 3, 5, 5, 5)
    """


class _LazyInstance(_Lazy, Module):
    """PyTorch's lazy ones have weights and remember statistics unless told otherwise."""

    _usual = {"affine": True, "track_running_stats": True}


class LazyInstanceNorm1d(_LazyInstance, InstanceNorm1d):
    """InstanceNorm1d whose num_features is the first input's number of channels: (N, C, L) → the same.

    >>> from minitorch import zeros
    >>> layer = LazyInstanceNorm1d()
    >>> layer(zeros(2, 3, 5)).shape
    (2, 3, 5)
    """


class LazyInstanceNorm2d(_LazyInstance, InstanceNorm2d):
    """InstanceNorm2d whose num_features is the first input's number of channels: (N, C, H, W) → the same.

    >>> from minitorch import zeros
    >>> layer = LazyInstanceNorm2d()
    >>> layer(zeros(2, 3, 5, 5)).shape
    (2, 3, 5, 5)
    """


class LazyInstanceNorm3d(_LazyInstance, InstanceNorm3d):
    """InstanceNorm3d whose num_features is the first input's number of channels: (N, C, D, H, W) → the same.

    >>> from minitorch import zeros
    >>> layer = LazyInstanceNorm3d()
    >>> layer(zeros(2, 3, 5, 5, 5)).shape
    (2, 3, 5, 5, 5)
    """
