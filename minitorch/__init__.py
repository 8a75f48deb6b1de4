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

from minitorch import dtypes, linalg, ops
from minitorch._tensor import Tensor
from minitorch.autograd.anomaly import detect_anomaly
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
from minitorch.ops.arithmetic import *
from minitorch.ops.choice import *
from minitorch.ops.creation import *
from minitorch.ops.einsum import *
from minitorch.ops.equations import cholesky_solve, logdet, matrix_power
from minitorch.ops.extremes import *
from minitorch.ops.gather_scatter import *
from minitorch.ops.index import *
from minitorch.ops.joining import *
from minitorch.ops.linalg import det, inverse, slogdet
from minitorch.ops.logic import *
from minitorch.ops.movement import *
from minitorch.ops.norms import *
from minitorch.ops.products import *
from minitorch.ops.quantiles import *
from minitorch.ops.random import *
from minitorch.ops.rearrange import *
from minitorch.ops.reduce import *
from minitorch.ops.scan import *
from minitorch.ops.softmax import *
from minitorch.ops.sort import *
from minitorch.ops.unary import *
from minitorch.rare import PLACES

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
    "no_grad",
    "primitive",
    "set_default_dtype",
    "set_grad_enabled",
    "slogdet",
]
__all__ += dtypes.__all__
__all__ += ops.arithmetic.__all__
__all__ += ops.choice.__all__
__all__ += ops.creation.__all__
__all__ += ops.einsum.__all__
__all__ += ops.extremes.__all__
__all__ += ops.gather_scatter.__all__
__all__ += ops.index.__all__
__all__ += ops.joining.__all__
__all__ += ops.logic.__all__
__all__ += ops.movement.__all__
__all__ += ops.norms.__all__
__all__ += ops.products.__all__
__all__ += ops.quantiles.__all__
__all__ += ops.random.__all__
__all__ += ops.rearrange.__all__
__all__ += ops.reduce.__all__
__all__ += ops.scan.__all__
__all__ += ops.softmax.__all__
__all__ += ops.sort.__all__
__all__ += ops.unary.__all__

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
    from minitorch.amp import autocast as autocast
    from minitorch.backend import device as device
    from minitorch.func import vmap as vmap
    from minitorch.generator import Generator as Generator
    from minitorch.ops.aliases import *
    from minitorch.ops.bessel import *
    from minitorch.ops.combining import *
    from minitorch.ops.elementwise import *
    from minitorch.ops.further_products import *
    from minitorch.ops.gamma import *
    from minitorch.ops.matrices import *
    from minitorch.ops.normal_curve import *
    from minitorch.ops.running import *
    from minitorch.ops.scattering import *
    from minitorch.ops.statistics import *
    from minitorch.programs import *
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

# Imported when they are first asked for: a lesson on gradients needs none of them.
_LATER = {name: name for name in ("bridge", "data", "graph", "nn", "optim", "replay", "serialization", "train")}
_LATER |= dict.fromkeys(("save", "load", "UnreadableFileError"), "serialization")
_LATER |= dict.fromkeys(("capture", "captured"), "replay")
_LATER |= {
    name: name
    for name in (
        "accelerator", "amp", "backends", "cuda", "distributions", "func", "signal", "special", "testing", "utils",
    )
}  # fmt: skip
_LATER |= {"Generator": "generator", "autocast": "amp", "device": "backend", "vmap": "func"}
_PROGRAMS = """
BoolTensor ByteTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor Size asarray
bfloat16 compile
dtype e finfo get_num_threads half iinfo inf is_floating_point is_tensor nan newaxis numel pi short
set_float32_matmul_precision set_num_threads use_deterministic_algorithms"""
_LATER |= dict.fromkeys(_PROGRAMS.split(), "programs")
_LATER |= {"random": "random"} | dict.fromkeys(("get_rng_state", "initial_seed", "seed", "set_rng_state"), "random")
_LATER |= {name: f"ops.{family}" for name, family in PLACES.items()}


if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever

    def __getattr__(name: str) -> object:
        """Modules that are imported when they are first asked for, and what they export here."""
        if name not in _LATER:
            if name.startswith("_"):
                raise AttributeError(f"module 'minitorch' has no attribute {name!r}")
            from minitorch.absent import not_found

            raise not_found("module 'minitorch'", name, [*globals(), *_LATER])
        module = importlib.import_module(f"minitorch.{_LATER[name]}")
        return module if name == _LATER[name] else getattr(module, name)
