"""Attention of 8 heads of size 64 in single precision, against PyTorch's fused kernel and its eager operations.

At the longest text also block by block: its time, and the memory of that text and of one twice as long.
"""

import math
import tracemalloc

import numpy as np
import torch

from benchmarks.table import Row, interleaved
from transformer_math.attention import attention, blockwise_attention

THREADS = 2
SIZES = (64, 128, 256, 512, 1024, 2048)
EAGER_FROM = 1024  # below, the overhead of a call decides, and nobody waits


def eager(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """The formula in PyTorch, one operation after the other."""
    return torch.softmax(Q @ K.transpose(-1, -2) / math.sqrt(Q.shape[-1]), dim=-1) @ V


def rows() -> list[Row]:
    """Two rows for each number of tokens, and two for attention block by block."""
    torch.set_num_threads(THREADS)
    rng = np.random.default_rng(0)
    whole = [row for n in SIZES for row in _compare(n, rng)]
    return [*whole, _blockwise_time(SIZES[-1], rng), _blockwise_memory(SIZES[-1], rng)]


def _blockwise_time(n: int, rng: np.random.Generator) -> Row:
    arrays = rng.normal(size=(3, 1, 8, n, 64)).astype(np.float32)
    tensors = torch.from_numpy(arrays)
    fused = torch.nn.functional.scaled_dot_product_attention
    np.testing.assert_allclose(blockwise_attention(*arrays), fused(*tensors), atol=1e-5)
    rivals = [lambda: blockwise_attention(*arrays), lambda: fused(*tensors)]
    with torch.inference_mode():
        ours, theirs = (1000 * median for median in interleaved(rivals, 9))
    what = f"attention block by block, n = {n}"
    return Row(what, ours, "ms", theirs, "PyTorch, fused", ratio_at_most=2)


def _blockwise_memory(n: int, rng: np.random.Generator) -> Row:
    """The peak for a text twice as long beside that for the text: twice as much at most, if it is linear."""
    ours, half = (_peak(rng.normal(size=(3, 8, m, 64))) for m in (2 * n, n))
    what = f"memory block by block, n = {2 * n}"
    return Row(what, ours, "MB", half, f"n = {n}", ratio_at_most=2)


def _peak(arrays: np.ndarray) -> float:
    arrays = arrays.astype(np.float32)
    tracemalloc.start()
    blockwise_attention(*arrays)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


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
