"""How gradients are recorded and computed: nodes, declarations of operations, and the walk."""

from minitorch.autograd import functional
from minitorch.autograd.anomaly import AnomalyError, detect_anomaly
from minitorch.autograd.checkpoint import checkpoint
from minitorch.autograd.function import Function
from minitorch.autograd.grad import backward, grad
from minitorch.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from minitorch.autograd.scope import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled

__all__ = [
    "AnomalyError",
    "Function",
    "GradcheckError",
    "backward",
    "checkpoint",
    "detect_anomaly",
    "enable_grad",
    "functional",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "is_grad_enabled",
    "no_grad",
    "set_grad_enabled",
]
