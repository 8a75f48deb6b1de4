"""PyTorch's names that are not here: what to write in their place, or the reason and the remedy.

Only a name that is nowhere in the package is looked up here: `names.resolve` asks the package first, so a line about a
name that has come since is never read. Each line is executed in tests/course/test_porting_table.py.
"""

from __future__ import annotations

from minitorch.compat.porting.names import words
from minitorch.language import N_, Message

# Reasons that several names share.
OF_NUMPY = N_("NumPy looks after dtypes, memory, threads and printing")
OF_CUDA = N_("CUDA's own tools belong to PyTorch: take the line out; docs/gpu.md says how a GPU is used")
NOT_COMPILED = N_("programs are not compiled: call the function itself; minitorch.capture replays a training step")
ONE_DEVICE = N_("there is one process and one device: take the distributed part out")
REAL_NUMBERS = N_("numbers are NumPy's integers and floats: quantise by hand; write the imaginary part by itself")
# The reason, and templates, of which the first is taken whose fields all have a value: `{0}` is the first
# argument, `{requires_grad}` an argument by its name, `{of}` the text before the dot. "pass" takes a statement's place.
NAMES: dict[str, tuple[str, ...]] = {
    "mps.is_available": (OF_CUDA, "False"),
    "cuda.set_device": (OF_CUDA, "pass"),
    "set_num_interop_threads": (OF_NUMPY, "pass"),
    "set_printoptions": (OF_NUMPY, "pass"),
    "jit.script": (NOT_COMPILED, "{0}"),
    "jit.trace": (NOT_COMPILED, "{0}"),
    "autograd.Variable": (N_("a Tensor is a Variable"), "{0}.detach().requires_grad_({requires_grad})", "{0}"),
    "autograd.variable.Variable": (N_("a Tensor is a Variable"), "{0}.detach().requires_grad_({requires_grad})", "{0}"),
    "nn.DataParallel": (ONE_DEVICE, "{0}"),
    "nn.parallel.DistributedDataParallel": (ONE_DEVICE, "{0}"),
}
# Methods and attributes of a Tensor, a module or a dtype.
METHODS: dict[str, tuple[str, ...]] = {
    "pin_memory": (OF_NUMPY, "{of}"),
    "share_memory_": (OF_NUMPY, "{of}"),
    "share_memory": (OF_NUMPY, "pass"),
    "is_sparse": (OF_NUMPY, "False"),
    "is_same_size": (N_("the same in other words"), "({of}.shape == {0}.shape)"),
    "bfloat16": (REAL_NUMBERS, "{of}"),
    "dtype.is_floating_point": (OF_NUMPY, "{t}.empty(0, dtype={of}).is_floating_point()"),
    "dtype.is_complex": (OF_NUMPY, "False"),
}
# Subjects that this package has not, by the reason: the beginnings of their names.
SUBJECTS = {
    ONE_DEVICE: words("distributed multiprocessing nn.parallel utils.data.distributed"),
    OF_CUDA: words("cuda backends mps xpu"),
    NOT_COMPILED: words("jit _dynamo fx export onnx library utils.cpp_extension"),
    N_("there are no sparse Tensors: use dense ones, or index_add"): words(
        "sparse sparse_coo_tensor sparse_csr_tensor"
    ),
    REAL_NUMBERS: words("""quantization ao complex64 complex128 cfloat complex view_as_complex view_as_real polar
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
