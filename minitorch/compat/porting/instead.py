"""What to write instead of what PyTorch has and this package has not, and why it has not.

Only a name that is nowhere in the package is looked up here: `names.place` asks the package first, so a line about a
name that has come since is never read. In a line `{t}` is what the program calls PyTorch, `{0}` the first argument,
`{args}` all of them, `{self}` what stands before the dot. Each line is executed in tests/course/test_porting_table.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from minitorch.compat.porting.kinds import words


@dataclass(frozen=True, slots=True)
class Instead:
    """A call's replacement, a name's, or `gone` for a statement that does nothing here; `why` is a key of the texts."""

    why: str
    call: str = ""
    value: str = ""
    gone: bool = False
    given: tuple[str, str] = ("", "")  # an argument's name, and the call's replacement where it is given
    ignores: bool = False  # whether the call's other arguments say nothing here

    @property
    def certain(self) -> bool:
        """Whether it can be written without asking."""
        return bool(self.call or self.value or self.gone)


NAMES: dict[str, Instead] = {
    "mps.is_available": Instead("port_cuda", call="False"),
    "cuda.set_device": Instead("port_cuda", gone=True),
    "set_num_interop_threads": Instead("port_threads", gone=True),
    "set_printoptions": Instead("port_printing", gone=True),
    "jit.script": Instead("port_compile", call="{0}", ignores=True),
    "jit.trace": Instead("port_compile", call="{0}", ignores=True),
    "autograd.Variable": Instead(
        "port_variable", call="{0}", given=("requires_grad", "{0}.detach().requires_grad_({requires_grad})")
    ),
    "autograd.variable.Variable": Instead(
        "port_variable", call="{0}", given=("requires_grad", "{0}.detach().requires_grad_({requires_grad})")
    ),
    "nn.DataParallel": Instead("port_one", call="{0}", ignores=True),
    "nn.parallel.DistributedDataParallel": Instead("port_one", call="{0}", ignores=True),
}

# Methods and attributes of a Tensor.
METHODS: dict[str, Instead] = {
    "pin_memory": Instead("port_memory", call="{self}"),
    "share_memory_": Instead("port_memory", call="{self}"),
    "is_sparse": Instead("port_memory", value="False"),
    "is_same_size": Instead("port_method", call="({self}.shape == {0}.shape)"),
}

# Methods of a module.
MODULE_METHODS: dict[str, Instead] = {
    "share_memory": Instead("port_memory", gone=True),
    "bfloat16": Instead("port_bfloat16", call="{self}"),
}

# Whole subjects that PyTorch has and this package has not, by how their names begin.
SUBJECTS: dict[str, str] = {
    "distributed": "port_distributed",
    "multiprocessing": "port_distributed",
    "nn.parallel": "port_distributed",
    "utils.data.distributed": "port_distributed",
    "cuda": "port_cuda_only",
    "backends": "port_cuda_only",
    "mps": "port_cuda_only",
    "xpu": "port_cuda_only",
    "jit": "port_graph_only",
    "_dynamo": "port_graph_only",
    "fx": "port_graph_only",
    "export": "port_graph_only",
    "onnx": "port_graph_only",
    "library": "port_graph_only",
    "sparse": "port_sparse",
    "sparse_coo_tensor": "port_sparse",
    "sparse_csr_tensor": "port_sparse",
    "quantization": "port_small",
    "ao": "port_small",
    "complex64": "port_complex",
    "complex128": "port_complex",
    "cfloat": "port_complex",
    "complex": "port_complex",
    "view_as_complex": "port_complex",
    "view_as_real": "port_complex",
    "polar": "port_complex",
    "fft": "port_complex",
    "stft": "port_complex",
    "istft": "port_complex",
    "profiler": "port_profiler",
    "autograd.profiler": "port_profiler",
    "hub": "port_hub",
    "utils.tensorboard": "port_board",
    "utils.cpp_extension": "port_graph_only",
    "nested": "port_nested",
    "linalg.eig": "port_decomposition",
}

# Arguments that only say how PyTorch should work, and never what comes out.
HARMLESS = words("""
    pin_memory pin_memory_device persistent_workers prefetch_factor worker_init_fn num_workers
    multiprocessing_context fused foreach capturable differentiable non_blocking only_inputs inplace
    weights_only map_location memory_format set_to_none layout sparse enable_nested_tensor async_op mmap
""")
