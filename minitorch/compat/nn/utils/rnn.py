"""Sequences of different lengths, where PyTorch's programs look for them: they stand in `nn.packed`."""

from minitorch.nn.packed import (
    PackedSequence,
    pack_padded_sequence,
    pack_sequence,
    pad_packed_sequence,
    pad_sequence,
    unpack_sequence,
    unpad_sequence,
)

__all__ = ["PackedSequence", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence", "pad_sequence"]
__all__ += ["unpack_sequence", "unpad_sequence"]
