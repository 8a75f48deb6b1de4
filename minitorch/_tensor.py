"""Tensor: an array that remembers how it was made. Every operator and method is one operation, assigned by name.

Where its names are defined:

    data, grad, requires_grad, is_leaf, detach …        autograd/tensor_base.py (TensorBase)
    shape, item, numpy, len(), repr(), copy …           python_protocol.py (TensorDunders), what Python asks for
    backward, register_hook                             here, over autograd/grad.py
    operators, sum, reshape, max …                      ops/: `max = extremes.max` is in ops/extremes.py
    t[at] = value, t += value                           here, over autograd/in_place.py
    add_, fill_, copy_ …                                in_place_methods.py (InPlace), over autograd/in_place.py
    lgamma, unfold, gather …                            lazy_methods.py (LazyMethods), imported when they are asked for
    np.exp(t), array * t                                numpy_protocol.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Never

import numpy as np

from minitorch.autograd import in_place
from minitorch.autograd.grad import root_seed, run_backward
from minitorch.autograd.node import RemovableHandle, interior, meta_of
from minitorch.autograd.rules import UserBackward
from minitorch.autograd.scope import announce, current_scope
from minitorch.autograd.tensor_base import TensorBase, as_array, require_float
from minitorch.autograd.version import STALE, require_unchanged
from minitorch.backend import moved, xp
from minitorch.lazy_methods import LazyMethods
from minitorch.numpy_protocol import array_function, array_ufunc
from minitorch.ops import (
    arithmetic,
    choice,
    conversion,
    creation,
    extremes,
    index,
    joining,
    logic,
    movement,
    norms,
    products,
    random,
    rearrange,
    reduce,
    scan,
    unary,
)
from minitorch.ops import softmax as softmax_ops
from minitorch.ops import sort as sort_ops
from minitorch.ops._dims import sizes_in_a_row
from minitorch.ops._methods import in_place_of, swapped
from minitorch.types import TensorLike


class Tensor(LazyMethods):
    """An array with, if it wants gradients, a place in the computation graph.

    data: numbers, lists of numbers or an array, copied. Python floats, in lists too, become float32, the default;
    arrays and NumPy scalars keep their dtype; `dtype` overrides both. requires_grad: floats only. device: "cpu" or
    "cuda"; an array stays where it is unless told. _prev, _op: the parents and the tag of a hand-made result, whose
    `_backward` is assigned afterwards.

    `==` asks whether both are the same Tensor; `eq` compares number by number, `equal` and `allclose` give one answer.

    Raises TypeError for what is no real number, for integers with requires_grad, and for sizes in the place of data, as
    in Tensor(3, 4): who writes that may mean two numbers, or a matrix.

    >>> x = Tensor([1.0, 2.0, 3.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    array([2., 4., 6.], dtype=float32)
    """

    __slots__ = ()

    def __init__(
        self,
        data: TensorLike,
        requires_grad: bool = False,
        *sizes: Never,
        dtype: Any = None,
        device: str | None = None,
        _prev: tuple[TensorLike, ...] = (),
        _op: str = "",
    ) -> None:
        if sizes or not isinstance(requires_grad, (bool, np.bool_)):
            from minitorch.absent import not_data

            raise not_data(data, requires_grad, *sizes)
        array = as_array(data, dtype)
        self._data = xp(array).array(array, dtype=creation.dtype_or(dtype, array.dtype))
        if device is not None:
            self._data = moved(self._data, device)
        self._node = None
        if not requires_grad:
            return
        require_float(self._data)
        parents = tuple(parent._node if isinstance(parent, TensorBase) else None for parent in _prev)
        if not _prev:
            self.requires_grad = True
        elif current_scope().grad_enabled and any(parent is not None for parent in parents):
            rule, shape = UserBackward(_op), self._data.shape
            self._node = interior(self, rule, parents[0], parents[1:], (_unassigned,), shape, self._data.dtype)
            announce(self)

    # -- the backward pass -------------------------------------------------------------------------------------------

    @property
    def _backward(self) -> Callable[[], None]:
        """Adds this node's contributions to its parents' `grad`. Assign a function of no arguments to replace it."""
        node = self._node
        if node is None or node.is_leaf:
            return lambda: None  # a leaf has no parents to add to

        def add_contributions() -> None:
            require_unchanged((node,))
            assert node.rule is not None  # it is no leaf
            node.rule.contribute(node)

        return add_contributions

    @_backward.setter
    def _backward(self, function: Callable[[], None]) -> None:
        if self._node is not None:  # a constant never takes part, so what it would do is never asked
            self._node.rule = UserBackward(self._op)
            self._node.saved = (function,)

    def backward(
        self,
        gradient: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Sets `grad` = d(self)/d(tensor) on every leaf and on every held Tensor that self was made from.

        gradient: the upstream gradient, of self's shape; only a Tensor with one element may leave it out (1).
        Leaves accumulate over calls; gradients in between describe the latest call. The graph's saved values are freed
        on the way unless `retain_graph=True`. inputs: the Tensors, leaves or not, that gradients are added to, and no
        other. create_graph: each `grad` becomes a Tensor that can be differentiated again; it and the graph then hold
        each other until `grad` is set to None, so `minitorch.grad` is often the better tool.

        Raises RuntimeError on a constant, on a non-scalar without `gradient` and on a graph that is freed already;
        ValueError when `gradient` has another shape. Source: Linnainmaa, 1970; Griewank and Walther, 2008, chapter 3.

        >>> from minitorch import Tensor
        >>> x = Tensor([1.0, 2.0], requires_grad=True)
        >>> (x * x).sum().backward()
        >>> x.grad
        array([2., 4.], dtype=float32)
        """
        run_backward(root_seed(self, gradient, create_graph), retain_graph, create_graph, inputs)

    def register_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Calls hook(gradient) in every backward pass that reaches this Tensor; what it returns, if anything, goes on.

        The gradient is the sum of all contributions of the pass, an array (a Tensor with create_graph=True). Several
        hooks are called in the order of their registration. `.remove()` on what is returned takes the hook away.
        Raises RuntimeError on a constant.

        >>> from minitorch import Tensor
        >>> x = Tensor([1.0, 2.0], requires_grad=True)
        >>> handle = x.register_hook(lambda g: g * 10)
        >>> x.sum().backward()
        >>> x.grad
        array([10., 10.], dtype=float32)
        """
        if self._node is None:
            raise RuntimeError("register_hook on a constant: no gradient ever reaches a Tensor without requires_grad")
        return RemovableHandle(meta_of(self._node).hooks, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> RemovableHandle:
        """Calls hook(self) at the end of every backward pass that has added to this leaf's `grad`.

        For an optimiser of its own for each parameter: it steps, and forgets the gradient. All gradients are there when
        the first hook is called. Raises RuntimeError on a constant and on a result.

        >>> from minitorch import Tensor
        >>> x = Tensor([1.0, 2.0], requires_grad=True)
        >>> handle = x.register_post_accumulate_grad_hook(lambda leaf: print(leaf.grad))
        >>> (x * 3).sum().backward()
        [3. 3.]
        """
        if self._node is None or not self._node.is_leaf:
            raise RuntimeError("register_post_accumulate_grad_hook: only a leaf with requires_grad gathers a gradient")
        return RemovableHandle(meta_of(self._node).post_accumulate_hooks, hook)

    # -- operators ---------------------------------------------------------------------------------------------------

    __add__ = __radd__ = arithmetic.plain_add
    __mul__ = __rmul__ = arithmetic.mul
    __sub__ = arithmetic.plain_sub
    __truediv__ = arithmetic.plain_div
    __floordiv__ = arithmetic.floor_divide
    __mod__ = arithmetic.remainder
    __pow__ = arithmetic.pow
    __matmul__ = products.matmul
    __rsub__ = swapped(arithmetic.plain_sub)
    __rtruediv__ = swapped(arithmetic.plain_div)
    __rfloordiv__ = swapped(arithmetic.floor_divide)
    __rmod__ = swapped(arithmetic.remainder)
    __rpow__ = swapped(arithmetic.pow)
    __rmatmul__ = swapped(products.matmul)
    __neg__ = unary.neg
    __pos__ = unary.positive
    __abs__ = unary.abs
    __iadd__ = in_place_of(arithmetic.add, np.add, "+=")
    __isub__ = in_place_of(arithmetic.sub, np.subtract, "-=")
    __imul__ = in_place_of(arithmetic.mul, np.multiply, "*=")
    __itruediv__ = in_place_of(arithmetic.div, np.divide, "/=")
    __ipow__ = in_place_of(arithmetic.pow, operator="**=")

    __lt__ = logic.lt
    __le__ = logic.le
    __gt__ = logic.gt
    __ge__ = logic.ge
    __and__ = __rand__ = logic.bitwise_and
    __or__ = __ror__ = logic.bitwise_or
    __xor__ = __rxor__ = logic.bitwise_xor
    __invert__ = logic.bitwise_not

    __getitem__ = index.getitem

    def __setitem__(self, at: Any, value: TensorLike) -> None:
        """t[at] = value: recorded if t or the value takes part in the graph, else written into memory."""
        if current_scope().grad_enabled and (self.requires_grad or getattr(value, "requires_grad", False)):
            part = index.part_of(self._data, at) if STALE else None
            in_place.put_back(self, part, value, lambda now: index.setitem(now, at, value))
        else:
            in_place.write(self, "setitem", lambda memory: index.write(memory, at, value))

    # -- number by number --------------------------------------------------------------------------------------------

    add = arithmetic.add
    sub = arithmetic.sub
    mul = arithmetic.mul
    div = arithmetic.div
    true_divide = arithmetic.plain_div
    floor_divide = arithmetic.floor_divide
    remainder = arithmetic.remainder
    pow = arithmetic.pow
    maximum = choice.maximum
    minimum = choice.minimum
    logaddexp = arithmetic.logaddexp
    masked_fill = choice.masked_fill
    clamp = clip = choice.clamp
    clamp_min = choice.clamp_min
    clamp_max = choice.clamp_max

    def where(self, condition: TensorLike, other: TensorLike) -> Tensor:
        """Takes self where the condition holds, else other."""
        return choice.where(condition, self, other)

    abs = unary.abs
    acos = unary.acos
    acosh = unary.acosh
    asin = unary.asin
    asinh = unary.asinh
    atan = unary.atan
    atanh = unary.atanh
    ceil = unary.ceil
    cos = unary.cos
    cosh = unary.cosh
    erf = unary.erf
    exp = unary.exp
    exp2 = unary.exp2
    expm1 = unary.expm1
    floor = unary.floor
    frac = unary.frac
    log = unary.log
    log10 = unary.log10
    log1p = unary.log1p
    log2 = unary.log2
    neg = unary.neg
    positive = unary.positive
    reciprocal = unary.reciprocal
    relu = unary.relu
    round = unary.round
    rsqrt = unary.rsqrt
    sigmoid = unary.sigmoid
    sign = unary.sign
    sin = unary.sin
    sinh = unary.sinh
    sqrt = unary.sqrt
    square = unary.square
    tan = unary.tan
    tanh = unary.tanh
    trunc = unary.trunc
    isfinite = logic.isfinite
    isinf = logic.isinf
    isnan = logic.isnan
    nan_to_num = unary.nan_to_num

    eq = logic.eq
    ne = logic.ne
    lt = logic.lt
    le = logic.le
    gt = logic.gt
    ge = logic.ge
    isclose = logic.isclose
    allclose = logic.allclose
    equal = logic.equal
    logical_and = logic.logical_and
    logical_or = logic.logical_or
    logical_xor = logic.logical_xor
    logical_not = logic.logical_not
    bitwise_and = logic.bitwise_and
    bitwise_or = logic.bitwise_or
    bitwise_xor = logic.bitwise_xor
    bitwise_not = logic.bitwise_not

    # -- along axes --------------------------------------------------------------------------------------------------

    sum = reduce.sum
    mean = reduce.mean
    prod = reduce.prod
    amax = extremes.amax
    amin = extremes.amin
    aminmax = extremes.aminmax
    max = extremes.max
    min = extremes.min
    all = reduce.all
    any = reduce.any
    std = reduce.std
    var = reduce.var
    logsumexp = reduce.logsumexp
    norm = norms.norm
    count_nonzero = reduce.count_nonzero
    median = extremes.median
    nansum = reduce.nansum
    nanmean = reduce.nanmean
    cumsum = scan.cumsum
    cumprod = scan.cumprod
    diff = scan.diff
    argmax = sort_ops.argmax
    argmin = sort_ops.argmin
    sort = sort_ops.sort
    argsort = sort_ops.argsort
    topk = sort_ops.topk
    softmax = softmax_ops.softmax
    log_softmax = softmax_ops.log_softmax

    # -- products of matrices ----------------------------------------------------------------------------------------

    matmul = products.matmul
    mm = products.mm
    bmm = products.bmm
    mv = products.mv
    dot = products.dot
    inner = products.inner
    outer = products.outer
    kron = products.kron
    trace = products.trace
    addmm = products.addmm
    baddbmm = products.baddbmm

    # -- shapes ------------------------------------------------------------------------------------------------------

    reshape = sizes_in_a_row(movement.reshape)
    view = movement.view
    permute = sizes_in_a_row(movement.permute)
    expand = sizes_in_a_row(movement.expand)
    repeat = rearrange.repeat
    tile = rearrange.tile
    flip = rearrange.flip
    flatten = movement.flatten
    unflatten = movement.unflatten
    ravel = movement.ravel
    squeeze = movement.squeeze
    unsqueeze = movement.unsqueeze
    transpose = movement.transpose
    swapaxes = movement.swapaxes
    swapdims = movement.swapdims
    movedim = movement.movedim
    t = movement.t
    broadcast_to = movement.broadcast_to
    narrow = rearrange.narrow
    select = rearrange.select
    diagonal = rearrange.diagonal
    diag = rearrange.diag
    tril = rearrange.tril
    triu = rearrange.triu
    contiguous = movement.contiguous
    clone = movement.clone
    split = joining.split
    split_with_sizes = joining.split_with_sizes
    chunk = joining.chunk
    unbind = joining.unbind

    @property
    def T(self) -> Tensor:  # noqa: N802 (PyTorch's name)
        """The axes in reverse order."""
        return movement.permute(self, tuple(reversed(range(self.ndim))))

    @property
    def mT(self) -> Tensor:  # noqa: N802 (PyTorch's name)
        """The last two axes exchanged."""
        return movement.transpose(self, -1, -2)

    # -- parts -------------------------------------------------------------------------------------------------------

    index_put = index.index_put
    masked_select = index.masked_select
    take = index.take
    nonzero = index.nonzero
    argwhere = index.argwhere

    # -- other dtypes, other devices, other Tensors ------------------------------------------------------------------

    to = conversion.to
    astype = conversion.cast
    float = conversion.float
    double = conversion.double
    half = conversion.half
    bfloat16 = conversion.float
    long = conversion.long
    int = conversion.int
    short = conversion.short
    char = conversion.char
    byte = conversion.byte
    bool = conversion.bool
    type = conversion.type
    type_as = conversion.type_as
    cpu = conversion.cpu
    cuda = conversion.cuda
    new_zeros = creation.new_zeros
    new_ones = creation.new_ones
    new_full = creation.new_full
    new_empty = creation.new_zeros
    new_tensor = creation.new_tensor
    multinomial = random.multinomial

    # -- NumPy's functions: np.exp(t), np.sum(t, axis=0), array * t --------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **options: Any) -> Any:
        return array_ufunc(ufunc, method, operands, options)

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, options: Any) -> Any:
        return array_function(function, args, options)

    if not TYPE_CHECKING:  # else a checker would believe that there is any method whatever

        def __getattr__(self, name: str) -> Any:
            """Asked for what is not there: raises AttributeError that says which name was meant."""
            if name.startswith("_"):
                raise AttributeError(f"'Tensor' object has no attribute {name!r}")
            from minitorch.absent import not_found

            raise not_found("'Tensor' object", name, dir(type(self)))


TensorBase.tensor_type = Tensor


def _unassigned() -> None:
    raise RuntimeError("this hand-made Tensor has parents but no _backward: assign a function of no arguments to it")
