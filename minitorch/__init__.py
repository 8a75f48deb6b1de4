"""minitorch: an autograd package small enough to read and quick enough to train with."""

import importlib
import importlib.util
import os
import sys
from typing import TYPE_CHECKING

if sys.version_info < (3, 11) or not (  # a numpy.py beside the program is not NumPy
    (_numpy := importlib.util.find_spec("numpy")) is not None
    and [at for at in _numpy.submodule_search_locations or () if os.path.isdir(f"{at}/linalg")]  # noqa: PTH112
):
    from minitorch.starting import cannot_import

    cannot_import()

from minitorch import dtypes, ops
from minitorch._tensor import Tensor
from minitorch.autograd.grad import grad
from minitorch.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from minitorch.autograd.primitive import primitive
from minitorch.autograd.scope import (
    enable_grad,
    get_default_dtype,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_default_dtype,
    set_grad_enabled,
)
from minitorch.callers import locate_numpys_warnings
from minitorch.dtypes import *
from minitorch.lazy_imports import HOMES, MODULES, homes_of, lazy_attributes
from minitorch.moved import find_moved_modules
from minitorch.ops.arithmetic import *
from minitorch.ops.choice import *
from minitorch.ops.creation import *
from minitorch.ops.extremes import *
from minitorch.ops.index import *
from minitorch.ops.joining import *
from minitorch.ops.logic import *
from minitorch.ops.movement import *
from minitorch.ops.norms import *
from minitorch.ops.products import *
from minitorch.ops.random import *
from minitorch.ops.rearrange import *
from minitorch.ops.reduce import *
from minitorch.ops.scan import *
from minitorch.ops.softmax import *
from minitorch.ops.sort import *
from minitorch.ops.unary import *

__version__ = "1.0.0rc1"

__all__ = [
    "GradcheckError",
    "Tensor",
    "cholesky_solve",
    "det",
    "detect_anomaly",
    "enable_grad",
    "get_default_dtype",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "inverse",
    "is_grad_enabled",
    "linalg",
    "logdet",
    "matrix_power",
    "nanquantile",
    "no_grad",
    "primitive",
    "quantile",
    "set_default_dtype",
    "set_grad_enabled",
    "slogdet",
]
__all__ += dtypes.__all__
__all__ += ops.arithmetic.__all__
__all__ += ops.choice.__all__
__all__ += ops.creation.__all__
__all__ += ops.extremes.__all__
__all__ += ops.index.__all__
__all__ += ops.joining.__all__
__all__ += ops.logic.__all__
__all__ += ops.movement.__all__
__all__ += ops.norms.__all__
__all__ += ops.products.__all__
__all__ += ops.random.__all__
__all__ += ops.rearrange.__all__
__all__ += ops.reduce.__all__
__all__ += ops.scan.__all__
__all__ += ops.softmax.__all__
__all__ += ops.sort.__all__
__all__ += ops.unary.__all__
_STARRED = (
    "arithmetic",
    "einsum",
    "gather_scatter",
    "norms",
    "random",
    "rearrange",
    "sort",
)  # `import *` gives these too
__all__ += ["hstack", "tensor_split", "vstack"]
__all__ += [name for family in _STARRED for name in MODULES[family].split()]

if TYPE_CHECKING:  # for editors and type checkers, which follow no `__getattr__`
    from minitorch import accelerator as accelerator
    from minitorch import amp as amp
    from minitorch import backends as backends
    from minitorch import bridge as bridge
    from minitorch import cuda as cuda
    from minitorch import data as data
    from minitorch import distributions as distributions
    from minitorch import errors as errors
    from minitorch import func as func
    from minitorch import graph as graph
    from minitorch import linalg as linalg
    from minitorch import nn as nn
    from minitorch import optim as optim
    from minitorch import random as random
    from minitorch import replay as replay
    from minitorch import serialization as serialization
    from minitorch import signal as signal
    from minitorch import special as special
    from minitorch import testing as testing
    from minitorch import train as train
    from minitorch import utils as utils
    from minitorch.backend import device as device
    from minitorch.compat.amp import autocast as autocast
    from minitorch.compat.autograd.anomaly import detect_anomaly
    from minitorch.compat.func import vmap as vmap
    from minitorch.compat.ops.aliases import *
    from minitorch.compat.ops.arithmetic import *
    from minitorch.compat.ops.bessel import i0 as i0
    from minitorch.compat.ops.combining import *
    from minitorch.compat.ops.einsum import *
    from minitorch.compat.ops.elementwise import *
    from minitorch.compat.ops.equations import cholesky_solve, logdet, matrix_power
    from minitorch.compat.ops.further_products import *
    from minitorch.compat.ops.gamma import *
    from minitorch.compat.ops.gather_scatter import *
    from minitorch.compat.ops.linalg import det, inverse, slogdet
    from minitorch.compat.ops.matrices import *
    from minitorch.compat.ops.normal_curve import *
    from minitorch.compat.ops.norms import *
    from minitorch.compat.ops.random import *
    from minitorch.compat.ops.rearrange import *
    from minitorch.compat.ops.running import *
    from minitorch.compat.ops.scattering import *
    from minitorch.compat.ops.sort import *
    from minitorch.compat.ops.statistics import *
    from minitorch.compat.programs import *
    from minitorch.generator import Generator as Generator
    from minitorch.random import get_rng_state as get_rng_state
    from minitorch.random import initial_seed as initial_seed
    from minitorch.random import seed as seed
    from minitorch.random import set_rng_state as set_rng_state
    from minitorch.replay import capture as capture
    from minitorch.replay import captured as captured
    from minitorch.serialization import UnreadableFileError as UnreadableFileError
    from minitorch.serialization import load as load
    from minitorch.serialization import save as save

locate_numpys_warnings()
find_moved_modules()

# Imported when they are first asked for: a lesson on gradients needs none of them.
_LATER = {
    name: f"minitorch.{name}"
    for name in (
        "accelerator", "amp", "backends", "bridge", "cuda", "data", "distributions", "func", "graph", "linalg", "nn",
        "optim", "random", "replay", "serialization", "signal", "special", "testing", "train", "utils",
    )
}  # fmt: skip
_LATER |= homes_of(
    "minitorch",
    {
        "backend": "device",
        "compat.amp": "autocast",
        "compat.autograd.anomaly": "detect_anomaly",
        "compat.func": "vmap",
        "compat.programs": """BoolTensor ByteTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor Size
            asarray bfloat16 compile dtype e finfo get_num_threads half iinfo inf is_floating_point is_tensor nan
            newaxis numel pi short set_float32_matmul_precision set_num_threads use_deterministic_algorithms""",
        "generator": "Generator",
        "random": "get_rng_state initial_seed seed set_rng_state",
        "replay": "capture captured",
        "serialization": "UnreadableFileError load save",
    },
)
_LATER |= HOMES


if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever
    _attribute, __dir__ = lazy_attributes("minitorch", _LATER, __all__)

    def __getattr__(name: str) -> object:
        """Return what is imported when it is first asked for. Raises AttributeError that says which name was meant."""
        if name.startswith("_"):
            raise AttributeError(f"module 'minitorch' has no attribute {name!r}")
        return _attribute(name)
