"""Attention in blocks: which blocks of queries meet which blocks of keys."""

from collections.abc import Iterator
from itertools import product

import numpy as np


def pairs_of_blocks(
    n: int, m: int, block: int, mask: np.ndarray | None = None
) -> Iterator[tuple[slice, slice]]:
    """The blocks of n queries, each with the blocks of m keys in which the mask allows it anything.

    >>> list(pairs_of_blocks(2, 1, block=1, mask=np.array([[False], [True]])))
    [(slice(1, 2, None), slice(0, 1, None))]
    """
    for i, j in product(range(0, n, block), range(0, m, block)):
        queries, keys = slice(i, i + block), slice(j, j + block)
        if mask is None or mask[..., queries, keys].any():
            yield queries, keys
