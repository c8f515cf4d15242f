"""Multi-head attention: several small attentions side by side, joined and mixed."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from transformer_math.attention.projections import project, split_heads
from transformer_math.attention.scaled_dot_product import Mask, attention

Matrix = Float[np.ndarray, "d_in d_out"]
Vector = Float[np.ndarray, " d_out"]


@dataclass(frozen=True)
class AttentionParameters:
    """The four matrices of a multi-head attention, all heads side by side, and their biases.

    W_Q, W_K: (d_model, H d_k); W_V: (d_model, H d_v); W_O: (H d_v, d_model).
    """

    W_Q: Matrix
    W_K: Matrix
    W_V: Matrix
    W_O: Matrix
    b_Q: Vector
    b_K: Vector
    b_V: Vector
    b_O: Vector


def concat_heads(
    O: Float[np.ndarray, "... n_heads n d_v"],
) -> Float[np.ndarray, "... n all_heads"]:
    r"""Lay the outputs of the heads side by side: the inverse of `split_heads`.

        O = Concat(O_1, ..., O_H)

    Book: eq-concat-heads. Source: Vaswani et al. (2017), section 3.2.2, arXiv:1706.03762.

    >>> concat_heads(np.array([[[1.0, 2.0]], [[3.0, 4.0]]]))
    array([[1., 2., 3., 4.]])
    """
    *batch, n_heads, n, d_v = O.shape
    return np.swapaxes(O, -3, -2).reshape(*batch, n, n_heads * d_v)


def multi_head_attention(
    Z: Float[np.ndarray, "... n d_model"],
    source: Float[np.ndarray, "... m d_model"],
    parameters: AttentionParameters,
    n_heads: int,
    mask: Mask | None = None,
) -> tuple[Float[np.ndarray, "... n d_model"], Float[np.ndarray, "... n_heads n m"]]:
    r"""Let every head attend in a subspace of its own, then mix what they found.

        O' = Concat(O_1, ..., O_H) W^O + b^O,   O_h = attention(Z W_h^Q, Y W_h^K, Y W_h^V)

    Queries come from Z, keys and values from `source` Y: the same Z for self-attention, another sequence for
    cross-attention. The mask has the shape of one head's scores or a shape that spreads over batch and heads.
    Returns O' and the weights of every head. Book: eq-multi-head.
    Source: Vaswani et al. (2017), section 3.2.2, arXiv:1706.03762.

    >>> I, zero = np.eye(2), np.zeros(2)
    >>> parameters = AttentionParameters(I, I, I, I, zero, zero, zero, zero)
    >>> multi_head_attention(I, I, parameters, n_heads=2)[1].round(2)
    array([[[0.73, 0.27],
            [0.5 , 0.5 ]],
    <BLANKLINE>
           [[0.5 , 0.5 ],
            [0.27, 0.73]]])
    """
    p = parameters
    Q = split_heads(project(Z, p.W_Q, p.b_Q), n_heads)
    K = split_heads(project(source, p.W_K, p.b_K), n_heads)
    V = split_heads(project(source, p.W_V, p.b_V), n_heads)
    O, A = attention(Q, K, V, mask)
    return project(concat_heads(O), p.W_O, p.b_O), A
