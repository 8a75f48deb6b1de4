"""Moving, repeating, joining and splitting: what is refused, in which words, and what shares its memory."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.ops import rearrange

X = Tensor(np.arange(6.0).reshape(2, 3))
ONE = Tensor(1.0)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            lambda: minitorch.view(X, 4, 2),
            ValueError,
            r"^view: cannot put 6 numbers of shape \(2, 3\) into shape \(4, 2\)",
        ),
        (lambda: minitorch.reshape(X, (-1, 4)), ValueError, r"^reshape: .* into shape \(-1, 4\)"),
        (lambda: minitorch.flatten(X, 2), IndexError, r"^flatten: axis 2 does not exist in shape \(2, 3\)"),
        (lambda: minitorch.flatten(X, 1, 0), ValueError, r"^flatten: start_dim 1 comes after end_dim 0"),
        (lambda: minitorch.unflatten(X, 1, (2, -1)), ValueError, r"^unflatten: the 3 elements of axis 1 .* \(2, -1\)"),
        (lambda: minitorch.unflatten(ONE, 0, (1,)), IndexError, "^unflatten: axis 0 does not exist"),
        (
            lambda: minitorch.squeeze(X, (1, -1)),
            ValueError,
            r"^squeeze: dims \(1, -1\) name an axis of shape \(2, 3\) twice",
        ),
        (lambda: minitorch.movedim(X, 0, 2), IndexError, "^movedim: axis 2 does not exist"),
        (
            lambda: minitorch.movedim(X, (0, 0), (0, 1)),
            ValueError,
            r"^movedim: source \(0, 0\) and destination \(0, 1\)",
        ),
        (lambda: minitorch.movedim(X, (0, 1), (0,)), ValueError, "^movedim: .* must name as many axes, each once"),
        (lambda: minitorch.t(Tensor(np.zeros((1, 1, 1)))), ValueError, r"^t: shape \(1, 1, 1\) has more than two axes"),
        (lambda: minitorch.broadcast_to(X, (2, 4)), ValueError, r"^broadcast_to: shape \(2, 3\) cannot be expanded"),
        (lambda: minitorch.broadcast_to(X, (-1, 2, 3)), ValueError, "^broadcast_to: .*only axes of size 1 repeat"),
        (
            lambda: minitorch.broadcast_tensors(X, np.ones(4)),
            ValueError,
            r"^broadcast_tensors: shapes \(2, 3\) and \(4,\) do not fit together",
        ),
        (lambda: minitorch.meshgrid(X), ValueError, r"^meshgrid: shapes \(2, 3\): each must be a vector"),
        (lambda: minitorch.meshgrid(X[0], indexing="yx"), ValueError, "^meshgrid: indexing is 'ij' or 'xy', not 'yx'"),
        (
            lambda: rearrange.repeat(X, 2),
            ValueError,
            r"^repeat: shape \(2, 3\) needs a count ≥ 0 for each of its axes",
        ),
        (lambda: rearrange.repeat(X, 2, -1), ValueError, r"^repeat: .* at least, not \(2, -1\)"),
        (lambda: rearrange.repeat_interleave(X, -1), ValueError, "^repeat_interleave: .* must be one integer ≥ 0"),
        (lambda: rearrange.repeat_interleave(X, Tensor([1, 2])), ValueError, r"^repeat_interleave: .* of 6 elements"),
        (lambda: rearrange.repeat_interleave(X, Tensor([1.0, 2.0]), 0), ValueError, "^repeat_interleave: repeats"),
        (
            lambda: rearrange.repeat_interleave(X, 2, 0, output_size=3),
            ValueError,
            "^repeat_interleave: output_size 3, but",
        ),
        (lambda: rearrange.repeat_interleave(X, 2, 2), IndexError, "^repeat_interleave: axis 2 does not exist"),
        (lambda: rearrange.flip(X, 2), IndexError, "^flip: axis 2 does not exist"),
        (lambda: rearrange.flip(X, (0, 0)), ValueError, "^flip: repeated axis"),
        (lambda: rearrange.fliplr(X[0]), ValueError, r"^fliplr: shape \(3,\) has fewer than two axes"),
        (lambda: rearrange.flipud(ONE), ValueError, "^flipud: a single number has no axis"),
        (lambda: rearrange.roll(X, (1, 2)), ValueError, r"^roll: shifts \(1, 2\) and dims None must be as many"),
        (lambda: rearrange.roll(X, 1, (0, 1)), ValueError, r"^roll: shifts 1 and dims \(0, 1\) must be as many"),
        (
            lambda: rearrange.narrow(X, 1, 2, 2),
            IndexError,
            "^narrow: 2 elements from 2 on are not all in axis 1 of shape",
        ),
        (lambda: rearrange.narrow(X, 1, 4, 0), IndexError, "^narrow: 0 elements from 4 on"),
        (lambda: rearrange.narrow(X, 1, -4, 1), IndexError, "^narrow: 1 elements from -4 on"),
        (lambda: rearrange.narrow(X, 1, 1, -1), IndexError, "^narrow: -1 elements from 1 on"),
        (lambda: rearrange.narrow(ONE, 0, 0, 1), IndexError, r"^narrow: axis 0 does not exist in shape \(\)"),
        (
            lambda: rearrange.select(X, 1, 3),
            IndexError,
            r"^select: index 3 is out of range for axis 1 of shape \(2, 3\)",
        ),
        (lambda: rearrange.select(X, 2, 0), IndexError, "^select: axis 2 does not exist"),
        (lambda: rearrange.diagonal(X, 0, 1, -1), ValueError, "^diagonal: dim1 1 and dim2 -1 are the same axis"),
        (lambda: rearrange.diagonal(X[0]), IndexError, "^diagonal: axis 1 does not exist"),
        (lambda: rearrange.diag(ONE), ValueError, r"^diag: shape \(\) is neither a vector's nor a matrix's"),
        (lambda: rearrange.tril(X[0]), ValueError, r"^tril: shape \(3,\) has fewer than two axes"),
        (lambda: rearrange.triu(ONE), ValueError, r"^triu: shape \(\) has fewer than two axes"),
        (lambda: minitorch.hstack([]), ValueError, "^hstack: at least one tensor is needed"),
        (lambda: minitorch.vstack([]), ValueError, "^vstack: at least one tensor is needed"),
        (lambda: minitorch.split(X, 0), ValueError, "^split: pieces of size 0 along axis 0 .* must be positive"),
        (lambda: minitorch.split(X, [1, 2]), ValueError, r"^split: sizes \[1, 2\] do not add up to axis 0 of shape"),
        (lambda: minitorch.split(ONE, 1), IndexError, "^split: axis 0 does not exist"),
        (lambda: minitorch.split_with_sizes(X, [3, -1]), ValueError, r"^split: sizes \[3, -1\] do not add up"),
        (lambda: minitorch.chunk(X, 0), ValueError, "^chunk: 0 chunks: at least one is needed"),
        (lambda: minitorch.tensor_split(X, 0), ValueError, "^tensor_split: 0 sections: at least one is needed"),
        (lambda: minitorch.unbind(ONE), IndexError, "^unbind: axis 0 does not exist"),
        (lambda: minitorch.unbind(X, 2), IndexError, "^unbind: axis 2 does not exist"),
    ],
)
def test_errors_name_the_operation_and_the_shapes(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()


SQUARE = np.arange(16.0).reshape(4, 4)
VIEWS: dict[str, Callable[[Tensor], Tensor]] = {
    "reshape": lambda x: minitorch.reshape(x, (2, 8)),
    "view": lambda x: minitorch.view(x, 2, 8),
    "flatten": minitorch.flatten,
    "unflatten": lambda x: minitorch.unflatten(x, 0, (2, 2)),
    "ravel": minitorch.ravel,
    "unsqueeze": lambda x: minitorch.unsqueeze(x, 0),
    "squeeze": minitorch.squeeze,
    "transpose": lambda x: minitorch.transpose(x, 0, 1),
    "permute": lambda x: minitorch.permute(x, (1, 0)),
    "movedim": lambda x: minitorch.movedim(x, 0, 1),
    "t": minitorch.t,
    "broadcast_to": lambda x: minitorch.broadcast_to(x, (2, 4, 4)),
    "narrow": lambda x: rearrange.narrow(x, 0, 1, 2),
    "select": lambda x: rearrange.select(x, 0, 1),
    "select of a vector": lambda x: rearrange.select(x.reshape(16), 0, 1),
    "diagonal": rearrange.diagonal,
    "split": lambda x: minitorch.split(x, 2)[1],
    "unbind": lambda x: minitorch.unbind(x)[1],
    "atleast_3d": minitorch.atleast_3d,
    "contiguous": minitorch.contiguous,
}
COPIES: dict[str, Callable[[Tensor], Tensor]] = {
    "clone": minitorch.clone,
    "flip": lambda x: rearrange.flip(x, 0),
    "flip of no axis": lambda x: rearrange.flip(x, ()),
    "roll": lambda x: rearrange.roll(x, 0, 0),
    "tril": lambda x: rearrange.tril(x, 9),
    "repeat": lambda x: rearrange.repeat(x, 1, 1),
    "repeat_interleave": lambda x: rearrange.repeat_interleave(x, 1, 0),
    "diag": rearrange.diag,
    "cat of one": lambda x: minitorch.cat([x]),
    "contiguous of a transpose": lambda x: minitorch.contiguous(minitorch.t(x)),
}


@pytest.mark.parametrize("name", [*VIEWS, *COPIES])
def test_views_share_memory_and_copies_do_not(name: str) -> None:
    x = Tensor(SQUARE)
    assert np.shares_memory((VIEWS | COPIES)[name](x).data, x.data) == (name in VIEWS)


def test_the_diagonal_can_be_written_through() -> None:
    x = Tensor(SQUARE)
    rearrange.diagonal(x).data[...] = 0
    assert np.trace(x.data) == 0
    fixed = np.eye(2)
    fixed.flags.writeable = False
    assert not rearrange.diagonal(minitorch.from_numpy(fixed)).data.flags.writeable


def test_contiguous_gives_the_tensor_itself_where_it_can() -> None:
    assert minitorch.contiguous(X) is X
    assert minitorch.contiguous(minitorch.t(X)).data.flags.c_contiguous
    assert minitorch.contiguous([1.0, 2.0]).equal(Tensor([1.0, 2.0]))


def test_sizes_come_one_by_one_or_as_a_tuple_or_by_name() -> None:
    for spelled in (rearrange.flip(X, 0, 1), rearrange.flip(X, (0, 1)), rearrange.flip(X, dims=[0, 1])):
        assert spelled.equal(Tensor(X.data[::-1, ::-1]))
    assert minitorch.view(X, 3, 2).equal(minitorch.view(X, shape=(3, 2)))
    assert rearrange.tile(X, 2).equal(rearrange.tile(X, dims=(2,)))


def test_several_tensors_come_one_by_one_or_as_a_list() -> None:
    assert [each.shape for each in minitorch.atleast_2d(ONE, X)] == [(1, 1), (2, 3)]
    assert [each.shape for each in minitorch.atleast_2d([ONE])] == [(1, 1)]
    assert isinstance(minitorch.atleast_1d(ONE), Tensor)
    assert len(minitorch.meshgrid([X[0], X[1]])) == len(minitorch.meshgrid(X[0], X[1])) == 2


def test_the_number_of_pieces() -> None:
    x = Tensor(np.zeros((5, 2)))
    sizes = {
        "chunk": [len(piece) for piece in minitorch.chunk(x, 4)],
        "tensor_split": [len(piece) for piece in minitorch.tensor_split(x, 4)],
        "split": [len(piece) for piece in minitorch.split(x, 2)],
        "cuts": [len(piece) for piece in minitorch.tensor_split(x, [4, 1, -1])],
    }
    assert sizes == {"chunk": [2, 2, 1], "tensor_split": [2, 1, 1, 1], "split": [2, 2, 1], "cuts": [4, 0, 3, 1]}
    assert [piece.shape for piece in minitorch.chunk(x[:0], 3)] == [(0, 2)] * 3
    assert minitorch.unbind(x[:0]) == ()


def test_an_empty_vector_that_is_joined_gets_an_empty_gradient() -> None:
    nothing, x = Tensor(np.zeros(0), requires_grad=True), Tensor(SQUARE, requires_grad=True)
    minitorch.cat([nothing, x, nothing], dim=1).sum().backward()
    assert nothing.grad is not None
    assert nothing.grad.shape == (0,)
    np.testing.assert_array_equal(x.grad, np.ones((4, 4)))
