"""PyTorch's names that are not here: what to write in their place, or the reason and the remedy.

Only a name that is nowhere in the package is looked up here: `names.place` asks the package first, so a line about a
name that has come since is never read. In a line `{t}` is what the program calls PyTorch, `{0}` the first argument,
`{args}` all of them, `{of}` the text before the dot. Each line is executed in tests/course/test_porting_table.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from minitorch.compat.porting.names import words
from minitorch.compat.porting.sentences import say
from minitorch.language import Text


@dataclass(frozen=True, slots=True)
class Replacement:
    """A call's replacement, a name's, or `gone` for a statement that does nothing here; `why` is a key of the texts."""

    why: str
    call: str = ""
    value: str = ""
    gone: bool = False
    given: tuple[str, str] = ("", "")  # an argument's name, and the call's replacement where it is given
    ignores: bool = False  # the call's other arguments change nothing here

    @property
    def certain(self) -> bool:
        """Tell a replacement that can be written without asking."""
        return bool(self.call or self.value or self.gone)


NAMES: dict[str, Replacement] = {
    "mps.is_available": Replacement("port_cuda", call="False"),
    "cuda.set_device": Replacement("port_cuda", gone=True),
    "set_num_interop_threads": Replacement("port_threads", gone=True),
    "set_printoptions": Replacement("port_printing", gone=True),
    "jit.script": Replacement("port_compile", call="{0}", ignores=True),
    "jit.trace": Replacement("port_compile", call="{0}", ignores=True),
    **dict.fromkeys(
        ("autograd.Variable", "autograd.variable.Variable"),
        Replacement(
            "port_variable", call="{0}", given=("requires_grad", "{0}.detach().requires_grad_({requires_grad})")
        ),
    ),
    "nn.DataParallel": Replacement("port_one", call="{0}", ignores=True),
    "nn.parallel.DistributedDataParallel": Replacement("port_one", call="{0}", ignores=True),
}

# Methods and attributes of a Tensor.
METHODS: dict[str, Replacement] = {
    "pin_memory": Replacement("port_memory", call="{of}"),
    "share_memory_": Replacement("port_memory", call="{of}"),
    "is_sparse": Replacement("port_memory", value="False"),
    "is_same_size": Replacement("port_method", call="({of}.shape == {0}.shape)"),
}

# Methods of a module.
MODULE_METHODS: dict[str, Replacement] = {
    "share_memory": Replacement("port_memory", gone=True),
    "bfloat16": Replacement("port_bfloat16", call="{of}"),
}

# Subjects that PyTorch has and this package has not: the reason, and the beginnings of their names.
SUBJECTS: dict[str, str] = {
    name: why
    for why, names in {
        "port_distributed": "distributed multiprocessing nn.parallel utils.data.distributed",
        "port_cuda_only": "cuda backends mps xpu",
        "port_graph_only": "jit _dynamo fx export onnx library utils.cpp_extension",
        "port_sparse": "sparse sparse_coo_tensor sparse_csr_tensor",
        "port_small": "quantization ao",
        "port_complex": "complex64 complex128 cfloat complex view_as_complex view_as_real polar fft stft istft",
        "port_profiler": "profiler autograd.profiler",
        "port_hub": "hub",
        "port_board": "utils.tensorboard",
        "port_nested": "nested",
        "port_decomposition": "linalg.eig",
    }.items()
    for name in names.split()
}

# Arguments that change how PyTorch works, and no result.
HARMLESS = words("""
    pin_memory pin_memory_device persistent_workers prefetch_factor worker_init_fn num_workers
    multiprocessing_context fused foreach capturable differentiable non_blocking only_inputs inplace
    weights_only map_location memory_format set_to_none layout sparse enable_nested_tensor async_op mmap
""")


def missing(path: str) -> Text:
    """Return the sentence about a name that is not here: the reason and the remedy."""
    parts = path.split(".")
    beginnings = [".".join(parts[:count]) for count in range(len(parts), 0, -1)]
    why = next((SUBJECTS[each] for each in beginnings if each in SUBJECTS), None)
    why = NAMES[path].why if path in NAMES else why
    return say("port_absent_because", name=path, why=say(why)) if why else say("port_absent", name=path)
