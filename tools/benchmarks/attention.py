"""Attention of 8 heads of size 64 in single precision, against PyTorch's fused kernel and its eager operations."""

import math

import numpy as np
import torch

from benchmarks.table import Row, interleaved
from transformer_math.attention import attention

THREADS = 2
SIZES = (64, 128, 256, 512, 1024, 2048)
EAGER_FROM = 1024  # below, the overhead of a call decides, and nobody waits


def eager(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """The formula in PyTorch, one operation after the other."""
    return torch.softmax(Q @ K.transpose(-1, -2) / math.sqrt(Q.shape[-1]), dim=-1) @ V


def rows() -> list[Row]:
    """Two rows for each number of tokens."""
    torch.set_num_threads(THREADS)
    rng = np.random.default_rng(0)
    return [row for n in SIZES for row in _compare(n, rng)]


def _compare(n: int, rng: np.random.Generator) -> list[Row]:
    arrays = rng.normal(size=(3, 1, 8, n, 64)).astype(np.float32)
    tensors = torch.from_numpy(arrays)
    fused = torch.nn.functional.scaled_dot_product_attention
    np.testing.assert_allclose(attention(*arrays)[0], fused(*tensors), atol=1e-5)
    rivals = [
        lambda: attention(*arrays),
        lambda: fused(*tensors),
        lambda: eager(*tensors),
    ]
    with torch.inference_mode():
        seconds = interleaved(rivals, repetitions=9 if n >= EAGER_FROM else 99)
    ours, theirs, plain = (1000 * median for median in seconds)
    what = f"attention, n = {n}"
    limit = 1 if n >= EAGER_FROM else None
    return [
        Row(what, ours, "ms", theirs, "PyTorch, fused", ratio_at_most=3),
        Row(what, ours, "ms", plain, "PyTorch, eager", ratio_at_most=limit),
    ]
