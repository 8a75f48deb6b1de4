"""Every case of the op table on a device that is not the host: the same numbers, and none that crosses over unasked."""

import fake_cupy
import numpy as np
import pytest
from fake_cupy import HOST, Reason, Transfer, uncounted
from golden import takes_gradient
from on_device import MAKE, OPERATIONS, SECOND, difference, operation, quietly, second_gradients
from op_table import Case

import minitorch
from minitorch import Tensor

RANGE = Reason("a GPU wraps wrong indices around silently: the smallest and the largest are looked at", to_host="iu")
SHAPE = Reason("the shape of the result depends on the numbers", to_host="iu")
COUNTS = Reason("how often each is repeated, or where to cut, is the shape of the result", to_host="iu", to_device="iu")
ANSWER = Reason("the answer is one Python bool", to_host="b")
PROBABILITY = Reason("the smallest and the largest probability are looked at", to_host="f")
SIGN = Reason("a probability that is none, or a negative deviation, is refused: one bool", to_host="b")
WRITTEN = Reason("a list or a number that the user wrote goes up", to_device="biu")
BAGS = Reason("where bags begin is the shape of the table of their numbers", to_host="iu", to_device="ib")
GIVEN = Reason("numbers that the user wrote go up", to_device="biuf")
TABLE = Reason("windows that differ in size: which places each has follows from shapes alone", to_device="biuf")
DRAWN = Reason("drawn on the host, so that a seed gives the same numbers on both devices", to_device="biuf")
WEIGHED = Reason("drawn on the host, by weights that must be there", to_host="f", to_device="iu")
LABELS = Reason("are all classes inside? With weights or rows that do not count, they are looked up", "biuf", "biuf")
PRODUCTS = Reason("CuPy cannot multiply at repeated indices", to_host="iuf", to_device="f")
PARTS = Reason("does q lie from 0 to 1? It is written by the user, and goes up", to_host="b", to_device="f")
RANK = Reason("there are residuals only where every matrix has full rank: one bool", to_host="b")
ALIGNED = Reason("labels and lengths say where alignments may go: a table goes up", to_host="iu", to_device="biuf")
PAIRS = Reason("which pairs there are follows from the shape alone", to_device="iu")
COMBINED = Reason("CuPy cannot combine at repeated indices", to_host="iuf", to_device="f")
CHOSEN = Reason("which are chosen follows from the size alone", to_device="i")
INSIDE = Reason("does every place lie inside? One bool", to_host="b")
LOOK = Reason("how many steps are taken depends on the largest", to_host="if")
COUNTED = Reason("counted on the host, and counts go back up", to_host="iuf", to_device="f")
WEIGHTS = Reason("is every weight 0 or above? One bool", to_host="b")
MOVES = Reason("moving is what it is for", to_host="f", to_device="f")

