"""How far a head looks: its scores by distance, and the mean distance of what it attends to."""

from typing import Annotated

import numpy as np
from jaxtyping import Float

from transformer_math.contract import ATTENTION_WEIGHTS, contract


@contract
def mean_by_distance(
    S: Float[np.ndarray, "n_heads n n"],
) -> Float[np.ndarray, "n_heads n"]:
    r"""Each head's mean score of all keys that stand equally far behind their queries.

        m_hd = 1/(n - d) Σ_{i=d}^(n-1) S_{h, i, i - d}
        d = 0, …, n - 1

    Keys after the query do not count. Book: eq-mean-by-distance.

    >>> mean_by_distance(np.array([[[1.0, 9.0], [5.0, 3.0]]]))
    array([[2., 5.]])
    """
    diagonals = [np.diagonal(S, -d, 1, 2).mean(axis=-1) for d in range(S.shape[-1])]
    return np.stack(diagonals, axis=-1)


@contract
def mean_attention_distance(
    A: Annotated[Float[np.ndarray, "n_heads n n"], ATTENTION_WEIGHTS],
) -> Float[np.ndarray, " n_heads"]:
    r"""How many places lie between a query and what it attends to: each head's mean over weights and queries.

        D_h = 1/n Σ_i Σ_j A_hij |i - j|

    Book: eq-mean-attention-distance. Source: Dosovitskiy et al. (2021), section 4.5, arXiv:2010.11929.

    >>> mean_attention_distance(np.array([[[1.0, 0.0], [1.0, 0.0]]]))
    array([0.5])
    """
    place = np.arange(A.shape[-1], dtype=A.dtype)
    apart = np.abs(place[:, None] - place)
    return (A * apart).sum(axis=-1).mean(axis=-1)
