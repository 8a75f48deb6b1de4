"""Cases of joining and splitting."""

from __future__ import annotations

from typing import Any

from op_table.case import case, index, indices, signed


def weighed(m: Any, pieces: tuple[Any, ...]) -> Any:
    """The pieces in one vector, each with a weight of its own: their order and their number matter."""
    return m.cat([m.reshape(piece, (-1,)) * (place + 1) for place, piece in enumerate(pieces)])


CASES = [
    case("split", "the method's name of the size", lambda m, x: x.split(split_size=2)[1], signed(5)),
    case("cat", "first axis", lambda m, x, y: m.cat([x, y]), signed(2, 3), signed(1, 3)),
    case("cat", "last axis", lambda m, x, y, z: m.cat((x, y, z), dim=-1), signed(2, 1), signed(2, 3), signed(2, 2)),
    case("cat", "middle axis", lambda m, x, y: m.cat([x, y], 1), signed(2, 1, 2), signed(2, 2, 2)),
    case("cat", "a tensor with itself", lambda m, x: m.cat([x, x, x]), signed(2)),
    case("cat", "one tensor", lambda m, x: m.cat([x]), signed(2)),
    case("cat", "a part of size 0", lambda m, x, y: m.cat([x, y], 1), signed(2, 0), signed(2, 2)),
    case("cat", "an empty vector", lambda m, x, y, z: m.cat([x, y, z], 1), signed(2, 1), signed(0), signed(2, 2)),
    case("cat", "nothing", lambda m, x, y: m.cat([x, y]), signed(0), signed(0)),
    case("concat", "last axis", lambda m, x, y: m.concat([x, y], dim=-1), signed(2, 1), signed(2, 3)),
    case("concatenate", "first axis", lambda m, x, y: m.concatenate([x, y]), signed(2, 1), signed(1, 1)),
    case("stack", "first axis", lambda m, x, y: m.stack([x, y]), signed(2, 3), signed(2, 3)),
    case("stack", "last axis", lambda m, x, y, z: m.stack((x, y, z), dim=-1), signed(2), signed(2), signed(2)),
    case("stack", "middle axis", lambda m, x, y: m.stack([x, y], 1), signed(2, 3), signed(2, 3)),
    case("stack", "single numbers", lambda m, x, y: m.stack([x, y]), signed(), signed()),
    case("stack", "a tensor with itself", lambda m, x: m.stack([x, x]), signed(2)),
    case("stack", "size 0", lambda m, x, y: m.stack([x, y]), signed(0), signed(0)),
    case("hstack", "single numbers", lambda m, x, y: m.hstack([x, y]), signed(), signed()),
    case("hstack", "vectors", lambda m, x, y: m.hstack((x, y)), signed(2), signed(3)),
    case("hstack", "matrices", lambda m, x, y: m.hstack([x, y]), signed(2, 1), signed(2, 2)),
    case("vstack", "single numbers", lambda m, x, y: m.vstack([x, y]), signed(), signed()),
    case("vstack", "a vector and a matrix", lambda m, x, y: m.vstack((x, y)), signed(2), signed(2, 2)),
    case("vstack", "three axes", lambda m, x, y: m.vstack([x, y]), signed(1, 2, 2), signed(2, 2, 2)),
    case("split", "even", lambda m, x: weighed(m, m.split(x, 2)), signed(4, 2)),
    case("split", "with a smaller last piece", lambda m, x: weighed(m, m.split(x, 2, dim=1)), signed(2, 5)),
    case("split", "by sizes", lambda m, x: weighed(m, m.split(x, [1, 0, 2], -1)), signed(2, 3)),
    case("split", "larger than the axis", lambda m, x: m.split(x, 5)[0], signed(3)),
    case("split", "one piece", lambda m, x: m.split(x, 2)[1], signed(5, 2)),
    case("split", "size 0", lambda m, x: m.stack(m.split(x, 2)), signed(0, 2)),
    case("split", "size 0 in pieces of 0", lambda m, x: m.stack(m.split(x, 0)), signed(0, 2)),
    case("split_with_sizes", "three", lambda m, x: weighed(m, m.split_with_sizes(x, (1, 2, 1))), signed(4)),
    case("split_with_sizes", "last axis", lambda m, x: weighed(m, m.split_with_sizes(x, [3, 1], dim=-1)), signed(2, 4)),
    case("chunk", "even", lambda m, x: weighed(m, m.chunk(x, 2)), signed(4, 2)),
    case("chunk", "with a smaller last piece", lambda m, x: weighed(m, m.chunk(x, 2, dim=-1)), signed(2, 5)),
    case("chunk", "fewer than asked", lambda m, x: weighed(m, m.chunk(x, 4)), signed(5)),
    case("chunk", "more than elements", lambda m, x: weighed(m, m.chunk(x, 7)), signed(2)),
    case("chunk", "size 0", lambda m, x: m.stack(m.chunk(x, 3)), signed(0, 2)),
    case("tensor_split", "even", lambda m, x: weighed(m, m.tensor_split(x, 2)), signed(4)),
    case("tensor_split", "uneven", lambda m, x: weighed(m, m.tensor_split(x, 3, dim=1)), signed(2, 5)),
    case("tensor_split", "more than elements", lambda m, x: m.tensor_split(x, 4)[1], signed(2)),
    case("tensor_split", "an empty piece", lambda m, x: m.tensor_split(x, 4)[3], signed(2)),
    case("tensor_split", "at indices", lambda m, x: weighed(m, m.tensor_split(x, (1, 3))), signed(5)),
    case("tensor_split", "at negative indices", lambda m, x: weighed(m, m.tensor_split(x, (1, -1), 1)), signed(2, 4)),
    case("tensor_split", "beyond the end", lambda m, x: m.tensor_split(x, (2, 9))[2], signed(4)),
    case("tensor_split", "at places that go back", lambda m, x: weighed(m, m.tensor_split(x, (3, 1))), signed(4)),
    case("tensor_split", "a count in a tensor", lambda m, x, n: weighed(m, m.tensor_split(x, n)), signed(4), index(3)),
    case("tensor_split", "places in a tensor", lambda m, x, n: weighed(m, m.tensor_split(x, n)), signed(4), indices(1)),
    case("unbind", "first axis", lambda m, x: weighed(m, m.unbind(x)), signed(3, 2)),
    case("unbind", "last axis", lambda m, x: weighed(m, m.unbind(x, dim=-1)), signed(2, 3)),
    case("unbind", "a vector", lambda m, x: weighed(m, m.unbind(x)), signed(3)),
    case("unbind", "one slice", lambda m, x: m.unbind(x, 1)[1], signed(2, 2, 2)),
]
