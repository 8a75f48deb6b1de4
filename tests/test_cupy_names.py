"""Every name of NumPy that operations use on arrays is in CuPy; with CuPy installed, the list of names is checked too.

Without a GPU, CuPy can be imported, and arrays made around memory of the host: they compute nothing, but they tell what
they would refuse, so what the fake CuPy claims is compared with what CuPy does.
"""

import ast
import importlib.util
import json
from pathlib import Path
from typing import Any

import fake_cupy
import numpy as np
import pytest
from cupy_names import NAMES

from minitorch import Tensor

ROOT = Path(__file__).resolve().parent.parent
# All that meets arrays. gradcheck nudges numbers on the host; scalars, pictures and lessons are of the host alone.
SOURCES = sorted(
    path
    for part in ("ops", "nn", "optim", "autograd", "data", "train", "serialization", ".")
    for path in (ROOT / "minitorch" / part).glob("*.py" if part == "." else "**/*.py")
    if path.name not in ("gradcheck.py", "scalar.py")
)
# What never meets an array of the GPU, and where it stands instead.
HOST_ONLY = {
    "errstate": "NumPy's warnings; a GPU gives none",
    "random.Generator": "numbers are drawn on the host and moved, so that both devices get the same",
    "random.PCG64": "as random.Generator",
    "random.default_rng": "as random.Generator",
    "lib.format.read_array_header_1_0": "files are read and written on the host",
    "lib.format.read_array_header_2_0": "files are read and written on the host",
    "lib.format.read_magic": "files are read and written on the host",
    "lib.format.write_array": "files are read and written on the host",
    "linalg.LinAlgError": "caught; CuPy raises the same one",
}


def names_in(source: str) -> set[str]:
    """`a.b` for each `np.a.b`, `xp(…).a.b` and `library.a.b`, but in annotations, which no GPU ever looks up."""
    tree, found = ast.parse(source), set()
    kept = [getattr(node, name, None) for node in ast.walk(tree) for name in ("annotation", "returns")]
    left_out = {id(inner) for node in kept if node is not None for inner in ast.walk(node)}
    left_out |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or id(node) in left_out:
            continue
        parts: list[str] = []
        value: ast.expr = node
        while isinstance(value, ast.Attribute):
            parts.append(value.attr)
            value = value.value
        of_a_module = isinstance(value, ast.Name) and value.id in ("np", "library")
        asked = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "xp"
        if of_a_module or asked:
            found.add(".".join(reversed(parts)))
    return found


USED = {path.relative_to(ROOT).as_posix(): names_in(path.read_text(encoding="utf-8")) for path in SOURCES}


def known(name: str) -> bool:
    """In CuPy, by the list in cupy_names.json."""
    names = NAMES
    first, _, rest = name.partition(".")
    if first == "linalg":
        return rest in names["linalg"]
    if name.startswith("lib.stride_tricks."):
        return name.rpartition(".")[2] in names["lib.stride_tricks"]
    if first in names["handed on"] or name in ("asnumpy", "asarray", "array", "ndarray"):
        return True
    described = names["functions"].get(first)
    return described is not None and (not rest or rest in described.split())


def test_every_name_that_operations_use_is_in_cupy() -> None:
    lacking = {path: {name for name in names - set(HOST_ONLY) if not known(name)} for path, names in USED.items()}
    assert {path: names for path, names in lacking.items() if names} == {}


def test_the_list_of_host_names_is_not_too_long() -> None:
    assert set(HOST_ONLY) - set().union(*USED.values()) == set()


# -- with CuPy installed; it needs no GPU for this ---------------------------------------------------------------------


@pytest.fixture
def cupy() -> Any:
    return pytest.importorskip("cupy", reason="CuPy is not installed")


@pytest.fixture
def array(cupy: Any) -> Any:
    """A real array of CuPy around memory of the host: it can be asked, but not computed with."""
    memory = np.zeros(100)
    unowned = cupy.cuda.memory.UnownedMemory(memory.ctypes.data, memory.nbytes, memory, device_id=0)
    return cupy.ndarray((2, 3), np.float64, cupy.cuda.memory.MemoryPointer(unowned, 0))


