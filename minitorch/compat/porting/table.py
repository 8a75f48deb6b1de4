"""PyTorch's names that are not here: what to write in their place, or the reason and the remedy.

Only a name that is nowhere in the package is looked up here: `names.resolve` asks the package first, so a line about a
name that has come since is never read. Each line is executed in tests/course/test_porting_table.py.
"""

from __future__ import annotations

from minitorch.compat.porting.names import words
from minitorch.language import N_, Message

# The reason, and templates, of which the first is taken whose fields all have a value: `{0}` is the first
# argument, `{requires_grad}` an argument by its name, `{of}` the text before the dot. "pass" takes a statement's place.
NAMES: dict[str, tuple[str, ...]] = {
    "mps.is_available": (
        N_("CUDA's own tools belong to PyTorch: take the line out; docs/gpu.md says how a GPU is used"),
        "False",
    ),
    "cuda.set_device": (
        N_("CUDA's own tools belong to PyTorch: take the line out; docs/gpu.md says how a GPU is used"),
        "pass",
    ),
    "set_num_interop_threads": (N_("NumPy looks after dtypes, memory, threads and printing"), "pass"),
    "set_printoptions": (N_("NumPy looks after dtypes, memory, threads and printing"), "pass"),
    "jit.script": (
        N_("programs are not compiled: call the function itself; minitorch.capture replays a training step"),
        "{0}",
    ),
    "jit.trace": (
        N_("programs are not compiled: call the function itself; minitorch.capture replays a training step"),
        "{0}",
    ),
    "autograd.Variable": (N_("a Tensor is a Variable"), "{0}.detach().requires_grad_({requires_grad})", "{0}"),
    "autograd.variable.Variable": (N_("a Tensor is a Variable"), "{0}.detach().requires_grad_({requires_grad})", "{0}"),
    "nn.DataParallel": (N_("there is one process and one device: take the distributed part out"), "{0}"),
    "nn.parallel.DistributedDataParallel": (
        N_("there is one process and one device: take the distributed part out"),
        "{0}",
    ),
}
# Methods and attributes of a Tensor, a module or a dtype.
METHODS: dict[str, tuple[str, ...]] = {
    "pin_memory": (N_("NumPy looks after dtypes, memory, threads and printing"), "{of}"),
    "share_memory_": (N_("NumPy looks after dtypes, memory, threads and printing"), "{of}"),
    "share_memory": (N_("NumPy looks after dtypes, memory, threads and printing"), "pass"),
    "is_sparse": (N_("NumPy looks after dtypes, memory, threads and printing"), "False"),
    "is_same_size": (N_("the same in other words"), "({of}.shape == {0}.shape)"),
    "bfloat16": (
        N_("numbers are NumPy's integers and floats: quantise by hand; write the imaginary part by itself"),
        "{of}",
    ),
    "dtype.is_floating_point": (
        N_("NumPy looks after dtypes, memory, threads and printing"),
        "{t}.empty(0, dtype={of}).is_floating_point()",
    ),
    "dtype.is_complex": (N_("NumPy looks after dtypes, memory, threads and printing"), "False"),
}
# Subjects that this package has not, by the reason: the beginnings of their names.
SUBJECTS = {
    N_("there is one process and one device: take the distributed part out"): words(
        "distributed multiprocessing nn.parallel utils.data.distributed"
    ),
    N_("CUDA's own tools belong to PyTorch: take the line out; docs/gpu.md says how a GPU is used"): words(
        "cuda backends mps xpu"
    ),
    N_("programs are not compiled: call the function itself; minitorch.capture replays a training step"): words(
        "jit _dynamo fx export onnx library utils.cpp_extension"
    ),
    N_("there are no sparse Tensors: use dense ones, or index_add"): words(
        "sparse sparse_coo_tensor sparse_csr_tensor"
    ),
    N_(
        "numbers are NumPy's integers and floats: quantise by hand; write the imaginary part by itself"
    ): words("""quantization ao complex64 complex128 cfloat complex view_as_complex view_as_real polar
        fft stft istft linalg.eig"""),
    N_("use Python's cProfile or time.perf_counter"): words("profiler autograd.profiler"),
    N_("weights of other origin are read from safetensors with minitorch.load"): words("hub"),
    N_("tensorboardX has the same SummaryWriter without PyTorch: pip install tensorboardX"): words("utils.tensorboard"),
}
# Arguments that change how PyTorch works, and no result.
HARMLESS = words("""
    pin_memory pin_memory_device persistent_workers prefetch_factor worker_init_fn num_workers
    multiprocessing_context fused foreach capturable differentiable non_blocking only_inputs inplace
    weights_only map_location memory_format set_to_none layout sparse enable_nested_tensor async_op mmap
""")


def missing(path: str) -> Message:
    """Return the sentence about a name that is not here: the reason and the remedy."""
    parts = path.split(".")
    beginnings = {".".join(parts[: count + 1]) for count in range(len(parts))}
    subject = next(
        (why for why, names in SUBJECTS.items() if beginnings & names),
        N_("use what docs/operators.md lists, or take the line out"),
    )
    return Message(
        "torch.{name} is not here: {why}", name=path, why=Message(NAMES[path][0] if path in NAMES else subject)
    )
