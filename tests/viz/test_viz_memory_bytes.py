"""What `viz.memory` counts, moment by moment, against what NumPy reports to tracemalloc."""

import gc
import tracemalloc

import numpy as np
import pytest
from memory_programs import PROGRAMS, images

import minitorch as mt
from minitorch import manual_seed
from minitorch.viz.facts.allocations import Recorder


def reported():
    """Bytes of arrays that are alive, as NumPy reports them; Python's own objects are in another domain."""
    filters = [tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)]
    return sum(trace.size for trace in tracemalloc.take_snapshot().filter_traces(filters).traces)


class Measured(Recorder):
    """A recorder that asks tracemalloc at every moment, too."""

    def __init__(self, model, optimizer=None):
        super().__init__(model, optimizer, {}, False)
        self.base, self.pairs = 0, []

    def _moment(self, *what):
        super()._moment(*what)
        counted = sum(seen.nbytes for seen in self.lives if seen.death is None)
        self.pairs.append((counted, reported() - self.base))


@pytest.mark.parametrize("maker", PROGRAMS, ids=[maker.__name__ for maker in PROGRAMS])
def test_every_moment_counts_the_bytes_that_numpy_reports(maker):
    manual_seed(0)
    mt.rand(1)
    _, _, program, _ = maker()
    program()  # what is made once and kept, such as tables, is there then
    gc.collect()
    tracemalloc.start()
    try:
        model, optimizer, program, x = maker()
        recorder = Measured(model, optimizer)
        given = 0 if x is None else x.data.nbytes
        recorder.base = reported() - sum(each.data.nbytes for each in model.parameters()) - given
        recorder.start()
        program()
        recorder.stop()
    finally:
        tracemalloc.stop()
    first_use = 1 if x is None else 2  # before its first use nobody knows of x
    later = zip(recorder.moments[first_use:], recorder.pairs[first_use:], strict=True)
    unseen = 128 if maker is images else 0  # index arrays that `interpolate` has made, before it uses them
    off = [(moment.phase, moment.op, *pair) for moment, pair in later if not 0 <= pair[1] - pair[0] <= unseen]
    assert off == []
