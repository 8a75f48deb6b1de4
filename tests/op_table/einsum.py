"""Cases of einsum and tensordot."""

from __future__ import annotations

from typing import Any

from op_table.case import Case, case, indices, signed


def einsum(equation: str, *shapes: tuple[int, ...], title: str = "") -> Case:
    draws = [signed(*shape) for shape in shapes]
    return case("einsum", title or equation, lambda m, *tensors: m.einsum(equation, *tensors), *draws)


def tensordot(title: str, left: tuple[int, ...], right: tuple[int, ...], dims: Any) -> Case:
    return case("tensordot", title, lambda m, x, y: m.tensordot(x, y, dims=dims), signed(*left), signed(*right))


CASES = [
    # one operand
    einsum("ij->ij", (2, 3)),
    einsum("ij->ji", (2, 3)),
    einsum("ij", (2, 3)),
    einsum("ba", (2, 3)),
    einsum("aB", (2, 3)),
    einsum("ij->", (2, 3)),
    einsum("ij->i", (2, 3)),
    einsum("ij->j", (2, 3)),
    einsum("ii->i", (3, 3)),
    einsum("ii->", (3, 3)),
    einsum("ii", (3, 3)),
    einsum("iij->ji", (2, 2, 3)),
    einsum("ijij->ij", (2, 3, 2, 3)),
    einsum("iii->i", (2, 2, 2)),
    einsum("ijii->j", (2, 3, 2, 2)),
    einsum("...ii->...i", (2, 3, 3)),
    einsum("i...->...i", (2, 3, 2)),
    einsum("i...->i", (2, 3)),
    einsum("...->", (2, 3)),
    einsum("...", (2, 3)),
    einsum("...j->j...", (2, 2, 3)),
    einsum("", ()),
    einsum("->", ()),
    einsum(" i j -> j i ", (2, 3)),
    einsum("ij->j", (0, 3), title="size 0 summed"),
    einsum("ij->j", (3, 0), title="size 0 kept"),
    # two operands
    einsum("i,i->", (3,), (3,)),
    einsum("i,i", (3,), (3,)),
    einsum("i,i->i", (3,), (3,)),
    einsum("i,j->ij", (2,), (3,)),
    einsum("i,j->ji", (2,), (3,)),
    einsum("i,j->", (2,), (3,)),
    einsum("ij,jk->ik", (2, 3), (3, 2)),
    einsum("ij,jk", (2, 3), (3, 2)),
    einsum("ij,jk->ki", (2, 3), (3, 2)),
    einsum("ij,kj->ik", (2, 3), (2, 3)),
    einsum("ji,jk->ik", (3, 2), (3, 2)),
    einsum("ij,ij->", (2, 3), (2, 3)),
    einsum("ij,ji->", (2, 3), (3, 2)),
    einsum("ij,ij->i", (2, 3), (2, 3)),
    einsum("ij,jk->", (2, 3), (3, 2)),
    einsum("ij,kl->ik", (2, 3), (2, 3)),
    einsum("ij,kl->ijkl", (2, 1), (2, 2)),
    einsum("bij,bjk->bik", (2, 2, 3), (2, 3, 2)),
    einsum("bij,jk->bik", (2, 2, 3), (3, 2)),
    einsum("bij,bj->bi", (2, 2, 3), (2, 3)),
    einsum("bij,bk->bijk", (2, 2, 1), (2, 3)),
    einsum("bqhd,bkhd->bhqk", (1, 2, 2, 3), (1, 2, 2, 3)),
    einsum("bhqk,bkhd->bqhd", (1, 2, 2, 2), (1, 2, 2, 3)),
    einsum("aijk,ijkb->ab", (2, 1, 2, 2), (1, 2, 2, 2)),
    einsum("ijk,lkj->il", (2, 2, 3), (2, 3, 2)),
    einsum("ii,ij->j", (3, 3), (3, 2)),
    einsum("ii,jj->ij", (2, 2), (3, 3)),
    einsum("ij,ji", (2, 3), (3, 2), title="ij,ji both letters twice"),
    einsum(",ij->ji", (), (2, 3)),
    einsum(",", (), ()),
    # ellipsis and broadcasting
    einsum("...ij,...jk->...ik", (2, 2, 3), (3, 2)),
    einsum("...ij,...jk->...ik", (2, 1, 2, 3), (2, 3, 2), title="ellipses that broadcast"),
    einsum("...ij,...jk", (2, 2, 3), (2, 3, 2)),
    einsum("i...,j...", (2, 3), (2, 2, 1)),
    einsum("...i,...i->...", (2, 3), (2, 3)),
    einsum("...i,...i->", (2, 3), (3,)),
    einsum("...,...->...", (2, 3), (3,)),
    einsum("i...k,k...j->ij...", (2, 2, 3), (3, 2, 2)),
    einsum("ij,jk->ik", (2, 1), (3, 2), title="size 1 in the sum, left"),
    einsum("ij,jk->ik", (2, 3), (1, 2), title="size 1 in the sum, right"),
    einsum("bij,bjk->bik", (1, 2, 3), (2, 3, 2), title="a batch of one, left"),
    einsum("bij,bjk->bik", (2, 2, 3), (1, 3, 2), title="a batch of one, right"),
    einsum("ij,ij->ij", (1, 3), (2, 1), title="size 1 on both sides"),
    einsum("ij,ij->", (1, 3), (2, 3), title="size 1 and all summed"),
    einsum("ij,jk->ik", (2, 0), (0, 3), title="nothing to sum"),
    einsum("ij,jk->ik", (0, 2), (2, 3), title="no rows"),
    einsum("bij,bjk->bik", (0, 2, 2), (0, 2, 1), title="empty batch"),
    # more
    einsum("ij,jk,kl->il", (2, 3), (3, 2), (2, 2)),
    einsum("i,j,k->ijk", (2,), (2,), (3,)),
    einsum("ij,j,jk->ik", (2, 3), (3,), (3, 2)),
    einsum("i,ij,j->", (2,), (2, 3), (3,)),
    einsum("bn,anm,bm->ba", (2, 3), (2, 3, 2), (2, 2)),
    einsum("i,i,i,i->", (3,), (3,), (3,), (3,)),
    einsum("ii,i,...i->...", (2, 2), (2,), (3, 2)),
    einsum("ij,jk,ik->", (2, 1), (3, 2), (1, 2), title="three operands, sizes of 1"),
    case("einsum", "one tensor twice", lambda m, x: m.einsum("ij,kj->ik", x, x), signed(2, 3)),
    case("einsum", "operands as a list", lambda m, x, y: m.einsum("ij,jk", [x, y]), signed(2, 3), signed(3, 2)),
    case(
        "einsum",
        "lists of axes",
        lambda m, x, y: m.einsum(x, [0, 1], y, [1, 2], [0, 2]),
        signed(2, 3),
        signed(3, 2),
    ),
    case(
        "einsum", "lists of axes, no output", lambda m, x, y: m.einsum(x, [3, 1], y, [1, 2]), signed(2, 3), signed(3, 2)
    ),
    case("einsum", "lists of axes, one operand", lambda m, x: m.einsum(x, [30, 2]), signed(2, 3)),
    case(
        "einsum",
        "lists of axes with an ellipsis",
        lambda m, x, y: m.einsum(x, [..., 1], y, [1, 2], [..., 2]),
        signed(2, 2, 3),
        signed(3, 2),
    ),
    case(
        "einsum",
        "floats and integers, nothing summed",
        lambda m, x, y: m.einsum("i,i->i", x, y),
        signed(2),
        indices(3, -2),
    ),
    case("einsum", "indices: integers", lambda m, x: m.einsum("ij,kj", x, x), indices([1, 2], [3, 4]), smooth=False),
    tensordot("one pair", (2, 3), (3, 2), 1),
    tensordot("two pairs", (2, 2, 3), (2, 3, 2), 2),
    tensordot("all pairs", (2, 3), (2, 3), 2),
    tensordot("no pair", (2, 1), (3,), 0),
    tensordot("lists", (2, 3, 2), (2, 2, 3), ([1, 0], [2, 1])),
    tensordot("lists, counted from the end", (2, 3), (2, 3), ([-1], [-1])),
    tensordot("tuples", (2, 3), (3, 2), ((0, 1), (1, 0))),
    tensordot("empty lists", (2,), (3,), ([], [])),
    tensordot("single numbers", (), (), 0),
    tensordot("size 1 against another", (1, 3), (2, 2), ([0], [0])),
    tensordot("nothing to sum", (2, 0), (0, 2), 1),
    tensordot("vectors", (3,), (3,), 1),
    case("tensordot", "two pairs are the default", lambda m, x, y: m.tensordot(x, y), signed(2, 3), signed(2, 3)),
]
