"""Names that do not exist: what was meant, or why there is no such thing and what to use instead."""

import io
import re

import numpy as np
import pytest

import minitorch as mt
from minitorch import Tensor, nn, optim
from minitorch.absent import WHY
from minitorch.nn import functional as F  # noqa: N812


@pytest.mark.parametrize(
    ("space", "wrong", "meant"),
    [
        (mt, "sofmax", "softmax"),
        (mt, "Arange", "arange"),
        (mt, "manualseed", "manual_seed"),
        (nn, "Relu", "ReLU"),
        (nn, "Conv2D", "Conv2d"),
        (nn, "CrossEntropy", "CrossEntropyLoss"),
        (F, "crossentropy", "cross_entropy"),
        (optim, "Adamw", "AdamW"),
        (mt.linalg, "choleski", "cholesky"),
        (mt.func, "functional_cal", "functional_call"),
        (mt.utils, "checkpoints", "checkpoint"),
        (Tensor(1.0), "sofmax", "softmax"),
        (Tensor(1.0), "requires_grads", "requires_grad"),
    ],
)
def test_what_was_meant_is_said(space, wrong, meant):
    with pytest.raises(AttributeError, match=f"has no attribute '{wrong}': did you mean '{meant}'"):
        getattr(space, wrong)


def test_a_name_that_is_near_to_none_is_simply_not_there():
    with pytest.raises(AttributeError, match=r"^module 'minitorch' has no attribute 'qqqqqq'$"):
        mt.qqqqqq  # noqa: B018
    assert not hasattr(Tensor(1.0), "__array_interface__")
    assert not hasattr(Tensor(1.0), "_repr_png_")


@pytest.mark.parametrize("name", WHY)
def test_what_is_absent_on_purpose_says_why(name):
    space = Tensor(1.0) if name in ("data_ptr", "storage", "share_memory_", "pin_memory") else mt
    with pytest.raises(AttributeError, match="on purpose: "):
        getattr(space, name)


@pytest.mark.parametrize(("space", "name"), [(mt.linalg, "eig"), (mt.utils, "tensorboard")])
def test_what_is_absent_on_purpose_says_so_where_pytorch_has_it(space, name):
    public = space.__name__.replace(".compat", "")
    with pytest.raises(AttributeError, match=rf"^module '{public}' has no attribute '{name}', on purpose: "):
        getattr(space, name)


@pytest.mark.parametrize("sizes", [(3, 4), (3, 0), (3, 1), (2, 3, 4), (np.int64(2), 3)])
def test_sizes_are_no_data(sizes):
    row = ", ".join(map(str, sizes))
    said = f"Tensor({row}): for a Tensor of these numbers write Tensor([{row}]), of this shape zeros({row})"
    with pytest.raises(TypeError, match=rf"^{re.escape(said)}$"):
        Tensor(*sizes)
    assert Tensor(list(sizes)).tolist() == list(sizes)
    assert mt.zeros(*sizes).shape == sizes


@pytest.mark.parametrize("second", [mt.float64, "float64", None, [True], 1.0])
def test_the_second_argument_is_requires_grad(second):
    with pytest.raises(
        TypeError, match=r"^Tensor\(data, \w+ …\): requires_grad, .* dtype and device are given by name"
    ):
        Tensor([1.0, 2.0], second)


@pytest.mark.parametrize("content", [{"w": np.arange(3.0)}, {"model": {"w": np.arange(3.0)}, "epoch": 3}])
def test_a_file_that_is_open_is_written_and_read(content):
    file = io.BytesIO()
    mt.save(dict(content), file)
    file.seek(0)
    assert str(mt.load(file)) == str(mt.load(io.BytesIO(file.getvalue())))
    archive = io.BytesIO()
    np.savez(archive, w=np.arange(3.0))
    archive.seek(0)
    assert mt.load(archive)["w"].tolist() == [0.0, 1.0, 2.0]


def test_an_open_file_of_something_else_says_so():
    with pytest.raises(mt.UnreadableFileError, match=r"^load: the open file cannot be read: "):
        mt.load(io.BytesIO(b"nothing of the kind"))
    file = io.BytesIO()
    mt.save({"w": mt.ones(2)}, file)
    with pytest.raises(mt.UnreadableFileError, match=r"^load: the open file has nothing left to read: .* f.seek\(0\)"):
        mt.load(file)
    file.seek(0)
    assert mt.load(file, weights_only=True)["w"].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: mt.save({}, io.StringIO()), "^save: the file is open for text: open it with mode 'wb', for bytes"),
        (lambda: mt.load(io.StringIO("{}")), "^load: the file is open for text: open it with mode 'rb', for bytes"),
        (lambda: mt.save({}, 3), "^save: give a path, or a file that is open for bytes, not a int"),
        (lambda: mt.load(b"bytes"), "^load: give a path, or a file that is open for bytes, not a bytes"),
    ],
)
def test_what_is_no_file_of_bytes_is_refused(wrong, message):
    with pytest.raises(TypeError, match=message):
        wrong()
