"""The PyTorch front-end of the graph store: the same graph, the same executor, the same pictures for PyTorch's tensors.

    graph = AutogradGraph()
    with record(graph, model=model):
        loss = criterion(model(x), y)
    TorchBackward(graph, loss).run()  # the gradients of loss.backward(), bit for bit

It needs PyTorch: pip install "minitorch-course[torch]". Nothing else in minitorch imports it.

    mode, calls, operands   everything that happens in a block; a call becomes nodes of the store
    tensor                  a tensor that records itself
    backward, watching      PyTorch's engine runs the pass, hooks look on
    figures, stepwise       what is written down of a pass; the pass told a node at a time
    dropping, compat        long chains let go without recursion; what is asked of PyTorch beyond its public names
"""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("torch") is None:
    raise ImportError('minitorch.bridge needs PyTorch: pip install "minitorch-course[torch]"')

from minitorch.bridge.backward import TorchBackward
from minitorch.bridge.mode import record
from minitorch.bridge.tensor import CustomTensor

__all__ = ["CustomTensor", "TorchBackward", "record"]
