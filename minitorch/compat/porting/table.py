"""PyTorch's names that are not here: what to write in their place, or the reason and the remedy.

Only a name that is nowhere in the package is looked up here: `names.resolve` asks the package first, so a line about a
name that has come since is never read. Each line is executed in tests/course/test_porting_table.py.
"""

from __future__ import annotations

from minitorch.compat.porting.names import words
from minitorch.compat.porting.sentences import say
from minitorch.language import Text

# The key of the reason, and templates, of which the first is taken whose fields all have a value: `{0}` is the first
# argument, `{requires_grad}` an argument by its name, `{of}` the text before the dot. "pass" takes a statement's place.
NAMES: dict[str, tuple[str, ...]] = {
    "mps.is_available": ("port_cuda", "False"),
    "cuda.set_device": ("port_cuda", "pass"),
    "set_num_interop_threads": ("port_numpy", "pass"),
    "set_printoptions": ("port_numpy", "pass"),
    "jit.script": ("port_compile", "{0}"),
    "jit.trace": ("port_compile", "{0}"),
    "autograd.Variable": ("port_variable", "{0}.detach().requires_grad_({requires_grad})", "{0}"),
    "autograd.variable.Variable": ("port_variable", "{0}.detach().requires_grad_({requires_grad})", "{0}"),
    "nn.DataParallel": ("port_one", "{0}"),
    "nn.parallel.DistributedDataParallel": ("port_one", "{0}"),
}
# Methods and attributes of a Tensor, a module or a dtype.
METHODS: dict[str, tuple[str, ...]] = {
    "pin_memory": ("port_numpy", "{of}"),
    "share_memory_": ("port_numpy", "{of}"),
    "share_memory": ("port_numpy", "pass"),
    "is_sparse": ("port_numpy", "False"),
    "is_same_size": ("port_method", "({of}.shape == {0}.shape)"),
    "bfloat16": ("port_numbers", "{of}"),
    "dtype.is_floating_point": ("port_numpy", "{t}.empty(0, dtype={of}).is_floating_point()"),
    "dtype.is_complex": ("port_numpy", "False"),
}
# Subjects that this package has not, by the reason: the beginnings of their names.
SUBJECTS = {
    "port_one": words("distributed multiprocessing nn.parallel utils.data.distributed"),
    "port_cuda": words("cuda backends mps xpu"),
    "port_compile": words("jit _dynamo fx export onnx library utils.cpp_extension"),
    "port_sparse": words("sparse sparse_coo_tensor sparse_csr_tensor"),
    "port_numbers": words("""quantization ao complex64 complex128 cfloat complex view_as_complex view_as_real polar
        fft stft istft linalg.eig"""),
    "port_profiler": words("profiler autograd.profiler"),
    "port_hub": words("hub"),
    "port_board": words("utils.tensorboard"),
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
    beginnings = {".".join(parts[: count + 1]) for count in range(len(parts))}
    subject = next((why for why, names in SUBJECTS.items() if beginnings & names), "port_nowhere")
    return say("port_absent", name=path, why=say(NAMES[path][0] if path in NAMES else subject))
