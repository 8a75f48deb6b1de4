"""Writes docs/operators.md: which entries of PyTorch's database of operators are here, and why the others are not.

    .venv/bin/python scripts/operators.py

It needs PyTorch, and the package expecttest, which PyTorch's own tests need.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from operator_database import ENTRIES, found  # noqa: E402 (found on the path added above)

PAGE = ROOT / "docs" / "operators.md"

# Entries that mean nothing here, by the reason why.
MEANINGLESS = {
    "Complex numbers: a Tensor holds real ones.": """
        view_as_real view_as_complex complex imag polar cdouble cfloat chalf linalg.eig linalg.eigvals stft istft
        fft.fft fft.fft2 fft.fftn fft.hfft fft.hfft2 fft.hfftn fft.rfft fft.rfft2 fft.rfftn fft.ifft fft.ifft2 fft.ifftn
        fft.ihfft fft.ihfft2 fft.ihfftn fft.irfft fft.irfft2 fft.irfftn fft.fftshift fft.ifftshift""",
    "Sparse Tensors: arrays are dense.": "sparse.sampled_addmm sparse.mm to_sparse",
    "Kernels and compilers of GPUs.": """
        jiterator_unary jiterator_binary jiterator_4inputs_with_extra_args jiterator_binary_return_by_ref
        jiterator_2inputs_2outputs torch._scaled_mm torch._scaled_mm_v2 torch.ops.aten._flash_attention_forward
        torch.ops.aten._efficient_attention_forward""",
    "PyTorch's own inner functions, behind a public one that is here or in the table below.": """
        _softmax_backward_data native_group_norm native_layer_norm native_batch_norm _native_batch_norm_legit
        _batch_norm_with_update constant_pad_nd _upsample_bilinear2d_aa max_pool2d_with_indices_backward
        torch.ops.aten._safe_softmax.default slice _unsafe_masked_index _unsafe_masked_index_put_accumulate _chunk_cat
        native_dropout_backward grid_sampler_2d grid_sampler_3d hash_tensor _segment_reduce""",
    "Copies in the place of views, for PyTorch's compiler: write `.clone()` behind the operation.": """
        alias_copy as_strided_copy diagonal_copy expand_copy narrow_copy permute_copy split_with_sizes_copy squeeze_copy
        t_copy transpose_copy unbind_copy unfold_copy unsqueeze_copy view_copy""",
    "How memory lies: that is NumPy's, and `t.data` is the array.": """
        as_strided as_strided_scatter empty_permuted empty_strided new_empty_strided""",
}
# Entries that would mean something, by what to do without them.
LACKING = {
    "Changing a shape in place: assign the result of `reshape`.": "resize_ resize_as_",
    "Randomised: take the first columns of `linalg.svd`.": "svd_lowrank pca_lowrank",
    "NumPy has no such factors: `linalg.eigh` and `linalg.solve` do what they are for.": """
        linalg.ldl_factor linalg.ldl_factor_ex linalg.ldl_solve""",
    "Nobody has asked for Airy's function yet.": "special.airy_ai",
    "The example of [adding an operation](adding-an-operation.md), which makes it step by step.": "logaddexp2",
    "A prototype in PyTorch: write `where(mask, x, 0).sum()`, or `masked_fill` before a softmax.": """
        masked.sum masked.prod masked.cumsum masked.cumprod masked.amax masked.amin masked.argmax masked.argmin
        masked.mean masked.median masked.norm masked.var masked.std masked.softmax masked.log_softmax masked.softmin
        masked.normalize masked.logaddexp masked.logsumexp""",
    "Windows drawn by chance, and numbers between the places of an image.": """
        nn.functional.adaptive_avg_pool3d nn.functional.adaptive_max_pool3d nn.functional.avg_pool3d
        nn.functional.conv_transpose3d nn.functional.conv3d nn.functional.max_pool3d nn.functional.max_unpool1d
        nn.functional.max_unpool2d nn.functional.max_unpool3d nn.functional.fractional_max_pool2d
        nn.functional.fractional_max_pool3d nn.functional.grid_sample""",
    "Rare layers and losses: each is a line or a few of what is here.": """
        nn.functional.local_response_norm nn.functional.upsample_bilinear nn.functional.upsample_nearest
        nn.functional.multi_margin_loss nn.functional.multilabel_margin_loss nn.functional.multilabel_soft_margin_loss
        nn.functional.bilinear nn.functional.rrelu nn.functional.alpha_dropout nn.functional.feature_alpha_dropout
        nn.functional.multi_head_attention_forward nn.functional.ctc_loss nn.functional.pdist
        nn.functional.linear_cross_entropy""",
}


def names() -> list[str]:
    """The names of the database, each once, in the order of the alphabet."""
    return sorted({entry.name for entry in ENTRIES.values()})


def _table(groups: dict[str, str], absent: set[str]) -> str:
    rows = []
    for why, listed in groups.items():
        those = [f"`{name}`" for name in listed.split() if name in absent]
        if those:
            rows.append(f"| {why} | {' '.join(those)} |")
    return "\n".join(["| why | names |", "|---|---|", *rows])


def page() -> str:
    """The page. Raises SystemExit for an entry that is not here and has no reason."""
    here = [name for name in names() if found(name) is not None]
    absent = set(names()) - set(here)
    meaningless = {name for listed in MEANINGLESS.values() for name in listed.split()}
    explained = meaningless | {name for listed in LACKING.values() for name in listed.split()}
    if absent - explained or meaningless & set(here):
        raise SystemExit(
            f"without a reason: {sorted(absent - explained)}; with one too many: {sorted(meaningless & set(here))}"
        )
    meaning = len(names()) - len(meaningless)
    listed = textwrap.fill(" ".join(f"`{name}`" for name in here), 120, break_on_hyphens=False, break_long_words=False)
    share = f"{len(here)} are here: {len(here) / meaning:.0%}"
    return f"""# PyTorch's operators, and which are here

PyTorch tests itself by a database of its operators, each with samples of calls. It has {len(names())} names.
{len(meaningless)} of them mean nothing on real arrays in one memory; of the other {meaning}, {share}. Where PyTorch
is installed, the tests run its own samples on both: values, gradients, gradients of gradients where its database has
them, and refusals. This page is written by `python scripts/operators.py`.

## Without a meaning here

{_table(MEANINGLESS, absent)}

## Not here

{_table(LACKING, absent)}

## Here

Names are those behind `minitorch.`, as in `minitorch.special.i0`; some, such as `expand`, are methods alone.
Bessel functions, `igamma`, `igammac`, `polygamma` and `special.zeta` need SciPy, which the extra of its name brings.

{listed}
"""


def main() -> None:
    """Writes the page."""
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)} is written")


if __name__ == "__main__":
    main()