def test_the_list_is_the_installed_cupys(cupy: Any) -> None:
    if cupy.__version__ != NAMES["cupy"]:
        pytest.skip(f"the list is of CuPy {NAMES['cupy']}, and this is {cupy.__version__}")
    spec = importlib.util.spec_from_file_location("make_cupy_names", ROOT / "scripts" / "make_cupy_names.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert json.loads(json.dumps(script.names())) == NAMES


def test_every_name_is_in_the_installed_cupy(cupy: Any) -> None:
    missing = set()
    for name in set().union(*USED.values()) - set(HOST_ONLY):
        value = cupy
        for part in name.split("."):
            value = getattr(value, part, None)
        if value is None and name != "newaxis":
            missing.add(name)
    assert missing == set()


REFUSED = {
    "becoming a NumPy array": lambda a, b: np.asarray(a),
    "becoming another NumPy array": lambda a, b: np.array(a, dtype=np.float32),
    "arguments that CuPy does not take": lambda a, b: np.sum(a, where=b),
    "a memory order for a ufunc": lambda a, b: np.exp(a, order="C"),
    "a start for a sum": lambda a, b: np.add.reduce(a, initial=0.0),
    "a start for max": lambda a, b: np.max(a, initial=0.0),
    "other names of clip's limits": lambda a, b: np.clip(a, min=0.0, max=1.0),
    "an accumulated maximum": lambda a, b: np.maximum.accumulate(a),
    "products at indices": lambda a, b: np.multiply.at(a, 0, 1.0),
    "an array of the GPU as an index of a list": lambda a, b: [1, 2][a],
    "strides from NumPy": lambda a, b: np.lib.stride_tricks.as_strided(a, (2,), (8,)),
    "the writeable flag": lambda a, b: a.flags.writeable,
    "a hash": lambda a, b: hash(a),
    "an index out of range": lambda a, b: a[5],
}
ALLOWED = {
    "a shape": lambda a: np.shape(a) == (2, 3) and np.ndim(a) == 2,
    "views": lambda a: a.T.base is a and a.reshape(-1).base is a and a[..., None, ::2].base is a,
    "a view of a view": lambda a: a.T[0].base is a,
    "astype without a copy": lambda a: a.astype(np.float64, copy=False) is a,
    "its type's module": lambda a: type(a).__module__ == "cupy",
    "its device": lambda a: a.device.id == 0,
    "its dtype": lambda a: a.dtype == np.float64 and np.result_type(a, 1.0) == np.float64,
    "NumPy's movements": lambda a: np.moveaxis(np.expand_dims(np.swapaxes(a, 0, 1), 0), 0, 2).shape == (3, 2, 1),
    "shared memory": lambda a: np.may_share_memory(a, a) is True,
    "iteration": lambda a: [row.shape for row in a] == [(3,), (3,)],
    "no base of its own": lambda a: a.base is None,
}


class Asked:
    """Answers NumPy's protocols itself, as a Tensor does."""

    __array_ufunc__ = __array_function__ = lambda *args, **options: "asked"


@pytest.mark.parametrize("kind", ["fake", "real"])
@pytest.mark.filterwarnings("ignore:__array__ implementation")
def test_both_refuse_and_allow_and_let_a_tensor_answer(kind: str, request: pytest.FixtureRequest) -> None:
    made = request.getfixturevalue("array") if kind == "real" else fake_cupy.asarray(np.zeros((2, 3)))
    for refused in REFUSED.values():
        with pytest.raises((TypeError, NotImplementedError, AttributeError, IndexError)):
            refused(made, made)
    assert [what for what, allowed in ALLOWED.items() if not allowed(made)] == []
    other = Asked()
    for answer in (made * other, made - other, made**other, made < other, made @ other, np.multiply(made, other)):
        assert answer == "asked"
    assert np.where(made, other, made) == np.concatenate([made, other]) == "asked"
    assert hasattr(Tensor, "__array_ufunc__")