ASKS: dict[str, tuple[Reason, ...]] = {
    **dict.fromkeys(("gather", "take", "take_along_dim", "index_select", "embedding"), (RANGE,)),
    **dict.fromkeys(("index_add", "index_copy", "index_fill", "scatter_add"), (RANGE,)),
    **dict.fromkeys(("index_add_", "index_copy_", "index_fill_", "scatter_", "scatter_add_"), (RANGE,)),
    **dict.fromkeys(("getitem", "setitem"), (RANGE, SHAPE, WRITTEN)),
    **dict.fromkeys(("index_put", "index_put_"), (RANGE, SHAPE)),
    "scatter": (RANGE, PRODUCTS),
    **dict.fromkeys(("nonzero", "argwhere", "unique", "masked_select", "bincount", "one_hot", "arange"), (SHAPE,)),
    **dict.fromkeys(("repeat_interleave", "tensor_split"), (COUNTS,)),
    **dict.fromkeys(("equal", "allclose"), (ANSWER,)),
    "binary_cross_entropy": (PROBABILITY,),
    **dict.fromkeys(("normal", "bernoulli", "bernoulli_"), (SIGN, DRAWN)),
    **dict.fromkeys(("rand_like", "randn_like", "randint_like", "dropout", "dropout2d"), (DRAWN,)),
    "gaussian_nll_loss": (SIGN,),
    "gumbel_softmax": (DRAWN,),
    "multinomial": (WEIGHED,),
    "new_tensor": (GIVEN,),
    "embedding_bag": (RANGE, BAGS),
    **dict.fromkeys(("nll_loss", "cross_entropy"), (LABELS,)),
    **dict.fromkeys(("avg_pool1d", "avg_pool2d", "interpolate"), (TABLE,)),
    **dict.fromkeys(("adaptive_avg_pool1d", "adaptive_avg_pool2d"), (TABLE,)),
    **dict.fromkeys(("adaptive_max_pool1d", "adaptive_max_pool2d"), (TABLE,)),
    **dict.fromkeys(("avg_pool3d", "adaptive_avg_pool3d", "adaptive_max_pool3d", "lp_pool2d"), (TABLE,)),
    **dict.fromkeys(("max_unpool1d", "max_unpool2d", "max_unpool3d"), (RANGE,)),
    **dict.fromkeys(("multi_margin_loss", "multilabel_margin_loss"), (RANGE,)),
    **dict.fromkeys(("alpha_dropout", "feature_alpha_dropout", "rrelu"), (DRAWN,)),
    "ctc_loss": (ALIGNED,),
    "pdist": (PAIRS,),
    "linalg.lstsq": (RANK,),
    "quantile": (RANGE, PARTS),
    "searchsorted": (WRITTEN,),
    "to": (MOVES,),
    **dict.fromkeys(("scatter_reduce", "scatter_reduce_", "index_reduce", "index_reduce_"), (RANGE, COMBINED)),
    **dict.fromkeys(("put", "put_"), (RANGE,)),
    **dict.fromkeys(("masked_scatter", "masked_scatter_", "unique_consecutive", "nonzero_static"), (SHAPE,)),
    "combinations": (CHOSEN,),
    "unravel_index": (INSIDE,),
    **dict.fromkeys(("matrix_exp", "linalg.matrix_exp"), (LOOK,)),
    **dict.fromkeys((f"special.{name}" for name in minitorch.special.__all__ if "polynomial" in name), (LOOK,)),
    **dict.fromkeys(("histc", "histogram", "histogramdd"), (COUNTED,)),
    "cov": (WEIGHTS,),
    "nanquantile": (PARTS, RANGE),
    **dict.fromkeys(("lu", "lu_solve", "lu_unpack"), (RANGE,)),
    **dict.fromkeys(("linalg.lu", "linalg.lu_factor", "linalg.lu_factor_ex", "linalg.lu_solve"), (RANGE,)),
    **dict.fromkeys(("logspace", "scalar_tensor", "gradient"), (GIVEN,)),
    "isin": (SHAPE,),
}


TWICE = {case.name for case in SECOND if takes_gradient(case.name)}


def require_the_same_numbers(case: Case) -> list[Transfer]:
    """What crossed meanwhile, each with a reason."""
    expected = quietly(lambda: operation(case, "cpu"))
    fake_cupy.transfers.clear()
    found = quietly(lambda: operation(case, "cuda", uncounted))
    unexplained = [each for each in fake_cupy.transfers if not any(why.covers(each) for why in ASKS.get(case.op, ()))]
    crossed = list(fake_cupy.transfers)
    assert unexplained == [], case.name
    assert type(found[0]) is fake_cupy.ndarray or case.op in MAKE or MOVES in ASKS.get(case.op, ())
    assert all(gradient is None or type(gradient) is fake_cupy.ndarray for gradient in found[1:])
    assert difference(found, expected) < 1e-10, case.name
    return crossed


def require_the_same_gradients_of_gradients(case: Case) -> None:
    expected, found = (quietly(lambda: second_gradients(case, device)) for device in ("cpu", "cuda"))  # noqa: B023
    assert all(gradient is None or type(gradient) is fake_cupy.ndarray for gradient in found)
    assert difference(found, expected) < 1e-10, case.name


@pytest.mark.parametrize("op", sorted({case.op for case in OPERATIONS} | set(ASKS)))
def test_the_gpu_computes_what_the_cpu_computes_and_every_reason_to_cross_is_needed(op: str) -> None:
    seen: list[Transfer] = []
    for case in (case for case in OPERATIONS if case.op == op):
        seen += require_the_same_numbers(case)
        if case.name in TWICE:
            require_the_same_gradients_of_gradients(case)
    assert [why.why for why in ASKS.get(op, ()) if not any(why.covers(each) for each in seen)] == []


def test_nothing_is_differentiated_twice_that_is_no_operation() -> None:
    assert {case.name for case in OPERATIONS} >= TWICE
    assert len(TWICE) > 1900


def test_a_transfer_that_nobody_allowed_is_seen() -> None:
    x = Tensor(np.ones(3), device="cuda", requires_grad=True)
    fake_cupy.transfers.clear()
    float((x * 2).sum())
    assert [(each.to, each.why, each.size) for each in fake_cupy.transfers] == [(HOST, "item", 1)]
