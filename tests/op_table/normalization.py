"""Cases of normalisations."""

from __future__ import annotations

from typing import Any

from op_table.case import Case, Draw, case, exactly, positive, signed, spread


def norm(
    op: str, title: str, *draws: Draw, names: tuple[str, ...] = (), fixed: tuple[int, ...] = (), **options: Any
) -> Case:
    """The input first, then tensors that are passed by `names`."""

    def call(m: Any, input: Any, *rest: Any) -> Any:
        return getattr(m.nn.functional, op)(input, **dict(zip(names, rest, strict=True)), **options)

    return case(op, title, call, *draws, fixed=fixed)


AFFINE = ("weight", "bias")
RUNNING = ("running_mean", "running_var")
IMAGES = (signed(2, 4, 2, 3), positive(4), signed(4))


def by_batch(title: str, *draws: Draw, names: tuple[str, ...] = (), training: bool = True, **options: Any) -> Case:
    """Running statistics are constants, and None where they are not named."""

    def call(m: Any, input: Any, *rest: Any) -> Any:
        given = {"running_mean": None, "running_var": None, **dict(zip(names, rest, strict=True))}
        given = {
            name: value.clone() if name in RUNNING and value is not None else value for name, value in given.items()
        }
        return m.nn.functional.batch_norm(input, training=training, **given, **options)

    fixed = tuple(1 + place for place, name in enumerate(names) if name in RUNNING)
    return case("batch_norm", title, call, *draws, fixed=fixed)


