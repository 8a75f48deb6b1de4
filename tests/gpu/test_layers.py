"""Every layer and loss on a device that is not the host: the same numbers, and none that crosses over unasked."""

import fake_cupy
import pytest
from fake_cupy import Reason, Transfer, uncounted
from layer_cases import CASES, Case
from on_device import difference, layer, quietly

# Part of the case's name, and why numbers cross there.
CROSSES = {
    "Embedding": Reason("the smallest and the largest row number are looked at", to_host="i"),
    "EmbeddingBag summed": Reason("offsets say where each bag begins: they are looked at, a table goes up", "i", "bi"),
    "CrossEntropyLoss": Reason("are all class numbers inside?", to_host="b"),
    "CrossEntropyLoss weighted": Reason("class numbers are looked up among the weights", "bif", "bif"),
    "NLLLoss": Reason("class numbers are looked up among the weights, or those that do not count", "bif", "bif"),
    "BCELoss": Reason("the smallest and the largest probability are looked at", to_host="f"),
    "AvgPool": Reason("windows at the edge have other sizes: a table goes up", to_device="if"),
    "Adaptive": Reason("windows differ in size: a table goes up", to_device="bif"),
    "several lengths": Reason(
        "lengths decide where each step lies: they are looked at, and a table goes up", "iu", "biu"
    ),
    "MaxUnpool": Reason("the smallest and the largest index are looked at", to_host="i"),
    "RReLU of one slope": Reason("slopes are drawn on the host, so that a seed gives the same", to_device="f"),
    "MultiMarginLoss": Reason("are all class numbers inside?", to_host="i"),
    "MultiLabelMarginLoss": Reason("are all class numbers inside?", to_host="i"),
    "AdaptiveLogSoftmaxWithLoss": Reason("which cluster each class is in decides what is computed", "iu", "iu"),
    "CTCLoss": Reason("labels and lengths say where alignments may go: a table goes up", "iu", "biuf"),
    "GaussianNLLLoss": Reason("a negative variance is refused: one bool", to_host="b"),
    "cumulative": Reason("one over the number of batches is a Python number", to_host="i"),
    "BatchNorm3d": Reason("one over the number of batches is a Python number", to_host="i"),
    "BatchNorm2d twice": Reason("one over the number of batches is a Python number", to_host="i"),
}


def unexplained(case: Case, crossed: list[Transfer]) -> list[Transfer]:
    reasons = [reason for word, reason in CROSSES.items() if word in case.name]
    return [each for each in crossed if not any(reason.covers(each) for reason in reasons)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_gpu_computes_what_the_cpu_computes(case: Case) -> None:
    expected = quietly(lambda: layer(case, "cpu"))
    fake_cupy.transfers.clear()
    found = quietly(lambda: layer(case, "cuda", uncounted))
    assert unexplained(case, fake_cupy.transfers) == []
    assert all(each is None or type(each) is fake_cupy.ndarray for each in found)
    assert difference(found, expected) < 1e-10


@pytest.mark.parametrize("word", CROSSES)
def test_every_reason_is_needed(word: str) -> None:
    for case in CASES:
        if word in case.name:
            quietly(lambda: layer(case, "cuda", uncounted))  # noqa: B023
    assert any(CROSSES[word].covers(each) for each in fake_cupy.transfers)
