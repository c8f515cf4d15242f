"""Attention block by block: the online softmax, which holds no row of weights whole."""

from typing import Annotated

import numpy as np
from jaxtyping import Float

from transformer_math.attention._blocks import pairs_of_blocks
from transformer_math.attention.masks import apply_mask
from transformer_math.attention.scaled_dot_product import scores
from transformer_math.contract import OrMinusInfinity, Size, contract
from transformer_math.shapes import Mask


@contract
def online_softmax(
    m: Annotated[Float[np.ndarray, "... n"], OrMinusInfinity],
    l: Float[np.ndarray, "... n"],
    o: Float[np.ndarray, "... n d_v"],
    S: Annotated[Float[np.ndarray, "... n c"], OrMinusInfinity],
    V: Float[np.ndarray, "... c d_v"],
) -> tuple[
    Annotated[Float[np.ndarray, "... n"], OrMinusInfinity],
    Float[np.ndarray, "... n"],
    Float[np.ndarray, "... n d_v"],
]:
    r"""Take the scores and values of a few more keys into each query's running maximum, sum and weighted sum.

        m' = max(m, max s)
        ℓ' = e^(m - m') ℓ + Σ_j e^(s_j - m')
        o' = e^(m - m') o + Σ_j e^(s_j - m') v_j

    It begins with m = -inf, l = 0, o = 0; after the last key o / l is the output of attention, and e^(s - m) / l are
    its weights. Book: eq-online-softmax. Source: Milakov and Gimelshein (2018), arXiv:1805.02867.

    >>> nothing_yet = np.array([-np.inf]), np.zeros(1), np.zeros((1, 1))
    >>> online_softmax(*nothing_yet, S=np.log([[1.0, 2.0]]), V=np.array([[30.0], [0.0]]))
    (array([0.69314718]), array([1.5]), array([[15.]]))
    """
    highest = np.maximum(m, S.max(axis=-1))
    lowest = np.finfo(S.dtype).min  # where all is -inf so far: -inf - -inf would be NaN
    shift = np.maximum(highest, lowest)
    powers = np.exp(S - shift[..., None])
    shrink = np.exp(m - shift)
    o = shrink[..., None] * o + powers @ V
    return highest, shrink * l + powers.sum(axis=-1), o


@contract
def blockwise_attention(
    Q: Float[np.ndarray, "*batch n d_k"],
    K: Float[np.ndarray, "*batch m d_k"],
    V: Float[np.ndarray, "*batch m d_v"],
    mask: Mask | None = None,
    block: Size = 256,
) -> Float[np.ndarray, "*batch n d_v"]:
    r"""The output of `attention`, without ever holding more than block x block of its weights.

        blockwise(Q, K, V) = softmax((Q Kᵀ)/√d_k) V

    Beside the output it needs memory for two numbers of each query, and a few blocks. Pairs of blocks in which the mask
    allows nothing are skipped. `block` changes the cost and, but for rounding, not the result.
    Raises ValueError as `attention` does.
    Book: eq-blockwise-attention. Source: Rabe and Staats (2021), arXiv:2112.05682; Dao et al. (2022), arXiv:2205.14135.

    >>> blockwise_attention(Q=np.zeros((1, 2)), K=np.ones((2, 2)), V=np.array([[0.0], [10.0]]), block=1)
    array([[5.]])
    """
    *batch, n, _ = Q.shape
    O = np.zeros((*batch, n, V.shape[-1]), np.result_type(Q, K, V))
    m, l = np.full_like(O[..., 0], -np.inf), np.zeros_like(O[..., 0])
    if mask is not None:
        mask = np.broadcast_to(mask, (*batch, n, K.shape[-2]))  # a view: no memory
    for i, j in pairs_of_blocks(n, K.shape[-2], block, mask):
        S = scores(Q[..., i, :], K[..., j, :])
        if mask is not None:
            S = apply_mask(S, mask[..., i, j])
        so_far = m[..., i], l[..., i], O[..., i, :]
        m[..., i], l[..., i], O[..., i, :] = online_softmax(*so_far, S, V[..., j, :])
    O /= np.maximum(l, 1)[..., None]  # l is 0, or at least 1
    return O