CASES = [
    norm("layer_norm", "vector", signed(4), normalized_shape=(4,)),
    norm("layer_norm", "matrix", signed(3, 4), normalized_shape=(4,)),
    norm("layer_norm", "affine", signed(3, 4), positive(4), signed(4), names=AFFINE, normalized_shape=(4,)),
    norm("layer_norm", "weight alone", signed(3, 4), positive(4), names=("weight",), normalized_shape=(4,)),
    norm("layer_norm", "bias alone", signed(3, 4), signed(4), names=("bias",), normalized_shape=(4,)),
    norm("layer_norm", "three axes", signed(2, 2, 4), positive(4), signed(4), names=AFFINE, normalized_shape=(4,)),
    norm(
        "layer_norm",
        "two axes at once",
        signed(3, 2, 2),
        positive(2, 2),
        signed(2, 2),
        names=AFFINE,
        normalized_shape=(2, 2),
    ),
    norm("layer_norm", "another eps", signed(3, 4), normalized_shape=(4,), eps=0.5),
    norm("layer_norm", "no rows", signed(0, 4), positive(4), signed(4), names=AFFINE, normalized_shape=(4,)),
    norm("layer_norm", "rows of nothing", signed(3, 0), positive(0), signed(0), names=AFFINE, normalized_shape=(0,)),
    norm("layer_norm", "constant rows", exactly([[2.0, 2.0, 2.0]]), normalized_shape=(3,)),
    norm(
        "layer_norm",
        "rows of one",
        exactly([[2.0], [-1.0]]),
        positive(1),
        signed(1),
        names=AFFINE,
        normalized_shape=(1,),
    ),
    norm("rms_norm", "vector", signed(4), normalized_shape=(4,)),
    norm("rms_norm", "weight", signed(3, 4), positive(4), names=("weight",), normalized_shape=(4,)),
    norm("rms_norm", "three axes", signed(2, 2, 4), positive(4), names=("weight",), normalized_shape=(4,), eps=1e-5),
    norm("rms_norm", "two axes at once", signed(3, 2, 2), positive(2, 2), names=("weight",), normalized_shape=(2, 2)),
    norm("rms_norm", "another eps", signed(3, 4), normalized_shape=(4,), eps=0.5),
    norm("rms_norm", "no rows", signed(0, 4), positive(4), names=("weight",), normalized_shape=(4,)),
    by_batch("rows", signed(4, 3)),
    by_batch("rows, affine", signed(4, 3), positive(3), signed(3), names=AFFINE),
    by_batch("rows, weight alone", signed(4, 3), positive(3), names=("weight",)),
    by_batch("sequences", signed(2, 3, 3), positive(3), signed(3), names=AFFINE),
    by_batch("images", signed(2, 3, 2, 2), positive(3), signed(3), names=AFFINE),
    by_batch("one image", signed(1, 2, 2, 3), positive(2), signed(2), names=AFFINE, eps=0.1),
    by_batch(
        "with running statistics",
        signed(4, 3),
        signed(3),
        positive(3),
        positive(3),
        signed(3),
        names=(*RUNNING, *AFFINE),
    ),
    by_batch("evaluation", signed(4, 3), signed(3), positive(3), names=RUNNING, training=False),
    by_batch(
        "evaluation, affine",
        signed(2, 3, 2),
        signed(3),
        positive(3),
        positive(3),
        signed(3),
        names=(*RUNNING, *AFFINE),
        training=False,
    ),
    by_batch(
        "evaluation, weight alone",
        signed(2, 3),
        signed(3),
        positive(3),
        positive(3),
        names=(*RUNNING, "weight"),
        training=False,
        eps=0.1,
    ),
    by_batch(
        "evaluation, bias alone",
        signed(2, 3),
        signed(3),
        positive(3),
        signed(3),
        names=(*RUNNING, "bias"),
        training=False,
    ),
    norm("group_norm", "one group", *IMAGES, names=AFFINE, num_groups=1),
    norm("group_norm", "two groups", *IMAGES, names=AFFINE, num_groups=2),
    norm("group_norm", "a group for each channel", *IMAGES, names=AFFINE, num_groups=4, eps=0.1),
    norm("group_norm", "rows", signed(2, 4), num_groups=2),
    norm("group_norm", "no rows", signed(0, 4), positive(4), signed(4), names=AFFINE, num_groups=2),
    norm("instance_norm", "sequences", signed(2, 3, 4)),
    norm("instance_norm", "images, affine", signed(2, 2, 2, 3), positive(2), signed(2), names=AFFINE),
    norm("instance_norm", "another eps", signed(1, 2, 3), eps=0.5),
    norm(
        "instance_norm",
        "with running statistics",
        signed(2, 2, 3),
        signed(2),
        positive(2),
        names=RUNNING,
        fixed=(1, 2),
        use_input_stats=False,
    ),
    norm("normalize", "rows", signed(3, 4)),
    norm("normalize", "dim 0", signed(3, 4), dim=0),
    norm("normalize", "vector", signed(4), dim=-1),
    norm("normalize", "p 1", spread(3, 4), p=1.0),
    norm("normalize", "p 3", spread(3, 4), p=3.0),
    norm("normalize", "three axes", signed(2, 3, 2)),
    norm("normalize", "shorter than eps", signed(2, 3), eps=50.0),
    norm("normalize", "size 0", signed(0, 3)),
    case("normalize", "a row of zeros", lambda m, x: m.nn.functional.normalize(x), exactly([[0.0, 0.0]]), smooth=False),
    case(
        "cosine_similarity",
        "both broadcast along dim",
        lambda m, x, y: m.nn.functional.cosine_similarity(x, y, dim=-2),
        signed(1, 2, 3),
        signed(2, 1, 3),
    ),
    case(
        "cosine_similarity", "rows", lambda m, x, y: m.nn.functional.cosine_similarity(x, y), signed(3, 4), signed(3, 4)
    ),
    case(
        "cosine_similarity",
        "dim 0",
        lambda m, x, y: m.nn.functional.cosine_similarity(x, y, dim=0),
        signed(3, 4),
        signed(3, 4),
    ),
    case(
        "cosine_similarity",
        "every pair",
        lambda m, x, y: m.nn.functional.cosine_similarity(x, y, dim=-1),
        signed(3, 1, 4),
        signed(2, 4),
    ),
    case(
        "cosine_similarity",
        "a row of zeros",
        lambda m, x, y: m.nn.functional.cosine_similarity(x, y),
        exactly([[0.0, 0.0]]),
        exactly([[1.0, 2.0]]),
        smooth=False,
    ),
    case(
        "cosine_similarity",
        "shorter than eps",
        lambda m, x, y: m.nn.functional.cosine_similarity(x, y, eps=9.0),
        signed(2, 3),
        signed(2, 3),
        smooth=False,
    ),
]
